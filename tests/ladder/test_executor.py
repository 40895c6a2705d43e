"""Workers that die, are stopped or cannot be started: no game is lost, counted twice, or tried for ever."""

import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from bad_bots.arena import gone
from ladder.processes import at_play, descendants, ladder_at_play, own_folders
from ladder.test_run import config_of, run

from harness.errors import BotError, RunError
from harness.ladder import over_ray
from harness.ladder.backlog import TRIES
from harness.ladder.chunk import Chunk, ChunkResult
from harness.ladder.config import Config
from harness.ladder.executor import Executor, HereExecutor
from harness.ladder.local_pool import LocalExecutor
from harness.ladder.over_ray import RayExecutor
from harness.ladder.store import Store

UNRULY = Path(__file__).with_name("unruly_bots.py")

CONFIG = """\
name: small
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, {bot: "FILE:CLASS", name: guest, level: trusted, params: PARAMS}]
tables: [{players: 2, blocks: 30}, {players: 3, blocks: 6}, {players: 4, blocks: 10}]
schedule: {fill: random}
"""


def config_with(folder: Path, class_name: str, **params: str | int) -> Config:
    text = CONFIG.replace("FILE", str(UNRULY)).replace("CLASS", class_name).replace("PARAMS", json.dumps(params))
    return config_of(folder, text)


def test_a_chunk_whose_worker_died_is_played_again(tmp_path: Path) -> None:
    config = config_with(tmp_path, "OnceDeadly", done=str(tmp_path / "done"))
    two = run(config, tmp_path / "two", LocalExecutor(2))
    assert (tmp_path / "done").exists()
    assert two == run(config, tmp_path / "here", HereExecutor())


def test_a_chunk_that_no_worker_survives_is_named_and_all_others_are_stored(tmp_path: Path) -> None:
    armed, log = tmp_path / "armed", tmp_path / "log"
    armed.touch()
    config = config_with(tmp_path, "Deadly", armed=str(armed), players=3, log=str(log))
    with pytest.raises(
        RunError, match=r"chunk part-3p:\S+ \(3p:\S+, blocks 0 to 5\).*guest \(.*unruly_bots.py:Deadly"
    ) as told:
        run(config, tmp_path / "run", LocalExecutor(2))
    assert "greedy" not in str(told.value)
    assert len(log.read_text()) == TRIES
    stored = Store(tmp_path / "run").games().groupby("players").size().to_dict()
    assert stored == {2: 30 * 2, 4: 10 * 4}
    armed.unlink()
    assert run(config, tmp_path / "run", LocalExecutor(2)) == run(config, tmp_path / "here", HereExecutor())


class Watched:
    """Notes by how many chunks an executor is ahead of what it has yielded."""

    def __init__(self, inner: Executor) -> None:
        self.inner = inner
        self.ahead: list[int] = []

    def play(self, chunks: Iterable[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        taken = yielded = 0

        def counted() -> Iterator[Chunk | None]:
            nonlocal taken
            for chunk in chunks:
                taken += 1
                self.ahead.append(taken - yielded)
                yield chunk

        for played in self.inner.play(counted()):
            yielded += 1
            yield played


def test_only_so_many_chunks_are_at_hand_at_a_time(tmp_path: Path) -> None:
    two = Watched(LocalExecutor(2))
    run(config_with(tmp_path, "Slow"), tmp_path / "run", two, chunk_games=8)
    assert len(two.ahead) > 10
    assert max(two.ahead) == 3, "one for each worker, and the one whose result is being stored"


def test_what_a_worker_raises_is_raised_here(tmp_path: Path) -> None:
    (tmp_path / "fox.py").write_text(UNRULY.read_text())
    text = CONFIG.replace("FILE", str(tmp_path / "fox.py")).replace("CLASS", "Slow").replace("PARAMS", "{}")
    config = config_of(tmp_path, text)

    class Losing(LocalExecutor):
        """Loses the bot's file before its workers load it."""

        def play(self, chunks):  # type: ignore[no-untyped-def]
            (tmp_path / "fox.py").unlink()
            return super().play(chunks)

    with pytest.raises(BotError, match=r"fox\.py:Slow: cannot be read"):
        run(config, tmp_path / "run", Losing(2))


ERRORS = "RayError = NodeDiedError = ObjectLostError = OutOfMemoryError = WorkerCrashedError = Exception"
HANGS = "import re; re.match('(a+)+$', 'a' * 50 + 'b')  # for ages, and no other thread gets a turn"
FAILS = """
    import subprocess
    daemon = subprocess.Popen(["sleep", "1000"])
    open("PIDS", "w").write(str(daemon.pid))
    raise ConnectionError("no daemon here\\nand more lines")
"""
ENDS = "import os; os._exit(7)"


def put_in_place_of_ray(monkeypatch: pytest.MonkeyPatch, folder: Path, start: str) -> None:
    """Let processes that are started here find a Ray that does `start` when it is to start."""
    fake = folder / "fake" / "ray"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text(f"def init(**options):\n    {start}".replace("PIDS", str(folder / "pids")))
    (fake / "exceptions.py").write_text(ERRORS)
    monkeypatch.syspath_prepend(str(folder / "fake"))


@pytest.mark.parametrize(
    ("start", "why"), [(HANGS, "did not answer within 2 s"), (ENDS, "its process ended with exit status 7")]
)
def test_a_cluster_that_cannot_be_joined_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str, why: str
) -> None:
    monkeypatch.setattr(over_ray, "START_S", 2.0 if start is HANGS else 60.0)
    put_in_place_of_ray(monkeypatch, tmp_path, start)
    with pytest.raises(RunError, match=f"cluster at 127.0.0.1:1 cannot be joined: .*{why}"):
        run(config_with(tmp_path, "Slow"), tmp_path / "run", RayExecutor(2, "127.0.0.1:1", print))
    assert not own_folders([os.getpid()])


def test_where_ray_cannot_be_started_processes_of_this_machine_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in_place_of_ray(monkeypatch, tmp_path, FAILS)
    warnings: list[str] = []
    config = config_with(tmp_path, "Meddler")
    played = run(config, tmp_path / "run", RayExecutor(2, None, warnings.append))
    assert played == run(config, tmp_path / "here", HereExecutor())
    assert warnings == ["Ray cannot be started here: no daemon here; processes of this machine play instead"]
    assert gone([int((tmp_path / "pids").read_text())], 0), "what it had started is ended"


def test_the_ray_that_a_notebook_uses_is_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    context = SimpleNamespace(gcs_address="192.0.2.7:6379")
    ray = SimpleNamespace(is_initialized=lambda: True, get_runtime_context=lambda: context)
    monkeypatch.setitem(sys.modules, "ray", ray)
    assert RayExecutor(None, None, print).address == "192.0.2.7:6379"
    assert RayExecutor(None, "auto", print).address == "auto"
    ray.is_initialized = lambda: False
    assert RayExecutor(None, None, print).address is None


def test_nothing_is_left_of_a_worker_that_is_killed_nor_of_a_run_that_is_stopped(tmp_path: Path) -> None:
    with ladder_at_play(tmp_path, "local") as harness:
        workers, jails = at_play(harness)
        os.kill(workers[0], signal.SIGKILL)
        assert gone(jails)
        later, _ = at_play(harness)
        assert workers[0] not in later, "the chunk is played again"
        everybody = descendants(harness.pid)
        harness.send_signal(signal.SIGINT)
        assert harness.wait(20) == 130
    assert gone(everybody, 0)
    assert not own_folders([harness.pid, *workers, *everybody])


def test_workers_do_not_survive_a_run_that_is_killed(tmp_path: Path) -> None:
    with ladder_at_play(tmp_path, "local") as harness:
        at_play(harness)
        everybody = descendants(harness.pid)
        harness.kill()
        assert gone(everybody)
