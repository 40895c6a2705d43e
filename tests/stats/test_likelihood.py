"""The likelihood against closed forms, a slow second version, and its own finite differences."""

from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt
import pytest
from stats.samples import joined, rotated, table

from harness.stats.maximum import prior_terms
from harness.stats.model import Model, build_model
from harness.stats.results import Finishes, Results, finish_order
from harness.stats.totals import block_scores, evaluate


def weak_orders(sides: int) -> list[tuple[int, ...]]:
    """All ranks 1, 2, ... (dense) that so many sides can get: 3, 13, 75 of 2, 3, 4."""
    ranks = np.indices((sides,) * sides).reshape(sides, -1).T
    return [tuple(row + 1) for row in ranks if set(row) == set(range(max(row) + 1))]


def slow_log_likelihood(results: Results, model: Model, params: npt.NDArray[np.float64]) -> float:
    """The formula of the module's docstring, word by word."""
    layout = model.layout
    value = 0.0
    for game in range(len(results)):
        eta: dict[int, float] = {}
        for seat in range(results.players[game]):
            side = results.side[game, seat]
            if side not in eta:
                term = layout.seat[results.players[game], seat]
                eta[side] = params[term] if term >= 0 else 0.0
            bot = results.bots[game, seat]
            eta[side] += params[bot]
            if len(model.tables):
                eta[side] += params[layout.table[bot, results.players[game]]]
            for other in range(seat if len(model.pairs) else 0):
                if results.side[game, other] == side:
                    eta[side] += params[layout.pair[bot, results.bots[game, other]]]
        rank = {int(results.side[game, seat]): results.ranks[game, seat] for seat in range(results.players[game])}

        def log_f(chosen: tuple[int, ...], eta: dict[int, float] = eta) -> float:
            tie = params[layout.tie[len(chosen)]] if len(chosen) > 1 else 0.0
            return sum(eta[side] for side in chosen) / len(chosen) + tie

        left = sorted(eta, key=lambda side: rank[side])
        for _ in range(layout.stages):
            if len(left) < 2:
                break
            group = tuple(side for side in left if rank[side] == rank[left[0]])
            sets = [s for k in range(1, len(left) + 1) if k == 1 or layout.tie[k] >= 0 for s in combinations(left, k)]
            value += log_f(group) - np.logaddexp.reduce([log_f(s) for s in sets])
            left = left[len(group) :]
    return float(value)


def mixed_games(coarse: float) -> Results:
    rng = np.random.default_rng(11)
    theta = rng.normal(0, 0.8, 7)
    return joined(
        *(rotated(rng, 6, theta, players, coarse=coarse, first_block=100 * players) for players in (2, 3, 4, 5, 6))
    )


@pytest.mark.parametrize("coarse", [0.0, 0.7, 1.5])
@pytest.mark.parametrize("kind", ["finish", "win", "effects"])
def test_value_score_and_information(coarse: float, kind: str) -> None:
    games = mixed_games(coarse)
    finishes = finish_order(games)
    model = build_model(finishes, 7, 0.5, True, kind == "win", kind == "effects")
    assert (len(model.orders) > 0) == (coarse > 0)
    assert (len(model.tables) > 0) == (len(model.pairs) > 0) == (kind == "effects")
    params = np.random.default_rng(1).normal(0, 0.7, model.layout.size)
    value, score, information = evaluate(finishes, model.layout, params)
    assert value == pytest.approx(slow_log_likelihood(games, model, params), rel=1e-12)
    step = 1e-5
    for term in range(model.layout.size):
        shift = step * np.eye(model.layout.size)[term]
        up, up_score, _ = evaluate(finishes, model.layout, params + shift)
        down, down_score, _ = evaluate(finishes, model.layout, params - shift)
        assert score[term] == pytest.approx((up - down) / (2 * step), abs=1e-5)
        assert information[term] == pytest.approx((down_score - up_score) / (2 * step), abs=1e-5)


def test_prior_score_and_information() -> None:
    model = build_model(finish_order(mixed_games(1.0)), 7, 0.5, True, False)
    params = np.random.default_rng(2).normal(0, 1.0, model.layout.size)
    _, score, information = prior_terms(model, params)
    step = 1e-5
    for term in range(model.layout.size):
        shift = step * np.eye(model.layout.size)[term]
        up, up_score, _ = prior_terms(model, params + shift)
        down, down_score, _ = prior_terms(model, params - shift)
        assert score[term] == pytest.approx((up - down) / (2 * step), abs=1e-8)
        assert information[term] == pytest.approx((down_score - up_score) / (2 * step), abs=1e-8)


def one_game(ranks: tuple[int, ...], model: Model, params: npt.NDArray[np.float64]) -> float:
    """Probability of this outcome of the game in which bot i sits in seat i."""
    finishes = finish_order(table([(range(len(ranks)), ranks)]))
    return float(np.exp(evaluate(finishes, model.layout, params)[0]))


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_outcomes_with_ties_sum_to_one(sides: int) -> None:
    outcomes = weak_orders(sides)
    model = build_model(finish_order(table([(range(sides), ranks) for ranks in outcomes])), sides, 0.5, True, False)
    params = np.random.default_rng(sides).normal(0, 1, model.layout.size)
    assert sum(one_game(ranks, model, params) for ranks in outcomes) == pytest.approx(1.0, abs=1e-12)


def test_davidson() -> None:
    model = build_model(finish_order(table([((0, 1), (1, 1))])), 2, 0.5, False, False)
    theta, tau = np.array([0.4, -0.3]), np.log(0.8)
    params = np.array([*theta, 0.0, tau])
    worth = np.exp(theta)
    total = worth.sum() + 0.8 * np.sqrt(worth.prod())
    assert one_game((1, 2), model, params) == pytest.approx(worth[0] / total)
    assert one_game((2, 1), model, params) == pytest.approx(worth[1] / total)
    assert one_game((1, 1), model, np.array([0.0, 0.0, 0.0, tau])) == pytest.approx(0.8 / 2.8)


def plain_model(players: int, win_only: bool = False) -> tuple[Finishes, Model]:
    finishes = finish_order(table([(range(players), range(1, players + 1))]))
    return finishes, build_model(finishes, players, 0.5, False, win_only)


def test_marginal_of_two_at_a_table_of_four_is_bradley_terry() -> None:
    _, model = plain_model(4)
    params = np.array([0.3, -0.2, 0.9, 0.0, 0.0])
    above = sum(one_game(ranks, model, params) for ranks in permutations(range(1, 5)) if ranks[0] < ranks[1])
    assert above == pytest.approx(0.6224593, abs=1e-7)
    assert above == pytest.approx(1 / (1 + np.exp(-0.5)), abs=1e-12)


@pytest.mark.parametrize(
    ("players", "finish", "win"),
    [(2, 0.25, 0.25), (3, 0.3889, 0.2222), (4, 0.4792, 0.1875), (5, 0.5433, 0.16), (6, 0.5917, 0.1389)],
)
def test_information_of_one_appearance_among_equals(players: int, finish: float, win: float) -> None:
    for win_only, expected in ((False, finish), (True, win)):
        finishes, model = plain_model(players, win_only)
        _, _, information = evaluate(finishes, model.layout, np.zeros(model.layout.size))
        assert np.trace(information) / players == pytest.approx(expected, abs=5e-5)
    harmonic = sum(1 / k for k in range(1, players + 1))
    assert finish == pytest.approx((players - harmonic) / players, abs=5e-5)


@pytest.mark.parametrize(
    ("lead", "chances"),
    [(100, [0.640, 0.471, 0.372, 0.308, 0.262]), (200, [0.760, 0.613, 0.513, 0.442, 0.387])],
)
def test_win_chance_of_a_better_bot(lead: float, chances: list[float]) -> None:
    for players, chance in zip(range(2, 7), chances, strict=True):
        _, model = plain_model(players, win_only=True)
        params = np.zeros(model.layout.size)
        params[0] = lead * np.log(10) / 400
        assert one_game(tuple(range(1, players + 1)), model, params) == pytest.approx(chance, abs=5e-4)


def test_meat_is_the_sum_of_squared_block_scores() -> None:
    games = mixed_games(0.7)
    finishes = finish_order(games)
    model = build_model(finishes, 7, 0.5, True, False)
    params = np.random.default_rng(3).normal(0, 0.7, model.layout.size)
    expected = np.zeros((model.layout.size, model.layout.size))
    for block in np.unique(games.block):
        score = evaluate(finish_order(games.where(games.block == block)), model.layout, params)[1]
        expected += np.outer(score, score)
    outer, _ = block_scores(finishes, model.layout, params, np.arange(finishes.blocks))
    assert outer == pytest.approx(expected, abs=1e-9)
