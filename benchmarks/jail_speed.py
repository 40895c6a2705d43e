"""What does the jail cost? Whole runs of four bots of a kind, jailed beside in-process.

    python benchmarks/jail_speed.py [PAIRS]

PAIRS times (5), one run after the other, over two local workers. Prints each pair's games a second and their ratio,
and the median; ends with status 1 where a median is below what is asked: 0.8 for plain Python, 0.6 for numpy in arrays;
or where a jail takes 0.1 s to start, or starting jails 5 % of a run of a minute. Wants two quiet cores: in-process runs
alone differ by a fifth from minute to minute.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from harness.game.rules import usual_rules
from harness.ladder.config import load_config
from harness.ladder.local_pool import LocalExecutor
from harness.ladder.manifest import chunk_games
from harness.ladder.run import Silence, plan_run, play_run
from harness.play.jailed import JailedPlayer
from harness.play.limits import USUAL_LIMITS
from harness.play.nursery import Nurseries
from harness.play.registry import spec_of

HERE = Path(__file__).parent
PLAYERS, WORKERS = 4, 2
JAILS_IN_CHUNK = PLAYERS * PLAYERS
"""A process for each copy of a bot in each rotation."""
MOST_START_S, MOST_SHARE = 0.1, 0.05
"""Seconds that starting a jail may take, and the part of a run of a minute that all starts may."""

CONFIG = """\
name: speed
bots: [{bots}]
tables: [{{players: {players}, sets: default, blocks: {blocks}}}]
executor: {{kind: local, workers: {workers}}}
"""


class Measured(NamedTuple):
    """A bot, the blocks of a run of about twelve seconds in-process, and the least ratio that is asked."""

    bot: str
    blocks: int
    asked: float


BOTS = (
    Measured(f"{HERE.parent / 'bots' / 'greedy_py.py'}:GreedyPy", 4096, 0.8),
    Measured(f"{HERE / 'speed_bots.py'}:First", 24_576, 0.8),
    Measured(f"{HERE / 'speed_bots.py'}:Table", 32_768, 0.6),
    Measured(f"{HERE / 'speed_bots.py'}:Lowest", 81_920, 0.6),
)


def rate(measured: Measured, level: str) -> float:
    """Return games a second of a whole run, with its start, its jails and its store."""
    with tempfile.TemporaryDirectory(prefix="jail-speed-") as folder:
        path = Path(folder, "speed.yaml")
        entries = (f"{{bot: '{measured.bot}', name: {name}, level: {level}}}" for name in "abcd")
        path.write_text(
            CONFIG.format(bots=", ".join(entries), players=PLAYERS, blocks=measured.blocks, workers=WORKERS)
        )
        plan = plan_run(load_config(path), Path(folder, "results"))
        begin = time.monotonic()
        play_run(plan, LocalExecutor(WORKERS), Silence())
        return measured.blocks * PLAYERS / (time.monotonic() - begin)


def start_s(bot: str) -> float:
    """Return how long it takes until a jail has loaded the bot, the median of 31, once their nursery runs."""
    spec, rules, times = spec_of(bot, level="jailed"), usual_rules(PLAYERS), []
    with Nurseries() as nurseries:
        for _ in range(32):
            begin = time.monotonic()
            with JailedPlayer(spec, rules, USUAL_LIMITS, 2048, nurseries) as player:
                assert player.loaded()
                times.append(time.monotonic() - begin)
    return statistics.median(times[1:])


def share_of_starts(measured: Measured, jailed: float, start: float) -> float:
    """Return the part of a minute's run that starting jails takes, at so many games a second of all workers."""
    minute = chunk_games([spec_of(measured.bot, level="jailed")], int(60 * jailed))
    return JAILS_IN_CHUNK * start / (minute / (jailed / WORKERS))


def falls_short(measured: Measured, pairs: int) -> bool:
    """Measure a bot, print a line for each pair and one for all, and return whether it is slower than asked."""
    name, rates = measured.bot.partition(":")[2], []
    for _ in range(pairs):
        here, jailed = rate(measured, "trusted"), rate(measured, "jailed")
        rates.append((here, jailed))
        print(f"{name:9} {here:7,.0f} in-process, {jailed:7,.0f} jailed: {jailed / here:.2f}", flush=True)
    ratio = statistics.median(jailed / here for here, jailed in rates)
    start = start_s(measured.bot)
    share = share_of_starts(measured, statistics.median(jailed for _, jailed in rates), start)
    slow = ratio < measured.asked or start >= MOST_START_S or share >= MOST_SHARE
    asked = f"asked: {measured.asked}, {MOST_START_S:g} s, {MOST_SHARE:.0%}"
    print(
        f"{name:9} median of {pairs}: {ratio:.2f}; a jail starts in {start:.4f} s, all of them take {share:.1%} of a "
        f"run of a minute ({asked}){': FALLS SHORT' if slow else ''}",
        flush=True,
    )
    return slow


def main() -> int:
    """Measure all bots; return 1 where one falls short."""
    pairs = max(1, int(sys.argv[1])) if len(sys.argv) > 1 else 5
    return int(sum(falls_short(measured, pairs) for measured in BOTS) > 0)


if __name__ == "__main__":
    sys.exit(main())
