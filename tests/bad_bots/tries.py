"""A bot that tries every escape of a family in its first decision, and tells as an exception which ones succeeded."""

import os
import stat
import sys
from collections.abc import Iterator
from typing import Any

import files
import kernel
import network
import protocol

from harness import Bot, Turn, View

DEADLY = ("x32_fork",)
"""Tried apart, by `kernel.Kernel`: the jail ends a process for it."""


class Tries(Bot):
    """`family` is files, network or kernel; a way that fails is blocked, but the kernel must say that it is denied."""

    def __init__(self, family: str, root: str) -> None:
        from pathlib import Path

        ways: dict[str, dict[str, Any]] = {
            "files": {name: lambda way=way: way(Path(root)) for name, way in files.WAYS.items()},
            "network": network.WAYS,
            "kernel": kernel.WAYS,
        }
        self.ways = {name: way for name, way in ways[family].items() if name not in DEADLY}

    def act(self, view: View) -> Turn:
        succeeded = [name for name, way in self.ways.items() if succeeds(way)]
        raise RuntimeError(f"tried {len(self.ways)}; ESCAPED: {' '.join(succeeded) or 'nothing'}")


def succeeds(way: Any) -> bool:
    try:
        way()
    except OSError as error:
        return way in kernel.WAYS.values() and error.errno not in kernel.DENIED
    return True


class Sees(Bot):
    """Tells what of `what` its process can see."""

    def __init__(self, what: str, needles: list[int] | None = None) -> None:
        self.what = what
        self.needles = needles or []

    def act(self, view: View) -> Turn:
        raise RuntimeError(" ".join(sorted(getattr(self, self.what)())))

    def environment(self) -> Iterator[str]:
        yield from os.environ

    def descriptors(self) -> Iterator[str]:
        """Yield the kinds of what is open."""
        kinds = {"fifo": stat.S_ISFIFO, "device": stat.S_ISCHR, "file": stat.S_ISREG, "folder": stat.S_ISDIR}
        for number in range(64):
            try:
                mode = os.fstat(number).st_mode
            except OSError:
                continue
            yield next((name for name, fits in kinds.items() if fits(mode)), "other")

    def arguments(self) -> Iterator[str]:
        yield from sys.orig_argv[1:]

    def secrets(self) -> Iterator[str]:
        """Yield each needle that lies in its questions; they come as complements, to be in no other place."""
        yield "looked"
        for memory in protocol.shared():
            data = bytes(memory)
            for needle in self.needles:
                if (needle ^ (1 << 64) - 1).to_bytes(8, "little") in data:
                    yield "FOUND"
