"""Tournaments of bots that suit some opponents better than others."""

import numpy as np
import numpy.typing as npt

from harness.stats.results import SEATS, Results

Floats = npt.NDArray[np.float64]


def circle(bots: int, size: float, who: tuple[int, int, int] = (0, 1, 2)) -> Floats:
    """How much better (row) does against (column): three bots in a circle, all others as their strength says."""
    suits = np.zeros((bots, bots))
    for one, other in zip(who, (*who[1:], who[0]), strict=True):
        suits[one, other], suits[other, one] = size, -size
    return suits


def matched(
    rng: np.random.Generator, blocks: int, strength: npt.ArrayLike, suits: Floats, players: int, luck: float = 0.0
) -> Results:
    """Draw rotated blocks of random lineups: a score is strength, what suits against each other one at the table, the
    cards of the seat (spread `luck`, the same in all games of a block), and chance.
    """
    lineup = np.argsort(rng.random((blocks, len(np.asarray(strength)))), axis=1)[:, :players]
    return played(rng, lineup, strength, suits, luck)


def played(
    rng: np.random.Generator, lineup: npt.NDArray[np.int64], strength: npt.ArrayLike, suits: Floats, luck: float = 0.0
) -> Results:
    """Draw rotated blocks of these lineups (B, players), scored as in `matched`."""
    strength = np.asarray(strength, np.float64)
    blocks, players = lineup.shape
    rotation = (np.arange(players) + np.arange(players)[:, None]) % players
    bots = lineup[:, rotation].reshape(-1, players)
    worth = strength[bots] + suits[bots[:, :, None], bots[:, None, :]].sum(axis=2) / 2
    score = worth + np.repeat(rng.normal(0, luck, (blocks, players)), players, axis=0) + rng.gumbel(size=worth.shape)
    wide = np.full((3, len(bots), SEATS), -1, np.int16)
    wide[0, :, :players] = bots
    wide[1, :, :players] = 1 + (score[:, :, None] < score[:, None, :]).sum(axis=2)
    wide[2, :, :players] = np.arange(players)
    return Results(
        wide[0],
        wide[1],
        wide[2].astype(np.int8),
        np.full(len(bots), players, np.int8),
        np.repeat(np.arange(blocks), players),
    )
