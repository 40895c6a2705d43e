"""What a bot's process must not be able to do, tried for real: in a jail, in place of a bot."""

import os
import socket
from collections.abc import Callable


def tries(harness: int, own_file: str) -> dict[str, bool]:
    """Return by name of each protection whether it holds; `harness` is the process that must be out of reach."""
    others = (harness, os.getppid())
    return {
        "files cannot be read": _held(lambda: os.listdir("/")) and _held(lambda: open("/etc/passwd")),
        "files cannot be written": _held(lambda: open(f"/tmp/boss-probe-{os.getpid()}", "w")),
        "files cannot be changed": _held(lambda: os.chmod(own_file, os.stat(own_file).st_mode)),
        "no network": _held(socket.socket),
        "no other process": _held(os.fork) and _held(lambda: os.execv("/bin/true", ["true"])),
        "no signals to others": all(_held(lambda pid=pid: os.kill(pid, 0)) for pid in others),  # type: ignore[misc]
        "no look at others": all(_held(lambda pid=pid: open(f"/proc/{pid}/mem", "rb")) for pid in others),  # type: ignore[misc]
    }


def _held(what: Callable[[], object]) -> bool:
    try:
        what()
    except OSError:
        return True
    return False
