"""Other versions of the harness or its libraries may go on with a run only where its games come out the same."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from ladder.stores import CONFIG, contents, digests, parts, run
from numpy.typing import NDArray

from harness.errors import ResultsError
from harness.game.choices import Packed
from harness.ladder import continuing
from harness.ladder.columns import GAME_COLUMNS
from harness.ladder.manifest import ENGINE, library_versions, run_id
from harness.ladder.parts import check, encode
from harness.ladder.store import Store
from harness.play.limits import USUAL_LIMITS


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run that no test changes."""
    folder = tmp_path_factory.mktemp("continuing") / "whole"
    run(folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def played_by(folder: Path, **versions: str) -> None:
    """Have the manifest say that other versions played."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["versions"] |= versions
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_other_versions_go_on_where_games_come_out_the_same(whole: Path, folder: Path) -> None:
    played_by(folder, numpy="1.0")
    (warning,) = run(folder).warnings
    now = library_versions()
    assert f"numpy 1.0 before, now {now['numpy']}" in warning
    assert "played again and came out the same" in warning
    manifest = Store(folder).read_manifest()
    assert manifest.versions == now
    (before,) = manifest.history
    assert (before["parts"], before["versions"]["numpy"]) == (len(parts(whole)), "1.0")
    assert run(folder).warnings == [], "said once"
    assert Store(folder).read_manifest().history == manifest.history
    assert digests(folder) == digests(whole)


def test_sources_of_the_game_that_differ_are_noted_without_a_word(folder: Path) -> None:
    played_by(folder, **{ENGINE: "source 0123"})
    assert run(folder).warnings == []
    assert Store(folder).read_manifest().history[0]["versions"][ENGINE] == "source 0123"


def test_versions_that_no_game_depends_on_are_noted_without_a_word(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> str:
        raise AssertionError("no game need be played again")

    monkeypatch.setattr(continuing, "departure", never)
    played_by(folder, pyarrow="1.0")
    assert run(folder).warnings == []
    assert Store(folder).read_manifest().history[0]["versions"]["pyarrow"] == "1.0"


def alter(folder: Path, column: str, number: int) -> None:
    """Alter one value of one of the first stored four-player games, as if other rules had been played."""
    part = next(path for path in parts(folder) if "4p" in path.name)
    table = pq.read_table(part)
    columns = {}
    for name, kind in GAME_COLUMNS.items():
        array = table[name].combine_chunks()
        if kind == "binary":
            texts = [bytearray(text) for text in array.to_pylist()]
            if name == column:
                texts[number][3] ^= 1
            columns[name] = Packed(np.frombuffer(b"".join(texts), np.uint8), offsets(texts))
        else:
            columns[name] = np.array(array.to_pylist())
            if name == column:
                columns[name][number] += 1
    part.write_bytes(encode(check(part).label, columns)[0])


def offsets(texts: list[bytearray]) -> NDArray[np.int32]:
    return np.cumsum([0, *map(len, texts)]).astype(np.int32)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ("money2", r"block 1, rotation 1 comes out otherwise \(money "),
        ("rank3", r"block 1, rotation 1 comes out otherwise \(rank "),
        ("turns", r"block 1, rotation 1 (comes out otherwise|cannot be played again)"),
    ],
)
def test_other_versions_are_refused_where_a_game_comes_out_otherwise(folder: Path, column: str, words: str) -> None:
    alter(folder, column, 5)
    assert run(folder).warnings == [], "nothing is tried where the versions are the same"
    played_by(folder, numba="0.1")
    before = contents(folder)
    with pytest.raises(ResultsError, match=words) as error:
        run(folder, CONFIG.replace("blocks: 30", "blocks: 40"))
    assert "numba 0.1 before, now " in str(error.value)
    assert "--fresh" in str(error.value)
    assert contents(folder) == before


def test_the_run_is_what_may_not_change(whole: Path) -> None:
    manifest = Store(whole).read_manifest()
    kinds, fill = manifest.kinds, manifest.bots[0]
    one = ("0" * 32, kinds, fill, USUAL_LIMITS, 2048)
    assert manifest.run == run_id(manifest.seed, kinds, fill, manifest.limits, 2048)
    assert run_id(*one) == run_id("0" * 32, dict(reversed(kinds.items())), replace(fill, level="jailed"), *one[3:])
    others = [
        ("1" * 32, *one[1:]),
        (one[0], dict(list(kinds.items())[:1]), *one[2:]),
        (*one[:2], None, *one[3:]),
        (*one[:2], replace(fill, version="other"), *one[3:]),
        (*one[:3], replace(USUAL_LIMITS, turn_ms=7), 2048),
        (*one[:4], 4096),
    ]
    assert len({run_id(*other) for other in [one, *others]}) == 1 + len(others)
