"""Tables of who is how strong, and by what: chances to be best, every difference, finish against win, table sizes,
partners, money.

In all of them bots stand in the ladder's order, intervals are 95 % ones with blocks as the unit, and `players` 0 means
all tables together.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from harness.ladder.games import seat_values
from harness.report.frames import Frames
from harness.report.tables import Fits, rank_ranges, rating_order
from harness.stats.balance import critical, share
from harness.stats.bootstrap import rank
from harness.stats.effects import Effects, interactions
from harness.stats.identify import main_component, tally
from harness.stats.money import MoneyRating, rate_money, table_shares
from harness.stats.online import online_elo
from harness.stats.ratings import Ratings
from harness.stats.results import Floats, Ints, Results, finish_order
from harness.stats.uncertainty import difference_variance

MOST_PAIRS = 1000
"""Pairs of partners up to which their synergies are worked out."""

MOST_TABLES = 1000
"""Bots times table sizes up to which the effects of table sizes are worked out."""

_AT_ONCE = 10
"""Bots whose sums of blocks are held at a time."""


def played_order(fits: Fits) -> Ints:
    """Return the numbers of the bots that played, best first."""
    order = rating_order(fits.main)
    return np.asarray(order[fits.main.games[order] > 0])


def by_size(fits: Fits) -> Iterator[tuple[int, Ratings]]:
    """Yield the ratings over all tables as 0 players, and those of each number of players where there are several."""
    yield 0, fits.main
    if len(fits.sizes) > 1:
        yield from fits.sizes.items()


def chance_table(frames: Frames, fits: Fits) -> pd.DataFrame:
    """Return players, bot, rank_best and rank_worst (as in the ladder), best and top_three (chances to be the strongest
    and one of the three strongest), contender (not surely weaker than the best, all comparisons together), blocks.
    """
    rows = []
    for players, ratings in by_size(fits):
        ranks = rank(ratings)
        first, last = rank_ranges(ratings.los, ratings.games > 0)
        rows += [
            {
                "players": players,
                "bot": frames.names[bot],
                "rank_best": int(first[bot]),
                "rank_worst": int(last[bot]),
                "best": ranks.best[bot],
                "top_three": ranks.top_three[bot],
                "contender": bool(ranks.contender[bot]),
                "blocks": int(ratings.blocks[bot]),
            }
            for bot in played_order(fits)
            if ratings.games[bot]
        ]
    return pd.DataFrame(rows)


def superiority_table(frames: Frames, fits: Fits) -> pd.DataFrame:
    """Return for every ordered pair of bots that played: bot, other, gap, lo, hi (Elo of the one above the other), los
    (likelihood that it is the stronger), design_effect, blocks (of the one that has fewer).
    """
    main, order = fits.main, played_order(fits)
    one, two = (numbers.ravel() for numbers in np.meshgrid(order, order, indexing="ij"))
    one, two = one[one != two], two[one != two]
    blocks = np.minimum(main.blocks[one], main.blocks[two])
    gap = main.elo[one] - main.elo[two]
    half = critical(0.95, blocks) * np.sqrt(difference_variance(main.covariance)[one, two])
    names = np.array(frames.names, object)
    return pd.DataFrame(
        {
            "bot": names[one],
            "other": names[two],
            "gap": gap,
            "lo": gap - half,
            "hi": gap + half,
            "los": main.los[one, two],
            "design_effect": main.design_effect[one, two],
            "blocks": blocks,
        }
    )


def agreement_table(frames: Frames, fits: Fits) -> pd.DataFrame:
    """Return bot, finish_elo, win_elo, each with _lo and _hi, gap, gap_lo, gap_hi (win less finish, both less their
    mean over the bots compared; nan for others), online_elo (display only, the anchor at its number), blocks.
    """
    agreement, order = fits.agreement, played_order(fits)
    half = critical(0.95, fits.finish.blocks) * agreement.se
    gap = np.where(agreement.compared, agreement.gap, np.nan)
    online = online_elo(frames.results, len(frames.names))
    online += frames.manifest.anchor_elo - (online[frames.anchor] if fits.main.anchored else 1000.0)
    columns: dict[str, Any] = {"bot": [frames.names[bot] for bot in order]}
    for name, ratings in (("finish_elo", fits.finish), ("win_elo", fits.win)):
        columns |= {name: ratings.elo[order], f"{name}_lo": ratings.lo[order], f"{name}_hi": ratings.hi[order]}
    columns |= {"gap": gap[order], "gap_lo": (gap - half)[order], "gap_hi": (gap + half)[order]}
    return pd.DataFrame({**columns, "online_elo": online[order], "blocks": fits.finish.blocks[order]})


def effect_tables(frames: Frames, fits: Fits, results: Results) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return what one strength cannot say, from `results`: the tests, the effects of table sizes, those of partners.

    Tests: kind (tables, partners), f, df, df_error, p, tested, games, blocks. Effects: bot, players or partner, elo,
    lo, hi, p (adjusted for all of its kind), blocks. Games at a table size with a bot that won or lost all of them
    there are left out: they would fix no finite effect.
    """
    nothing = (pd.DataFrame(), pd.DataFrame(), pd.DataFrame())
    bots = int(np.count_nonzero(fits.main.games))
    results = _with_finite_effects(results, frames)
    if partner_pairs(results) > MOST_PAIRS:
        results = results.where(results.players != 6)
    sizes = len(np.unique(results.players))
    if bots < 2 or not len(results) or bots * sizes > MOST_TABLES:
        return nothing
    found = interactions(results, len(frames.names))
    kinds = {"tables": found.tables, "partners": found.synergies}
    tests = pd.DataFrame(
        {
            "kind": kind,
            **vars(effects.test),
            "games": len(results),
            "blocks": len(np.unique(results.block)),
        }
        for kind, effects in kinds.items()
        if len(effects.of)
    )
    place = np.empty(len(frames.names), np.int64)
    place[rating_order(fits.main)] = np.arange(len(place))
    names = np.array(frames.names, object)
    tables, partners = found.tables.of, found.synergies.of
    effects = _effects(found.tables, {"bot": names[tables[:, 0]], "players": tables[:, 1]}, place[tables[:, 0]])
    return (
        tests,
        effects[effects.groupby("bot")["players"].transform("size") > 1].reset_index(drop=True),
        _effects(
            found.synergies, {"bot": names[partners[:, 0]], "partner": names[partners[:, 1]]}, -found.synergies.elo
        ),
    )


def _with_finite_effects(results: Results, frames: Frames) -> Results:
    bots = len(frames.names)
    loose = np.zeros((results.bots.shape[1] + 1, bots), np.bool_)
    for players in np.unique(results.players):
        own = finish_order(results.where(results.players == players))
        loose[players] = ~main_component(tally(own, bots, win_only=False), frames.anchor)
    seated = results.bots >= 0
    return results.where(np.asarray(~(loose[results.players[:, None], results.bots] & seated).any(axis=1)))


def partner_pairs(results: Results) -> int:
    """Return how many pairs of bots sat as partners."""
    teams = results.bots[results.players == 6].astype(np.int64)
    pairs = np.sort(np.concatenate([teams[:, [seat, seat + 3]] for seat in range(3)]), axis=1)
    return len(np.unique(pairs @ [1 << 16, 1]))


def _effects(effects: Effects, of: dict[str, Any], order: npt.ArrayLike) -> pd.DataFrame:
    half = critical(0.95, effects.blocks) * effects.se
    table = pd.DataFrame(
        {
            **of,
            "elo": effects.elo,
            "lo": effects.elo - half,
            "hi": effects.elo + half,
            "p": effects.p,
            "blocks": effects.blocks,
        }
    )
    return table.iloc[np.argsort(order, kind="stable")].reset_index(drop=True)


def money_table(frames: Frames, fits: Fits) -> pd.DataFrame:
    """Return players, bot, gain, gain_lo, gain_hi (share of the table's money above that of the average bot with the
    same cards; nan where unknown), share, share_lo, share_hi (the plain mean share of its side; nan over all tables, of
    which an even share differs), even, games, blocks. Empty where no game tells its money.
    """
    games, results = frames.rated(), frames.results
    if "money0" not in games or not len(results):
        return pd.DataFrame()
    shares = np.full(results.bots.shape, np.nan)
    for players in fits.sizes:  # one by one, which holds less at a time
        own = results.players == players
        shares[own] = table_shares(results.where(own), seat_values(games[own], "money").astype(np.float64))
    rows = []
    for players, ratings in by_size(fits):
        own = results.players == players if players else np.ones(len(results), np.bool_)
        part = results.where(own) if players else results
        gains = rate_money(part, shares[own] if players else shares, len(frames.names))
        alone = players or (0 if len(fits.sizes) > 1 else next(iter(fits.sizes)))
        means = _mean_shares(part, shares[own], len(frames.names)) if alone else None
        sides = {0: np.nan, 6: 3.0}.get(alone, float(alone))
        for bot in played_order(fits):
            if ratings.games[bot]:
                value = (np.nan,) * 3 if means is None else tuple(float(column[bot]) for column in means)
                rows.append(_money_row(players, frames.names[bot], gains, bot, value, 1 / sides))
    return pd.DataFrame(rows)


def _money_row(
    players: int, name: str, gains: MoneyRating, bot: int, means: tuple[float, ...], even: float
) -> dict[str, Any]:
    known = not gains.unknown[bot]
    return {
        "players": players,
        "bot": name,
        "gain": gains.gain[bot] if known else np.nan,
        "gain_lo": gains.lo[bot] if known else np.nan,
        "gain_hi": gains.hi[bot] if known else np.nan,
        **dict(zip(("share", "share_lo", "share_hi"), means, strict=True)),
        "even": even,
        "games": int(gains.games[bot]),
        "blocks": int(gains.blocks[bot]),
    }


def _mean_shares(results: Results, shares: Floats, bot_count: int) -> tuple[Floats, Floats, Floats]:
    """Return each bot's mean share (N,) of its tables' money over the seats it took, and the bounds."""
    _, block = np.unique(results.block, return_inverse=True)
    seated = results.bots >= 0
    blocks, bot = np.broadcast_to(block[:, None], seated.shape)[seated], results.bots[seated].astype(np.int64)
    value = shares[seated]
    parts = []
    for first in range(0, bot_count, _AT_ONCE):
        own = (bot >= first) & (bot < first + _AT_ONCE)
        shape = (int(block.max(initial=-1)) + 1, min(_AT_ONCE, bot_count - first))
        cell = blocks[own] * shape[1] + bot[own] - first
        size = shape[0] * shape[1]
        found = share(
            np.minimum(np.bincount(cell, value[own], size), np.bincount(cell, minlength=size)).reshape(shape),
            np.bincount(cell, minlength=size).reshape(shape),
        )
        parts.append((found.value, found.lo, found.hi))
    value, lo, hi = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return value, lo, hi
