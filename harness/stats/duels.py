"""Two players against each other, in the forms known from chess programs: Elo, its interval, and likelihood ratios.

Counts are those of one player's scores, from worst to best:

    trinomial     (3,)  games lost, drawn, won
    pentanomial   (5,)  pairs of games on the same deal with 0, 1/2, 1, 3/2, 2 points

Pairs are what is independent where deals are repeated with seats exchanged; then the trinomial overstates the error.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from harness.stats.balance import critical, wilson
from harness.stats.empirical_likelihood import EMPTY, effect_ratio, filled, mean_ratio
from harness.stats.results import Floats
from harness.stats.sequential import NELO

_NORMAL = 1_000_000


@dataclass(frozen=True)
class Duel:
    """What the counts say of the player's strength; every number is finite.

    | field                | meaning                                                                  |
    |----------------------|--------------------------------------------------------------------------|
    | games                | games played                                                             |
    | score                | points a game                                                            |
    | elo, elo_lo, elo_hi  | Elo difference by the logistic curve, with its 95 % interval             |
    | nelo, nelo_lo, nelo_hi | normalized Elo, with its 95 % interval                                 |
    | los                  | likelihood of superiority: of a true score above one half                |
    """

    games: int
    score: float
    elo: float
    elo_lo: float
    elo_hi: float
    nelo: float
    nelo_lo: float
    nelo_hi: float
    los: float


def duel(counts: npt.ArrayLike) -> Duel:
    """Estimate from counts, (3,) or (5,); raises `ValueError` for any other, negative ones or none at all.

    The interval is the normal one of the mean score; where that would leave 0 to 1, as after nothing but losses, it is
    Wilson's, and the likelihood of superiority is that of a mean of one half with the spread about one half. An outcome
    that was never seen counts `EMPTY` times.
    """
    scores, seen = _scores(counts)
    total = seen.sum()
    mean = float(scores @ seen / total)
    sd = math.sqrt((scores - mean) ** 2 @ seen / total)
    se = sd / math.sqrt(total)
    reach = float(critical(0.95, _NORMAL))
    lo, hi = mean - reach * se, mean + reach * se
    if not (lo > 0 and hi < 1):
        lo, hi = (float(bound) for bound in wilson(mean * total, total))
        se = math.sqrt((scores - 0.5) ** 2 @ seen) / total
    least = EMPTY / total
    per_game = NELO / (sd * math.sqrt(_games(scores)))
    return Duel(
        games=round(float(np.sum(counts)) * _games(scores)),
        score=mean,
        elo=elo_of(mean),
        elo_lo=elo_of(max(lo, least)),
        elo_hi=elo_of(min(hi, 1 - least)),
        nelo=(mean - 0.5) * per_game,
        nelo_lo=(lo - 0.5) * per_game,
        nelo_hi=(hi - 0.5) * per_game,
        los=float(ndtr((mean - 0.5) / se)),
    )


def elo_of(score: float) -> float:
    """Return the Elo difference at which this mean score, between 0 and 1, is expected."""
    return -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    """Return the mean score expected at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def normalized_ratio(counts: npt.ArrayLike, elo0: float, elo1: float) -> float:
    """Return ln of the likelihood of normalized Elo `elo1` over that of `elo0`, exact (Van den Bergh 2020)."""
    scores, seen = _scores(counts)
    scale = math.sqrt(_games(scores)) / NELO
    return effect_ratio(scores, seen, 0.5, elo0 * scale, elo1 * scale)


def logistic_ratio(counts: npt.ArrayLike, elo0: float, elo1: float) -> float:
    """Return ln of the likelihood of Elo `elo1` over that of `elo0`, exact."""
    scores, seen = _scores(counts)
    return mean_ratio(scores, seen, score_of(elo0), score_of(elo1))


def bayes_ratio(counts: npt.ArrayLike, elo0: float, elo1: float) -> float:
    """Return ln of the likelihood of BayesElo `elo1` over that of `elo0` (Coulom 2008), counts (3,) only.

    The curve of draws is the one that the counts fit; that of wins is moved by the Elo.
    """
    _, seen = _scores(counts)
    if len(seen) != 3:
        raise ValueError(f"BayesElo is of games lost, drawn and won; there are {len(seen)} counts")
    shares = seen / seen.sum()
    draws = -(elo_of(float(shares[0])) + elo_of(float(shares[2]))) / 2
    return float(seen @ np.log(_bayes_chances(elo1, draws) / _bayes_chances(elo0, draws)))


def _bayes_chances(elo: float, draws: float) -> Floats:
    lost, won = score_of(-elo - draws), score_of(elo - draws)
    return np.array([lost, 1 - lost - won, won])


def _scores(counts: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return the scores a game of 3 or 5 counts, and the counts."""
    size = np.size(counts)
    if size not in (3, 5):
        raise ValueError(f"there are 3 counts of games or 5 of pairs; these are {size}")
    return filled(np.linspace(0, 1, size), counts)


def _games(scores: Floats) -> int:
    """Return the games behind one count."""
    return (len(scores) - 1) // 2
