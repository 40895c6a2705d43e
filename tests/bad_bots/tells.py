"""Honest bots that check what they were promised and raise when it is broken; and honest ones never the same."""

import os
import time
from collections import Counter
from typing import Any

from harness import Bot, Turn, View
from harness.game.history import TurnPlayed


def own_turns(view: View) -> int:
    return sum(isinstance(event, TurnPlayed) and event.seat == view.seat for event in view.history)


class Counts(Bot):
    """Counts its decisions in its own memory, and checks them against the game's history."""

    def __init__(self) -> None:
        self.asked = 0
        self.row: tuple[str, ...] = ()

    def act(self, view: View) -> Turn:
        if self.asked != own_turns(view):
            raise ValueError(f"asked {self.asked} times, the history says {own_turns(view)}")
        self.asked += 1
        return Turn(view.hand[-1])


class Rebuilt(Counts):
    """Crashes in some of its games, by what lies in its first hand; its memory of the others must not suffer."""

    doomed = False

    def act(self, view: View) -> Turn:
        if view.hand_number == 1 and view.turn_number == 1:
            self.doomed = sum(map(ord, str(view.hand[0]))) % 3 == 0
        if self.doomed and (view.hand_number, view.turn_number) == (2, 2):
            os._exit(9)
        return super().act(view)


class RebuiltHang(Counts):
    """As `Rebuilt`, but hangs."""

    doomed = False

    def act(self, view: View) -> Turn:
        if view.hand_number == 1 and view.turn_number == 1:
            self.doomed = sum(map(ord, str(view.hand[0]))) % 3 == 0
        while self.doomed and (view.hand_number, view.turn_number) == (2, 2):
            pass
        return super().act(view)


def dealt(view: View) -> tuple[object, ...]:
    """Return what tells a deal: the row, and from which cities every seat was dealt its first hand."""
    backs = [Counter(held) for held in view.backs]
    for event in view.history:
        if isinstance(event, TurnPlayed):
            backs[event.seat][event.turn.reveal.city] += 1
    return tuple(view.row), tuple(tuple(held[city] for city in view.rules.cities) for held in backs)


class Alone(Bot):
    """Keeps what it saw in a class variable: no two seats of one deal may ever meet in one process."""

    seen: dict[Any, set[int]] = {}  # noqa: RUF012

    def act(self, view: View) -> Turn:
        if (view.hand_number, view.turn_number) == (1, 1):
            seats = self.seen.setdefault(dealt(view), set())
            seats.add(view.seat)
            if len(seats) > 1:
                raise ValueError(f"ESCAPED: seats {sorted(seats)} of one deal in one process")
        return Turn(view.hand[0])


class Urandom(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[os.urandom(1)[0] % len(view.hand)])


class Clock(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[time.time_ns() % len(view.hand)])


class Address(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[id(object()) // 16 % len(view.hand)])


class Hash(Bot):
    def act(self, view: View) -> Turn:
        return Turn(min(view.hand, key=lambda card: hash(str(card))))


class Roulette(Bot):
    """Does something bad now and then, by chance, and so never the same when it is asked again."""

    def act(self, view: View) -> Turn:
        fate = os.urandom(1)[0]
        if fate < 4:
            os._exit(4)
        if fate < 6:
            raise SystemExit
        if fate < 8:
            while True:
                pass
        if fate < 14:
            raise ValueError("bad luck")
        return Turn(view.hand[0])


class Good(Bot):
    """Plain and honest."""

    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])
