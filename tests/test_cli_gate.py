"""`boss gate` from the command line: its words, its JSON and its exit status."""

import json
from pathlib import Path

import pytest
from test_cli import boss

from harness import api
from harness.errors import BossError

CONFIG = """\
name: duel
seed: "00112233445566778899aabbccddeeff"
bots: [greedy, random]
tables: [{players: 2, blocks: 1}]
executor: {kind: local, workers: 1}
gate: {elo1: 60}
"""

FOX = """\
from harness import Bot, Turn

class Greedy(Bot):
    def act(self, view):
        return Turn(view.hand[0])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gate")
    (folder / "duel.yaml").write_text(CONFIG)
    return folder


def test_a_stronger_bot_is_accepted_with_status_0(folder: Path) -> None:
    done = boss("gate", "greedy", "--vs", "random", "--config", "duel.yaml", cwd=folder)
    assert "greedy in place of random, among random-copy, on the same deals" in done.stdout
    assert "accepted: greedy gains more than 0 normalized Elo on random" in done.stdout.splitlines()[-1]
    kept = json.loads((folder / "results" / "duel-gate-greedy-vs-random" / "gate.json").read_text())
    again = boss("gate", "greedy", "--vs", "random", "--config", "duel.yaml", "--json", cwd=folder)
    assert json.loads(again.stdout) == kept
    assert kept["verdict"] == "accepted"
    assert kept["look"]["llr"] >= kept["upper"]
    assert "games lie stored\n" in again.stderr


def test_a_weaker_bot_is_rejected_with_status_3(folder: Path) -> None:
    done = boss("gate", "random", "--vs", "greedy", "--config", "duel.yaml", "--out", "kept here", cwd=folder, status=3)
    assert "rejected: random gains less than 60 normalized Elo on greedy" in done.stdout.splitlines()[-1]
    assert (folder / "kept here" / "new" / "manifest.json").exists()


def test_an_open_gate_ends_with_status_4(folder: Path) -> None:
    (folder / "short.yaml").write_text(CONFIG.replace("{elo1: 60}", "{elo0: -1, elo1: 1, first: 8, most: 8}"))
    done = boss("gate", "greedy", "--vs", "random", "--config", "short.yaml", "--out", "short", cwd=folder, status=4)
    assert "open: after 8 blocks (16 games) it cannot be said" in done.stdout


@pytest.mark.parametrize(
    ("new", "old", "names", "field"),
    [
        ("greedy", "greedy", ("greedy-new", "greedy"), ("random",)),
        ("FOX", "random", ("greedy-new", "random"), ("greedy",)),
        ("random", "FOX", ("random", "greedy-old"), ("greedy",)),
        ("FOX", "FOX", ("greedy-new", "greedy-old"), ("greedy", "random")),
    ],
)
def test_who_is_who(tmp_path: Path, new: str, old: str, names: tuple[str, str], field: tuple[str, ...]) -> None:
    """A bot of the config is named so, and no part of the field; others are told apart from bots of the same name."""
    (tmp_path / "duel.yaml").write_text(CONFIG.replace("{elo1: 60}", "{elo1: 60, first: 2, step: 2, most: 2}"))
    (tmp_path / "fox.py").write_text(FOX)
    words = [word.replace("FOX", f"{tmp_path / 'fox.py'}:Greedy") for word in (new, old)]
    verdict = api.gate(words[0], words[1], tmp_path / "duel.yaml", tmp_path / "gate")
    assert (verdict.plan.new.name, verdict.plan.baseline) == names
    assert verdict.plan.field == field


@pytest.mark.parametrize(
    ("new", "old", "changes", "told"),
    [
        ("gredy", "random", {}, "did you mean 'greedy'"),
        ("greedy", "nowhere.py:Fox", {}, "no such file"),
        ("greedy", "random", {"config": "none.yaml"}, "cannot be read"),
        ("greedy", "random", {"executor": "far"}, "it can be local or ray"),
        ("greedy", "random", {"out": "."}, "no gate"),
    ],
)
def test_mistakes_are_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, new: str, old: str, changes: dict[str, str], told: str
) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    with pytest.raises(BossError, match=told):
        api.gate(new, old, **{"config": "duel.yaml", **changes})
    assert sorted(folder.rglob("*")) == before


def test_a_mistake_ends_with_status_2(folder: Path) -> None:
    done = boss("gate", "gredy", "--vs", "random", "--config", "duel.yaml", cwd=folder, status=2)
    assert "did you mean 'greedy'" in done.stderr.replace("\n", " ")
    assert done.stdout == ""
