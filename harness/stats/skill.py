"""Skill and luck: how much of what a game pays goes to the bot, and how much to opponents, seat, cards and chance.

All by the method of moments on rotated blocks, in which every bot sits in every seat of one deal once. Nothing is
assumed of the distribution. Every figure has its jackknife interval over groups of blocks.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from harness.stats.results import Floats, Ints, Results

PARTS = ("bot", "opponents", "seat", "deal", "rest")
"""What a value is split into: the bot itself; who else sits there, and how they suit it; the seat; the cards dealt to
the seat; and all else: chance, and what suits a bot in this deal."""

_GROUPS = 20


@dataclass(frozen=True, eq=False)
class VarianceSplit:
    """The variance of what a seat gets in one game of a table size, against the mean of the table.

    | field       | shape, dtype | meaning                                                                            |
    |-------------|--------------|------------------------------------------------------------------------------------|
    | variance    | (5,) float64 | by PARTS; by chance an estimate can be below 0; nan where it cannot be told        |
    | share       | (5,) float64 | each part of the sum, the intraclass correlation of the bot first                  |
    | lo, hi      | (5,) float64 | 95 % intervals of the shares; nan with fewer than 2 blocks                         |
    | block_icc   | float        | share of the bot in the variance of a bot's mean over a whole block                |
    | block_icc_lo, _hi | float  | its 95 % interval; nan with fewer than 2 blocks                                    |
    | games, blocks | int        | counted: only whole blocks of bots that all differ                                 |

    The parts that cannot be told: at two players the deal, which is then in the rest; with one lineup only, the
    opponents, which are then in the bot.
    """

    variance: Floats
    share: Floats
    lo: Floats
    hi: Floats
    block_icc: float
    block_icc_lo: float
    block_icc_hi: float
    games: int
    blocks: int

    @property
    def deal_luck(self) -> float:
        """How much of what is neither bots nor seat is the cards dealt."""
        return float(self.variance[3] / (self.variance[3] + self.variance[4]))


class Intraclass(NamedTuple):
    """Intraclass correlations of a table of targets by judges (Shrout and Fleiss 1979).

    Judges are others for each target (`one_way`), a sample (`random`), or these and no others (`fixed`); of one judge,
    and with `mean` of the mean of all.
    """

    one_way: float
    random: float
    fixed: float
    one_way_mean: float
    random_mean: float
    fixed_mean: float


def split_variance(results: Results, values: npt.ArrayLike) -> dict[int, VarianceSplit]:
    """Split what seats get, `values` (G, 6), such as their share of the win or of the money; by number of players.

    Sizes without a whole block are left out. Raises `ValueError` for another shape.
    """
    values = np.asarray(values, np.float64)
    if values.shape != results.bots.shape:
        raise ValueError(f"the values are {values.shape}; there is one for each seat of a game, {results.bots.shape}")
    splits = {}
    for players in np.unique(results.players).tolist():
        lineups, gains = whole_blocks(results, values, players)
        if len(lineups):
            splits[players] = _split(lineups, gains)
    return splits


def whole_blocks(results: Results, values: Floats, players: int) -> tuple[Ints, Floats]:
    """Return the bots of each whole block, ascending (D, n), and what each got in each seat (D, n bots, n seats).

    Whole is a block of n games at this table size in which n different bots sat in every seat once. Of each game the
    mean over its seats is taken off.
    """
    own = np.flatnonzero(results.players == players)
    own = own[np.argsort(results.block[own], kind="stable")]
    _, start, count = np.unique(results.block[own], return_index=True, return_counts=True)
    full = start[count == players]
    rows = own[full[:, None] + np.arange(players)]
    bots = results.bots[rows][:, :, :players].astype(np.int64)
    gains = values[rows][:, :, :players]
    gains = gains - gains.mean(axis=2, keepdims=True)
    seat_of = np.argsort(bots, axis=2)
    lineup = np.take_along_axis(bots, seat_of, axis=2)
    different = (np.diff(lineup[:, 0], axis=1) > 0).all(axis=1)
    same = (lineup == lineup[:, :1]).all(axis=(1, 2))
    rotated = (np.sort(seat_of, axis=1) == np.arange(players)[:, None]).all(axis=(1, 2))
    whole = different & same & rotated
    by_seat = np.empty(gains.shape)
    block = np.arange(len(rows))[:, None, None]
    bot = np.arange(players)[None, None]
    by_seat[block, bot, seat_of] = np.take_along_axis(gains, seat_of, axis=2)
    return lineup[whole, 0], by_seat[whole]


class _Sums(NamedTuple):
    """Sums over the blocks of a group, the groups first: of squares, of seat means, and of the bots' means.

    A bot's means are also summed by each other bot in the lineup (`mean_with`, row by column).
    """

    blocks: Floats
    squares: Floats
    bot_squares: Floats
    seat_squares: Floats
    seat: Floats
    mean: Floats
    met: Floats
    mean_with: Floats
    met_with: Floats

    def without(self, group: int) -> "_Sums":
        """Return the sums of all groups but one."""
        return _Sums(*(part.sum(axis=0) - part[group] for part in self))

    def whole(self) -> "_Sums":
        """Return the sums of all groups."""
        return _Sums(*(part.sum(axis=0) for part in self))


def _split(lineups: Ints, gains: Floats) -> VarianceSplit:
    blocks, players = lineups.shape
    groups = min(_GROUPS, blocks)
    names, numbered = np.unique(lineups, return_inverse=True)
    numbered = numbered.reshape(lineups.shape)
    sums = _sum_groups(numbered, gains, len(names), np.arange(blocks) * groups // blocks, groups)
    overlap = _overlap(numbered, len(names))
    variance, block_icc = _moments(sums.whole(), overlap)
    value = np.append(_shares(variance), block_icc)
    lo = hi = np.full(len(value), np.nan)
    if groups > 1:
        moments = [_moments(sums.without(group), overlap) for group in range(groups)]
        left_out = [np.append(_shares(parts), icc) for parts, icc in moments]
        half = stdtrit(groups - 1, 0.975) * np.sqrt((groups - 1) * np.var(left_out, axis=0))
        lo, hi = value - half, value + half
    bounds = (lo[:-1], hi[:-1], block_icc, float(lo[-1]), float(hi[-1]))
    return VarianceSplit(variance, value[:-1], *bounds, blocks * players, blocks)


def _shares(variance: Floats) -> Floats:
    """Return each part of the sum of those that are known; nan where there is nothing to share."""
    total = np.nansum(variance)
    return variance / total if total > 0 else np.full(len(variance), np.nan)


def _sum_groups(lineups: Ints, gains: Floats, bots: int, group: Ints, groups: int) -> _Sums:
    players = lineups.shape[1]
    of_bot, of_seat = gains.mean(axis=2), gains.mean(axis=1)

    def added(values: Floats) -> Floats:
        total = np.zeros((groups, *values.shape[1:]))
        np.add.at(total, group, values)
        return total

    mean, met = np.zeros((2, groups, bots))
    mean_with, met_with = np.zeros((2, groups, bots, bots))
    for one in range(players):
        np.add.at(mean, (group, lineups[:, one]), of_bot[:, one])
        np.add.at(met, (group, lineups[:, one]), 1.0)
        for other in range(players):
            if one != other:
                np.add.at(mean_with, (group, lineups[:, one], lineups[:, other]), of_bot[:, one])
                np.add.at(met_with, (group, lineups[:, one], lineups[:, other]), 1.0)
    return _Sums(
        blocks=np.bincount(group, minlength=groups).astype(np.float64),
        squares=added((gains**2).mean(axis=(1, 2))),
        bot_squares=added((of_bot**2).sum(axis=1)),
        seat_squares=added((of_seat**2).sum(axis=1)),
        seat=added(of_seat),
        mean=mean,
        met=met,
        mean_with=mean_with,
        met_with=met_with,
    )


def _overlap(lineups: Ints, bots: int) -> float:
    """Return the mean of m^2 over that of m, m being how many others two lineups of a bot share."""
    players = lineups.shape[1]
    squares = shared = 0.0
    for bot in range(bots):
        sits = (lineups == bot).any(axis=1)
        others = np.zeros((np.count_nonzero(sits), bots), np.float32)
        np.put_along_axis(others, lineups[sits], 1.0, axis=1)
        others[:, bot] = 0.0
        together = (others.T @ others).astype(np.float64)
        squares += float((together**2).sum()) - len(others) * (players - 1) ** 2
        shared += float((np.diag(together) ** 2).sum()) - len(others) * (players - 1)
    return squares / shared if shared else np.nan


def _moments(sums: _Sums, overlap: float) -> tuple[Floats, float]:
    """Return the variance by PARTS, and the bot's share in the variance of block means.

    Two blocks of one bot have in common the bot, and of its opponents' effect as much as they share opponents: so the
    products of its means in different blocks, plain and weighted by the opponents shared, are two equations. Two
    blocks have in common the seat. Within a block what rows and columns leave is chance: of its variance in one game,
    rows and columns each take 1/n.
    """
    players = len(sums.seat)
    total, of_bot, of_seat = sums.squares, sums.bot_squares / players, sums.seat_squares / players

    products = (sums.mean**2).sum() - sums.bot_squares
    pairs = (sums.met**2 - sums.met).sum()
    weighted = (sums.mean_with**2).sum() - (players - 1) * sums.bot_squares
    shared = (sums.met_with**2 - sums.met_with).sum()
    bot = products / pairs if pairs else np.nan
    opponents = np.nan
    if shared and shared / pairs < (1 - 1e-9) * overlap:
        per_other = (weighted / shared - products / pairs) / (overlap - shared / pairs)
        bot = products / pairs - per_other * shared / pairs
        opponents = (players - 1) * per_other

    blocks = sums.blocks
    seat = ((sums.seat**2).sum() - sums.seat_squares) / (blocks * (blocks - 1) * players) if blocks > 1 else np.nan
    chance = (total - of_bot - of_seat) / blocks / (1 - 2 / players) if players > 2 else np.nan
    deal = of_seat / blocks - np.nan_to_num(seat) - chance / players
    known = np.array([bot, opponents, seat, deal])
    rest = total / blocks - np.nansum(known)
    return np.append(known, rest), float(bot / (of_bot / blocks)) if of_bot > 0 else np.nan


def reliability(games: npt.ArrayLike, icc: float) -> Floats:
    """Return the squared correlation of a mean over so many games with the true one (Spearman 1910, Brown 1910)."""
    games = np.asarray(games, np.float64)
    return np.asarray(games * icc / (1 + (games - 1) * icc))


def games_for_reliability(wanted: float, icc: float) -> float:
    """Return the games after which a bot's mean has this reliability; of blocks with the `block_icc`."""
    return wanted * (1 - icc) / ((1 - wanted) * icc)


def intraclass(table: npt.ArrayLike) -> Intraclass:
    """Return the intraclass correlations of a table (targets, judges), as of bots by parts of a ladder."""
    values = np.asarray(table, np.float64)
    targets, judges = values.shape
    grand = values.mean()
    between = judges * ((values.mean(axis=1) - grand) ** 2).sum() / (targets - 1)
    of_judges = targets * ((values.mean(axis=0) - grand) ** 2).sum() / (judges - 1)
    within = ((values - values.mean(axis=1, keepdims=True)) ** 2).sum() / (targets * (judges - 1))
    left = (within * targets * (judges - 1) - of_judges * (judges - 1)) / ((targets - 1) * (judges - 1))
    sampled = judges * (of_judges - left) / targets
    return Intraclass(
        one_way=float((between - within) / (between + (judges - 1) * within)),
        random=float((between - left) / (between + (judges - 1) * left + sampled)),
        fixed=float((between - left) / (between + (judges - 1) * left)),
        one_way_mean=float((between - within) / between),
        random_mean=float((between - left) / (between + sampled / judges)),
        fixed_mean=float((between - left) / between),
    )
