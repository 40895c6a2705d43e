"""How a bot's process is confined, and what of that this machine can do.

The jail is sandlock's (Landlock and seccomp, no privileges needed): a bot reads Python's libraries, this package and
its own files, writes its answers, and reaches nothing else: no other file, process, socket or signal. Without it a
bot still gets a process of its own with bounded memory, but can read what its user can.
"""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.play.calls import FROM_THE_START, second_filter

HARNESS = Path(__file__).resolve().parent.parent
SCRIPT = HARNESS / "play" / "worker.py"

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "BOSS_NO_KERNEL_CACHE": "1",
}
"""All that a bot's process finds in its environment."""


@dataclass(frozen=True)
class Isolation:
    """What this machine offers: the highest level, each protection tried for real, and why the level is no higher."""

    level: str
    holds: dict[str, bool]
    reason: str


class Process:
    """A running child: its number and its two pipes; `kill` ends and reaps it."""

    def __init__(self, handle: Any, pid: int, reader: Any, writer: Any) -> None:
        self.handle = handle
        self.pid = pid
        self.reader = reader
        self.writer = writer

    def kill(self) -> tuple[int | None, int | None]:
        """End the process if it still runs; return (exit code, signal) where it ended by itself."""
        raise NotImplementedError


class _Jailed(Process):
    def kill(self) -> tuple[int | None, int | None]:
        self.handle.kill()
        result = self.handle.wait()
        for pipe in (self.reader, self.writer):
            pipe.close()
        if result.signal > 0:
            return None, result.signal
        return (result.exit_code, None) if result.exit_code >= 0 else (None, None)


class _Child(Process):
    def kill(self) -> tuple[int | None, int | None]:
        self.handle.kill()
        code = self.handle.wait()
        for pipe in (self.reader, self.writer):
            pipe.close()
        return (code, None) if code >= 0 else (None, -code)


def start(level: str, command: Sequence[str], readable: Sequence[str], writable: Sequence[str], cwd: str) -> Process:
    """Start a command as a child at a level, with pipes for its input and output.

    readable, writable: files and folders it needs besides Python itself; only a jail holds it to them.
    """
    if level == "jailed":
        from sandlock import Sandbox, StdioMode

        sandbox = Sandbox(
            fs_readable=[*python_folders(), *readable],
            fs_writable=[os.devnull, *writable],
            extra_deny_syscalls=FROM_THE_START,
            max_processes=1,
            clean_env=True,
            env=ENVIRONMENT,
            cwd=cwd,
        )
        jailed = sandbox.popen(list(command), StdioMode.PIPED, StdioMode.PIPED, StdioMode.NULL)
        return _Jailed(jailed, jailed.pid, jailed.stdout, jailed.stdin)
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    child = subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, stderr=nothing, cwd=cwd, env=ENVIRONMENT)
    return _Child(child, child.pid, child.stdout, child.stdin)


def output_of(script: Path, arguments: Sequence[str]) -> bytes:
    """Return what a script of ours writes, run in a process of its own: no bot, and no jail."""
    command = [*python_command(script), *arguments]
    return subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, check=True).stdout


def python_command(script: Path | str) -> list[str]:
    """Return the command that runs a script with nothing on its path but the standard library, and none written to."""
    return [os.path.realpath(sys.executable), "-s", "-P", "-S", "-B", str(script)]


@lru_cache(maxsize=1)
def packages() -> tuple[str, ...]:
    """Return the folders of installed packages, which a bot may import."""
    paths = sysconfig.get_paths()
    return tuple(dict.fromkeys((paths["purelib"], paths["platlib"])))


@lru_cache(maxsize=1)
def python_folders() -> tuple[str, ...]:
    """Return the folders that Python and its packages are loaded from, and this harness's own."""
    paths = sysconfig.get_paths()
    named = [paths["stdlib"], paths["platstdlib"], *packages(), os.path.dirname(os.path.realpath(sys.executable))]
    usual = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/dev/urandom"]
    shared = sysconfig.get_config_var("LIBDIR")
    wanted = [*named, *usual, *([shared] if shared else []), str(HARNESS)]
    return tuple(dict.fromkeys(os.path.realpath(folder) for folder in wanted if os.path.exists(folder)))


@lru_cache(maxsize=1)
def probe() -> Isolation:
    """Start a child in the jail and let it try what it must not; return what held."""
    if sys.platform != "linux":
        return Isolation("process", {}, f"the jail needs Linux; this is {sys.platform}")
    try:
        import sandlock
    except (ImportError, OSError) as error:
        return Isolation("process", {}, f"the package sandlock cannot be loaded: {error}")
    try:
        told = [str(os.getpid()), str(SCRIPT), second_filter().hex()]
        child = start("jailed", [*python_command("-c"), _TRIES, *told], [], [], "/")
    except (sandlock.SandlockError, RuntimeError, OSError) as error:
        return Isolation("process", {}, f"sandlock cannot confine a process on this kernel: {error}")
    try:
        holds = json.loads(child.reader.read() or b"{}")
    except ValueError:
        holds = {}
    finally:
        child.kill()
    missing = [name for name, held in holds.items() if not held and name != MARKS]
    if missing or not holds:
        return Isolation("process", holds, f"does not hold here: {', '.join(missing) or 'the jail as a whole'}")
    return Isolation("jailed", holds, "" if all(holds.values()) else f"{MARKS} does not hold: libseccomp is missing")


MARKS = "no marks for other processes"
"""The one protection that a jail can do without: it needs libseccomp, and keeps a bot's own processes apart."""

_TRIES = """
import json, os, runpy, socket, sys
def held(what):
    try:
        what()
    except OSError:
        return True
    return False
parent = int(sys.argv[1])
holds = {
    "files cannot be read": held(lambda: os.listdir("/")) and held(lambda: open("/etc/passwd")),
    "files cannot be written": held(lambda: open("/tmp/boss-probe-" + str(os.getpid()), "w")),
    "no network": held(lambda: socket.create_connection(("127.0.0.1", 9), 0.2)
                       if socket.socket().connect_ex(("127.0.0.1", 9)) == 111 else exec("raise OSError")),
    "no other process": held(os.fork),
    "no signals to others": held(lambda: os.kill(parent, 0)),
    "no look at the harness": held(lambda: open(f"/proc/{parent}/mem", "rb")),
    "files cannot be changed": held(lambda: os.chmod(sys.argv[2], os.stat(sys.argv[2]).st_mode)),
}
runpy.run_path(sys.argv[2])["take_filter"](bytes.fromhex(sys.argv[3]))
holds["no marks for other processes"] = held(socket.socket) and held(os.fork)
print(json.dumps(holds))
"""
