"""The top of the posterior, and Newton's way up."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from harness.stats.model import Model
from harness.stats.results import Finishes, Floats, gathered
from harness.stats.totals import evaluate

_STEPS = 200
_HALVINGS = 40
_TOLERANCE = 1e-7  # of the last step; the one after it would be of the order of its square
_ROUNDING = 1e-11  # of a value, by which it may seem to fall
_NO_GAIN = 1e-16  # of a value: a step that promises less is rounding, where the likelihood is all but flat
_STRIDE = 10.0  # log-worth that one step moves at most: far from the top the curvature says little
_THINNING = 20


@dataclass(frozen=True, eq=False)
class Maximum:
    """The top of the posterior.

    | field            | shape, dtype   | meaning                                                      |
    |------------------|----------------|--------------------------------------------------------------|
    | params           | (P,) float64   | where it is                                                  |
    | log_likelihood   | float          | of the data alone                                            |
    | information      | (P, P) float64 | minus the curvature of the posterior; flat along the gauge   |
    | data_information | (P, P) float64 | minus the curvature of the data's log-likelihood             |
    """

    params: Floats
    log_likelihood: float
    information: Floats
    data_information: Floats


def maximise(finishes: Finishes, model: Model) -> Maximum:
    """Climb to the one maximum by Newton's method with step halving, for many blocks first on every 20th of them.

    Raises `RuntimeError` if it is not reached: the posterior is concave, so that is a fault of this code.
    """
    params = _start(model)
    if finishes.blocks > 100 * _THINNING:
        kept = finishes.block % _THINNING == 0
        params = climb(gathered(finishes.take(kept)), model, params).params
    return climb(gathered(finishes), model, params)


def climb(finishes: Finishes, model: Model, params: Floats, tolerance: float = _TOLERANCE) -> Maximum:
    """Climb from `params` (P,) to the maximum, until a step is below `tolerance`; otherwise as `maximise`."""
    here = _posterior(finishes, model, params)
    for _ in range(_STEPS):
        step = _levelled(model, solve(model, here.information, here.score))
        gain = here.score @ step / 2
        if np.abs(step).max(initial=0.0) < tolerance or gain < _NO_GAIN * (1.0 + abs(here.value)):
            return Maximum(params + step, here.data_value, here.information, here.data_information)
        step = step / max(1.0, np.abs(step).max() / _STRIDE)
        for _ in range(_HALVINGS):
            risen = _posterior(finishes, model, params + step)
            if np.isfinite(risen.value) and risen.value >= here.value - _ROUNDING * (1.0 + abs(here.value)):
                break
            step = step / 2
        else:
            raise RuntimeError("the rating fit found no way up: its score and its value disagree")
        params, here = params + step, risen
    raise RuntimeError(f"the rating fit did not converge in {_STEPS} Newton steps")


def solve(model: Model, information: Floats, right: Floats) -> Floats:
    """Return x with information @ x = right, the sums of the model's gauge held at 0; `right` is (P,) or (P, K).

    The information is flat along the gauge: all strengths may rise together. The gauge's own outer product fills it.
    """
    weight = np.trace(information) / len(information)
    filled = information + weight * (model.gauge.T @ model.gauge)
    return np.asarray(cho_solve(cho_factor(filled), right), np.float64)


def _levelled(model: Model, step: Floats) -> Floats:
    """Return the step (P,) less its mean over each set of bots that met no other: there the way is flat but for the
    ridge, on whose top the sums are 0, and what moves them is rounding.
    """
    return np.asarray(step - (model.apart @ step / model.apart.sum(axis=1)) @ model.apart)


def prior_terms(model: Model, params: Floats) -> tuple[float, Floats, Floats]:
    """Return the log-density of the prior, its score (P,) and its information (P, P)."""
    value, score, information = evaluate(model.ghosts, model.layout, params)
    return (
        model.prior * value - float(model.ridge @ params**2) / 2,
        model.prior * score - model.ridge * params,
        model.prior * information + np.diag(model.ridge),
    )


@dataclass(frozen=True, eq=False)
class _Point:
    value: float
    score: Floats
    information: Floats
    data_value: float
    data_information: Floats


def _posterior(finishes: Finishes, model: Model, params: Floats) -> _Point:
    value, score, information = evaluate(finishes, model.layout, params)
    prior_value, prior_score, prior_information = prior_terms(model, params)
    return _Point(value + prior_value, score + prior_score, information + prior_information, value, information)


def _start(model: Model) -> Floats:
    """All equal, and the ties as frequent as they were."""
    params = np.zeros(model.layout.size)
    stages = model.groups.sum()
    for order in model.orders:
        ties = model.groups[order]
        params[model.layout.tie[order]] = np.log(2.0 * ties / (stages - ties + 1.0))
    return params
