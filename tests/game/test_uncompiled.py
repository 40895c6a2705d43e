"""The engine as plain Python: NUMBA_DISABLE_JIT=1 plays the same games to the same bytes, without a warning."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from game.tables import KINDS, sample

from bots.random import Random
from harness.game.choices import pack_choices

ROOT = Path(__file__).resolve().parents[2]
GAMES = {"four": 2, "six": 2, "six, flipped": 1, "sixty-four cards": 1, "level": 2}


def digest(kind: str) -> str:
    """Return a hash of every byte of some games and of their packed choices."""
    played = sample(KINDS[kind], GAMES[kind], "uncompiled", Random).played
    told = hashlib.sha256(played.games.tobytes() + played.histories.tobytes())
    for packed in pack_choices(played.games, played.histories, np.arange(len(played.games))):
        told.update(packed.data.tobytes() + packed.offsets.tobytes())
    return told.hexdigest()


@pytest.fixture(scope="module")
def uncompiled() -> dict[str, str]:
    code = (
        "from harness.game.engine import play_turn\n"
        "assert type(play_turn).__name__ == 'function', 'still compiled'\n"
        "from game.test_uncompiled import GAMES, digest\n"
        "for kind in GAMES: print(digest(kind), kind)"
    )
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1", PYTHONPATH=f"{ROOT}{os.pathsep}{ROOT / 'tests'}")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {kind: told for told, kind in (line.split(" ", 1) for line in done.stdout.splitlines())}


@pytest.mark.parametrize("kind", GAMES)
def test_uncompiled_games_are_the_same_bytes(kind: str, uncompiled: dict[str, str]) -> None:
    assert uncompiled[kind] == digest(kind)
