"""What a model of strength foretells of games, in bits; and how often the best bot wins a match.

A bit is what a fair coin tells. Nobody who knows no more than the number of players foretells anything; who foretold
every order of n players would be told log2 n! bits a game.
"""

import math
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from harness.stats.balance import Estimate, ratio
from harness.stats.ratings import ELO, Ratings, fit
from harness.stats.results import SEATS, Floats, Results

_LONGEST = 150
_NOWHERE = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Bits:
    """What a model tells of each game, with blocks as the unit.

    | field     | meaning                                                                       |
    |-----------|-------------------------------------------------------------------------------|
    | per_game  | bits a game, with the 95 % interval; below 0 a model that misleads            |
    | most      | bits a game there would be to tell                                            |
    | r_squared | share of the log-likelihood without a model that the model saves (McFadden 1974) |
    """

    per_game: Estimate
    most: float
    r_squared: float


def bits(model: npt.ArrayLike, nothing: npt.ArrayLike, block: npt.ArrayLike) -> Bits:
    """Compare log-likelihoods (G,) of games by a model and without one; `block` (G,) is each game's block."""
    model, nothing = np.asarray(model, np.float64), np.asarray(nothing, np.float64)
    _, place = np.unique(np.asarray(block), return_inverse=True)
    gained = np.bincount(place, (model - nothing) / math.log(2))
    games = np.bincount(place)
    without = float(nothing.sum())
    return Bits(
        per_game=ratio(gained, games),
        most=-without / math.log(2) / len(nothing) if len(nothing) else math.nan,
        r_squared=1 - float(model.sum()) / without if without else math.nan,
    )


def order_likelihood(worth: npt.ArrayLike, ranks: npt.ArrayLike) -> Floats:
    """Return ln of the chance (G,) of finishing orders by log-worths `worth` (G, S) (Plackett 1975, Luce 1959).

    `ranks` (G, S): 1 is best, below 0 no side. Of tied sides no order is told, so the chance is the mean over the
    orders that they could have.
    """
    seated = np.asarray(ranks) >= 0
    place = np.where(seated, ranks, _NOWHERE).astype(np.int64)
    order = np.argsort(place, axis=1, kind="stable")
    place = np.take_along_axis(place, order, axis=1)
    eta = np.take_along_axis(np.where(seated, np.asarray(worth, np.float64), -np.inf), order, axis=1)
    value = _of_order(eta)
    tied = ((np.diff(place, axis=1) == 0) & (place[:, 1:] < _NOWHERE)).any(axis=1)
    if tied.any():
        sides = int(seated[tied].sum(axis=1).max())
        value[tied] = _over_ties(eta[tied, :sides], place[tied, :sides])
    return value


def first_likelihood(worth: npt.ArrayLike, ranks: npt.ArrayLike) -> Floats:
    """Return ln of the chance (G,) of the first place, arguments as in `order_likelihood`; of a shared one the mean."""
    seated = np.asarray(ranks) >= 0
    eta = np.where(seated, np.asarray(worth, np.float64), -np.inf)
    first = seated & (np.asarray(ranks) == np.where(seated, ranks, _NOWHERE).min(axis=1, keepdims=True))
    logs = eta - np.logaddexp.reduce(eta, axis=1, keepdims=True)
    return np.asarray(np.where(first, logs, 0.0).sum(axis=1) / first.sum(axis=1))


def side_worths(ratings: Ratings, results: Results) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return the log-worth of each side (G, 6) by the ratings, its seat's advantage included, and its rank, -1 none."""
    effects = ratings.seat_effects
    seat_worth = np.zeros((SEATS + 1, SEATS))
    seat_worth[effects.players, effects.seat] = effects.elo / ELO
    worth = np.zeros(results.bots.shape)
    ranks = np.full(results.bots.shape, -1, np.int64)
    for side in range(SEATS):
        member = results.side == side
        there = member.any(axis=1)
        lowest = member.argmax(axis=1)
        strength = np.where(member, ratings.theta[results.bots], 0.0).sum(axis=1)
        worth[:, side] = np.where(there, strength + seat_worth[results.players, lowest], 0.0)
        ranks[there, side] = results.ranks[there, lowest[there]]
    return worth, ranks


def held_out_bits(results: Results, bot_count: int, win_only: bool = False) -> Bits:
    """Return what ratings tell of games they were not made of: every block by ratings of the other half of the blocks.

    By the finishing order, or with `win_only` by who came first.
    """
    _, block = np.unique(results.block, return_inverse=True)
    stream = np.random.Generator(np.random.Philox(key=np.array([3, 0], np.uint64)))
    half = stream.permutation(int(block.max(initial=0)) + 1)[block] % 2
    likelihood = first_likelihood if win_only else order_likelihood
    model, nothing = np.empty(len(results)), np.empty(len(results))
    for own in (0, 1):
        ratings = fit(results.where(half != own), bot_count, anchor=None, win_only=win_only)
        worth, ranks = side_worths(ratings, results.where(half == own))
        model[half == own] = likelihood(worth, ranks)
        nothing[half == own] = likelihood(np.zeros_like(worth), ranks)
    return bits(model, nothing, results.block)


def match_win(chances: npt.ArrayLike, games: int) -> Floats:
    """Return each player's chance (n,) of most wins in a match of so many games, by its chance (n,) to win one.

    Games are independent; k players with equally many wins have 1/k each. At most 150 games.
    """
    win = np.asarray(chances, np.float64)
    if abs(win.sum() - 1) > 1e-9 or (win < 0).any() or not 1 <= games <= _LONGEST:
        raise ValueError(f"chances {win} should sum to 1, and games ({games}) lie between 1 and {_LONGEST}")
    falling = np.array([1 / math.factorial(wins) for wins in range(games + 1)])
    terms = win[:, None] ** np.arange(games + 1) * falling
    return np.array([_most_wins(terms, player, games) for player in range(len(win))]) * math.factorial(games)


def _most_wins(terms: Floats, player: int, games: int) -> float:
    """Return the chance of most wins, but for games!: by own wins, and how many others have as many."""
    others = np.delete(terms, player, axis=0)
    total = 0.0
    for wins in range(1, games + 1):
        left = games - wins
        by_level = np.zeros((len(others) + 1, left + 1))  # others with as many wins, games they have won
        by_level[0, 0] = 1.0
        for own in others:
            fewer = np.stack([np.convolve(row, own[: min(wins, left + 1)])[: left + 1] for row in by_level])
            level = np.zeros_like(by_level)
            if wins <= left:
                level[1:, wins:] = by_level[:-1, : left + 1 - wins] * own[wins]
            by_level = fewer + level
        total += terms[player, wins] * float((by_level[:, left] / np.arange(1, len(others) + 2)).sum())
    return total


def _of_order(eta: Floats) -> Floats:
    """Return ln of the chance that sides finish from left to right; -inf is no side."""
    left = np.logaddexp.accumulate(eta[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(np.where(np.isfinite(eta), eta - np.where(np.isfinite(left), left, 0.0), 0.0).sum(axis=1))


def _over_ties(eta: Floats, place: npt.NDArray[np.int64]) -> Floats:
    """Return ln of the mean chance over all orders that agree with the places."""
    found = np.full(len(eta), -np.inf)
    agreeing = np.zeros(len(eta))
    for sides in permutations(range(eta.shape[1])):
        agrees = (np.diff(place[:, sides], axis=1) >= 0).all(axis=1)
        found[agrees] = np.logaddexp(found[agrees], _of_order(eta[agrees][:, sides]))
        agreeing += agrees
    return np.asarray(found - np.log(agreeing))
