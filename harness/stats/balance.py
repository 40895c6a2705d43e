"""Shares, ratios and tests for balance reports, with the deal block as the unit of all uncertainty."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, ndtri, stdtrit

from harness.stats.results import Floats, Ints

FEW_BLOCKS = 50
"""Below this many blocks intervals are wider: Student's t instead of the normal distribution."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimates of any shape S with their 95 % intervals; arrays of shape S.

    | field     | dtype   | meaning                                                                           |
    |-----------|---------|-----------------------------------------------------------------------------------|
    | value     | float64 | the ratio of the sums; nan where nothing was counted                              |
    | lo, hi    | float64 | 95 % interval; infinite (for a share 0 and 1) where there are fewer than 2 blocks |
    | se        | float64 | standard error, blocks as clusters; infinite with fewer than 2 blocks             |
    | count     | float64 | sum of the denominators                                                           |
    | blocks    | int64   | blocks that had a denominator                                                     |
    | effective | float64 | independent trials a share is worth; nan for a ratio that is no share             |
    """

    value: Floats
    lo: Floats
    hi: Floats
    se: Floats
    count: Floats
    blocks: Ints
    effective: Floats

    def interval(self, confidence: float) -> tuple[Floats, Floats]:
        """Return the bounds at another confidence (0 to 1)."""
        return _bounds(self.value, self.se, self.blocks, self.effective, confidence)


@dataclass(frozen=True)
class GoodnessOfFit:
    """Pearson's chi-square test: the statistic, its degrees of freedom, the p-value and the number counted."""

    statistic: float
    df: int
    p: float
    count: int


def critical(confidence: float, blocks: npt.ArrayLike) -> Floats:
    """Return the two-sided quantile for estimates from so many blocks: t with blocks - 1 degrees of freedom below
    `FEW_BLOCKS` (at least 1), normal from there.
    """
    blocks = np.asarray(blocks)
    level = (1.0 + confidence) / 2.0
    student = stdtrit(np.maximum(blocks - 1.0, 1.0), level)
    return np.asarray(np.where(blocks < FEW_BLOCKS, student, ndtri(level)), np.float64)


def ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Estimate:
    """Estimate sum(numerator) / sum(denominator) from sums per block, (D,) or (D, K) each.

    The variance is that of the linearised ratio, D/(D-1) sum (n_d - r m_d)^2 / (sum m_d)^2 over the D blocks with a
    denominator (Cochran 1977, section 6.3). Raises `ValueError` for shapes that differ or negative denominators.
    """
    top, bottom = _block_sums(numerator, denominator)
    value, se, count, blocks = _linearised(top, bottom)
    effective = np.full_like(value, np.nan)
    lo, hi = _bounds(value, se, blocks, effective, 0.95)
    return Estimate(value, lo, hi, se, count, blocks, effective)


def share(successes: npt.ArrayLike, trials: npt.ArrayLike) -> Estimate:
    """Estimate a share from successes and trials per block, (D,) or (D, K) each; successes may be fractions.

    The interval is Wilson's with the effective number of trials p(1-p)/se^2 (Korn and Graubard 1998), so that it
    stays within 0 and 1. To se^2 is added here what one more block of independent trials would show, so that a few
    blocks that happen to agree are no certainty. A share of exactly 0 or 1 shows no variance at all; there every
    block counts as one trial.
    Raises `ValueError` for shapes that differ, negative numbers, or more successes than trials.
    """
    top, bottom = _block_sums(successes, trials)
    if np.any(top < 0) or np.any(top > bottom * (1 + 1e-12)):
        raise ValueError("successes should lie between 0 and the trials of their block")
    return share_estimate(*_linearised(top, bottom))


def share_estimate(value: Floats, se: Floats, count: Floats, blocks: Ints) -> Estimate:
    """Complete shares and their standard errors, of any one shape, by the intervals of `share`."""
    inside = (value > 0) & (value < 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        trials = 1 / (se**2 / (value * (1 - value)) + 1 / (count * (blocks + 1.0)))
    effective = np.where(inside, trials, blocks)
    lo, hi = _bounds(value, se, blocks, effective, 0.95)
    return Estimate(value, lo, hi, se, count, blocks, effective)


def wilson(successes: npt.ArrayLike, trials: npt.ArrayLike, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Return the score interval of a binomial share (Wilson 1927); 0 and 1 where there were no trials."""
    trials = np.asarray(trials, np.float64)
    value = np.asarray(successes, np.float64) / np.where(trials > 0, trials, 1.0)
    return _wilson(value, trials, critical(confidence, FEW_BLOCKS))


def goodness_of_fit(counts: npt.ArrayLike, probabilities: npt.ArrayLike) -> GoodnessOfFit:
    """Test independent counts (K,) against probabilities (K,) that sum to 1 (Pearson 1900).

    An impossible outcome that was seen gives an infinite statistic; possible ones set the K - 1 degrees of freedom.
    Expected counts under 5 make the p-value rough. Raises `ValueError` for probabilities that do not sum to 1.
    """
    observed = np.asarray(counts, np.float64)
    expected = np.asarray(probabilities, np.float64)
    if observed.shape != expected.shape or np.any(expected < 0) or abs(expected.sum() - 1.0) > 1e-9:
        raise ValueError(f"counts {observed.shape} need as many probabilities, of sum 1; these sum to {expected.sum()}")
    possible = expected > 0
    total = observed.sum()
    expected = expected[possible] * total
    df = int(np.count_nonzero(possible)) - 1
    if observed[~possible].any():
        return GoodnessOfFit(float("inf"), df, 0.0, int(total))
    statistic = float(np.sum((observed[possible] - expected) ** 2 / expected)) if total else 0.0
    return GoodnessOfFit(statistic, df, float(chdtrc(df, statistic)) if df else 1.0, int(total))


def length_test(hands: npt.ArrayLike, lengths: Sequence[int], probabilities: npt.ArrayLike) -> GoodnessOfFit:
    """Test the number of hands against its law.

    `hands` (D,) holds one number per *block*: all games of a block share the order that ends them, so they are one
    observation. `lengths` (K,) are the possible numbers and `probabilities` (K,) theirs; any other number seen is
    impossible.
    """
    seen = np.asarray(hands)
    counts = np.array([np.count_nonzero(seen == length) for length in lengths])
    strays = len(seen) - counts.sum()
    return goodness_of_fit(np.append(counts, strays), np.append(np.asarray(probabilities, np.float64), 0.0))


def holm(pvalues: npt.ArrayLike) -> Floats:
    """Return the p-values (M,) adjusted for the family they form (Holm 1979); reject where one is at most alpha."""
    p = np.asarray(pvalues, np.float64)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("p-values lie between 0 and 1")
    order = np.argsort(p, kind="stable")
    steps = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def judge(estimate: Estimate, low: float, high: float, family: int) -> npt.NDArray[np.str_]:
    """Return for each estimate whether it surely lies between `low` and `high`.

    | interval                                | verdict |
    |-----------------------------------------|---------|
    | of 90 %, inside                         | pass    |
    | of 1 - 0.10 / family, all of it outside | fail    |
    | any other                               | more    |

    A pass is two one-sided tests at 5 % (Schuirmann 1987) and needs no correction; a fail is one of `family` estimates
    (Bonferroni), so that among many some do not fail by chance. "more": play more.
    """
    lo, hi = estimate.interval(0.90)
    outer_lo, outer_hi = estimate.interval(1 - 0.10 / max(family, 1))
    outside = (outer_hi < low) | (outer_lo > high)
    return np.where((lo >= low) & (hi <= high), "pass", np.where(outside, "fail", "more"))


def _block_sums(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> tuple[Floats, Floats]:
    top = np.asarray(numerator, np.float64)
    bottom = np.asarray(denominator, np.float64)
    if top.shape != bottom.shape or top.ndim not in (1, 2):
        raise ValueError(f"sums per block should both be (D,) or (D, K); they are {top.shape} and {bottom.shape}")
    if np.any(bottom < 0):
        raise ValueError("a denominator is negative")
    return top, bottom


def _linearised(top: Floats, bottom: Floats) -> tuple[Floats, Floats, Floats, Ints]:
    count = bottom.sum(axis=0)
    blocks = np.count_nonzero(bottom, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = top.sum(axis=0) / count
        residual = top - value * bottom
        variance = blocks / (blocks - 1.0) * (residual**2).sum(axis=0) / count**2
    se = np.where(np.asarray(blocks) > 1, np.sqrt(variance), np.inf)
    return np.asarray(value), se, np.asarray(count), np.asarray(blocks, np.int64)


def _bounds(value: Floats, se: Floats, blocks: Ints, effective: Floats, confidence: float) -> tuple[Floats, Floats]:
    quantile = critical(confidence, blocks)
    low, high = _wilson(value, effective, quantile)
    plain = np.isnan(effective)
    half = np.where(blocks > 1, quantile * se, np.inf)
    centre = np.where(blocks > 1, value, 0.0)
    return np.where(plain, centre - half, low), np.where(plain, centre + half, high)


def _wilson(value: Floats, trials: Floats, quantile: Floats) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = quantile**2 / trials
        centre = (value + spread / 2) / (1 + spread)
        half = np.sqrt(spread * value * (1 - value) + spread**2 / 4) / (1 + spread)
    nothing = trials <= 0
    low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.where(nothing, 0.0, low), np.where(nothing, 1.0, high)
