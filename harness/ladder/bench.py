"""What `boss bench` measures beside the speed of single bots: workers, memory, start-up, compilation."""

import multiprocessing
import os
import resource
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from harness.game.rules import usual_rules
from harness.ladder.chunk import Chunk, play_chunk
from harness.ladder.local_pool import LocalExecutor
from harness.ladder.schedule import Block
from harness.play.registry import builtin_names, spec_of
from harness.play.scratch import disk_folder, lent_folder

SEED = "00" * 16
COMPILED = ("random", "greedy", "bully", "patient")
CONFIG = """\
name: bench
bots: [random, greedy, patient, bully]
tables: [{players: 2, blocks: 60}, {players: 4, blocks: 40}, {players: 6, blocks: 40}]
schedule: {fill: random}
executor: {kind: local, workers: 1}
"""


def chunks(count: int, blocks: int = 512) -> list[Chunk]:
    """Return `count` chunks of four-player blocks of compiled bots."""
    rules, bots = usual_rules(4), tuple(spec_of(name) for name in COMPILED)
    return [
        Chunk(SEED, rules.name, rules, bots, tuple(Block(rules.name, first + i, (0, 1, 2, 3)) for i in range(blocks)))
        for first in range(0, count * blocks, blocks)
    ]


def worker_rate(workers: int, count: int = 48) -> float:
    """Return games a second of a local executor of so many worker processes, once all of them run."""
    games, begin = 0, 0.0
    for done, (_, result) in enumerate(LocalExecutor(workers).play(chunks(count))):
        games += result.count
        if done == 2 * workers:
            games, begin = 0, time.perf_counter()
    return games / (time.perf_counter() - begin)


def worker_memory(few: int = 10_000, many: int = 200_000) -> tuple[float, float]:
    """Return the peak memory of one worker process in MB after `few` games and, going on, after `many`."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        first = pool.submit(_peak_after, few).result()
        return first, pool.submit(_peak_after, many - few).result()


def _peak_after(games: int) -> float:
    played = 0
    for chunk in chunks(-(-games // 2048)):
        played += play_chunk(chunk).count
        if played >= games:
            break
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def help_seconds() -> float:
    """Return the time of ``boss --help``: the best of three."""
    return min(_timed([sys.executable, "-m", "harness", "--help"]) for _ in range(3))


def compile_seconds() -> float:
    """Return the time a first compilation of all kernels takes, in an empty cache folder."""
    code = (
        "from harness.play.warmup import warm_up; from harness.play.registry import spec_of; "
        f"warm_up([spec_of(name) for name in {builtin_names()!r}])"
    )
    with lent_folder(disk_folder(), "bench-") as folder:
        return _timed([sys.executable, "-c", code], {"XDG_CACHE_HOME": str(folder)})


def _timed(command: list[str], environment: dict[str, str] | None = None) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **(environment or {})})
    return time.perf_counter() - begin


def first_game_seconds() -> float:
    """Return the time from starting a small run, kernels compiled before, to its first stored games."""
    with lent_folder(disk_folder(), "bench-") as folder:
        (folder / "bench.yaml").write_text(CONFIG)
        games = folder / "out" / "games"
        command = [sys.executable, "-m", "harness", "run", f"{folder}/bench.yaml", "--out", f"{folder}/out"]
        begin = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            while run.poll() is None and not list(games.glob("part-*")):
                time.sleep(0.01)
            taken = time.perf_counter() - begin
            run.wait()
        return taken
