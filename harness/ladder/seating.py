"""How a block seats its lineup: everybody in every seat once, in one order round the table or in several.

    rotation   the lineup with everybody moved on, so that over a block every bot has every seat's cards
    Williams   instead of moving on in one order, the orders of a Williams square: whoever sits to the left of whom
               changes too, within a block
    order      a way round the table that rotations do not make anyway

In teams, seats s and s + 3 are partners, and stay so in every seating of a block.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise, permutations, product

Lineup = tuple[int, ...]


@lru_cache(maxsize=4096)
def block_seatings(lineup: Lineup, teams: bool, williams: bool = False) -> tuple[Lineup, ...]:
    """Return the seatings of a block, the lineup first: all bots in every seat equally often.

    Seatings that differ only by copies of a bot are played once. With `williams` there are twice as many where an odd
    number sits without teams, as a square for them has two halves.
    """
    places = _squares(len(lineup), teams) if williams else _rotations(len(lineup), teams)
    return tuple(dict.fromkeys(tuple(lineup[place] for place in seating) for seating in places))


@lru_cache
def _rotations(size: int, teams: bool) -> tuple[Lineup, ...]:
    """Without teams everybody moves round the table; in teams the three teams change places, and partners too."""
    if not teams:
        return tuple(tuple((seat + turn) % size for seat in range(size)) for turn in range(size))
    return tuple(
        tuple((seat + turn) % 3 + (seat // 3 + swap) % 2 * 3 for seat in range(6))
        for swap in (0, 1)
        for turn in range(3)
    )


# In each of these squares everybody has each opponent to the left equally often within one, round the table.
TEAM_SQUARE = ((0, 1, 2, 3, 4, 5), (3, 5, 4, 0, 2, 1), (1, 0, 5, 4, 3, 2),
               (4, 2, 0, 1, 5, 3), (5, 3, 1, 2, 0, 4), (2, 4, 3, 5, 1, 0))  # fmt: skip
"""The like of a Williams square for three teams, found by trying all."""


@lru_cache
def _squares(size: int, teams: bool) -> tuple[Lineup, ...]:
    """Williams (1949): the first row goes to and fro, 0 1 n-1 2 n-2 ..., and each further row adds one to all.

    A square of odd size needs its mirror image too.
    """
    if teams:
        return TEAM_SQUARE
    row = [(place + 1) // 2 if place % 2 else (size - place // 2) % size for place in range(size)]
    rows = [[(number + more) % size for number in row] for more in range(size)]
    if size % 2:
        rows += [numbers[::-1] for numbers in rows]
    return tuple(tuple(row.index(number) for number in numbers) for numbers in rows)


@lru_cache
def orders(size: int, teams: bool) -> tuple[Lineup, ...]:
    """Return all orders round the table that rotations do not make anyway, as places in a lineup.

    In teams partners stay partners: the other two teams change places, or the two of a team do.
    """
    if not teams:
        return tuple((0, *others) for others in permutations(range(1, size)))
    return tuple(
        tuple((0, *others)[seat % 3] + 3 * ((seat // 3 + (0, *swaps)[seat % 3]) % 2) for seat in range(6))
        for others in permutations((1, 2))
        for swaps in product((0, 1), repeat=2)
    )


def neighbours(seatings: Iterable[Lineup]) -> list[tuple[int, int]]:
    """Return who sits beside whom in these seatings: each bot with the one to its left."""
    return [pair for seating in seatings for pair in pairwise((*seating, seating[0]))]


def turned(lineup: Lineup, teams: bool, turn: int) -> Lineup:
    """Return a lineup in the order round the table whose turn it is: one of all `orders`, taken round and round."""
    every = orders(len(lineup), teams)
    return tuple(lineup[place] for place in every[turn % len(every)])
