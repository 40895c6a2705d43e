"""How many games schedules need, on simulated bots of known strengths: no game is played, only drawn.

    .venv/bin/python benchmarks/schedules.py [REPEATS]

The decisions are those of real ladders, round by round (`harness.ladder.rounds`, `harness.ladder.placing`); only the
finishing orders are drawn, from the Plackett-Luce model. Ends with status 1 if adaptive ladders get the top three right
less often than round robin ones, by more than MARGIN, or if submitted bots do not need fewer games than in a gauntlet
at every strength, or not surely fewer on average.
"""

import math
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from ladder.plans import NAMES, manifest, played, run_through

from harness.ladder.learnt import learn
from harness.ladder.manifest import Manifest
from harness.ladder.placing import PLACEMENT, blocks_wanted, half_width, next_placing
from harness.ladder.rounds import next_round
from harness.ladder.schedule import Schedule, Submission
from harness.stats.ratings import ELO
from harness.stats.results import Floats

BOTS = 16
SHARE = 0.6
"""Blocks of an adaptive ladder to those of a round robin one."""
MARGIN = 0.03
PRECISION = 25.0

FIELDS = {
    "even, 25 Elo apart": np.arange(BOTS) * -25.0,
    "even, 50 Elo apart": np.arange(BOTS) * -50.0,
    "normal, spread 150 Elo": np.sort(np.random.Generator(np.random.Philox(key=3)).normal(0, 150, BOTS))[::-1],
    "two equal at the top": np.array([0.0, 0.0, *(np.arange(BOTS - 2) * -25.0 - 40.0)]),
}
"""Strengths, best first."""

LADDERS = [
    ("even, 25 Elo apart", {4: 400}),
    ("even, 25 Elo apart", {4: 200}),
    ("even, 25 Elo apart", {2: 800}),
    ("even, 25 Elo apart", {3: 400}),
    ("even, 25 Elo apart", {6: 400}),
    ("even, 25 Elo apart", {2: 200, 4: 100, 5: 100}),
    ("even, 50 Elo apart", {4: 100}),
    ("normal, spread 150 Elo", {4: 200}),
    ("two equal at the top", {4: 400}),
]
"""Fields, and blocks of a round robin by number of players."""


def shuffled(field: str, seed: int) -> tuple[Floats, Floats]:
    """Return log-worths by the bots' numbers, which say nothing of their strength, and the numbers, best first."""
    order = np.random.Generator(np.random.Philox(key=[seed, 1 << 32])).permutation(BOTS)
    theta = np.zeros(BOTS)
    theta[order] = FIELDS[field] / ELO
    return theta, order


def top_three(field: str, wanted: dict[int, int], kind: str, seed: int) -> tuple[bool, bool, int]:
    """Play one ladder; return whether its top three are the true ones, in their order too, and how many games."""
    share = SHARE if kind == "adaptive" else 1.0
    theta, order = shuffled(field, seed)
    begun = manifest(BOTS, {size: round(share * blocks) for size, blocks in wanted.items()}, kind=kind)
    games = played(run_through(begun, theta, seed)[-1], theta, seed)
    assert games is not None
    found = np.argsort(-learn(begun, games).theta, kind="stable")[:3]
    return set(found) == set(order[:3]), list(found) == list(order[:3]), len(games)


def ladder_with_guest(strength: float, size: int, seed: int) -> tuple[Manifest, Floats]:
    """Return a ladder of the field 25 Elo apart that was played, and a bot of this strength (Elo) added to it."""
    theta, _ = shuffled("even, 25 Elo apart", seed)
    begun = manifest(BOTS + 1, {size: 400}, bots=tuple(range(BOTS)))
    return run_through(begun, np.append(theta, 0.0), seed)[-1], np.append(theta, strength / ELO)


def games_submitted(strength: float, size: int, kind: str, seed: int) -> int:
    """Return how many games a submitted bot plays until it is known to within PRECISION."""
    before, theta = ladder_with_guest(strength, size, seed)
    submission = Submission(BOTS, PRECISION, 10_000, "trusted")
    if kind == "adaptive":
        after = run_through(before, theta, seed, lambda now, games: next_placing(now, submission, games))[-1]
        return size * sum(stretch.size for stretch in after.stretches if stretch.submitted == BOTS)
    blocks = PLACEMENT
    while True:
        schedule = Schedule("gauntlet", tuple(range(BOTS + 1)), {NAMES[size]: blocks}, (BOTS,))
        wanted = replace(before, schedule=schedule)
        after = replace(wanted, stretches=(*before.stretches, *next_round(wanted, lambda: None)))
        half = half_width(learn(after, played(after, theta, seed)), BOTS)
        if half <= PRECISION:
            return size * blocks
        blocks += blocks_wanted(blocks, half, PRECISION)  # looked at as often as a submission, not whenever it suits


def compare_ladders(pool: ProcessPoolExecutor, repeats: int) -> Iterator[bool]:
    """Print how often each schedule gets the top three right; yield whether each comparison went as it should."""
    print("| field | blocks of the round robin | games | top three: round robin, adaptive | in order |")
    print("|---|---|---|---|---|")
    for field, wanted in LADDERS:
        shares = {}
        for kind in ("round_robin", "adaptive"):
            found = list(pool.map(partial(top_three, field, wanted, kind), range(repeats)))
            shares[kind] = np.mean(found, axis=0)
        (plain, plain_order, games), (told, told_order, fewer) = shares["round_robin"], shares["adaptive"]
        blocks = ", ".join(f"{count} of {size}p" for size, count in wanted.items())
        print(
            f"| {field} | {blocks} | {games:.0f}, {fewer:.0f} | {plain:.1%}, {told:.1%} | "
            f"{plain_order:.1%}, {told_order:.1%} |",
            flush=True,
        )
        yield told >= plain - MARGIN


def compare_submissions(pool: ProcessPoolExecutor, repeats: int) -> Iterator[bool]:
    """Print how many games a submitted bot needs under each schedule, and how many fewer, with its 95 % interval.

    Yields for each line whether it needs fewer, and last whether it surely does on average.
    """
    print("| stronger than the mean of the field by | players | gauntlet | submitted | fewer |")
    print("|---|---|---|---|---|")
    saved = []
    for size in (2, 4):
        for strength in (-400.0, -200.0, 0.0, 200.0, 400.0):
            gauntlet, submitted = (
                np.array(list(pool.map(partial(games_submitted, strength - 187.5, size, kind), range(repeats))))
                for kind in ("gauntlet", "adaptive")
            )
            saved.append(gauntlet - submitted)
            fewer, half = interval(saved[-1])
            print(
                f"| {strength:+.0f} | {size} | {gauntlet.mean():.0f} | {submitted.mean():.0f} | "
                f"{fewer:.0f} ± {half:.0f} |",
                flush=True,
            )
            yield fewer > 0
    fewer, half = interval(np.mean(saved, axis=0))
    print(f"on average {fewer:.1f} ± {half:.1f} games fewer")
    yield fewer - half > 0


def interval(values: Floats) -> tuple[float, float]:
    """Return the mean of independent values, and half of its 95 % interval."""
    return float(values.mean()), 1.96 * float(values.std(ddof=1)) / math.sqrt(len(values))


def main() -> int:
    """Run both comparisons, two repeats at a time, and say whether all went as it should."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        held = [*compare_ladders(pool, repeats), *compare_submissions(pool, max(2, repeats // 2))]
    print("all as it should be" if all(held) else "NOT as it should be")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
