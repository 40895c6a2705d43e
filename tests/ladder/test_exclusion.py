"""Bots that are out are asked no more, from the same chunk on wherever and in whichever order chunks are played."""

import random
from contextlib import closing
from pathlib import Path

import pytest
from ladder.test_run import config_of, digest
from report.samples import TWO, game, games_frame, manifest_of

from harness.ladder import exclusion as module
from harness.ladder.exclusion import LAG, Exclusion, decides
from harness.ladder.executor import Executor, HereExecutor
from harness.ladder.local_pool import LocalExecutor
from harness.ladder.run import Silence, plan_run, play_run
from harness.ladder.store import Store

CONFIG = """\
name: small
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, {bot: "FILE:Broken", level: process}, {bot: "FILE:Exits", level: process}]
tables: [{players: 2, blocks: 50}]
executor: {kind: local, workers: 1}
"""
BOTS = """\
import sys
from harness import Bot

class Broken(Bot):
    def __init__(self):
        raise ValueError("no")

class Exits(Bot):
    def act(self, view):
        sys.exit()
"""


def test_a_cluster_of_any_size_is_kept_busy_and_a_bot_that_is_out_is_asked_for_twice_as_long_at_most() -> None:
    """Of a long run, half of what lies before a chunk is enough to begin it; what decides never goes back."""
    known = [decides(number) for number in range(1000)]
    assert max(number for number in range(1000) if known[number] < 0) == LAG - 1, "so many begin at once"
    assert known == sorted(known)
    for done in range(1, 400):
        may_begin = sum(last < done for last in known)
        assert may_begin - done == max(LAG, done - 1)


def test_a_chunk_knows_of_those_long_before_it_and_of_no_later_ones() -> None:
    chunks = 60
    faulty = {3: "timeout", 9: "timeout", 17: "timeout"}
    frames = [
        games_frame([game(TWO, number, (0, 1), (2, 1), faults=[(0, faulty[number])] if number in faulty else [])])
        for number in range(chunks)
    ]
    order = list(range(chunks))
    random.Random(5).shuffle(order)
    exclusion, noted = Exclusion(manifest_of("ab", [TWO])), set()
    for number in order:
        for later in range(chunks):
            last = later - 8 if later < 16 else later - later // 2
            decided = all(early in noted for early in range(last + 1))
            expected = (0,) if last >= 17 else ()
            assert exclusion.before(later) == (expected if decided else None)
        exclusion.note(number, TWO.name, frames[number])
        noted.add(number)


@pytest.mark.parametrize("lag", [2])
def test_whoever_is_out_is_asked_no_more_on_any_executor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lag: int
) -> None:
    monkeypatch.setattr(module, "LAG", lag)
    (tmp_path / "bots.py").write_text(BOTS)
    config = config_of(tmp_path, CONFIG.replace("FILE", str(tmp_path / "bots.py")))

    def run(name: str, executor: Executor, stop: int | None = None) -> str:
        plan = plan_run(config, tmp_path / name)
        object.__setattr__(plan.manifest, "chunk_games", 20)
        if stop is not None:
            executor = Stopping(stop)
        try:
            play_run(plan, executor, Silence())
        except KeyboardInterrupt:
            assert stop is not None
        return digest(tmp_path / name)

    here = run("here", HereExecutor())
    assert run("two", LocalExecutor(2)) == here
    run("broken", HereExecutor(), stop=3)
    assert run("broken", HereExecutor()) == here
    games = Store(tmp_path / "here").games()
    own = games[(games["bot0"] == 2) | (games["bot1"] == 2)]
    first, later = own[own["block"] < 10 * lag], own[own["block"] >= 10 * lag]
    assert first["fault_log"].str.contains("load failure").all()
    assert later["fault_log"].str.contains("disqualified").all()


class Stopping(HereExecutor):
    """Is interrupted after some chunks."""

    def __init__(self, chunks: int) -> None:
        self.chunks = chunks

    def play(self, chunks):  # type: ignore[no-untyped-def]
        with closing(super().play(chunks)) as games:
            for number, played in enumerate(games):
                if number == self.chunks:
                    raise KeyboardInterrupt
                yield played
