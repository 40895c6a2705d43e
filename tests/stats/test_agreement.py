"""Finish and win ratings agree where one strength is all there is, and not where somebody gambles."""

from dataclasses import replace

import numpy as np
import pytest
from stats.samples import rotated

from harness.stats.agreement import LARGEST, compare
from harness.stats.ratings import Ratings, fit
from harness.stats.results import Results

SPREAD = np.linspace(-0.5, 0.5, 6)


def both(games: Results, bots: int) -> tuple[Ratings, Ratings]:
    return fit(games, bots, anchor=0), fit(games, bots, anchor=0, win_only=True)


def gambling(games: Results, bot: int, share: float, seed: int) -> Results:
    """Let `bot`, where it is neither first nor last, trade its place for the first or the last one, evenly."""
    rng = np.random.default_rng(seed)
    ranks = games.ranks.copy()
    for game in range(len(games)):
        seat = int(np.argmax(games.bots[game] == bot))
        if games.bots[game, seat] == bot and rng.random() < share:
            place = 1 if rng.random() < 0.5 else games.players[game]
            other = int(np.argmax(ranks[game] == place))
            ranks[game, [seat, other]] = ranks[game, [other, seat]]
    return replace(games, ranks=ranks)


def test_one_strength_agrees() -> None:
    rng = np.random.default_rng(1)
    largest = []
    for _ in range(25):
        agreement = compare(*both(rotated(rng, 150, SPREAD, 4, fresh=0.7), 6))
        assert agreement.compared.all()
        largest.append(agreement.largest)
    assert np.mean(np.array(largest) > LARGEST) <= 0.08
    assert 1.0 < np.median(largest) < 2.6  # the largest of six about normal numbers


def test_the_gap_is_that_of_the_ratings_less_their_means() -> None:
    finish, win = both(rotated(np.random.default_rng(2), 150, SPREAD, 4), 6)
    agreement = compare(finish, win)
    assert agreement.gap == pytest.approx(win.theta * 173.7178 - finish.theta * 173.7178, abs=1e-3)
    assert agreement.gap.sum() == pytest.approx(0.0, abs=1e-9)
    # efficient against inefficient: the gap has about the variance the win rating has more (Hausman 1978)
    assert agreement.se**2 == pytest.approx(np.diag(win.covariance) - np.diag(finish.covariance), rel=0.5)


def test_a_gambler_is_found_and_the_win_rating_published() -> None:
    games = gambling(rotated(np.random.default_rng(3), 500, np.zeros(6), 4), 2, 0.6, 4)
    agreement = compare(*both(games, 6))
    assert int(np.argmax(np.abs(agreement.gap / agreement.se))) == 2
    assert agreement.gap[2] > 0
    assert not agreement.agree
    assert agreement.published == "win"
    assert compare(*both(rotated(np.random.default_rng(3), 500, np.zeros(6), 4), 6)).published == "finish"


def test_the_top_reversed_is_no_agreement_whatever_the_gap() -> None:
    finish, win = both(rotated(np.random.default_rng(5), 2000, SPREAD, 4), 6)
    flipped = replace(win, los=win.los.T, elo=win.elo)
    agreement = compare(finish, replace(flipped, influence=1e3 * win.influence))
    assert agreement.largest < LARGEST
    assert [5, 4] in agreement.reversed.tolist()
    assert not agreement.agree
    assert not any(0 in pair for pair in agreement.reversed.tolist())  # the weakest is not among the five best


@pytest.mark.parametrize("blocks", [0, 1, 30])
def test_few_blocks_are_not_compared(blocks: int) -> None:
    agreement = compare(*both(rotated(np.random.default_rng(6), blocks, SPREAD, 4), 6))
    assert not agreement.compared.any()
    assert agreement.agree
    assert agreement.published == "finish"
    assert agreement.se.tolist() == [0] * 6
