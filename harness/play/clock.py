"""The time of one question: CPU time of a bot's process, read from outside, and idle time as a backstop.

What else the machine does costs a bot nothing: waiting for a core is not idling. Each row of a question has a
decision's time of its own, to compute and to idle; what it uses beyond that is taken from the banks of its game.
"""

import time
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.play.limits import Limits

Seconds: TypeAlias = NDArray[np.float64]

BATCH_ROW_S = 0.001
"""CPU seconds that one call of a `BatchBot` may take for each game it is asked about, beside one decision's time."""

PATIENCE = 2
"""Idle seconds in the bank of a game for each second of CPU time in its other one."""

GRACE_S = 1.0
"""Idle seconds in it beside these."""

SAMPLE_S = 0.05
"""Seconds between looks at whether a process idles."""

MOST_SEEN_S = 0.2
"""Seconds from one look to the next that can count as idle: where the harness itself stood still, nobody looked."""

TOLERANCE, MOST_TOLERANCE_S = 0.1, 0.05
"""Part of a decision's time beyond it, and seconds at most, that are let pass: a host that takes a core away for
milliseconds charges them to whoever ran there."""


_THREADS = 17
"""Where /proc/PID/stat tells the number of threads, counted from the state (proc_pid_stat(5))."""

CPU, IDLE = 0, 1
"""Columns of banks."""


def full_banks(limits: Limits, games: int) -> Seconds:
    """Return what games have in their banks as they begin, (games, 2): CPU seconds, and idle ones."""
    bank = limits.bank_ms / 1000
    return np.tile([bank, PATIENCE * bank + GRACE_S], (games, 1))


class Clock:
    """Watches one question to the process `pid`, of one row for each of `banks`, (n, 2) (see `full_banks`).

    What is used beyond a decision's time is taken from `banks`; `has_charged` says whether anything was. began: the
    CPU seconds that the process had used when it last was to rest: what it has used since counts.
    """

    def __init__(self, pid: int, limits: Limits, banks: Seconds, is_batch: bool = False, began: float = 0.0) -> None:
        self.pid = pid
        self.limits = limits
        self.banks = banks
        self.is_batch = is_batch
        self.turn = limits.turn_ms / 1000 + (BATCH_ROW_S * len(banks) if is_batch else 0.0)
        self.period = min(0.01, max(0.001, self.turn / 20))
        self.row_cpu = began
        self.cpu = cpu_of(pid)
        self.wall = self.sampled = time.monotonic()
        self.spare = self.idle = 0.0
        self.has_charged = False
        self.row = 0

    def now(self) -> float:
        """Return the CPU seconds that the process has used in all."""
        return cpu_of(self.pid)

    def late(self, row: int) -> str | None:
        """Look at the time, the process being at `row`; return what is to be said if its time is over.

        The row at hand only ever grows, whatever the process says: one that moves on has the time of the next. The
        message gives no measured times, so that a hang is the same bytes in every run.
        """
        before = self.cpu
        self._read()
        row = min(row, len(self.banks) - 1)
        if row > self.row:
            self._charge(before)
            self.row, self.row_cpu, self.idle = row, self.cpu, 0.0  # what lies between two looks may be another row's
        if self.idle > self._allowed(IDLE):
            return self._text("sat waiting for something, long past its time")
        return self._overdrawn()

    def _overdrawn(self) -> str | None:
        if self.cpu - self.row_cpu > self._allowed(CPU) + min(TOLERANCE * self.turn, MOST_TOLERANCE_S):
            return self._text("used up its time")
        return None

    def _allowed(self, bank: int) -> float:
        """Return the seconds that the row at hand may take; a call about many rows, what each of them has."""
        return self.turn + float(self.banks[:, bank].min() if self.is_batch else self.banks[self.row, bank])

    def _read(self) -> None:
        """Read the clocks; time that the process neither used nor, as samples tell, wanted is idle."""
        cpu, wall = cpu_of(self.pid), time.monotonic()
        self.spare += min(wall - self.wall, MOST_SEEN_S) - (cpu - self.cpu)
        self.cpu, self.wall = cpu, wall
        if wall - self.sampled > SAMPLE_S:
            self.idle += self.spare if state_of(self.pid) != "R" else 0.0
            self.sampled, self.spare = wall, 0.0

    def stop(self) -> str | None:
        """Charge the last row, now that the answer is there.

        Where it was about one row, or is one call, all that was used since the last look is of that: returns what is
        to be said if it was too much.
        """
        late = None
        if self.is_batch or len(self.banks) == 1:
            self._read()
            late = self._overdrawn()
        self._charge(self.cpu)
        return late

    def _charge(self, until: float) -> None:
        """Take what the row at hand used beyond its time from its banks, or from those of all rows of one call."""
        beyond = max(0.0, until - self.row_cpu - self.turn), max(0.0, self.idle - self.turn)
        if any(beyond):
            own = self.banks if self.is_batch else self.banks[self.row : self.row + 1]
            own -= np.minimum(own, beyond)
            self.has_charged = True

    def _text(self, what: str) -> str:
        each = f"{self.limits.turn_ms} ms of CPU time for a decision"
        if self.is_batch:
            each = f"{self.turn * 1000:.0f} ms of CPU time for a call about {len(self.banks)} games"
        return f"it {what}: {each}, and a bank of {self.limits.bank_ms} ms a game"


def cpu_of(pid: int) -> float:
    """Return the CPU seconds that another process has used; 0 when it is gone, which its pipe will tell."""
    try:
        return time.clock_gettime((~pid) << 3 | 2)  # Linux's name for that clock
    except OSError:
        return 0.0


def state_of(pid: int) -> str:
    """Return the letter by which Linux names what a process does: R runs or waits for a core; X when it is gone.

    Z, ended, is said of a process none of whose threads live: where only the first has ended, the others go on.
    """
    try:
        told = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()  # its name may be no text
    except OSError:
        return "X"
    state, threads = told[0].decode(), int(told[_THREADS])
    return "S" if state == "Z" and threads > 1 else state
