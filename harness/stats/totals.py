"""The likelihood summed over games: value, score, information, and the spread of the scores of blocks."""

import numpy as np

from harness.compiled import kernel
from harness.stats.likelihood import (
    Entries,
    Layout,
    Work,
    add_second_moments,
    list_entries,
    log_worths,
    prepare,
    run_stages,
    weigh_sets,
)
from harness.stats.results import SEATS, Finishes, Floats


@kernel
def _scatter(count: int, entries: Entries, work: Work, score: Floats, half: Floats) -> None:
    """Add one game to the score (P,) and to `half` (P, P), which with its transpose is the information."""
    local, column = entries
    _, _, _, _, _, local_score, information = work
    for one in range(count):
        row = local[one]
        score[column[one]] += local_score[row]
        half[column[one], column[one]] += 0.5 * information[row, row]
        for other in range(one):
            low, high = min(row, local[other]), max(row, local[other])
            half[column[one], column[other]] += information[high, low]


@kernel
def evaluate(finishes: Finishes, layout: Layout, params: Floats) -> tuple[float, Floats, Floats]:
    """Return the log-likelihood of all games, its score (P,) and its information (P, P), minus the Hessian.

    Games are independent terms here; what the games of a block share enters only in `meat`.
    """
    sets, work, entries = prepare(layout, params)
    ties = len(work.score) - SEATS
    value = 0.0
    score = np.zeros(layout.size)
    half = np.zeros((layout.size, layout.size))
    for game in range(len(finishes.block)):
        sides = np.int64(finishes.sides[game])
        count = list_entries(finishes, layout, game, ties, entries)
        log_worths(sides, params, count, entries, work.eta)
        weigh_sets(sides, ties, sets, work)
        value += run_stages(sides, ties, finishes.tied[game], layout.stages, sets, work)
        add_second_moments(sides, sets, work)
        _scatter(count, entries, work, score, half)
    return value, score, half + half.T


@kernel
def meat(finishes: Finishes, layout: Layout, params: Floats) -> Floats:
    """Return the sum over blocks of U U' (P, P), U the score of all games of one block (P,)."""
    sets, work, entries = prepare(layout, params)
    local, column = entries
    ties = len(work.score) - SEATS
    block_score = np.zeros(layout.size)
    touched = np.zeros(layout.size, np.int64)
    is_touched = np.zeros(layout.size, np.bool_)
    touches = 0
    outer = np.zeros((layout.size, layout.size))
    games = len(finishes.block)
    for game in range(games):
        sides = np.int64(finishes.sides[game])
        count = list_entries(finishes, layout, game, ties, entries)
        log_worths(sides, params, count, entries, work.eta)
        weigh_sets(sides, ties, sets, work)
        run_stages(sides, ties, finishes.tied[game], layout.stages, sets, work)
        for entry in range(count):
            term = column[entry]
            block_score[term] += work.score[local[entry]]
            if not is_touched[term]:
                is_touched[term] = True
                touched[touches] = term
                touches += 1
        if game + 1 == games or finishes.block[game + 1] != finishes.block[game]:
            for one in touched[:touches]:
                for other in touched[:touches]:
                    outer[one, other] += block_score[one] * block_score[other]
            for one in touched[:touches]:
                block_score[one] = 0.0
                is_touched[one] = False
            touches = 0
    return outer
