"""How far the parameters may be off, with the block as the unit.

The covariance is the sandwich V M V, V the inverse curvature and M = D/(D-1) sum of U U' over the D blocks, U the score
of a block (Huber 1967, Liang and Zeger 1986).

Two things are added to it. A few blocks that happen to agree would show no variance at all, so every term gets a share
1/(blocks + 1) of the model's own, as if one more block had gone as the model says. And where the data alone fix no
finite value (a bot that won everything) the variance is at least the model's own, V.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr

from harness.stats.balance import FEW_BLOCKS
from harness.stats.maximum import Maximum, solve
from harness.stats.model import Model
from harness.stats.results import Bools, Finishes, Floats, Ints
from harness.stats.totals import block_scores

BUNDLES = 2000
"""Sums of scores kept, at most: of single blocks, or of random bundles of them (sums of like blocks are alike too)."""

_BUNDLE_KEY = 0x62756E646C65


@dataclass(frozen=True, eq=False)
class Spread:
    """Errors of the centred parameters, log-worths.

    | field      | shape, dtype   | meaning                                                                       |
    |------------|----------------|-------------------------------------------------------------------------------|
    | own        | (P, P) float64 | covariance by the model alone: games independent, the prior believed          |
    | blocks     | (P, P) float64 | covariance by the spread of blocks; 0 with fewer than two                     |
    | supplement | (P, P) float64 | what is added to it                                                           |
    | influence  | (B, P) float64 | first-order effect of each bundle of blocks; sums to about 0                  |
    """

    own: Floats
    blocks: Floats
    supplement: Floats
    influence: Floats

    @property
    def covariance(self) -> Floats:
        """The covariance (P, P) that is reported."""
        return self.blocks + self.supplement


def spread_of(
    finishes: Finishes, model: Model, maximum: Maximum, centred: Floats, blocks: Ints, unfixed: Bools
) -> Spread:
    """Return the errors of the parameters `centred` (P, P) by `blocks` (P,) that speak about each.

    For an `unfixed` (P,) parameter the variance is at least the model's.
    """
    size = model.layout.size
    reach = centred @ solve(model, maximum.information, np.eye(size))
    own = reach @ centred.T
    if finishes.blocks < 2:
        return Spread(own, np.zeros_like(own), own, np.zeros((0, size)))
    outer, sums = block_scores(finishes, model.layout, maximum.params, _bundles(finishes.blocks))
    by_blocks = finishes.blocks / (finishes.blocks - 1.0) * (reach @ outer @ reach.T)
    missing = 1.0 - np.diag(by_blocks) / np.maximum(np.diag(own), 1e-300)
    lift = np.sqrt(np.maximum(np.where(unfixed, missing, 0.0), 1.0 / (blocks + 1.0)))
    return Spread(own, by_blocks, lift[:, None] * own * lift, sums @ reach.T)


def superiority(theta: Floats, covariance: Floats, blocks: Ints) -> Floats:
    """Return P(theta_i > theta_j) (N, N), with the degrees of freedom of the bot of fewer blocks."""
    z = (theta[:, None] - theta) / np.sqrt(np.maximum(difference_variance(covariance), 1e-12))
    fewest = np.minimum(blocks[:, None], blocks)
    return np.where(fewest < FEW_BLOCKS, stdtr(np.maximum(fewest - 1.0, 1.0), z), ndtr(z))


def design_effect(by_blocks: Floats, own: Floats) -> Floats:
    """Return for each pair (N, N) the variance of its difference by blocks over that by games as if independent
    (Kish 1965): under 1 where rotation saves games, over 1 where games repeat each other. 1 on the diagonal.
    """
    naive = difference_variance(own)
    np.fill_diagonal(naive, 1.0)
    effect = difference_variance(by_blocks) / np.maximum(naive, 1e-300)
    np.fill_diagonal(effect, 1.0)
    return effect


def difference_variance(covariance: Floats) -> Floats:
    """Return the variance (N, N) of each difference, C_ii + C_jj - 2 C_ij, never negative."""
    variance = np.diag(covariance)
    return np.asarray(np.maximum(variance[:, None] + variance - 2 * covariance, 0.0))


def _bundles(blocks: int) -> Ints:
    """Return the bundle of each block (D,): its own, or one at random, all bundles alike in size."""
    if blocks <= BUNDLES:
        return np.arange(blocks)
    generator = np.random.Generator(np.random.Philox(key=_BUNDLE_KEY))
    return generator.permutation(blocks) % BUNDLES
