"""Folders for temporary files: a killed owner's are swept, a living one's never, whatever its number."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.api import running
from harness.errors import RunError
from harness.ladder.config import Config
from harness.play import scratch

OWNER = """
import sys
from pathlib import Path
from harness.play import scratch
scratch.sweep_once = lambda: None
print(scratch.own_folder(Path(sys.argv[1]), "packs-"), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(scratch, "MEMORY", tmp_path / "memory")
    monkeypatch.setattr(scratch, "disk_folder", lambda: tmp_path)
    scratch.sweep_once()  # so that no folder made here sweeps this machine


def test_the_folder_of_a_process_elsewhere_lasts_as_long_as_that_lives(tmp_path: Path) -> None:
    """In another container its number says nothing here: the folder is renamed to a number that nobody has."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], stdin=pipe, stdout=pipe, text=True) as owner:
        assert owner.stdout is not None
        made = Path(owner.stdout.readline().strip())
        elsewhere = made.rename(tmp_path / "boss-999999999-packs-x")
        scratch.sweep()
        assert elsewhere.is_dir()
        owner.kill()
        owner.wait()
    scratch.sweep()
    assert not elsewhere.exists()


def test_a_folder_given_back_is_gone_with_its_lock(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    folder = scratch.own_folder(tmp_path)
    (folder / "inner").mkdir()
    scratch.sweep()
    assert (folder / "inner").is_dir(), "one's own is held, too"
    scratch.give_back(folder)
    assert not folder.exists()
    assert before == (len(os.listdir("/proc/self/fd")) if before else 0)


def test_a_match_lies_in_a_folder_that_a_later_run_sweeps_if_it_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    folders: list[Path] = []

    def play(config: Config, folder: Path, *_: object) -> None:
        assert (folder.parent / scratch.HELD).is_file()
        folders.append(folder.parent)
        raise RunError

    monkeypatch.setattr(running, "play", play)
    with pytest.raises(RunError):
        running.match(["greedy", "random"])
    assert not folders[0].exists()


def test_what_is_no_folder_of_ours_stays(tmp_path: Path) -> None:
    """Neither one just being made, which is not locked yet, nor anybody else's."""
    for name in ("boss-999999999-new", "boss-match-abc", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "other" / scratch.HELD).touch()
    scratch.sweep()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["boss-999999999-new", "boss-match-abc", "other"]


def test_a_file_system_without_locks_keeps_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(file: int, how: int) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    folder = scratch.own_folder(tmp_path)
    scratch.sweep()
    assert folder.is_dir()
    scratch.give_back(folder)


def test_what_cannot_be_deleted_now_is_swept_later(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its lock stays with it: a folder without one would lie there for good."""
    folder = scratch.own_folder(tmp_path)
    (folder / "inner").mkdir()
    with monkeypatch.context() as busy:
        busy.setattr(shutil, "rmtree", lambda path, ignore_errors: None)
        scratch.give_back(folder)
    assert sorted(path.name for path in folder.iterdir()) == [scratch.HELD, "inner"]
    scratch.sweep()
    assert not folder.exists()
