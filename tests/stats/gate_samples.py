"""Gates drawn from a model with known strengths, and how they end."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.sequential import Decision, Hypotheses, Look, look

Floats = npt.NDArray[np.float64]

FIRST, STEP, BATCH = 64, 8, 512


def philox(*words: int) -> np.random.Generator:
    """A stream of its own for every few words."""
    return np.random.Generator(np.random.Philox(key=np.array([words[0], sum(words[1:])], np.uint64)))


@dataclass(frozen=True)
class World:
    """A table of `players` that score by strength, the cards of their seat, and chance.

    `luck` is the spread of the cards' worth; the cards are the same for candidate and baseline, chance is not. A game
    is won by the highest score, or shared by those within `level` of it.
    """

    players: int
    luck: float = 1.0
    level: float = 0.0

    def differences(self, rng: np.random.Generator, blocks: int, edge: float) -> Floats:
        """Draw the differences of blocks (B,) of a candidate that is `edge` stronger than the baseline."""
        seats = self.players
        others = rng.normal(0, 0.5, (blocks, seats - 1))
        lineup = (np.arange(seats) - np.arange(seats)[:, None]) % seats  # who sits where by rotation: 0 is ours
        cards = rng.normal(0, self.luck, (blocks, 1, seats))
        shares = []
        for strength in (edge / 2, -edge / 2):
            worth = np.concatenate([np.full((blocks, 1), strength), others], axis=1)[:, lineup]
            score = worth + cards + rng.gumbel(size=(blocks, seats, seats))
            first = score >= score.max(axis=2, keepdims=True) - self.level
            won = first / first.sum(axis=2, keepdims=True)
            shares.append(won[:, lineup == 0].mean(axis=1))
        return np.asarray(shares[0] - shares[1])

    def edge_for(self, effect: float, rng: np.random.Generator, blocks: int = 400_000) -> float:
        """Return the edge whose differences have this effect, mean / sd, small enough that it grows in proportion."""
        probe, batch = 0.3, min(blocks, 50_000)
        sums = np.zeros(2)
        for _ in range(blocks // batch):
            seen = self.differences(rng, batch, probe)
            sums += seen.mean(), (seen**2).mean()
        mean, square = sums / (blocks // batch)
        return float(probe * effect / (mean / np.sqrt(square - mean**2)))


def play_out(world: World, hypotheses: Hypotheses, edge: float, rng: np.random.Generator, most: int) -> list[Look]:
    """Look after the first and every further step until the gate decides or `most` blocks are over."""
    looks: list[Look] = []
    cells, counts = np.array([-1.0, 1.0]), np.zeros(2)
    for batch in range(0, most, BATCH):
        drawn = np.round(world.differences(rng, BATCH, edge), 9)
        merged, place = np.unique(np.concatenate([cells, drawn]), return_inverse=True)
        grown = np.zeros(len(merged))
        grown[place[: len(cells)]] = counts
        cells, counts = merged, grown
        for step in range(0, BATCH, STEP):
            counts = counts + np.bincount(place[-BATCH:][step : step + STEP], minlength=len(cells))
            if batch + step + STEP >= FIRST:
                looks.append(look(cells, counts, hypotheses))
                if looks[-1].decision is not Decision.OPEN:
                    return looks
    return looks
