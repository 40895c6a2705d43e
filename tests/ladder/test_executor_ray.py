"""Ray for real: workers that are killed, runs that are stopped, and a cluster of two nodes that loses one."""

import os
import pickle
import secrets
import signal
import threading
import time
from pathlib import Path

import pytest
from bad_bots.arena import gone
from ladder.processes import at_play, descendants, ladder_at_play, own_folders
from ladder.ray_cluster import Cluster, cluster_of, other_harness
from ladder.test_executor import Watched, config_with
from ladder.test_run import config_of, run
from ladder.ways import fail

from harness.errors import RunError
from harness.game.rules import usual_rules
from harness.ladder import over_ray
from harness.ladder.backlog import TRIES, Backlog
from harness.ladder.chunk import Chunk
from harness.ladder.executor import HereExecutor
from harness.ladder.over_ray import SPARE, RayExecutor
from harness.ladder.schedule import Block
from harness.ladder.store import Store
from harness.play.limits import Limits
from harness.play.registry import spec_of

PROJECT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ray start slowly, and its workers have their share: a machine that is busy is not what is tested."""
    monkeypatch.setattr(over_ray, "START_S", 600)
    monkeypatch.setenv("RAY_worker_niceness", "0")


def test_a_chunk_that_no_worker_survives_is_named_and_all_others_are_stored(tmp_path: Path) -> None:
    armed, log = tmp_path / "armed", tmp_path / "log"
    armed.touch()
    config = config_with(tmp_path, "Deadly", armed=str(armed), players=3, log=str(log))
    with pytest.raises(RunError, match=r"chunk part-3p:\S+ \(3p:\S+, blocks 0 to 5\).*guest \(.*unruly_bots.py:Deadly"):
        run(config, tmp_path / "run", two := Watched(RayExecutor(2, None, fail)))
    assert len(log.read_text()) == TRIES
    assert max(two.ahead) <= 2 + SPARE + 1
    assert Store(tmp_path / "run").games().groupby("players").size().to_dict() == {2: 30 * 2, 4: 10 * 4}
    armed.unlink()
    assert run(config, tmp_path / "run", HereExecutor()) == run(config, tmp_path / "here", HereExecutor())
    assert not own_folders([os.getpid()])


class Losing:
    """Loses the chunk it is given, with its node, so many times."""

    in_flight = 1

    def __init__(self, times: int) -> None:
        self.times = times

    def give(self, number: int, chunk: object) -> None:
        self.number = number

    def next_done(self) -> list[tuple[int, str, object]]:
        self.times -= 1
        return [(self.number, "lost", "its node went away") if self.times >= 0 else (self.number, "answer", DONE)]


DONE = pickle.dumps("games")


def test_nodes_that_go_away_are_no_fault_of_a_chunk_until_they_do_it_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(over_ray, "result_of", lambda value: value)
    greedy = spec_of("greedy")
    chunk = Chunk("seed", "2p", usual_rules(2), (greedy, greedy), (Block("2p", 0, (0, 1)),), Limits())
    assert list(over_ray._clear(Backlog([chunk]), Losing(TRIES - 1))) == [(chunk, "games")]  # type: ignore[arg-type]
    backlog = Backlog([chunk])
    assert not list(over_ray._clear(backlog, Losing(TRIES)))  # type: ignore[arg-type]
    with pytest.raises(RunError, match=r"each time it was played \(its node went away\)"):
        backlog.close()


def test_nothing_is_left_of_a_worker_that_is_killed_nor_of_a_run_that_is_stopped(tmp_path: Path) -> None:
    with ladder_at_play(tmp_path, "ray") as harness:
        workers, jails = at_play(harness)
        everybody = descendants(harness.pid)
        os.kill(workers[0], signal.SIGKILL)
        assert gone(jails)
        later, _ = at_play(harness)
        assert workers[0] not in later, "the chunk is played again"
        everybody += descendants(harness.pid)
        harness.send_signal(signal.SIGINT)
        assert harness.wait(20) == 130
    assert gone(everybody, 0)
    assert not own_folders([harness.pid, *everybody])


GUESTS = """\
name: small
seed: "00112233445566778899aabbccddeeff"
bots:
  - {bot: "FOLDER/fox.py:Fox", level: trusted}
  - {bot: "FOLDER/fox.py:Fox", name: caged}
  - {bot: "den.cub:Cub", level: trusted}
tables: [{players: 2, blocks: 24}, {players: 3, blocks: 16}]
limits: {turn_ms: 1000, load_s: 20}
"""

FOX = """\
import os
from pathlib import Path
import harness
from harness import Bot, Turn

NODE = os.environ.get("NODE")
HERE = Path(__file__).parent
assert (HERE / "weights.txt").read_text() == "1 2 3"
assert NODE is None or "runtime_resources" in str(HERE), "on a node it is what was sent along"

class Fox(Bot):
    files = ("weights.txt",)

    def act(self, view):
        if NODE and view.hand_number == view.turn_number == 1:
            with open(os.environ["LOG"], "a") as log:
                log.write(f"{NODE} {harness.__file__}\\n")
        return Turn(view.hand[view.rng.randrange(len(view.hand))])
"""

CUB = """\
from den.fur import choice
from harness import Bot, Turn

class Cub(Bot):
    def act(self, view):
        return Turn(choice(view.hand))
"""

CHUNK_GAMES = 12


def test_a_cluster_that_loses_a_node_plays_the_same_games_from_what_was_sent_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_bots(tmp_path, monkeypatch)
    config = config_of(tmp_path, GUESTS.replace("FOLDER", str(tmp_path)))
    log = tmp_path / "log"
    log.touch()
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    both = {"LOG": str(log), "NUMBA_DISABLE_JIT": "1"}  # so that nothing is compiled for a few games
    own, other = {"PYTHONPATH": str(PROJECT)}, {"PYTHONPATH": other_harness(tmp_path)}
    with cluster_of({"NODE": "first", **both, **own}, {"NODE": "second", **both, **other}) as cluster:
        monkeypatch.setenv("RAY_ADDRESS", cluster.address)
        threading.Thread(target=kill_second_node, args=(cluster, log), daemon=True).start()
        played = run(config, tmp_path / "over ray", RayExecutor(None, "auto", fail), CHUNK_GAMES)
        assert cluster.nodes[1].wait(20), "the second node was killed"
    assert played == run(config, tmp_path / "here", HereExecutor(), CHUNK_GAMES)
    told = {tuple(line.split(" ", 1)) for line in log.read_text().splitlines()}
    assert ("first", str(PROJECT / "harness" / "__init__.py")) in told
    assert [path for node, path in told if node == "second" and "/boss_sent/house/harness/" in path]
    assert not own_folders([os.getpid()])


def lay_bots(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a bot with a file beside it, and a package with another."""
    (folder / "fox.py").write_text(FOX)
    (folder / "weights.txt").write_text("1 2 3")
    (folder / "packages" / "den").mkdir(parents=True)
    (folder / "packages" / "den" / "__init__.py").touch()
    (folder / "packages" / "den" / "cub.py").write_text(CUB)
    (folder / "packages" / "den" / "fur.py").write_text("choice = max\n")
    monkeypatch.syspath_prepend(str(folder / "packages"))


def kill_second_node(cluster: Cluster, log: Path) -> None:
    """Kill it without grace while it plays its second chunk."""
    while log.exists() and log.read_text().count("second") <= CHUNK_GAMES:
        time.sleep(0.02)
    os.kill(cluster.raylet(1), signal.SIGKILL)
