"""The table of games refuses what is no game, and the finish order is that of the ranks."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stats.samples import rotated, table

from harness.stats.results import Finishes, finish_order, gathered


def test_wrong_shapes_and_dtypes_are_named() -> None:
    good = table([((0, 1), (1, 2))])
    with pytest.raises(ValueError, match=r"bots is int64 .* should be int16 \(1, 6\)"):
        replace(good, bots=good.bots.astype(np.int64))
    with pytest.raises(ValueError, match=r"players is int8 \(2,\)"):
        replace(good, players=np.array([2, 2], np.int8))


@pytest.mark.parametrize(
    ("rows", "sides", "why"),
    [
        ([((0, 1), (1, 2)), ((0, 1), (1, 0))], (), "game 1 has a seat with a bot but no rank"),
        ([((0,), (1,))], (), "game 0 has fewer than two sides"),
        ([((0, 1), (1, 1))], [(0, 0)], "game 0 has fewer than two sides"),
        ([((0, 1, 2, 3, 4, 5), (1,) * 6)], [(0,) * 6], "game 0 has fewer than two sides"),
        ([((0, 1, 2), (1, 2, 3))], [(0, 1, 0)], "game 0 has partners of different rank"),
    ],
)
def test_what_is_no_game_is_refused(rows, sides, why) -> None:
    with pytest.raises(ValueError, match=why):
        table(rows, sides=sides)


def test_players_must_be_the_seats_taken() -> None:
    good = table([((0, 1), (1, 2))])
    with pytest.raises(ValueError, match="another number of seats"):
        replace(good, players=np.array([3], np.int8))


def test_finish_order_of_a_team_game_by_hand() -> None:
    # seats 0 and 3 are side 4, seats 1 and 4 side 7, seats 2 and 5 side 0; side 0 wins, the others tie
    games = table([((9, 8, 7, 6, 5, 4), (2, 2, 1, 2, 2, 1))], sides=[(4, 7, 0, 4, 7, 0)])
    finishes = finish_order(games)
    assert finishes.sides[0] == 3
    assert finishes.first[0, :3].tolist() == [2, 0, 1]
    assert finishes.place[0].tolist() == [1, 2, 0, 1, 2, 0]
    assert finishes.tied[0, :3].tolist() == [False, False, True]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(1, 9), min_size=2, max_size=6), min_size=1, max_size=8), st.randoms())
def test_finish_order_is_a_stable_sort_by_rank(ranks, random) -> None:
    blocks = [random.randrange(-3, 3) for _ in ranks]
    finishes = finish_order(table([(range(len(row)), row) for row in ranks], blocks))
    expected = [ranks[index] for index in sorted(range(len(ranks)), key=lambda game: blocks[game])]
    assert (np.diff(finishes.block) >= 0).all()
    assert finishes.blocks == len(set(blocks))
    for game, row in enumerate(expected):
        order = sorted(range(len(row)), key=lambda seat: row[seat])
        assert finishes.first[game, : len(row)].tolist() == order
        ties = [False] + [row[one] == row[two] for one, two in pairwise(order)]
        assert finishes.tied[game, : len(row)].tolist() == ties


def test_no_games_are_a_table_too() -> None:
    nothing = rotated(np.random.default_rng(0), 0, np.zeros(4), 4)
    assert len(nothing) == 0
    assert finish_order(nothing).blocks == 0
    assert len(gathered(finish_order(nothing)).block) == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.permutations([0, 3, 30000]), max_size=30), st.randoms(), st.sampled_from([2, 3, 40]))
def test_games_are_gathered_with_those_that_went_alike_and_no_others(lineups, random, seats) -> None:
    """Against counting them one by one; at 40 seats no number holds a whole game."""
    rows = [
        (who[:seats] + list(range(100, 97 + seats)), [random.randrange(1, 3) for _ in range(seats)]) for who in lineups
    ]
    finishes = finish_order(table(rows)) if rows else finish_order(table([((0, 1), (1, 2))]).where(np.zeros(1, bool)))
    alike = Counter((tuple(finishes.bots[game]), *finish_of(finishes, game)) for game in range(len(rows)))
    found = gathered(finishes)
    assert alike == {
        (tuple(found.bots[game]), *finish_of(found, game)): times for game, times in enumerate(found.times.tolist())
    }


def finish_of(finishes: Finishes, game: int) -> tuple[tuple[int, ...], tuple[bool, ...], int, int]:
    place, tied = finishes.place[game].tolist(), finishes.tied[game].tolist()
    return tuple(place), tuple(tied), int(finishes.sides[game]), int(finishes.players[game])
