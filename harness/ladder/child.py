"""A Python process of ours with all that it starts: it ends with us, however we end.

It leads a session of its own, which Ctrl-C does not reach. When its pipe to us closes, which the system does for a
process that is killed, it ends the whole session, itself last.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

from harness.play.clock import state_of
from harness.play.scratch import delete

ENDING_S = 5.0
"""Seconds that are spent on ending a session: processes that wait for a disk end late."""


class Child:
    """Our side: starts a module as a process, talks to it, and ends it."""

    def __init__(
        self, module: str, folder: Path | None = None, environment: Mapping[str, str] | None = None, quiet: bool = False
    ) -> None:
        """Start it; `folder` is deleted when it ends; `environment` adds to ours; a quiet one cannot print."""
        self.folder = folder
        self.pipe, theirs = Pipe()
        paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
        command = [sys.executable, "-P", "-m", module, str(theirs.fileno()), *([str(folder)] if folder else [])]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if quiet else None,
            stderr=subprocess.DEVNULL if quiet else None,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": paths, **(environment or {})},
        )
        theirs.close()

    def send(self, message: Any) -> None:
        """Send a message; that the process is gone, `receive` tells."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.pipe.send(message)

    def receive(self) -> Any:
        """Return its next message; raise EOFError when the process is gone."""
        try:
            return self.pipe.recv()
        except OSError:  # it ended in the middle of a message, too
            raise EOFError from None

    def ending(self) -> str:
        """Return how the process ended that is gone."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(ENDING_S)
        code = self.end()
        return f"signal {-code}" if code < 0 else f"exit status {code}"

    def end(self) -> int:
        """End its whole session; return its exit code, or minus the signal that ended it."""
        self.pipe.close()
        self.process.kill()
        end_session(self.process.pid)
        if self.folder:
            delete(self.folder)
        return self.process.wait()


class Parent:
    """The child's side: what we are sent, in order, in `inbox`; answers go by `send`."""

    def __init__(self, arguments: list[str]) -> None:
        """Begin to listen; `arguments` are the process's own, from `Child`."""
        descriptor = int(arguments[0])
        os.set_inheritable(descriptor, False)  # bots are among what this process starts
        self.folder = Path(arguments[1]) if len(arguments) > 1 else None
        self.pipe = Connection(descriptor)
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, message: Any) -> None:
        """Send a message to the parent; that it is gone, the other thread hears, and ends this process."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.pipe.send(message)

    def _listen(self) -> None:
        try:
            while True:
                self.inbox.put(self.pipe.recv())
        except (EOFError, OSError):
            pass
        except BaseException:
            traceback.print_exc()
        finally:
            self._end()

    def _end(self) -> None:
        if self.folder:  # Ray ends its driver as soon as its daemons die: a process outside the session sees it through
            command = [sys.executable, "-P", "-m", __name__, str(os.getpid()), str(self.folder)]
            subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True).wait()
        end_session(os.getpid())
        os.kill(os.getpid(), signal.SIGKILL)


def end_session(leader: int) -> None:
    """End all processes of a session but the one that leads it."""
    latest = time.monotonic() + ENDING_S
    while (running := _members(leader)) and time.monotonic() < latest:
        for pid in running:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _members(leader: int) -> list[int]:
    numbers = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != leader]
    return [pid for pid in numbers if _session_of(pid) == leader and state_of(pid) not in "ZX"]


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


if __name__ == "__main__":
    end_session(int(sys.argv[1]))
    delete(Path(sys.argv[2]))
    with suppress(ProcessLookupError):
        os.kill(int(sys.argv[1]), signal.SIGKILL)
