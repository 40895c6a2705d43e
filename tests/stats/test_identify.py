"""Who was compared with whom, counted by hand."""

import numpy as np
import pytest
from stats.samples import joined, rotated, table

from harness.stats.identify import contrasts, main_component, tally
from harness.stats.maximum import prior_terms
from harness.stats.model import build_model
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
        # the larger of two, else the one of more games, else the anchor's, else none
        ([((0, 1), (2, 1)), ((0, 1), (1, 2)), ((2, 3), (1, 2)), ((3, 4), (1, 2)), ((4, 2), (1, 2))], 0, [2, 3, 4]),
        ([((0, 1), (1, 2)), ((0, 1), (2, 1)), *[((2, 3), (1, 2)), ((2, 3), (2, 1))] * 2], 0, [2, 3]),
        ([((0, 1), (1, 2)), ((0, 1), (2, 1)), ((2, 3), (1, 2)), ((2, 3), (2, 1))], 3, [2, 3]),
        ([((1, 2), (1, 2)), ((1, 2), (2, 1)), ((3, 4), (1, 2)), ((3, 4), (2, 1))], 0, []),
        ([((1, 2), (1, 2)), ((1, 2), (2, 1)), ((3, 4), (1, 2)), ((3, 4), (2, 1))], None, []),
    ],
)
def test_main_component(rows: list, anchor: int | None, expected: list[int]) -> None:
    counts = tally(finish_order(table(rows)), 5, win_only=False)
    assert np.flatnonzero(main_component(counts, anchor)).tolist() == expected


def test_the_prior_is_a_game_won_and_one_lost_against_the_ghost_with_the_same_ties() -> None:
    # of two equals half the games are tied, so each decided game against the ghost has chance 1/4
    model = build_model(finish_order(table([((0, 1), (1, 1)), ((0, 1, 2), (1, 1, 1))])), 3, 0.5, True, False)
    params = np.zeros(model.layout.size)
    params[model.layout.tie[2]] = np.log(2.0)
    value, score, information = prior_terms(model, params)
    assert value == pytest.approx(0.5 * 6 * np.log(0.25), abs=1e-5)
    assert score[:4] == pytest.approx(0.0, abs=1e-12)
    assert score[model.layout.tie[2]] == pytest.approx(-0.5 * 6 * 0.5, abs=1e-5)
    assert np.diag(information)[:3] == pytest.approx(0.5 * 2 * 0.125)  # the mean of x' x less that of x, squared
    seats = model.layout.seat[model.layout.seat >= 0]
    assert len(seats) == 5
    assert (np.diag(information)[seats] < 1e-5).all()  # the ghost sits nowhere


def test_a_whisper_keeps_seats_and_ties_finite_and_changes_no_digit() -> None:
    model = build_model(finish_order(table([((0, 1), (1, 1))])), 2, 0.0, True, False)
    params = np.array([0.7, -0.7, 0.0, 0.3, -0.3, 2.0])
    value, score, _ = prior_terms(model, params)
    assert 0 > value > -1e-5
    assert np.abs(score).max() < 1e-5


def test_contrasts_of_effects_leave_out_what_bots_and_tables_have_in_general() -> None:
    rng = np.random.default_rng(1)
    games = joined(*(rotated(rng, 30, np.zeros(5), players, first_block=100 * players) for players in (2, 4)))
    six = rotated(rng, 40, np.zeros(6), 6, first_block=1000)
    model = build_model(finish_order(joined(games, six)), 6, 0.5, True, False, effects=True)
    centred = contrasts(model, np.ones(6, np.bool_))
    assert centred @ centred == pytest.approx(centred)
    tables = centred[7 : 7 + len(model.tables)] @ rng.normal(size=model.layout.size)
    for column, count in ((0, 6), (1, 3)):
        assert len(set(model.tables[:, column])) == count
        for value in set(model.tables[:, column]):
            assert tables[model.tables[:, column] == value].sum() == pytest.approx(0.0, abs=1e-12)
    start = 7 + len(model.tables)
    pairs = centred[start : start + len(model.pairs)] @ rng.normal(size=model.layout.size)
    for bot in range(6):
        assert pairs[(model.pairs == bot).any(axis=1)].sum() == pytest.approx(0.0, abs=1e-12)
