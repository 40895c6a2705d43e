"""What the stored games tell those who plan the next ones: ratings, and who is out."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from harness.game.layout import SEATS
from harness.ladder.games import block_units, results_of
from harness.ladder.manifest import Manifest
from harness.ladder.standing import STANDING_COLUMNS, standing
from harness.stats.information import PRIOR, expected_information, unknown
from harness.stats.ratings import Ratings, fit
from harness.stats.results import Floats

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
