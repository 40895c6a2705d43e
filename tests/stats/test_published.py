"""Fits against published figures and against other people's programs."""

import choix
import evalica
import numpy as np
import numpy.typing as npt
import pytest
from stats.samples import beats, orders, rotated

from harness.stats.maximum import build_model, maximise
from harness.stats.pairs import pairwise
from harness.stats.ratings import ELO, fit
from harness.stats.results import Results, finish_order

NO_PRIOR = 1e-9

# Citations between statistics journals (Stigler 1994): row cited by column
CITATIONS = [[714, 730, 498, 221], [33, 425, 68, 17], [320, 813, 1072, 142], [284, 276, 325, 188]]

# Paired comparisons of six chocolate puddings (Davidson 1970, example 2): brands, wins of each, ties
PUDDINGS = [
    (1, 2, 19, 22, 16), (1, 3, 16, 19, 12), (2, 3, 19, 19, 10), (1, 4, 18, 23, 13), (2, 4, 23, 19, 9),
    (3, 4, 19, 20, 15), (1, 5, 13, 19, 18), (2, 5, 16, 20, 12), (3, 5, 16, 15, 17), (4, 5, 17, 14, 16),
    (1, 6, 18, 21, 12), (2, 6, 22, 20, 12), (3, 6, 13, 18, 10), (4, 6, 14, 19, 18), (5, 6, 11, 21, 12),
]  # fmt: skip

Floats = npt.NDArray[np.float64]


def model_fit(results: Results, bot_count: int, prior: float = NO_PRIOR) -> tuple[Floats, Floats]:
    """Parameters with bot 0 at zero, and the model's own standard errors, which the publications print."""
    finishes = finish_order(results)
    model = build_model(finishes, bot_count, prior, False, False)
    top = maximise(finishes, model)
    inverse = model.basis @ np.linalg.inv(model.basis.T @ top.information @ model.basis) @ model.basis.T
    against_first = np.eye(model.layout.size)
    against_first[:bot_count, 0] -= 1.0
    return against_first @ top.params, np.sqrt(np.diag(against_first @ inverse @ against_first.T).clip(0))


def test_citations() -> None:
    games = beats(CITATIONS)
    theta, se = model_fit(games, 4)
    assert theta[1:4] == pytest.approx([-2.94907, -0.47957, 0.26895], abs=1e-5)
    assert se[1:4] == pytest.approx([0.10255, 0.06059, 0.07083], abs=1e-5)
    ratings = fit(games, 4, anchor=0, anchor_elo=0.0, prior=NO_PRIOR, seat_terms=False)
    assert ratings.elo == pytest.approx([0.0, -512.3, -83.3, 46.7], abs=0.05)


def test_puddings_with_ties() -> None:
    wins, ties = np.zeros((6, 6)), np.zeros((6, 6))
    for one, two, first, second, level in PUDDINGS:
        wins[one - 1, two - 1], wins[two - 1, one - 1], ties[one - 1, two - 1] = first, second, level
    theta, se = model_fit(beats(wins, ties), 6)
    # the published fit stopped after seven iterations: its fourth digit is off
    worth = np.exp(theta[:6]) / np.exp(theta[:6]).sum()
    assert worth == pytest.approx([0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855], abs=2e-4)
    assert np.exp(theta[7]) == pytest.approx(0.7468147, abs=2e-4)
    assert se[1:6] == pytest.approx([0.1872, 0.1935, 0.1882, 0.1927, 0.1924], abs=2e-4)
    assert se[7] == pytest.approx(0.0825, abs=1e-4)


def test_ghost_prior_of_turner_and_others() -> None:
    # the toy example of the R package PlackettLuce (2020): D only loses
    toy = orders([[0, 1], [2, 0], [0, 3], [1, 0], [1, 2]])
    theta, _ = model_fit(toy, 4, prior=0.5)
    assert theta[:4] == pytest.approx([0.0, 0.5184185, 0.1354707, -1.1537565], abs=1e-6)
    theta, se = model_fit(orders([[0, 1], [2, 0], [1, 0], [1, 2]]), 3)
    assert theta[1:3] == pytest.approx([0.8392, 0.4196], abs=5e-5)
    assert se[1:3] == pytest.approx([1.3596, 1.5973], abs=5e-5)


@pytest.mark.parametrize(
    ("rankings", "expected"),
    [
        ([[0, 1, 2], [3, 2, 0], [1, 3]], [-0.443308, 0.695068, -0.670610, 0.418850]),
        ([[0, 1], [0, 1], [1, 2], [2, 0]], [0.4196176, -0.4196176, 0.0]),
        ([[0, 1], [1, 2], [2, 0]], [0.0, 0.0, 0.0]),
    ],
)
def test_cases_of_choix(rankings: list[list[int]], expected: list[float]) -> None:
    bots = len(expected)
    theta = fit(orders(rankings), bots, anchor=0, prior=NO_PRIOR, seat_terms=False).theta
    assert theta == pytest.approx(expected, abs=1e-5)
    assert theta == pytest.approx(choix.opt_rankings(bots, rankings), abs=1e-5)


def test_first_place_case_of_choix() -> None:
    top_one = [(0, [1]), (1, [2]), (2, [0, 1])]
    games = orders([[winner, *losers] for winner, losers in top_one])
    theta = fit(games, 3, anchor=0, prior=NO_PRIOR, seat_terms=False, win_only=True).theta
    assert theta == pytest.approx([0.160404, -0.320808, 0.160404], abs=1e-6)
    assert theta == pytest.approx(choix.opt_top1(3, top_one), abs=1e-5)


def test_choix_agrees_on_random_rankings() -> None:
    rng = np.random.default_rng(3)
    rankings = [list(rng.permutation(8)[: rng.integers(2, 6)]) for _ in range(150)]
    theta = fit(orders(rankings), 8, anchor=0, prior=NO_PRIOR, seat_terms=False).theta
    assert theta == pytest.approx(choix.opt_rankings(8, rankings, tol=1e-12), abs=1e-5)


def test_evalica_agrees_on_random_duels() -> None:
    games = rotated(np.random.default_rng(4), 300, np.linspace(-1, 1, 6), 2)
    ratings = fit(games, 6, anchor=2, anchor_elo=0.0, prior=NO_PRIOR, seat_terms=False)
    winner = games.bots[:, :2][np.arange(len(games)), games.ranks[:, :2].argmin(axis=1)]
    loser = games.bots[:, :2][np.arange(len(games)), games.ranks[:, :2].argmax(axis=1)]
    scores = evalica.bradley_terry(
        [str(bot) for bot in winner], [str(bot) for bot in loser], [evalica.Winner.X] * len(games), tolerance=1e-12
    ).scores
    theirs = ELO * np.log([scores[str(bot)] / scores["2"] for bot in range(6)])
    assert ratings.elo == pytest.approx(theirs, abs=1e-3)


def test_wins_by_pair_are_those_of_choix_rankings() -> None:
    rng = np.random.default_rng(5)
    rankings = [list(rng.permutation(5)[: rng.integers(2, 6)]) for _ in range(50)]
    expected = np.zeros((5, 5))
    for ranking in rankings:
        for place, above in enumerate(ranking):
            expected[above, ranking[place + 1 :]] += 1
    assert pairwise(orders(rankings), 5).wins == pytest.approx(expected)
