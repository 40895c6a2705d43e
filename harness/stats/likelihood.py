"""The Plackett-Luce likelihood with ties, seat terms and teams: value, score and information.

A side's log-worth is the sum of its bots' strengths plus the term of its seat at a table of that size,
eta = sum(theta) + gamma; in a model with effects also a term of each bot at that table size and one of each pair of
partners. A set S of sides weighs f(S) = exp(mean of eta over S + tau_|S|), tau_1 = 0. A game is a row
of groups C_1 > C_2 > ... of tied sides and has the log-likelihood

    sum over stages j of  ln f(C_j) - ln sum of f(S) over the sets S of sides not yet placed,

where only sets of the orders seen in the data count (Turner, van Etten, Firth, Kosmidis 2020). Without ties this is
Plackett (1975), Luce (1959); two sides with ties are Davidson (1970). It is linear minus log-sum-exp of linear
terms, so it is concave in all parameters together.

Parameters stand in one vector: strengths of the bots, the ghost, effects, seat terms, tie terms.
"""

from typing import NamedTuple

import numpy as np

from harness.compiled import kernel
from harness.stats.results import Bools, Finishes, Floats, Ints


class Layout(NamedTuple):
    """Where each parameter stands, and which sets of sides can tie.

    | field  | shape, dtype     | meaning                                                                        |
    |--------|------------------|--------------------------------------------------------------------------------|
    | bots   | int              | bots; their strengths come first, then the ghost's                             |
    | size   | int              | parameters in all                                                              |
    | seat   | (S+1, S) int64   | parameter of a side by players and its lowest seat, -1 none                    |
    | table  | (N+1, S+1) int64 | parameter of a bot by players, -1 none; no rows in a model without effects     |
    | pair   | (N, N) int64     | parameter of two partners, -1 none; no rows in a model without effects         |
    | tie    | (S+1,) int64     | parameter of ties by order, -1 none; they come last                            |
    | rests  | (R,) int64       | the sets with a given lowest side: bit b is the side b + 1 after it; ascending |
    | orders | (R,) int64       | sides in each of these sets, the lowest counted                                |
    | stages | int              | stages of a game that count: 1 for first place only, else S                    |
    """

    bots: int
    size: int
    seat: Ints
    table: Ints
    pair: Ints
    tie: Ints
    rests: Ints
    orders: Ints
    stages: int


class Sets(NamedTuple):
    """The sets of sides of the layout, with tau and the place among the tie terms by order (S+1,)."""

    rests: Ints
    orders: Ints
    tau: Floats
    slot: Ints


class Work(NamedTuple):
    """Memory for one game. Local coordinates are its sides in finish order, then the tie terms.

    Row k of `total` and `mean` belongs to the sides from position k on: the sum of f over their sets, and the sum of
    f times the sets' design rows. `pace` is the sum of 1/total over the stages up to k. Of `information` only the
    lower triangle is filled.
    """

    eta: Floats
    weight: Floats
    total: Floats
    mean: Floats
    pace: Floats
    score: Floats
    information: Floats


class Entries(NamedTuple):
    """Which local coordinate feeds which parameter, a pair each."""

    local: Ints
    column: Ints


# The helpers unpack their tuples once: reading a field within a loop costs a reference count each time.


@kernel
def prepare(layout: Layout, params: Floats) -> tuple[Sets, Work, Entries]:
    ties = 0
    for order in range(len(layout.tie)):
        ties += layout.tie[order] >= 0
    tau = np.zeros(len(layout.tie))
    slot = np.zeros(len(layout.tie), np.int64)
    for order in range(len(layout.tie)):
        if layout.tie[order] >= 0:
            tau[order] = params[layout.tie[order]]
            slot[order] = layout.tie[order] - (layout.size - ties)
    seats = layout.seat.shape[1]
    width = seats + ties
    work = Work(
        np.zeros(seats),
        np.zeros((seats, len(layout.rests))),
        np.zeros(seats + 1),
        np.zeros((seats + 1, width)),
        np.zeros(seats),
        np.zeros(width),
        np.zeros((width, width)),
    )
    most = 3 * seats + seats * (seats - 1) // 2 + ties
    entries = Entries(np.zeros(most, np.int64), np.zeros(most, np.int64))
    return Sets(layout.rests, layout.orders, tau, slot), work, entries


@kernel
def list_entries(finishes: Finishes, layout: Layout, game: int, ties: int, entries: Entries) -> int:
    """Fill the entries of one game and return how many there are."""
    local, column = entries
    sides, players = finishes.sides[game], finishes.players[game]
    count = 0
    for position in range(sides):
        term = layout.seat[players, finishes.first[game, position]]
        if term >= 0:
            local[count] = position
            column[count] = term
            count += 1
    for seat in range(finishes.bots.shape[1]):
        place, bot = finishes.place[game, seat], finishes.bots[game, seat]
        if place < 0:
            continue
        local[count] = place
        column[count] = bot
        count += 1
        if len(layout.table) and layout.table[bot, players] >= 0:
            local[count] = place
            column[count] = layout.table[bot, players]
            count += 1
        if len(layout.pair) and sides < players:
            for other in range(seat):
                if finishes.place[game, other] == place:
                    local[count] = place
                    column[count] = layout.pair[bot, finishes.bots[game, other]]
                    count += 1
    for tie in range(ties):
        local[count] = sides + tie
        column[count] = layout.size - ties + tie
        count += 1
    return count


@kernel
def log_worths(sides: int, params: Floats, count: int, entries: Entries, eta: Floats) -> None:
    """Fill `eta`, less its largest value."""
    local, column = entries
    for side in range(sides):
        eta[side] = 0.0
    for entry in range(count):
        if local[entry] < sides:
            eta[local[entry]] += params[column[entry]]
    largest = eta[0]
    for side in range(1, sides):
        largest = max(largest, eta[side])
    for side in range(sides):
        eta[side] -= largest


@kernel
def weigh_sets(sides: int, ties: int, sets: Sets, work: Work) -> None:
    """Fill `weight`, `total` and `mean` from the last position to the first."""
    rests, orders, tau, slot = sets
    eta, weight, total, mean, _, _, _ = work
    width = sides + ties
    total[sides] = 0.0
    for local in range(width):
        mean[sides, local] = 0.0
    for low in range(sides - 1, -1, -1):
        total[low] = total[low + 1]
        for local in range(width):
            mean[low, local] = mean[low + 1, local]
        for index in range(len(rests)):
            rest = rests[index]
            if rest >> (sides - 1 - low):
                break
            order = orders[index]
            members = eta[low]
            for side in range(low + 1, sides):
                if rest >> (side - low - 1) & 1:
                    members += eta[side]
            mass = np.exp(members / order + tau[order])
            weight[low, index] = mass
            total[low] += mass
            mean[low, low] += mass / order
            if order > 1:
                for side in range(low + 1, sides):
                    if rest >> (side - low - 1) & 1:
                        mean[low, side] += mass / order
                mean[low, sides + slot[order]] += mass


@kernel
def run_stages(sides: int, ties: int, tied: Bools, stages: int, sets: Sets, work: Work) -> float:
    """Return the log-likelihood; fill `score`, `pace`, and `information` less the means of x x'."""
    _, _, tau, slot = sets
    eta, _, total, mean, pace, score, information = work
    width = sides + ties
    for row in range(width):
        score[row] = 0.0
        for column in range(row + 1):
            information[row, column] = 0.0
    value = 0.0
    start = 0
    stage = 0
    while start < sides - 1 and stage < stages:
        end = start + 1
        while end < sides and tied[end]:
            end += 1
        order = end - start
        members = 0.0
        for side in range(start, end):
            members += eta[side]
            score[side] += 1.0 / order
            pace[side] = 0.0
        if order > 1:
            score[sides + slot[order]] += 1.0
        value += members / order + tau[order] - np.log(total[start])
        pace[start] = 1.0 / total[start]
        for row in range(start, width):
            expected = mean[start, row] * pace[start]
            score[row] -= expected
            for column in range(start, row + 1):
                information[row, column] -= expected * mean[start, column] * pace[start]
        start = end
        stage += 1
    for side in range(start, sides):
        pace[side] = 0.0
    for side in range(1, sides):
        pace[side] += pace[side - 1]
    return value


@kernel
def add_second_moments(sides: int, sets: Sets, work: Work) -> None:
    """Add to `information` the mean of x x' over the sets of every stage."""
    rests, orders, _, slot = sets
    _, weight, _, _, pace, _, information = work
    for low in range(sides):
        for index in range(len(rests)):
            rest = rests[index]
            if rest >> (sides - 1 - low):
                break
            order = orders[index]
            mass = weight[low, index] * pace[low]
            if order == 1:
                information[low, low] += mass
                continue
            members = 2 * rest + 1
            tie = sides + slot[order]
            information[tie, tie] += mass
            for row in range(low, sides):
                if members >> (row - low) & 1:
                    information[tie, row] += mass / order
                    for column in range(low, row + 1):
                        if members >> (column - low) & 1:
                            information[row, column] += mass / order**2
