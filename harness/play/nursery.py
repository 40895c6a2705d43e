"""A process that has imported what bots' processes need, and forks them: a copy starts in a few milliseconds.

It never holds a bot: it is told the name of a folder, its copy reads there what it is to be (see `worker`). In a jail
it is confined itself, and each copy confines itself further, to the files of its own bot, before it loads it.
"""

import marshal
import os
import signal
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from harness.errors import RunError
from harness.play import isolation, wire
from harness.play.clock import state_of
from harness.play.open_files import allow_most
from harness.play.packing import packs
from harness.play.scratch import give_back, memory_folder, own_folder

NUMBER_BYTES = 4

Ending = tuple[int | None, int | None]
"""Exit code and signal of a process that ended by itself, nothing for one that was ended."""

MODULES = {False: ["harness.play.answering"], True: ["harness.play.answering_batch"]}
"""What a bot's process imports, by whether it is of the fast level, which needs numpy."""


class Nursery:
    """One such process, at a level, with numpy imported or not, for bots' processes whose files lie in `folder`."""

    def __init__(self, level: str, is_fast: bool, folder: Path) -> None:
        self.level = level
        packed = packs()
        command = isolation.python_command(isolation.SCRIPT)
        readable = [str(folder), *packed.values()]
        self.process = isolation.start(level, command, readable, [str(folder)], str(folder))
        task = {
            "paths": list(isolation.packages()),
            "packs": packed,
            "modules": [*MODULES[is_fast], *(["sandlock"] if level == "jailed" else [])],
        }
        self._send(marshal.dumps(task))

    def fork(self, folder: Path) -> int:
        """Return the number of a new process, which waits in `folder` to be told what it is to be."""
        return self._ask(str(folder).encode())

    def reap(self, pid: int) -> Ending:
        """End a process that was forked, if it still runs, and return how it had ended by itself."""
        had_ended = state_of(pid) in "ZX"
        if not had_ended:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(self._ask(pid.to_bytes(4, "little")))
        if not had_ended:
            return None, None
        return (status, None) if status >= 0 else (None, -status)

    def close(self) -> None:
        """End the process, and with it all that it forked."""
        self.process.kill()

    def _send(self, data: bytes) -> None:
        wire.tell(self.process.writer.fileno(), data)

    def _ask(self, data: bytes) -> int:
        """Send a message and return the number that comes back; raise RunError where the process has ended."""
        with suppress(BrokenPipeError):
            self._send(data)
        said: bytes = self.process.reader.read(NUMBER_BYTES)
        if len(said) != NUMBER_BYTES:
            raise RunError("the process that bots' processes are forked from has ended; the same command goes on")
        return int.from_bytes(said, "little")


class Nurseries:
    """The nurseries of a worker, started where they are wanted, and the folder of all files of their processes."""

    def __init__(self) -> None:
        allow_most()
        self.folder = own_folder(memory_folder())
        self._running: dict[tuple[str, bool], Nursery] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for nursery in self._running.values():
            nursery.close()
        give_back(self.folder)

    def of(self, level: str, is_fast: bool) -> Nursery:
        """Return the nursery for bots of a level, and with numpy or not."""
        key = level, is_fast
        if key not in self._running:
            self._running[key] = Nursery(level, is_fast, self.folder)
        return self._running[key]

    def new_folder(self) -> Path:
        """Return a new folder for the files of one bot's processes."""
        return Path(tempfile.mkdtemp(dir=self.folder))
