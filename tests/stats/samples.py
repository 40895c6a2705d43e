"""Tables of games for the tests: written by hand, or drawn from the model with known strengths."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from harness.stats.results import SEATS, Results

Row = tuple[Sequence[int], Sequence[int]]


def table(rows: Sequence[Row], blocks: Sequence[int] | None = None, sides: Sequence[Sequence[int]] = ()) -> Results:
    """Games from (bots by seat, ranks by seat); by default a block each and a side each."""
    games = len(rows)
    seats = max([SEATS, *(len(who) for who, _ in rows)])
    bots = np.full((games, seats), -1, np.int16)
    ranks = np.full((games, seats), -1, np.int16)
    side = np.full((games, seats), -1, np.int8)
    for game, (who, rank) in enumerate(rows):
        bots[game, : len(who)] = who
        ranks[game, : len(who)] = rank
        side[game, : len(who)] = sides[game] if sides else range(len(who))
    players = (bots >= 0).sum(axis=1).astype(np.int8)
    block = np.arange(games) if blocks is None else np.asarray(blocks, np.int64)
    return Results(bots, ranks, side, players, block)


def orders(rankings: Sequence[Sequence[int]]) -> Results:
    """Games from bots in finish order."""
    return table([(ranking, range(1, len(ranking) + 1)) for ranking in rankings])


def beats(wins: npt.ArrayLike, ties: npt.ArrayLike | None = None) -> Results:
    """Duels from a matrix of wins of row over column and one of ties (upper triangle)."""
    rows: list[Row] = []
    for (one, two), count in np.ndenumerate(np.asarray(wins)):
        if one != two:
            rows += [((one, two), (1, 2))] * int(count)
    if ties is not None:
        for (one, two), count in np.ndenumerate(np.triu(ties, 1)):
            rows += [((one, two), (1, 1))] * int(count)
    return table(rows)


def rotated(
    rng: np.random.Generator,
    blocks: int,
    theta: npt.ArrayLike,
    players: int,
    luck: float = 0.0,
    seat: npt.ArrayLike = 0.0,
    coarse: float = 0.0,
    first_block: int = 0,
    fresh: float = 1.0,
) -> Results:
    """Draw rotated blocks of random line-ups from the model; six seats are three teams of two.

    `luck` is the spread of the cards of a seat, the same in all games of a block; `coarse` rounds the scores to
    multiples of itself, so that there are ties.

    Luck of that kind makes the better bots win less often, so the strengths the games show are not quite `theta`.
    With `fresh` below 1 the cards are drawn in another way, after which every single game follows the model with
    `theta` exactly: if S is positive stable of index a and G a Gumbel, a (log S + G) is a Gumbel too (Hougaard 1986).
    """
    theta = np.asarray(theta, np.float64)
    sides = 3 if players == 6 else players
    side = np.arange(players) % sides
    lineup = np.argsort(rng.random((blocks, len(theta))), axis=1)[:, :players]
    rotation = (np.arange(players) + np.arange(players)[:, None]) % players
    bots = lineup[:, rotation].reshape(-1, players)
    worth = (theta[bots])[:, :, None] * (side[:, None] == np.arange(sides))
    score = worth.sum(axis=1) + np.repeat(rng.normal(0, luck, (blocks, sides)), players, axis=0) + seat
    cards = np.repeat(log_stable(rng, fresh, (blocks, sides)), players, axis=0)
    score = score + fresh * (cards + rng.gumbel(size=score.shape))
    if coarse:
        score = np.round(score / coarse)
    rank = 1 + (score[:, :, None] < score[:, None, :]).sum(axis=2)
    games = len(bots)

    def padded(values: npt.NDArray[np.integer], dtype: type[np.signedinteger]) -> npt.NDArray[np.signedinteger]:
        wide = np.full((games, SEATS), -1, dtype)
        wide[:, :players] = values
        return wide

    return Results(
        padded(bots, np.int16),
        padded(rank[:, side], np.int16),
        padded(side, np.int8),
        np.full(games, players, np.int8),
        first_block + np.repeat(np.arange(blocks), players),
    )


def log_stable(rng: np.random.Generator, index: float, shape: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Logarithms of positive stable numbers (Kanter 1975): their Laplace transform is exp(-t^index)."""
    if index == 1.0:
        return np.zeros(shape)
    angle, wait = rng.uniform(0, np.pi, shape), rng.exponential(size=shape)
    rest = (1 - index) / index
    return (
        np.log(np.sin(index * angle))
        - np.log(np.sin(angle)) / index
        + rest * (np.log(np.sin((1 - index) * angle)) - np.log(wait))
    )


def joined(*tables: Results) -> Results:
    """All games of the tables."""
    names = ("bots", "ranks", "side", "players", "block")
    return Results(*(np.concatenate([getattr(part, name) for part in tables]) for name in names))
