"""Bots of the fast level that misbehave in arrays. Each reveals its lowest card where it answers well."""

import os
import time
from typing import Any

import numpy as np

from harness import BatchBot


def lowest(observations: Any, turns: Any) -> None:
    turns["card"] = [(int(own) & -int(own)).bit_length() - 1 for own in observations["own"]]


class Honest(BatchBot):
    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        lowest(observations, turns)


class Writes(BatchBot):
    """Writes into what it was shown."""

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        lowest(observations, turns)
        observations["seat"] = 9


class SetFlags(BatchBot):
    """Declares what it was shown to be writable."""

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        lowest(observations, turns)
        observations.setflags(write=True)


class Mute(BatchBot):
    """Answers nothing."""

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None: ...


class Wild(BatchBot):
    """Answers with numbers from everywhere."""

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        numbers = np.frombuffer(os.urandom(turns.nbytes), np.uint8)
        turns.view(np.uint8).reshape(-1)[:] = numbers


class Raises(BatchBot):
    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        raise RuntimeError("no batch today")


class RaisesAtSome(BatchBot):
    """Fails where it sits in the first seat, once it is asked alone as when with others."""

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        if (observations["seat"] == 0).any():
            raise RuntimeError("not in this seat")
        lowest(observations, turns)


class Exits(BatchBot):
    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        raise SystemExit


class Hangs(BatchBot):
    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        while True:
            pass


class Sleeps(BatchBot):
    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        time.sleep(1000)


class Crashes(BatchBot):
    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        os._exit(2)


class Eats(BatchBot):
    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        np.ones((1 << 16, 1 << 18))


class Beyond(BatchBot):
    """Reads and writes far outside its arrays."""

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        lowest(observations, turns)
        far = np.lib.stride_tricks.as_strided(turns.view(np.uint8), (1 << 33,), (1,))
        far[1 << 32] = 1


class Keeps(BatchBot):
    """Keeps the arrays of its last question, and changes its mind in them later."""

    kept: Any = None

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        if self.kept is not None:
            self.kept["card"] = -9
        lowest(observations, turns)
        self.kept = turns


class Resizes(BatchBot):
    """Makes its answers another shape and type."""

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        lowest(observations, turns)
        turns.dtype = np.uint8
        turns.shape = (-1,)


class Float(BatchBot):
    """Answers with what is no number."""

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        with np.errstate(all="ignore"):
            turns["card"] = np.full(len(turns), np.nan)


class PatchNumpy(BatchBot):
    """Breaks numpy for its whole process, once it has answered."""

    def act_batch(self, observations: Any, histories: Any, turns: Any) -> None:
        if hasattr(np, "asarray"):
            lowest(observations, turns)
        np.random.seed(1)
        for name in ("array", "asarray", "zeros", "full", "frombuffer"):
            np.__dict__.pop(name, None)
