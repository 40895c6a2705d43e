"""The money rating: paired by deal and seat, against plain sums and dummy variables."""

import numpy as np
import numpy.typing as npt
import pytest
from stats.samples import joined, rotated, table

from harness.stats.money import rate_money, table_shares
from harness.stats.results import Results


def played(
    rng: np.random.Generator, blocks: int, players: int, worth: npt.ArrayLike, cards: float, first_block: int = 0
) -> tuple[Results, npt.NDArray[np.float64]]:
    """Rotated games, and in each seat the worth of its bot, of its cards (the same all block) and noise."""
    games = rotated(rng, blocks, np.zeros(len(np.asarray(worth))), players, first_block=first_block)
    values = np.full(games.bots.shape, np.nan)
    for seat in range(players):
        dealt = np.repeat(rng.normal(0, cards, blocks), players)
        values[:, seat] = np.asarray(worth)[games.bots[:, seat]] + dealt + rng.normal(0, 1, len(games))
    if players == 6:
        both = values[:, :3] + values[:, 3:6]
        values[:, :6] = np.hstack([both, both])
    return games, values


def test_one_block_by_hand() -> None:
    # the cards of seat 0 bring 4 to bot 0 and 2 to bot 1, those of seat 1 bring 7 and 3
    games = table([((0, 1), (1, 2)), ((1, 0), (1, 2))], [0, 0])
    values = np.array([[4.0, 3.0, *[np.nan] * 4], [2.0, 7.0, *[np.nan] * 4]])
    rating = rate_money(games, values, 2)
    assert rating.gain == pytest.approx([1.5, -1.5])
    assert np.isinf(rating.se).all()  # one block tells no spread
    assert rating.blocks.tolist() == [1, 1]


def test_two_bots_are_a_paired_t_test() -> None:
    rng = np.random.default_rng(1)
    games, values = played(rng, 80, 2, [0.5, 0.0], 3.0)
    rating = rate_money(games, values, 2)
    mine = np.where(games.bots[:, :2] == 0, values[:, :2], 0).sum(axis=1).reshape(80, 2).sum(axis=1)
    other = np.where(games.bots[:, :2] == 1, values[:, :2], 0).sum(axis=1).reshape(80, 2).sum(axis=1)
    gaps = (mine - other) / 2
    assert rating.gain[0] - rating.gain[1] == pytest.approx(gaps.mean())
    assert 2 * rating.se[0] == pytest.approx(gaps.std(ddof=1) / np.sqrt(80))


@pytest.mark.parametrize("players", [3, 4, 6])
def test_the_gains_are_those_of_dummy_variables(players: int) -> None:
    rng = np.random.default_rng(players)
    worth = np.linspace(-1, 1, 7)
    games, values = played(rng, 25, players, worth, 2.0)
    sides = 3 if players == 6 else players
    members = np.zeros((len(games) * sides, 7))
    cells = np.zeros((len(games) * sides, 25 * sides))
    target = np.zeros(len(members))
    for row, (game, seat) in enumerate(np.ndindex(len(games), sides)):
        for other in range(seat, players, sides):
            members[row, games.bots[game, other]] += 1
        cells[row, games.block[game] * sides + seat] = 1
        target[row] = values[game, seat]
    solution = np.linalg.lstsq(np.hstack([members, cells]), target, rcond=None)[0][:7]
    rating = rate_money(games, values, 7)
    assert rating.gain == pytest.approx(solution - solution.mean(), abs=1e-9)
    assert not rating.unknown.any()


def test_intervals_cover_and_pairing_takes_the_cards_out() -> None:
    rng = np.random.default_rng(2)
    worth = np.linspace(-0.5, 0.5, 6)
    covered, widths = [], []
    for _ in range(40):
        games, values = played(rng, 60, 4, worth, 10.0)
        rating = rate_money(games, values, 6)
        covered.append((rating.lo < worth) & (worth < rating.hi))
        widths.append(rating.se.mean())
    assert 0.90 < np.mean(covered) < 0.985
    assert np.mean(widths) < 0.12  # the cards alone spread a mean over 160 games by 0.8


def test_what_was_never_compared_is_unknown() -> None:
    rng = np.random.default_rng(3)
    games, values = played(rng, 20, 2, [0, 0], 1.0)
    rating = rate_money(games, values, 4)
    assert rating.unknown.tolist() == [False, False, True, True]
    still = table([((0, 1), (1, 2))] * 10, [0] * 10)  # never rotated
    rating = rate_money(still, rng.normal(size=(10, 6)), 2)
    assert rating.unknown.all()
    assert rating.gain.tolist() == [0, 0]
    nothing = rate_money(still.where(np.zeros(10, np.bool_)), np.zeros((0, 6)), 2)
    assert nothing.unknown.all()
    assert np.isinf(nothing.se).all()


def test_shares_of_a_table() -> None:
    games = table([((0, 1, 2), (1, 2, 3)), ((0, 1, 2), (1, 2, 3))])
    money = np.array([[6.0, 3.0, -5.0, *[np.nan] * 3], [-1.0, 0.0, -2.0, *[np.nan] * 3]])
    shares = table_shares(games, money)
    assert shares[:, :3].tolist() == [[pytest.approx(2 / 3), pytest.approx(1 / 3), 0], [pytest.approx(1 / 3)] * 3]
    assert np.isnan(shares[:, 3:]).all()
    team = table([((0, 1, 2, 3, 4, 5), (1, 2, 3, 1, 2, 3))], sides=[(0, 1, 2, 0, 1, 2)])
    shares = table_shares(team, np.array([[5.0, 1.0, 0.0, -1.0, 3.0, 2.0]]))
    assert shares[0] == pytest.approx([0.4, 0.4, 0.2, 0.4, 0.4, 0.2])


def test_tables_of_several_sizes_go_together() -> None:
    rng = np.random.default_rng(4)
    parts = [played(rng, 150, players, np.linspace(-1, 1, 6), 2.0, 1000 * players) for players in (2, 3, 6)]
    rating = rate_money(joined(*(games for games, _ in parts)), np.vstack([values for _, values in parts]), 6)
    assert np.abs((rating.gain - np.linspace(-1, 1, 6)) / rating.se).max() < 3.5
