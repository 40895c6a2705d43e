"""Shares, tests and verdicts against published figures and slow second versions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.balance import (
    critical,
    goodness_of_fit,
    holm,
    judge,
    length_test,
    ratio,
    share,
    wilson,
)

# Benjamini and Hochberg (1995): of these Holm and Bonferroni reject 3 at 5 %
MYOCARDIAL = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
]  # fmt: skip


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_in_newcombe_1998(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_wilson_without_trials_and_at_other_confidence() -> None:
    low, high = wilson([0, 50], [0, 100])
    assert (low[0], high[0]) == (0.0, 1.0)
    narrow_low, narrow_high = wilson(50, 100, confidence=0.9)
    assert low[1] < narrow_low < narrow_high < high[1]


def test_mendels_peas() -> None:
    test = goodness_of_fit([315, 101, 108, 32], np.array([9, 3, 3, 1]) / 16)
    assert test.statistic == pytest.approx(0.4700, abs=5e-5)
    assert test.df == 3
    assert test.p == pytest.approx(0.9254, abs=5e-5)
    assert test.count == 556


def test_impossible_and_missing_counts() -> None:
    assert goodness_of_fit([5, 5, 0], [0.5, 0.5, 0.0]).df == 1
    assert goodness_of_fit([5, 5, 1], [0.5, 0.5, 0.0]).p == 0.0
    assert goodness_of_fit([0, 0], [0.5, 0.5]).p == 1.0
    with pytest.raises(ValueError, match="of sum 1"):
        goodness_of_fit([1, 2], [0.5, 0.6])


def test_length_law() -> None:
    law = (3, 4, 5), (0.2, 0.6, 0.2)
    rng = np.random.default_rng(1)
    fair = length_test(rng.choice([3, 4, 5], 4746, p=[0.2, 0.6, 0.2]), *law)
    assert fair.df == 2
    assert fair.p > 0.001
    assert fair.count == 4746
    assert length_test(rng.choice([3, 4, 5], 8000, p=[0.23, 0.57, 0.2]), *law).p < 1e-4
    assert length_test([3, 4, 4, 4, 6], *law).p == 0.0


def test_holm_on_published_p_values() -> None:
    adjusted = holm(MYOCARDIAL)
    assert (adjusted <= 0.05).sum() == 3
    assert adjusted[0] == pytest.approx(0.0015)
    assert adjusted[2] == pytest.approx(0.0247)
    assert adjusted[-1] == 1.0
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, np.nan])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=0, max_size=12), st.floats(0.001, 0.5))
def test_holm_is_the_step_down_procedure(pvalues: list[float], alpha: float) -> None:
    rejected = set()
    for step, index in enumerate(sorted(range(len(pvalues)), key=lambda one: pvalues[one])):
        if pvalues[index] * (len(pvalues) - step) > alpha:
            break
        rejected.add(index)
    assert set(np.flatnonzero(holm(pvalues) <= alpha)) == rejected


def test_ratio_by_hand() -> None:
    estimate = ratio([1.0, 3.0, 2.0], [2.0, 4.0, 2.0])
    # residuals -0.5, 0, 0.5 around 0.75: variance 3/2 * 0.5 / 64
    assert estimate.value == pytest.approx(0.75)
    assert estimate.se == pytest.approx(np.sqrt(0.75 / 64))
    assert (estimate.count, estimate.blocks) == (8, 3)
    assert estimate.hi - estimate.value == pytest.approx(4.302653 * estimate.se, rel=1e-6)


def test_ratio_of_columns_and_empty_blocks() -> None:
    estimate = ratio([[1, 0], [2, 5], [3, 7]], [[1, 0], [1, 2], [1, 2]])
    assert estimate.value.tolist() == [2.0, 3.0]
    assert estimate.blocks.tolist() == [3, 2]
    assert estimate.se[1] == pytest.approx(np.sqrt(2 * 2 / 16))


def test_one_block_or_none_claims_nothing() -> None:
    single = ratio([3.0], [4.0])
    assert (single.value, single.lo, single.hi) == (0.75, -np.inf, np.inf)
    empty = ratio(np.zeros((0, 2)), np.zeros((0, 2)))
    assert np.isnan(empty.value).all()
    assert (empty.hi == np.inf).all()
    part = share([1.0], [4.0])
    assert (part.value, part.lo, part.hi) == (0.25, 0.0, 1.0)


def test_share_of_independent_blocks_is_wilson() -> None:
    hits = np.arange(263) < 81
    estimate = share(hits, np.ones(263))
    low, high = wilson(81, 263)
    assert estimate.lo == pytest.approx(low, abs=4e-4)
    assert estimate.hi == pytest.approx(high, abs=4e-4)
    assert estimate.effective == pytest.approx(262, rel=0.01)


def test_share_at_the_edge_counts_blocks() -> None:
    none = share(np.zeros(200), np.full(200, 4.0))
    assert (none.lo, none.hi) == (pytest.approx(wilson(0, 200)[0]), pytest.approx(wilson(0, 200)[1]))
    assert share(np.full(200, 4.0), np.full(200, 4.0)).hi == 1.0


def test_a_few_blocks_that_agree_are_no_certainty() -> None:
    estimate = share([1.0, 1.0, 1.0], [4.0, 4.0, 4.0])
    assert estimate.se == 0.0
    assert estimate.hi - estimate.lo > 0.2
    assert judge(estimate, 0.24, 0.26, family=1).tolist() == "more"


def test_share_sees_that_games_of_a_block_go_together() -> None:
    rng = np.random.default_rng(2)
    together = share(4.0 * (rng.random(500) < 0.25), np.full(500, 4.0))
    assert together.effective == pytest.approx(500, rel=0.01)
    assert together.count == 2000


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: ratio([1.0], [1.0, 2.0]), "both be"),
        (lambda: ratio([1.0], [-1.0]), "negative"),
        (lambda: share([3.0], [2.0]), "between 0 and the trials"),
    ],
)
def test_bad_sums_are_refused(call, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        call()


@pytest.mark.parametrize("blocks", [12, 200])
def test_intervals_cover(blocks: int) -> None:
    rng = np.random.default_rng(3)
    chance = rng.beta(2, 6, (2000, blocks))
    estimate = share(rng.binomial(4, chance).T, np.full((blocks, 2000), 4))
    covered = (estimate.lo <= 0.25) & (estimate.hi >= 0.25)
    assert 0.93 < covered.mean() < 0.97
    lo, hi = estimate.interval(0.90)
    assert 0.875 < ((lo <= 0.25) & (hi >= 0.25)).mean() < 0.925


def test_critical_values() -> None:
    assert critical(0.95, 50) == pytest.approx(1.959964, abs=1e-6)
    assert critical(0.95, 49) == pytest.approx(2.010635, abs=1e-6)
    assert critical(0.95, [0, 1, 2]) == pytest.approx(12.7062, abs=1e-4)


def test_verdicts() -> None:
    rng = np.random.default_rng(4)
    seat = rng.multinomial(1, [0.25, 0.25, 0.25, 0.25], 40_000)
    fair = share(seat, np.ones_like(seat))
    assert judge(fair, 0.24, 0.26, family=4).tolist() == ["pass"] * 4
    assert judge(fair, 0.28, 0.30, family=4).tolist() == ["fail"] * 4
    # the last of these seats fails alone, but not as the worst of four
    early = share(np.arange(100)[:, None] < [28, 28, 28, 16], np.ones((100, 4)))
    assert judge(early, 0.24, 0.26, family=1).tolist() == ["more", "more", "more", "fail"]
    assert judge(early, 0.24, 0.26, family=4).tolist() == ["more"] * 4
    assert judge(ratio([1.0], [4.0]), 0.24, 0.26, family=1).tolist() == "more"
    assert judge(share(np.zeros(0), np.zeros(0)), 0.24, 0.26, family=1).tolist() == "more"


def test_one_possible_outcome_that_came_is_no_surprise() -> None:
    assert goodness_of_fit([7], [1.0]).p == 1.0
