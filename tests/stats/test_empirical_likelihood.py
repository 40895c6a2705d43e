"""Exact likelihood ratios against other ways of finding them."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar, root
from scipy.special import expit

from harness.stats.empirical_likelihood import EMPTY, effect_ratio, mean_ratio
from harness.stats.sequential import normal_effect_ratio, normal_mean_ratio

Floats = npt.NDArray[np.float64]
CELLS = np.array([-1.0, -0.4, 0.1, 0.5, 1.0])


def by_root_finding(values: Floats, shares: Floats, effect: float) -> float:
    """Likelihood of an effect by two multipliers, of the mean and of the mean square, and a search for the mean."""

    def tilted(mean: float) -> Floats:
        rows = np.stack([values - mean, values**2 - mean**2 * (1 + 1 / effect**2)])
        found = root(lambda x: rows @ (shares / (1 + x @ rows)), np.zeros(2), tol=1e-13)
        chances = shares / (1 + found.x @ rows)
        assert found.success
        assert np.all(chances > 0)
        return np.asarray(chances)

    def loss(mean: float) -> float:
        return float(shares @ np.log(shares / tilted(mean)))

    nearest = math.copysign(abs(effect) * math.sqrt(shares @ values**2 - (shares @ values) ** 2), effect)
    low, high = sorted((0.6 * nearest, 1.5 * nearest))
    return -float(minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-11}).fun)


@pytest.mark.parametrize("counts", [(3, 10, 30, 12, 5), (20, 40, 41, 39, 22), (1, 2, 3, 2, 2), (9, 20, 31, 15, 4)])
@pytest.mark.parametrize("effect", [0.05, 0.2, -0.15])
def test_two_multipliers_and_a_search_find_the_same(counts: tuple[float, ...], effect: float) -> None:
    shares = np.asarray(counts) / sum(counts)
    level = by_mean(CELLS, shares, 0.0)
    expected = sum(counts) * (by_root_finding(CELLS, shares, effect) - level)
    assert effect_ratio(CELLS, counts, 0, 0, effect) == pytest.approx(expected, abs=1e-6)


def by_mean(values: Floats, shares: Floats, mean: float) -> float:
    gaps = values - mean
    x = brentq(lambda x: shares @ (gaps / (1 + x * gaps)), -0.999999 / gaps.max(), -0.999999 / gaps.min(), xtol=1e-15)
    return -float(shares @ np.log1p(x * gaps))


def test_a_bracketing_root_finder_finds_the_same_means() -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        counts = rng.integers(1, 60, 5)
        zero, one = rng.uniform(-0.5, 0.5, 2)
        shares = counts / counts.sum()
        expected = counts.sum() * (by_mean(CELLS, shares, one) - by_mean(CELLS, shares, zero))
        assert mean_ratio(CELLS, counts, zero, one) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("counts", [(30, 40, 30), (60, 0, 0), (0, 60, 0), (0, 0, 60), (2, 0, 1), (500, 9000, 520)])
@pytest.mark.parametrize("effect", [0.02, -0.3, 1.0])
def test_three_values_by_brute_force(counts: tuple[float, ...], effect: float) -> None:
    """Of three values, the distributions of one effect are a curve: walk along it."""
    seen = np.where(np.asarray(counts) > 0, counts, EMPTY)
    spread = expit(np.linspace(-18, 18, 400_001))  # the mean square; the mean follows from it
    mean = effect * np.sqrt(spread / (1 + effect**2))
    chances = np.stack([(spread - mean) / 2, 1 - spread, (spread + mean) / 2])
    with np.errstate(divide="ignore", invalid="ignore"):
        best = np.nanmax(np.where((chances > 0).all(axis=0), seen @ np.log(chances), -np.inf))
    level = np.stack([spread / 2, 1 - spread, spread / 2])
    expected = best - (seen @ np.log(level)).max()
    assert effect_ratio([-1, 0, 1], counts, 0, 0, effect) == pytest.approx(expected, abs=3e-5 * max(1, abs(expected)))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 400), min_size=5, max_size=5).filter(any),
    st.floats(-0.5, 0.5),
    st.floats(-0.5, 0.5),
)
def test_ratios_are_finite_and_turn_with_the_data(counts: list[int], zero: float, one: float) -> None:
    found = effect_ratio(CELLS, counts, 0, zero, one)
    assert math.isfinite(found)
    assert math.isfinite(mean_ratio(CELLS, counts, zero, one))
    turned = effect_ratio(-CELLS[::-1], counts[::-1], 0, -zero, -one)
    assert turned == pytest.approx(found, abs=1e-7 * max(1, abs(found)))
    assert effect_ratio(CELLS, counts, 0, one, zero) == pytest.approx(-found, abs=1e-9 * max(1, abs(found)))
    scaled = effect_ratio(7.0 * CELLS + 3.0, counts, 3.0, zero, one)  # effects have no unit
    assert scaled == pytest.approx(found, abs=1e-7 * max(1, abs(found)))


def test_the_likeliest_hypothesis_is_what_was_seen() -> None:
    counts = np.array([10, 30, 80, 60, 25])
    mean = CELLS @ counts / counts.sum()
    sd = math.sqrt((CELLS - mean) ** 2 @ counts / counts.sum())
    for other in (-0.3, 0.0, 0.05, 0.4):
        assert mean_ratio(CELLS, counts, other, mean) >= 0
        assert effect_ratio(CELLS, counts, 0, other, mean / sd) >= 0
    assert effect_ratio(CELLS, counts, 0, mean / sd, mean / sd + 1e-9) == pytest.approx(0, abs=1e-9)


def test_many_blocks_leave_the_normal_approximation() -> None:
    counts = np.array([1500, 3000, 8000, 3100, 1450])
    mean = CELLS @ counts / counts.sum()
    sd = math.sqrt((CELLS - mean) ** 2 @ counts / counts.sum())
    total = counts.sum()
    near = effect_ratio(CELLS, counts, mean, -0.02, 0.01)
    assert near == pytest.approx(normal_effect_ratio(total, 0.0, -0.02, 0.01), abs=0.05)
    close = mean - 0.01, mean + 0.005
    assert mean_ratio(CELLS, counts, *close) == pytest.approx(normal_mean_ratio(total, mean, sd, *close), abs=0.05)


def test_hypotheses_out_of_reach_are_refused() -> None:
    with pytest.raises(ValueError, match="between the values"):
        mean_ratio([0, 1], [3, 4], 0.5, 1.0)
    with pytest.raises(ValueError, match="between the values"):
        effect_ratio([0.1, 1], [3, 4], 0.0, 0.0, 0.1)
    with pytest.raises(ValueError, match="counts"):
        effect_ratio([-1, 1], [0, 0], 0.0, 0.0, 0.1)
