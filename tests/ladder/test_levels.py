"""Levels and limits from the config to the manifest and the chunks, and what happens where nothing can be jailed."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness import api
from harness.errors import BossError, ResultsError
from harness.ladder import run as running
from harness.ladder.config import Config, load_config
from harness.ladder.feed import chunks_of
from harness.ladder.manifest import Manifest
from harness.ladder.run import Plan, Silence, plan_run, play_run
from harness.ladder.store import Store
from harness.play.limits import USUAL_LIMITS, Limits
from harness.play.probe import Isolation

CONFIG = """\
name: levels
seed: "00112233445566778899aabbccddeeff"
bots: [random, BOT]
tables: [{players: 2, blocks: 3}]
executor: {kind: local, workers: 1}
"""
BOT = "from harness import Bot, Turn\n\nclass Fox(Bot):\n    def act(self, view):\n        return Turn(view.hand[0])\n"

JAIL = Isolation("jailed", {"no network": True}, "")
NO_JAIL = Isolation("process", {"no network": False}, "this kernel is too old")


class Probe:
    """Stands in for the probe of this machine, and counts how often it is asked."""

    def __init__(self, found: Isolation) -> None:
        self.found, self.asked = found, 0

    def __call__(self) -> Isolation:
        self.asked += 1
        return self.found


class Listener(Silence):
    def __init__(self) -> None:
        self.heard: list[str] = []

    def warn(self, text: str) -> None:
        self.heard.append(text)


class Nobody:
    """An executor that plays nothing."""

    def play(self, chunks: object) -> Iterator[object]:
        yield from ()


def config_of(folder: Path, bot: str = "{bot: fox.py:Fox}", more: str = "") -> Config:
    (folder / "fox.py").write_text(BOT)
    (folder / "levels.yaml").write_text(CONFIG.replace("BOT", bot) + more)
    return load_config(folder / "levels.yaml")


def begin(plan: Plan) -> list[str]:
    """Write the manifest as a run does that is stopped before its first chunk; return what was warned of."""
    listener = Listener()
    play_run(plan, Nobody(), listener)  # type: ignore[arg-type]
    return listener.heard


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> Probe:
    probe = Probe(JAIL)
    monkeypatch.setattr(running, "probe", probe)
    return probe


def test_trusted_bots_need_no_probe(probe: Probe, tmp_path: Path) -> None:
    for bot in ("greedy", "{bot: fox.py:Fox, level: trusted}"):
        plan = plan_run(config_of(tmp_path, bot), tmp_path / "run", require_isolation=True)
        assert [spec.level for spec in plan.manifest.bots] == ["trusted", "trusted"]
        assert (plan.manifest.isolation, plan.warning) == ({}, "")
    assert probe.asked == 0


def test_where_bots_can_be_jailed_they_are(probe: Probe, tmp_path: Path) -> None:
    plan = plan_run(config_of(tmp_path), tmp_path / "run", require_isolation=True)
    assert [spec.level for spec in plan.manifest.bots] == ["trusted", "jailed"]
    assert plan.manifest.isolation == {"level": "jailed", "holds": {"no network": True}, "reason": ""}
    assert (plan.warning, probe.asked) == ("", 1)


def test_where_they_cannot_the_run_warns_and_goes_on(probe: Probe, tmp_path: Path) -> None:
    probe.found = NO_JAIL
    plan = plan_run(config_of(tmp_path), tmp_path / "run")
    assert [spec.level for spec in plan.manifest.bots] == ["trusted", "process"]
    assert plan.manifest.isolation["reason"] == "this kernel is too old"
    assert begin(plan) == ["fox: at level process, not jailed: this kernel is too old"]
    kept = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert kept["isolation"] == {"level": "process", "holds": {"no network": False}, "reason": "this kernel is too old"}
    assert kept["limits"] == {"turn_ms": 100, "bank_ms": 2000, "load_s": 5.0, "memory_mb": 512, "forfeits": 20}


def test_a_bot_that_asks_for_no_more_than_a_process_is_no_cause_for_a_warning(probe: Probe, tmp_path: Path) -> None:
    probe.found = NO_JAIL
    plan = plan_run(config_of(tmp_path, "{bot: fox.py:Fox, level: process}"), tmp_path / "run", require_isolation=True)
    assert (plan.manifest.bots[1].level, plan.warning) == ("process", "")


@pytest.mark.parametrize("fresh", [False, True])
def test_required_isolation_that_is_not_there_is_refused_and_nothing_changes(
    probe: Probe, tmp_path: Path, fresh: bool
) -> None:
    config = config_of(tmp_path)
    if fresh:
        begin(plan_run(config, tmp_path / "results"))
    before = {path: path.read_bytes() for path in (tmp_path / "results").rglob("*") if path.is_file()}
    probe.found = NO_JAIL
    with pytest.raises(BossError, match="fox: cannot be jailed here: this kernel is too old"):
        api.run_ladder(tmp_path / "levels.yaml", tmp_path / "results", fresh=fresh, require_isolation=True)
    assert {path: path.read_bytes() for path in (tmp_path / "results").rglob("*") if path.is_file()} == before
    with pytest.raises(BossError, match="cannot be jailed here"):
        api.match([f"{tmp_path}/fox.py:Fox", "random"], require_isolation=True)


def test_the_fill_bot_is_held_as_well(probe: Probe, tmp_path: Path) -> None:
    probe.found = NO_JAIL
    config = config_of(tmp_path, "greedy", "schedule: {fill: {bot: fox.py:Fox}}\n")
    plan = plan_run(config, tmp_path / "run")
    assert (plan.manifest.fill, plan.manifest.bots[2].level) == (2, "process")
    assert plan.warning.startswith("fox: at level process")


def test_a_level_may_change_when_a_run_goes_on(probe: Probe, tmp_path: Path) -> None:
    begin(plan_run(config_of(tmp_path), tmp_path / "run"))
    begin(plan_run(config_of(tmp_path, "{bot: fox.py:Fox, level: trusted}"), tmp_path / "run"))
    kept = Store(tmp_path / "run").read_manifest()
    assert ([spec.level for spec in kept.bots], kept.isolation) == (["trusted", "trusted"], {})
    begin(plan_run(config_of(tmp_path), tmp_path / "run"))
    assert Store(tmp_path / "run").read_manifest().bots[1].level == "jailed"


def test_limits_go_to_every_chunk_and_may_not_change(probe: Probe, tmp_path: Path) -> None:
    limits = "limits: {turn_ms: 30, load_s: 0.5}\n"
    plan = plan_run(config_of(tmp_path, "greedy", limits), tmp_path / "run")
    assert {chunk.limits for chunk in chunks_of(plan.manifest)} == {replace(USUAL_LIMITS, turn_ms=30, load_s=0.5)}
    begin(plan)
    plan_run(config_of(tmp_path, "greedy", limits), tmp_path / "run")
    before = (tmp_path / "run" / "manifest.json").read_bytes()
    with pytest.raises(ResultsError) as caught:
        plan_run(config_of(tmp_path, "greedy", limits.replace("30", "31")), tmp_path / "run")
    assert "other limits (turn_ms 30, now 31); set them back, or use --fresh" in str(caught.value)
    with pytest.raises(ResultsError, match=r"turn_ms 30, now 100; load_s 0\.5, now 5\.0"):
        plan_run(config_of(tmp_path, "greedy"), tmp_path / "run")
    assert (tmp_path / "run" / "manifest.json").read_bytes() == before


def test_the_manifest_is_read_back_as_it_was(probe: Probe, tmp_path: Path) -> None:
    manifest = plan_run(config_of(tmp_path, more="limits: {forfeits: 3}\n"), tmp_path / "run").manifest
    assert Manifest.from_json(manifest.to_json()) == manifest
    assert manifest.limits == Limits(forfeits=3)


def test_a_manifest_of_before_there_were_limits_has_the_usual_ones(probe: Probe, tmp_path: Path) -> None:
    value = json.loads(plan_run(config_of(tmp_path, "greedy"), tmp_path / "run").manifest.to_json())
    del value["limits"], value["isolation"]
    old = Manifest.from_json(json.dumps(value))
    assert (old.limits, old.isolation) == (USUAL_LIMITS, {})
