"""Do the finish rating and the win rating tell the same? If not, the win rating is the ladder."""

from dataclasses import dataclass

import numpy as np

from harness.stats.ratings import Ratings
from harness.stats.results import Bools, Floats, Ints

LARGEST = 3.5
"""Standard errors by which the two ratings of a bot may differ."""

SURE = 0.975
"""Likelihood of superiority from which one bot surely stands above another (two-sided 5 %)."""

_TOP = 5


@dataclass(frozen=True, eq=False)
class Agreement:
    """The win rating less the finish rating.

    | field    | shape, dtype  | meaning                                                                            |
    |----------|---------------|------------------------------------------------------------------------------------|
    | compared | (N,) bool     | the bots compared: in the main component of both ratings, with 50 blocks or more   |
    | gap      | (N,) float64  | win less finish, Elo, both less their mean over the compared; 0 for others         |
    | se       | (N,) float64  | its standard error, blocks as clusters; 0 for others                               |
    | largest  | float         | the largest |gap| / se, 0 where none is compared                                   |
    | reversed | (K, 2) int64  | pairs of the top: the first surely above by finish, surely below by wins           |
    | agree    | bool          | no gap beyond LARGEST and no pair reversed                                         |
    """

    compared: Bools
    gap: Floats
    se: Floats
    largest: float
    reversed: Ints
    agree: bool

    @property
    def published(self) -> str:
        """The rating that is the ladder: ``finish``, which needs fewer games, unless the two disagree, then ``win``."""
        return "finish" if self.agree else "win"


def compare(finish: Ratings, win: Ratings) -> Agreement:
    """Compare two fits to the same games, in the manner of Hausman (1978) with the variance of the gap from blocks.

    If bots have one strength for every place, both estimate it. A bot that gambles for first place, or guards second,
    breaks that. The order of the five best (of either rating) counts as different only where both ratings are sure of
    opposite orders; equals change places by chance, and the noisier rating should not be published for that.
    """
    doubts = (finish.doubts, win.doubts)
    compared = np.logical_and.reduce([~(doubt.disconnected | doubt.inseparable | doubt.few_blocks) for doubt in doubts])
    gap, se = np.zeros(len(compared)), np.zeros(len(compared))
    if compared.any():
        moved = (win.influence - finish.influence)[:, compared]
        moved -= moved.mean(axis=1, keepdims=True)
        bundles = len(moved)
        se[compared] = np.sqrt(bundles / (bundles - 1.0) * (moved**2).sum(axis=0))
        apart = (win.elo - finish.elo)[compared]
        gap[compared] = apart - apart.mean()
    largest = float(np.max(np.abs(gap[compared]) / np.maximum(se[compared], 1e-9), initial=0.0))
    top = np.zeros(len(compared), np.bool_)
    for ratings in (finish, win):
        top[np.argsort(np.where(compared, -ratings.elo, np.inf), kind="stable")[:_TOP]] = True
    top &= compared
    pairs = np.argwhere((finish.los > SURE) & (win.los.T > SURE) & top & top[:, None])
    return Agreement(compared, gap, se, largest, pairs, largest <= LARGEST and len(pairs) == 0)
