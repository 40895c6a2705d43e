"""How often each bot finished above each other one, counted plainly beside the model."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from harness.compiled import kernel
from harness.stats.balance import Estimate, share_estimate
from harness.stats.results import Finishes, Floats, Ints, Results


@dataclass(frozen=True, eq=False)
class Pairs:
    """Comparisons of bot i (row) with bot j (column); all (N, N), the diagonal empty.

    | field | dtype    | meaning                                                                      |
    |-------|----------|------------------------------------------------------------------------------|
    | wins  | float64  | comparisons in which i finished above j, a tie half                          |
    | count | int64    | comparisons: games with both, more of them where copies of a bot sat         |
    | share | Estimate | wins / count with blocks as clusters; nan in the interval (0, 1) without any |
    """

    wins: Floats
    count: Ints
    share: Estimate


class _Sums(NamedTuple):
    """Sums over blocks (N, N) of a pair's wins w and count c in the block, of their products, and of blocks."""

    w: Floats
    c: Floats
    ww: Floats
    wc: Floats
    cc: Floats
    blocks: Ints


def pairwise(results: Results, bot_count: int) -> Pairs:
    """Compare all bots two by two in the games they shared. Partners, and copies of one bot, are not compared.

    Pairs of one game depend on each other and so do the games of a block, so the standard error of a share is that
    of a ratio of block sums (see `balance.ratio`), its interval Wilson's.
    """
    shape = (bot_count, bot_count)
    w, c, ww, wc, cc = np.zeros((5, *shape))
    sums = _Sums(w, c, ww, wc, cc, np.zeros(shape, np.int64))
    _sum_blocks(results.finishes, sums, np.zeros(shape), np.zeros(shape))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = sums.w / sums.c
        squares = np.maximum(sums.ww - 2 * value * sums.wc + value**2 * sums.cc, 0.0)
        se = np.sqrt(sums.blocks / (sums.blocks - 1.0) * squares) / sums.c
    se = np.where(sums.blocks > 1, se, np.inf)
    share = share_estimate(value, se, sums.c, sums.blocks)
    return Pairs(sums.w, sums.c.astype(np.int64), share)


@kernel
def _sum_blocks(finishes: Finishes, sums: _Sums, wins: Floats, count: Floats) -> None:
    """Fill the sums; `wins` and `count` (N, N), all zero, hold those of the block under way."""
    touched = np.zeros((wins.size, 2), np.int64)
    touches = 0
    seats = finishes.bots.shape[1]
    group = np.zeros(seats, np.int64)
    games = len(finishes.block)
    for game in range(games):
        for position in range(1, finishes.sides[game]):
            group[position] = group[position - 1] + (not finishes.tied[game, position])
        for seat in range(seats):
            for other in range(seats):
                place, against = finishes.place[game, seat], finishes.place[game, other]
                one, two = finishes.bots[game, seat], finishes.bots[game, other]
                if place < 0 or against < 0 or place == against or one == two:
                    continue
                if count[one, two] == 0.0:
                    touched[touches] = one, two
                    touches += 1
                count[one, two] += 1.0
                if group[place] < group[against]:
                    wins[one, two] += 1.0
                elif group[place] == group[against]:
                    wins[one, two] += 0.5
        if game + 1 == games or finishes.block[game + 1] != finishes.block[game]:
            for index in range(touches):
                one, two = touched[index]
                w, c = wins[one, two], count[one, two]
                sums.w[one, two] += w
                sums.c[one, two] += c
                sums.ww[one, two] += w * w
                sums.wc[one, two] += w * c
                sums.cc[one, two] += c * c
                sums.blocks[one, two] += 1
                wins[one, two] = 0.0
                count[one, two] = 0.0
            touches = 0
