"""What ratings foretell, against enumeration, and matches against brute force."""

import math
from itertools import permutations, product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stats.gate_samples import philox
from stats.samples import orders, rotated, table

from harness.stats.bits import bits, first_likelihood, held_out_bits, match_win, order_likelihood, side_worths
from harness.stats.ratings import ELO, fit

Floats = npt.NDArray[np.float64]


def chance_of(worth: Floats, order: tuple[int, ...]) -> float:
    """One stage after another."""
    value, left = 1.0, list(order)
    for side in order:
        value *= math.exp(worth[side]) / sum(math.exp(worth[other]) for other in left)
        left.remove(side)
    return value


WORTH = np.array([0.3, -0.2, 0.9, 0.0])


def test_all_orders_together_are_certain() -> None:
    ranks = np.array([np.argsort(order) + 1 for order in permutations(range(4))])
    found = order_likelihood(np.tile(WORTH, (24, 1)), ranks)
    assert np.exp(found).sum() == pytest.approx(1)
    assert found == pytest.approx([math.log(chance_of(WORTH, order)) for order in permutations(range(4))])
    first = np.exp(first_likelihood(np.tile(WORTH, (24, 1)), ranks))
    assert first[ranks[:, 2] == 1] == pytest.approx(np.exp(0.9) / np.exp(WORTH).sum())


def test_four_players_keep_the_odds_of_two() -> None:
    """The chance to finish above another does not depend on who else plays: 0.6224593 of 0.3 over -0.2."""
    ranks = np.array([np.argsort(order) + 1 for order in permutations(range(4))])
    chances = np.exp(order_likelihood(np.tile(WORTH, (24, 1)), ranks))
    assert chances[ranks[:, 0] < ranks[:, 1]].sum() == pytest.approx(0.6224593, abs=5e-8)


@pytest.mark.parametrize("ranks", [(1, 1, 3, 4), (1, 2, 2, 2), (2, 1, 2, 4), (1, 1, 1, 1), (3, 1, 1, 3)])
def test_ties_are_the_mean_of_the_orders_they_could_be(ranks: tuple[int, ...]) -> None:
    agreeing = [o for o in permutations(range(4)) if all(ranks[o[i]] <= ranks[o[i + 1]] for i in range(3))]
    expected = np.log(np.mean([chance_of(WORTH, order) for order in agreeing]))
    assert order_likelihood([WORTH], [ranks])[0] == pytest.approx(expected)
    padded = order_likelihood([[*WORTH, 7.0, 8.0]], [[*ranks, -1, -1]])
    assert padded[0] == pytest.approx(expected)
    assert order_likelihood(np.zeros((1, 4)), [ranks])[0] == pytest.approx(-math.log(24))
    best = [WORTH[side] - np.log(np.exp(WORTH).sum()) for side in range(4) if ranks[side] == 1]
    assert first_likelihood([[*WORTH, 7.0, 8.0]], [[*ranks, -1, -1]])[0] == pytest.approx(np.mean(best))


def test_bits_of_a_loaded_coin() -> None:
    """A model that knows the odds p gains the entropy that is missing: 1 - H(p) bits."""
    odds = 0.8
    won = philox(71).random(200_000) < odds
    worth = np.log([[odds, 1 - odds]]).repeat(len(won), axis=0)
    ranks = np.where(won[:, None], [1, 2], [2, 1])
    nothing = first_likelihood(np.zeros_like(worth), ranks)
    found = bits(first_likelihood(worth, ranks), nothing, np.arange(len(won)) // 10)
    entropy = -odds * math.log2(odds) - (1 - odds) * math.log2(1 - odds)
    assert found.per_game.value == pytest.approx(1 - entropy, abs=0.01)
    assert found.per_game.lo < 1 - entropy < found.per_game.hi
    assert found.r_squared == pytest.approx(1 - entropy, abs=0.01)
    assert found.most == pytest.approx(1)
    assert found.per_game.blocks == 20_000


def test_worths_of_sides_are_those_of_their_members_and_seats() -> None:
    games = rotated(philox(72), 200, np.linspace(-1, 1, 7), 6, seat=[0.5, 0.0, -0.5])
    ratings = fit(games, 7, anchor=0)
    worth, ranks = side_worths(ratings, games)
    game = 123
    seats = dict(zip(ratings.seat_effects.seat.tolist(), (ratings.seat_effects.elo / ELO).tolist(), strict=True))
    for side in range(3):
        one, partner = games.bots[game, side], games.bots[game, side + 3]
        assert worth[game, side] == pytest.approx(ratings.theta[one] + ratings.theta[partner] + seats[side])
        assert ranks[game, side] == games.ranks[game, side]
    assert (ranks[:, 3:] == -1).all()


@pytest.mark.parametrize("players", [2, 4])
def test_held_out_games_are_foretold_as_well_as_strengths_allow(players: int) -> None:
    strength = np.linspace(-1.2, 1.2, 6)
    games = rotated(philox(73, players), 3000, strength, players)
    found = held_out_bits(games, 6)
    worth = strength[games.bots[:, :players]]
    ranks = games.ranks[:, :players].astype(np.int64)
    truth = order_likelihood(worth, ranks) - order_likelihood(np.zeros_like(worth), ranks)
    assert found.per_game.value == pytest.approx(truth.mean() / math.log(2), abs=0.005)
    assert found.most == pytest.approx(math.log2(math.factorial(players)))
    win = held_out_bits(games, 6, win_only=True)
    assert 0 < win.per_game.value <= found.per_game.value + 1e-9
    assert win.most == pytest.approx(math.log2(players))


def test_equal_bots_foretell_nothing() -> None:
    found = held_out_bits(rotated(philox(74), 400, np.zeros(5), 4), 5)
    assert found.per_game.value < 0.001  # fitted noise misleads, if anything
    assert found.per_game.lo < 0


def test_a_single_game_and_none_are_no_error() -> None:
    one = held_out_bits(orders([[0, 1, 2]]), 3)
    assert one.per_game.value == pytest.approx(0, abs=1e-9)
    assert one.per_game.hi == math.inf
    none = held_out_bits(table([((0, 1), (1, 2))]).where(np.zeros(1, bool)), 2)
    assert np.isnan(none.per_game.value)


def by_enumeration(chances: list[float], games: int) -> Floats:
    won = np.zeros(len(chances))
    for winners in product(range(len(chances)), repeat=games):
        counts = np.bincount(winners, minlength=len(chances))
        best = counts == counts.max()
        won += best / best.sum() * math.prod(chances[winner] for winner in winners)
    return won


@pytest.mark.parametrize("chances", [[0.7, 0.3], [0.5, 0.3, 0.2], [0.4, 0.3, 0.2, 0.1], [0.25] * 4, [1.0, 0.0]])
@pytest.mark.parametrize("games", [1, 2, 3, 5])
def test_matches_by_enumeration(chances: list[float], games: int) -> None:
    assert match_win(chances, games) == pytest.approx(by_enumeration(chances, games))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=6), st.integers(1, 40))
def test_somebody_wins_and_the_better_more_often(weights: list[float], games: int) -> None:
    chances = np.array(weights) / sum(weights)
    won = match_win(chances, games)
    assert won.sum() == pytest.approx(1)
    order = np.argsort(chances)
    assert (np.diff(won[order]) >= -1e-9).all()
    assert won[order[-1]] >= chances.max() - 1e-9


def test_longer_matches_are_for_the_better() -> None:
    lengths = [float(match_win([0.3, 0.2, 0.2, 0.15, 0.15], games)[0]) for games in (1, 3, 5, 10, 150)]
    assert lengths == sorted(lengths)
    assert lengths[-1] > 0.9
    counts = philox(75).multinomial(10, [0.3, 0.2, 0.2, 0.15, 0.15], 200_000)
    best = counts == counts.max(axis=1, keepdims=True)
    assert lengths[3] == pytest.approx((best / best.sum(axis=1, keepdims=True)).mean(axis=0)[0], abs=0.005)


@pytest.mark.parametrize(("chances", "games"), [([0.5, 0.6], 3), ([1.2, -0.2], 3), ([0.5, 0.5], 0), ([0.5, 0.5], 151)])
def test_no_match_is_refused(chances: list[float], games: int) -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        match_win(chances, games)
