"""Runs in processes of their own, to be killed: who descends from whom there, and what is left in the end."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bad_bots.arena import command, gone

__all__ = ["at_play", "command", "descendants", "gone", "ladder_at_play", "own_folders"]

UNRULY = Path(__file__).with_name("unruly_bots.py")

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
    command = [sys.executable, "-m", "harness", "run", "small.yaml", "--out", "out", "--workers", "2"]
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([*command, "--executor", executor], cwd=folder, env={**os.environ, **paths}) as harness:
        try:
            yield harness
        finally:
            harness.kill()


def at_play(harness: "subprocess.Popen[bytes]") -> tuple[list[int], list[int]]:
    """Wait until jailed bots are at play in a run; return the workers that started them, and their processes."""
    while harness.poll() is None:
        jails = {pid for pid in descendants(harness.pid) if b"play/worker.py" in command(pid)}
        workers = {parent_of(pid) for pid in jails} - {0, harness.pid} - jails
        if workers:
            return sorted(workers), sorted(jails)
        time.sleep(0.02)
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
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def own_folders(pids: list[int]) -> list[str]:
    """Return the temporary folders that these processes made and left."""
    places = [Path(place) for place in ("/dev/shm", "/tmp")]
    return [str(found) for place in places for pid in pids for found in place.glob(f"boss-{pid}-[!p]*")]
