"""Packs: the code of all modules that bots' processes import, in a few files, made once for each harness process.

In a jail every file opened or closed is looked at by another process, and imports open hundreds: out of packs a
nursery starts four times as fast.
"""

import atexit
import os
from importlib.util import find_spec

from harness.play import isolation
from harness.play.once import Once
from harness.play.scratch import give_back, memory_folder, own_folder

PACKS = {
    "harness": ["ctypes", "harness.play.answering"],
    "sandlock": ["sandlock"],
    "numpy": ["harness.play.answering_batch"],
}
"""What each pack serves, by the package at whose import it is opened; none holds what is in those before it."""


def _packed() -> dict[str, str]:
    """Return the files of the packs by name; they go when this process ends."""
    home = own_folder(memory_folder(), "packs-")
    atexit.register(give_back, home)
    paths = os.pathsep.join([str(isolation.HARNESS.parent), *isolation.packages()])
    wanted = [f"{name}={','.join(modules)}" for name, modules in PACKS.items() if find_spec(name)]
    isolation.run_script(isolation.SCRIPT, [str(home), paths, *wanted])
    return {name: str(home / name) for name in PACKS if (home / name).exists()}


packs = Once(_packed)
