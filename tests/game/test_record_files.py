"""What is no record at all: junk in any place and broken files end in RecordError, never in another exception."""

import copy
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from game.tables import games_of

from harness.errors import RecordError
from harness.game.record import FaultNote, GameInfo, Record, record_of
from harness.game.replay import replay, replay_file

JUNK = [None, True, -1, 1.5, float("nan"), 10**30, 10**5000, "", "x", "\ud800", [], {}, [[]], {"x": 1}]
FREE = {
    "table", "name", "version", "message", "game", "deal", "rated", "chicago_theft", "chicago_shootout",
    "tiebreak_counts_absent",
}  # fmt: skip
"""Keys that can have another value of their type: names, and rulings that may not have mattered."""

Path_ = tuple[str | int, ...]


def record_with_everything() -> Record:
    games = games_of("six")
    info = GameInfo(7, 3, "t", [("a", "1")] * 6, [FaultNote(1, 2, 4, "k", "m")], forfeits=(4,))
    return record_of(games.rules, games.deal_keys[0], games.choices(0), info)


def paths(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the place of each value in a record; of long lists only the first and last entries."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], (*path, key))
    elif isinstance(value, list):
        for number in sorted({0, len(value) - 1} if value else ()):
            yield from paths(value[number], (*path, number))


def parent(record: Record, path: Path_) -> Any:
    for key in path[:-1]:
        record = record[key]  # type: ignore[index]
    return record


def test_junk_in_any_place_is_refused() -> None:
    record = record_with_everything()
    for number, path in enumerate(paths(record)):
        if not path:
            continue
        place, key = parent(record, path), path[-1]
        right = place[key]
        is_free = key in FREE or path[0] == "faults"
        for junk in (JUNK[number % len(JUNK)], JUNK[(number * 5 + 3) % len(JUNK)], JUNK[(number * 3 + 7) % len(JUNK)]):
            if (key == "place" and junk is None) or (type(junk) is type(right) and (is_free or junk == right)):
                continue  # a turn may place nothing, and a name may be any text
            place[key] = junk
            with pytest.raises(RecordError):
                replay(record)
        place[key] = right
    replay(record)


def test_a_key_left_out_or_added_is_refused() -> None:
    record = record_with_everything()
    for path in list(paths(record)):
        if path and isinstance(path[-1], str):
            place, key = parent(record, path), path[-1]
            right = place.pop(key)
            if key != "signal":  # a turn whose signal is left out is a turn
                with pytest.raises(RecordError, match=r"has no|must have"):
                    replay(record)
            place[key] = right
            place["junk"] = 1
            with pytest.raises(RecordError, match="'junk', which is none of its keys"):
                replay(record)
            del place["junk"]
    replay(record)


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: f"{type(junk).__name__}")
def test_what_is_no_object_is_no_record(junk: Any) -> None:
    with pytest.raises(RecordError):
        replay(junk)


def test_a_misspelt_key_is_told_the_right_one() -> None:
    record = record_with_everything()
    record["hands"][0]["exra"] = True
    with pytest.raises(RecordError, match=r"hand 1: the hand has 'exra', which .*; did you mean 'extra'"):
        replay(record)


# -- files ------------------------------------------------------------------------------------------------------------


def lines_of(count: int) -> list[str]:
    return [json.dumps(games_of("two").record(game)) for game in range(count)]


def test_files_are_counted(tmp_path: Path) -> None:
    text = "".join(line + "\n" for line in lines_of(3))
    (tmp_path / "games.jsonl").write_text(text)
    (tmp_path / "games.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "none.jsonl").write_text("")
    assert replay_file(tmp_path / "games.jsonl") == 3
    assert replay_file(str(tmp_path / "games.jsonl.gz")) == 3
    assert replay_file(tmp_path / "none.jsonl") == 0


def test_the_line_is_named(tmp_path: Path) -> None:
    good, bad = lines_of(2)
    record = json.loads(bad)
    record["hands"][1]["money"][0] += 1
    file = tmp_path / "games.jsonl"
    file.write_text(f"{good}\n{json.dumps(record)}\n{good}\n")
    with pytest.raises(RecordError, match=r"games\.jsonl, line 2: hand 2, turn 0: money\[0\] is "):
        replay_file(file)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1: is no JSON object"),
        ("", "line 1: is no JSON object"),
        ("[" * 100_000, "line 1: is no JSON object"),
        ('{"a": 1' + "0" * 5000 + "}", "line 1: is no JSON object"),
        ('{"format": "x", "format": "y"}', "line 1: key 'format' stands twice in one object"),
        ('{"format": "x"}', "line 1: format is 'x'; by the rules it is 'the-boss-game/1'"),
        ("17", "line 1: the record is 17; it must be an object"),
    ],
)
def test_what_is_no_record_is_refused_by_line(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(RecordError) as refusal:
        replay_file(file)
    assert said in str(refusal.value)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    whole = gzip.compress("".join(line + "\n" for line in lines_of(1)).encode())
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 0xFF
    contents = {"short.jsonl.gz": whole[:-40], "damaged.jsonl.gz": bytes(damaged), "no.jsonl.gz": b"no gzip"}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(RecordError, match=name):
            replay_file(tmp_path / name)
    (tmp_path / "latin.jsonl").write_bytes(b'{"table": "\xe9"}\n')
    (tmp_path / "folder.jsonl").mkdir()
    for name in ("missing.jsonl", "games.txt", "latin.jsonl", "folder.jsonl"):
        with pytest.raises(RecordError, match=name):
            replay_file(tmp_path / name)


def test_replaying_does_not_change_the_record() -> None:
    record = record_with_everything()
    before = copy.deepcopy(record)
    replay(record)
    assert record == before
