"""Seatings of a block: everybody in every seat, and with Williams squares everybody to the left of everybody."""

import itertools
from collections import Counter

import pytest

from harness.ladder.seating import block_seatings, orders, turned

SIZES = range(2, 7)


def left_neighbours(seatings: list[tuple[int, ...]]) -> Counter[tuple[int, int]]:
    """How often each bot sat right before another, round the table."""
    return Counter(pair for seating in seatings for pair in itertools.pairwise((*seating, seating[0])))


@pytest.mark.parametrize("size", SIZES)
def test_williams_squares_seat_everybody_everywhere_and_beside_everybody(size: int) -> None:
    teams = size == 6
    seatings = block_seatings(tuple(range(size)), teams, williams=True)
    assert len(set(seatings)) == len(seatings) == {3: 6, 5: 10}.get(size, size)
    assert seatings[0] == tuple(range(size))
    for seat in range(size):
        assert set(Counter(seating[seat] for seating in seatings).values()) == {len(seatings) // size}
    left = left_neighbours(seatings)
    others = [pair for pair in itertools.permutations(range(size), 2) if not teams or (pair[0] - pair[1]) % 3]
    counts = [left[pair] for pair in others]
    assert sum(counts) == len(seatings) * size
    assert max(counts) - min(counts) <= 1


def test_a_plain_rotation_keeps_everybodys_neighbour() -> None:
    assert set(left_neighbours(block_seatings((0, 1, 2, 3), teams=False)).values()) == {4}


@pytest.mark.parametrize("size", [2, 4])
def test_rows_of_a_williams_square_hold_each_pair_once(size: int) -> None:
    """The published property: within the rows, not round the corner, everybody follows everybody exactly once."""
    rows = block_seatings(tuple(range(size)), teams=False, williams=True)
    pairs = Counter(pair for row in rows for pair in itertools.pairwise(row))
    assert set(pairs.values()) == {1}
    assert len(pairs) == size * (size - 1)


def test_partners_stay_partners_in_every_seating() -> None:
    for williams in (False, True):
        for seating in block_seatings((0, 1, 2, 3, 4, 5), teams=True, williams=williams):
            assert {frozenset(seating[side::3]) for side in range(3)} == {frozenset((s, s + 3)) for s in range(3)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("williams", [False, True])
def test_with_the_fill_bot_in_some_seats_the_others_still_have_every_seat_equally_often(
    size: int, williams: bool
) -> None:
    for bots in range(1, size):
        for places in itertools.permutations(range(size), bots):
            lineup = tuple(places.index(seat) if seat in places else 9 for seat in range(size))
            seatings = block_seatings(lineup, size == 6, williams)
            assert len(set(seatings)) == len(seatings)
            for bot in range(bots):
                seats = Counter(seating.index(bot) for seating in seatings)
                assert len(set(seats.values())) == 1
                assert len(seats) == size


@pytest.mark.parametrize("size", SIZES)
def test_orders_are_all_there_are_but_for_rotations(size: int) -> None:
    teams = size == 6
    reached = {
        seating
        for turn in range(len(orders(size, teams)))
        for seating in block_seatings(turned(tuple(range(size)), teams, turn), teams)
    }
    allowed = [
        seating
        for seating in itertools.permutations(range(size))
        if not teams or {frozenset(seating[side::3]) for side in range(3)} == {frozenset((s, s + 3)) for s in range(3)}
    ]
    assert reached == set(allowed)
