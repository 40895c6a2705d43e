"""Bots for tests of executors: ones that end their worker, ones that take long, one that meddles with all of Python."""

import os
import random
import signal
import time
from pathlib import Path

import numpy as np

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

    def act(self, view: View) -> Turn:
        time.sleep(0.002)
        return Turn(view.hand[0])


class Meddler(Bot):
    """Seeds and uses the global generators, and plays by the order of sets: of numbers, and in a jail of texts too."""

    def __init__(self, texts: bool = False) -> None:
        self.texts = texts

    def act(self, view: View) -> Turn:
        random.seed(view.turn_number)
        np.random.seed(view.hand_number)
        chosen = int(random.random() * 1000) + int(np.random.random() * 1000)
        for card in {hash((card.money, view.turn_number)) % 97 for card in view.hand}:
            chosen = 31 * chosen + card
        if self.texts:
            for text in {str(card) for card in view.hand}:
                chosen = 31 * chosen + sum(map(ord, text))
        places = view.ways_to_lead()
        return Turn(view.hand[chosen % len(view.hand)], places[chosen % len(places)] if places else None)
