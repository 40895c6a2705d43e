"""Where a bot's process fails at questions, or answers no more, and why: how it ended, in words."""

import signal
from dataclasses import dataclass

from harness.play.faults import FaultKind
from harness.play.nursery import Ending


@dataclass(frozen=True)
class Broken:
    """Why a child answers no more, and the row that it was at."""

    kind: FaultKind
    message: str
    row: int = 0


Failures = list[tuple[int, FaultKind, str]]
"""Rows at which a bot failed while its process goes on, with what and why."""


def broken_by(ending: Ending, row: int) -> Broken:
    """Return what it means that a process ended by itself like this while it was at a row."""
    if ending[1] == signal.SIGSYS:
        return Broken(FaultKind.FORBIDDEN, "its process was ended for a forbidden system call", row)
    return Broken(FaultKind.CRASH, ending_in_words(ending), row)


def ending_in_words(ending: Ending) -> str:
    """Say how a process ended."""
    code, ended_by = ending
    if ended_by is not None:
        names = {known.value: f" ({known.name})" for known in signal.Signals}
        return f"its process was ended by signal {ended_by}{names.get(ended_by, '')}"
    return f"its process ended with exit code {code}" if code is not None else "its process was killed"
