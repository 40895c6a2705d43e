"""What the statistics read: a table of finished games, and the same games in finish order.

Everything here is arrays. A *seat* is a place at the table, a *side* is who wins or loses together (one seat, or
the two partners of a team), a *block* is the unit of all uncertainty: one deal in rotated seatings.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from harness.compiled import kernel

SEATS = 6
"""Seats of the widest table that this house's tables of games have; those of other games may be wider."""

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

_DTYPES = {"bots": np.int16, "ranks": np.int16, "side": np.int8, "players": np.int8, "block": np.int64}


@dataclass(frozen=True, eq=False)
class Results:
    """Finished games, one row a game; S is the number of seats of the widest table, 2 to 127.

    | field   | shape, dtype  | meaning                                                                         |
    |---------|---------------|---------------------------------------------------------------------------------|
    | bots    | (G, S) int16  | index of the bot in each seat, -1 where no seat                                 |
    | ranks   | (G, S) int16  | rank of the seat's side, 1 best, equal is a tie; -1 where no seat               |
    | side    | (G, S) int8   | label of the seat's side, from 0; -1 where no seat                              |
    | players | (G,) int8     | seats taken                                                                     |
    | block   | (G,) int64    | id of the game's block, any numbers; ids of different tables must differ too    |

    Ranks only order the sides of one game: 1, 1, 3 and 1, 1, 2 say the same.

    Raises `ValueError` for a wrong shape or dtype, and for a game that is none (fewer than two sides, partners of
    different rank, a seat half filled); it names the field or the game.
    """

    bots: npt.NDArray[np.int16]
    ranks: npt.NDArray[np.int16]
    side: npt.NDArray[np.int8]
    players: npt.NDArray[np.int8]
    block: Ints

    def __post_init__(self) -> None:
        games, width = len(self.block), self.bots.shape[-1]
        if not 2 <= width <= 127:
            raise ValueError(f"bots has {width} seats; it should have 2 to 127")
        for name, dtype in _DTYPES.items():
            array: npt.NDArray[Any] = getattr(self, name)
            shape = (games,) if name in ("players", "block") else (games, width)
            if array.dtype != dtype or array.shape != shape:
                raise ValueError(f"{name} is {array.dtype} {array.shape}; it should be {np.dtype(dtype)} {shape}")
        seated = self.bots >= 0
        whole = (seated == (self.ranks >= 1)) & (seated == (self.side >= 0))
        _refuse(~whole.all(axis=1), "has a seat with a bot but no rank or side, or the reverse")
        _refuse(seated.sum(axis=1) != self.players, "has another number of seats taken than players")
        _refuse(self._sides() < 2, "has fewer than two sides")
        _refuse(self._quarrels(), "has partners of different rank")

    def __len__(self) -> int:
        return len(self.block)

    @cached_property
    def finishes(self) -> "Finishes":
        """The same games in finish order, sorted once for all that read them."""
        return finish_order(self)

    def _sides(self) -> Ints:
        ordered = np.sort(self.side, axis=1)
        fresh = ordered[:, 1:] != ordered[:, :-1]
        return np.asarray(np.count_nonzero(fresh, axis=1) + (ordered[:, 0] >= 0), np.int64)

    def _quarrels(self) -> Bools:
        wrong = np.zeros(len(self), np.bool_)
        for seat in range(self.side.shape[1]):
            for other in range(seat):
                partners = (self.side[:, seat] == self.side[:, other]) & (self.side[:, seat] >= 0)
                wrong |= partners & (self.ranks[:, seat] != self.ranks[:, other])
        return wrong

    def where(self, keep: Bools) -> "Results":
        """Return the games for which `keep` (G,) is true, in the same order."""
        return Results(*(getattr(self, name)[keep] for name in _DTYPES))


class Finishes(NamedTuple):
    """The games in order of their blocks, and the sides of each game in finish order.

    | field   | shape, dtype | meaning                                                       |
    |---------|--------------|---------------------------------------------------------------|
    | bots    | (G, S) int16 | bot per seat                                                  |
    | place   | (G, S) int8  | position of the seat's side in finish order, -1 where no seat |
    | first   | (G, S) int8  | lowest seat of the side that finished in this position        |
    | tied    | (G, S) bool  | this position ties with the one before it                     |
    | sides   | (G,) int8    | number of sides                                               |
    | players | (G,) int8    | seats taken                                                   |
    | block   | (G,) int64   | 0 to D-1, never falling                                       |
    | times   | (G,) int64   | how many games came out so: 1 each, but for `gathered`        |
    """

    bots: npt.NDArray[np.int16]
    place: npt.NDArray[np.int8]
    first: npt.NDArray[np.int8]
    tied: Bools
    sides: npt.NDArray[np.int8]
    players: npt.NDArray[np.int8]
    block: Ints
    times: Ints

    @property
    def blocks(self) -> int:
        """Number of blocks, D."""
        return int(self.block[-1]) + 1 if len(self.block) else 0

    def take(self, games: Any) -> "Finishes":
        """Return these games: their numbers, or true for those to be taken."""
        return Finishes(*(column[games] for column in self))


def finish_order(results: Results) -> Finishes:
    """Sort the games by block and the sides of each game by rank."""
    _, block = np.unique(results.block, return_inverse=True)
    order = np.argsort(block, kind="stable")
    shape = results.bots.shape
    finishes = Finishes(
        bots=results.bots[order],
        place=np.full(shape, -1, np.int8),
        first=np.full(shape, -1, np.int8),
        tied=np.zeros(shape, np.bool_),
        sides=np.zeros(len(results), np.int8),
        players=results.players[order],
        block=block[order].astype(np.int64),
        times=np.ones(len(results), np.int64),
    )
    _place_sides(results.ranks[order], results.side[order], finishes)
    return finishes


def gathered(finishes: Finishes) -> Finishes:
    """Return one game for all with the same bots in the same seats and the same finish; `times` counts them.

    What they tell of the bots stays the same, what their blocks tell is lost.
    """
    code = code_of((*finishes.bots.T, *finishes.place.T, *finishes.tied.T))
    _, first, times = np.unique(code, return_index=True, return_counts=True)
    return finishes.take(first)._replace(times=times)


def code_of(columns: Iterable[npt.NDArray[Any]]) -> Ints:
    """Return a number for each row of columns (R,), whole numbers from -1: the same where rows are, and only there."""
    code, codes = np.zeros(1, np.int64), 1
    for column in columns:
        width = int(column.max(initial=0)) + 2
        if codes * width > np.iinfo(np.int64).max:
            known, code = np.unique(code, return_inverse=True)
            codes = len(known)
        code, codes = code * width + column + 1, codes * width
    return code


@kernel
def _place_sides(ranks: npt.NDArray[np.int16], side: npt.NDArray[np.int8], finishes: Finishes) -> None:
    """Fill `place`, `first`, `tied` and `sides` of the finishes."""
    seats = ranks.shape[1]
    for game in range(len(ranks)):
        first = finishes.first[game]
        sides = 0
        for seat in range(seats):
            known = side[game, seat] < 0
            for position in range(sides):
                known = known or side[game, first[position]] == side[game, seat]
            if known:
                continue
            position = sides
            while position > 0 and ranks[game, first[position - 1]] > ranks[game, seat]:
                first[position] = first[position - 1]
                position -= 1
            first[position] = seat
            sides += 1
        finishes.sides[game] = sides
        for position in range(sides):
            leader = first[position]
            finishes.tied[game, position] = position > 0 and ranks[game, leader] == ranks[game, first[position - 1]]
            for seat in range(seats):
                if side[game, seat] == side[game, leader]:
                    finishes.place[game, seat] = position


def _refuse(wrong: Bools, why: str) -> None:
    if wrong.any():
        raise ValueError(f"game {int(np.argmax(wrong))} {why}")
