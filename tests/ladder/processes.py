"""Runs in processes of their own, to be killed: who descends from whom there, and what is left in the end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bad_bots.arena import command

PROJECT = Path(__file__).parent.parent.parent
UNRULY = Path(__file__).with_name("unruly_bots.py")

PATIENT = """
from harness import cli
from harness.ladder import over_ray

over_ray.START_S = 600  # a machine that is busy with other things is not what is tested
cli.main()
"""

WORKERS = (b"harness.ladder.lane", b"ray::play")
JAIL = b"play/worker.py"
"""How to tell workers and bots' processes by their commands."""

LADDER = """\
name: small
seed: "00112233445566778899aabbccddeeff"
bots: [random, {bot: "FILE:Slow", level: trusted}, {bot: "FILE:Texts", level: jailed}]
tables: [{players: 3, blocks: 60}]
limits: {turn_ms: 1000, load_s: 20}
"""


@contextmanager
def ladder_at_play(folder: Path, executor: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a ladder with a jailed bot and a slow one in a process of its own, by two workers."""
    (folder / "small.yaml").write_text(LADDER.replace("FILE", str(UNRULY)))
    with start(folder / "small.yaml", folder / "out", executor) as harness:
        try:
            yield harness
        finally:
            harness.kill()


def start(config: Path, folder: Path, executor: str, log: IO[str] | None = None) -> "subprocess.Popen[bytes]":
    """Start or continue a run by the command line, with two workers; what it complains of goes to `log`."""
    command = [sys.executable, "-c", PATIENT, "run", str(config), "--out", str(folder)]
    return subprocess.Popen(
        [*command, "--workers", "2", "--executor", executor],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        preexec_fn=hear_interrupts,
        stdout=subprocess.DEVNULL,
        stderr=log,
    )


def hear_interrupts() -> None:
    """Let Ctrl-C end this process, even where a shell has put it in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def at_play(harness: "subprocess.Popen[bytes]") -> tuple[list[int], list[int]]:
    """Wait until jailed bots are at play in a run; return the workers that started them, and their processes."""
    while harness.poll() is None:
        workers = [pid for pid in descendants(harness.pid) if any(mark in command(pid) for mark in WORKERS)]
        jails = {pid: [child for child in descendants(pid) if JAIL in command(child)] for pid in workers}
        if any(jails.values()):
            return [pid for pid in workers if jails[pid]], [jail for own in jails.values() for jail in own]
        time.sleep(0.1)
    raise AssertionError(f"it ended too early, with status {harness.returncode}")


def descendants(pid: int) -> list[int]:
    """Return all processes that descend from one, the nearest first."""
    parents = {int(name): parent_of(int(name)) for name in os.listdir("/proc") if name.isdigit()}
    found: list[int] = []
    growing = [pid]
    while growing:
        growing = [child for child, parent in parents.items() if parent in growing]
        found += growing
    return found


def parent_of(pid: int) -> int:
    """Return the parent of a process; 0 when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def own_folders(pids: list[int]) -> list[str]:
    """Return the temporary folders that these processes made and left."""
    places = [Path(place) for place in ("/dev/shm", "/tmp")]
    return [str(found) for place in places for pid in pids for found in place.glob(f"boss-{pid}-[!p]*")]
