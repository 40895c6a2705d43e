"""What the data can tell at all: who was compared with whom, and which strengths they can separate."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from harness.compiled import kernel
from harness.stats.maximum import Model
from harness.stats.results import SEATS, Bools, Finishes, Floats, Ints


class Tally(NamedTuple):
    """Counts by bot.

    | field   | shape, dtype  | meaning                                                                           |
    |---------|---------------|-----------------------------------------------------------------------------------|
    | games   | (N,) int64    | games in which the bot sat                                                        |
    | seats   | (N,) int64    | seats it took: more than games where it met copies of itself                      |
    | blocks  | (N,) int64    | blocks in which it sat                                                            |
    | wins    | (N,) float64  | first places of its seats, 1/k each when k sides share first; every partner's is whole |
    | beaten  | (N, N) bool   | i finished above j or level with it                                               |
    | decided | (N,) bool     | it finished above or below some other bot                                         |
    """

    games: Ints
    seats: Ints
    blocks: Ints
    wins: Floats
    beaten: Bools
    decided: Bools


def tally(finishes: Finishes, bot_count: int, win_only: bool) -> Tally:
    """Count what each bot played; with `win_only`, compare only with those who came first."""
    counts = Tally(
        np.zeros(bot_count, np.int64),
        np.zeros(bot_count, np.int64),
        np.zeros(bot_count, np.int64),
        np.zeros(bot_count),
        np.zeros((bot_count, bot_count), np.bool_),
        np.zeros(bot_count, np.bool_),
    )
    _fill_tally(finishes, win_only, counts)
    return counts


@kernel
def _fill_tally(finishes: Finishes, win_only: bool, counts: Tally) -> None:
    bot_count = len(counts.games)
    last_game = np.full(bot_count, -1, np.int64)
    last_block = np.full(bot_count, -1, np.int64)
    group = np.zeros(SEATS, np.int64)
    for game in range(len(finishes.block)):
        for position in range(1, finishes.sides[game]):
            group[position] = group[position - 1] + (not finishes.tied[game, position])
        winners = 0
        for position in range(finishes.sides[game]):
            winners += group[position] == 0
        for seat in range(SEATS):
            place = finishes.place[game, seat]
            if place < 0:
                continue
            bot = finishes.bots[game, seat]
            counts.seats[bot] += 1
            if last_game[bot] != game:
                last_game[bot] = game
                counts.games[bot] += 1
            if last_block[bot] != finishes.block[game]:
                last_block[bot] = finishes.block[game]
                counts.blocks[bot] += 1
            if group[place] == 0:
                counts.wins[bot] += 1.0 / winners
            for other in range(SEATS):
                against = finishes.place[game, other]
                rival = finishes.bots[game, other]
                if against < 0 or against == place or rival == bot:
                    continue
                if win_only and group[place] > 0 and group[against] > 0:
                    continue
                counts.decided[bot] |= group[place] != group[against]
                counts.beaten[bot, rival] |= group[place] <= group[against]


def main_component(counts: Tally, anchor: int) -> Bools:
    """Return which bots (N,) belong to the main component: the largest set of bots in which each has beaten or tied
    each other one through a chain of the others (Ford 1957: then the maximum likelihood is finite).

    Bots all of whose comparisons were ties are left out, for ties alone tell no strength once their frequency is free.
    Of equally large components the one with more games is taken, then the anchor's, then that of the first bot. A
    bot alone is no component.
    """
    decided = counts.decided
    graph = csr_array((counts.beaten & decided[:, None] & decided).astype(np.int8))
    _, labels = connected_components(graph, directed=True, connection="strong")
    count = labels.max() + 1
    sizes = np.bincount(labels[decided], minlength=count)
    games = np.bincount(labels, weights=counts.games, minlength=count)
    first_bot = np.array([np.argmax(labels == label) for label in range(count)])
    largest = np.lexsort((-first_bot, np.arange(count) == labels[anchor], games, sizes))[-1]
    return np.asarray((labels == largest) & decided & (sizes[largest] > 1))


def contrasts(model: Model, main: Bools) -> Floats:
    """Return the matrix (P, P) that centres the parameters: the bots and the ghost on the mean of `main` (N,)
    (of all bots where it is empty), the seats of each table size on theirs; ties stay.
    """
    layout = model.layout
    matrix = np.eye(layout.size)
    base = main if main.any() else np.ones(layout.bots, np.bool_)
    matrix[: layout.bots + 1, : layout.bots] -= base / base.sum()
    for players in np.unique(model.seats[:, 0]):
        columns = layout.bots + 1 + np.flatnonzero(model.seats[:, 0] == players)
        matrix[np.ix_(columns, columns)] -= 1.0 / len(columns)
    return matrix


def inseparable(data_information: Floats, centred: Floats) -> Bools:
    """Return which rows of `centred` (R, P), contrasts of the parameters, the data cannot estimate.

    A contrast is estimable where it is orthogonal to all directions in which the likelihood is flat: bots never
    compared, partners never parted, a bot that always had the same seat.
    """
    diagonal = np.diag(data_information)
    scale = np.sqrt(np.where(diagonal > 1e-12 * diagonal.max(), diagonal, 1.0))
    values, vectors = np.linalg.eigh(data_information / np.outer(scale, scale))
    flat = vectors[:, values < 1e-10]
    scaled = centred / scale
    return np.asarray(np.linalg.norm(scaled @ flat, axis=1) > 1e-5 * np.linalg.norm(scaled, axis=1))


@dataclass(frozen=True, eq=False)
class Doubts:
    """Why a figure should be read with care; all (N,) bool.

    | field        | the bot                                                                            |
    |--------------|------------------------------------------------------------------------------------|
    | unplayed     | has no games: its value and its interval are the prior's                           |
    | disconnected | is outside the main component (it won or lost everything, or never met the others) |
    | inseparable  | cannot be told from a partner, a seat or a group it never met without the prior    |
    | few_blocks   | played fewer than 50 blocks                                                        |
    """

    unplayed: Bools
    disconnected: Bools
    inseparable: Bools
    few_blocks: Bools
