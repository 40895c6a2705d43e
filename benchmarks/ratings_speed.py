"""How long the ratings of a million games take, and how much memory.

    .venv/bin/python benchmarks/ratings_speed.py [GAMES]

50 bots at mixed table sizes: fit, errors, bootstrap and places; then the win rating, the comparison of the two, and
table effects. Kernels are compiled before. The strengths found are compared with those put in.
"""

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import numpy as np
from stats.samples import joined, rotated

from harness.stats.agreement import compare
from harness.stats.bootstrap import rank
from harness.stats.effects import interactions
from harness.stats.ratings import ELO, fit
from harness.stats.results import Results

BOTS = 50
Answer = TypeVar("Answer")


def main() -> None:
    """Time every step on games made beforehand."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    theta = np.random.default_rng(1).normal(0, 1, BOTS)
    theta -= theta.mean()
    warm = games_of(3_000, theta)
    rank(fit(warm, BOTS, 0))
    compare(fit(warm, BOTS, 0), fit(warm, BOTS, 0, win_only=True))
    interactions(warm, BOTS)

    games = games_of(count, theta)
    print(f"{len(games):,} games of {BOTS} bots, a fifth at each table of 2 to 6")
    begin = time.perf_counter()
    finish = timed("fit and errors", lambda: fit(games, BOTS, 0))
    timed("bootstrap and places", lambda: rank(finish))
    print(f"{'together':24}{time.perf_counter() - begin:6.1f} s, at most {memory():.0f} MB")
    miss = ELO * (finish.theta - theta)
    print(f"off by {np.sqrt(np.mean(miss**2)):.2f} Elo, where the errors say {np.sqrt(np.mean(finish.se**2)):.2f}")
    win = timed("win rating", lambda: fit(games, BOTS, 0, win_only=True))
    timed("comparison", lambda: compare(finish, win))
    timed("table effects, synergies", lambda: interactions(games, BOTS))
    print(f"at most {memory():.0f} MB")


def games_of(count: int, theta: np.ndarray) -> Results:
    """Rotated games, as many at each table size."""
    rng = np.random.default_rng(2)
    sizes = range(2, 7)
    return joined(
        *(rotated(rng, count // 5 // size, theta, size, first_block=10_000_000 * size, fresh=0.7) for size in sizes)
    )


def timed(name: str, step: Callable[[], Answer]) -> Answer:
    """Run a step and print its wall and processor time."""
    wall, processor = time.perf_counter(), time.process_time()
    answer = step()
    print(f"{name:24}{time.perf_counter() - wall:6.1f} s, {time.process_time() - processor:.1f} s of processor")
    return answer


def memory() -> float:
    """Return the most memory this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    main()
