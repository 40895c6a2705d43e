"""The money rating: what a bot makes of the same cards in the same seat, compared with the others."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from harness.stats.balance import critical
from harness.stats.identify import tally
from harness.stats.results import Bools, Floats, Ints, Results, finish_order


@dataclass(frozen=True, eq=False)
class MoneyRating:
    """What each of N bots gains over the average bot with the same cards; 0 on average over the bots that played.

    | field      | shape, dtype   | meaning                                                                       |
    |------------|----------------|-------------------------------------------------------------------------------|
    | gain       | (N,) float64   | the paired mean difference, in the unit of what was compared; 0 if unknown    |
    | se, lo, hi | (N,) float64   | standard error and 95 % interval, blocks as clusters; infinite if unknown     |
    | games      | (N,) int64     | games in which the bot sat                                                    |
    | blocks     | (N,) int64     | blocks in which it sat                                                        |
    | unknown    | (N,) bool      | never had cards that a bot known had too (no games, or no rotation)           |
    """

    gain: Floats
    se: Floats
    lo: Floats
    hi: Floats
    games: Ints
    blocks: Ints
    unknown: Bools


def table_shares(results: Results, money: Floats) -> Floats:
    """Return each side's share of its table's money in every seat of it (G, S), nan where no seat.

    `money` (G, S) is what each seat had at the end, nan where none. Who is in debt owns nothing, and where nobody owns
    anything all have the same: so the shares of a table lie between 0 and 1 and sum to 1 over its sides.
    """
    owned = _of_sides(results, np.where(results.bots >= 0, money, 0.0))
    owned = np.where(results.bots >= 0, np.maximum(owned, 0.0), np.nan)
    leaders = _lowest_seats(results)
    total = np.where(leaders, owned, 0.0).sum(axis=1, keepdims=True)
    even = 1.0 / leaders.sum(axis=1, keepdims=True)
    return np.asarray(
        np.where(total > 0, owned / np.where(total > 0, total, 1.0), np.where(np.isnan(owned), owned, even))
    )


def rate_money(results: Results, values: Floats, bot_count: int) -> MoneyRating:
    """Compare `values` (G, S), one for each seat and the same for partners, among the sides that had the same cards.

    In a block the side that starts at seat s is dealt the same cards in every game. So each value is compared with the
    mean of all sides of its block and seat: least squares with an effect of every block and seat, a side's value the
    sum of its bots' gains; the errors are the sandwich over blocks (Liang and Zeger 1986).
    """
    counts = tally(finish_order(results), bot_count, win_only=False)
    game, seat = np.nonzero(_lowest_seats(results))
    block = np.unique(results.block, return_inverse=True)[1][game]
    _, cell = np.unique(block * results.bots.shape[1] + seat, return_inverse=True)
    bots = _members(results, game, seat, bot_count)
    cells = _grouping(cell)
    size = np.bincount(cell)
    means = cells @ bots
    information = (bots.T @ bots - means.T @ (means / size[:, None])).toarray()
    value = np.asarray(values[game, seat], np.float64)
    centred = value - (np.bincount(cell, value) / size)[cell]
    inverse, unknown = _solvable(information, counts.games > 0)
    gain = inverse @ (bots.T @ centred)
    fitted = bots @ gain
    residual = centred - fitted + (np.bincount(cell, fitted) / size)[cell]
    scores = (
        (_grouping(block) @ bots.multiply(residual[:, None]).tocsr()).toarray()
        if len(block)
        else np.zeros((0, bot_count))
    )
    blocks = len(scores)
    factor = blocks / (blocks - 1.0) if blocks > 1 else np.inf
    with np.errstate(invalid="ignore"):
        variance = factor * ((scores @ inverse) ** 2).sum(axis=0)
    se = np.where(unknown | (blocks < 2), np.inf, np.sqrt(variance))
    half = critical(0.95, counts.blocks) * se
    return MoneyRating(gain, se, gain - half, gain + half, counts.games, counts.blocks, unknown)


def _lowest_seats(results: Results) -> Bools:
    """Return which seats (G, S) are the lowest of their side."""
    lowest = results.side >= 0
    for seat in range(results.side.shape[1]):
        for other in range(seat):
            lowest[:, seat] &= results.side[:, seat] != results.side[:, other]
    return lowest


def _of_sides(results: Results, money: Floats) -> Floats:
    """Return in every seat (G, S) the sum over the seats of its side."""
    owned = np.zeros_like(money)
    for seat in range(money.shape[1]):
        for other in range(money.shape[1]):
            owned[:, seat] += np.where(results.side[:, seat] == results.side[:, other], money[:, other], 0.0)
    return owned


def _members(results: Results, game: Ints, seat: Ints, bot_count: int) -> csr_array:
    """Return how often each bot (columns) sits in each side (rows)."""
    partner = results.side[game] == results.side[game, seat][:, None]
    row, column = np.nonzero(partner)
    return csr_array((np.ones(len(row)), (row, results.bots[game[row], column])), shape=(len(game), bot_count))


def _grouping(group: Ints) -> csr_array:
    """Return the matrix that sums rows by their group."""
    shape = (int(group.max(initial=-1)) + 1, len(group))
    return csr_array((np.ones(len(group)), (group, np.arange(len(group)))), shape=shape)


def _solvable(information: Floats, played: Bools) -> tuple[Floats, Bools]:
    """Return the inverse (N, N) that keeps the mean of the bots that played at 0, and which bots it cannot place."""
    values, vectors = np.linalg.eigh(information)
    steep = values > 1e-9 * max(values.max(initial=0.0), 1e-300)
    contrast = np.diag(played.astype(np.float64)) - np.outer(played, played) / max(int(played.sum()), 1)
    flat = np.linalg.norm(contrast @ vectors[:, ~steep], axis=1) > 1e-6
    reach = contrast @ vectors[:, steep]
    return np.asarray(reach / values[steep] @ vectors[:, steep].T), flat | ~played
