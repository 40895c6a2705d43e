"""A run continued with other versions of the harness or its libraries: noted, and tried on games it has.

Games must come out the same wherever and whenever they are played. So, where a version has changed on which that could
depend, some stored games are played again from their choices before any new one is.
"""

from collections.abc import Iterable, Mapping
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


def changes_of(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return the changed versions on which games could depend, each with what it was and is, in words."""
    changed = [name for name in DECISIVE if before.get(name) != now.get(name)]
    return {name: f"{name} {before.get(name)} before, now {now.get(name)}" for name in changed}


def worth_telling(changes: Mapping[str, str]) -> str:
    """Return the changes in one text, empty where there is only a newer source of the same version."""
    return "" if list(changes) == [ENGINE] else ", ".join(changes.values())


def try_again(store: Store, before: Manifest, now: Manifest, stored: Mapping[str, Label]) -> str:
    """Play some stored games again where a version has changed that could decide how they come out.

    Return a sentence for the user, empty where there is nothing to say. Raises ResultsError where a game comes out
    otherwise: the two must not be mixed.
    """
    changes = changes_of(before.versions, now.versions)
    if not changes or not stored:
        return ""
    if differs := first_departure(store, now, stored.values()):
        raise ResultsError(
            f"{store.folder}: {differs}, for other versions played it ({', '.join(changes.values())}); go on with "
            "those, or use --fresh to start anew, or another name or --out"
        )
    if told := worth_telling(changes):
        return (
            f"{store.folder} goes on with other versions ({told}); some stored games of each table kind were played "
            "again and came out the same"
        )
    return ""


def first_departure(store: Store, manifest: Manifest, stored: Iterable[Label]) -> str:
    """Play the first stored games of each table kind again, and say of the first that differs in what it does."""
    first = {label.span.table: label for label in reversed(list(stored))}
    games = (store.games_of(label, [*RECORD_COLUMNS, *OUTCOME_COLUMNS]).head(TRIED) for label in first.values())
    return next(filter(None, (departure(own, manifest) for own in games)), "")


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
