"""Folders for temporary files, named after the process that makes them, so that what a killed one left can be told."""

import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from harness.play.clock import state_of

MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory."""

SHORT = 20
"""Letters that the name of the folder for temporary files may have: sockets that Ray makes below it may have 107."""

ROOM = 512 << 20
"""Bytes that must be free where files lie in memory: containers often have little there, and a full one kills."""


def memory_folder() -> Path:
    """Return where files lie in memory, if this system has such a place with room in it, else `disk_folder`."""
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if has_room else disk_folder()


def disk_folder() -> Path:
    """Return where temporary files lie, under a short name."""
    folder = tempfile.gettempdir()
    return Path(folder if len(folder) <= SHORT else "/tmp")


def own_folder(parent: Path) -> Path:
    """Make a new folder of this process."""
    sweep_once()
    return Path(tempfile.mkdtemp(prefix=f"boss-{os.getpid()}-", dir=parent))


def sweep() -> None:
    """Delete the folders of processes that are gone."""
    for folder in [found for parent in (MEMORY, disk_folder()) for found in parent.glob("boss-*-*")]:
        owner = folder.name.split("-")[1]
        if owner.isdigit() and state_of(int(owner)) in "ZX":
            shutil.rmtree(folder, ignore_errors=True)


@lru_cache(maxsize=1)
def sweep_once() -> None:
    """Do so once in the life of this process."""
    sweep()
