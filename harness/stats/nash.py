"""Who is best where strengths go in circles: Nash averaging and alpha-rank.

Both read a table of advantages or payoffs, row against column. A mean over opponents depends on who happens to be in
the pool; five clones of a weak bot lift whoever beats it. Nash averaging weighs the opponents as an equilibrium does,
so that clones share one weight. Alpha-rank asks how long a population that imitates success plays each strategy.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog, minimize
from scipy.special import logsumexp, softmax

from harness.stats.results import Floats

_LEVEL = 1e-6
_STARTS = 4


@dataclass(frozen=True, eq=False)
class NashAverage:
    """Arrays (N,): `weights` of the equilibrium of greatest entropy, sum 1, and each bot's `skill` against it.

    Bots that the equilibrium plays have skill 0; no bot has more.
    """

    weights: Floats
    skill: Floats


@dataclass(frozen=True, eq=False)
class NashSpread:
    """How far chance moves a Nash average; arrays (N,).

    `played`: in what share of the draws the equilibrium plays the bot. `skill_lo`, `skill_hi`: 95 % interval.
    """

    played: Floats
    skill_lo: Floats
    skill_hi: Floats


def nash_average(advantage: npt.ArrayLike) -> NashAverage:
    """Average advantages (N, N), row over column and antisymmetric, by their equilibrium (Balduzzi and others 2018).

    Raises `ValueError` for a table that is not antisymmetric.
    """
    table = np.asarray(advantage, np.float64)
    if table.ndim != 2 or not np.array_equal(table, -table.T):
        raise ValueError("the advantages should be an antisymmetric table: what row has over column, column lacks")
    scale = np.abs(table).max(initial=0.0)
    if scale == 0:
        return NashAverage(np.full(len(table), 1 / len(table)), np.zeros(len(table)))
    weights = _most_even(table / scale, _played(table / scale))
    return NashAverage(weights, table @ weights)


def nash_spread(advantage: npt.ArrayLike, noise: npt.ArrayLike) -> NashSpread:
    """Average the advantages (N, N) with each draw of noise (K, N, N) added to them, all antisymmetric."""
    found = [nash_average(np.asarray(advantage, np.float64) + draw) for draw in np.asarray(noise, np.float64)]
    lo, hi = np.quantile([one.skill for one in found], (0.025, 0.975), axis=0)
    return NashSpread(np.mean([one.weights > _LEVEL for one in found], axis=0), lo, hi)


def _played(table: Floats) -> npt.NDArray[np.bool_]:
    """Return which bots some equilibrium plays: of all weights q >= 0 with table q <= 0, the most that are above 0."""
    size = len(table)
    identity = np.eye(size)
    found = linprog(
        np.concatenate([np.zeros(size), -np.ones(size)]),
        A_ub=np.block([[table, np.zeros((size, size))], [-identity, identity]]),
        b_ub=np.zeros(2 * size),
        bounds=[*[(0, None)] * size, *[(0, 1)] * size],
    )
    assert found.x is not None, found.message
    return np.asarray(found.x[size:] > 0.5)


def _most_even(table: Floats, played: npt.NDArray[np.bool_]) -> Floats:
    """Return the equilibrium of greatest entropy among those that play these bots.

    It is the softmax of prices times the table, one price for each bot that must not gain by it: of either sign for
    bots that are played, which gain exactly 0, and not negative for others. The prices minimise a convex function.
    """
    rows = table[:, played]

    def dual(prices: Floats) -> tuple[float, Floats]:
        odds = -prices @ rows
        return float(logsumexp(odds)), -rows @ softmax(odds)

    bounds = [(None, None) if own else (0, None) for own in played]
    weights, prices = np.zeros(len(table)), np.zeros(len(table))
    for _ in range(_STARTS):  # a search that lost its way begins anew where it stopped
        found = minimize(
            dual,
            prices,
            jac=True,
            bounds=bounds,
            method="L-BFGS-B",
            options={"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-17, "gtol": 1e-11, "maxcor": 30},
        )
        prices = np.asarray(found.x, np.float64)
        weights[played] = softmax(-prices @ rows)
        if (table @ weights).max() <= _LEVEL:
            return weights
    raise RuntimeError(f"the equilibrium was not reached: somebody gains {(table @ weights).max()} by it")


def alpha_rank(payoffs: npt.ArrayLike, intensity: float, population: int = 50) -> Floats:
    """Return the share of time (N,) in which a population plays each strategy (Omidshafiei and others 2019).

    `payoffs` (N, N) are of row against column, any numbers. One of `population` players at a time takes up another's
    strategy, with odds exp(`intensity` times the gain); now and then a new strategy comes up and takes over or dies
    out. High intensities keep only what cannot be displaced.
    """
    log_rates = _log_fixation(np.asarray(payoffs, np.float64), intensity, population)
    return _stationary(log_rates)


def alpha_sweep(payoffs: npt.ArrayLike, intensities: npt.ArrayLike, population: int = 50) -> Floats:
    """Return the shares of `alpha_rank` at each of the intensities (K,), (K, N)."""
    return np.stack([alpha_rank(payoffs, float(intensity), population) for intensity in np.asarray(intensities)])


def _log_fixation(table: Floats, intensity: float, population: int) -> Floats:
    """Return ln of the chance that one player of the column's strategy takes over a population of the row's, (N, N)."""
    own = np.diag(table)
    mutants = np.arange(1, population)[:, None, None]
    against_row = table.T[None]
    mutant = (mutants - 1) * own[None, None, :] + (population - mutants) * against_row
    resident = mutants * table[None] + (population - mutants - 1) * own[None, :, None]
    gain = (mutant - resident) / (population - 1)
    hurdles = np.cumsum(-intensity * gain, axis=0)
    none = np.zeros((1, *table.shape))
    return np.asarray(-logsumexp(np.concatenate([none, hurdles]), axis=0))


def _stationary(log_rates: Floats) -> Floats:
    """Return the stationary shares of a Markov chain by the logarithms of its rates, from row to column.

    States are taken out one by one without any subtraction (Grassmann, Taksar and Heyman 1985), so that logarithms
    will do, and rates of any size keep their digits.
    """
    rates = log_rates.copy()
    size = len(rates)
    leaves = np.zeros(size)
    for state in range(size - 1, 0, -1):
        leaves[state] = logsumexp(rates[state, :state])
        through = rates[:state, state, None] + rates[state, :state] - leaves[state]
        rates[:state, :state] = np.logaddexp(rates[:state, :state], through)
    shares = np.zeros(size)
    for state in range(1, size):
        shares[state] = logsumexp(shares[:state] + rates[:state, state]) - leaves[state]
    return softmax(shares)
