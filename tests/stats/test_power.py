"""Games that questions need: tables worked out by hand, and simulation."""

import numpy as np
import pytest
from stats.gate_samples import philox

from harness.stats.balance import goodness_of_fit
from harness.stats.power import games_for_difference, games_for_newcomer, games_for_seat, games_for_share, information


def test_information_of_an_appearance() -> None:
    finish = [information(players) for players in range(2, 7)]
    win = [information(players, win_only=True) for players in range(2, 7)]
    assert finish == pytest.approx([0.2500, 0.3889, 0.4792, 0.5433, 0.5917], abs=5e-5)
    assert win == pytest.approx([0.2500, 0.2222, 0.1875, 0.1600, 0.1389], abs=5e-5)


def test_information_is_the_spread_of_the_score() -> None:
    """Of equal bots: the variance of the score of the log-likelihood by one bot's log-worth."""
    players, games = 4, 200_000
    place = philox(11).integers(0, players, games)  # of the bot
    left = players - np.arange(players)  # how many are still to be placed, by stage
    per_stage = np.cumsum(1 / left)
    score = (place < players - 1) * 1.0 - per_stage[np.minimum(place, players - 2)]
    assert score.mean() == pytest.approx(0, abs=0.01)
    assert score.var() == pytest.approx(information(players), rel=0.02)


@pytest.mark.parametrize(
    ("players", "win_only", "games"),
    [
        (2, False, [9_089, 56_805, 227_218, 908_869]),
        (3, False, [3_896, 24_345, 97_379, 389_515]),
        (4, False, [2_371, 14_819, 59_275, 237_097]),
        (5, False, [1_673, 10_455, 41_820, 167_277]),
        (6, False, [1_281, 8_001, 32_003, 128_010]),
        (4, True, [6_060, 37_870, 151_479, 605_913]),
    ],
)
def test_differences_of_fifty_bots(players: int, win_only: bool, games: list[int]) -> None:
    found = [games_for_difference(50, players, width, win_only=win_only) for width in (50, 20, 10, 5)]
    assert found == pytest.approx(games, abs=1)


@pytest.mark.parametrize(
    ("players", "games"),
    [
        (2, [785, 4_906, 19_623, 78_489]),
        (3, [857, 5_353, 21_411, 85_642]),
        (4, [818, 5_111, 20_443, 81_770]),
        (5, [764, 4_775, 19_097, 76_386]),
        (6, [713, 4_455, 17_817, 71_265]),
    ],
)
def test_seats(players: int, games: list[int]) -> None:
    assert [games_for_seat(players, shift) for shift in (0.05, 0.02, 0.01, 0.005)] == pytest.approx(games, abs=1)


@pytest.mark.parametrize(
    ("players", "games"), [(2, [2_401, 9_604, 38_415]), (4, [1_801, 7_203, 28_811]), (6, [1_334, 5_336, 21_342])]
)
def test_shares(players: int, games: list[int]) -> None:
    assert [games_for_share(1 / players, width) for width in (0.02, 0.01, 0.005)] == pytest.approx(games, abs=1)


def test_so_many_games_find_a_seat_as_often_as_planned() -> None:
    games, tries = games_for_seat(4, 0.02), 2000
    chances = np.array([0.27, *[0.73 / 3] * 3])
    counts = philox(12).multinomial(games, chances, tries)
    found = np.mean([goodness_of_fit(own, np.full(4, 0.25)).p <= 0.05 for own in counts])
    assert found == pytest.approx(0.8, abs=0.03)


def test_two_that_only_meet_each_other_need_what_one_against_a_known_bot_needs() -> None:
    assert games_for_difference(2, 2, 10) == games_for_newcomer(2, 10)
    assert games_for_newcomer(4, 10, design_effect=0.5) == pytest.approx(games_for_newcomer(4, 10) / 2, abs=1)
    assert games_for_newcomer(6, 10, win_only=True) == pytest.approx(4.26 * games_for_newcomer(6, 10), rel=0.01)
