"""How a bot's process is confined, and what of that this machine can do.

The jail is sandlock's (Landlock and seccomp, no privileges needed): a bot reads Python's libraries, this package and
its own files, writes its answers, and reaches nothing else: no other file, process, socket or signal. Without it a
bot still gets a process of its own with bounded memory, but can read what its user can.
"""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.play.calls import FROM_THE_START
from harness.play.sources import BUILT_IN

HARNESS = Path(__file__).resolve().parent.parent
SCRIPT = HARNESS / "play" / "worker.py"

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "BOSS_NO_KERNEL_CACHE": "1",
}
"""All that a bot's process finds in its environment."""


PACKAGES = ("site-packages", "dist-packages")
"""What folders of installed packages are called; Debian's own are the latter."""

MOST_PROCESSES = 1000
"""Copies of a nursery at a time; a copy that holds a bot can start none itself."""


class Process:
    """A running child and its two pipes; `handle` is what started it."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self.reader, self.writer = handle.stdout, handle.stdin

    def kill(self) -> None:
        """End the process and wait for its end."""
        self.handle.kill()
        self.handle.wait()
        for pipe in (self.reader, self.writer):
            pipe.close()


def start(level: str, command: Sequence[str], readable: Sequence[str], writable: Sequence[str], cwd: str) -> Process:
    """Start a command as a child at a level, with pipes for its input and output.

    readable, writable: files and folders it needs besides Python itself; only a jail holds it to them.
    """
    if level == "jailed":
        from sandlock import Sandbox, StdioMode

        shown = [*python_folders(), *readable]
        sandbox = Sandbox(
            fs_readable=shown,
            fs_writable=[os.devnull, *writable],
            fs_denied=[str(BUILT_IN)] if any(BUILT_IN.is_relative_to(folder) for folder in shown) else [],
            extra_deny_syscalls=FROM_THE_START,
            max_processes=MOST_PROCESSES,
            clean_env=True,
            env=ENVIRONMENT,
            cwd=cwd,
        )
        return Process(sandbox.popen(list(command), StdioMode.PIPED, StdioMode.PIPED, StdioMode.NULL))
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    return Process(
        subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, stderr=nothing, cwd=cwd, env=ENVIRONMENT)
    )


def run_script(script: Path, arguments: Sequence[str]) -> None:
    """Run a script of ours in a process of its own: no bot, and no jail. Raises OSError where it fails."""
    if subprocess.run([*python_command(script), *arguments], env=ENVIRONMENT).returncode:
        raise OSError(f"{script.name} failed")


def python_command(script: Path | str) -> list[str]:
    """Return the command that runs a script with nothing on its path but the standard library, and none written to."""
    return [os.path.realpath(sys.executable), "-s", "-P", "-S", "-B", str(script)]


@lru_cache(maxsize=1)
def packages() -> tuple[str, ...]:
    """Return the folders of installed packages, which a bot may import: of this environment, and those it builds on,
    as one with the system's packages or the user's does.
    """
    paths = sysconfig.get_paths()
    others = [folder for folder in sys.path if Path(folder).name in PACKAGES and os.path.isdir(folder)]
    return tuple(dict.fromkeys((paths["purelib"], paths["platlib"], *others)))


@lru_cache(maxsize=1)
def python_folders() -> tuple[str, ...]:
    """Return the folders that Python and its packages are loaded from, and this harness's own."""
    paths = sysconfig.get_paths()
    named = [paths["stdlib"], paths["platstdlib"], *packages(), os.path.dirname(os.path.realpath(sys.executable))]
    usual = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/dev/urandom"]
    shared = sysconfig.get_config_var("LIBDIR")
    wanted = [*named, *usual, *([shared] if shared else []), str(HARNESS)]
    return tuple(dict.fromkeys(os.path.realpath(folder) for folder in wanted if os.path.exists(folder)))
