"""Simulated ladders with known strengths, and how often the intervals hold them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from stats.samples import joined, rotated

from harness.stats.balance import critical
from harness.stats.ratings import ELO, Ratings, fit
from harness.stats.results import Results

THETA = np.array([-0.6, -0.4, -0.2, 0.0, 0.0, 0.2, 0.4, 0.6])
SEATS = {
    2: np.array([0.1, -0.1]),
    3: np.array([0.15, 0.0, -0.15]),
    4: np.array([0.2, 0.1, -0.1, -0.2]),
    5: np.array([0.2, 0.1, 0.0, -0.1, -0.2]),
    6: np.array([0.15, 0.0, -0.15]),
}
FRESH = 0.7
"""Share of the noise that is new in each game; the cards of a seat are as large a part."""


@dataclass(frozen=True)
class Coverage:
    """Shares of 95 % intervals that hold the truth: ratings, seats, ratings by the model alone; the median design
    effect; and the figures behind the first.
    """

    ratings: float
    seats: float
    naive: float
    design_effect: float
    count: int


def ladder(rng: np.random.Generator, sizes: list[int], blocks: int, coarse: float) -> Results:
    """Rotated blocks of each table size, with seats, cards and, if `coarse`, ties."""
    return joined(
        *(rotated(rng, blocks, THETA, size, 0.0, SEATS[size], coarse, 1_000_000 * size, FRESH) for size in sizes)
    )


def truth(sizes: list[int], blocks: int, coarse: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Strengths and seat effects, Elo: those put in, or with ties, which come of rounding and not of the model, those
    that a ladder of very many more blocks shows.
    """
    if coarse:
        endless = fit(ladder(np.random.default_rng(99), sizes, 100 * blocks, coarse), len(THETA), 0)
        return ELO * endless.theta, endless.seat_effects.elo
    return ELO * (THETA - THETA.mean()), ELO * np.concatenate([SEATS[size] for size in sizes])


def measure(sizes: list[int], blocks: int, coarse: float, ladders: int, seed: int) -> Coverage:
    """Rate `ladders` simulated ladders and count what the intervals hold."""
    rng = np.random.default_rng([seed, *sizes, blocks])
    theta, seat = truth(sizes, blocks, coarse)
    held, held_seats, naive, effects = [], [], [], []
    for _ in range(ladders):
        ratings = fit(ladder(rng, sizes, blocks, coarse), len(THETA), 0)
        held.append(np.abs(ELO * ratings.theta - theta) < (ratings.hi - ratings.lo) / 2)
        held_seats.append((ratings.seat_effects.lo < seat) & (seat < ratings.seat_effects.hi))
        naive.append(np.abs(ratings.theta - theta / ELO) < naive_half(ratings))
        effects.append(np.median(ratings.design_effect[np.triu_indices(len(THETA), 1)]))
    shares = (float(np.mean(part)) for part in (held, held_seats, naive))
    return Coverage(*shares, float(np.median(effects)), ladders * len(THETA))


def naive_half(ratings: Ratings) -> npt.NDArray[np.float64]:
    """Half the interval that takes all games for independent, log-worths."""
    return critical(0.95, ratings.game_count) * np.sqrt(np.diag(ratings.model_covariance))


def fresh_deals(rng: np.random.Generator, luck: float, deals: int) -> Results:
    """A new deal every game."""
    games = rotated(rng, 4 * deals, np.zeros(8), 4, luck)
    games = games.where(np.arange(len(games)) % 4 == 0)
    return replace(games, block=np.arange(len(games)))


def duplicates(rng: np.random.Generator, luck: float, deals: int) -> Results:
    """Every deal played in all rotations of the same four bots."""
    return rotated(rng, deals, np.zeros(8), 4, luck)


def repeats(rng: np.random.Generator, luck: float, deals: int) -> Results:
    """Every deal played four times by the same bots in the same seats."""
    cards = np.repeat(rng.normal(0, luck, (deals, 4)), 4, axis=0)
    lineup = np.repeat(np.argsort(rng.random((deals, 8)), axis=1)[:, :4], 4, axis=0)
    return _scored(lineup, cards + rng.gumbel(size=cards.shape), np.repeat(np.arange(deals), 4))


def fresh_lineups(rng: np.random.Generator, luck: float, deals: int) -> Results:
    """Every deal played four times by other bots."""
    cards = np.repeat(rng.normal(0, luck, (deals, 4)), 4, axis=0)
    lineup = np.argsort(rng.random((4 * deals, 8)), axis=1)[:, :4]
    return _scored(lineup, cards + rng.gumbel(size=cards.shape), np.repeat(np.arange(deals), 4))


Design = Callable[[np.random.Generator, float, int], Results]
DESIGNS: dict[str, Design] = {
    "new deal every game": fresh_deals,
    "rotated duplicate, same 4 bots": duplicates,
    "same deal, same seats x4": repeats,
    "same deal, fresh line-ups x4": fresh_lineups,
}


def measure_design(design: Design, luck: float, deals: int, ladders: int, seed: int) -> tuple[float, float, float]:
    """Return the median design effect, and what naive intervals and those from blocks hold, of 8 equal bots at tables
    of four; seats are left out of the model.
    """
    rng = np.random.default_rng([seed, int(10 * luck)])
    effects, naive, held = [], [], []
    for _ in range(ladders):
        ratings = fit(design(rng, luck, deals), 8, 0, seat_terms=False)
        effects.append(np.mean(ratings.design_effect[np.triu_indices(8, 1)]))
        naive.append(np.abs(ratings.theta) < naive_half(ratings))
        held.append(np.abs(ELO * ratings.theta) < (ratings.hi - ratings.lo) / 2)
    return float(np.mean(effects)), float(np.mean(naive)), float(np.mean(held))


def _scored(lineup: npt.NDArray[np.int64], score: npt.NDArray[np.float64], block: npt.NDArray[np.int64]) -> Results:
    rank = 1 + (score[:, :, None] < score[:, None, :]).sum(axis=2)
    padding = ((0, 0), (0, 2))
    wide = [
        np.pad(part, padding, constant_values=-1) for part in (lineup, rank, np.tile(np.arange(4), (len(score), 1)))
    ]
    bots, ranks, side = wide[0].astype(np.int16), wide[1].astype(np.int16), wide[2].astype(np.int8)
    return Results(bots, ranks, side, np.full(len(score), 4, np.int8), block)
