"""How much each game counts where bots are compared two by two, so that no pair is judged by who else sat there.

Who finishes above whom also depends on the others at the table. Schedules level how often pairs meet, but not in whose
company: of two equal bots, one may meet a third mostly beside those who help it. Where every line-up of a table size
was played, all of them can count alike, and then every pair has met in the same company (post-stratification).
"""

from math import comb
from typing import NamedTuple

import numpy as np

from harness.stats.results import Finishes, Floats, Ints, code_of

LEAST_EVEN = 0.5
"""Harmonic mean over mean of the games of each line-up, from which on they count alike: what is left of the games."""


class LineUps(NamedTuple):
    """How much the games of a `Finishes` count.

    | field  | shape, dtype   | meaning                                                                                |
    |--------|----------------|----------------------------------------------------------------------------------------|
    | weight | (G,) float64   | 0 in teams, where partners do as much for a place; else 1 on average at each size      |
    | level  | tuple of ints  | numbers of players at which all line-ups count alike                                   |
    | uneven | tuple of ints  | those at which some were played too rarely for that, so that all games count alike     |
    """

    weight: Floats
    level: tuple[int, ...]
    uneven: tuple[int, ...]


def line_ups(finishes: Finishes) -> LineUps:
    """Weigh games (G,) by how often each line-up of their number of players was played."""
    alone = finishes.sides == finishes.players
    weight = alone.astype(np.float64)
    sizes: dict[bool, list[int]] = {True: [], False: []}
    for players in np.unique(finishes.players[alone]).tolist():
        games = np.flatnonzero(alone & (finishes.players == players))
        level = _level(finishes.bots[games, :players].astype(np.int64))
        sizes[level is not None].append(players)
        if level is not None:
            weight[games] = level
    return LineUps(weight, tuple(sizes[True]), tuple(sizes[False]))


def _level(bots: Ints) -> Floats | None:
    """Return weights of games (G,), by the bots at the table (G, K), or None where line-ups are too uneven."""
    games, players = bots.shape
    possible = comb(len(np.unique(bots)), players)
    if possible > games:
        return None
    ordered = np.sort(bots, axis=1)
    _, first, of, played = np.unique(code_of(ordered.T), return_index=True, return_inverse=True, return_counts=True)
    copies = (np.diff(ordered[first], axis=1) == 0).any(axis=1)
    count = possible + np.count_nonzero(copies)
    if len(played) < count or count / np.sum(1 / played) < LEAST_EVEN * games / count:
        return None
    return np.asarray(games / (count * played[of]))
