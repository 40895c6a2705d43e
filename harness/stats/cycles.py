"""Is there one order of strength, or do bots beat each other in circles?

The log-odds of all pairs are split into differences of one rating per bot, which are transitive, and the rest, which
runs in circles (Hodge decomposition; Jiang, Lim, Yao and Ye 2011, for games Balduzzi and others 2019). Chance makes
circles of its own; it is taken off, and tested against.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from harness.stats.advantages import Advantages
from harness.stats.ratings import ELO
from harness.stats.results import Bools, Floats, Ints

DRAWS = 1000
SURE = 0.99
"""Likelihood of superiority that each link of a listed cycle has."""

LISTED = 20
BENDS = (-1.0, 3.0)


@dataclass(frozen=True, eq=False)
class Split:
    """The transitive part of N bots' log-odds and the rest.

    | field      | shape, dtype   | meaning                                                                         |
    |------------|----------------|---------------------------------------------------------------------------------|
    | rating     | (N,) float64   | log-worth, mean 0 over each set of bots that met one another                    |
    | transitive | (N, N) float64 | differences of ratings, 0 where never met                                       |
    | cyclic     | (N, N) float64 | the rest                                                                        |
    | index      | float          | share of the squares that is transitive, 0 to 1; 1 where all log-odds are 0     |
    """

    rating: Floats
    transitive: Floats
    cyclic: Floats
    index: float


@dataclass(frozen=True, eq=False)
class Cycle:
    """Three bots each of which is above the next, and the last above the first.

    bots: their numbers, the lowest first. links: advantage of each over the next, Elo. los: the least likelihood of
    superiority of the three.
    """

    bots: tuple[int, int, int]
    links: tuple[float, float, float]
    los: float

    def named(self, names: list[str]) -> str:
        """Return the cycle as text: ``rock > scissors > paper > rock``."""
        return " > ".join(names[bot] for bot in (*self.bots, self.bots[0]))


@dataclass(frozen=True, eq=False)
class Cycles:
    """What there is of circles once chance is taken off.

    | field              | meaning                                                                                  |
    |--------------------|------------------------------------------------------------------------------------------|
    | split              | the log-odds as they were seen                                                           |
    | index              | share of the squares that is transitive, noise taken off; 1 where nothing but noise is   |
    | index_lo, index_hi | its 95 % interval                                                                        |
    | cyclic_elo         | root mean square of the cyclic part of a pair, noise taken off, Elo                      |
    | bend               | how much steeper large differences are than small ones: 0 not at all, 1 twice as steep   |
    | p                  | chance of as much cyclic part, beyond what `bend` explains, where there is none          |
    | worst              | cycles all of whose links are sure, the one with the strongest weakest link first        |
    | count              | how many such cycles there are; `worst` holds the first 20                               |
    | pairs, blocks      | pairs that met, and blocks                                                               |
    """

    split: Split
    index: float
    index_lo: float
    index_hi: float
    cyclic_elo: float
    bend: float
    p: float
    worst: tuple[Cycle, ...]
    count: int
    pairs: int
    blocks: int

    @property
    def is_cyclic(self) -> bool:
        """Whether there are circles at the 5 % level."""
        return self.p <= 0.05


class _Pairs(NamedTuple):
    """Pairs that met: their two bots (E,), what ratings make of them (E, N), and the ratings of a flow (N, E).

    A flow (..., E) is a number per pair: of a table, its upper half.
    """

    one: Ints
    two: Ints
    incidence: Floats
    solver: Floats
    circles: int

    def flow(self, table: Floats) -> Floats:
        """Return the flow of tables (..., N, N)."""
        return np.asarray(table[..., self.one, self.two])

    def table(self, flow: Floats) -> Floats:
        """Return the table (N, N) of one flow."""
        table = np.zeros((len(self.solver), len(self.solver)))
        table[self.one, self.two] = flow
        return table - table.T

    def transitive(self, flow: Floats) -> Floats:
        """Return the part of flows that ratings explain."""
        return np.asarray(flow @ self.solver.T @ self.incidence.T)


def split(logit: npt.ArrayLike, met: Bools | None = None) -> Split:
    """Split log-odds (N, N), antisymmetric, into ratings and circles, by least squares over the pairs that `met`.

    Where all have met, a rating is the mean of the bot's row.
    """
    table = np.asarray(logit, np.float64)
    pairs = _pairs(np.ones(table.shape, np.bool_) if met is None else met)
    flow = pairs.flow(table)
    transitive = pairs.transitive(flow)
    index = _share(_squares(transitive), _squares(flow - transitive))
    return Split(pairs.solver @ flow, pairs.table(transitive), pairs.table(flow - transitive), float(index))


def find_cycles(seen: Advantages, draws: int = DRAWS) -> Cycles:
    """Split the log-odds, take the noise off, and test what is left by a parametric bootstrap.

    The bootstrap draws log-odds of bots in one order, with the noise of the blocks. In one order are also those whose
    differences are stretched: luck of the cards flattens small differences of log-odds more than large ones, which
    looks like circles and is none. The bend takes about nine tenths of that off, whatever the spread of the luck.
    """
    pairs = _pairs(seen.met)
    flow, noise = pairs.flow(seen.logit), pairs.flow(seen.noise(draws))
    bend, stretched, left = _stretch(pairs, flow)
    _, _, by_chance = _stretch(pairs, pairs.transitive(flow) + bend[..., None] * stretched + noise)
    tails = np.count_nonzero(by_chance >= left) if pairs.circles else draws

    one_way, round_about = _parts(pairs, flow)
    one_way_noise, round_about_noise = (part.mean() for part in _parts(pairs, noise))
    drawn = _parts(pairs, flow + noise)
    drawn_index = _share(drawn[0] - 2 * one_way_noise, drawn[1] - 2 * round_about_noise)
    cycles = _sure_cycles(seen)
    return Cycles(
        split=split(seen.logit, seen.met),
        index=float(_share(one_way - one_way_noise, round_about - round_about_noise)),
        index_lo=float(np.quantile(drawn_index, 0.025)),
        index_hi=float(np.quantile(drawn_index, 0.975)),
        cyclic_elo=float(ELO * np.sqrt(np.maximum(round_about - round_about_noise, 0.0) / max(len(flow), 1))),
        bend=float(bend),
        p=(1 + int(tails)) / (1 + draws),
        worst=tuple(cycles[:LISTED]),
        count=len(cycles),
        pairs=len(flow),
        blocks=seen.blocks,
    )


def _pairs(met: Bools) -> _Pairs:
    one, two = np.nonzero(np.triu(met, 1))
    incidence = np.zeros((len(one), len(met)))
    incidence[np.arange(len(one)), one] = 1.0
    incidence[np.arange(len(one)), two] = -1.0
    laplacian = incidence.T @ incidence
    rank = int(np.linalg.matrix_rank(laplacian, hermitian=True))
    solver = np.linalg.pinv(laplacian, hermitian=True) @ incidence.T
    return _Pairs(one, two, incidence, solver, len(one) - rank)


def _squares(flow: Floats) -> Floats:
    return np.asarray((flow**2).sum(axis=-1))


def _parts(pairs: _Pairs, flow: Floats) -> tuple[Floats, Floats]:
    """Return the sums of squares of the transitive and of the cyclic part of flows."""
    transitive = pairs.transitive(flow)
    return _squares(transitive), _squares(flow - transitive)


def _share(one_way: Floats, round_about: Floats) -> Floats:
    """Return the first as a share of both, what is negative taken as 0; 1 where nothing is left."""
    one_way, round_about = np.maximum(one_way, 0.0), np.maximum(round_about, 0.0)
    both = one_way + round_about
    return np.asarray(np.where(both > 0, one_way / np.where(both > 0, both, 1.0), 1.0))


def _stretch(pairs: _Pairs, flow: Floats) -> tuple[Floats, Floats, Floats]:
    """Return of flows the bend that explains most of the cyclic part, what a bend of 1 adds to it, and what is left.

    Differences x become x + bend * (x - 4 tanh(x / 4)), which rises for every bend in BENDS.
    """
    transitive = pairs.transitive(flow)
    beyond = transitive - 4 * np.tanh(transitive / 4)
    added = beyond - pairs.transitive(beyond)
    cyclic = flow - transitive
    bend = np.clip((cyclic * added).sum(axis=-1) / np.maximum(_squares(added), 1e-300), *BENDS)
    return bend, added, _squares(cyclic - bend[..., None] * added)


def _sure_cycles(seen: Advantages) -> list[Cycle]:
    """Return all cycles of three whose links are all sure, the one with the strongest weakest link first."""
    sure = (seen.los > SURE) & seen.met
    found = []
    for first in range(len(sure)):
        second, third = np.nonzero(sure & sure[first][:, None] & sure[:, first])
        later = (second > first) & (third > first)
        found += [
            _cycle(seen, first, *rest) for rest in zip(second[later].tolist(), third[later].tolist(), strict=True)
        ]
    return sorted(found, key=lambda cycle: -min(cycle.links))


def _cycle(seen: Advantages, first: int, second: int, third: int) -> Cycle:
    above, below = [first, second, third], [second, third, first]
    links = (ELO * seen.logit[above, below]).tolist()
    return Cycle((first, second, third), (links[0], links[1], links[2]), float(seen.los[above, below].min()))
