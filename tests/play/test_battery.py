"""Every bad bot of `tests/bad_bots` in the jail, beside honest ones: what it pays, and that nobody else notices.

The long form, all of them in one ladder: `python benchmarks/battery.py`.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from bad_bots import arena
from bad_bots.outcomes import CASES, Case

from harness.ladder.chunk import play_chunk
from harness.play.probe import probe

pytestmark = pytest.mark.skipif(probe().level != "jailed", reason=f"no jail on this machine: {probe().reason}")

QUICK = [case for case in CASES if not case.long]


@pytest.fixture(scope="module", autouse=True)
def tidy() -> Iterator[None]:
    """Nothing that bots go for has changed when all have played, and no process of theirs is left."""
    before, was = arena.source_hash(), arena.children()
    with arena.adopting_orphans():
        yield
        jailed = {pid for pid in arena.children() - was if b"worker.py" in arena.command(pid)}
        assert arena.gone(jailed)
    assert arena.source_hash() == before
    assert not arena.own_folders()


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_a_bad_bot_pays_what_it_must_and_nobody_else_notices(case: Case) -> None:
    honest = arena.honest_rows(case.where)
    chunk = arena.chunk_of(case)
    was, files, folders = arena.children(), arena.descriptors(), arena.own_folders()
    begin = time.monotonic()
    with arena.at_most(60):
        rows = arena.rows_of(play_chunk(chunk))
    seconds = time.monotonic() - begin
    assert arena.mismatch(case, arena.got(rows)) == ""
    assert seconds < arena.seconds_allowed(case)
    if case.where == "crowd":
        assert {row["faults"] for row in rows if arena.seats_of(row)} == {1}
    assert len(rows) == len(honest)
    for row, other in zip(rows, honest, strict=True):
        if arena.seats_of(row):
            assert arena.strange_turns(row, chunk.rules) == []
        else:
            assert row == other
    assert arena.gone(arena.children() - was)
    assert arena.descriptors() == files
    assert arena.own_folders() == folders


def test_honest_games_hold_turns_that_are_no_default() -> None:
    """So that the checks above could fail: the independent default turn is not what just anybody plays."""
    rows = arena.honest_rows("duel")
    game = next(row for row in rows if arena.seats_of(row, arena.RANDOM) and arena.seats_of(row, arena.GREEDY))
    seat = arena.seats_of(game, arena.RANDOM)[0]
    rules = arena.usual_rules(2)
    fault = {"hand": 1, "turn": 1, "seat": seat, "kind": "exit", "message": ""}
    assert arena.strange_turns(game, rules) == []
    assert any("default" in text for text in arena.strange_turns(forged(game, fault), rules))
    assert any("forfeited" in text for text in arena.strange_turns({**game, "forfeits": 1 << seat}, rules))


def forged(game: arena.Row, fault: dict[str, Any]) -> arena.Row:
    """Return a game as if there had been a fault."""
    return {**game, "fault_log": json.dumps([fault]), "forfeits": 1 << fault["seat"]}


def test_in_one_process_the_seats_of_a_deal_do_meet() -> None:
    """So that the promise `tells.py:Alone` watches over could fail: at the trusted level it is not kept."""
    case = next(case for case in CASES if case.bot == "tells.py:Alone")
    chunk = arena.chunk_of(case)
    trusted = replace(chunk.bots[0], level="trusted")
    rows = arena.rows_of(play_chunk(replace(chunk, bots=(trusted, *chunk.bots[1:]))))
    assert {fault["message"].partition(":")[0] for row in rows for fault in arena.faults_of(row)} == {"ValueError"}
    assert arena.got(rows).kinds == {"EXCEPTION"}


HANGS = """
import sys
sys.path[:0] = [{tests!r}, {project!r}]
from bad_bots import arena
from bad_bots.outcomes import Case
from harness.ladder.chunk import play_chunk
case = Case("hangs.py:Sleep", frozenset(), frozenset(), "once")
chunk = arena.chunk_of(case)
from dataclasses import replace
play_chunk(replace(chunk, limits=replace(chunk.limits, turn_ms=60_000)))
"""


def test_a_killed_harness_takes_its_jails_with_it() -> None:
    code = HANGS.format(tests=str(arena.FOLDER.parent), project=str(arena.PROJECT))
    with arena.adopting_orphans():
        was = arena.children()
        run = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": ""})
        try:
            jailed = wait_for_jails(run.pid, was)
        finally:
            run.send_signal(signal.SIGKILL)
            run.wait()
        assert len(jailed) >= 2
        assert arena.gone(jailed)


def wait_for_jails(pid: int, was: set[int]) -> set[int]:
    """Return the bots' processes of a run that has just begun, once they are loaded; fail after 30 s."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = {child for child in arena.children() - was - {pid} if b"worker.py" in arena.command(child)}
        if len(found) >= 2:
            time.sleep(0.5)
            return found
        time.sleep(0.05)
    raise AssertionError("no bot was started")
