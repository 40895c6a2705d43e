"""Two-player forms against the figures that chess programs print."""

import math

import numpy as np
import pytest

from harness.stats.duels import bayes_ratio, duel, elo_of, logistic_ratio, normalized_ratio, score_of
from harness.stats.sequential import NELO, normal_effect_ratio, normal_mean_ratio

PAIRS = [13, 37, 50, 25, 3]
"""The worked example of a page on normalized Elo (Van den Bergh 2020)."""


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "ratio", "expected"),
    [
        ([365, 16618, 36229, 16974, 390], 0.0, 2.0, normalized_ratio, 2.2504),
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, logistic_ratio, -3.0741),
        ([36027, 68692, 36433], 0.0, 2.0, normalized_ratio, 0.9233),
        ([21184, 40708, 21404], 0.5, 2.5, logistic_ratio, -1.5719),
        ([68526, 128429, 68965], 0.0, 2.0, bayes_ratio, -1.2622),
        ([4063, 8620, 4307], 0.0, 3.0, bayes_ratio, 2.4673),
    ],
)
def test_ratios_that_fastchess_and_sprt_programs_print(counts, elo0, elo1, ratio, expected) -> None:  # type: ignore[no-untyped-def]
    assert ratio(counts, elo0, elo1) == pytest.approx(expected, abs=5e-5)


def test_the_worked_example_exact_and_approximate() -> None:
    assert normalized_ratio(PAIRS, 0, 4) == pytest.approx(-0.54912, abs=5e-6)
    assert logistic_ratio(PAIRS, 0, 2.7158) == pytest.approx(-0.53772, abs=1e-5)
    scores = np.linspace(0, 1, 5)
    mean = float(scores @ PAIRS) / 128
    variance = float((scores - mean) ** 2 @ PAIRS) / 128
    assert (mean, variance) == pytest.approx((0.4375, 0.057617), abs=5e-7)
    effect = (mean - 0.5) / math.sqrt(2 * variance)  # of a game: there are 256
    assert normal_effect_ratio(256, effect, 0, 4 / NELO) == pytest.approx(-0.54012, abs=5e-6)
    sd = math.sqrt(variance)
    assert normal_mean_ratio(128, mean, sd, 0.5, score_of(2.7158)) == pytest.approx(-0.52194, abs=2e-5)
    assert duel(PAIRS).nelo == pytest.approx(-63.97, abs=5e-3)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([96, 111, 136], {"elo": (40.70, 30.43), "nelo": (49.77, 36.77), "los": 0.9960}),
        ([89, 123, 76], {"nelo": (-20.76, 40.13), "los": 0.1553}),
        ([356, 0, 34], {"nelo": (-508.44, 34.48)}),
        ([34, 54, 63, 64, 75], {"elo": (55.58, 27.65), "nelo": (57.94, 28.28), "los": 1.0}),
        ([332, 433, 498, 333, 334], {"elo": (-8.64, 10.33), "nelo": (-9.17, 10.96), "los": 0.0505}),
        ([7895, 8757, 5685, 568, 9999], {"elo": (-21.04, 2.95), "nelo": (-19.01, 2.65)}),
        ([1267, 3049, 1164], {"elo": (-6.53, 6.12)}),
    ],
)
def test_estimates_that_fastchess_prints(counts: list[int], expected: dict[str, object]) -> None:
    found = duel(counts)
    printed = {
        "elo": (found.elo, (found.elo_hi - found.elo_lo) / 2),
        "nelo": (found.nelo, (found.nelo_hi - found.nelo_lo) / 2),
        "los": found.los,
    }
    for name, figures in expected.items():
        assert printed[name] == pytest.approx(figures, abs=1e-4 if name == "los" else 0.0101), name


@pytest.mark.parametrize("counts", [[60, 0, 0], [0, 0, 60], [0, 60, 0], [1, 0, 0], [0, 0, 0, 0, 104], [60, 0, 0, 0, 0]])
def test_degenerate_counts_are_finite_and_claim_no_certainty(counts: list[int]) -> None:
    found = duel(counts)
    assert np.isfinite(list(vars(found).values())).all()
    for ratio in (normalized_ratio, logistic_ratio):
        assert np.isfinite(ratio(counts, 0, 5))
    if len(counts) == 3:
        assert np.isfinite(bayes_ratio(counts, 0, 5))


def test_no_win_of_sixty_is_a_bound_and_one_loss_says_little() -> None:
    # with a score of 1 - 0.025 ** (1 / 60), one of 40 players would lose all 60 as well
    assert duel([60, 0, 0]).elo_hi == pytest.approx(elo_of(1 - 0.025 ** (1 / 60)), abs=10)
    assert duel([60, 0, 0]).los < 1e-12
    assert duel([1, 0, 0]).elo_hi > 200
    assert duel([1, 0, 0]).los == pytest.approx(0.159, abs=1e-3)


def test_the_other_player_has_the_opposite_figures() -> None:
    one, other = duel([34, 54, 63, 64, 75]), duel([75, 64, 63, 54, 34])
    assert (other.elo, other.elo_lo, other.nelo_hi) == pytest.approx((-one.elo, -one.elo_hi, -one.nelo_lo))
    assert one.los + other.los == pytest.approx(1)
    assert normalized_ratio([75, 64, 63, 54, 34], -5, 2) == pytest.approx(
        -normalized_ratio([34, 54, 63, 64, 75], -2, 5)
    )


def test_score_and_elo_are_inverse() -> None:
    assert score_of(400) == pytest.approx(10 / 11)
    assert [score_of(elo_of(score)) for score in (0.01, 0.5, 0.8)] == pytest.approx([0.01, 0.5, 0.8])


@pytest.mark.parametrize("counts", [[1, 2], [1, 2, 3, 4], [1, -1, 3], [0, 0, 0]])
def test_other_counts_are_refused(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="counts"):
        duel(counts)


def test_bayes_elo_is_of_games() -> None:
    with pytest.raises(ValueError, match="5 counts"):
        bayes_ratio(PAIRS, 0, 2)
