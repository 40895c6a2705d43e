"""A trusted bot held to the limits, for a check of it: it has no process of its own that a jail could watch."""

import contextlib
import faulthandler
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from harness.game.layout import NONE
from harness.game.state import Array
from harness.play.asking import NO_TURN
from harness.play.clock import GRACE_S, PATIENCE
from harness.play.faults import Failure, FaultKind
from harness.play.limits import Limits
from harness.play.players import Player, Questions, numbers_in
from harness.play.usage import Usage

HUNG = "Timeout ("
"""How `faulthandler` begins to tell where a process hung that it ended."""


class Timed:
    """Asks a trusted bot's player and holds it to the limits as a jail does; a bot that hangs is ended.

    Time is CPU time, or where that is more, the part of wall time that a jail's patience leaves. What a question costs
    is shared by the games it is about.
    """

    def __init__(self, player: Player, limits: Limits) -> None:
        self.usage = Usage()
        self.player = player
        self._limits = limits
        self._overdrawn: dict[int, float] = {}

    def act(self, asked: Questions, turns: Array) -> list[Failure]:
        with self._timing(asked) as late:
            failures = self.player.act(asked, turns)
        numbers_in(turns)[[failure.row for failure in late]] = NO_TURN
        return failures + late

    def choose_loss(self, asked: Questions, seats: NDArray[np.int16]) -> list[Failure]:
        with self._timing(asked) as late:
            failures = self.player.choose_loss(asked, seats)
        seats[[failure.row for failure in late]] = NONE
        return failures + late

    @contextlib.contextmanager
    def _timing(self, asked: Questions) -> Iterator[list[Failure]]:
        """Yield a list that holds, in the end, the questions at which time ran out."""
        keys, limits, late = asked.keys(), self._limits, list[Failure]()
        allowed_s = len(keys) * (limits.turn_ms + limits.bank_ms) / 1000
        faulthandler.dump_traceback_later(GRACE_S + PATIENCE * allowed_s, exit=True, file=2)
        wall, cpu = time.perf_counter(), time.process_time()
        yield late
        seconds = max(time.process_time() - cpu, (time.perf_counter() - wall) / PATIENCE)
        faulthandler.cancel_dump_traceback_later()
        self.usage.cpu_s.append(seconds)
        self.usage.rows.append(len(keys))
        each_ms = 1000 * seconds / len(keys)
        for row, key in enumerate(keys if each_ms > limits.turn_ms else []):
            self._overdrawn[key] = self._overdrawn.get(key, 0.0) + each_ms - limits.turn_ms
            if self._overdrawn[key] > limits.bank_ms:
                late.append(Failure(row, FaultKind.TIMEOUT, f"took {each_ms:.0f} ms, and its bank is empty"))
