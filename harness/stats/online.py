"""Online Elo: a number that moves after every game. For display only, it depends on the order of games."""

import numpy as np

from harness.compiled import kernel
from harness.stats.results import Finishes, Floats, Results, finish_order


def online_elo(results: Results, bot_count: int, start: float = 1000.0, k: float = 32.0) -> Floats:
    """Return the ratings (N,) after the games, played in the order of the table's rows (Elo 1978).

    After a game each bot gains K / (n - 1) times the sum over the other n - 1 sides of (S - 1 / (1 + 10^(-d/400))),
    S = 1, 1/2 or 0 by rank and d its side's lead before the game: so a whole game moves no more than a duel. The
    rating of a side is that of a bot as much above `start` as its members are together.

    For the same games in another order other numbers come out: with a million games of 50 bots and K = 32 they differ
    by about 37 Elo. Ratings proper are those of `ratings.fit`.
    """
    ratings = np.full(bot_count, start)
    in_order = Results(results.bots, results.ranks, results.side, results.players, np.arange(len(results)))
    _play_through(finish_order(in_order), ratings, start, k)
    return ratings


@kernel
def _play_through(finishes: Finishes, ratings: Floats, start: float, k: float) -> None:
    seats = finishes.bots.shape[1]
    lead = np.zeros(seats)
    gain = np.zeros(seats)
    group = np.zeros(seats, np.int64)
    for game in range(len(finishes.block)):
        sides = finishes.sides[game]
        for position in range(sides):
            lead[position] = 0.0
            gain[position] = 0.0
            group[position] = group[position - 1] + (not finishes.tied[game, position]) if position else 0
        for seat in range(seats):
            if finishes.place[game, seat] >= 0:
                lead[finishes.place[game, seat]] += ratings[finishes.bots[game, seat]] - start
        for one in range(sides):
            for other in range(sides):
                if one != other:
                    score = 0.5 if group[one] == group[other] else 1.0 if group[one] < group[other] else 0.0
                    gain[one] += score - 1.0 / (1.0 + 10.0 ** ((lead[other] - lead[one]) / 400.0))
        for seat in range(seats):
            if finishes.place[game, seat] >= 0:
                ratings[finishes.bots[game, seat]] += k / (sides - 1) * gain[finishes.place[game, seat]]
