"""`boss check`: each way to be a bad bot is caught by the check that is there for it, and by no other."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from harness import api
from harness.cli import live, screen
from harness.errors import BotError
from harness.play.check import Examined, examine
from harness.play.check_games import FEW, SIZES, GameId, in_order, out_of_order
from harness.play.check_hints import hint
from harness.play.check_text import CHECKS, ended, judge
from harness.play.checkup import Check, Checkup, in_lines
from harness.play.limits import Limits
from harness.play.probe import probe
from harness.play.sources import has_kernels

PROJECT = Path(__file__).parent.parent.parent
LIMITS = Limits(turn_ms=100, bank_ms=300, memory_mb=150)
SMALL: dict[str, Any] = {"limits": LIMITS, "games": 4, "sizes": (3,)}

BAD = """
import os
import time
import warnings

from harness import Bot, Placement, Turn


class Illegal(Bot):
    def act(self, view):
        return Turn(view.hand[0], Placement(view.row[0], 9) if view.turn_number == 2 else None)


class Raises(Bot):
    def act(self, view):
        if view.turn_number == 3:
            raise ValueError("three is too many")
        return Turn(view.hand[0])


class Remembers(Bot):
    seen = 0

    def act(self, view):
        Remembers.seen += 1
        return Turn(view.hand[Remembers.seen // 7 % len(view.hand)])


class Chance(Bot):
    def act(self, view):
        return Turn(view.hand[os.urandom(1)[0] % len(view.hand)])


class Slow(Bot):
    def act(self, view):
        end = time.process_time() + 0.25
        while time.process_time() < end:
            pass
        return Turn(view.hand[0])


class Long(Bot):
    def act(self, view):
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return Turn(view.hand[0])


class OnItsBank(Bot):
    def act(self, view):
        end = time.process_time() + 0.03
        while time.process_time() < end:
            pass
        return Turn(view.hand[0])


class NoAct(Bot):
    pass


class Card(Bot):
    def act(self, view):
        return view.hand[0]


class Hangs(Bot):
    def act(self, view):
        while True:
            pass


class Dies(Bot):
    def act(self, view):
        os._exit(3)


class Eats(Bot):
    eaten = []

    def act(self, view):
        Eats.eaten.append(b"x" * 3_000_000)
        return Turn(view.hand[0])


class Reads(Bot):
    def act(self, view):
        open("/etc/passwd").close()
        return Turn(view.hand[0])


class Prints(Bot):
    def act(self, view):
        print("\\33[31mmy hand begins with", view.hand[0])
        return Turn(view.hand[0])


class Warns(Bot):
    def act(self, view):
        warnings.warn("beware", stacklevel=1)
        return Turn(view.hand[0])


class Picky(Bot):
    def __init__(self, taste):
        self.taste = taste

    def act(self, view):
        return Turn(view.hand[0])
"""

CAUGHT = {
    "Illegal": ("legal", "more experts than there are in supply"),
    "Raises": ("tables", "hand 1, turn 3, seat 0: ValueError: three is too many (line 17 of act)"),
    "Remembers": ("independent", "beside other games"),
    "Chance": ("repeats", "then: hand 1, seat"),
    "Slow": ("latency", "timeout, "),
    "Hangs": ("latency", ""),
    "Dies": ("tables", "ended"),
    "Eats": ("memory", "150 MB"),
    "Reads": ("jail", "Permission"),
    "Prints": ("output", "my hand begins with"),
    "Warns": ("warnings", "UserWarning: beware"),
}


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("check") / "bad.py"
    file.write_text(BAD)
    (file.parent / "broken.py").write_text("print('half way')\nraise ImportError('no luck')\n")
    return file


def failing(checkup: Checkup) -> dict[str, str]:
    assert [check.name for check in checkup.checks] == list(CHECKS)
    assert all(bool(check.mend) == (check.result == "fail") for check in checkup.checks)
    lines = [*(line for check in checkup.checks for line in check.lines()), checkup.verdict]
    assert all(line.isprintable() for line in lines), "a bot's output cannot reach the terminal as it is"
    return {check.name: check.found for check in checkup.checks if check.result == "fail"}


def needs(level: str) -> None:
    if level == "jailed" and probe().level != "jailed":
        pytest.skip(probe().reason)


@pytest.mark.parametrize("level", ["trusted", "jailed"])
@pytest.mark.parametrize("name", CAUGHT)
def test_each_bad_bot_is_caught_by_the_check_for_it_alone(bad: Path, name: str, level: str) -> None:
    needs("jailed" if name == "Reads" else level)
    found = failing(judge(examine(f"{bad}:{name}", None, level, **SMALL)))
    check, words = CAUGHT[name]
    assert list(found) == [check]
    assert words in found[check]


@pytest.mark.parametrize("level", ["trusted", "jailed"])
def test_a_bot_that_fails_at_import_fails_to_load_and_nothing_else(
    bad: Path, level: str, capfd: pytest.CaptureFixture[str]
) -> None:
    needs(level)
    checkup = judge(examine(str(bad.parent / "broken.py"), None, level, **SMALL))
    assert "no luck" in failing(checkup)["loads"]
    assert {check.result for check in checkup.checks[1:]} == {"skipped"}
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("params", [{"taste": 1}, {}])
def test_parameters_reach_the_bot(bad: Path, params: dict[str, int]) -> None:
    checkup = judge(examine(f"{bad}:Picky", params, None, **SMALL))
    assert list(failing(checkup)) == ([] if params else ["loads"])


def mends(checkup: Checkup) -> dict[str, str]:
    return {check.name: check.mend for check in checkup.checks if check.mend}


@pytest.mark.parametrize(
    ("source", "check", "words"),
    [
        ("class Fox(Bot):\n    def __init__(self, taste): pass\n    def act(self, view): pass", "loads", "--params"),
        ("class Fox(Bot)\n    pass", "loads", "cannot read that line"),
        ("import no_such_thing", "loads", "installed"),
        ("x = 1", "loads", "boss new"),
        ("class A(Bot): pass\nclass B(Bot): pass", "loads", "colon"),
        ("class Fox(Bot): pass", "tables", "def act(self, view)"),
        ("class Fox(Bot):\n    def act(self): pass", "tables", "def act(self, view)"),
        ("class Fox(Bot):\n    def act(self, view): return view.hand[0]", "legal", "Turn(card)"),
        ("class Fox(Bot):\n    def act(self, view): raise SystemExit", "tables", "does not end its process"),
    ],
)
def test_the_hint_fits_what_went_wrong(tmp_path: Path, source: str, check: str, words: str) -> None:
    file = tmp_path / "fox.py"
    file.write_text(f"from harness import Bot\n{source}\n")
    found = mends(judge(examine(str(file), **SMALL)))
    assert list(found) == [check]
    assert words in found[check]


def test_a_bot_without_a_turn_is_not_praised_for_its_turns(bad: Path) -> None:
    results = {check.name: check.result for check in judge(examine(f"{bad}:NoAct", None, "process", **SMALL)).checks}
    assert results["tables"] == "fail"
    assert results["legal"] == "skipped"


def test_a_bot_that_compiles_where_it_cannot_is_told_so() -> None:
    """As one that a jail gives too little time for it; a bot without kernels is told of its own work."""
    assert "compiles" in hint("latency", "timeout, once", compiles=True)
    assert "compiles" in hint("loads", "it was not loaded after 5 s", compiles=True)
    assert "compiles" not in hint("latency", "timeout, once", compiles=False)
    assert "compiles" not in hint("legal", "illegal turn, once", compiles=True)
    assert has_kernels("greedy")
    assert not has_kernels("greedy_py")


def test_what_is_skipped_for_one_reason_takes_one_line() -> None:
    skipped = [Check(name, "skipped", "it does not load") for name in ("tables", "legal")]
    checks = [Check("loads", "fail", "no luck", "Mend it."), *skipped, Check("jail", "skipped", "there is none here")]
    assert list(in_lines(checks)) == [
        "FAIL  loads        no luck",
        "                   How to mend: Mend it.",
        "skip  tables, legal: it does not load",
        "skip  jail         there is none here",
    ]


@pytest.mark.parametrize("level", ["trusted", "jailed"])
def test_a_bot_that_thinks_long_plays_few_games(bad: Path, level: str) -> None:
    needs(level)
    seen = examine(f"{bad}:Long", None, level, LIMITS, games=FEW + 1, sizes=(2,))
    assert failing(judge(seen)) == {}
    assert seen.first is not None
    assert seen.again is not None
    assert {game.number for game in seen.first.histories} == set(range(FEW)) == {g.number for g in seen.again.histories}


@pytest.mark.parametrize("level", ["trusted", "jailed"])
def test_a_round_ends_when_too_many_decisions_are_plainly_late(bad: Path, level: str) -> None:
    """Its bank would last: it is no timeout that ends the games."""
    needs(level)
    late = Limits(turn_ms=10, bank_ms=20_000, memory_mb=150)
    seen = examine(f"{bad}:OnItsBank", None, level, late, games=4, sizes=(2,))
    assert seen.first is not None
    assert 0 < len(seen.first.histories) < 4
    assert seen.first.faults == []
    assert "one decision in a hundred" in failing(judge(seen))["latency"]
    assert seen.again is None


def test_a_process_that_has_ended_is_asked_no_more(bad: Path) -> None:
    """One death of a batch tells: the rest of it is no longer played, nor counted."""
    needs("jailed")
    seen = examine(f"{bad}:Dies", None, "jailed", **SMALL)
    assert re.match(r"crash, (once|[2-4] times)", failing(judge(seen))["tables"])


def test_greedy_py_passes_all_and_so_does_a_new_bot(tmp_path: Path) -> None:
    file, class_name = api.new_bot("clever_fox", tmp_path)
    for bot in ("greedy_py", f"{file}:{class_name}"):
        checkup = api.check_bot(bot)
        assert failing(checkup) == {}
        assert checkup.passed
        skipped = [check.name for check in checkup.checks if check.result == "skipped"]
        assert skipped == ([] if probe().level == "jailed" else ["jail"])


def test_a_compiled_bot_passes() -> None:
    assert judge(examine("greedy", **SMALL)).passed


def test_checks_end_one_after_the_other(bad: Path) -> None:
    """What has ended is never taken back, and never told before the round that decides it has been played."""
    needs("jailed")
    rounds: dict[str, tuple[Check, ...]] = {}

    def watch(seen: Examined, check: str, players: int) -> None:
        assert players in (0, 3)
        rounds.setdefault(check, ended(seen))

    final = judge(examine(f"{bad}:Remembers", None, "process", **SMALL, watch=watch)).checks
    assert list(rounds) == ["loads", "tables", "repeats", "independent", "jail"]
    assert all(told == final[: len(told)] for told in rounds.values())
    names = {check: [told.name for told in ended_before] for check, ended_before in rounds.items()}
    assert names["loads"] == names["tables"] == []
    of_first = ["loads", "tables", "legal", "latency", "memory", "output", "warnings"]
    assert names["repeats"] == of_first
    assert names["independent"] == [*of_first, "repeats"]
    assert names["jail"] == [*of_first, "repeats", "independent"]


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("aloud", [True, False])
def test_a_terminal_shows_which_check_is_at_hand(monkeypatch: pytest.MonkeyPatch, terminal: bool, aloud: bool) -> None:
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(screen, "out", Console(file=out))
    monkeypatch.setattr(screen, "err", Console(file=err, force_terminal=terminal))
    loads, tables = Check("loads", "pass", "at once"), Check("tables", "fail", "raises", "Mend it.")
    told = []
    with live.checking(aloud) as progress:
        for ended_before in ((), (loads,), (loads,)):
            progress.at("tables", 3, ended_before)
            told.append(out.getvalue())
        progress.over(Checkup("fox", "123", "jailed", (loads, tables)))
    assert told == (["", "pass  loads        at once\n", "pass  loads        at once\n"] if aloud else [""] * 3)
    lines = [*loads.lines(), *tables.lines(), "fox 123 (jailed): fails: tables"]
    assert out.getvalue().splitlines() == (lines if aloud else [])
    assert ("tables: 3 players" in err.getvalue()) == terminal
    assert terminal or err.getvalue() == ""


def test_there_is_no_check_of_a_bot_that_is_not_there(tmp_path: Path) -> None:
    for reference in ("gredy", str(tmp_path / "none.py"), "no_such_package.bots:Fox"):
        with pytest.raises(BotError):
            examine(reference, **SMALL)


@pytest.mark.parametrize("players", SIZES)
def test_the_games_are_the_same_in_any_order_and_seat_the_bot_everywhere(players: int) -> None:
    games = [GameId(players, number) for number in range(24)]
    mixed, alone = ([game for game in games if game.alone == by_itself] for by_itself in (False, True))
    for batches in (in_order(24, SIZES), in_order(24, SIZES, each_alone=True), out_of_order(24, SIZES)):
        assert sorted(game for batch in batches for game in batch if game.players == players) == games
        assert all(len({(game.players, game.alone) for game in batch}) == 1 for batch in batches)
    assert [len(batch) for batch in in_order(24, SIZES)][:3] == [1, 17, 6], "the first shows whether it thinks long"
    backwards = [batch for batch in out_of_order(24, SIZES) if batch[0].players == players]
    assert backwards == [tuple(mixed[-2::-1]), (mixed[-1],), tuple(alone[-2::-1]), (alone[-1],)]
    assert {game.seating(1).index(2) for game in mixed} == set(range(players))
    assert {who for game in mixed for who in game.seating(1)[:players]} == {0, 1, 2}
    assert all(game.seating(6)[:players] == list(range(2, 2 + players)) for game in games if game.alone)


def boss(*words: str | Path, status: int) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "harness", "check", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "COLUMNS": "120"},
    )
    assert done.returncode == status, done.stderr + done.stdout
    assert "Traceback" not in done.stderr + done.stdout
    if status == 2:
        return done.stderr
    assert "tables" not in done.stderr, "progress is for terminals"
    return done.stdout


def test_the_command_ends_with_a_verdict_and_its_status(bad: Path) -> None:
    told = boss(bad.parent / "broken.py", status=1).splitlines()
    assert told[0].startswith("FAIL  loads")
    assert told[-1].endswith("fails: loads")
    record = json.loads(boss(f"{bad}:Picky", "--params", "{taste: 3}", "--json", status=0))
    assert record["passed"] is True
    assert set(record) == {"bot", "version", "level", "checks", "passed"}
    assert [set(check) for check in record["checks"]] == [{"name", "result", "found", "mend"}] * len(CHECKS)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gredy",), "did you mean 'greedy'"),
        (("nowhere/fox.py:Fox",), "no such file"),
        (("greedy", "--level", "free"), "trusted, process or jailed"),
        (("greedy", "--params", "least"), "mapping"),
    ],
)
def test_a_users_mistake_ends_with_status_2(words: tuple[str, ...], message: str) -> None:
    assert message in boss(*words, status=2)
