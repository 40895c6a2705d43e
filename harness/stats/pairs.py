"""How often each bot finished above each other one, counted beside the model."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from harness.compiled import kernel
from harness.stats.balance import Estimate, share_estimate
from harness.stats.lineups import line_ups
from harness.stats.results import Finishes, Floats, Ints, Results


@dataclass(frozen=True, eq=False)
class Pairs:
    """Comparisons of bot i (row) with bot j (column); all (N, N), the diagonal empty.

    | field | dtype    | meaning                                                                        |
    |-------|----------|--------------------------------------------------------------------------------|
    | wins  | float64  | comparisons in which i finished above j, a tie half, games weighed as they count |
    | count | int64    | comparisons: games with both, more of them where copies of a bot sat           |
    | share | Estimate | wins of i over those of both, with blocks as clusters; nan in the interval     |
    |       |          | (0, 1) without any                                                             |
    """

    wins: Floats
    count: Ints
    share: Estimate


class _Sums(NamedTuple):
    """Sums over blocks (N, N) of a pair's wins w and weight c in the block, of their products, of comparisons
    (times), and of blocks.
    """

    w: Floats
    c: Floats
    ww: Floats
    wc: Floats
    cc: Floats
    times: Ints
    blocks: Ints


def pairwise(results: Results, bot_count: int) -> Pairs:
    """Compare all bots two by two in the games they shared, each counting as in `line_ups`: games of teams not at all.
    Copies of one bot are not compared.

    Pairs of one game depend on each other and so do the games of a block, so the standard error of a share is that
    of a ratio of block sums (see `balance.ratio`), its interval Wilson's.
    """
    shape = (bot_count, bot_count)
    w, c, ww, wc, cc = np.zeros((5, *shape))
    sums = _Sums(w, c, ww, wc, cc, np.zeros(shape, np.int64), np.zeros(shape, np.int64))
    finishes = results.finishes
    _sum_blocks(finishes, line_ups(finishes).weight, sums, np.zeros(shape))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = sums.w / sums.c
        squares = np.maximum(sums.ww - 2 * value * sums.wc + value**2 * sums.cc, 0.0)
        se = np.sqrt(sums.blocks / (sums.blocks - 1.0) * squares) / sums.c
    se = np.where(sums.blocks > 1, se, np.inf)
    share = share_estimate(value, se, sums.c, sums.blocks)
    return Pairs(sums.w, sums.times, share)


def wins_by_part(finishes: Finishes, weight: Floats, part: Ints, parts: int, bot_count: int) -> Floats:
    """Return the wins of pairs (P, N, N) as `pairwise` counts them, apart for each part that blocks (D,) belong to."""
    wins = np.zeros((parts, bot_count, bot_count))
    _sum_parts(finishes, weight, part, wins)
    return wins


@kernel
def _sum_parts(finishes: Finishes, weight: Floats, part: Ints, wins: Floats) -> None:
    compared, above = np.zeros((finishes.bots.shape[1] ** 2, 2), np.int64), np.zeros(finishes.bots.shape[1] ** 2)
    for game in range(len(finishes.block)):
        if weight[game] > 0.0:
            own = wins[part[finishes.block[game]]]
            for index in range(_compare(finishes, game, compared, above)):
                one, two = compared[index]
                own[one, two] += weight[game] * above[index]
                own[two, one] += weight[game] * (1.0 - above[index])


@kernel
def _compare(finishes: Finishes, game: int, compared: Ints, above: Floats) -> int:
    """Fill in which bots of a game are compared (_, 2), and whether the first is above: 1, or 1/2 for a tie, or 0.
    Return how many comparisons there are.
    """
    comparisons = 0
    for seat in range(finishes.bots.shape[1]):
        for other in range(seat):
            place, against = finishes.place[game, seat], finishes.place[game, other]
            one, two = finishes.bots[game, seat], finishes.bots[game, other]
            if place < 0 or against < 0 or one == two:
                continue
            level = True
            for position in range(min(place, against) + 1, max(place, against) + 1):
                level = level and finishes.tied[game, position]
            compared[comparisons] = one, two
            above[comparisons] = 0.5 if level else 1.0 if place < against else 0.0
            comparisons += 1
    return comparisons


@kernel
def _sum_blocks(finishes: Finishes, weight: Floats, sums: _Sums, wins: Floats) -> None:
    """Fill the sums; `wins` (N, N), all zero, holds those of the block under way."""
    touched = np.zeros((wins.size, 2), np.int64)
    touches = 0
    compared, above = np.zeros((finishes.bots.shape[1] ** 2, 2), np.int64), np.zeros(finishes.bots.shape[1] ** 2)
    games = len(finishes.block)
    for game in range(games):
        if weight[game] > 0.0:
            for index in range(_compare(finishes, game, compared, above)):
                one, two = compared[index]
                if wins[one, two] + wins[two, one] == 0.0:
                    touched[touches] = one, two
                    touches += 1
                wins[one, two] += weight[game] * above[index]
                wins[two, one] += weight[game] * (1.0 - above[index])
                sums.times[one, two] += 1
                sums.times[two, one] += 1
        if game + 1 == games or finishes.block[game + 1] != finishes.block[game]:
            for index in range(touches):
                one, two = touched[index]
                _add_block(sums, one, two, wins[one, two], wins[two, one])
                _add_block(sums, two, one, wins[two, one], wins[one, two])
                wins[one, two] = wins[two, one] = 0.0
            touches = 0


@kernel
def _add_block(sums: _Sums, one: int, two: int, won: float, lost: float) -> None:
    count = won + lost
    sums.w[one, two] += won
    sums.c[one, two] += count
    sums.ww[one, two] += won * won
    sums.wc[one, two] += won * count
    sums.cc[one, two] += count * count
    sums.blocks[one, two] += 1
