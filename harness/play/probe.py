"""What of a jail this machine can do: a process is put into one, and tries what it must not."""

import os
import sys
from dataclasses import dataclass

from harness.errors import RunError
from harness.play import isolation
from harness.play.calls import second_filter
from harness.play.cell import Cell
from harness.play.nursery import Nurseries
from harness.play.once import Once
from harness.play.open_files import heard

PATIENCE_S = 20.0
"""Wall seconds that the tries may take."""


@dataclass(frozen=True)
class Isolation:
    """What this machine offers: the highest level, each protection tried for real, and why the level is no higher."""

    level: str
    holds: dict[str, bool]
    reason: str


def _probe() -> Isolation:
    """Put a process into a jail and let it try what it must not; return what held."""
    if sys.platform != "linux":
        return Isolation("process", {}, f"the jail needs Linux; this is {sys.platform}")
    if not second_filter():
        return Isolation("process", {}, "the jail needs libseccomp and the packages sandlock and pyseccomp")
    try:
        import sandlock
    except (ImportError, OSError) as error:
        return Isolation("process", {}, f"the package sandlock cannot be loaded: {error}")
    try:
        holds = _tried()
    except (sandlock.SandlockError, RunError, RuntimeError, OSError, EOFError, ValueError) as error:
        return Isolation("process", {}, f"a process cannot be confined on this kernel: {error}")
    missing = [name for name, held in holds.items() if not held]
    if missing:
        return Isolation("process", holds, f"does not hold here: {', '.join(missing)}")
    return Isolation("jailed", holds, "")


probe = Once(_probe)


def _tried() -> dict[str, bool]:
    """Return what held when it was tried in a jail."""
    with Nurseries() as nurseries:
        folder = nurseries.new_folder()
        for name in ("questions", "answers"):
            (folder / name).write_bytes(bytes(4096))
        task = {
            "home": str(folder),
            "readable": list(isolation.python_folders()),
            "filter": second_filter(),
            "tries": [os.getpid(), str(isolation.SCRIPT)],
        }
        cell = Cell(nurseries.of("jailed", False), folder, task, [])
        try:
            if not heard([cell.reader], PATIENCE_S):
                raise OSError("a process put into a jail says nothing")
            return cell.message()
        finally:
            cell.end()
