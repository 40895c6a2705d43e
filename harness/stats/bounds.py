"""One-sided bounds for bots that won everything, or lost everything, against the main component."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from harness.compiled import kernel
from harness.stats.identify import Tally
from harness.stats.likelihood import Layout
from harness.stats.results import Bools, Finishes, Floats, Ints

_ALPHA = 0.05
_FAR = 60.0


@dataclass(frozen=True, eq=False)
class Bounds:
    """What is sure at 95 % of bots outside the main component; arrays (N,).

    | field | dtype   | meaning                                                                                 |
    |-------|---------|-----------------------------------------------------------------------------------------|
    | side  | int64   | 1 the rating is at least this, -1 at most this, 0 no bound                              |
    | elo   | float64 | the bound; the rating itself where there is none                                        |
    """

    side: Ints
    elo: Floats


def one_sided(finishes: Finishes, layout: Layout, params: Floats, counts: Tally, main: Bools) -> tuple[Ints, Floats]:
    """Return the side (N,) of each bound, as in `Bounds`, and the bound as a log-worth (N,) like those of `params`.

    A bot outside the main component that met it won all these comparisons or lost all. The bound is the strength at
    which that has probability 5 %, the others held at theirs: of k duels won in k blocks against equals,
    p = 0.05^(1/k). The games of a block count as one. Ties are left out of account, which makes the bound weaker.
    """
    side = np.zeros(layout.bots, np.int64)
    bound = params[: layout.bots].copy()
    for bot in np.flatnonzero(~main & counts.decided):
        won, lost = counts.beaten[bot, main].any(), counts.beaten[main, bot].any()
        if won == lost:
            continue
        own = finishes.take((finishes.bots == bot).any(axis=1))

        def excess(strength: float, bot: int = int(bot), own: Finishes = own) -> float:
            return float(_log_chance(own, layout, params, bot, main, strength) - np.log(_ALPHA))

        if excess(-_FAR) * excess(_FAR) < 0:
            side[bot] = 1 if won else -1
            bound[bot] = brentq(excess, -_FAR, _FAR, xtol=1e-9)
    return side, bound


@kernel
def _log_chance(finishes: Finishes, layout: Layout, params: Floats, bot: int, main: Bools, strength: float) -> float:
    """Return the log-chance that `bot`, were this its strength, came in among the sides of the main component where it
    did, given their order; a block counts the mean over its games in which it met them.
    """
    seats = finishes.bots.shape[1]
    worth = np.zeros(seats)
    member = np.zeros(seats, np.bool_)
    total, block_sum = 0.0, 0.0
    met = 0
    games = len(finishes.block)
    for game in range(games):
        own = -1
        for position in range(finishes.sides[game]):
            term = layout.seat[finishes.players[game], finishes.first[game, position]]
            worth[position] = params[term] if term >= 0 else 0.0
            member[position] = True
        for seat in range(seats):
            place, who = finishes.place[game, seat], finishes.bots[game, seat]
            if place < 0:
                continue
            if who == bot:
                own = place
            worth[place] += strength if who == bot else params[who]
            member[place] &= main[who]
        if own >= 0:
            factor = _place_chance(worth, member, own, finishes.sides[game], layout.stages)
            if factor < 0.0:
                block_sum += factor
                met += 1
        if game + 1 == games or finishes.block[game + 1] != finishes.block[game]:
            total += block_sum / max(met, 1)
            block_sum, met = 0.0, 0
    return total


@kernel
def _place_chance(worth: Floats, member: Bools, own: int, sides: int, stages: int) -> float:
    """Return the log-chance that the side `own` is not taken at the stages before it and is taken at its own, among it
    and the sides that are a `member`; 0 where it met none.
    """
    value = 0.0
    for position in range(min(own + 1, stages)):
        if position != own and not member[position]:
            continue
        left = 0.0
        for later in range(position, sides):
            if member[later] and later != own:
                left += np.exp(worth[later] - worth[own])
        if left > 0.0:
            value += (np.log(left) if position != own else 0.0) - np.log1p(left)
    return value
