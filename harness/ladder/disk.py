"""Files written whole or not at all, and what is said where a disk does not take them."""

import errno
import json
import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from harness.errors import ResultsError, RunError

LEAST_FREE = 4 << 20
"""Bytes that must be free before a run begins: room for a few parts, so that it does not end at the first."""

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
CLOSED = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOTDIR,
    errno.EEXIST,
    errno.EISDIR,
    errno.ENAMETOOLONG,
    errno.ENOENT,
}
GOES_ON = "what was stored before is whole, and the same command goes on from there"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that whatever happens, a power cut too, `path` is either whole or as before.

    The content goes to a temporary name and down to the disk, then takes its own name, and that goes down as well.

    Raises ResultsError where nothing may be written, RunError where the disk is full or fails.
    """
    try:
        try:
            _write(path, content)
        except FileNotFoundError:  # a run that begins sweeps away even what a report is just writing
            _write(path, content)
    except OSError as error:
        raise cannot_write(path, error) from None


def _write(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        _sync_folder(path.parent)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """Write plain values as readable JSON, whole or not at all."""
    write_whole(path, (json.dumps(value, indent=1) + "\n").encode())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot do it for folders
            raise
    finally:
        os.close(descriptor)


def cannot_write(path: Path, error: OSError) -> ResultsError | RunError:
    """Return what to raise where `path` could not be written."""
    why = error.strerror or str(error)
    if error.errno in FULL:
        return RunError(f"{path}: cannot be written: {why}; make room on its disk: {GOES_ON}")
    if error.errno in CLOSED:
        return ResultsError(f"{path}: cannot be written: {why}; make it writable, or choose another folder")
    return RunError(f"{path}: cannot be written: {why}; {GOES_ON}")


def need_room(folder: Path, needed: int = LEAST_FREE) -> None:
    """Raise RunError where the disk of a folder has less than so many bytes to give."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise RunError(
            f"{folder}: only {free / 1e6:.1f} MB are free on its disk, and this does not begin with less than "
            f"{needed / 1e6:.1f} MB; make room, or choose another folder"
        )


def sweep(folder: Path) -> None:
    """Delete what was being written anywhere in a folder when its writer was killed."""
    for temporary in folder.rglob(f".*.{'[0-9a-f]' * 8}.tmp"):
        with suppress(OSError):
            temporary.unlink()
