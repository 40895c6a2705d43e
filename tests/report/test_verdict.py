"""The opening paragraph says what the figures say, and no more."""

import pandas as pd
import pytest
from report.samples import TWO, frames, game, whole_block

from harness.report.analysis import Analysis, analyse
from harness.report.verdict import cities_say, length_says, seats_say, verdict
from harness.report.words import Name


def told(analysis: Analysis) -> str:
    return " ".join("".join(sentence) for sentence in verdict(analysis))


def duels(names: list[str], blocks: int, lost: int, **other: object) -> Analysis:
    """The first bot wins all blocks but every `lost`-th, in both seats."""
    rows = []
    for block in range(blocks):
        rows += whole_block(TWO, block, (0, 1), 0 if (block + 1) % lost else 1, hands=3 + block % 3)
    rows[0] |= other
    return analyse(frames(names, [TWO], rows))


def test_a_sure_leader_is_named_with_lead_and_interval():
    text = told(duels(["alpha", "beta"], 90, 4))
    assert text.startswith("alpha leads with 1,000 Elo, ")
    assert "above beta; that it is the stronger of the two is beyond doubt." in text
    names = [part for part in next(verdict(duels(["alpha", "beta"], 90, 4))) if isinstance(part, Name)]
    assert names == ["alpha", "beta"]


def test_a_narrow_lead_is_called_open():
    rows = [row for b in range(40) for row in whole_block(TWO, b, (0, 1), 1 if b < 21 else 0)]
    assert "which of the two is the stronger is open" in told(analyse(frames(["alpha", "beta"], [TWO], rows)))


def test_level_bots_are_called_level():
    assert told(duels(["alpha", "beta"], 80, 2)).startswith("alpha and beta are level at 1,000 Elo, give or take ")


def test_a_leader_that_never_lost_is_a_guess():
    assert "so that is a guess" in told(duels(["alpha", "beta"], 60, 1000))


def test_faults_are_named_with_what_they_cost():
    row = game(TWO, 0, (0, 1), (1, 2), rated=(2, 1), hands=3, forfeits=1, faults=[(0, "exception")] * 3)
    text = told(duels(["alpha", "beta"], 90, 4, **row))
    assert "Faults were made by alpha (three faults); one forfeited game count" in text
    assert told(duels(["alpha", "beta"], 90, 4)).endswith("No bot made a fault.")


def seat(group: str, seats: str, share: float, target: float, verdict: str) -> dict[str, object]:
    return {"group": group, "seats": seats, "share": share, "target": target, "verdict": verdict}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([seat("2 players", "0", 0.5, 0.5, "pass")] * 2, "All seats are even, within one point in a hundred."),
        (
            [seat("2 players", "0", 0.5, 0.5, "pass"), seat("2 players", "1", 0.5, 0.5, "more")],
            "No seat stands out so far; 1 of 2 need more games to be called even.",
        ),
        (
            [
                seat("5 players", "1", 0.18, 0.2, "fail"),
                seat("5 players", "4", 0.26, 0.2, "fail"),
                seat("6 players", "2+5", 0.36, 1 / 3, "fail"),
            ],
            "Seats are not all even: seat 4 at 5 players wins 26.0% instead of 20.0% and the team of seats 2 and 5 at "
            "6 players wins 36.0% instead of 33.3%; one more is off as well.",
        ),
    ],
)
def test_seats(rows: list[dict[str, object]], expected: str):
    assert ["".join(sentence) for sentence in seats_say(pd.DataFrame(rows))] == [expected]


def city(group: str, name: str, price: float, verdict: str) -> dict[str, object]:
    return {"group": group, "city": name, "price": price, "price_mean": 1.0, "price_verdict": verdict}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            [city("2 players", "boston", 1.0, "pass")],
            "In no city does a gangster surely earn less than 0.8 or more than 1.25 times the mean.",
        ),
        (
            [
                city("2 players", "chicago", 0.6, "fail"),
                city("3 players", "chicago", 0.7, "fail"),
                city("2 players", "st_louis", 1.4, "fail"),
            ],
            "As these bots play, a gangster earns most in St. Louis (at 2 players, 1.4 times the mean), and least in "
            "Chicago (at 2 and 3 players, down to 0.6 times the mean).",
        ),
        (
            [city("2 players, 2p:own~abc", "x", 2.0, "fail")],
            "As these bots play, a gangster earns most in X (at 2 players, 2p:own~abc, 2.0 times the mean).",
        ),
    ],
)
def test_cities(rows: list[dict[str, object]], expected: str):
    assert ["".join(sentence) for sentence in cities_say(pd.DataFrame(rows))] == [expected]


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (0.4, "spread as the police deck would have it but for chance (least p = 0.40)"),
        (0.004, "at 2 players they are spread oddly for the police deck (p = 0.0040), worth watching"),
        (1e-9, "at 2 players they do not follow the police deck (p < 0.0001): the dealing should be checked"),
    ],
)
def test_length(p: float, expected: str):
    rows = [{"group": "2 players", "hands": 3 + i, "blocks": 10, "all_blocks": 30, "p_holm": p} for i in range(3)]
    text = "".join(length_says(pd.DataFrame(rows))).replace("\u00a0", " ")
    assert text.startswith("Games lasted 4.0 regular hands on average")
    assert expected in text
