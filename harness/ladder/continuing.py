"""A run continued with other versions of the harness or its libraries: noted, and tried on games it has.

Games must come out the same wherever and whenever they are played. So, where a version has changed on which that could
depend, some stored games are played again from their choices before any new one is.
"""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from harness.errors import RecordError, ResultsError
from harness.game.layout import SEATS
from harness.ladder.archive import RECORD_COLUMNS, records
from harness.ladder.labels import Label
from harness.ladder.manifest import ENGINE, Manifest, library_versions
from harness.ladder.store import Store

TRIED = 10
"""Stored games of each table kind that are played again."""

OUTCOME_COLUMNS = [f"{name}{seat}" for name in ("money", "rank") for seat in range(SEATS)]
"""Columns of a stored game that tell how it came out."""

DECISIVE = ("boss-harness", ENGINE, "numpy", "numba", "python")
"""Versions on which games could depend: of the rules, and of what draws cards and bots' random numbers."""


def with_versions_of_now(manifest: Manifest, parts: int) -> Manifest:
    """Return a manifest with the versions of now; those before go to its history, with how many parts lay stored."""
    now = library_versions()
    if now == manifest.versions:
        return manifest
    return replace(manifest, versions=now, history=(*manifest.history, {"parts": parts, "versions": manifest.versions}))


def try_again(store: Store, before: Manifest, now: Manifest, stored: Mapping[str, Label]) -> str:
    """Play some stored games again where a version has changed that could decide how they come out.

    Return a sentence for the user, empty where there is nothing to say. Raises ResultsError where a game comes out
    otherwise: the two must not be mixed.
    """
    changed = [name for name in DECISIVE if before.versions.get(name) != now.versions.get(name)]
    if not changed or not stored:
        return ""
    changes = ", ".join(f"{name} {before.versions.get(name)} before, now {now.versions.get(name)}" for name in changed)
    first = {label.span.table: label for label in reversed(list(stored.values()))}
    for label in first.values():
        games = store.games_of(label, [*RECORD_COLUMNS, *OUTCOME_COLUMNS]).head(TRIED)
        if differs := departure(games, now):
            raise ResultsError(
                f"{store.folder}: {differs}, for other versions played it ({changes}); go on with those, or use "
                "--fresh to start anew, or another name or --out"
            )
    if changed == [ENGINE]:  # a newer source of the same version: nothing that a user could change
        return ""
    return (
        f"{store.folder} goes on with other versions ({changes}); some stored games of each table kind were played "
        "again and came out the same"
    )


def departure(games: pd.DataFrame, manifest: Manifest) -> str:
    """Play stored games (RECORD_COLUMNS, OUTCOME_COLUMNS) again, and say of the first that differs in what it does."""
    again = records(games, manifest)
    for row in games.to_dict("records"):
        where = f"the game at table {row['table']}, block {row['block']}, rotation {row['rotation']}"
        try:
            final = next(again)["final"]
        except RecordError as error:
            return f"{where} cannot be played again ({error})"
        for name, values in (("money", final["money"]), ("rank", final["ranks"])):
            stored = [row[f"{name}{side}"] for side in range(len(values))]
            if stored != values:
                return f"{where} comes out otherwise ({name} {values}, stored {stored})"
    return ""
