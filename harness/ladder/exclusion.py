"""Bots that are out of a run are not played on: who is out of a chunk follows from chunks well before it.

A chunk knows the standing after the chunk that `decides` names for it by its place in the schedule alone, neither more
nor less, whichever are played by then: so games are the same on any executor. What a bot plays meanwhile is stored, and
not rated.
"""

from typing import Any

import pandas as pd

from harness.ladder.manifest import Manifest
from harness.ladder.standing import STANDING_COLUMNS, standing

LAG = 8
"""Chunks by which a standing comes late at least; so many can be played at the same time."""

PLACE_COLUMNS = ["block", "rotation"]


def decides(number: int) -> int:
    """Return the chunk after which it stands who is out of chunk `number`; below 0: nobody is.

    Half of the schedule so far can be played at the same time, so that a large cluster is not held up by a few slow
    chunks; and a bot is asked for no longer than twice the chunks after which it was out, or LAG more.
    """
    return number - max(LAG, number // 2)


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
        last = decides(number)
        if last < 0:
            return ()
        return self._out[last] if last < len(self._out) else None
