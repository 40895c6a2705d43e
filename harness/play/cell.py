"""One process forked for a bot, with the two pipes to it: `asked`, from the harness, and `told`."""

import json
import marshal
import os
import resource
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from harness.play import wire
from harness.play.clock import state_of
from harness.play.nursery import Ending, Nursery
from harness.play.open_files import heard

SENDING_S = 5.0
"""Wall seconds that a child may pause within a message."""


class ProtocolError(Exception):
    """The child sent what its own side of the wire never sends."""


class Cell:
    """A process of `nursery` that is what `task` says, its files in `folder`, held to `limits` from outside."""

    def __init__(self, nursery: Nursery, folder: Path, task: dict[str, Any], limits: Iterable[tuple[int, int]]) -> None:
        for name in ("asked", "told"):
            (folder / name).unlink(missing_ok=True)  # its predecessor's, with what that left in it
            os.mkfifo(folder / name, 0o600)
        self.nursery = nursery
        self.reader = os.open(folder / "told", os.O_RDONLY | os.O_NONBLOCK)
        self.writer = os.open(folder / "asked", os.O_RDWR)  # waits for no reader
        self.pid = nursery.fork(folder)
        for which, most in limits:
            resource.prlimit(self.pid, which, (most, most))
        wire.tell(self.writer, marshal.dumps(task))

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return state_of(self.pid) in "ZX"

    def pause(self) -> None:
        """Stop the process until it is resumed."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let the process go on."""
        self._signal(signal.SIGCONT)

    def piece(self, most: int = 1 << 16) -> bytes:
        """Return what the child has sent; EOFError when it has closed its pipe."""
        data = os.read(self.reader, most)
        if not data:
            raise EOFError
        return data

    def message(self) -> dict[str, Any]:
        """Return the message that the child has begun to send: TimeoutError, EOFError, ProtocolError, ValueError."""
        size = int.from_bytes(self._receive(4), "little")
        if size > wire.MOST_TOLD:
            raise ProtocolError
        return told(self._receive(size))

    def end(self) -> Ending:
        """End the process; return how it had ended by itself, if it had."""
        os.close(self.reader)
        os.close(self.writer)
        return self.nursery.reap(self.pid)

    def _receive(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            if not heard([self.reader], SENDING_S):
                raise TimeoutError
            data += self.piece(size - len(data))
        return data

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):  # it is gone: the pipe will say so
            os.kill(self.pid, number)


def told(data: bytes) -> dict[str, Any]:
    """Return what a child tells; ValueError or ProtocolError if it is no message of ours."""
    said = json.loads(data)
    if type(said) is not dict:
        raise ProtocolError
    return said
