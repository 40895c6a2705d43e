"""Intervals hold known strengths as often as they say, naive ones do not; long form: `benchmarks/intervals.py`."""

import pytest
from stats.coverage import DESIGNS, measure, measure_design


@pytest.mark.parametrize("sizes", [[2], [4], [6], [3, 5]])
@pytest.mark.parametrize("coarse", [0.0, 0.7])
def test_ratings_and_seats_are_covered(sizes: list[int], coarse: float) -> None:
    found = measure(sizes, 60, coarse, ladders=20, seed=1)
    assert 0.90 < found.ratings < 0.99
    assert 0.87 < found.seats <= 1.0
    assert 0.55 < found.design_effect < 0.85


@pytest.mark.parametrize(
    ("design", "luck", "effect", "naive"),
    [
        ("new deal every game", 1.0, 1.0, 0.95),
        ("rotated duplicate, same 4 bots", 0.0, 1.0, 0.95),
        ("rotated duplicate, same 4 bots", 1.0, 0.66, 0.985),
        ("rotated duplicate, same 4 bots", 2.0, 0.44, 0.997),
        ("same deal, same seats x4", 2.0, 2.9, 0.76),
        ("same deal, fresh line-ups x4", 2.0, 1.0, 0.95),
    ],
)
def test_the_size_and_sign_of_the_error_without_blocks(design: str, luck: float, effect: float, naive: float) -> None:
    found_effect, found_naive, held = measure_design(DESIGNS[design], luck, deals=200, ladders=25, seed=2)
    assert found_effect == pytest.approx(effect, rel=0.15)
    assert found_naive == pytest.approx(naive, abs=0.04 if naive < 0.98 else 0.015)
    assert 0.90 < held < 0.99
