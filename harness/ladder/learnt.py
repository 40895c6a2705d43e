"""What the stored games tell those who plan the next ones: ratings, and who is out."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from harness.game.layout import SEATS
from harness.ladder.manifest import Manifest
from harness.ladder.standing import STANDING_COLUMNS, standing
from harness.stats.information import PRIOR, expected_information, unknown
from harness.stats.ratings import Ratings, fit
from harness.stats.results import Floats, Ints, Results

LEARNT_COLUMNS = ["players", *STANDING_COLUMNS, *(f"rated{seat}" for seat in range(SEATS))]
"""Columns of the stored games that planning needs, beside table, block and rotation."""


@dataclass(frozen=True, eq=False)
class Learnt:
    """What games tell of N bots.

    theta: (N,), log-worths. covariance: (N, N), as the model expects of so many games with such lineups. ratings: None
    before any game. out: bots that are out of the run.
    """

    theta: Floats
    covariance: Floats
    ratings: Ratings | None
    out: tuple[int, ...]


def learn(manifest: Manifest, games: pd.DataFrame | None) -> Learnt:
    """Rate the stored games (at least LEARNT_COLUMNS), in schedule order; None where there are none."""
    bots = len(manifest.bots)
    if games is None:
        return Learnt(np.zeros(bots), unknown(bots), None, ())
    found = standing(manifest, games)
    out = tuple(bot.bot for bot in found.out)
    rated = games.assign(unit=block_units(manifest, games))[found.rated]
    results = results_of(rated)
    ratings = fit(results, bots, manifest.anchor_number, manifest.anchor_elo)
    lineups, count = np.unique(results.bots, axis=0, return_counts=True)
    information = expected_information(ratings.theta, lineups.astype(np.int64), count)
    covariance = np.asarray(np.linalg.inv(information + PRIOR * np.eye(bots)), np.float64)
    return Learnt(ratings.theta, covariance, ratings, out)


def block_units(manifest: Manifest, games: pd.DataFrame) -> Ints:
    """Return an id of each game's block, (G,), different between table kinds."""
    kind = pd.Index(list(manifest.kinds)).get_indexer(pd.Index(games["table"]))
    block = games["block"].to_numpy(np.int64)
    return np.asarray(kind * (block.max(initial=0) + 1) + block, np.int64)


def seat_values(games: pd.DataFrame, name: str) -> Ints:
    """Return a column that stands once a seat, (G, 6)."""
    return games[[f"{name}{seat}" for seat in range(SEATS)]].to_numpy(np.int64)


def results_of(games: pd.DataFrame) -> Results:
    """Return games as the statistics read them, by their rated ranks; six seats are three teams.

    games: `players`, `bot0` to `bot5`, `rated0` to `rated5`, and `unit`, the ids of their blocks.
    """
    bots = seat_values(games, "bot")
    players = games["players"].to_numpy(np.int8)
    sides = np.where(players == SEATS, 3, players)[:, None]
    return Results(
        bots.astype(np.int16),
        seat_values(games, "rated").astype(np.int16),
        np.where(bots >= 0, np.arange(SEATS) % sides, -1).astype(np.int8),
        players,
        games["unit"].to_numpy(np.int64),
    )
