"""What bots' processes used: noted beside the parts, summed, told to authors, and never part of the results."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness import api
from harness.errors import ResultsError
from harness.game.rules import usual_rules
from harness.game.state import GAME, new_histories
from harness.ladder.config import load_config
from harness.ladder.executor import HereExecutor
from harness.ladder.run import Silence, plan_run, play_run
from harness.ladder.store import Store
from harness.ladder.usage import PRINTED, BotUsage, together, usage_by_bot, usage_of_process
from harness.play.faults import Fault, FaultKind
from harness.play.jailed import JailedPlayer
from harness.play.lockstep import Played
from harness.play.players import OutPlayer, Player
from harness.play.usage import Usage

CONFIG = """\
name: noted
seed: "00112233445566778899aabbccddeeff"
bots:
  - random
  - {bot: own.py:Fox, level: process}
  - {bot: own.py:Crow, level: process}
  - {bot: own.py:Owl, level: process}
tables: [{players: 2, blocks: 6}]
limits: {turn_ms: 2000, load_s: 60}  # so that a busy machine changes nothing
executor: {kind: local, workers: 1}
"""
BOTS = '''
import os
import time

from harness import Bot, Turn


class Fox(Bot):
    """Always plays the same, but never says the same."""

    def act(self, view):
        print("sly words at", time.time_ns())
        return Turn(view.hand[0])


class Crow(Bot):
    def act(self, view):
        print("croaking")
        if (view.hand_number, view.turn_number) == (1, 2):
            open(__file__ + ".gone")
        return Turn(view.hand[0])


class Owl(Bot):
    def act(self, view):
        if (view.hand_number, view.turn_number) == (2, 3):
            print("hooting\\n<b>flies</b> away \\x1b[31mnow\\x1b[0m\\x1b]0;title\\x07", chr(0x202e), end="!")
            os._exit(7)
        return Turn(view.hand[0])
'''


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ladder")
    (folder / "own.py").write_text(BOTS)
    (folder / "noted.yaml").write_text(CONFIG)
    api.run_ladder(folder / "noted.yaml", folder / "run")
    return folder


def test_what_is_noted_is_what_was_used(ladder: Path) -> None:
    store = Store(ladder / "run")
    used, games, rules = store.usage(), store.games(), usual_rules(2)
    assert used.keys() == {"fox", "crow", "owl"}, "random has no process of its own"
    own = games[(games[["bot0", "bot1"]] == 1).any(axis=1)]
    assert used["fox"].decisions == own["hands"].sum() * rules.hand_size
    assert used["fox"].asked_again == own["hands"][own["block"] == own["block"].min()].sum() * rules.hand_size
    assert used["fox"].differing == 0
    for bot in used.values():
        assert 0 < bot.deciding_s < bot.cpu_s < 60
        assert bot.deciding_s < bot.wall_s
        assert 5 < bot.peak_mb < 500
    assert not used["fox"].has_failed
    assert used["fox"].printed.splitlines()[-1].startswith("sly words at ")
    assert used["crow"].has_failed
    assert used["owl"].has_failed


def test_what_was_printed_until_a_bot_first_failed_is_kept_however_its_process_ended(ladder: Path) -> None:
    store = Store(ladder / "run")
    used, games = store.usage(), store.games()
    assert used["owl"].printed.startswith("hooting\n<b>flies</b> away \x1b[31mnow")
    own = games[(games[["bot0", "bot1"]] == 2).any(axis=1) & (games["rotation"] == 0)]
    lines = used["crow"].printed.splitlines()
    assert set(lines) == {"croaking"}
    assert 2 <= len(lines) <= 2 * len(own), "it fails in its second turn, and none of its games goes on before it does"


def test_games_and_sums_are_the_same_bytes_whatever_was_used(ladder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    shutil.copytree(ladder / "run", again)
    for folder in ("games", "blocks", "usage"):
        shutil.rmtree(again / folder)
    play_run(plan_run(load_config(ladder / "noted.yaml"), again), HereExecutor(), Silence())
    before, after = (bytes_of(folder, "games", "blocks") for folder in (ladder / "run", again))
    assert len(before) == 2
    assert before == after
    assert bytes_of(ladder / "run", "usage") != bytes_of(again, "usage")


def bytes_of(folder: Path, *names: str) -> dict[str, bytes]:
    return {f"{name}/{path.name}": path.read_bytes() for name in names for path in (folder / name).iterdir()}


def test_a_chunk_whose_usage_is_missing_is_still_whole(ladder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(ladder / "run", folder)
    shutil.rmtree(folder / "usage")
    played: list[object] = []
    plan = plan_run(load_config(ladder / "noted.yaml"), folder)
    play_run(plan, SimpleNamespace(play=lambda chunks: (played.append(chunk) for chunk in chunks)), Silence())
    assert not played
    store = Store(folder)
    assert store.stored() == Store(ladder / "run").stored()
    assert store.usage() == {}
    pd.testing.assert_frame_equal(api.write_report(folder).ratings, api.open_ladder(ladder / "run").ratings)
    assert "What it used is not known: nothing of that is stored." in (folder / "faults" / "crow.md").read_text()


@pytest.mark.parametrize("text", ["", "[]", '{"fox": 3}', '{"fox": {"cpu": 1.0}}', "\x00"])
def test_usage_that_cannot_be_read_is_named(ladder: Path, tmp_path: Path, text: str) -> None:
    folder = tmp_path / "run"
    shutil.copytree(ladder / "run", folder)
    (file,) = (folder / "usage").iterdir()
    file.write_text(text)
    with pytest.raises(ResultsError, match=rf"{file.name}: cannot be read"):
        Store(folder).usage()


def test_a_note_has_the_figures_and_the_prints_and_nothing_of_others(ladder: Path) -> None:
    assert sorted(note.name for note in (ladder / "run" / "faults").iterdir()) == ["crow.md", "owl.md"]
    text = (ladder / "run" / "faults" / "crow.md").read_text()
    used = Store(ladder / "run").usage()["crow"]
    assert f"- CPU time: {used.cpu_s:,.2f} s in all, loading included; " in text
    assert f" ms for a decision, the mean of {used.decisions}." in text
    assert f"- Wall time: {used.wall_s:,.2f} s from questions to answers." in text
    assert f"- Memory: {used.peak_mb:.1f} MB, the most of any of its processes." in text
    assert text.endswith("\n\n    croaking\n" + "    croaking\n" * (used.printed.count("croaking") - 1))
    assert not any(word in text.lower() for word in ("fox", "sly", "owl", "hoot", "random", "nondeter", "/dev/shm"))
    assert text.count("\n## ") == 2, "its one message, and what it printed"


def test_what_was_printed_is_shown_without_escapes_and_html(ladder: Path) -> None:
    text = (ladder / "run" / "faults" / "owl.md").read_text()
    assert "\n\n    hooting\n    < b>flies< /b> away now ?!\n" in text
    assert all(c.isprintable() or c == "\n" for c in text)
    assert "<b" not in text
    assert "croak" not in text


def messages(folder: Path) -> list[str]:
    logs = Store(folder).games()["fault_log"].dropna()
    return [fault["message"] for log in logs for fault in json.loads(log)]


def test_messages_name_no_folder_that_is_another_each_time(ladder: Path) -> None:
    assert any("No such file" in message and "own.py.gone" in message for message in messages(ladder / "run"))
    assert not any("boss-" in message or "/bot/" in message for message in messages(ladder / "run"))


def test_parts_are_summed_and_the_first_failure_speaks() -> None:
    quiet = BotUsage(1.0, 2.0, 10, 0.5, 20.0, "", True, 5, 1)
    first = BotUsage(0.25, 0.5, 3, 0.125, 30.0, "first", True, 0, 0)
    later = BotUsage(0.5, 1.0, 4, 0.25, 25.0, "later", True, 7, 2)
    calm = BotUsage(printed="calm", peak_mb=1.0)
    assert together([calm, quiet, first, later, calm]) == BotUsage(1.75, 3.5, 17, 0.875, 30.0, "first", True, 12, 3)
    assert together([first, calm]).printed == "first"
    assert together([calm, BotUsage(printed="last"), quiet]) == BotUsage(1.0, 2.0, 10, 0.5, 20.0, "last", False, 5, 1)
    assert together([]) == BotUsage()


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("short", "short"),
        ("x" * PRINTED, "x" * PRINTED),
        ("y" + "x" * PRINTED, "x" * PRINTED),
        ("lost\n" + "x" * PRINTED, "x" * PRINTED),
        ("lost, too\nkept\n" + "x" * (PRINTED - 12) + "\n", "kept\n" + "x" * (PRINTED - 12) + "\n"),
        ("é" * PRINTED, "é" * (PRINTED // 2)),
        ("é" * PRINTED + "a", "é" * (PRINTED // 2 - 1) + "a"),
        ("\ud800", "?"),
    ],
)
def test_the_end_of_what_was_printed_is_kept_in_whole_lines(said: str, kept: str) -> None:
    assert usage_of_process(Usage(first_output=said), False).printed == kept
    assert len(kept.encode()) <= PRINTED


def test_the_process_that_failed_first_in_the_order_of_the_schedule_speaks() -> None:
    """Bot 0 has the players 0 and 1, bot 1 has 2, bot 2 is out; player 1 fails in game 3, and 0 in game 4."""
    seatings, seated = np.full((6, 6), -1, np.int16), np.full((6, 6), -1, np.int16)
    seatings[:, 0], seated[:, 0] = 0, np.arange(6) % 2
    seatings[:3, 1], seated[:3, 1] = 1, 2
    seatings[3:, 1], seated[3:, 1] = 2, 3
    faults = [fault(1, 1), fault(3, 1), fault(3, 0), fault(4, 0), fault(4, 1)]
    players: list[Player] = [Stub("zero"), Stub("one"), Stub("two"), OutPlayer()]
    told = Played(np.zeros(6, GAME), new_histories(usual_rules(2), 0), seatings, np.zeros(6, np.uint8), faults)
    found = usage_by_bot(told, seated, players)
    assert {bot: (used.printed, used.has_failed) for bot, used in found.items()} == {0: ("one", True), 1: ("two", True)}
    told.faults.clear()
    assert not any(used.has_failed for used in usage_by_bot(told, seated, players).values())


def fault(game: int, seat: int) -> Fault:
    return Fault(game, 1, 1, seat, FaultKind.EXCEPTION, "")


class Stub(JailedPlayer):
    """A player that has ended, all but what it used."""

    def __init__(self, printed: str) -> None:
        self.jail: Any = SimpleNamespace(usage=Usage(first_output=printed))
