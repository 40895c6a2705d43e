"""Schedules of every kind with real games: all counts agree, and the table is the same however they are played."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from harness import api
from harness.ladder.chunk import Chunk, ChunkResult, play_chunk
from harness.ladder.config import load_config
from harness.ladder.executor import Executor, HereExecutor
from harness.ladder.run import Silence, plan_run, play_run
from harness.ladder.schedule import games_in_block
from harness.ladder.store import Store

CONFIG = """\
name: small
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, bully, miser, patient]
tables:
  - {{players: 2, blocks: 12}}
  - {{players: 3, blocks: 7}}
  - {{players: 6, blocks: 5}}
schedule: {{kind: {kind}, fill: random}}
"""
KINDS = [
    "round_robin, neighbours: williams",
    "gauntlet, new: [bully, patient]",
    "swiss, rounds: 2",
    "adaptive, rounds: 3, neighbours: williams",
]


class Counting(Silence):
    """Adds up what it hears."""

    def __init__(self) -> None:
        self.told = self.done = 0

    def begin(self, games: int, done: int) -> None:
        self.told, self.done = games, done

    def advance(self, games: int, faults: dict[str, int]) -> None:
        self.done += games


class Backwards:
    """Takes all chunks it can get and plays the last one first; dies after so many, if it is to."""

    def __init__(self, lives: int = 1_000) -> None:
        self.lives = lives

    def play(self, chunks: Iterable[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        source, held = iter(chunks), list[Chunk]()
        while True:
            while (chunk := next(source, None)) is not None:
                held.append(chunk)
            if not held:
                return
            if self.lives == 0:
                raise KeyboardInterrupt
            self.lives -= 1
            chunk = held.pop()
            yield chunk, play_chunk(chunk)


def play(folder: Path, kind: str, executor: Executor, progress: Counting | None = None) -> str:
    """Play a ladder in chunks of twelve games and return the digest of its table."""
    config = folder.parent / "small.yaml"
    config.write_text(CONFIG.format(kind=kind))
    plan = plan_run(load_config(config), folder)
    object.__setattr__(plan.manifest, "chunk_games", 12)
    play_run(plan, executor, progress or Counting())
    return Store(folder).digest()


@pytest.mark.parametrize("kind", KINDS)
def test_planned_played_stored_and_reported_counts_agree(kind: str, tmp_path: Path) -> None:
    heard = Counting()
    play(tmp_path / "run", kind, HereExecutor(), heard)
    ladder = api.open_ladder(tmp_path / "run")
    manifest = ladder.manifest
    planned = sum(
        one.size * games_in_block(one, manifest.kinds[one.table], manifest.fill) for one in manifest.stretches
    )
    assert planned == heard.told == heard.done == len(ladder.games) == int(ladder.tables.counts["games"].sum())
    assert ladder.tables.counts.set_index("players")["blocks"].to_dict() == {2: 12, 3: 7, 6: 5}
    assert ladder.tables.fits.finish.game_count == planned
    for _, games in ladder.games.groupby("table", observed=True):
        seats = games[[f"bot{seat}" for seat in range(int(games["players"].iloc[0]))]].to_numpy()
        for bot in (1, 2, 3, 4):  # random also sits in empty seats
            assert len(set((seats == bot).sum(axis=0).tolist())) == 1


@pytest.mark.parametrize("kind", KINDS[2:])
def test_what_results_decide_is_the_same_in_any_order_and_after_any_end(kind: str, tmp_path: Path) -> None:
    whole = play(tmp_path / "here", kind, HereExecutor())
    assert play(tmp_path / "backwards", kind, Backwards()) == whole
    for lives in (2, 3, 1):
        with pytest.raises(KeyboardInterrupt):
            play(tmp_path / "dying", kind, Backwards(lives))
    assert play(tmp_path / "dying", kind, Backwards()) == whole
    stretches = [Store(tmp_path / name).read_manifest().stretches for name in ("here", "backwards", "dying")]
    assert stretches[0] == stretches[1] == stretches[2]
