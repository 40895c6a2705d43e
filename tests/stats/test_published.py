"""Fits against published figures and against other people's programs."""

import csv
from pathlib import Path

import choix
import evalica
import numpy as np
import numpy.typing as npt
import pytest
from stats.samples import beats, orders, rotated, table

from harness.stats.pairs import pairwise
from harness.stats.quasi import quasi_errors
from harness.stats.ratings import ELO, Ratings, fit
from harness.stats.results import Results
from harness.stats.uncertainty import difference_variance

DATA = Path(__file__).parent / "data"

# Citations between statistics journals (Stigler 1994): row cited by column
CITATIONS = [[714, 730, 498, 221], [33, 425, 68, 17], [320, 813, 1072, 142], [284, 276, 325, 188]]

# Paired comparisons of six chocolate puddings (Davidson 1970, example 2): brands, wins of each, ties
PUDDINGS = [
    (1, 2, 19, 22, 16), (1, 3, 16, 19, 12), (2, 3, 19, 19, 10), (1, 4, 18, 23, 13), (2, 4, 23, 19, 9),
    (3, 4, 19, 20, 15), (1, 5, 13, 19, 18), (2, 5, 16, 20, 12), (3, 5, 16, 15, 17), (4, 5, 17, 14, 16),
    (1, 6, 18, 21, 12), (2, 6, 22, 20, 12), (3, 6, 13, 18, 10), (4, 6, 14, 19, 18), (5, 6, 11, 21, 12),
]  # fmt: skip

Floats = npt.NDArray[np.float64]


def published_fit(results: Results, bot_count: int, prior: float = 0.0, seat_terms: bool = False) -> Ratings:
    return fit(results, bot_count, anchor=0, anchor_elo=0.0, prior=prior, seat_terms=seat_terms)


def against_first(ratings: Ratings) -> tuple[Floats, Floats]:
    """Log-worths with bot 0 at zero and the model's standard errors: what publications print."""
    return ratings.theta - ratings.theta[0], np.sqrt(difference_variance(ratings.model_covariance)[0])


def rows_of(name: str) -> list[list[str]]:
    with open(DATA / name, newline="") as text:
        return list(csv.reader(text))


def test_citations() -> None:
    ratings = published_fit(beats(CITATIONS), 4)
    theta, se = against_first(ratings)
    assert theta == pytest.approx([0.0, -2.94907, -0.47957, 0.26895], abs=1e-5)
    assert se == pytest.approx([0.0, 0.10255, 0.06059, 0.07083], abs=1e-5)
    assert ratings.elo == pytest.approx([0.0, -512.3, -83.3, 46.7], abs=0.05)
    assert ratings.components == 1


def puddings() -> Ratings:
    wins, ties = np.zeros((6, 6)), np.zeros((6, 6))
    for one, two, first, second, level in PUDDINGS:
        wins[one - 1, two - 1], wins[two - 1, one - 1], ties[one - 1, two - 1] = first, second, level
    return published_fit(beats(wins, ties), 6)


def test_puddings_with_ties() -> None:
    ratings = puddings()
    theta, se = against_first(ratings)
    # the published fit stopped after seven iterations: its fourth digit is off
    worth = np.exp(theta) / np.exp(theta).sum()
    assert worth == pytest.approx([0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855], abs=2e-4)
    assert np.exp(ratings.tie_effects.log_worth) == pytest.approx(0.7468147, abs=2e-4)
    assert se[1:] == pytest.approx([0.1872, 0.1935, 0.1882, 0.1927, 0.1924], abs=2e-4)
    assert ratings.tie_effects.model_se == pytest.approx(0.0825, abs=1e-4)
    assert -2 * ratings.log_likelihood == pytest.approx(1619.4, abs=0.05)


def test_puddings_against_their_mean() -> None:
    # the vignette of the R package PlackettLuce (Turner and others 2020) prints these, and the quasi standard errors
    ratings = puddings()
    assert ratings.theta == pytest.approx([-0.176581, 0.043664, -0.023617, -0.001295, -0.042726, 0.200555], abs=2e-4)
    assert np.sqrt(np.diag(ratings.model_covariance)) == pytest.approx(
        [0.121949, 0.121818, 0.126823, 0.122003, 0.127054, 0.126594], abs=1e-4
    )
    assert quasi_errors(ratings.model_covariance) == pytest.approx(
        [0.1328950, 0.1327373, 0.1395740, 0.1330240, 0.1399253, 0.1392047], abs=1e-4
    )


def test_baseball_with_home_advantage() -> None:
    # American League East 1987 (Agresti 2002, section 10.6; Firth 2005): home team, away team, games won by each
    _, *rows = rows_of("baseball1987.csv")
    teams = ["Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto"]
    games = []
    for home, away, won, lost in rows:
        pair = (teams.index(home), teams.index(away))
        games += [(pair, (1, 2))] * int(won) + [(pair, (2, 1))] * int(lost)
    plain = published_fit(table(games), 7)
    theta, se = against_first(plain)
    assert theta[1:] == pytest.approx([1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945], abs=5e-5)
    assert se[1:] == pytest.approx([0.3339, 0.3319, 0.3396, 0.3433, 0.3359, 0.3367], abs=5e-5)
    homely = published_fit(table(games), 7, seat_terms=True)
    theta, se = against_first(homely)
    assert theta[1:] == pytest.approx([1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271], abs=5e-5)
    assert se[1:] == pytest.approx([0.3378, 0.3350, 0.3446, 0.3474, 0.3404, 0.3403], abs=5e-5)
    # home counts 0.3023 against away: half of it over the middle of the two
    assert 2 * homely.seat_effects.elo[0] / ELO == pytest.approx(0.3023, abs=5e-5)
    assert 2 * homely.seat_effects.model_se[0] / ELO == pytest.approx(0.1309, abs=5e-5)
    assert 2 * (homely.log_likelihood - plain.log_likelihood) == pytest.approx(44.05 - 38.64, abs=0.01)


def test_races_of_43_drivers() -> None:
    # NASCAR 2002 without four drivers who were last in each of their races (Hunter 2004): drivers in finish order
    races = [[int(driver) - 1 for driver in row] for row in rows_of("nascar2002.csv")]
    assert sorted({driver for race in races for driver in race}) == list(range(83))
    theta, _ = against_first(published_fit(orders(races), 83))
    named = {57: 4.15, 67: 3.62, 50: 2.08, 14: 0.03, 16: -0.31, 39: -0.15}  # P. Jones, Pruett, Martin ... Varde
    assert theta[list(named)] == pytest.approx(list(named.values()), abs=0.005)


def test_ghost_prior_of_turner_and_others() -> None:
    # the toy example of the R package PlackettLuce (2020): D only loses
    toy = orders([[0, 1], [2, 0], [0, 3], [1, 0], [1, 2]])
    ratings = published_fit(toy, 4, prior=0.5)
    assert against_first(ratings)[0] == pytest.approx([0.0, 0.5184185, 0.1354707, -1.1537565], abs=1e-6)
    assert ratings.components == 2
    ratings = published_fit(orders([[0, 1], [2, 0], [1, 0], [1, 2]]), 3)
    theta, se = against_first(ratings)
    assert theta[1:3] == pytest.approx([0.8392, 0.4196], abs=5e-5)
    assert se[1:3] == pytest.approx([1.3596, 1.5973], abs=5e-5)
    assert -2 * ratings.log_likelihood == pytest.approx(5.1356, abs=5e-5)


def test_the_ghost_plays_by_the_same_ties() -> None:
    # three fruits, two ties; figures that the tests of the R package PlackettLuce hold for its default prior
    fruits = table([
        ((0, 1), (1, 2)), ((0, 1, 2), (3, 1, 2)), ((0, 1, 2), (2, 1, 1)),
        ((0, 1, 2), (1, 2, 3)), ((0, 1, 2), (2, 1, 1)), ((0, 2), (1, 2)),
    ])  # fmt: skip
    ratings = published_fit(fruits, 3, prior=0.5)
    theta, se = against_first(ratings)
    assert theta == pytest.approx([0.0, 0.2867987, -0.4636687], abs=1e-6)
    assert ratings.tie_effects.log_worth == pytest.approx([-1.0701129], abs=1e-6)
    assert [*se[1:], *ratings.tie_effects.model_se] == pytest.approx([1.0129, 1.0280, 0.9043], abs=5e-5)
    assert -2 * ratings.log_likelihood == pytest.approx(21.61, abs=0.005)


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
    theta = fit(orders(rankings), bots, anchor=0, prior=0.0, seat_terms=False).theta
    assert theta == pytest.approx(expected, abs=1e-5)
    assert theta == pytest.approx(choix.opt_rankings(bots, rankings), abs=1e-5)


def test_first_place_case_of_choix() -> None:
    top_one = [(0, [1]), (1, [2]), (2, [0, 1])]
    games = orders([[winner, *losers] for winner, losers in top_one])
    theta = fit(games, 3, anchor=0, prior=0.0, seat_terms=False, win_only=True).theta
    assert theta == pytest.approx([0.160404, -0.320808, 0.160404], abs=1e-6)
    assert theta == pytest.approx(choix.opt_top1(3, top_one), abs=1e-5)


def test_choix_agrees_on_random_rankings() -> None:
    rng = np.random.default_rng(3)
    rankings = [list(rng.permutation(8)[: rng.integers(2, 6)]) for _ in range(150)]
    theta = fit(orders(rankings), 8, anchor=0, prior=0.0, seat_terms=False).theta
    assert theta == pytest.approx(choix.opt_rankings(8, rankings, tol=1e-12), abs=1e-5)


def test_evalica_agrees_on_random_duels() -> None:
    games = rotated(np.random.default_rng(4), 300, np.linspace(-1, 1, 6), 2)
    ratings = fit(games, 6, anchor=2, anchor_elo=0.0, prior=0.0, seat_terms=False)
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
