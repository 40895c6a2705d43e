"""How far each bot is above each other one, pair by pair, as log-odds, with what chance could have made of them.

The noise is that of blocks: they are dealt at random into parts, and every part moves the log-odds of a pair by as much
as its own share departs from the share of all. So the noise of pairs that met in the same games hangs together as the
games do.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from harness.stats.lineups import line_ups
from harness.stats.pairs import pairwise, wins_by_part
from harness.stats.results import Bools, Finishes, Floats, Results

PARTS = 200
"""Parts that the blocks are dealt into; fewer where there are fewer blocks."""

_DEAL, _DRAWS = 1, 2  # streams of their own


@dataclass(frozen=True, eq=False)
class Advantages:
    """Log-odds of finishing above, row over column, of N bots; antisymmetric.

    | field    | shape, dtype      | meaning                                                                      |
    |----------|-------------------|------------------------------------------------------------------------------|
    | logit    | (N, N) float64    | ln of wins + 1/2 over losses + 1/2, a tie half of each; 0 where never met    |
    | met      | (N, N) bool       | the pair has met                                                             |
    | parts    | (P, N, N) float64 | what each part of the blocks moves the log-odds by: independent, together 0  |
    | own      | (N, N) float64    | standard error besides: what the parts cannot show, as of a perfect record   |
    | blocks   | int               | blocks that count                                                            |
    """

    logit: Floats
    met: Bools
    parts: Floats
    own: Floats
    blocks: int

    @property
    def se(self) -> Floats:
        """Standard errors (N, N) of the log-odds; 0 where never met."""
        return np.asarray(np.sqrt((self.parts**2).sum(axis=0) + self.own**2))

    @property
    def los(self) -> Floats:
        """Likelihood of superiority (N, N): the chance that the true log-odds are above 0; 1/2 where never met."""
        se = self.se
        return np.asarray(ndtr(self.logit / np.where(se > 0, se, 1.0)))

    def noise(self, draws: int) -> Floats:
        """Draw what chance could add to the log-odds, (draws, N, N), normal and antisymmetric; always the same."""
        stream = np.random.Generator(np.random.Philox(key=np.array([_DRAWS, draws], np.uint64)))
        shared = np.tensordot(stream.standard_normal((draws, len(self.parts))), self.parts, 1)
        upper = np.triu(shared + self.own * stream.standard_normal((draws, *self.own.shape)), 1)
        return np.asarray(upper - upper.transpose(0, 2, 1))


def advantages(results: Results, bot_count: int, most_parts: int = PARTS) -> Advantages:
    """Count pairs and their noise, as `pairwise` does: games of teams, and copies of one bot, are not compared.

    `own` is what one more block would show by the binomial law, as everywhere a few blocks that agree are no certainty;
    where all wins are on one side, or there is one block, it is all the error that this law gives.
    """
    whole = pairwise(results, bot_count)
    wins, losses = whole.wins, whole.wins.T
    logit = np.log(wins + 0.5) - np.log(losses + 0.5)
    binomial = 1 / (wins + 0.5) + 1 / (losses + 0.5)
    blocks_met = whole.share.blocks
    told = np.where((wins > 0) & (losses > 0) & (blocks_met > 1), 1 / (blocks_met + 1.0), 1.0)
    met = whole.count > 0
    parts, blocks = _parts(results.finishes, most_parts, wins)
    return Advantages(logit, met, parts, np.sqrt(np.where(met, told * binomial, 0.0)), blocks)


def _parts(finishes: Finishes, most: int, wins: Floats) -> tuple[Floats, int]:
    """Return by part (P, N, N) how it moves the log-odds: its wins less those expected of it, by the slope; and how
    many blocks count.
    """
    weight = line_ups(finishes).weight
    counted = np.unique(finishes.block[weight > 0])
    blocks, size = len(counted), min(most, len(counted))
    if size < 2:
        return np.zeros((0, *wins.shape)), blocks
    part = np.zeros(finishes.blocks, np.int64)
    part[counted] = np.random.Generator(np.random.Philox(key=np.array([_DEAL, size], np.uint64))).permutation(blocks)
    own = wins_by_part(finishes, weight, part % size, size, len(wins))
    count = wins + wins.T
    share = (wins + 0.5) / (count + 1.0)
    slope = share * (1 - share) * (count + 1.0)
    expected = (own + own.transpose(0, 2, 1)) * (wins / np.where(count > 0, count, 1.0))
    return np.asarray((own - expected) / slope * np.sqrt(size / (size - 1))), blocks
