"""Which parameters a table of games calls for, and the prior that keeps them finite."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from harness.compiled import kernel
from harness.stats.likelihood import Layout
from harness.stats.results import Finishes, Floats, Ints

MOST_SETS = 100_000
"""Sets of sides that can tie, at most: a table of 43 may hold ties of 4, one of 6 any."""

WHISPER = 1e-6
"""Information added to every seat and tie term: too little to change a digit, enough that none runs off."""

BREATH = 1e-9
"""Information added to every strength, which matters only without the ghost's games."""

TABLE_SD, PAIR_SD = 0.6, 0.3
"""Spread that the ridge expects of a bot's effect at one table size, about 100 Elo, and of the synergy of two partners,
about 50 Elo."""


@dataclass(frozen=True, eq=False)
class Model:
    """The parameters of one fit and their prior.

    | field    | shape, dtype   | meaning                                                                      |
    |----------|----------------|------------------------------------------------------------------------------|
    | layout   | Layout         | where each parameter stands                                                  |
    | tables   | (C, 2) int64   | bot and players of each table effect                                         |
    | pairs    | (X, 2) int64   | the two bots, lower number first, of each synergy                            |
    | seats    | (Q, 2) int64   | players and lowest seat of each seat term                                    |
    | orders   | (T,) int64     | tie orders seen                                                              |
    | groups   | (S+1,) int64   | stages that ended with this many sides tied (1: no tie)                      |
    | gauge    | (g, P) float64 | rows of ones over the bots, and over the seats of each table size: sums held |
    | apart    | (W, P) float64 | without a prior: rows of ones over the bots of each set that met no other    |
    | ghosts   | Finishes       | the prior's games: each bot wins one against the ghost and loses one         |
    | prior    | float          | what each of these games counts                                              |
    | ridge    | (P,) float64   | information added to each parameter, pulling it to 0                         |
    """

    layout: Layout
    tables: Ints
    pairs: Ints
    seats: Ints
    orders: Ints
    groups: Ints
    gauge: Floats
    apart: Floats
    ghosts: Finishes
    prior: float
    ridge: Floats


def build_model(
    finishes: Finishes, bot_count: int, prior: float, seat_terms: bool, win_only: bool, effects: bool = False
) -> Model:
    """Lay out the parameters: bots, ghost, a term for every seat seen (if wanted) and for every tie order seen; with
    `effects` also one for every bot at every table size, where there are several, and for every pair of partners.

    The ghost is a player of free strength against whom each bot wins and loses `prior` games, by the same rules and
    with the same ties as all (Turner et al. 2020). So every strength is finite.

    Raises `ValueError` where ties of many sides at large tables leave too many sets of sides to sum over.
    """
    width = finishes.bots.shape[1]
    stages = 1 if win_only else width
    groups = _count_groups(finishes, stages)
    orders = np.flatnonzero(groups[2:]) + 2
    nothing = np.empty((0, 2), np.int64)
    tables = _tables_seen(finishes, bot_count) if effects else nothing
    pairs = _pairs_seen(finishes, bot_count) if effects else nothing
    seats = _seats_seen(finishes) if seat_terms else nothing
    starts = bot_count + 1 + np.cumsum([0, len(tables), len(pairs), len(seats), len(orders)])

    table = np.full((bot_count + 1, width + 1) if effects else (0, 0), -1, np.int64)
    table[tables[:, 0], tables[:, 1]] = starts[0] + np.arange(len(tables))
    pair = np.full((bot_count, bot_count) if effects else (0, 0), -1, np.int64)
    pair[pairs[:, 0], pairs[:, 1]] = pair[pairs[:, 1], pairs[:, 0]] = starts[1] + np.arange(len(pairs))
    seat = np.full((width + 1, width), -1, np.int64)
    seat[seats[:, 0], seats[:, 1]] = starts[2] + np.arange(len(seats))
    tie = np.full(width + 1, -1, np.int64)
    tie[orders] = starts[3] + np.arange(len(orders))
    rests = _tie_sets(int(finishes.sides.max(initial=2)), orders)
    sizes = np.bitwise_count(rests).astype(np.int64) + 1
    layout = Layout(bot_count, int(starts[-1]), seat, table, pair, tie, rests, sizes, stages)

    ridge = np.full(layout.size, WHISPER)
    ridge[: bot_count + 1] = BREATH
    ridge[starts[0] : starts[1]] = TABLE_SD**-2
    ridge[starts[1] : starts[2]] = PAIR_SD**-2
    gauge = _gauge(bot_count, seats, starts[2], layout.size)
    apart = np.zeros((0, layout.size)) if prior > 0 else _sets_apart(finishes, bot_count, layout.size)
    ghosts = _ghost_games(bot_count, width)
    return Model(layout, tables, pairs, seats, orders, groups, gauge, apart, ghosts, prior, ridge)


def _tie_sets(sides: int, orders: Ints) -> Ints:
    """Return the sets of sides beside the lowest as bits, ascending: of one side, and of each order in `orders`."""
    sets = [0]
    for order in orders:
        for rest in combinations(range(sides - 1), int(order) - 1):
            sets.append(sum(1 << bit for bit in rest))
            if len(sets) > MOST_SETS or sides > 63:
                raise ValueError(f"a tie of {order} sides among {sides} leaves more sets of sides than can be summed")
    return np.array(sorted(sets), np.int64)


def _ghost_games(bot_count: int, width: int) -> Finishes:
    """Return two games of each bot with the ghost: one won, one lost. They have no seats, so they count no players."""
    games = 2 * bot_count
    bots, place, first = (np.full((games, width), -1, dtype) for dtype in (np.int16, np.int8, np.int8))
    bots[:, 0], bots[:, 1] = np.arange(games) // 2, bot_count
    place[:, 0], place[:, 1] = np.arange(games) % 2, 1 - np.arange(games) % 2
    first[:, :2] = place[:, :2]
    tied = np.zeros((games, width), np.bool_)
    sides, players = np.full(games, 2, np.int8), np.zeros(games, np.int8)
    return Finishes(bots, place, first, tied, sides, players, np.arange(games), np.ones(games, np.int64))


def _gauge(bot_count: int, seats: Ints, first_seat: int, size: int) -> Floats:
    rows = [np.arange(size) < bot_count]
    for players in np.unique(seats[:, 0]):
        row = np.zeros(size, np.bool_)
        row[first_seat + np.flatnonzero(seats[:, 0] == players)] = True
        rows.append(row)
    return np.array(rows, np.float64)


def _sets_apart(finishes: Finishes, bot_count: int, size: int) -> Floats:
    seated = finishes.bots >= 0
    host = finishes.bots[np.arange(len(seated)), seated.argmax(axis=1)]
    one, two = finishes.bots[seated], np.broadcast_to(host[:, None], seated.shape)[seated]
    met = coo_array((np.ones(len(one), np.int8), (one, two)), (bot_count, bot_count))
    count, label = connected_components(met, directed=False)
    rows = np.zeros((count, size))
    rows[label, np.arange(bot_count)] = 1.0
    return rows


def _seats_seen(finishes: Finishes) -> Ints:
    width = finishes.bots.shape[1]
    seen = np.zeros((width + 1, width), np.bool_)
    for seat in range(width):
        players = finishes.players[(finishes.first == seat).any(axis=1)]
        seen[np.unique(players), seat] = True
    return np.argwhere(seen)


def _tables_seen(finishes: Finishes, bot_count: int) -> Ints:
    """Return bot and players of each table effect: none where all games have the same number of players."""
    seen = np.zeros((bot_count, finishes.bots.shape[1] + 1), np.bool_)
    seated = finishes.bots >= 0
    seen[finishes.bots[seated], np.broadcast_to(finishes.players[:, None], seated.shape)[seated]] = True
    return np.argwhere(seen) if np.count_nonzero(seen.any(axis=0)) > 1 else np.empty((0, 2), np.int64)


def _pairs_seen(finishes: Finishes, bot_count: int) -> Ints:
    seen = np.zeros((bot_count, bot_count), np.bool_)
    for seat in range(finishes.bots.shape[1]):
        for other in range(seat):
            partners = (finishes.place[:, seat] == finishes.place[:, other]) & (finishes.place[:, seat] >= 0)
            one, two = finishes.bots[partners, seat], finishes.bots[partners, other]
            seen[np.minimum(one, two), np.maximum(one, two)] = True
    return np.argwhere(seen)


@kernel
def _count_groups(finishes: Finishes, stages: int) -> Ints:
    """Count the stages by how many sides they placed at once."""
    groups = np.zeros(finishes.bots.shape[1] + 1, np.int64)
    for game in range(len(finishes.block)):
        sides = finishes.sides[game]
        start = 0
        stage = 0
        while start < sides - 1 and stage < stages:
            end = start + 1
            while end < sides and finishes.tied[game, end]:
                end += 1
            groups[end - start] += 1
            start = end
            stage += 1
    return groups
