"""What the data can tell at all: who was compared with whom, and which strengths they can separate."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import orth
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from harness.compiled import kernel
from harness.stats.model import Model
from harness.stats.results import Bools, Finishes, Floats, Ints


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
    seats = finishes.bots.shape[1]
    group = np.zeros(seats, np.int64)
    for game in range(len(finishes.block)):
        for position in range(1, finishes.sides[game]):
            group[position] = group[position - 1] + (not finishes.tied[game, position])
        winners = 0
        for position in range(finishes.sides[game]):
            winners += group[position] == 0
        for seat in range(seats):
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
            for other in range(seats):
                against = finishes.place[game, other]
                rival = finishes.bots[game, other]
                if against < 0 or against == place or rival == bot:
                    continue
                if win_only and group[place] > 0 and group[against] > 0:
                    continue
                counts.decided[bot] |= group[place] != group[against]
                counts.beaten[bot, rival] |= group[place] <= group[against]


def components(counts: Tally) -> Ints:
    """Return the component (N,) of each bot, from 0: within one, each has beaten or tied each other one through a chain
    of the others. Where nothing but ties was played each bot is one by itself: then ties tell no strength.
    """
    graph = csr_array((counts.beaten & counts.decided.any()).astype(np.int8))
    _, labels = connected_components(graph, directed=True, connection="strong")
    return np.asarray(labels, np.int64)


def main_component(counts: Tally, anchor: int | None) -> Bools:
    """Return which bots (N,) belong to the main component: the largest, of several the anchor's.

    Where there are several and no anchor is in one of them, none is the main one, and no bot belongs: whichever were
    taken, its bots would look better known than those of the others, by nothing but their names.
    """
    largest = largest_components(counts)
    if len(largest) > 1:
        largest = largest[largest[:, anchor]] if anchor is not None else largest[:0]
    return np.asarray(largest.any(axis=0))


def largest_components(counts: Tally) -> Bools:
    """Return the members (K, N) of the components that have most bots and, among these, most games: within one the
    maximum likelihood is finite (Ford 1957).

    Bots all of whose comparisons were ties are left out: their blocks show no spread, so their errors are the model's.
    A bot alone is no component.
    """
    labels = components(counts)
    members = (labels == np.arange(labels.max() + 1)[:, None]) & counts.decided
    sizes = members.sum(axis=1)
    members = members[(sizes == sizes.max()) & (sizes > 1)]
    games = members @ counts.games
    return np.asarray(members[games == games.max(initial=0)])


def contrasts(model: Model, main: Bools) -> Floats:
    """Return the matrix (P, P) that centres the parameters: the bots and the ghost on the mean of `main` (N,)
    (of all bots where it is empty), the seats of each table size on theirs; ties stay.

    Of the table effects it keeps what neither a bot nor a table size has in general, of the synergies what the two
    partners do not bring by themselves.
    """
    layout = model.layout
    matrix = np.eye(layout.size)
    base = main if main.any() else np.ones(layout.bots, np.bool_)
    matrix[: layout.bots + 1, : layout.bots] -= base / base.sum()
    start = layout.bots + 1
    for margin in margins(model):
        if len(margin):
            common = orth(margin)
            columns = np.arange(start, start + len(margin))
            matrix[np.ix_(columns, columns)] -= common @ common.T
        start += len(margin)
    for players in np.unique(model.seats[:, 0]):
        columns = start + np.flatnonzero(model.seats[:, 0] == players)
        matrix[np.ix_(columns, columns)] -= 1.0 / len(columns)
    return matrix


def margins(model: Model) -> tuple[Floats, Floats]:
    """Return what effects of each kind have in common: (C, N + S + 1), a 1 for the bot and one for the players of each
    table effect, and (X, N), how many of the two partners of each synergy each bot is.
    """
    bots, sizes = np.eye(model.layout.bots), np.eye(len(model.layout.seat))
    (bot, players), (one, two) = model.tables.T, model.pairs.T
    return np.hstack([bots[bot], sizes[players]]), bots[one] + bots[two]


def inseparable(data_information: Floats, centred: Floats) -> Bools:
    """Return which rows of `centred` (R, P), contrasts of the parameters, the data cannot estimate.

    A contrast is estimable where it is orthogonal to all directions in which the likelihood is flat: bots never
    compared, partners never parted, a bot that always had the same seat. One that is nothing at all, such as what a
    bot is better at its only table size than on the whole, is known.
    """
    scale, values, vectors = _scaled_axes(data_information)
    scaled = centred / scale
    flat = scaled @ vectors[:, values < _FLAT]
    length = np.linalg.norm(scaled, axis=1)
    return np.asarray(np.linalg.norm(flat, axis=1) > 1e-5 * np.maximum(length, 1e-6 * length.max(initial=0.0)))


def data_covariance(data_information: Floats, centred: Floats) -> Floats:
    """Return the covariance (R, R) of the contrasts `centred` (R, P) by the data's information alone: that of the
    model, games independent and no prior. Contrasts that are inseparable have none; what stands there means nothing.
    """
    scale, values, vectors = _scaled_axes(data_information)
    steep = values >= _FLAT
    reach = centred / scale @ vectors[:, steep]
    return np.asarray(reach / values[steep] @ reach.T)


_FLAT = 1e-10
"""Curvature, after scaling to a unit diagonal, under which a direction counts as flat."""


def _scaled_axes(information: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the scale (P,) that makes the diagonal 1, and the eigenvalues and eigenvectors after it."""
    diagonal = np.diag(information)
    scale = np.sqrt(np.where(diagonal > 1e-12 * diagonal.max(), diagonal, 1.0))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    return scale, values, vectors


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
