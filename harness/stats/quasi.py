"""Standard errors one to a bot from which the error of any difference can be read."""

import numpy as np
from scipy.optimize import least_squares

from harness.stats.results import Floats
from harness.stats.uncertainty import difference_variance


def quasi_errors(covariance: Floats) -> Floats:
    """Return quasi standard errors q (N,): the difference of i and j has an error of about sqrt(q_i^2 + q_j^2).

    They make the squared logarithms of the ratios of these variances to the true ones least (Firth and de Menezes
    2004). They do not depend on where zero is put. Two bots share all there is in one difference, so half each.
    """
    bots = len(covariance)
    one, two = np.triu_indices(bots, 1)
    if bots < 2:
        return np.sqrt(np.maximum(np.diag(covariance), 0.0))
    target = np.log(np.maximum(difference_variance(covariance)[one, two], 1e-12))
    rows = np.arange(len(one))

    def miss(logs: Floats) -> Floats:
        variance = np.exp(logs)
        return np.asarray(np.log(variance[one] + variance[two]) - target)

    def slope(logs: Floats) -> Floats:
        variance = np.exp(logs)
        matrix = np.zeros((len(one), bots))
        total = variance[one] + variance[two]
        matrix[rows, one], matrix[rows, two] = variance[one] / total, variance[two] / total
        return matrix

    start = np.full(bots, np.mean(target) - np.log(2.0))
    return np.asarray(np.exp(least_squares(miss, start, slope, xtol=1e-12, ftol=1e-12, gtol=1e-12).x / 2))
