"""How often the intervals of simulated ladders hold the strengths put in, and how often the tests err.

    .venv/bin/python benchmarks/intervals.py

200 ladders for each line. Ends with status 1 if intervals from 60 blocks or more hold their truth in fewer than 92 % or
more than 98 % of cases, if those that take games for independent do so where blocks matter, or if a test finds what is
not there more or less often than it says.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import numpy as np
from stats.coverage import DESIGNS, THETA, ladder, measure, measure_design

from harness.stats.agreement import compare
from harness.stats.balance import wilson
from harness.stats.bootstrap import rank
from harness.stats.effects import interactions
from harness.stats.ratings import fit

LADDERS = 200
SIZES = [[2], [3], [4], [5], [6], [2, 3, 4, 5, 6]]
BLOCKS_MATTER = ("rotated duplicate, same 4 bots", "same deal, same seats x4")
"""Designs in which games of one deal depend on each other."""


def main() -> None:
    """Print all tables; refuse intervals and tests that lie."""
    found = [*intervals(), *designs(), *errors()]
    sys.exit(0 if all(found) else 1)


def sound(share: float) -> bool:
    """Return whether 95 % intervals that hold this share of the truths are what they say."""
    return 0.92 <= share <= 0.98


def intervals() -> Iterator[bool]:
    """Print the coverage by table size; yield whether it is sound with 60 blocks of a size or more."""
    print("players       ties  blocks  ratings  seats  naive  design effect")
    for sizes in SIZES:
        for coarse in (0.0, 0.7):
            for blocks in (6, 12, 30, 60, 200):
                found = measure(sizes, blocks, coarse, LADDERS, seed=5)
                print(
                    f"{','.join(map(str, sizes)):12}  {'yes' if coarse else 'no ':4}  {blocks:6}  {found.ratings:7.3f}"
                    f"  {found.seats:5.3f}  {found.naive:5.3f}  {found.design_effect:13.2f}",
                    flush=True,
                )
                yield blocks < 60 or sound(found.ratings)


def designs() -> Iterator[bool]:
    """Print what blocks change, for four ways to use 400 deals for 1,600 games; yield whether that is right."""
    print("\ndesign                           luck  design effect  naive  by blocks")
    for name, design in DESIGNS.items():
        for luck in (0.0, 1.0, 2.0):
            effect, naive, held = measure_design(design, luck, 400, LADDERS, seed=6)
            print(f"{name:32}  {luck:3.0f}  {effect:13.2f}  {naive:5.3f}  {held:9.3f}", flush=True)
            yield sound(held)
            yield sound(naive) != (luck > 0 and name in BLOCKS_MATTER)


def errors() -> Iterator[bool]:
    """Print how often the tests find what is not there, at 5 %, and how often the contenders lack the best.

    Yields whether that is as often as they say.
    """
    rng = np.random.default_rng(7)
    tables, synergies, apart, missed, size = [], [], [], [], []
    for _ in range(LADDERS):
        games = ladder(rng, [2, 4, 6], 150, 0.0)
        found = interactions(games, len(THETA))
        tables.append(found.tables.test.p < 0.05)
        synergies.append(found.synergies.test.p < 0.05)
        finish, win = fit(games, len(THETA), 0), fit(games, len(THETA), 0, win_only=True)
        apart.append(not compare(finish, win).agree)
        contender = rank(finish).contender
        missed.append(not contender[np.argmax(THETA)])
        size.append(contender.sum())
    print("\nof 200 ladders of 150 blocks each at 2, 4 and 6 players, nothing but strengths, seats and cards:")
    print(f"table effects found {np.mean(tables):.3f}, synergies found {np.mean(synergies):.3f} (both at 5 %)")
    print(f"finish and win ratings called different {np.mean(apart):.3f}")
    print(f"contenders without the best {np.mean(missed):.3f}; contenders {np.mean(size):.1f} of {len(THETA)}")
    lo, hi = wilson([np.sum(tables), np.sum(synergies), np.sum(missed)], LADDERS)
    yield bool((lo <= 0.05).all() and (hi[:2] >= 0.05).all())


if __name__ == "__main__":
    main()
