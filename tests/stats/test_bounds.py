"""One-sided bounds: what a perfect record proves."""

import numpy as np
import pytest
from stats.samples import joined, rotated, table

from harness.stats.ratings import ELO, fit


def level_pair(count: int) -> list:
    return [((0, 1), (1, 2)), ((1, 0), (1, 2))] * count


@pytest.mark.parametrize("blocks", [1, 20, 100])
def test_a_hundred_wins_in_a_hundred_duels(blocks: int) -> None:
    # p^k = 0.05: 100 duels won prove 607 Elo; told in fewer blocks they prove less
    rows = level_pair(50) + [((2, game % 2), (1, 2)) for game in range(100)]
    apart = [*range(100), *(1000 + game % blocks for game in range(100))]
    ratings = fit(table(rows, apart), 3, anchor=0, anchor_elo=0.0, seat_terms=False)
    p = 0.05 ** (1 / blocks)
    assert ratings.bounds.side.tolist() == [0, 0, 1]
    assert ratings.bounds.elo[2] == pytest.approx(ELO * np.log(p / (1 - p)), abs=1e-3)
    assert ratings.bounds.elo[:2].tolist() == ratings.elo[:2].tolist()
    if blocks == 100:
        assert ratings.bounds.elo[2] == pytest.approx(607, abs=0.5)


def test_losing_mirrors_winning() -> None:
    rows = level_pair(50) + [((game % 2, 2), (1, 2)) for game in range(100)]
    ratings = fit(table(rows), 3, anchor=0, anchor_elo=0.0, seat_terms=False)
    assert ratings.bounds.side.tolist() == [0, 0, -1]
    assert ratings.bounds.elo[2] == pytest.approx(-607, abs=0.5)


def test_first_of_four_proves_more_than_first_of_two() -> None:
    # P(first of four against equals) is a / (a + 3)
    rows = [((0, 1, 2), tuple(np.roll((1, 2, 3), game))) for game in range(60)]
    rows += [((3, 0, 1, 2), (1, 2, 3, 4)), ((3, 2, 1, 0), (1, 2, 3, 4)), ((3, 1, 0, 2), (1, 2, 3, 4))] * 2
    ratings = fit(table(rows), 4, anchor=0, anchor_elo=0.0, seat_terms=False)
    p = 0.05 ** (1 / 6)
    others = np.exp(ratings.theta[:3] - ratings.theta[0]).mean()
    assert ratings.bounds.elo[3] == pytest.approx(ELO * np.log(3 * p / (1 - p) * others), abs=1.0)


def test_last_of_three_by_the_stages_it_was_not_taken() -> None:
    rows = [((0, 1), (1, 2)), ((1, 0), (1, 2))] * 10 + [((0, 1, 2), (1, 2, 3)), ((1, 0, 2), (1, 2, 3))] * 5
    ratings = fit(table(rows), 3, anchor=0, anchor_elo=0.0, seat_terms=False)
    a = np.exp(ratings.bounds.elo[2] / ELO)
    assert ratings.bounds.side[2] == -1
    assert 10 * (np.log(2 / (2 + a)) + np.log(1 / (1 + a))) == pytest.approx(np.log(0.05), abs=1e-3)


def test_partners_share_the_proof() -> None:
    rng = np.random.default_rng(1)
    games = rotated(rng, 40, np.zeros(6), 6)
    won = table([((6, 1, 2, 0, 4, 5), (1, 2, 3, 1, 2, 3))] * 30, 1000 + np.arange(30), [(0, 1, 2, 0, 1, 2)] * 30)
    ratings = fit(joined(games, won), 7, anchor=0, anchor_elo=0.0)
    assert ratings.bounds.side.tolist() == [0] * 6 + [1]
    assert 250 < ratings.bounds.elo[6] < 900


def test_without_a_meeting_there_is_no_bound() -> None:
    rows = level_pair(5) + [((2, 3), (1, 2))] * 5
    ratings = fit(table(rows), 5, anchor=0)
    assert ratings.bounds.side.tolist() == [0] * 5
    assert ratings.bounds.elo.tolist() == ratings.elo.tolist()


def test_first_places_alone_prove_what_they_prove() -> None:
    rows = level_pair(50) + [((2, game % 2), (1, 2)) for game in range(100)]
    ratings = fit(table(rows), 3, anchor=0, anchor_elo=0.0, seat_terms=False, win_only=True)
    assert ratings.bounds.elo[2] == pytest.approx(607, abs=0.5)
