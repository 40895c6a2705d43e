"""Numbers and words as the report prints them."""

import math

import pytest

from harness.report import words as w


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (w.whole(1311.6), "1,312"),
        (w.whole(-40.2), "−40"),
        (w.whole(-0.2), "0"),
        (w.whole(math.inf), "–"),
        (w.number(1.005, 1), "1.0"),
        (w.number(-0.04, 1), "0.0"),
        (w.signed(12.4), "+12"),
        (w.signed(-12.4), "−12"),
        (w.signed(0.2), "0"),
        (w.signed(math.nan), "–"),
        (w.percent(0.2712), "27.1%"),
        (w.percent(math.nan), "–"),
        (w.percent_span(0.26, 0.282), "26.0–28.2%"),
        (w.span(-5.2, 12.1), "−5 to 12"),
        (w.span(-math.inf, math.inf), "–"),
        (w.chance(1.0), "> 99.9%"),
        (w.chance(0.0), "< 0.1%"),
        (w.chance(0.5), "50.0%"),
        (w.p_value(0.00001), "< 0.0001"),
        (w.p_value(0.0012), "0.0012"),
        (w.p_value(0.43), "0.43"),
        (w.counted(1, "block"), "one block"),
        (w.counted(1204, "block"), "1,204 blocks"),
        (w.listed(["a"]), "a"),
        (w.listed(["a", "b", "c"]), "a, b and c"),
        (w.joined([("a",), (w.Name("b"), "!")]), ("a", " and ", "b", "!")),
    ],
)
def test_shown(shown: object, expected: object):
    assert shown == expected
