"""Stored games as arrays, and as the statistics read them."""

import numpy as np
import pandas as pd

from harness.game.layout import SEATS
from harness.ladder.manifest import Manifest
from harness.stats.results import Ints, Results


def block_units(manifest: Manifest, games: pd.DataFrame) -> Ints:
    """Return an id of each game's block, (G,), different between table kinds."""
    kind = pd.Index(list(manifest.kinds)).get_indexer(pd.Index(games["table"]))
    block = games["block"].to_numpy(np.int64)
    return np.asarray(kind * (block.max(initial=0) + 1) + block, np.int64)


def seat_values(games: pd.DataFrame, name: str) -> Ints:
    """Return a column that stands once a seat, (G, 6); -1 where there is no seat."""
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
