"""The likelihood ratio of two hypotheses about the mean of a distribution of which only the values are known.

Of all distributions on these values, each hypothesis is given the one under which the data are likeliest: the shares
seen, each divided by 1 + x times how far its value pulls against the hypothesis, with the multiplier x that makes it
hold (empirical likelihood, Owen 1988). Nothing is assumed of the distribution, and a few dozen observations will do.
"""

import numpy as np
import numpy.typing as npt

from harness.compiled import kernel
from harness.stats.results import Floats

EMPTY = 1e-3
"""Observations that a value gets which was never seen, so that every hypothesis has a likelihood."""

_POINTS = 16
_STEPS = 200
_PRECISION = 1e-14  # of a multiplier, relative
_NONE = 1e-9  # an effect that is none
_CLOSE = 1e-10  # of a mean, relative; the likelihood is flat there, so its error is of the order of the square


def mean_ratio(values: npt.ArrayLike, counts: npt.ArrayLike, mean0: float, mean1: float) -> float:
    """Return ln of the likelihood of mean `mean1` over that of `mean0`.

    `values` (K,) are all values that can be seen, `counts` (K,) how often each was. Raises `ValueError` as `filled`
    does, and for a mean that is not between the least and the greatest value.
    """
    support, counts = filled(values, counts)
    shares = _shares(support, counts, mean0, mean1)
    likelihoods = [_of_mean(support - mean, shares) for mean in (mean0, mean1)]
    return float(counts.sum() * (likelihoods[1] - likelihoods[0]))


def effect_ratio(values: npt.ArrayLike, counts: npt.ArrayLike, centre: float, effect0: float, effect1: float) -> float:
    """Return ln of the likelihood of effect `effect1` over that of `effect0`, an effect being (mean - centre) / sd.

    Arguments and errors as in `mean_ratio`; `centre` must lie between the least and the greatest value. This is the
    likelihood ratio of normalized Elo (Van den Bergh 2020), here for any values and any effect.
    """
    support, counts = filled(values, counts)
    shares = _shares(support, counts, centre)
    likelihoods = [_of_effect(support - centre, shares, effect) for effect in (effect0, effect1)]
    return float(counts.sum() * (likelihoods[1] - likelihoods[0]))


def filled(values: npt.ArrayLike, counts: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return values and counts, (K,) each, with EMPTY for every count of 0.

    Raises `ValueError` for shapes that differ, counts below 0, or none above it.
    """
    support, seen = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if support.shape != seen.shape or support.ndim != 1 or not (np.all(seen >= 0) and seen.any()):
        raise ValueError(f"values {support.shape} need as many counts, none below 0 and one above it; they are {seen}")
    return support, np.where(seen > 0, seen, EMPTY)


def _shares(support: Floats, counts: Floats, *inside: float) -> Floats:
    """Return the shares seen, if the values reach to both sides of what is `inside`."""
    if not all(support.min() < one < support.max() for one in inside):
        raise ValueError(f"{inside} should lie between the values, {support.min()} to {support.max()}")
    return np.asarray(counts / counts.sum())


@kernel
def _multiplier(shares: Floats, pulls: Floats) -> float:
    """Return the x with sum of shares * pulls / (1 + x * pulls) = 0, all 1 + x * pulls positive.

    The sum falls from plus to minus infinity between the bounds, so Newton's step is taken where it stays inside.
    """
    low, high = -1.0 / pulls.max(), -1.0 / pulls.min()
    x = 0.0
    for _ in range(_STEPS):
        value = 0.0
        slope = 0.0
        for cell in range(len(pulls)):
            ratio = pulls[cell] / (1.0 + x * pulls[cell])
            value += shares[cell] * ratio
            slope += shares[cell] * ratio * ratio
        if value > 0.0:
            low = x
        else:
            high = x
        step = x + value / slope
        if not low < step < high:
            step = (low + high) / 2.0
        if abs(step - x) <= _PRECISION * abs(step) or step == x:
            break
        x = step
    return x


@kernel
def _likelihood(shares: Floats, pulls: Floats, x: float) -> float:
    """Return the mean log-likelihood of the tilted distribution, less that of the shares themselves."""
    value = 0.0
    for cell in range(len(pulls)):
        value -= shares[cell] * np.log(1.0 + x * pulls[cell])
    return value


@kernel
def _of_mean(gaps: Floats, shares: Floats) -> float:
    """Return the likelihood of mean gap 0."""
    value: float = _likelihood(shares, gaps, _multiplier(shares, gaps))
    return value


@kernel
def _excess(gaps: Floats, shares: Floats, mean: float, bend: float, pulls: Floats) -> tuple[float, float]:
    """Fill `pulls` for this mean gap; return by how much the mean of the likeliest distribution exceeds it, and x."""
    for cell in range(len(gaps)):
        pulls[cell] = gaps[cell] - mean / 2.0 - gaps[cell] ** 2 / (2.0 * bend * mean)
    x = _multiplier(shares, pulls)
    found = 0.0
    for cell in range(len(gaps)):
        found += shares[cell] / (1.0 + x * pulls[cell]) * gaps[cell]
    return found - mean, x


@kernel
def _crossing(
    gaps: Floats, shares: Floats, bend: float, one: float, other: float, at_one: float, at_other: float, pulls: Floats
) -> float:
    """Return the mean between `one` and `other` at which the excess is 0, by false position (Illinois rule)."""
    for _ in range(_STEPS):
        middle = (one * at_other - other * at_one) / (at_other - at_one)
        excess = _excess(gaps, shares, middle, bend, pulls)[0]
        if abs(excess) <= _CLOSE * middle:
            return middle
        if (excess < 0.0) == (at_other < 0.0):
            at_one /= 2.0
        else:
            one, at_one = other, at_other
        other, at_other = middle, excess
    return other


@kernel
def _of_effect(gaps: Floats, shares: Floats, effect: float) -> float:
    """Return the likelihood of an effect: mean gap / sd.

    Then the mean square is `bend` times the squared mean, and the likeliest such distribution tilts by a multiplier of
    the gap less half the mean less the scaled square of the gap, if its own mean is the one put in. So the mean is
    searched: at its least the excess is positive, at its greatest negative, and of all roots the likeliest is taken.
    """
    best: float = _of_mean(gaps, shares)
    if abs(effect) < _NONE:
        return best
    if effect < 0.0:
        gaps = -gaps
    pulls = np.empty_like(gaps)
    bend = 1.0 + 1.0 / effect**2
    widest = bend + np.sqrt(bend * bend - bend)
    least, most = gaps.max() / widest, gaps.max() * widest / bend
    best = -np.inf
    before, excess = least, 1.0
    for point in range(1, _POINTS + 1):
        after, here = most, -1.0
        if point < _POINTS:
            after = least * (most / least) ** (point / _POINTS)
            here = _excess(gaps, shares, after, bend, pulls)[0]
        if (here < 0.0) != (excess < 0.0):
            mean = _crossing(gaps, shares, bend, before, after, excess, here, pulls)
            x = _excess(gaps, shares, mean, bend, pulls)[1]
            best = max(best, _likelihood(shares, pulls, x))
        before, excess = after, here
    return best
