"""Simulate pools of bots with circles among them and without: how often they are called cyclic, and named.

    .venv/bin/python benchmarks/cycles.py [POOLS]

400 pools for each line, if nothing else is said. Ends with status 1 if transitive pools are called cyclic more often
than the test allows, planted circles are missed, or clones move the Nash-averaged order.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import numpy as np
from stats.cycle_samples import circle, matched
from stats.gate_samples import philox

from harness.stats.advantages import advantages
from harness.stats.balance import wilson
from harness.stats.cycles import Cycles, find_cycles
from harness.stats.nash import nash_average
from harness.stats.results import Floats

TRIPLE = (1, 3, 2)


class Pool(NamedTuple):
    """Bots whose strengths spread evenly from -spread to spread; of three, `size` is how well each suits the next."""

    bots: int
    players: int
    blocks: int
    spread: float
    luck: float
    size: float

    @property
    def triple(self) -> tuple[int, int, int]:
        """The bots of the planted circle."""
        return TRIPLE if self.bots > 3 else (0, 1, 2)


POOLS = [
    Pool(3, 2, 1000, 0.0, 0.0, 0.0),
    Pool(3, 2, 1000, 1.0, 1.3, 0.0),
    Pool(5, 2, 1500, 1.5, 1.3, 0.0),
    Pool(8, 3, 500, 0.0, 0.0, 0.0),
    Pool(8, 4, 500, 1.5, 0.0, 0.0),
    Pool(8, 4, 500, 1.5, 1.3, 0.0),
    Pool(8, 4, 500, 1.5, 3.0, 0.0),
    Pool(8, 5, 5000, 1.5, 1.3, 0.0),
    Pool(3, 2, 200, 0.0, 1.3, 1.0),
    Pool(5, 2, 500, 0.5, 1.3, 1.5),
    Pool(8, 4, 500, 1.0, 1.3, 1.5),
    Pool(8, 4, 2000, 1.0, 1.3, 1.5),
]


def main() -> None:
    """Print a line for each kind of pool, and what clones do."""
    pools = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    sound = True
    print("bots players blocks spread luck  circle  called cyclic (95 %)     circles named  others named")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
        for pool in POOLS:
            found = list(workers.map(one_pool, [pool] * pools, range(pools), chunksize=10))
            sound &= report(pool, found)
    moved, kept = clones()
    print(f"five clones move the mean over opponents by up to {moved:.3f}, the Nash average by up to {kept:.1e}")
    sys.exit(0 if sound and kept < 1e-6 else 1)


def one_pool(pool: Pool, number: int) -> Cycles:
    """Draw one pool and look for circles."""
    strength = np.linspace(-pool.spread, pool.spread, pool.bots)
    strength[list(pool.triple)] = strength[list(pool.triple)].mean() if pool.size else strength[list(pool.triple)]
    suits = circle(pool.bots, pool.size, pool.triple)
    rng = philox(110, number, POOLS.index(pool))
    return find_cycles(advantages(matched(rng, pool.blocks, strength, suits, pool.players, pool.luck), pool.bots), 500)


def report(pool: Pool, found: list[Cycles]) -> bool:
    """Print one line; return whether it is as it should be."""
    called = sum(one.is_cyclic for one in found)
    lo, hi = wilson(called, len(found))
    rotations = {pool.triple[turn:] + pool.triple[:turn] for turn in range(3)}
    planted = sum(any(cycle.bots in rotations for cycle in one.worst) for one in found)
    others = sum(any(cycle.bots not in rotations for cycle in one.worst) for one in found)
    print(
        f"{pool.bots:4} {pool.players:7} {pool.blocks:6} {pool.spread:6g} {pool.luck:4g} {pool.size:7g}  "
        f"{called / len(found):.3f} ({lo:.3f} to {hi:.3f})  {planted if pool.size else '-':>13}  "
        f"{others if pool.size else planted + others:>12}",
        flush=True,
    )
    return bool(called >= 0.95 * len(found) if pool.size else lo <= 0.05)


def clones() -> tuple[float, float]:
    """Return by how much five clones of a bot move the mean over opponents and the Nash average of random tables."""
    moved = kept = 0.0
    for table in random_tables():
        bots = len(table)
        for cloned in range(bots):
            pool = [*range(bots), *[cloned] * 5]
            crowded = table[np.ix_(pool, pool)]
            moved = max(moved, float(np.abs(crowded.mean(axis=1)[:bots] - table.mean(axis=1)).max()))
            kept = max(kept, float(np.abs(nash_average(crowded).skill[:bots] - nash_average(table).skill).max()))
    return moved, kept


def random_tables() -> Iterator[Floats]:
    """Yield antisymmetric tables of 3 to 12 bots."""
    for bots in range(3, 13):
        values = philox(111, bots).normal(size=(bots, bots))
        yield values - values.T


if __name__ == "__main__":
    main()
