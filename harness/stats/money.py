"""The money rating: what a bot makes of the same cards in the same seat, compared with the others."""

from dataclasses import dataclass

import numpy as np

from harness.compiled import kernel
from harness.stats.balance import critical
from harness.stats.identify import tally
from harness.stats.results import Bools, Finishes, Floats, Ints, Results


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
    finishes = results.finishes
    counts = tally(finishes, bot_count, win_only=False)
    ordered = np.asarray(values, np.float64)[np.argsort(results.block, kind="stable")]
    information, right, _ = _sum_blocks(finishes, ordered, np.zeros(bot_count))
    inverse, unknown = _solvable(information, counts.games > 0)
    gain = inverse @ right
    _, _, squares = _sum_blocks(finishes, ordered, gain)
    blocks = finishes.blocks
    factor = blocks / (blocks - 1.0) if blocks > 1 else np.inf
    with np.errstate(invalid="ignore"):
        variance = factor * np.maximum(np.diag(inverse.T @ squares @ inverse), 0.0)
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


@kernel
def _sum_blocks(finishes: Finishes, values: Floats, gain: Floats) -> tuple[Floats, Floats, Floats]:
    """Return of least squares with an effect of every block and seat the information (N, N), the right side (N,), and
    the sum over blocks of U U' (N, N), U the score of a block were `gain` (N,) the bots' gains.

    `values` (G, S) are in the order of the finishes; only those of the lowest seat of a side are read.
    """
    bots, seats = len(gain), finishes.bots.shape[1]
    information, squares = np.zeros((bots, bots)), np.zeros((bots, bots))
    right, score = np.zeros(bots), np.zeros(bots)
    sides, value, fitted = np.zeros(seats), np.zeros(seats), np.zeros(seats)
    members = np.zeros((seats, bots))
    here = np.zeros(bots, np.bool_)
    met = np.zeros(bots, np.int64)
    games, start = len(finishes.block), 0
    while start < games:
        end = start
        count = 0
        while end < games and finishes.block[end] == finishes.block[start]:
            for seat in range(seats):
                place, bot = finishes.place[end, seat], finishes.bots[end, seat]
                if place < 0:
                    continue
                if not here[bot]:
                    here[bot] = True
                    met[count] = bot
                    count += 1
                lowest = finishes.first[end, place]
                members[lowest, bot] += 1.0
                fitted[lowest] += gain[bot]
                if lowest == seat:
                    sides[seat] += 1.0
                    value[seat] += values[end, seat]
            end += 1
        for game in range(start, end):
            for seat in range(seats):
                place, bot = finishes.place[game, seat], finishes.bots[game, seat]
                if place < 0:
                    continue
                lowest = finishes.first[game, place]
                of_side = 0.0
                for other in range(seats):
                    if finishes.place[game, other] == place:
                        information[bot, finishes.bots[game, other]] += 1.0
                        of_side += gain[finishes.bots[game, other]]
                beyond = values[game, lowest] - value[lowest] / sides[lowest]
                right[bot] += beyond
                score[bot] += beyond - of_side + fitted[lowest] / sides[lowest]
        for one in met[:count]:
            for other in met[:count]:
                squares[one, other] += score[one] * score[other]
                for seat in range(seats):
                    if sides[seat] > 0.0:
                        information[one, other] -= members[seat, one] * members[seat, other] / sides[seat]
        for one in met[:count]:
            score[one] = 0.0
            members[:, one] = 0.0
            here[one] = False
        sides[:], value[:], fitted[:] = 0.0, 0.0, 0.0
        start = end
    return information, right, squares


def _solvable(information: Floats, played: Bools) -> tuple[Floats, Bools]:
    """Return the inverse (N, N) that keeps the mean of the bots that played at 0, and which bots it cannot place."""
    values, vectors = np.linalg.eigh(information)
    steep = values > 1e-9 * max(values.max(initial=0.0), 1e-300)
    contrast = np.diag(played.astype(np.float64)) - np.outer(played, played) / max(int(played.sum()), 1)
    flat = np.linalg.norm(contrast @ vectors[:, ~steep], axis=1) > 1e-6
    reach = contrast @ vectors[:, steep]
    return np.asarray(reach / values[steep] @ vectors[:, steep].T), flat | ~played
