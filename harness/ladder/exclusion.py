"""Bots that are out of a run are not played on: who is out of a chunk follows from chunks well before it.

A chunk knows the standing after the chunk LAG places before it in the schedule, neither more nor less, whichever are
played by then: so games are the same on any executor. What a bot plays meanwhile is stored, and not rated.
"""

from typing import Any

import pandas as pd

from harness.ladder.manifest import Manifest
from harness.ladder.standing import STANDING_COLUMNS, standing

LAG = 16
"""Chunks by which a standing comes late; so many can be played at the same time."""

PLACE_COLUMNS = ["block", "rotation"]


class Exclusion:
    """Who is out, chunk by chunk, as their games become known in any order."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._known: dict[int, pd.DataFrame] = {}
        self._faulty: list[pd.DataFrame] = []
        self._out: list[tuple[int, ...]] = []

    def note(self, number: int, table: str, columns: Any) -> None:
        """Take in the games of chunk `number`: at least STANDING_COLUMNS and PLACE_COLUMNS, as arrays by name."""
        games = pd.DataFrame({name: columns[name] for name in [*PLACE_COLUMNS, *STANDING_COLUMNS]})
        games["table"] = table
        self._known[number] = games[games["fault_log"].notna() | (games["forfeits"] != 0)]
        while len(self._out) in self._known:
            self._add(self._known.pop(len(self._out)))

    def _add(self, faulty: pd.DataFrame) -> None:
        out = self._out[-1] if self._out else ()
        if len(faulty):
            self._faulty.append(faulty)
            fallen = standing(self.manifest, pd.concat(self._faulty, ignore_index=True)).out
            out = tuple(sorted(bot.bot for bot in fallen))
        self._out.append(out)

    def before(self, number: int) -> tuple[int, ...] | None:
        """Return the bots that are out of chunk `number`; None while a chunk that decides it is still being played."""
        decides = number - LAG
        if decides < 0:
            return ()
        return self._out[decides] if decides < len(self._out) else None
