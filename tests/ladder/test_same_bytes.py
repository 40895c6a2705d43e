"""One SHA-256 for one ladder, whichever way it is played; all ways, Ray's too, are in `benchmarks/same_bytes.py`."""

from pathlib import Path

import pytest
from ladder import ways

from harness.ladder.store import Store

CHUNK_GAMES = 12


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ways.write_ladder(tmp_path_factory.mktemp("ways"), players=(2, 4), blocks=6)


@pytest.fixture(scope="module")
def expected(config: Path) -> str:
    return ways.played("here", config, config.parent / "here", CHUNK_GAMES)


def test_shuffled_and_stopped_it_is_the_same_bytes(config: Path, expected: str, tmp_path: Path) -> None:
    assert ways.played("stopped", config, tmp_path, CHUNK_GAMES) == expected


def test_by_two_workers_on_one_core_with_other_hashes_it_is_the_same_bytes(
    config: Path, expected: str, tmp_path: Path
) -> None:
    assert ways.played_elsewhere("local-2", config, tmp_path, CHUNK_GAMES, hash_seed=1, pinned=True) == expected


def test_the_meddlers_play_in_it_and_are_not_all_of_it(config: Path, expected: str) -> None:
    store = Store(config.parent / "here")
    games, names = store.games(), [spec.name for spec in store.read_manifest().bots]
    played = {names[bot] for seat in range(6) for bot in games[f"bot{seat}"] if bot >= 0}
    assert {"meddler", "texts", "greedy"} <= played
    assert games["faults"].sum() == 0
