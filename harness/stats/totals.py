"""The likelihood summed over games: value, score, information, and the scores of blocks."""

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
from harness.stats.results import Finishes, Floats, Ints


@kernel
def _scatter(count: int, entries: Entries, work: Work, times: int, score: Floats, half: Floats) -> None:
    """Add a game so many times to the score (P,) and to `half` (P, P), which with its transpose is the information."""
    local, column = entries
    _, _, _, _, _, local_score, information = work
    for one in range(count):
        row = local[one]
        score[column[one]] += times * local_score[row]
        half[column[one], column[one]] += times * 0.5 * information[row, row]
        for other in range(one):
            low, high = min(row, local[other]), max(row, local[other])
            half[column[one], column[other]] += times * information[high, low]


@kernel
def evaluate(finishes: Finishes, layout: Layout, params: Floats) -> tuple[float, Floats, Floats]:
    """Return the log-likelihood of all games, its score (P,) and its information (P, P), minus the Hessian.

    Games are independent terms here, each counted its `times`; what the games of a block share enters only in
    `block_scores`.
    """
    sets, work, entries = prepare(layout, params)
    ties = len(work.score) - len(work.eta)
    value = 0.0
    score = np.zeros(layout.size)
    half = np.zeros((layout.size, layout.size))
    for game in range(len(finishes.block)):
        sides = np.int64(finishes.sides[game])
        count = list_entries(finishes, layout, game, ties, entries)
        log_worths(sides, params, count, entries, work.eta)
        weigh_sets(sides, ties, sets, work)
        times = finishes.times[game]
        value += times * run_stages(sides, ties, finishes.tied[game], layout.stages, sets, work)
        add_second_moments(sides, sets, work)
        _scatter(count, entries, work, times, score, half)
    return value, score, half + half.T


@kernel
def block_scores(finishes: Finishes, layout: Layout, params: Floats, bundle: Ints) -> tuple[Floats, Floats]:
    """Return the sum over blocks of U U' (P, P), U the score of all games of a block (P,), and the sums of U over
    bundles of blocks (B, P): `bundle` (D,) names the bundle, 0 to B - 1, of each block.
    """
    sets, work, entries = prepare(layout, params)
    local, column = entries
    ties = len(work.score) - len(work.eta)
    block_score = np.zeros(layout.size)
    touched = np.zeros(layout.size, np.int64)
    is_touched = np.zeros(layout.size, np.bool_)
    touches = 0
    outer = np.zeros((layout.size, layout.size))
    sums = np.zeros((bundle.max() + 1, layout.size))
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
        block = finishes.block[game]
        if game + 1 == games or finishes.block[game + 1] != block:
            for one in touched[:touches]:
                sums[bundle[block], one] += block_score[one]
                for other in touched[:touches]:
                    outer[one, other] += block_score[one] * block_score[other]
            for one in touched[:touches]:
                block_score[one] = 0.0
                is_touched[one] = False
            touches = 0
    return outer, sums
