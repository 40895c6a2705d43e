"""Tables of skill and luck: what a game pays for, how many games tell bots apart, and how often the best one wins."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from harness.report.frames import Frames, win_shares
from harness.report.strength_tables import by_size
from harness.report.tables import Fits
from harness.stats.balance import critical
from harness.stats.bits import held_out_bits, match_win
from harness.stats.power import games_for_difference
from harness.stats.ratings import ELO, Ratings
from harness.stats.results import Floats, Ints, Results
from harness.stats.skill import PARTS, VarianceSplit, games_for_reliability, split_variance
from harness.stats.uncertainty import difference_variance

RELIABLE = 0.9
"""Reliability for which games are counted: the squared correlation of a bot's mean with its true one."""

MATCHES = (1, 3, 5, 10, 25)
"""Games of the matches for which the chance of the best bot is told."""

HALF_WIDTH = 10.0
"""Half the interval of a difference, Elo, for which games are counted."""


def luck_tables(frames: Frames) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return how the variance of winning is split, and what that means for how many games a bot needs.

    Split: players, part (of PARTS), share, share_lo, share_hi, variance, games, blocks. Reliability: players, icc,
    icc_lo, icc_hi (share of the bot in one game), block_icc, block_icc_lo, _hi (in the mean over a block),
    games_needed, _lo, _hi and blocks_needed, _lo, _hi (for RELIABLE; inf where the bots may be equal), games, blocks.
    """
    splits = split_variance(frames.results, win_shares(frames.rated(), "rated"))
    luck = [
        {
            "players": players,
            "part": part,
            "share": split.share[place],
            "share_lo": split.lo[place],
            "share_hi": split.hi[place],
            "variance": split.variance[place],
            "games": split.games,
            "blocks": split.blocks,
        }
        for players, split in splits.items()
        for place, part in enumerate(PARTS)
    ]
    return pd.DataFrame(luck), pd.DataFrame([_reliability(players, split) for players, split in splits.items()])


def _reliability(players: int, split: VarianceSplit) -> dict[str, Any]:
    game = (float(split.share[0]), float(split.lo[0]), float(split.hi[0]))
    block = (split.block_icc, split.block_icc_lo, split.block_icc_hi)
    return {
        "players": players,
        **dict(zip(("icc", "icc_lo", "icc_hi"), game, strict=True)),
        **dict(zip(("block_icc", "block_icc_lo", "block_icc_hi"), block, strict=True)),
        **_needed("games_needed", *game),
        **_needed("blocks_needed", *block),
        "games": split.games,
        "blocks": split.blocks,
    }


def _needed(name: str, icc: float, lo: float, hi: float) -> dict[str, float]:
    """Return how many plays a share of the bot asks for; the larger the share, the fewer."""
    return {name: _plays(icc), f"{name}_lo": _plays(hi), f"{name}_hi": _plays(lo)}


def _plays(icc: float) -> float:
    if np.isnan(icc):
        return np.nan
    return games_for_reliability(RELIABLE, min(icc, 1.0)) if icc > 0 else np.inf


def bits_table(frames: Frames, results: Results) -> pd.DataFrame:
    """Return what ratings foretell of games they were not made of: of (order, first), bits, bits_lo, bits_hi a game,
    most (that there would be to tell), r_squared, games, blocks.
    """
    blocks = len(np.unique(results.block))
    if blocks < 2:
        return pd.DataFrame()
    rows = []
    for of, win_only in (("order", False), ("first", True)):
        found = held_out_bits(results, len(frames.names), win_only)
        told = found.per_game
        rows.append(
            {
                "of": of,
                "bits": float(told.value),
                "bits_lo": float(told.lo),
                "bits_hi": float(told.hi),
                "most": found.most,
                "r_squared": found.r_squared,
                "games": len(results),
                "blocks": blocks,
            }
        )
    return pd.DataFrame(rows)


def match_table(fits: Fits) -> pd.DataFrame:
    """Return how often the best bot wins a match, by the ratings of each number of players, against others that are all
    as strong as the runner-up, or as the mean of all others; at six players with a partner as strong as theirs.

    Columns: players, against (runner_up, average), lead (Elo), match (games), chance, chance_lo, chance_hi, blocks.
    """
    rows = []
    for players, ratings in fits.sizes.items():
        for against, lead, half, blocks in _leads(ratings):
            for games in MATCHES:
                chance, lo, hi = (_wins(gap, players, games) for gap in (lead, lead - half, lead + half))
                rows.append(
                    {
                        "players": players,
                        "against": against,
                        "lead": lead,
                        "match": games,
                        "chance": chance,
                        "chance_lo": lo,
                        "chance_hi": hi,
                        "blocks": blocks,
                    }
                )
    return pd.DataFrame(rows)


def _leads(ratings: Ratings) -> Iterator[tuple[str, float, float, int]]:
    """Yield by how much the best bot leads the runner-up and the mean of all others, half the 95 % interval, blocks."""
    played = np.flatnonzero(ratings.games > 0)
    order = played[np.argsort(-ratings.elo[played], kind="stable")]
    if len(order) < 2:
        return
    for against, others in (("runner_up", order[1:2]), ("average", order[1:])):
        contrast = np.zeros(len(ratings.elo))
        contrast[order[0]] = 1.0
        contrast[others] = -1.0 / len(others)
        blocks = int(min(ratings.blocks[order[0]], ratings.blocks[others].max()))
        error = np.sqrt(max(float(contrast @ ratings.covariance @ contrast), 0.0))
        yield against, float(contrast @ ratings.elo), float(critical(0.95, blocks) * error), blocks


def _wins(lead: float, players: int, games: int) -> float:
    """Return the chance to win most games of a match, `lead` Elo above all other sides."""
    sides = 3 if players == 6 else players
    odds = float(np.exp(np.clip(lead / ELO, -30.0, 30.0)))
    chances = np.array([odds, *[1.0] * (sides - 1)])
    return float(match_win(chances / chances.sum(), games)[0])


def precision_table(fits: Fits) -> pd.DataFrame:
    """Return how exact differences of ratings are: players (0 is all), bots, design_effect, design_effect_lo, _hi and
    half, half_lo, half_hi (the median over all pairs of bots, and between which of them nine in ten lie; half the 95 %
    interval, Elo), needed (games for a half of HALF_WIDTH, by the plan for equal bots; nan over all), games, blocks.
    """
    rows = []
    for players, ratings in by_size(fits):
        played = np.flatnonzero(ratings.games > 0)
        if len(played) < 2:
            continue
        size = players or (0 if len(fits.sizes) > 1 else next(iter(fits.sizes)))
        effect, half = (values[_pairs(played)] for values in (ratings.design_effect, _halves(ratings)))
        median = float(np.median(effect))
        needed = games_for_difference(
            len(played), 3 if size == 6 else size, HALF_WIDTH, max(median, 1e-3), win_only=not fits.agreement.agree
        ) if size else np.nan  # fmt: skip
        rows.append(
            {
                "players": players,
                "bots": len(played),
                **_spread("design_effect", effect),
                **_spread("half", half),
                "needed": needed,
                "games": ratings.game_count,
                "blocks": ratings.block_count,
            }
        )
    return pd.DataFrame(rows)


def _pairs(played: Ints) -> tuple[Ints, Ints]:
    one, two = np.triu_indices(len(played), 1)
    return played[one], played[two]


def _halves(ratings: Ratings) -> Floats:
    blocks = np.minimum(ratings.blocks[:, None], ratings.blocks)
    return np.asarray(critical(0.95, blocks) * np.sqrt(difference_variance(ratings.covariance)))


def _spread(name: str, values: Floats) -> dict[str, float]:
    lo, middle, hi = np.quantile(values, [0.05, 0.5, 0.95])
    return {name: float(middle), f"{name}_lo": float(lo), f"{name}_hi": float(hi)}
