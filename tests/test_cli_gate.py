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


def test_a_bot_of_the_same_name_gets_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "my_bots").mkdir()
    (folder / "my_bots" / "fox.py").write_text(FOX)
    monkeypatch.chdir(folder)
    verdict = api.gate("my_bots/fox.py:Greedy", "greedy", "duel.yaml")
    assert (verdict.plan.new.name, verdict.plan.baseline, verdict.plan.field) == ("greedy-new", "greedy", ("random",))
    assert verdict.decision == "rejected"
    assert (folder / "results" / "duel-gate-greedy-new-vs-greedy" / "old" / "manifest.json").exists()


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
