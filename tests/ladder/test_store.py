"""Parts that are torn, altered, foreign or doubled are known for it, and nothing else is lost or counted twice."""

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from ladder.stores import CONFIG, contents, digests, parts, run

from harness.errors import BotError, ResultsError
from harness.ladder import store
from harness.ladder.chunk import Span
from harness.ladder.columns import BLOCK_COLUMNS, GAME_COLUMNS
from harness.ladder.disk import write_whole
from harness.ladder.labels import Label
from harness.ladder.parts import DamagedError, check, encode
from harness.ladder.store import Store


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run that no test changes."""
    folder = tmp_path_factory.mktemp("store") / "whole"
    run(folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A finished run to be damaged."""
    return Path(shutil.copytree(whole, tmp_path / "run"))


# What is stored


def test_frames_hold_what_any_reader_of_parquet_finds_in_schedule_order(whole: Path) -> None:
    for content, frame, order in (
        ("games", Store(whole).games(), ["table", "block", "rotation"]),
        ("blocks", Store(whole).blocks(), ["table", "block", "scope", "index"]),
    ):
        read = pd.concat([pq.read_table(part).to_pandas().astype({"table": "str"}) for part in parts(whole, content)])
        expected = read.sort_values(order, kind="stable", ignore_index=True)
        assert len(parts(whole, content)) > 4
        pd.testing.assert_frame_equal(frame.astype({"table": "str"}), expected)


def test_a_label_says_whose_the_part_is_and_what_is_in_it(whole: Path) -> None:
    manifest = Store(whole).read_manifest()
    for part in parts(whole):
        label, games = check(part).label, pq.read_table(part).to_pandas()
        seats = games[[f"bot{seat}" for seat in range(6)]].to_numpy()
        assert (label.content, label.run, label.span.name) == ("games", manifest.run, part.stem)
        assert (label.rows, label.faulty) == (len(games), 0)
        assert (label.span.first, label.span.last) == (games["block"].min(), games["block"].max() + 1)
        named = {bot: f"{manifest.bots[bot].name} {manifest.bots[bot].version}" for bot in np.unique(seats[seats >= 0])}
        assert label.bots == named


def test_the_digest_is_that_of_a_second_reckoning(whole: Path) -> None:
    games = Store(whole).games()
    assert Store(whole).digest() == slow_digest(games)
    games.loc[7, "money1"] += 1
    assert Store(whole).digest() != slow_digest(games)


def slow_digest(games: pd.DataFrame) -> str:
    """The digest as documented, value by value."""
    sizes = {"int8": 1, "uint8": 1, "int16": 2, "int32": 4}
    lines = ""
    for name, kind in {"table": "string", **GAME_COLUMNS}.items():
        values, lengths = b"", b""
        for value in games[name].tolist():
            if kind in sizes:
                values += int(value).to_bytes(sizes[kind], "little", signed=kind[0] == "i")
            else:
                text = value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else None
                values += text or b""
                lengths += (-1 if text is None else len(text)).to_bytes(4, "little", signed=True)
        lines += f"{name} {kind} {hashlib.sha256(values).hexdigest()} {hashlib.sha256(lengths).hexdigest()}\n"
    return hashlib.sha256(lines.encode()).hexdigest()


def test_the_digest_does_not_depend_on_chunks(whole: Path, tmp_path: Path) -> None:
    run(tmp_path / "other", chunk_games=1000)
    assert len(parts(tmp_path / "other")) == 2
    assert digests(tmp_path / "other") == digests(whole)


@pytest.mark.parametrize("name", ["", "part-", "part-x", "part-4p:1-0-1", "part-4p:1-00000000-00000001.x", "tail"])
def test_only_names_of_parts_are_read_as_such(name: str) -> None:
    span = Span("4p:1234567-ab12", 512, 1024)
    assert Span.of_name(span.name) == span
    with pytest.raises(ValueError, match="no name of a part"):
        Span.of_name(name)


# Damage


def altered(data: bytes, place: int, bit: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]


def test_any_bit_that_is_not_as_it_was_written_shows(whole: Path, tmp_path: Path) -> None:
    """Over columns, pages, footer, label and the checksum itself; and so does any missing end."""
    draw = random.Random(1)
    for content in ("games", "blocks"):
        original = parts(whole, content)[0]
        data = original.read_bytes()
        path = tmp_path / content / original.name
        path.parent.mkdir()
        path.write_bytes(data)
        assert check(path).seal == check(original).seal
        for place in {*draw.sample(range(len(data)), 400), *range(4), *range(len(data) - 12, len(data))}:
            path.write_bytes(altered(data, place, draw.randrange(8)))
            with pytest.raises(DamagedError):
                check(path)
        for length in (0, 1, 8, len(data) // 2, len(data) - 1):
            path.write_bytes(data[:length])
            with pytest.raises(DamagedError, match="cut short"):
                check(path)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(altered(data, len(data) // 3, 5))


def unlabelled(path: Path) -> None:
    pq.write_table(pa.table({"block": [1, 2]}), path)


def renamed(path: Path) -> None:
    path.write_bytes(parts(path.parent.parent, path.parent.name)[-1].read_bytes())


@pytest.mark.parametrize("content", ["games", "blocks"])
@pytest.mark.parametrize("damage", [cut, empty, flip, unlabelled, renamed])
def test_a_damaged_part_is_set_aside_and_its_games_played_again(
    whole: Path, folder: Path, damage: Callable[[Path], None], content: str
) -> None:
    victim = parts(folder, content)[1]
    damage(victim)
    damaged = victim.read_bytes()
    before = contents(folder)
    with pytest.raises(ResultsError, match=f"{content}/{victim.name}: .*; run its config again"):
        Store(folder).read()
    assert contents(folder) == before, "who only reads changes nothing"

    heard = run(folder)
    assert len(heard.warnings) == 1
    assert f"{content}/{victim.name}" in heard.warnings[0]
    assert (folder / "damaged" / f"{content}-{victim.name}").read_bytes() == damaged
    assert heard.games == check(parts(whole)[1]).label.rows
    assert digests(folder) == digests(whole)
    assert run(folder).warnings == []


def test_many_damaged_parts_make_one_warning(whole: Path, folder: Path) -> None:
    victims = parts(folder) + parts(folder, "blocks")
    for part in victims:
        cut(part)
    (warning,) = run(folder).warnings
    assert warning.endswith(f"; and {len(victims) - 5} more")
    assert digests(folder) == digests(whole)


@pytest.mark.parametrize("content", ["games", "blocks"])
def test_a_chunk_is_stored_with_both_its_parts_or_not_at_all(whole: Path, folder: Path, content: str) -> None:
    parts(folder, content)[2].unlink()
    found = Store(folder).read()
    missing = check(parts(whole)[2]).label
    for frame, all_rows in ((found.games, Store(whole).games()), (found.blocks, Store(whole).blocks())):
        inside = (all_rows["table"] == missing.span.table) & all_rows["block"].between(
            missing.span.first, missing.span.last - 1
        )
        pd.testing.assert_frame_equal(frame, all_rows[~inside].reset_index(drop=True))
    assert run(folder).games == missing.rows
    assert digests(folder) == digests(whole)


def test_block_sums_of_another_playing_are_not_taken_for_those_of_the_games(whole: Path, folder: Path) -> None:
    """As where a chunk is played again, comes out otherwise for a timeout, and only its sums are written."""
    victim = parts(folder, "blocks")[0]
    table = pq.read_table(victim)
    sums = {name: table[name].to_numpy() for name in BLOCK_COLUMNS}
    sums["paid"] = sums["paid"] + 1
    victim.write_bytes(encode(check(victim).label, sums)[0])
    label = check(parts(folder)[0]).label
    assert len(Store(folder).read().games) == len(Store(whole).games()) - label.rows
    assert run(folder).games == label.rows
    assert digests(folder) == digests(whole)


# Parts of others


def test_a_part_of_another_run_is_refused_and_nothing_changes(whole: Path, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    run(other, CONFIG.replace("0011", "ff11"))
    stray = parts(folder)[0]
    shutil.copy(parts(other)[0], stray)
    before = contents(folder)
    runs = [Store(place).read_manifest().run for place in (other, folder)]
    for use in (Store(folder).read, lambda: run(folder, CONFIG.replace("blocks: 30", "blocks: 40"))):
        with pytest.raises(ResultsError) as error:
            use()
        assert all(word in str(error.value) for word in (str(stray), *runs))
        assert contents(folder) == before
    stray.unlink()
    assert run(folder).games == check(parts(whole)[0]).label.rows
    assert digests(folder) == digests(whole)


def test_a_part_of_the_same_run_continued_elsewhere_is_refused(folder: Path, tmp_path: Path) -> None:
    """Bots are numbers in the games: another bot of the same number must not pass for it."""
    elsewhere = Path(shutil.copytree(folder, tmp_path / "elsewhere"))
    run(folder, CONFIG.replace("bully]", "bully, miser]"))
    run(elsewhere, CONFIG.replace("bully]", "bully, patient]"))
    stray = parts(folder)[-1]
    assert stray.name == parts(elsewhere)[-1].name
    shutil.copy(parts(elsewhere)[-1], stray)
    with pytest.raises(ResultsError, match=r"bot 3 in it is patient \w+, but miser \w+ in the manifest"):
        Store(folder).games()


def test_blocks_that_two_parts_hold_are_refused(folder: Path, tmp_path: Path) -> None:
    run(tmp_path / "other", chunk_games=40)
    for content in ("games", "blocks"):
        double = parts(tmp_path / "other", content)[0]
        shutil.copy(double, folder / content / double.name)
    for use in (Store(folder).games, lambda: run(folder)):
        with pytest.raises(ResultsError, match=r"00000000-00000010.* hold the same blocks"):
            use()


def test_parts_that_the_schedule_does_not_hold_are_refused(folder: Path) -> None:
    """As where an older manifest was put back."""
    old = (folder / "manifest.json").read_bytes()
    run(folder, CONFIG.replace("blocks: 30", "blocks: 60"))
    (folder / "manifest.json").write_bytes(old)
    with pytest.raises(ResultsError, match="no part of the schedule"):
        run(folder)


def test_files_beside_the_parts_are_nobodys_business(whole: Path, folder: Path) -> None:
    (folder / "games" / "notes.txt").write_text("mine")
    (folder / "games" / ".part-2p:123-00000000-00000010.parquet.0a1b2c3d.tmp").write_text("half of a part")
    assert run(folder).games == 0
    assert digests(folder) == digests(whole)
    left = {path.name for path in (folder / "games").iterdir()} - {path.name for path in parts(folder)}
    assert left == {"notes.txt"}, "what a killed writer left is swept away"


# --fresh


def test_fresh_deletes_everything_but_the_lock(folder: Path) -> None:
    (folder / "games" / "notes.txt").write_text("mine")
    run(folder, CONFIG.replace("blocks: 30", "blocks: 3"), fresh=True)
    assert not (folder / "games" / "notes.txt").exists()
    assert set(Store(folder).games()["block"]) == set(range(10))
    assert len(Store(folder).games()) == 3 * 2 + 10 * 4


def test_a_fresh_start_that_is_broken_off_leaves_a_results_folder(
    whole: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            run(folder, fresh=True)
    run(folder)
    assert digests(folder) == digests(whole)


def test_a_refused_fresh_start_deletes_nothing(folder: Path) -> None:
    before = contents(folder)
    with pytest.raises(BotError, match="gredy"):
        run(folder, CONFIG.replace("greedy", "gredy"), fresh=True)
    assert contents(folder) == before


# Sources


@pytest.mark.parametrize("begun", [True, False])
def test_a_manifest_names_no_bot_whose_sources_could_not_be_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    """Killed while they are written, a run is as before, and can be begun or continued."""
    place = folder if begun else tmp_path / "new"
    before = {path: data for path, data in contents(place).items() if place / "bots" not in path.parents}

    def killed(path: Path, content: bytes) -> None:
        if path.name == "miser.py":
            raise KeyboardInterrupt
        write_whole(path, content)

    more = CONFIG.replace("bully]", "bully, miser]")
    with monkeypatch.context() as patch:
        patch.setattr(store, "write_whole", killed)
        with pytest.raises(KeyboardInterrupt):
            run(place, more)
    left = {path: data for path, data in contents(place).items() if place / "bots" not in path.parents}
    assert left.keys() - before.keys() <= {place / "lock"}
    assert {path: left[path] for path in before} == before
    run(place, more)
    assert (Store(place).sources(Store(place).read_manifest().bots[-1]) / "miser.py").is_file()


@pytest.mark.parametrize(
    ("key", "value"), [("name", "../../evil"), ("name", "fox@../evil"), ("name", ""), ("version", "../evil")]
)
def test_results_from_anywhere_name_no_folder_outside_their_own(folder: Path, key: str, value: str) -> None:
    """As a folder may that is joined, and whose bots' sources are kept."""
    manifest = folder / "manifest.json"
    told = json.loads(manifest.read_text())
    told["bots"][0][key] = value
    manifest.write_text(json.dumps(told))
    with pytest.raises(
        ResultsError, match=r"manifest\.json: cannot be read as a manifest: bot .* cannot name a folder"
    ):
        Store(folder).read_manifest()


def test_a_folder_with_somebody_elses_bots_is_no_results_folder(tmp_path: Path) -> None:
    (tmp_path / "mine" / "bots").mkdir(parents=True)
    (tmp_path / "mine" / "bots" / "fox.py").write_text("")
    with pytest.raises(ResultsError, match="no results folder"):
        run(tmp_path / "mine", fresh=True)


def test_labels_are_read_as_written() -> None:
    label = Label("games", "ab" * 8, Span("4p:1234567", 512, 1024), 2048, {0: "random 1", 12: "fox 2"}, 3, "c" * 64)
    assert Label.from_json(label.to_json().encode()) == label
