"""What games tell before they are played: expected information, and the table that tells most.

In the Plackett-Luce model the expected information of one game about the log-worths of its sides is a Laplacian: the
sum over pairs of sides of w_ij (e_i - e_j)(e_i - e_j)', w_ij the mean over the stages of the game of p_i p_j, the odds
of both among those not yet placed. Ties, seats and luck of the cards are left out: this plans, it does not rate.

A design is good when a weighted sum of variances of differences is small (A-optimality, Fedorov 1972); the best next
table is that from which it is expected to fall most, all else as it is estimated now (Chaloner and Verdinelli 1995).
"""

import numpy as np

from harness.compiled import kernel
from harness.stats.results import SEATS, Floats, Ints

PRIOR = 0.25
"""Information about each bot before its first game: that of one fair game, the prior of the ratings."""

_CLEAR = 1e-9  # by how much a gain must be larger to count as larger, so that rounding errors decide nothing


def unknown(bots: int) -> Floats:
    """Return the covariance (N, N) of log-worths before any game."""
    return np.eye(bots) / PRIOR


def sides_of(players: int) -> int:
    """Return how many sides play; six are three teams."""
    return 3 if players == SEATS else players


def expected_information(theta: Floats, bots: Ints, games: Ints) -> Floats:
    """Return the expected information (N, N) of lineups about log-worths `theta` (N,).

    bots: (L, 6), by seat, -1 where no seat. games: (L,), how often each lineup plays.
    """
    information = np.zeros((len(theta), len(theta)))
    for players in np.unique((bots >= 0).sum(axis=1)):
        own = (bots >= 0).sum(axis=1) == players
        _add_games(theta, bots[own, :players].astype(np.int64), games[own], sides_of(int(players)), information)
    return information


def after_block(covariance: Floats, theta: Floats, lineup: Ints, games: int) -> Floats:
    """Return the covariance (N, N) once a lineup (n,) has played so many games (Woodbury 1950)."""
    sides = sides_of(len(lineup))
    member = np.zeros((len(theta), sides))
    np.add.at(member, (lineup, np.arange(len(lineup)) % sides), 1.0)
    weights = np.zeros((sides, sides))
    contest_weights(member.T @ theta, np.zeros(2**sides), weights)
    told = games * (np.diag(weights.sum(axis=0)) - weights)
    spread = covariance @ member
    return np.asarray(covariance - spread @ told @ np.linalg.inv(np.eye(sides) + member.T @ spread @ told) @ spread.T)


def reach(covariance: Floats, stakes: Floats) -> Floats:
    """Return by pair (N, N) how fast the stakes fall with information about its difference.

    stakes: (N, N), weights whose weighted sum of variances of differences is to fall.
    """
    laplacian = np.diag(stakes.sum(axis=0)) - stakes
    spread = covariance @ laplacian @ covariance
    own = np.diag(spread)
    return np.asarray(own[:, None] + own - 2.0 * spread)


def most_telling(theta: Floats, reach: Floats, candidates: Ints, seats: int, first: int = -1) -> Ints:
    """Return the bots (n,) of the table from which most is learnt: of the candidates, and `first` if it is not -1.

    Partners are left out of account: each bot counts as if it played for itself. The table is filled greedily, then
    bettered by exchanges of one bot; of equal ones the lower numbers are taken. At most as many as there are bots.
    """
    kept = [first] if first >= 0 else []
    if len(kept) + len(candidates) <= seats:
        return np.array([*kept, *candidates], np.int64)
    table = np.full(seats, first, np.int64)
    _fill_table(theta, reach, candidates, first >= 0, table)
    return table


@kernel
def contest_weights(eta: Floats, reached: Floats, weights: Floats) -> None:
    """Fill `weights` (n, n) for sides of log-worths `eta` (n,); `reached` is room for 2^n numbers.

    The sides not yet placed are a set, a mask of bits; `reached` is the probability that the game comes to it.
    """
    sides = len(eta)
    worth = np.exp(eta - eta.max())
    weights[:, :] = 0.0
    reached[: 1 << sides] = 0.0
    reached[(1 << sides) - 1] = 1.0
    for waiting in range((1 << sides) - 1, 2, -1):
        total = 0.0
        for side in range(sides):
            if waiting >> side & 1:
                total += worth[side]
        for side in range(sides):
            if not waiting >> side & 1:
                continue
            odds = worth[side] / total
            reached[waiting & ~(1 << side)] += reached[waiting] * odds
            for other in range(side):
                if waiting >> other & 1:
                    weights[side, other] += reached[waiting] * odds * worth[other] / total
                    weights[other, side] = weights[side, other]


@kernel
def _add_games(theta: Floats, lineups: Ints, games: Ints, sides: int, information: Floats) -> None:
    players = lineups.shape[1]
    weights, reached, eta = np.zeros((sides, sides)), np.zeros(1 << sides), np.zeros(sides)
    for row in range(len(lineups)):
        eta[:] = 0.0
        for seat in range(players):
            eta[seat % sides] += theta[lineups[row, seat]]
        contest_weights(eta, reached, weights)
        for seat in range(players):
            for other in range(players):
                one, two = seat % sides, other % sides
                mass = -weights[one, two] if one != two else weights[one].sum()
                information[lineups[row, seat], lineups[row, other]] += games[row] * mass


@kernel
def _gain(theta: Floats, reach: Floats, table: Ints, reached: Floats, weights: Floats) -> float:
    """Return how fast the stakes fall with games of this table."""
    seats = len(table)
    contest_weights(theta[table], reached, weights[:seats, :seats])
    gain = 0.0
    for seat in range(seats):
        for other in range(seat):
            gain += weights[seat, other] * reach[table[seat], table[other]]
    return gain


@kernel
def _sits(bot: int, table: Ints) -> bool:
    found = False
    for other in table:
        found = found or other == bot
    return found


@kernel
def _fill_table(theta: Floats, reach: Floats, candidates: Ints, kept: bool, table: Ints) -> None:
    """Fill `table` from its second seat on, or from its first if that is not `kept`."""
    seats = len(table)
    reached, weights = np.zeros(1 << seats), np.zeros((seats, seats))
    start = 1
    if not kept:
        _best_pair(theta, reach, candidates, table)
        start = 2
    for seat in range(start, seats):
        best = -1.0
        chosen = -1
        for bot in candidates:
            if _sits(bot, table[:seat]):
                continue
            table[seat] = bot
            gain = _gain(theta, reach, table[: seat + 1], reached, weights)
            if gain > best + _CLEAR * abs(best):
                best, chosen = gain, bot
        table[seat] = chosen
    best = _gain(theta, reach, table, reached, weights)
    better = True
    while better:
        better = False
        for seat in range(1 if kept else 0, seats):
            for bot in candidates:
                if _sits(bot, table):
                    continue
                leaves = table[seat]
                table[seat] = bot
                gain = _gain(theta, reach, table, reached, weights)
                if gain > best + _CLEAR * abs(best):
                    best, better = gain, True
                else:
                    table[seat] = leaves


@kernel
def _best_pair(theta: Floats, reach: Floats, candidates: Ints, table: Ints) -> None:
    """Seat the two candidates whose duel would tell most."""
    best = -1.0
    for index in range(1, len(candidates)):
        for before in range(index):
            one, two = candidates[before], candidates[index]
            odds = 1.0 / (1.0 + np.exp(theta[one] - theta[two]))
            gain = odds * (1.0 - odds) * reach[one, two]
            if gain > best + _CLEAR * abs(best):
                best = gain
                table[0], table[1] = one, two
