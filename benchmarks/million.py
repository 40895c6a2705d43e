"""A ladder of a million games: how long it takes, and how much memory, to go on with it, to rate it and to report it.

    .venv/bin/python benchmarks/million.py [FOLDER]

Plays the games into FOLDER (left out: a temporary one), or what is missing of them there, by four built-in bots at
tables of two to six. Then does each step in a fresh process and prints its wall time, CPU time and the most memory it
held. Ends with status 1 where a step takes more than LIMITS allow.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from harness import api
from harness.ladder.config import load_config
from harness.ladder.feed import Feed
from harness.ladder.run import plan_run

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


def go_on(folder: Path) -> str:
    """Find the one chunk that is missing, as a run does that goes on."""
    plan = plan_run(load_config(config_file(folder)), folder / "results")
    feed = Feed(plan.store, plan.manifest, plan.config_text, plan.store.resume(print), plan.decide)
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


STEPS: dict[str, Callable[[Path], str]] = {"go_on": go_on, "rate": rate, "report": report, "digest": digest}
LIMITS = {"go_on": (2.0, 1000), "rate": (60.0, 1000), "report": (60.0, 1000), "digest": (60.0, 1000)}
"""Seconds and MB that each step may take; the time is that of the step, without starting Python."""


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
        print(f"playing what is missing into {folder / 'results'}", flush=True)
        api.run_ladder(config_file(folder), folder / "results")
        failed = False
        for step, (seconds, megabytes) in LIMITS.items():
            part = next((folder / "results" / "games").glob("part-4p*"))
            hidden = part.rename(folder / "hidden") if step == "go_on" else None
            command = [sys.executable, __file__, "--measure", step, str(folder)]
            found = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
            wall, cpu, memory, told = json.loads(found.splitlines()[-1])
            if hidden:
                hidden.rename(part)
            passed = wall < seconds and memory < megabytes
            failed |= not passed
            print(
                f"{step:7} {wall:6.2f} s, {cpu:6.2f} s of CPU, {memory:4.0f} MB  {told}{'' if passed else '  TOO MUCH'}"
            )
    return int(failed)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2], Path(sys.argv[3]))
    else:
        sys.exit(main())
