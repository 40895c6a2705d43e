"""Folders for temporary files, each held by the process that made it, so that what a killed one left can be told.

Who holds a folder has a lock on a file in it, which ends with the process. Its number would not do: containers that
share a place for files number their processes each for itself.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory."""

SHORT = 20
"""Letters that the name of the folder for temporary files may have: sockets that Ray makes below it may have 107."""

ROOM = 512 << 20
"""Bytes that must be free where files lie in memory: containers often have little there, and a full one kills."""

HELD = "held"
"""The file in a folder that its owner has locked."""

_locks: dict[Path, int] = {}


def memory_folder() -> Path:
    """Return where files lie in memory, if this system has such a place with room in it, else `disk_folder`."""
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if has_room else disk_folder()


def disk_folder() -> Path:
    """Return where temporary files lie, under a short name."""
    folder = tempfile.gettempdir()
    return Path(folder if len(folder) <= SHORT else "/tmp")


def own_folder(parent: Path, use: str = "") -> Path:
    """Make a new folder of this process, `use` in its name; it lasts until it is given back or the process ends."""
    sweep_once()
    folder = Path(tempfile.mkdtemp(prefix=f"boss-{os.getpid()}-{use}", dir=parent))
    unlocked = folder / f"{HELD}-soon"
    _locks[folder] = os.open(unlocked, os.O_RDWR | os.O_CREAT, 0o600)
    with suppress(OSError):  # a file system without locks: nobody else gets one there either, and leaves it alone
        fcntl.flock(_locks[folder], fcntl.LOCK_EX)
    unlocked.rename(folder / HELD)  # only now: whoever finds it unlocked under this name deletes the folder
    return folder


def give_back(folder: Path) -> None:
    """Delete a folder of this process."""
    delete(folder)
    os.close(_locks.pop(folder))


@contextmanager
def lent_folder(parent: Path, use: str) -> Iterator[Path]:
    """Lend a new folder of this process, as `own_folder` makes it, and give it back at the end."""
    folder = own_folder(parent, use)
    try:
        yield folder
    finally:
        give_back(folder)


def delete(folder: Path) -> None:
    """Delete a folder and what is in it, its lock last: where some of it cannot be deleted now, a later sweep can."""
    with suppress(OSError):
        for entry in [entry for entry in folder.iterdir() if entry.name != HELD]:
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)
        if all(entry.name == HELD for entry in folder.iterdir()):
            shutil.rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """Delete the folders of processes that are gone."""
    for held in [found for parent in (MEMORY, disk_folder()) for found in parent.glob(f"boss-*-*/{HELD}")]:
        with suppress(OSError):  # it is held, another's, or gone
            lock = os.open(held, os.O_RDWR)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                delete(held.parent)
            finally:
                os.close(lock)


@lru_cache(maxsize=1)
def sweep_once() -> None:
    """Do so once in the life of this process."""
    sweep()
