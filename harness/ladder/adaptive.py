"""Adaptive rounds: the next block goes where the expected fall of uncertainty is largest.

What is uncertain is who stands above whom, and it matters more the higher they stand: a pair of bots has the stakes
exp(-z²/2) / place², z the distance of their ratings in standard errors, place that of the better one. The tables of a
round are chosen one by one, each as that from which the weighted variance of differences is expected to fall most,
given those before it (see `harness.stats.information`).

At least a FLOOR of the blocks of every table kind follow the round robin, so that each bot keeps playing at every
size of table, and against all others.
"""

import math
from dataclasses import dataclass

import numpy as np

from harness.ladder.meetings import Meetings
from harness.ladder.seating import Lineup, block_seatings, turned
from harness.stats.information import after_block, most_telling, reach
from harness.stats.results import Floats, Ints

FLOOR = 0.25


def level_blocks(blocks: int, played: int, level: int) -> int:
    """Return how many of the next blocks are to follow the round robin, when `level` of those `played` did."""
    return min(blocks, max(0, math.ceil(FLOOR * (played + blocks)) - level))


def stakes(theta: Floats, covariance: Floats, playing: Ints) -> Floats:
    """Return what is at stake between any two bots (N, N), 0 for those who do not play.

    theta: (N,), log-worths. covariance: (N, N) of them.
    """
    own = np.diag(covariance)
    variance = np.maximum(own[:, None] + own - 2.0 * covariance, 1e-12)
    place = np.full(len(theta), np.inf)
    place[playing[np.argsort(-theta[playing], kind="stable")]] = np.arange(1, len(playing) + 1)
    apart = (theta[:, None] - theta) ** 2 / variance
    weights: Floats = np.exp(-apart / 2.0) / np.minimum(place[:, None], place) ** 2
    weights[~np.isfinite(np.maximum(place[:, None], place))] = 0.0
    np.fill_diagonal(weights, 0.0)
    return weights


def stakes_of_one(bot: int, playing: Ints, bots: int) -> Floats:
    """Return the stakes (N, N) by which the variance of one bot's distance to the mean of the others falls."""
    distance = np.zeros(bots)
    distance[playing] = -1.0 / max(1, len(playing) - 1)
    distance[bot] = 1.0
    weights = -np.outer(distance, distance)
    np.fill_diagonal(weights, 0.0)
    return weights


@dataclass
class Outlook:
    """What is known of the bots, and will be once the blocks planned so far have been played.

    theta: (N,), log-worths. covariance: (N, N), as expected of them.
    """

    theta: Floats
    covariance: Floats

    def plan(self, lineup: Lineup, games: int) -> None:
        """Count with a block that will be played."""
        self.covariance = after_block(self.covariance, self.theta, np.array(lineup), games)


def telling_lineups(
    outlook: Outlook,
    weights: Floats,
    playing: Ints,
    seats: int,
    blocks: int,
    counts: Meetings,
    fill: int | None,
    williams: bool = False,
    first: int = -1,
) -> list[Lineup]:
    """Return the lineups of the next blocks, each the one from which most is learnt after those before it.

    weights: stakes (N, N). counts: of the blocks so far, for partners and orders round the table; goes on with these.
    first: a bot that sits at every table, -1 for none. `outlook` goes on as well.
    """
    others = playing[playing != first]
    lineups = []
    for _ in range(blocks):
        gains = reach(outlook.covariance, weights)
        table = most_telling(outlook.theta, gains, others, seats, first).tolist()
        table += [bot for bot in [fill] if bot is not None] * (seats - len(table))
        lineup = counts.seat(table)
        counts.add(lineup)
        lineups.append(turned(lineup, counts.teams, counts.blocks[table[0]] - 1))
        outlook.plan(lineup, len(block_seatings(lineup, counts.teams, williams)))
    return lineups
