"""A ladder of a million games: how long it takes, and how much memory, to go on with it, to rate it and to report it.

    .venv/bin/python benchmarks/million.py [FOLDER]

Plays the games into FOLDER (left out: a temporary one), or what is missing of them there, by four built-in bots at
tables of two to six. Then goes on with them, rates, reports and digests them. Does each step in a fresh process and
prints its wall time, CPU time and the most memory it held. Ends with status 1 where one takes more than it may.
"""

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from harness import api
from harness.ladder.config import load_config
from harness.ladder.feed import Feed
from harness.ladder.run import plan_run
from harness.ladder.survey import resume

CONFIG = """\
name: million
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, patient, miser]
tables:
  - {players: 2, blocks: 100000}
  - {players: 3, blocks: 66667}
  - {players: 4, blocks: 50000}
  - {players: 5, blocks: 40000}
  - {players: 6, blocks: 33334}
schedule: {fill: random}
executor: {kind: local, workers: auto}
"""


def config_file(folder: Path) -> Path:
    """Write the config beside the results, and return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "million.yaml"
    file.write_text(CONFIG)
    return file


def play(folder: Path) -> str:
    """Play what is missing of the million games."""
    api.run_ladder(config_file(folder), folder / "results")
    return "played what was missing, not counting the workers"


def go_on(folder: Path) -> str:
    """Find the one chunk that is missing, as a run does that goes on."""
    plan = plan_run(load_config(config_file(folder)), folder / "results")
    feed = Feed(plan.store, plan.manifest, plan.config_text, resume(plan.store, print), plan.decide)
    chunk = next(iter(feed))
    assert chunk
    assert feed.missing == chunk.games
    return f"{chunk.name} is missing, {chunk.games} of {feed.games:,} games"


def rate(folder: Path) -> str:
    """Read and rate the ladder, and work out every table."""
    ladder = api.open_ladder(folder / "results")
    best = ladder.ratings.iloc[0]
    return f"{len(ladder.games):,} games; {best['bot']} leads with {best['elo']:.1f} ± {best['half']:.1f}"


def report(folder: Path) -> str:
    """The same, and draw and write the report."""
    api.write_report(folder / "results")
    return f"report.html holds {(folder / 'results' / 'report.html').stat().st_size / 1e6:.1f} MB"


def digest(folder: Path) -> str:
    """Work out the digest of all games."""
    return api.digest(folder / "results")


STEPS: dict[str, Callable[[Path], str]] = {
    "play": play,
    "go_on": go_on,
    "rate": rate,
    "report": report,
    "digest": digest,
}
LIMITS_S = {"play": math.inf, "go_on": 2.0, "rate": 60.0, "report": 60.0, "digest": 60.0}
LIMIT_MB = 1000
"""What each step may take; the time is that of the step, without starting Python."""


def measure(step: str, folder: Path) -> None:
    """Do a step and print what it took as JSON: to be called in a process of its own."""
    begin, cpu = time.monotonic(), time.process_time()
    told = STEPS[step](folder)
    taken = time.monotonic() - begin, time.process_time() - cpu
    print(json.dumps([*taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, told]))


def main() -> int:
    """Play, measure, print a line a step, and return 1 when one takes too much."""
    with tempfile.TemporaryDirectory(prefix="million-") as temporary:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        passed = [passes(step, folder) for step in STEPS]
    return int(not all(passed))


def passes(step: str, folder: Path) -> bool:
    """Do a step in a process of its own and print what it took; return whether that is allowed."""
    command = [sys.executable, __file__, "--measure", step, str(folder)]
    with one_part_hidden(folder) if step == "go_on" else nullcontext():
        found = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    wall, cpu, memory, told = json.loads(found.splitlines()[-1])
    passed = bool(wall < LIMITS_S[step] and memory < LIMIT_MB)
    mark = "" if passed else "  TOO MUCH"
    print(f"{step:7} {wall:6.2f} s, {cpu:6.2f} s of CPU, {memory:4.0f} MB  {told}{mark}", flush=True)
    return passed


@contextmanager
def one_part_hidden(folder: Path) -> Iterator[None]:
    """Take one part of the games away for a while."""
    part = next((folder / "results" / "games").glob("part-4p*"))
    hidden = part.rename(folder / "hidden")
    yield
    hidden.rename(part)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2], Path(sys.argv[3]))
    else:
        sys.exit(main())
