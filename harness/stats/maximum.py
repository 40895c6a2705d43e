"""The top of the posterior: which parameters the data call for, the prior, and Newton's way up."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag, helmert

from harness.compiled import kernel
from harness.stats.likelihood import Layout
from harness.stats.results import SEATS, Finishes, Floats, Ints
from harness.stats.totals import evaluate

_STEPS = 200
_HALVINGS = 40
_TOLERANCE = 1e-7  # of the last step; the one after it would be of the order of its square
_THINNING = 20


@dataclass(frozen=True, eq=False)
class Model:
    """The parameters of one fit and their prior.

    | field    | shape, dtype         | meaning                                                    |
    |----------|----------------------|------------------------------------------------------------|
    | layout   | Layout               | where each parameter stands                                |
    | seats    | (Q, 2) int64         | players and lowest seat of each seat term                  |
    | orders   | (T,) int64           | tie orders seen                                            |
    | groups   | (7,) int64           | stages that ended with this many sides tied (1: no tie)    |
    | basis    | (P, P - g) float64   | orthonormal; the vectors whose g sums to zero hold         |
    | trials   | (R, P) float64       | the prior's fair trials: a row is the log-odds of one      |
    | offsets  | (R,) float64         | taken off these log-odds                                   |
    | prior    | float                | successes, and failures, added to each of these trials     |
    """

    layout: Layout
    seats: Ints
    orders: Ints
    groups: Ints
    basis: Floats
    trials: Floats
    offsets: Floats
    prior: float


@dataclass(frozen=True, eq=False)
class Maximum:
    """Parameters (P,) at the top of the posterior; its curvature, and that of the data alone, both (P, P)."""

    params: Floats
    information: Floats
    data_information: Floats


def build_model(finishes: Finishes, bot_count: int, prior: float, seat_terms: bool, win_only: bool) -> Model:
    """Lay out the parameters: bots, ghost, a term for every seat seen (if wanted) and for every tie order seen.

    The prior adds to the data, as fair trials with `prior` successes and as many failures: each bot against a ghost
    whose strength is free (Turner et al. 2020), each seat term against zero, each tie term against the odds of one
    tie in two decisions between equals. So every estimate is finite.
    """
    stages = 1 if win_only else SEATS
    groups = _count_groups(finishes, stages)
    orders = np.flatnonzero(groups[2:]) + 2
    seats = _seats_seen(finishes) if seat_terms else np.empty((0, 2), np.int64)
    size = bot_count + 1 + len(seats) + len(orders)

    seat = np.full((SEATS + 1, SEATS), -1, np.int64)
    seat[seats[:, 0], seats[:, 1]] = bot_count + 1 + np.arange(len(seats))
    tie = np.full(SEATS + 1, -1, np.int64)
    tie[orders] = size - len(orders) + np.arange(len(orders))
    rests = np.arange(2 ** (SEATS - 1))
    sides = np.bitwise_count(rests).astype(np.int64) + 1
    allowed = (sides == 1) | (tie[sides] >= 0)
    layout = Layout(bot_count, size, seat, tie, rests[allowed], sides[allowed], stages)

    trials = np.eye(size)
    trials[:bot_count, bot_count] = -1.0
    trials = np.delete(trials, bot_count, axis=0)
    offsets = np.zeros(size - 1)
    offsets[size - 1 - len(orders) :] = np.log(2.0)
    return Model(layout, seats, orders, groups, _basis(bot_count, seats, len(orders)), trials, offsets, prior)


def maximise(finishes: Finishes, model: Model) -> Maximum:
    """Climb to the one maximum by Newton's method with step halving, for many blocks first on every 20th of them.

    Raises `RuntimeError` if it is not reached: the posterior is concave, so that is a fault of this code.
    """
    params = _start(model)
    if finishes.blocks > 100 * _THINNING:
        kept = finishes.block % _THINNING == 0
        params = _climb(Finishes(*(column[kept] for column in finishes)), model, params).params
    return _climb(finishes, model, params)


def _climb(finishes: Finishes, model: Model, params: Floats) -> Maximum:
    value, score, information, data_information = _posterior(finishes, model, params)
    for _ in range(_STEPS):
        reduced = model.basis.T @ information @ model.basis
        step = model.basis @ np.linalg.solve(reduced, model.basis.T @ score)
        if np.abs(step).max(initial=0.0) < _TOLERANCE:
            return Maximum(params + step, information, data_information)
        for _ in range(_HALVINGS):
            risen = _posterior(finishes, model, params + step)
            if risen[0] >= value - 1e-11 * abs(value):
                break
            step = step / 2
        else:
            raise RuntimeError("the rating fit found no way up: its score and its value disagree")
        params = params + step
        value, score, information, data_information = risen
    raise RuntimeError(f"the rating fit did not converge in {_STEPS} Newton steps")


def prior_terms(model: Model, params: Floats) -> tuple[float, Floats, Floats]:
    """Return the log-density of the prior, its score (P,) and its information (P, P)."""
    odds = model.trials @ params - model.offsets
    value = -model.prior * float(np.sum(np.logaddexp(0.0, odds) + np.logaddexp(0.0, -odds)))
    score = -model.prior * (model.trials.T @ np.tanh(odds / 2))
    weights = model.prior / 2 / np.cosh(np.clip(odds, -600.0, 600.0) / 2) ** 2
    return value, score, model.trials.T @ (weights[:, None] * model.trials)


def _posterior(finishes: Finishes, model: Model, params: Floats) -> tuple[float, Floats, Floats, Floats]:
    value, score, data_information = evaluate(finishes, model.layout, params)
    prior_value, prior_score, prior_information = prior_terms(model, params)
    return value + prior_value, score + prior_score, data_information + prior_information, data_information


def _start(model: Model) -> Floats:
    """All equal, and the ties as frequent as they were."""
    params = np.zeros(model.layout.size)
    stages = model.groups.sum()
    for order in model.orders:
        ties = model.groups[order]
        params[model.layout.tie[order]] = np.log(2.0 * ties / (stages - ties + 1.0))
    return params


def _basis(bot_count: int, seats: Ints, ties: int) -> Floats:
    tables = [helmert(np.count_nonzero(seats[:, 0] == players)).T for players in np.unique(seats[:, 0])]
    return np.asarray(block_diag(helmert(bot_count).T, np.eye(1), *tables, np.eye(ties)), np.float64)


def _seats_seen(finishes: Finishes) -> Ints:
    seen = np.zeros((SEATS + 1, SEATS), np.bool_)
    for seat in range(SEATS):
        players = finishes.players[(finishes.first == seat).any(axis=1)]
        seen[np.unique(players), seat] = True
    return np.argwhere(seen)


@kernel
def _count_groups(finishes: Finishes, stages: int) -> Ints:
    """Count the stages by how many sides they placed at once."""
    groups = np.zeros(SEATS + 1, np.int64)
    for game in range(len(finishes.block)):
        sides = finishes.sides[game]
        start = 0
        stage = 0
        while start < sides - 1 and stage < stages:
            end = start + 1
            while end < sides and finishes.tied[game, end]:
                end += 1
            groups[end - start] += 1
            start = end
            stage += 1
    return groups
