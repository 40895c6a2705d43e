"""Packs: the code of all modules that bots' processes import, in a few files, made once for each harness process.

In a jail every file opened or closed is looked at by another process, and imports open hundreds: out of packs a bot's
process starts four times as fast.
"""

import os
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.play import isolation

PACKS = {"harness": ["ctypes", "harness.play.answering"], "numpy": ["harness.play.answering_batch"]}
"""What each pack serves, by the package at whose import it is opened; none holds what is in those before it."""


def packs(folder: str | None) -> dict[str, str]:
    """Return the files of the packs by name; they lie in `folder`, and go when this process ends."""
    home = Path(_packed(folder).name)
    return {name: str(home / name) for name in PACKS}


@lru_cache(maxsize=1)
def _packed(folder: str | None) -> "TemporaryDirectory[str]":
    home = TemporaryDirectory(prefix=f"boss-{os.getpid()}-packs-", dir=folder)
    paths = os.pathsep.join([str(isolation.HARNESS.parent), *isolation.packages()])
    before: list[str] = []
    for name, modules in PACKS.items():
        arguments = [paths, ",".join(before), ",".join(modules)]
        Path(home.name, name).write_bytes(isolation.output_of(isolation.SCRIPT, arguments))
        before += modules
    return home
