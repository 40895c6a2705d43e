"""Tables of circles: do bots beat each other in rounds, which are the worst, and who is best all the same."""

import numpy as np
import pandas as pd

from harness.report.frames import Frames
from harness.report.strength_tables import played_order
from harness.report.tables import Fits
from harness.stats.advantages import Advantages, advantages
from harness.stats.cycles import DRAWS, Cycles, find_cycles
from harness.stats.nash import alpha_rank, nash_average, nash_spread
from harness.stats.ratings import ELO
from harness.stats.results import Ints

MOST_BOTS = 100
"""Bots up to which circles are looked for."""

INTENSITY = 10.0
"""How strictly alpha-rank's population imitates success: per unit of log-odds, high enough to be near its limit."""

_NUMBERS_HELD = 4_000_000  # of all draws, about 30 MB
_BOTS_AVERAGED = 2_000  # over all draws: an average of 50 bots takes up to 0.15 s
_LEAST_DRAWS, _MOST_DRAWS = 40, 200


def cycle_tables(frames: Frames, fits: Fits) -> tuple[Cycles | None, pd.DataFrame, pd.DataFrame]:
    """Return what there is of circles, the worst of them, and averages that circles and copies of a bot do not bend.

    Worst: first, second, third, link1, link2, link3 (Elo of each above the next, by their own games), los (the least of
    the three). Averages, in the ladder's order: bot, weight (in the equilibrium), skill, skill_lo, skill_hi (Elo
    against it), played (share of draws in which the equilibrium plays it), alpha, alpha_lo, alpha_hi (share of
    alpha-rank's time), blocks.
    """
    order = played_order(fits)
    if not 3 <= len(order) <= MOST_BOTS:
        return None, pd.DataFrame(), pd.DataFrame()
    seen = _of(advantages(frames.results, len(frames.names)), order)
    cycles = find_cycles(seen, int(min(DRAWS, _NUMBERS_HELD // len(order) ** 2)))
    names = [frames.names[bot] for bot in order]
    worst = pd.DataFrame(
        {
            **{place: names[bot] for place, bot in zip(("first", "second", "third"), cycle.bots, strict=True)},
            **{f"link{number + 1}": link for number, link in enumerate(cycle.links)},
            "los": cycle.los,
        }
        for cycle in cycles.worst
    )
    try:
        averages = _averages(seen, names, fits.main.blocks[order])
    except RuntimeError:  # an equilibrium too flat to be found exactly is left out
        averages = pd.DataFrame()
    return cycles, worst, averages


def _of(seen: Advantages, order: Ints) -> Advantages:
    """Return the advantages of these bots alone, in this order."""
    cells = np.ix_(order, order)
    parts = seen.parts[:, order[:, None], order]
    return Advantages(seen.logit[cells], seen.met[cells], parts, seen.own[cells], seen.blocks)


def _averages(seen: Advantages, names: list[str], blocks: Ints) -> pd.DataFrame:
    draws = int(np.clip(_BOTS_AVERAGED // len(names), _LEAST_DRAWS, _MOST_DRAWS))
    noise = seen.noise(draws)
    average, spread = nash_average(seen.logit), nash_spread(seen.logit, noise)
    alpha_lo, alpha_hi = np.quantile(
        [alpha_rank(seen.logit + draw, INTENSITY) for draw in noise], (0.025, 0.975), axis=0
    )
    return pd.DataFrame(
        {
            "bot": names,
            "weight": average.weights,
            "skill": ELO * average.skill,
            "skill_lo": ELO * spread.skill_lo,
            "skill_hi": ELO * spread.skill_hi,
            "played": spread.played,
            "alpha": alpha_rank(seen.logit, INTENSITY),
            "alpha_lo": alpha_lo,
            "alpha_hi": alpha_hi,
            "blocks": blocks,
        }
    )
