"""The Plackett-Luce likelihood with ties, seat terms and teams: value, score and information.

A side's log-worth is the sum of its bots' strengths plus the term of its seat at a table of that size,
eta = sum(theta) + gamma. A set S of sides weighs f(S) = exp(mean of eta over S + tau_|S|), tau_1 = 0. A game is a row
of groups C_1 > C_2 > ... of tied sides and has the log-likelihood

    sum over stages j of  ln f(C_j) - ln sum of f(S) over the sets S of sides not yet placed,

where only sets of the orders seen in the data count (Turner, van Etten, Firth, Kosmidis 2020). Without ties this is
Plackett (1975), Luce (1959); two sides with ties are Davidson (1970). It is linear minus log-sum-exp of linear
terms, so it is concave in all parameters together.

Parameters stand in one vector: strengths of the bots, the ghost, seat terms, tie terms.
"""

from typing import NamedTuple

import numpy as np

from harness.compiled import kernel
from harness.stats.results import SEATS, Finishes, Floats, Ints


class Layout(NamedTuple):
    """Where each parameter stands, and which sets of sides can tie.

    | field  | shape, dtype | meaning                                                                        |
    |--------|--------------|--------------------------------------------------------------------------------|
    | bots   | int          | bots; their strengths come first, then the ghost's                             |
    | size   | int          | parameters in all                                                              |
    | seat   | (7, 6) int64 | parameter of a side by players and its lowest seat, -1 none                    |
    | tie    | (7,) int64   | parameter of ties by order, -1 none; they come last                            |
    | rests  | (R,) int64   | the sets with a given lowest side: bit b is the side b + 1 after it; ascending |
    | orders | (R,) int64   | sides in each of these sets, the lowest counted                                |
    | stages | int          | stages of a game that count: 1 for first place only, else 6                    |
    """

    bots: int
    size: int
    seat: Ints
    tie: Ints
    rests: Ints
    orders: Ints
    stages: int

    @property
    def tie_start(self) -> int:
        """First of the tie terms."""
        return self.size - np.count_nonzero(self.tie >= 0)


class _Work(NamedTuple):
    """Memory for one game. Local coordinates are its sides in finish order, then the tie terms.

    Row k of `total` and `mean` belongs to the sides from position k on: the sum of f over their sets, and the sum of
    f times the sets' design rows. `pace` is the sum of 1/total over the stages up to k.
    """

    eta: Floats
    weight: Floats
    total: Floats
    mean: Floats
    pace: Floats
    score: Floats
    information: Floats


@kernel
def _workspace(layout: Layout, ties: int) -> _Work:
    width = SEATS + ties
    return _Work(
        np.zeros(SEATS),
        np.zeros((SEATS, len(layout.rests))),
        np.zeros(SEATS + 1),
        np.zeros((SEATS + 1, width)),
        np.zeros(SEATS),
        np.zeros(width),
        np.zeros((width, width)),
    )


@kernel
def _count_ties(layout: Layout) -> int:
    ties = 0
    for order in range(len(layout.tie)):
        ties += layout.tie[order] >= 0
    return ties


@kernel
def _log_worths(finishes: Finishes, layout: Layout, params: Floats, game: int, work: _Work) -> None:
    """Fill `eta`, less its largest value."""
    sides = finishes.sides[game]
    for position in range(sides):
        column = layout.seat[finishes.players[game], finishes.first[game, position]]
        work.eta[position] = params[column] if column >= 0 else 0.0
    for seat in range(SEATS):
        position = finishes.place[game, seat]
        if position >= 0:
            work.eta[position] += params[finishes.bots[game, seat]]
    largest = work.eta[:sides].max()
    for position in range(sides):
        work.eta[position] -= largest


@kernel
def _weigh_sets(layout: Layout, params: Floats, sides: int, tie_start: int, work: _Work) -> None:
    """Fill `weight`, `total` and `mean` from the last position to the first."""
    eta, total, mean = work.eta, work.total, work.mean
    width = sides + layout.size - tie_start
    total[sides] = 0.0
    mean[sides, :width] = 0.0
    for low in range(sides - 1, -1, -1):
        mean[low, :width] = mean[low + 1, :width]
        above = 0.0
        for index in range(len(layout.rests)):
            rest = layout.rests[index]
            if rest >> (sides - 1 - low):
                break
            order = layout.orders[index]
            log_weight = eta[low]
            for side in range(low + 1, sides):
                if rest >> (side - low - 1) & 1:
                    log_weight += eta[side]
            log_weight /= order
            if order > 1:
                log_weight += params[layout.tie[order]]
            weight = np.exp(log_weight)
            work.weight[low, index] = weight
            above += weight
            share = weight / order
            mean[low, low] += share
            if order > 1:
                for side in range(low + 1, sides):
                    if rest >> (side - low - 1) & 1:
                        mean[low, side] += share
                mean[low, sides + layout.tie[order] - tie_start] += weight
        total[low] = total[low + 1] + above


@kernel
def _run_stages(
    finishes: Finishes, layout: Layout, params: Floats, game: int, tie_start: int, work: _Work
) -> float:
    """Return the log-likelihood; fill `score`, `pace` and the part of `information` from the means."""
    sides = finishes.sides[game]
    local_size = sides + layout.size - tie_start
    work.score[:] = 0.0
    work.information[:] = 0.0
    work.pace[:] = 0.0
    value = 0.0
    start = 0
    stage = 0
    while start < sides - 1 and stage < layout.stages:
        end = start + 1
        while end < sides and finishes.tied[game, end]:
            end += 1
        order = end - start
        chosen = 0.0
        for side in range(start, end):
            chosen += work.eta[side]
            work.score[side] += 1.0 / order
        chosen /= order
        if order > 1:
            chosen += params[layout.tie[order]]
            work.score[sides + layout.tie[order] - tie_start] += 1.0
        value += chosen - np.log(work.total[start])
        inverse = 1.0 / work.total[start]
        work.pace[start] = inverse
        for row in range(start, local_size):
            expected = work.mean[start, row] * inverse
            work.score[row] -= expected
            for column in range(start, row + 1):
                work.information[row, column] -= expected * work.mean[start, column] * inverse
        start = end
        stage += 1
    for side in range(1, sides):
        work.pace[side] += work.pace[side - 1]
    return value


@kernel
def _add_second_moments(layout: Layout, sides: int, tie_start: int, work: _Work) -> None:
    """Add to the lower triangle of `information` the mean of x x' over the sets of every stage."""
    for low in range(sides):
        for index in range(len(layout.rests)):
            rest = layout.rests[index]
            if rest >> (sides - 1 - low):
                break
            order = layout.orders[index]
            members = 2 * rest + 1
            mass = work.weight[low, index] * work.pace[low] / order
            tie = sides + layout.tie[order] - tie_start if order > 1 else -1
            for row in range(low, sides):
                if members >> (row - low) & 1:
                    for column in range(low, row + 1):
                        if members >> (column - low) & 1:
                            work.information[row, column] += mass / order
                    if order > 1:
                        work.information[tie, row] += mass
            if order > 1:
                work.information[tie, tie] += mass * order


@kernel
def _entries(
    finishes: Finishes, layout: Layout, game: int, tie_start: int, locals_: Ints, columns: Ints
) -> int:
    """List which local coordinate feeds which parameter; return how many pairs there are."""
    sides = finishes.sides[game]
    count = 0
    for position in range(sides):
        column = layout.seat[finishes.players[game], finishes.first[game, position]]
        if column >= 0:
            locals_[count], columns[count] = position, column
            count += 1
    for seat in range(SEATS):
        if finishes.place[game, seat] >= 0:
            locals_[count], columns[count] = finishes.place[game, seat], finishes.bots[game, seat]
            count += 1
    for tie in range(layout.size - tie_start):
        locals_[count], columns[count] = sides + tie, tie_start + tie
        count += 1
    return count


@kernel
def evaluate(finishes: Finishes, layout: Layout, params: Floats) -> tuple[float, Floats, Floats]:
    """Return the log-likelihood of all games, its score (P,) and its information (P, P), minus the Hessian.

    Games are independent terms here; what a block's games share enters only in `meat`.
    """
    ties = _count_ties(layout)
    tie_start = layout.size - ties
    work = _workspace(layout, ties)
    locals_ = np.zeros(3 * SEATS, np.int64)
    columns = np.zeros(3 * SEATS, np.int64)
    value = 0.0
    score = np.zeros(layout.size)
    half = np.zeros((layout.size, layout.size))
    for game in range(len(finishes.block)):
        sides = finishes.sides[game]
        _log_worths(finishes, layout, params, game, work)
        _weigh_sets(layout, params, sides, tie_start, work)
        value += _run_stages(finishes, layout, params, game, tie_start, work)
        _add_second_moments(layout, sides, tie_start, work)
        count = _entries(finishes, layout, game, tie_start, locals_, columns)
        for one in range(count):
            row = locals_[one]
            score[columns[one]] += work.score[row]
            half[columns[one], columns[one]] += 0.5 * work.information[row, row]
            for other in range(one):
                low, high = min(row, locals_[other]), max(row, locals_[other])
                half[columns[one], columns[other]] += work.information[high, low]
    return value, score, half + half.T


@kernel
def meat(finishes: Finishes, layout: Layout, params: Floats) -> Floats:
    """Return the sum over blocks of U U' (P, P), U the score of all games of one block (P,)."""
    ties = _count_ties(layout)
    tie_start = layout.size - ties
    work = _workspace(layout, ties)
    locals_ = np.zeros(3 * SEATS, np.int64)
    columns = np.zeros(3 * SEATS, np.int64)
    block_score = np.zeros(layout.size)
    touched = np.zeros(layout.size, np.int64)
    is_touched = np.zeros(layout.size, np.bool_)
    touches = 0
    outer = np.zeros((layout.size, layout.size))
    games = len(finishes.block)
    for game in range(games):
        _log_worths(finishes, layout, params, game, work)
        _weigh_sets(layout, params, finishes.sides[game], tie_start, work)
        _run_stages(finishes, layout, params, game, tie_start, work)
        for one in range(_entries(finishes, layout, game, tie_start, locals_, columns)):
            column = columns[one]
            block_score[column] += work.score[locals_[one]]
            if not is_touched[column]:
                is_touched[column] = True
                touched[touches] = column
                touches += 1
        if game + 1 == games or finishes.block[game + 1] != finishes.block[game]:
            for one in range(touches):
                for other in range(touches):
                    outer[touched[one], touched[other]] += (
                        block_score[touched[one]] * block_score[touched[other]]
                    )
            for one in range(touches):
                block_score[touched[one]] = 0.0
                is_touched[touched[one]] = False
            touches = 0
    return outer
