"""Draws of the ratings as other blocks would have made them, and the places bots may have by them."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammaincinv

from harness.stats.balance import FEW_BLOCKS
from harness.stats.maximum import climb
from harness.stats.ratings import Ratings
from harness.stats.results import Bools, Floats, Ints
from harness.stats.sameness import kinds, levels, order_of_blocks, order_of_bots
from harness.stats.uncertainty import difference_variance

DRAWS = 2000
REFITS = 200
"""Fits to blocks drawn with repetition, where there are few."""

_KEY, _REFIT_KEY = 0x6472617773, 0x7265666974
_REFIT_TOLERANCE = 1e-3  # of the last step, so the error is far below a bootstrap's own
_REFIT_PRIOR = 0.5
"""Games with the ghost in a refit, at least: blocks drawn again may leave a bot that lost nothing."""


@dataclass(frozen=True, eq=False)
class Ranks:
    """Places of N bots, 1 best; a bot without games stands behind all others.

    | field     | dtype   | meaning                                                                              |
    |-----------|---------|--------------------------------------------------------------------------------------|
    | lo, hi    | int64   | best and worst place, 95 % interval                                                  |
    | best      | float64 | chance that it is the strongest                                                      |
    | top_three | float64 | chance that it is one of the three strongest                                         |
    | contender | bool    | not surely weaker than the best: all comparisons together err in 5 % of ladders      |
    """

    lo: Ints
    hi: Ints
    best: Floats
    top_three: Floats
    contender: Bools


def rank(ratings: Ratings) -> Ranks:
    """Return the places of the bots by the bootstrap; each draw ranks the bots that played.

    Bots of one kind, which the data treat alike, share their draws: so they have the same chances and places.

    The set of contenders is that of all comparisons whose |t| none exceeds in 95 % of the draws (max-|t|).
    """
    kind = _kinds(ratings)
    order = order_of_bots(kind, ratings.covariance)
    played = order[ratings.games[order] > 0]
    count = len(ratings.games)
    lo, hi = np.full(count, len(played) + 1), np.full(count, count)
    best, top_three, contender = np.zeros(count), np.zeros(count), np.zeros(count, np.bool_)
    if len(played):
        moved = draws(ratings)[:, played]
        elo = ratings.elo[played]
        places = np.vstack([_places(elo + moved), _places(levels(elo)[None])])
        for alike in np.unique(kind[played]):
            own = np.flatnonzero(kind[played] == alike)
            bots = played[own]
            lo[bots], hi[bots] = np.quantile(places[:, own], [0.025, 0.975], method="inverted_cdf")
            best[bots] = np.mean(places[:-1, own] == 1)
            top_three[bots] = np.mean(places[:-1, own] <= 3)
        contender[played] = _contenders(elo, moved, ratings.covariance[np.ix_(played, played)])
    return Ranks(lo, hi, best, top_three, contender)


def draws(ratings: Ratings) -> Floats:
    """Return by how much Elo each of DRAWS bootstrap draws moves the bots (DRAWS, N).

    From 50 blocks on one step: sum of (w - 1) times the influence of the bundles, w multinomial. With fewer, the model
    is fitted again to blocks drawn with repetition. The part of the errors that does not come from blocks is added as
    normal noise, and the tails are those of t with each bot's blocks - 1 degrees of freedom where they are fewer than
    50: so the draws spread as `Ratings.covariance` and its intervals say. Random numbers fall to blocks and bots in an
    order that comes from the results (`sameness`), so names change no draw.
    """
    order = _order(ratings)
    generator = np.random.Generator(np.random.Philox(key=_KEY))
    moved = np.zeros((DRAWS, len(ratings.elo)))
    if ratings.block_count >= FEW_BLOCKS:
        bundles = len(ratings.influence)
        weights = generator.multinomial(bundles, np.full(bundles, 1.0 / bundles), size=DRAWS)
        influence = ratings.influence[_blocks_in_order(ratings, order)]
        moved += np.sqrt(bundles / (bundles - 1.0)) * ((weights - 1.0) @ influence)
    elif ratings.block_count > 1:
        moved += refits(ratings)[np.arange(DRAWS) % REFITS]
    values, vectors = np.linalg.eigh(ratings.supplement[np.ix_(order, order)])
    root = (np.sqrt(np.maximum(values, 0.0)) * vectors) @ vectors.T  # the one that no choice of axes changes
    moved[:, order] += generator.standard_normal(moved.shape) @ root
    return moved * _tails(generator.random(DRAWS), ratings.blocks)


def refits(ratings: Ratings) -> Floats:
    """Return how far, in Elo, fits to as many blocks drawn with repetition move the bots (REFITS, N), less the mean."""
    generator = np.random.Generator(np.random.Philox(key=_REFIT_KEY))
    fitted = ratings.fitted
    model = replace(fitted.model, prior=max(fitted.model.prior, _REFIT_PRIOR))
    blocks = ratings.block_count
    block = _blocks_in_order(ratings, _order(ratings))
    fits = np.empty((REFITS, model.layout.size))
    for params in fits:
        times = np.bincount(block[generator.integers(0, blocks, blocks)], minlength=blocks)
        again = fitted.finishes._replace(times=times[fitted.finishes.block])
        params[:] = climb(again.take(again.times > 0), model, fitted.maximum.params, _REFIT_TOLERANCE).params
    elo = ratings.elo_of(fits)
    return np.asarray(np.sqrt(blocks / (blocks - 1.0)) * (elo - elo.mean(axis=0)))


def _kinds(ratings: Ratings) -> Ints:
    counts = ratings.games, ratings.seats, ratings.blocks
    return kinds(np.column_stack([ratings.theta, *counts, ratings.wins]), ratings.covariance)


def _order(ratings: Ratings) -> Ints:
    return order_of_bots(_kinds(ratings), ratings.covariance)


def _blocks_in_order(ratings: Ratings, order: Ints) -> Ints:
    return order_of_blocks(ratings.influence[:, order])


def _tails(chance: Floats, blocks: Ints) -> Floats:
    """Return the factors (DRAWS, N) that make normal draws those of t: sqrt(df / chi-square), one chance a draw."""
    factors = np.ones((len(chance), len(blocks)))
    for few in np.unique(blocks[(blocks < FEW_BLOCKS) & (blocks > 0)]):
        freedom = max(few - 1.0, 1.0)
        chi_square = 2.0 * gammaincinv(freedom / 2.0, chance)
        factors[:, blocks == few] = np.sqrt(freedom / np.maximum(chi_square, 1e-12))[:, None]
    return factors


def _places(elo: Floats | Ints) -> Ints:
    """Return the place (R, N) of each bot in each row (R, N), 1 for the highest."""
    order = np.argsort(-elo, axis=1, kind="stable")
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.arange(1, elo.shape[1] + 1)[None], axis=1)
    return places


def _contenders(elo: Floats, moved: Floats, covariance: Floats) -> Bools:
    error = np.sqrt(np.maximum(difference_variance(covariance), 1e-12))
    largest = np.zeros(len(moved))
    for bot in range(len(elo)):
        largest = np.maximum(largest, (np.abs(moved - moved[:, [bot]]) / error[bot]).max(axis=1))
    gap = (elo[:, None] - elo) / error
    return np.asarray(gap.max(axis=0) <= np.quantile(largest, 0.95))
