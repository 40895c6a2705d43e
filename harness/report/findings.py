"""What the games tell beyond ratings, worked out once, and only where a report asks for it.

Every table is small, and so is its cost: what would take long with many games is worked out from MOST_GAMES of them,
in whole blocks, and what would with many bots is left out. The tables say from how many games and blocks they are.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from harness.report import cycle_tables, skill_tables, strength_tables
from harness.report.frames import Frames
from harness.report.tables import Fits
from harness.stats.cycles import Cycles
from harness.stats.results import Results

MOST_GAMES = 200_000
"""Games that the effects of tables and partners, and the bits of a game, are worked out from, at most."""

_KEY = 0x66696E64


@dataclass(frozen=True, eq=False)
class Findings:
    """Tables, each as its function in `strength_tables`, `cycle_tables` or `skill_tables` describes it.

    A table is empty where nothing can be told. `cycles` is None for fewer than three bots or too many.
    """

    chances: pd.DataFrame
    superiority: pd.DataFrame
    agreement: pd.DataFrame
    tests: pd.DataFrame
    table_effects: pd.DataFrame
    synergies: pd.DataFrame
    money: pd.DataFrame
    cycles: Cycles | None
    worst_cycles: pd.DataFrame
    nash: pd.DataFrame
    luck: pd.DataFrame
    reliability: pd.DataFrame
    bits: pd.DataFrame
    matches: pd.DataFrame
    precision: pd.DataFrame

    def files(self) -> dict[str, pd.DataFrame]:
        """Return the tables that have something to tell, by their names."""
        return {name: table for name, table in vars(self).items() if isinstance(table, pd.DataFrame) and len(table)}


def find(frames: Frames, fits: Fits) -> Findings:
    """Work out every table."""
    some = drawn(frames.results, MOST_GAMES)
    tests, table_effects, synergies = strength_tables.effect_tables(frames, fits, some)
    cycles, worst_cycles, nash = cycle_tables.cycle_tables(frames, fits)
    luck, reliability = skill_tables.luck_tables(frames)
    return Findings(
        chances=strength_tables.chance_table(frames, fits),
        superiority=strength_tables.superiority_table(frames, fits),
        agreement=strength_tables.agreement_table(frames, fits),
        tests=tests,
        table_effects=table_effects,
        synergies=synergies,
        money=strength_tables.money_table(frames, fits),
        cycles=cycles,
        worst_cycles=worst_cycles,
        nash=nash,
        luck=luck,
        reliability=reliability,
        bits=skill_tables.bits_table(frames, some),
        matches=skill_tables.match_table(fits),
        precision=skill_tables.precision_table(fits),
    )


def drawn(results: Results, most: int) -> Results:
    """Return about so many games, in whole blocks drawn at random, always the same; all where they are fewer."""
    if len(results) <= most:
        return results
    _, block = np.unique(results.block, return_inverse=True)
    blocks = int(block.max()) + 1
    stream = np.random.Generator(np.random.Philox(key=_KEY))
    return results.where(stream.permutation(blocks)[block] < blocks * most // len(results))
