"""Sequential tests: is a candidate stronger than a baseline, decided as early as the data allow.

A block is one deal, played by the candidate and by the baseline in each seat against the same others; its difference
is what the candidate scored less what the baseline scored, both per game. Differences of blocks are independent. What
is tested is their effect, mean / sd, on the scale of normalized Elo (Van den Bergh 2020):

    nElo = 800 / ln 10 * effect / sqrt(games of the candidate in a block)

At two players, with the baseline as opponent, that is the normalized Elo of chess programs. With others at the table
it is that of the difference, and not comparable with theirs.

The test goes on while the log-likelihood ratio of H1 against H0 stays between ln(beta / (1 - alpha)) and
ln((1 - beta) / alpha) (Wald 1945), each hypothesis at its likeliest distribution (generalized test).
"""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from harness.stats.empirical_likelihood import effect_ratio, filled

NELO = 800.0 / math.log(10.0)
"""Points of normalized Elo per unit of effect in one game."""

OVERSHOOT = 0.5826
"""Mean excess of a random walk over a far bound, in standard deviations of its step (Siegmund 1985)."""

_SMALL = 1e-9


class Decision(StrEnum):
    """What a look at the data leads to."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    OPEN = "open"


@dataclass(frozen=True)
class Hypotheses:
    """Two values of normalized Elo and the errors allowed in telling them apart.

    elo0, elo1: H0 and H1, H1 the greater. alpha: chance of accepting the candidate under H0. beta: chance of rejecting
    it under H1. games: games of the candidate in a block. Raises `ValueError` for values that make no test.
    """

    elo0: float
    elo1: float
    alpha: float
    beta: float
    games: float

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"H1 ({self.elo1}) should lie above H0 ({self.elo0})")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5 and self.games > 0):
            raise ValueError(
                f"errors {self.alpha}, {self.beta} should lie in 0 to 0.5, and games ({self.games}) above 0"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the candidate is rejected and accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def effect(self, elo: float) -> float:
        """Return the effect of a block, mean / sd, at this normalized Elo."""
        return elo * math.sqrt(self.games) / NELO

    def elo(self, effect: float) -> float:
        """Return the normalized Elo of an effect."""
        return effect * NELO / math.sqrt(self.games)


@dataclass(frozen=True)
class Look:
    """The state of a test after some blocks; every number is finite.

    | field       | meaning                                                                               |
    |-------------|---------------------------------------------------------------------------------------|
    | blocks      | blocks seen                                                                           |
    | mean, sd    | of their differences                                                                  |
    | lo, hi      | 95 % interval of the mean that holds at all looks together (`confidence_half_width`)  |
    | elo         | normalized Elo                                                                        |
    | elo_lo, elo_hi | the same interval on its scale, the sd taken as known                              |
    | llr         | log-likelihood ratio of H1 against H0, exact                                          |
    | normal_llr  | the same by the normal approximation, for comparison                                  |
    | decision    | what follows from `llr`                                                               |
    """

    blocks: int
    mean: float
    sd: float
    lo: float
    hi: float
    elo: float
    elo_lo: float
    elo_hi: float
    llr: float
    normal_llr: float
    decision: Decision


def look(values: npt.ArrayLike, counts: npt.ArrayLike, hypotheses: Hypotheses) -> Look:
    """Look at the differences of blocks: `values` (K,) that can occur, `counts` (K,) how many blocks had each.

    The values must reach to both sides of 0; give the least and the greatest possible with count 0 if unseen. To the
    variance behind the interval is added what one more block at the end of the range would show, so that a few blocks
    that happen to agree are no certainty. Raises `ValueError` without a block, and for values on one side of 0.
    """
    blocks = int(np.sum(counts))
    values, counts = filled(values, counts)
    mean = float(values @ counts / counts.sum())
    sd = math.sqrt((values - mean) ** 2 @ counts / counts.sum())
    effect = mean / sd
    effects = hypotheses.effect(hypotheses.elo0), hypotheses.effect(hypotheses.elo1)
    llr = effect_ratio(values, counts, 0.0, *effects)
    lower, upper = hypotheses.bounds
    reach = confidence_half_width(blocks, expected_blocks(hypotheses, hypotheses.elo1))
    half = reach * math.hypot(sd, float(np.ptp(values)) / 2 / math.sqrt(blocks + 1))
    return Look(
        blocks=blocks,
        mean=mean,
        sd=sd,
        lo=max(mean - half, float(values.min())),
        hi=min(mean + half, float(values.max())),
        elo=hypotheses.elo(effect),
        elo_lo=hypotheses.elo(effect - half / sd),
        elo_hi=hypotheses.elo(effect + half / sd),
        llr=llr,
        normal_llr=normal_effect_ratio(blocks, effect, *effects),
        decision=Decision.ACCEPTED if llr >= upper else Decision.REJECTED if llr <= lower else Decision.OPEN,
    )


def normal_effect_ratio(blocks: float, effect: float, effect0: float, effect1: float) -> float:
    """Return the log-likelihood ratio of two effects by the normal approximation (Van den Bergh 2020)."""
    return blocks / 2 * math.log((1 + (effect - effect0) ** 2) / (1 + (effect - effect1) ** 2))


def normal_mean_ratio(blocks: float, mean: float, sd: float, mean0: float, mean1: float) -> float:
    """Return the log-likelihood ratio of two means by the normal approximation, the variance free."""
    return blocks / 2 * math.log((sd**2 + (mean - mean0) ** 2) / (sd**2 + (mean - mean1) ** 2))


def acceptance(hypotheses: Hypotheses, elo: float, step: float = 0) -> float:
    """Return the chance that the candidate is accepted when its true normalized Elo is `elo` (Wald 1945).

    Here and in `expected_blocks` the ratio is a Brownian motion. Looked at only after every `step` blocks, it stops
    a little beyond its bounds, as if they lay 0.583 standard deviations of a step farther out (Siegmund 1985).
    """
    lower, upper = _reached(hypotheses, step)
    pull = -2 * _drift(hypotheses, elo)
    if abs(pull) < _SMALL:
        return -lower / (upper - lower)
    return math.expm1(pull * lower) / (math.expm1(pull * lower) - math.expm1(pull * upper))


def expected_blocks(hypotheses: Hypotheses, elo: float, step: float = 0) -> float:
    """Return the mean number of blocks until the decision when the true normalized Elo is `elo` (Wald 1945)."""
    lower, upper = _reached(hypotheses, step)
    gap = hypotheses.effect(hypotheses.elo1 - hypotheses.elo0)
    drift = _drift(hypotheses, elo)
    if abs(drift) < _SMALL:
        return -lower * upper / gap**2
    accepted = acceptance(hypotheses, elo, step)
    return (accepted * upper + (1 - accepted) * lower) / (drift * gap**2)


def fixed_blocks(hypotheses: Hypotheses) -> float:
    """Return the blocks that a test of fixed length with the same errors needs."""
    reach = float(ndtri(1 - hypotheses.alpha) + ndtri(1 - hypotheses.beta))
    return (reach / hypotheses.effect(hypotheses.elo1 - hypotheses.elo0)) ** 2


def confidence_half_width(blocks: float, target: float, alpha: float = 0.05) -> float:
    """Return half the width, in sd of a block, of an interval of the mean that holds at all looks together.

    A normal mixture (Robbins 1970), narrowest at about `target` blocks; the sd is taken from the data, so the first
    few dozen blocks are not to be relied on (Waudby-Smith and others 2024).
    """
    mixture = target / 8
    return math.sqrt((blocks + mixture) / blocks**2 * math.log((blocks + mixture) / (mixture * alpha**2)))


def _reached(hypotheses: Hypotheses, step: float) -> tuple[float, float]:
    """Return the ratios that a test with looks after every `step` blocks ends at."""
    lower, upper = hypotheses.bounds
    beyond = OVERSHOOT * hypotheses.effect(hypotheses.elo1 - hypotheses.elo0) * math.sqrt(step)
    return lower - beyond, upper + beyond


def _drift(hypotheses: Hypotheses, elo: float) -> float:
    """Return the drift of the ratio at this normalized Elo, in units of its variance: -1/2 at H0, +1/2 at H1."""
    return (elo - (hypotheses.elo0 + hypotheses.elo1) / 2) / (hypotheses.elo1 - hypotheses.elo0)
