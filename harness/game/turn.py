"""`Turn`: what a player does in one turn, and its text form.

A turn is written ``place 2+1 new_york, reveal boston:prison`` (two experts and one occasional), or just ``reveal
boston:prison``; a signal to the partner follows as ``, signal 17``. `str` and `parse_turn` are inverse.

Turns and placements are made by the million. As `Struct`s, which C makes and nobody can change afterwards, one costs a
fifth of a named tuple.
"""

import re
from typing import NamedTuple

from msgspec import Struct

from harness.errors import NotationError
from harness.game.cards import Card, parse_card


class Placement(Struct, frozen=True):
    """Gangsters put on one city: how many experts, how many occasionals."""

    city: str
    experts: int
    occasionals: int = 0

    def __str__(self) -> str:
        return f"{self.experts}+{self.occasionals} {self.city}"


class Gangsters(NamedTuple):
    """How many gangsters of each kind."""

    experts: int
    occasionals: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.experts + self.occasionals


class Turn(Struct, frozen=True):
    """One turn: the card to reveal, gangsters to place first (or none), and in team games a signal 0..255."""

    reveal: Card
    place: Placement | None = None
    signal: int = 0

    def __str__(self) -> str:
        parts = [f"place {self.place}"] if self.place else []
        parts.append(f"reveal {self.reveal}")
        if self.signal:
            parts.append(f"signal {self.signal}")
        return ", ".join(parts)


_TURN = re.compile(
    r"(?:place (?P<experts>\d{1,3})\+(?P<occasionals>\d{1,3}) (?P<city>[a-z][a-z0-9_]*), )?"
    r"reveal (?P<card>\S+?)(?:, signal (?P<signal>\d{1,3}))?"
)


def parse_turn(text: str) -> Turn:
    """Read a turn from its text form; raise NotationError for anything else."""
    match = _TURN.fullmatch(text)
    if not match:
        raise NotationError(
            f"{text!r} is no turn; a turn is written 'reveal boston:3' or 'place 2+1 new_york, reveal boston:3' "
            "(experts+occasionals), in team games with ', signal 17' at its end"
        )
    place = None
    if match["city"]:
        place = Placement(match["city"], int(match["experts"]), int(match["occasionals"]))
    return Turn(parse_card(match["card"]), place, int(match["signal"] or 0))
