"""Every built-in bot, by the contract: legal at every kind of table, deterministic, silent, documented."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from game.tables import KINDS, keys, sample

from harness import BatchBot
from harness.errors import BotError
from harness.play.lockstep import Played, play_games
from harness.play.players import player_of
from harness.play.registry import builtin_names, load_class, spec_of

ROOT = Path(__file__).resolve().parents[2]
NAMES = builtin_names()
COMPILED = [name for name in NAMES if issubclass(load_class(name), BatchBot)]
UNCOMPILED = ("four", "six, flipped", "twelve cities", "level")


def play_all(kind: str, games: int = 8) -> Played:
    """Play games in which the bots sit in changing company."""
    rules = KINDS[kind]
    seatings = np.full((games, 6), -1, np.int16)
    seatings[:, : rules.players] = np.add.outer(3 * np.arange(games), np.arange(rules.players)) % len(NAMES)
    players = [player_of(load_class(name), rules) for name in NAMES]
    return play_games(rules, keys("deal", games), keys("bots", games), seatings, players)


def test_the_built_in_bots_are_these() -> None:
    assert NAMES == ["bully", "capone", "greedy", "greedy_py", "miser", "patient", "random"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_it_plays_every_kind_of_table_against_itself(name: str, kind: str) -> None:
    played = sample(KINDS[kind], 2, kind, load_class(name)).played  # which also looks for faults
    assert not played.forfeits.any()
    assert not played.histories["signal"].any()


@pytest.mark.parametrize("kind", KINDS)
def test_they_play_every_kind_of_table_against_each_other(kind: str) -> None:
    played = play_all(kind)
    assert played.faults == []
    assert played.histories.tobytes() == play_all(kind).histories.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_its_docstring_says_idea_strength_and_weakness(name: str) -> None:
    text = sys.modules[load_class(name).__module__].__doc__ or ""
    assert text.startswith(f"{name}: ")
    assert all(word in text for word in ("Idea:", "Strength", "eakness"))


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("greedy", {"least": float("nan")}),
        ("greedy", {"expert_price": 1e9}),
        ("greedy", {"risk": 1.0}),
        ("patient", {"turns": -1}),
        ("capone", {"turns": 1.5}),
        ("bully", {"muscle": True}),
    ],
)
def test_senseless_parameters_are_refused(name: str, params: dict[str, Any]) -> None:
    with pytest.raises(BotError, match=next(iter(params)) if "least" not in params else "nan"):
        spec_of(name, params=params)


def told(names: list[str]) -> str:
    """Return a line for each bot and kind of table: a hash of the turns played."""
    import hashlib

    lines = []
    for name in names:
        for kind in UNCOMPILED:
            histories = sample(KINDS[kind], 1, "uncompiled", load_class(name)).played.histories
            lines.append(f"{name}, {kind}: {hashlib.sha256(histories.tobytes()).hexdigest()}")
    return "\n".join(lines)


def test_compiled_bots_play_the_same_uncompiled_and_without_a_warning() -> None:
    code = (
        "import bots.greedy, sys, runpy\n"
        "assert type(bots.greedy.play).__name__ == 'function', 'still compiled'\n"
        f"here = runpy.run_path({__file__!r})\n"
        f"print(here['told']({COMPILED!r}))"
    )
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1", PYTHONPATH=f"{ROOT}{os.pathsep}{ROOT / 'tests'}")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == told(COMPILED)
