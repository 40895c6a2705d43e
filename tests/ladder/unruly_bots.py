"""Bots for tests of executors: ones that end their worker, ones that take long, one that meddles with all of Python."""

import os
import random
import signal
import time
from pathlib import Path

from harness import Bot, Turn, View


class Deadly(Bot):
    """Ends its worker at each table of so many players while the file `armed` exists; in `log` a letter for each."""

    def __init__(self, armed: str, players: int, log: str = os.devnull) -> None:
        self.armed = Path(armed)
        self.players = players
        self.log = log

    def act(self, view: View) -> Turn:
        if view.rules.players == self.players and self.armed.exists():
            with open(self.log, "a") as log:
                log.write("x")
            os.kill(os.getpid(), signal.SIGKILL)
        return Turn(view.hand[0])


class OnceDeadly(Bot):
    """Ends the first worker that asks it, which makes the file `done`."""

    def __init__(self, done: str) -> None:
        self.done = Path(done)

    def act(self, view: View) -> Turn:
        if not self.done.exists():
            self.done.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Turn(view.hand[0])


class Slow(Bot):
    """Takes a while over each turn, as a wall clock sees it."""

    def __init__(self, pause_ms: int = 2) -> None:
        self.pause_s = pause_ms / 1000

    def act(self, view: View) -> Turn:
        time.sleep(self.pause_s)
        return Turn(view.hand[0])


class Meddler(Bot):
    """Seeds and uses the global generators, and plays by the order of a set of numbers."""

    def act(self, view: View) -> Turn:
        import numpy as np  # here, so that processes of the others start without it

        random.seed(view.turn_number)
        np.random.seed(view.hand_number)
        drawn = int(random.random() * 1000) + int(np.random.random() * 1000)
        return turn_of(view, drawn, {hash((card.money, view.turn_number)) % 97 for card in view.hand})


class Texts(Bot):
    """Plays by the order of a set of texts, which is another in each Python that is started, but not in a jail."""

    def act(self, view: View) -> Turn:
        random.seed(view.turn_number)
        return turn_of(view, random.randrange(1000), {str(card) for card in view.hand})


def turn_of(view: View, drawn: int, things: set[int] | set[str]) -> Turn:
    """Return a turn that depends on the order of a set."""
    for thing in things:
        drawn = 31 * drawn + sum(map(ord, str(thing)))
    places = view.ways_to_lead()
    return Turn(view.hand[drawn % len(view.hand)], places[drawn % len(places)] if places else None)
