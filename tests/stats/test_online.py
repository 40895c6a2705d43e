"""Online Elo, by hand and against another program."""

import evalica
import numpy as np
import pytest
from stats.samples import orders, rotated, table

from harness.stats.online import online_elo


def test_a_duel_and_a_table_of_four_by_hand() -> None:
    assert online_elo(orders([[0, 1]]), 2) == pytest.approx([1016, 984])
    assert online_elo(orders([[0, 1, 2, 3]]), 4) == pytest.approx(1000 + 32 / 3 * np.array([1.5, 0.5, -0.5, -1.5]))
    tied = online_elo(table([((0, 1, 2), (1, 1, 3))]), 3)
    assert tied == pytest.approx(1000 + 16 * np.array([0.5, 0.5, -1.0]))


def test_the_lead_counts() -> None:
    ratings = online_elo(orders([[0, 1], [1, 0]]), 2, start=0.0, k=20.0)
    expected = 1 / (1 + 10 ** (-20 / 400))
    assert ratings == pytest.approx([10 - 20 * expected, -10 + 20 * expected])


def test_partners_gain_together_and_nothing_is_lost() -> None:
    games = rotated(np.random.default_rng(1), 40, np.zeros(8), 6)
    ratings = online_elo(games, 8)
    assert ratings.sum() == pytest.approx(8000)
    one = online_elo(games.where(np.arange(len(games)) == 0), 8) - 1000
    sides = [one[games.bots[0, [seat, seat + 3]]] for seat in range(3)]
    assert all(first == second for first, second in sides)


def test_evalica_agrees_on_duels() -> None:
    games = rotated(np.random.default_rng(2), 100, np.linspace(-1, 1, 5), 2)
    won = games.ranks[:, 0] == 1
    theirs = evalica.elo(
        [str(bot) for bot in games.bots[:, 0]],
        [str(bot) for bot in games.bots[:, 1]],
        [evalica.Winner.X if first else evalica.Winner.Y for first in won],
        initial=1000.0,
        k=32.0,
    ).scores
    assert online_elo(games, 5) == pytest.approx([theirs[str(bot)] for bot in range(5)], abs=1e-9)


def test_the_order_of_games_is_that_of_the_rows_whatever_their_blocks() -> None:
    games = orders([[0, 1]] * 20 + [[1, 0]] * 20)
    backwards = games.where(np.arange(40)[::-1])
    assert online_elo(games, 2)[1] > 1000 > online_elo(backwards, 2)[1]
