"""One writer at a time, whichever way the last one ended; and writers killed at the worst moments."""

import errno
import fcntl
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from ladder.stores import CONFIG, contents, digests, parts, planned, run

from harness.errors import ResultsError
from harness.ladder.executor import HereExecutor
from harness.ladder.lock import locked
from harness.ladder.run import Silence, play_run

TESTS = Path(__file__).parent.parent

HOLD = """
import subprocess, sys
from pathlib import Path
from harness.ladder.lock import locked
with locked(Path(sys.argv[1])):
    child = subprocess.Popen(["sleep", "60"], close_fds=False)
    print(child.pid, flush=True)
    sys.stdin.read()
"""
"""Holds the lock of a folder, and has a child that outlives it."""

KILLED = """
import os, signal, sys
from pathlib import Path
from ladder.stores import run

rename, left = Path.replace, [int(sys.argv[2])]

def replace(path, target):
    if target.suffix == ".parquet":
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return rename(path, target)

Path.replace = replace
run(Path(sys.argv[1]))
"""
"""Runs a ladder and is killed where a part is written, but not renamed yet, after so many whole ones."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run that no test changes."""
    folder = tmp_path_factory.mktemp("lock") / "whole"
    run(folder)
    return folder


@contextmanager
def held(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock of a folder."""
    command = [sys.executable, "-c", HOLD, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        child = int(holder.stdout.readline())
        try:
            yield holder
        finally:
            holder.kill()
            os.kill(child, signal.SIGKILL)


def test_a_second_writer_is_told_who_writes_and_readers_are_not_kept_waiting(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(folder)
    before = digests(folder)
    with held(folder) as holder:
        with pytest.raises(ResultsError) as error:
            run(folder, CONFIG.replace("blocks: 30", "blocks: 40"))
        who = f"another run is writing here (process {holder.pid} on {socket.gethostname()})"
        assert str(error.value).startswith(f"{folder}: {who}; wait until it ends, or stop it")
        assert digests(folder) == before
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        run(folder, CONFIG.replace("blocks: 30", "blocks: 40"))  # its child lives, and holds nothing


def test_a_file_system_without_locks_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(descriptor: int, operation: int) -> NoReturn:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(ResultsError, match="No locks available; its file system has no locks"):
        run(tmp_path / "run")


def test_the_lock_is_free_again_however_a_run_ends(tmp_path: Path) -> None:
    def fail() -> None:
        with locked(tmp_path):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            fail()


def test_a_plan_that_another_run_has_overtaken_is_refused(tmp_path: Path) -> None:
    """Two that begin at once draw different seeds; two that continue would each forget what the other added."""
    folder = tmp_path / "run"
    early = planned(folder, CONFIG.replace("seed", "# seed"))
    run(folder, CONFIG.replace("seed", "# seed"))
    before = contents(folder)
    with pytest.raises(ResultsError, match="another run has just been writing here; give the same command again"):
        play_run(early, HereExecutor(), Silence())
    assert contents(folder) == before
    more = planned(folder, CONFIG.replace("seed", "# seed").replace("blocks: 30", "blocks: 40"))
    run(folder, CONFIG.replace("seed", "# seed").replace("bully]", "bully, miser]"))
    with pytest.raises(ResultsError, match="give the same command again"):
        play_run(more, HereExecutor(), Silence())


@pytest.mark.parametrize("whole_parts", [0, 3])
def test_a_writer_killed_in_the_middle_of_a_write_loses_nothing_else(
    whole: Path, tmp_path: Path, whole_parts: int
) -> None:
    """Killed with no part stored, and between the sums and the games of the second chunk."""
    folder = tmp_path / "run"
    command = [sys.executable, "-c", KILLED, str(folder), str(whole_parts)]
    paths = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    killed = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    stored = parts(folder) + parts(folder, "blocks")
    assert len(stored) == whole_parts
    assert [path.name for path in folder.rglob("*.tmp")] != []
    kept = {path: path.stat().st_mtime_ns for path in parts(folder)}
    assert run(folder).warnings == []
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert [path.name for path in folder.rglob("*.tmp")] == []
    assert digests(folder) == digests(whole)
