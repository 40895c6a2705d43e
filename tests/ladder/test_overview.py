"""`boss ladders`: what each folder of a tree is, told without changing it, whatever state it lies in."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ladder.stores import CONFIG, contents, parts, planned, run

from harness.errors import ResultsError
from harness.ladder.lock import holder_of, locked
from harness.ladder.manifest import FORMAT
from harness.ladder.overview import Overview, overview, overviews
from harness.ladder.parts import check, glance


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run that no test changes."""
    folder = tmp_path_factory.mktemp("overview") / "whole"
    run(folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def seen(folder: Path) -> Overview:
    """The overview of a folder, which must be as before."""
    before = contents(folder)
    found = overview(folder)
    assert contents(folder) == before
    return found


def test_a_finished_ladder_is_told_in_full(whole: Path) -> None:
    found = seen(whole)
    assert (found.state, found.note, found.name) == ("complete", "", "small")
    assert found.games == found.planned == 30 * 2 + 10 * 4
    assert found.bots == ("random", "greedy", "bully")
    assert found.tables == ("2p:123", "4p:1234567")
    assert found.size == sum(path.stat().st_size for path in whole.rglob("*") if path.is_file())
    assert found.changed
    latest = max((whole / name).stat().st_mtime for name in ("manifest.json", "games"))
    assert found.changed.timestamp() == pytest.approx(latest, abs=1e-3), "a date holds microseconds"
    assert found.leader is None
    assert json.loads(json.dumps(found.as_record()))["folder"] == str(whole)


def test_the_leader_is_that_of_the_report_and_said_to_be_old_when_it_is(folder: Path) -> None:
    for games, is_old in ((100, False), (80, True)):
        report = {"games": games, "ratings": [{"bot": "bully", "elo": 1234.5}, {"bot": "greedy", "elo": 1100.0}]}
        (folder / "ratings.json").write_text(json.dumps(report))
        assert seen(folder).leader == ("bully", 1234.5, is_old)
    for text in ("no table", "[]", '{"games": 1, "ratings": []}'):
        (folder / "ratings.json").write_text(text)
        assert seen(folder).leader is None


def test_what_is_missing_is_to_be_continued(whole: Path, folder: Path) -> None:
    label = check(parts(folder)[0]).label
    parts(folder)[0].unlink()
    found = seen(folder)
    assert (found.state, found.games, found.planned) == ("to be continued", 100 - label.rows, 100)
    run(folder)
    assert seen(folder).state == "complete"


def test_rounds_that_are_still_to_be_decided_are_planned(tmp_path: Path) -> None:
    """An adaptive run broken off after its first round has more to come than its manifest spells out."""

    text = CONFIG.replace("{fill", "{kind: adaptive, rounds: 4, fill")
    plan = planned(tmp_path / "run", text)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "run", text, executor=Stopping())
    found = seen(tmp_path / "run")
    assert found.state == "to be continued"
    assert found.games < found.planned == plan.coming == 100


class Stopping:
    """Plays nothing."""

    def play(self, chunks: object) -> object:
        raise KeyboardInterrupt


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def stray(path: Path) -> None:
    shutil.copy(path, path.with_name("part-2p:123-00000007-00000009.parquet"))
    path.unlink()


def foreign(path: Path) -> None:
    other = path.parents[2] / "other"
    run(other, CONFIG.replace("0011", "ff11"))
    shutil.copy(other / "games" / path.name, path)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (cut, "games/part-2p:123-00000000-00000010.parquet: it is cut short"),
        (foreign, "games/part-2p:123-00000000-00000010.parquet: is of another run"),
        (
            stray,
            "games/part-2p:123-00000007-00000009.parquet: it is the part games/part-2p:123-00000000-00000010 under",
        ),
    ],
)
def test_damage_is_told_with_its_file(folder: Path, damage: Callable[[Path], None], words: str) -> None:
    damage(parts(folder)[0])
    found = seen(folder)
    assert found.state == "damaged"
    assert found.note.startswith(words)
    assert found.planned == 100


def test_who_writes_is_told_and_not_disturbed(folder: Path) -> None:
    assert holder_of(folder) == ""
    with locked(folder):
        found = seen(folder)
        assert (found.state, found.games) == ("being written", 100)
        assert found.note.startswith(f"by process {os.getpid()} on ")
    (folder / "lock").unlink()
    assert holder_of(folder) == ""
    assert seen(folder).state == "complete"


def manifest_of(folder: Path, **values: object) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def test_other_versions_and_unreadable_manifests_are_told_apart(folder: Path) -> None:
    manifest_of(folder, versions={"numpy": "1.0"})
    found = seen(folder)
    assert found.state == "complete"
    assert "played with other versions" in found.note
    assert "numpy 1.0 before" in found.note
    manifest_of(folder, format=1)
    found = seen(folder)
    assert (found.state, found.name, found.games) == ("other version", "", 0)
    assert found.size > 10_000
    for text in ("{", "[]", "{}", json.dumps({"format": FORMAT})):
        (folder / "manifest.json").write_text(text)
        found = seen(folder)
        assert found.state == "unreadable"
        assert found.note.startswith("manifest.json: cannot be read as a manifest: ")


def test_a_tree_is_walked_once_and_gates_are_no_ladders(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "b" / "deep").mkdir(parents=True)
    shutil.copytree(whole, tmp_path / "b" / "deep" / "two")
    (tmp_path / "a").symlink_to(whole)
    (tmp_path / "b" / "back").symlink_to(tmp_path)
    shutil.copytree(whole, tmp_path / "gate" / "new")
    (tmp_path / "gate" / "gate.json").write_text("{}")
    shutil.copytree(whole, tmp_path / ".hidden" / "one")
    found = [one.folder.relative_to(tmp_path) for one in overviews(tmp_path)]
    assert found == [Path("a"), Path("b/deep/two")]
    assert [one.folder for one in overviews(whole)] == [whole]


def test_no_folder_is_refused_and_an_empty_one_has_no_ladders(tmp_path: Path) -> None:
    assert list(overviews(tmp_path)) == []
    (tmp_path / "file").touch()
    for name, words in (("nowhere", "there is no such folder"), ("file", "is a file")):
        with pytest.raises(ResultsError, match=f"{name}: {words}; name a folder"):
            list(overviews(tmp_path / name))


@pytest.mark.parametrize("content", ["games", "blocks"])
def test_a_glance_says_what_a_check_says(whole: Path, content: str) -> None:
    for part in parts(whole, content):
        assert glance(part) == check(part).seal
