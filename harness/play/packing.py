"""Packs: the code of all modules that bots' processes import, in a few files, made once for each harness process.

In a jail every file opened or closed is looked at by another process, and imports open hundreds: out of packs a
nursery starts four times as fast.
"""

import os
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.play import isolation
from harness.play.scratch import memory_folder

PACKS = {
    "harness": ["ctypes", "harness.play.answering"],
    "sandlock": ["sandlock"],
    "numpy": ["harness.play.answering_batch"],
}
"""What each pack serves, by the package at whose import it is opened; none holds what is in those before it."""


def packs() -> dict[str, str]:
    """Return the files of the packs by name; they go when this process ends."""
    home = Path(_packed().name)
    return {path.name: str(path) for path in home.iterdir()}


@lru_cache(maxsize=1)
def _packed() -> "TemporaryDirectory[str]":
    home = TemporaryDirectory(prefix=f"boss-{os.getpid()}-packs-", dir=memory_folder())
    paths = os.pathsep.join([str(isolation.HARNESS.parent), *isolation.packages()])
    before: list[str] = []
    for name, modules in PACKS.items():
        if find_spec(name):
            arguments = [paths, ",".join(before), ",".join(modules)]
            Path(home.name, name).write_bytes(isolation.output_of(isolation.SCRIPT, arguments))
            before += modules
    return home
