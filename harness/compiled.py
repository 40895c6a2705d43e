"""The one door to numba: compiled kernels and where their machine code is kept.

numba notices an edit of the file a kernel stands in, not of the kernels it calls in other files. So the cache
lies in a folder named by a hash of all sources that hold kernels: any edit starts a fresh one. Set
``NUMBA_DISABLE_JIT=1`` to run the same sources as plain Python.
"""

import hashlib
import os
from pathlib import Path
from typing import Any

_PROJECT = Path(__file__).resolve().parent.parent


def _sources() -> list[Path]:
    folders = (_PROJECT / "harness", _PROJECT / "bots")
    return sorted(file for folder in folders for file in folder.rglob("*.py") if b"@kernel" in file.read_bytes())


def cache_folder() -> Path:
    """Return the folder of compiled kernels for the sources as they are now."""
    digest = hashlib.blake2b(digest_size=8)
    for file in _sources():
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "boss-harness" / digest.hexdigest()


os.environ["NUMBA_CACHE_DIR"] = str(cache_folder())

import numba  # noqa: E402  (reads the variable when it is imported)

numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]  # type: ignore[attr-defined]  # and again, should somebody have imported it before


def kernel(function: Any) -> Any:
    """Compile `function` with numba, cached on disk between runs and processes, if this process can write there."""
    return numba.njit(cache="BOSS_NO_KERNEL_CACHE" not in os.environ, error_model="numpy")(function)
