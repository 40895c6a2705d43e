"""Tables of the bots: ratings, results by number of players, who finishes above whom; and what was played.

Every estimate has its 95 % interval and what was counted. Forfeited games are rated: the rated ranks put a side that
forfeited behind all others. Games in which a bot sat that was out of the run are not rated.
"""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from harness.ladder.games import seat_values
from harness.report.frames import Frames, win_shares
from harness.stats.agreement import SURE, Agreement, compare
from harness.stats.balance import critical, share
from harness.stats.pairs import pairwise
from harness.stats.ratings import Ratings, fit, per_size
from harness.stats.results import Bools, Floats, Ints

FLAGS = {
    "disqualified": "it is out of the run, and its later games are not rated",
    "unplayed": "it played nothing here",
    "disconnected": "it won, lost or tied all its comparisons, or never met the others: its distance is a guess",
    "inseparable": "it never parted from a partner, a seat or a group, so their shares cannot be told apart",
    "few_blocks": "fewer than 50 blocks, so the intervals are rough",
}
"""Why a rating should be read with care, in words."""


class Fits(NamedTuple):
    """The ratings of a ladder: by whole finishing orders, by first places alone, whether these agree, and by number of
    players, which are of the kind that `agreement` publishes.
    """

    finish: Ratings
    win: Ratings
    agreement: Agreement
    sizes: dict[int, Ratings]

    @property
    def main(self) -> Ratings:
        """The ratings that are the ladder: by finishing orders, by first places where the two disagree."""
        return self.finish if self.agreement.agree else self.win


def rate(frames: Frames) -> Fits:
    """Fit all ratings of a ladder, shown with its anchor at its fixed number."""
    results = frames.results
    bots, anchor, elo = len(frames.names), frames.anchor, frames.manifest.anchor_elo
    finish, win = fit(results, bots, anchor, elo), fit(results, bots, anchor, elo, win_only=True)
    agreement = compare(finish, win)
    sizes = per_size(results, bots, anchor, elo, win_only=not agreement.agree)
    return Fits(finish, win, agreement, sizes)


def rating_table(frames: Frames, fits: Fits) -> pd.DataFrame:
    """Return the ladder, best first, bots without games last.

    | column                       | meaning                                                                  |
    |------------------------------|--------------------------------------------------------------------------|
    | rank, rank_best, rank_worst  | by Elo; the places the bot may have, each bot it beats or not at SURE    |
    | bot, elo, lo, hi, half       | rating of `Fits.main`, 95 % interval, half its width                     |
    | above_next                   | likelihood that it is stronger than the next one                         |
    | finish_elo, win_elo, _lo, _hi | rating by finishing orders, and by first places alone                   |
    | games, seats, blocks         | games in which it sat, seats it took, blocks                             |
    | wins_4p, wins_4p_lo, _hi     | share of its seats that won, for each number of players                  |
    | flags                        | names in FLAGS, with spaces between                                      |
    """
    main = fits.main
    order = rating_order(main)
    best, worst = rank_ranges(main.los, main.games > 0)
    above_next = np.append(np.where(main.games[order[1:]] > 0, main.los[order[:-1], order[1:]], np.nan), np.nan)
    columns: dict[str, Any] = {
        "rank": np.arange(1, len(order) + 1),
        "rank_best": best[order],
        "rank_worst": worst[order],
        "bot": [frames.names[bot] for bot in order],
        "elo": main.elo[order],
        "lo": main.lo[order],
        "hi": main.hi[order],
        "half": (main.hi - main.lo)[order] / 2,
        "above_next": above_next,
        **{f"{name}{part}": values[order] for name, part, values in _both(fits)},
        "games": main.games[order],
        "seats": main.seats[order],
        "blocks": main.blocks[order],
    }
    sizes = size_table(frames, fits)
    for players, part in sizes.groupby("players"):
        own = part.set_index("bot").reindex(columns["bot"])
        for column, source in (("", "wins"), ("_lo", "wins_lo"), ("_hi", "wins_hi")):
            columns[f"wins_{players}p{column}"] = own[source].to_numpy()
    columns["flags"] = flag_words(main, frames.out)[order]
    return pd.DataFrame(columns)


def _both(fits: Fits) -> Iterator[tuple[str, str, Floats]]:
    """Yield the columns of the two ratings side by side: name, what is added to it, and values (N,)."""
    for name, ratings in (("finish_elo", fits.finish), ("win_elo", fits.win)):
        yield from ((name, "", ratings.elo), (name, "_lo", ratings.lo), (name, "_hi", ratings.hi))


def rating_order(ratings: Ratings) -> Ints:
    """Return the bots' numbers, highest rating first, those without games last."""
    return np.lexsort((-ratings.elo, ratings.games == 0))


def rank_ranges(los: Floats, played: Bools) -> tuple[Ints, Ints]:
    """Return the best and the worst place (N,) each bot may have: one behind every bot surely above it, one before
    every bot surely below. Bots that did not play stand behind and narrow no range.
    """
    sure = (los > SURE) & played & played[:, None]
    best = 1 + sure.sum(axis=0)
    worst = np.count_nonzero(played) - sure.sum(axis=1)
    unplayed = ~played
    best[unplayed], worst[unplayed] = np.count_nonzero(played) + 1, len(played)
    return best, worst


def flag_words(ratings: Ratings, out: Collection[int] = ()) -> np.ndarray[Any, Any]:
    """Return for each bot (N,) its flags, one who did not play having no other; `out` are those out of the run."""
    gone = np.isin(np.arange(len(ratings.elo)), list(out))
    marks = {flag: gone if flag == "disqualified" else getattr(ratings.doubts, flag) for flag in FLAGS}
    words = np.full(len(ratings.elo), "unplayed", object)
    for bot in np.flatnonzero(~ratings.doubts.unplayed):
        words[bot] = " ".join(flag for flag, marked in marks.items() if marked[bot])
    return words


def size_table(frames: Frames, fits: Fits) -> pd.DataFrame:
    """Return rating and share of wins by number of players, for the bots that played it, in the ladder's order.

    Columns: players, bot, elo, lo, hi, half, wins, wins_lo, wins_hi, even (what equals would win), games, seats,
    blocks, flags.
    """
    games = frames.rated()
    shares = win_shares(games, "rated")
    bots = seat_values(games, "bot")
    unit = games["unit"].to_numpy()
    rows = []
    for players, ratings in fits.sizes.items():
        own = (games["players"] == players).to_numpy()
        _, block = np.unique(unit[own], return_inverse=True)
        flags = flag_words(ratings, frames.out)
        for bot in rating_order(fits.main):
            if ratings.games[bot]:
                sat = bots[own] == bot
                wins = share(np.bincount(block, (shares[own] * sat).sum(axis=1)), np.bincount(block, sat.sum(axis=1)))
                rows.append(_size_row(players, frames.names[bot], ratings, bot, wins, flags[bot]))
    return pd.DataFrame(rows)


def _size_row(players: int, name: str, ratings: Ratings, bot: int, wins: Any, flags: str) -> dict[str, Any]:
    return {
        "players": players,
        "bot": name,
        "elo": ratings.elo[bot],
        "lo": ratings.lo[bot],
        "hi": ratings.hi[bot],
        "half": (ratings.hi[bot] - ratings.lo[bot]) / 2,
        "wins": float(wins.value),
        "wins_lo": float(wins.lo),
        "wins_hi": float(wins.hi),
        "even": 1 / (3 if players == 6 else players),
        "games": int(ratings.games[bot]),
        "seats": int(ratings.seats[bot]),
        "blocks": int(ratings.blocks[bot]),
        "flags": flags,
    }


def lead(ratings: Ratings, one: int, other: int) -> tuple[float, float, float, float]:
    """Return by how much Elo `one` stands above `other`, the 95 % interval, and the likelihood of superiority."""
    covariance = ratings.covariance
    variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
    blocks = min(ratings.blocks[one], ratings.blocks[other])
    half = float(critical(0.95, blocks) * np.sqrt(max(variance, 0.0)))
    gap = float(ratings.elo[one] - ratings.elo[other])
    return gap, gap - half, gap + half, float(ratings.los[one, other])


def pair_table(frames: Frames, fits: Fits) -> pd.DataFrame:
    """Return for every ordered pair of bots that met how often the first finished above the second.

    Columns: bot, other, share (a tie half), lo, hi, se, count (comparisons), blocks, los (likelihood of superiority by
    the ratings). Both in the ladder's order; games count as in `lineups.line_ups`, those of teams not at all.
    """
    order = rating_order(fits.main)
    pairs = pairwise(frames.results, len(order))
    rows = [
        {
            "bot": frames.names[one],
            "other": frames.names[two],
            "share": pairs.share.value[one, two],
            "lo": pairs.share.lo[one, two],
            "hi": pairs.share.hi[one, two],
            "se": pairs.share.se[one, two],
            "count": int(pairs.count[one, two]),
            "blocks": int(pairs.share.blocks[one, two]),
            "los": fits.main.los[one, two],
        }
        for one in order
        for two in order
        if one != two and pairs.count[one, two]
    ]
    columns = ["bot", "other", "share", "lo", "hi", "se", "count", "blocks", "los"]
    return pd.DataFrame(rows, columns=columns)


def count_table(frames: Frames) -> pd.DataFrame:
    """Return what was played of each table kind, and how much of it counts where.

    Columns: table, players, cities (their numbers or names), blocks, games (all that are stored), forfeited, unrated,
    left_out (of the balance tables), counted (in them), extra_games (games that went to an extra hand).
    """
    games = frames.games.assign(unrated=~frames.standing.rated)
    counted = frames.counted()["table"].value_counts()
    rows = []
    for table, rules in frames.manifest.kinds.items():
        own = games[games["table"] == table]
        rows.append(
            {
                "table": table,
                "players": rules.players,
                "cities": rules.digits or " ".join(rules.cities),
                "blocks": own["unit"].nunique(),
                "games": len(own),
                "forfeited": int((own["forfeits"] != 0).sum()),
                "unrated": int(own["unrated"].sum()),
                "left_out": len(own) - int(counted[table]),
                "counted": int(counted[table]),
                "extra_games": int((own["extra"] > 0).sum()),
            }
        )
    return pd.DataFrame(rows)
