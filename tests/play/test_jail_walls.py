"""From inside the jail: what a bot can reach, tried by bots that tell of it in the exceptions they raise."""

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from bad_bots import arena
from bad_bots.outcomes import CHANNELS, FILES, KERNEL, NETWORK, Case

from harness.ladder.chunk import deal_key, play_chunk
from harness.play import isolation
from harness.play.limits import Limits
from harness.play.probe import probe

pytestmark = pytest.mark.skipif(probe().level != "jailed", reason=f"no jail on this machine: {probe().reason}")

PATIENT = Limits(turn_ms=5000, bank_ms=5000, load_s=8.0, memory_mb=512)
NOBODY: frozenset[str] = frozenset()


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    before = arena.source_hash()
    yield
    assert arena.source_hash() == before
    assert not arena.own_folders()


def told(bot: str, where: str = "once", **params: Any) -> set[str]:
    """Return what a bot tells by its exceptions, the line numbers cut off."""
    chunk = arena.chunk_of(Case(bot, NOBODY, NOBODY, where, params=params))
    with arena.at_most(60):
        rows = arena.rows_of(play_chunk(replace(chunk, limits=PATIENT)))
    faults = [fault for row in rows for fault in arena.faults_of(row)]
    assert {fault["kind"] for fault in faults} == {"exception"}
    return {fault["message"].removeprefix("RuntimeError: ").partition(" (line")[0] for fault in faults}


@pytest.mark.parametrize(("family", "ways"), [("files", FILES), ("network", NETWORK), ("kernel", KERNEL)])
def test_nothing_succeeds(family: str, ways: list[str]) -> None:
    said = told("tries.py:Tries", family=family, root=arena.decoy())
    escaped = {name for text in said for name in text.partition("ESCAPED: ")[2].split(", ")}
    assert {text.partition(";")[0] for text in said} == {f"tried {len(set(ways) - {'x32_fork'})}"}
    assert escaped == {"nothing"}


def test_the_tries_would_tell_of_a_success(tmp_path: Any) -> None:
    """Run outside the jail, on a folder of its own, the harmless ones of the same tries succeed."""
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "ladder.yaml").write_text("name: decoy")
    from bad_bots import files, kernel

    assert files.WAYS["read_config"](tmp_path) == "name: decoy"
    assert os.listdir(tmp_path) == files.WAYS["list_root"](tmp_path)
    assert kernel.WAYS["limit_parent"]() == 0


@pytest.mark.parametrize("channel", CHANNELS)
def test_copies_and_rotations_cannot_talk(channel: str) -> None:
    """Two copies in one game, and the rotations beside it, each in a process of its own, at the same time."""
    heard = told("covert.py:Covert", "copies", channel=channel)
    assert heard
    told_on = [text for text in heard if not text.startswith(("blocked", "ValueError: not allowed"))]
    assert not told_on


def test_the_environment_holds_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOSS_SECRET", "the seed")
    (names,) = told("tries.py:Sees", what="environment")
    assert set(names.split()) <= {*isolation.ENVIRONMENT, "LC_CTYPE"}


def test_nothing_is_left_open() -> None:
    """Two pipes to the harness, the three usual ones, and the file of answers and questions behind their maps."""
    for kinds in told("tries.py:Sees", what="descriptors"):
        assert set(kinds.split()) <= {"fifo", "device", "file"}
        assert kinds.split().count("fifo") == 2
        assert kinds.split().count("file") <= 2


def test_the_command_tells_nothing() -> None:
    (arguments,) = told("tries.py:Sees", what="arguments")
    assert str(isolation.SCRIPT) in arguments
    assert "bad_bots" not in arguments
    assert arena.SEED not in arguments


def test_no_deal_key_reaches_a_bot() -> None:
    table = arena.usual_rules(2).name
    keys = [int(word) for block in range(4) for word in deal_key(arena.SEED, table, block)]
    assert told("tries.py:Sees", what="secrets", needles=[key ^ (1 << 64) - 1 for key in keys]) == {"looked"}
