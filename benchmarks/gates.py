"""Play out simulated gates: how often they err, how long they take, and what their intervals hold.

    .venv/bin/python benchmarks/gates.py [GATES]

1,000 gates for each line, if nothing else is said, each looked at after every step of 8 blocks from 64 on. The
candidate's gain is exactly H0, between the hypotheses, or exactly H1, on tables whose cards are luck of the same spread
as chance. Ends with status 1 if, for what the formulae say, gates err more often or are more than 15 % off in length.
"""

import math
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import numpy as np
from stats.gate_samples import STEP, World, philox, play_out

from harness.stats.balance import wilson
from harness.stats.duels import duel, normalized_ratio
from harness.stats.sequential import Decision, Hypotheses, acceptance, expected_blocks, look

MOST = 2_000_000
CALIBRATION = 4_000_000
"""Blocks from which it is learnt how much stronger a bot must be for a given normalized Elo."""

SETTINGS = [
    (World(4), 5.0),
    (World(2), 20.0),
    (World(3), 20.0),
    (World(4), 20.0),
    (World(5), 20.0),
    (World(6), 20.0),
    (World(4, luck=0.0), 20.0),
    (World(4, luck=3.0), 20.0),
    (World(4, level=0.5), 20.0),
]


class Ending(NamedTuple):
    """How one gate ended: accepted or not, after how many blocks, and whether all its intervals held the truth."""

    accepted: bool
    blocks: int
    held: bool


class Task(NamedTuple):
    """Gates number `first` up to but not `last`, of a candidate with this edge, whose true normalized Elo is `elo`."""

    world: World
    hypotheses: Hypotheses
    edge: float
    elo: float
    first: int
    last: int


def main() -> None:
    """Print a line for each setting and each truth."""
    gates = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    sound = True
    print("players luck level   H1  truth  accepted (95 %)        theory    blocks  theory  ratio  intervals held")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for number, (world, elo1) in enumerate(SETTINGS):
            gate = Hypotheses(0.0, elo1, 0.05, 0.05, world.players)
            edge1 = world.edge_for(gate.effect(elo1), philox(100, number), CALIBRATION)
            for share in (0.0, 0.5, 1.0):
                tasks = [
                    Task(world, gate, share * edge1, share * elo1, first, min(first + 25, gates))
                    for first in range(0, gates, 25)
                ]
                endings = [ending for found in pool.map(play_some, tasks) for ending in found]
                sound &= report(world, gate, share * elo1, endings)
    print(f"0 wins of 60: {sixty():.2f} ms for the estimate, the ratio and a look, all numbers finite")
    sys.exit(0 if sound else 1)


def play_some(task: Task) -> list[Ending]:
    """Play out some gates."""
    endings = []
    truth = task.hypotheses.effect(task.elo)
    for number in range(task.first, task.last):
        looks = play_out(task.world, task.hypotheses, task.edge, philox(101, number, round(1e6 * task.edge)), MOST)
        held = all(one.lo <= truth * one.sd <= one.hi for one in looks)
        endings.append(Ending(looks[-1].decision is Decision.ACCEPTED, looks[-1].blocks, held))
    return endings


def report(world: World, gate: Hypotheses, elo: float, endings: list[Ending]) -> bool:
    """Print one line; return whether it is as it should be."""
    count = len(endings)
    accepted = sum(ending.accepted for ending in endings)
    lo, hi = wilson(accepted, count)
    expected = acceptance(gate, elo, STEP)
    blocks = float(np.mean([ending.blocks for ending in endings]))
    theory = expected_blocks(gate, elo, STEP)
    held = np.mean([ending.held for ending in endings])
    print(
        f"{world.players:7} {world.luck:4g} {world.level:5g} {gate.elo1:4g} {elo:6g}  {accepted / count:.3f} "
        f"({lo:.3f} to {hi:.3f})  {expected:8.3f}  {blocks:8,.0f}  {theory:6,.0f}  {blocks / theory:5.2f}  {held:.3f}",
        flush=True,
    )
    errs = {gate.elo0: float(lo) > gate.alpha, gate.elo1: float(hi) < 1 - gate.beta}.get(elo, False)
    return not errs and abs(blocks / theory - 1) <= 0.15 and held >= 0.95 - 2 * math.sqrt(0.05 * 0.95 / count)


def sixty() -> float:
    """Return how many milliseconds 0 wins of 60 take, the best of many, compiled before."""
    gate = Hypotheses(0.0, 5.0, 0.05, 0.05, 4)
    best = math.inf
    for _ in range(200):
        begin = time.perf_counter()
        found = duel([60, 0, 0])
        ratio = normalized_ratio([60, 0, 0], 0, 5)
        seen = look([-1.0, 0.0, 1.0], [60, 0, 0], gate)
        best = min(best, time.perf_counter() - begin)
        numbers = [*vars(found).values(), ratio, *(value for value in vars(seen).values() if value != seen.decision)]
        assert np.isfinite(numbers).all()
    return 1000 * best


if __name__ == "__main__":
    main()
