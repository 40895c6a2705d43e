"""Disks that are full, fail or are read-only: one plain message, nothing lost, and it goes on when they are mended."""

import errno
import os
import resource
import shutil
import subprocess
import sys
from collections import namedtuple
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest
from ladder.stores import CONFIG, contents, digests, parts, run

from harness.errors import BossError, ResultsError, RunError
from harness.ladder import disk
from harness.ladder.chunk import Chunk, ChunkResult
from harness.ladder.disk import LEAST_FREE, cannot_write, sweep, write_whole
from harness.ladder.executor import HereExecutor


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run that no test changes."""
    folder = tmp_path_factory.mktemp("disk") / "whole"
    run(folder)
    return folder


def leftovers(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.name.endswith(".tmp")]


# One file


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond `size`: a write then is short, and the next one fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_does_not_fit_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"before")
    with (
        files_no_larger_than(3000),
        pytest.raises(RunError, match=r"file: cannot be written: File too large; make room"),
    ):
        write_whole(path, b"x" * 5000)
    assert contents(tmp_path) == {path: b"before"}
    write_whole(path, b"x" * 5000)
    assert contents(tmp_path) == {path: b"x" * 5000}


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_disk_that_fills_at_the_last_step_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Network file systems say only when a file is synced or closed that there was no room."""

    def full(*_: Any) -> NoReturn:
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    write_whole(tmp_path / "file", b"before")
    with monkeypatch.context() as patch:
        patch.setattr(*((os, "fsync") if step == "fsync" else (Path, "replace")), full)
        with pytest.raises(RunError, match="Disk quota exceeded; make room"):
            write_whole(tmp_path / "file", b"after")
    assert contents(tmp_path) == {tmp_path / "file": b"before"}


def test_a_file_is_on_the_disk_before_it_takes_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its content is synced, then it is renamed, then its folder is synced."""
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(descriptor: int) -> None:
        steps.append(f"sync {Path(os.readlink(f'/proc/self/fd/{descriptor}')).name.split('.')[1:2]}")
        fsync(descriptor)

    def renamed(path: Path, target: Path) -> Path:
        steps.append(f"rename {target.name}")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    write_whole(tmp_path / "file", b"content")
    assert steps == ["sync ['file']", "rename file", "sync []"]


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (
            errno.ENOSPC,
            RunError,
            "make room on its disk: what was stored before is whole, and the same command goes on",
        ),
        (errno.EIO, RunError, "what was stored before is whole, and the same command goes on"),
        (errno.EROFS, ResultsError, "make it writable, or choose another folder"),
        (errno.EACCES, ResultsError, "make it writable"),
        (errno.ENOTDIR, ResultsError, "make it writable"),
    ],
)
def test_what_went_wrong_decides_what_is_said(number: int, kind: type[Exception], words: str) -> None:
    error = cannot_write(Path("results/x/games"), OSError(number, os.strerror(number)))
    assert type(error) is kind
    assert str(error).startswith(f"results/x/games: cannot be written: {os.strerror(number)}; ")
    assert words in str(error)
    assert isinstance(error, BossError) == (kind is ResultsError), "exit status 2, or 1"


def test_a_file_swept_away_while_it_is_written_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a run begins while a report is being written."""
    replace, swept = Path.replace, []

    def renamed(path: Path, target: Path) -> Path:
        if not swept:
            swept.append(path)
            sweep(tmp_path)
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", renamed)
    write_whole(tmp_path / "plots" / "file.png", b"content")
    assert swept
    assert contents(tmp_path) == {tmp_path / "plots" / "file.png": b"content"}


# A run


def test_a_run_that_meets_a_full_disk_goes_on_when_there_is_room(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    sizes = sorted(part.stat().st_size for part in parts(whole) + parts(whole, "blocks"))
    with files_no_larger_than(sizes[-1] - 1), pytest.raises(RunError, match=r"parquet: cannot be written: .*make room"):
        run(folder)
    assert 0 < len(parts(folder)) < len(parts(whole))
    assert leftovers(folder) == []
    kept = {path: path.read_bytes() for path in parts(folder)}
    run(folder)
    assert {path: path.read_bytes() for path in kept} == kept
    assert digests(folder) == digests(whole)


def test_a_run_does_not_begin_on_a_disk_that_is_almost_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    with monkeypatch.context() as patch:
        patch.setattr(disk.shutil, "disk_usage", lambda folder: usage(10**9, 10**9, LEAST_FREE - 1))
        with pytest.raises(RunError, match=r"only 4\.2 MB are free on its disk, and this does not begin with less"):
            run(tmp_path / "run")
    assert contents(tmp_path / "run") == {}
    run(tmp_path / "run")


# Real disks, where this process may mount them


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[None]:
    """Mount something at a folder, or skip the test where that is not allowed."""
    folder.mkdir(exist_ok=True)
    if not shutil.which("mount") or subprocess.run(["mount", *options, str(folder)], capture_output=True).returncode:
        pytest.skip("no file system may be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


class Crowded:
    """Plays, while others take all the room there is on the disk."""

    def __init__(self, disk: Path) -> None:
        self.taken = disk / "taken"

    def play(self, chunks: Iterable[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        with closing(HereExecutor().play(chunks)) as games:
            for played in games:
                with self.taken.open("ab", buffering=0) as file, suppress(OSError):
                    while file.write(bytes(2**16)):
                        pass
                yield played


def test_a_small_disk_that_fills_and_is_cleared(whole: Path, tmp_path: Path) -> None:
    place = tmp_path / "disk"
    with mounted(place, "-t", "tmpfs", "-o", f"size={LEAST_FREE + 2**20}", "none"):
        folder = place / "run"
        run(folder, CONFIG.replace("blocks: 30", "blocks: 10"))
        before = contents(folder)
        with pytest.raises(RunError, match="No space left on device; make room"):
            run(folder, executor=Crowded(place))
        found = contents(folder)
        assert {path: found.get(path) for path in parts(folder)} == {path: before[path] for path in parts(folder)}
        assert leftovers(folder) == []
        with pytest.raises(RunError, match=r"only 0\.0 MB are free"):
            run(folder)
        (place / "taken").unlink()
        run(folder)
        assert digests(folder) == digests(whole)


def test_a_read_only_disk_is_refused_at_once_and_can_be_read(whole: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(whole, tmp_path / "run"))
    with mounted(folder, "--bind", "-o", "ro", str(folder)):
        with pytest.raises(ResultsError, match=r"lock: cannot be written: Read-only file system; make it writable"):
            run(folder, CONFIG.replace("blocks: 30", "blocks: 40"))
        assert digests(folder) == digests(whole)
    run(folder, CONFIG.replace("blocks: 30", "blocks: 40"))


def bound_by_permissions() -> list[str]:
    """Words before a command that take from root the right to write everywhere; skips the test where none can."""
    if os.geteuid() != 0:
        return []
    words = ["setpriv", "--bounding-set", "-dac_override"]
    if not shutil.which("setpriv") or subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("root may write everywhere, and that cannot be taken from it here")
    return words


def test_a_folder_without_permission_is_refused_at_once(whole: Path, tmp_path: Path) -> None:
    """In a process of its own, as only one that is started anew may be bound by permissions."""
    folder = Path(shutil.copytree(whole, tmp_path / "run"))
    (folder / "lock").unlink()
    folder.chmod(0o500)
    before = contents(folder)
    (tmp_path / "more.yaml").write_text(CONFIG.replace("blocks: 30", "blocks: 40"))
    words = [sys.executable, "-m", "harness", "run", str(tmp_path / "more.yaml"), "--out", str(folder)]
    refused = subprocess.run([*bound_by_permissions(), *words], capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "lock: cannot be written: Permission denied; make it writable" in refused.stderr
    assert contents(folder) == before
    folder.chmod(0o700)
    run(folder, CONFIG.replace("blocks: 30", "blocks: 40"))
