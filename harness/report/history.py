"""How ratings went from submission to submission: a log beside the results, to which each submission adds one entry."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from harness.errors import ResultsError
from harness.ladder.disk import write_whole
from harness.stats.ratings import Ratings

HISTORY = "history.csv"

COLUMNS = ["entry", "submitted", "bot", "elo", "lo", "hi", "games"]
"""Number of the entry from 0; the bot that had been submitted, empty before the first; a bot with its rating and 95 %
interval as they were then; rated games in all."""


def read_history(folder: Path) -> pd.DataFrame:
    """Return the log of a results folder, COLUMNS; empty where nothing has been submitted."""
    path = folder / HISTORY
    if not path.is_file():
        return pd.DataFrame(columns=COLUMNS)
    try:
        return pd.read_csv(path, keep_default_na=False)[COLUMNS].astype({"elo": float, "lo": float, "hi": float})
    except (OSError, ValueError, KeyError) as error:
        raise ResultsError(f"{path}: cannot be read: {error}; move it away, and a new one is begun") from None


def add_entry(folder: Path, submitted: str, names: Sequence[str], ratings: Ratings) -> None:
    """Write how all bots are rated now into the log, unless no game has been played since its last entry."""
    log = read_history(folder)
    if len(log) and log["games"].iloc[-1] == ratings.game_count:
        return
    entry = pd.DataFrame(
        {
            "entry": log["entry"].iloc[-1] + 1 if len(log) else 0,
            "submitted": submitted,
            "bot": names,
            "elo": ratings.elo,
            "lo": ratings.lo,
            "hi": ratings.hi,
            "games": ratings.game_count,
        }
    )
    entry = entry[ratings.games > 0]
    whole = pd.concat([log, entry]) if len(log) else entry
    write_whole(folder / HISTORY, whole.to_csv(index=False, float_format="%.6g").encode())


def take_entries(folder: Path, other: Path) -> None:
    """Add to the log of a folder what it lacks of the log of another of the same run: entries of other submissions."""
    own, theirs = read_history(folder), read_history(other)
    lacking = theirs[~theirs["submitted"].isin(own["submitted"])]
    if not len(lacking):
        return
    first = int(own["entry"].max()) + 1 if len(own) else 0
    numbers = pd.factorize(lacking["entry"])[0] + first
    whole = pd.concat([own, lacking.assign(entry=numbers)]) if len(own) else lacking.assign(entry=numbers)
    write_whole(folder / HISTORY, whole.to_csv(index=False, float_format="%.6g").encode())
