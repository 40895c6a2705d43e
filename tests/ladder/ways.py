"""Ways to play one ladder, all of which must give the same bytes.

Run as a script it plays a config one way into a folder and prints the SHA-256 of the sorted table:

    python tests/ladder/ways.py WAY CONFIG FOLDER CHUNK_GAMES
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from ladder.test_run import run

from harness.ladder.chunk import Chunk, ChunkResult
from harness.ladder.config import load_config
from harness.ladder.executor import Executor, HereExecutor
from harness.ladder.local_pool import LocalExecutor
from harness.ladder.over_ray import RayExecutor

PROJECT = Path(__file__).parent.parent.parent

LADDER = """\
name: ways
seed: "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
bots:
  - random
  - greedy
  - greedy_py
  - {bot: "FILE:Meddler", level: trusted}
  - "FILE:Texts"
tables: TABLES
schedule: {fill: random}
limits: {turn_ms: 1000, load_s: 20}
"""


class Shuffled:
    """Plays here, but takes chunks a few at a time, and those in any order."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def play(self, chunks: Iterable[Chunk | None]) -> Generator[tuple[Chunk, ChunkResult]]:
        source = iter(chunks)
        while taken := list(islice(iter(lambda: next(source, None), None), 8)):
            self.chance.shuffle(taken)
            yield from HereExecutor().play(taken)


class Stopped:
    """Plays shuffled, and is stopped after some chunks."""

    def __init__(self, chunks: int) -> None:
        self.chunks = chunks

    def play(self, chunks: Iterable[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        with closing(Shuffled(self.chunks).play(chunks)) as games:
            yield from islice(games, self.chunks)
        raise KeyboardInterrupt


def fail(text: str) -> None:
    """Take no other way than the one that was asked for."""
    raise AssertionError(text)


WAYS: dict[str, Callable[[], Executor]] = {
    "here": HereExecutor,
    "local-1": lambda: LocalExecutor(1),
    "local-2": lambda: LocalExecutor(2),
    "ray-1": lambda: RayExecutor(1, None, fail),
    "ray-2": lambda: RayExecutor(2, None, fail),
    "ray-4": lambda: RayExecutor(4, None, fail),
    "shuffled": lambda: Shuffled(1),
    "stopped": lambda: Stopped(1),
}


def write_ladder(folder: Path, players: Sequence[int], blocks: int) -> Path:
    """Write the config of a ladder with a bot that meddles, trusted and in a jail; return the file."""
    config = folder / "ways.yaml"
    unruly = Path(__file__).with_name("unruly_bots.py")
    tables = [{"players": size, "blocks": blocks} for size in players]
    config.write_text(LADDER.replace("FILE", str(unruly)).replace("TABLES", json.dumps(tables)))
    return config


def played(way: str, config: Path, folder: Path, chunk_games: int) -> str:
    """Play a ladder one way in this process and return the SHA-256 of its table.

    One that stops does so three times, and another goes on to the end.
    """
    ladder = load_config(config)
    if way == "stopped":
        for _ in range(3):
            with suppress(KeyboardInterrupt):
                run(ladder, folder, WAYS[way](), chunk_games)
        way = "here"
    return run(ladder, folder, WAYS[way](), chunk_games)


def played_elsewhere(
    way: str, config: Path, folder: Path, chunk_games: int, hash_seed: int = 0, pinned: bool = False
) -> str:
    """Do so in a process of its own, with this PYTHONHASHSEED, and pinned to one core if wanted."""
    pin = ["taskset", "-c", str(min(os.sched_getaffinity(0)))] if pinned else []
    process = subprocess.run(
        [*pin, sys.executable, __file__, way, str(config), str(folder), str(chunk_games)],
        env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONHASHSEED": str(hash_seed)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return process.stdout.split()[-1]


if __name__ == "__main__":
    print(played(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])))
