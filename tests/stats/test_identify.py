"""Who was compared with whom, counted by hand."""

import numpy as np
import pytest
from stats.samples import table

from harness.stats.identify import main_component, tally
from harness.stats.maximum import build_model, prior_terms
from harness.stats.results import finish_order


def test_tally_by_hand() -> None:
    games = table([((0, 1, 2), (1, 1, 3)), ((2, 2, 0), (1, 2, 3)), ((1, 3), (2, 1))], blocks=[1, 1, 2])
    counts = tally(finish_order(games), 5, win_only=False)
    assert counts.games.tolist() == [2, 2, 2, 1, 0]
    assert counts.seats.tolist() == [2, 2, 3, 1, 0]
    assert counts.blocks.tolist() == [1, 2, 1, 1, 0]
    assert counts.wins.tolist() == [0.5, 0.5, 1, 1, 0]
    assert np.argwhere(counts.beaten).tolist() == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [3, 1]]
    assert counts.decided.tolist() == [True, True, True, True, False]


def test_partners_share_the_win_and_are_not_compared() -> None:
    games = table([((0, 1, 2, 3, 4, 5), (2, 1, 3, 2, 1, 3))], sides=[(0, 1, 2, 0, 1, 2)])
    counts = tally(finish_order(games), 6, win_only=False)
    assert counts.wins.tolist() == [0, 1, 0, 0, 1, 0]
    assert counts.beaten[1].tolist() == [True, False, True, True, False, True]
    only_first = tally(finish_order(games), 6, win_only=True)
    assert np.argwhere(only_first.beaten).tolist() == [[one, two] for one in (1, 4) for two in (0, 2, 3, 5)]


@pytest.mark.parametrize(
    ("rows", "anchor", "expected"),
    [
        # a chain of wins is no component
        ([((0, 1), (1, 2)), ((1, 2), (1, 2))], 0, []),
        # a cycle is one, and a bot that only loses to it stays outside
        ([((0, 1), (1, 2)), ((1, 2), (1, 2)), ((2, 0), (1, 2)), ((0, 3), (1, 2))], 3, [0, 1, 2]),
        # a tie goes both ways, for bots that were decided at least once
        ([((0, 1), (1, 1)), ((0, 2), (1, 2)), ((1, 2), (1, 2))], 0, [0, 1]),
        ([((0, 1), (1, 1)), ((2, 3), (1, 2))], 0, []),
        # the larger of two, else the one of more games, else the anchor's, else the first
        ([((0, 1), (2, 1)), ((0, 1), (1, 2)), ((2, 3), (1, 2)), ((3, 4), (1, 2)), ((4, 2), (1, 2))], 0, [2, 3, 4]),
        ([((0, 1), (1, 2)), ((0, 1), (2, 1)), *[((2, 3), (1, 2)), ((2, 3), (2, 1))] * 2], 0, [2, 3]),
        ([((0, 1), (1, 2)), ((0, 1), (2, 1)), ((2, 3), (1, 2)), ((2, 3), (2, 1))], 3, [2, 3]),
        ([((1, 2), (1, 2)), ((1, 2), (2, 1)), ((3, 4), (1, 2)), ((3, 4), (2, 1))], 0, [1, 2]),
    ],
)
def test_main_component(rows: list, anchor: int, expected: list[int]) -> None:
    counts = tally(finish_order(table(rows)), 5, win_only=False)
    assert np.flatnonzero(main_component(counts, anchor)).tolist() == expected


def test_the_prior_is_centred_on_equality_and_on_one_tie_in_two_decisions() -> None:
    model = build_model(finish_order(table([((0, 1), (1, 1)), ((0, 1, 2), (1, 1, 1))])), 3, 0.5, True, False)
    params = np.zeros(model.layout.size)
    params[-2:] = np.log(2.0)  # of two equals half the games are then tied
    value, score, information = prior_terms(model, params)
    assert score == pytest.approx(0.0, abs=1e-15)
    assert value == pytest.approx(-2 * 0.5 * np.log(2) * (model.layout.size - 1))
    assert np.diag(information)[:3] == pytest.approx(0.25)
