"""One writer at a time: a lock on a results folder that ends with its holder, however that ends."""

import fcntl
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.errors import ResultsError
from harness.ladder.disk import cannot_write

LOCK = "lock"
"""The file that is locked. It stays when the lock ends: to delete it would let two hold locks on two files."""


PATIENCE_S = 0.1
"""How long a lock is tried: somebody may only be asking who holds it."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; the system releases it should this process be killed.

    Child processes do not inherit it. It binds those alone who ask for it: readers do not.

    Raises ResultsError where another process holds it, naming its number and machine, where the file system has no
    locks, and where nothing may be written.
    """
    path = folder / LOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise cannot_write(path, error) from None
    try:
        _take(folder, descriptor)
        _sign(path, descriptor)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def at_rest(folder: Path) -> Iterator[None]:
    """Keep others from writing to a folder that is read, which may lie where nothing can be written.

    Raises ResultsError where somebody writes there.
    """
    try:
        descriptor = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # it was copied without its lock
        yield
        return
    try:
        _take(folder, descriptor, fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def holder_of(folder: Path) -> str:
    """Return who writes to a folder, as in ``process 17 on host``; empty where nobody does, or locks cannot be tried.

    It takes the lock in passing, shared, so that two who ask at once do not see each other.
    """
    try:
        descriptor = os.open(folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _signature(descriptor)
    except OSError:
        return ""
    finally:
        os.close(descriptor)
    return ""


def _signature(descriptor: int) -> str:
    return os.pread(descriptor, 200, 0).decode(errors="replace").strip() or "it has only just begun"


def _take(folder: Path, descriptor: int, kind: int = fcntl.LOCK_EX) -> None:
    ends = time.monotonic() + PATIENCE_S
    try:
        while True:
            try:
                return fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > ends:
                    raise
                time.sleep(PATIENCE_S / 10)
    except BlockingIOError:
        holder = _signature(descriptor)
        raise ResultsError(
            f"{folder}: another run is writing here ({holder}); wait until it ends, or stop it; reports can be made "
            "meanwhile"
        ) from None
    except OSError as error:
        raise ResultsError(
            f"{folder}: cannot be locked: {error.strerror}; its file system has no locks to keep two runs from writing "
            "at once, so choose a folder on another disk with --out"
        ) from None


def _sign(path: Path, descriptor: int) -> None:
    """Write who holds the lock into its file, for those who come next."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
    except OSError as error:
        raise cannot_write(path, error) from None
