"""Who is out of a run, and which games are rated: worked out anew from the stored games, never stored itself.

Faults and forfeits are counted game by game in schedule order: by stretch, block, rotation. Stretches are only ever
appended, so a longer run never changes what was rated before.
"""

import json
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.game.layout import SEATS
from harness.ladder.games import seat_values
from harness.ladder.manifest import Manifest
from harness.play.faults import FaultKind, plain

STANDING_COLUMNS = [*(f"bot{seat}" for seat in range(SEATS)), "forfeits", "fault_log"]
"""Columns of the stored games that a standing is made of, beside table, block and rotation."""

FALLS = {
    FaultKind.LOAD: (1, "It could not be loaded."),
    FaultKind.PROTOCOL: (1, "It meddled with the messages between its process and the harness."),
    FaultKind.FORBIDDEN: (2, "It tried twice what its jail forbids."),
    FaultKind.TIMEOUT: (3, "It used up its time three times."),
}
"""How many faults of a kind put a bot out of the run, and what is said of it then, the gravest first."""

FAULT_FIELDS = ["game", "bot", "hand", "turn", "seat", "kind", "message"]


@dataclass(frozen=True)
class Disqualified:
    """A bot that is out of the run.

    bot: its number in the manifest. reason: a sentence. game: the number (row) of the game in which it fell, the last
    of its own that may be rated. unrated: how many games are left unrated because it sits in them; a game with two
    such bots counts for both.
    """

    bot: int
    reason: str
    game: int
    unrated: int


@dataclass(frozen=True, eq=False)
class Standing:
    """What the faults of a run cost beyond the games in which they were made.

    out: in the order in which the bots fell. rated: (G,) bool over the rows of the games. faults: every fault, by game
    in schedule order, with columns FAULT_FIELDS: game is the row, bot the number in the manifest, message a plain line.
    """

    out: tuple[Disqualified, ...]
    rated: NDArray[np.bool_]
    faults: pd.DataFrame

    @property
    def unrated(self) -> int:
        """How many games are not rated."""
        return int(np.count_nonzero(~self.rated))


def standing(manifest: Manifest, games: pd.DataFrame) -> Standing:
    """Return who is out and which of the stored games (at least STANDING_COLUMNS) are rated.

    All games count towards a disqualification, also those left unrated because of another bot.
    """
    rated = np.ones(len(games), np.bool_)
    blank = games["fault_log"].isna().to_numpy() & (games["forfeits"].to_numpy() == 0)
    if blank.all():
        return Standing((), rated, pd.DataFrame(columns=FAULT_FIELDS))
    bots = seat_values(games, "bot")
    order = schedule_order(manifest, games)
    faults = _faults(games, bots, order)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    falls = _falls(manifest.limits.forfeits, faults, _forfeits(games, bots, order), place)
    out = []
    for bot, (game, reason) in sorted(falls.items(), key=lambda fall: place[fall[1][0]]):
        unrated = (bots == bot).any(axis=1) & (place > place[game])
        rated &= ~unrated
        out.append(Disqualified(bot, reason, game, int(np.count_nonzero(unrated))))
    return Standing(tuple(out), rated, faults)


def schedule_order(manifest: Manifest, games: pd.DataFrame) -> NDArray[np.int64]:
    """Return the rows of the games in schedule order, (G,): by stretch of the manifest, block, rotation.

    Stored games lie by table first, as they are numbered for replays; a stretch added later comes later here.
    """
    tables = pd.Index(list(manifest.kinds))
    table = tables.get_indexer(pd.Index(games["table"]))
    block, rotation = games["block"].to_numpy(np.int64), games["rotation"].to_numpy(np.int64)
    stretch = np.zeros(len(games), np.int64)
    for number, own in enumerate(manifest.stretches):
        inside = (table == tables.get_loc(own.table)) & (block >= own.first) & (block < own.last)
        stretch[inside] = number
    return np.lexsort((rotation, block, table, stretch))


def _faults(games: pd.DataFrame, bots: NDArray[np.int64], order: NDArray[np.int64]) -> pd.DataFrame:
    logs = games["fault_log"].to_numpy(object)
    tame = lru_cache(maxsize=4096)(plain)  # a store that others could write to is not trusted with messages
    rows = [
        (game, bots[game, fault["seat"]], *(fault[field] for field in FAULT_FIELDS[2:-1]), tame(fault["message"]))
        for game in order[games["fault_log"].notna().to_numpy()[order]].tolist()
        for fault in json.loads(logs[game])
    ]
    return pd.DataFrame(rows, columns=FAULT_FIELDS)


def _falls(
    limit: int, faults: pd.DataFrame, forfeits: pd.DataFrame, place: NDArray[np.int64]
) -> dict[int, tuple[int, str]]:
    """Return for each bot that is out the row of the game in which it fell, and why.

    limit: forfeited games that put a bot out. place: (G,) of each row in schedule order.
    """
    causes = [(why, _nth(faults[faults["kind"] == kind.value], count)) for kind, (count, why) in FALLS.items()]
    causes.append((f"It forfeited {limit:,} game{'s' if limit > 1 else ''}.", _nth(forfeits, limit)))
    falls: dict[int, tuple[int, str]] = {}
    for reason, found in causes:
        for bot, game in found.items():
            if bot not in falls or place[game] < place[falls[bot][0]]:
                falls[bot] = game, reason
    # A worker plays the games of a chunk at once: what came later in schedule order may have stopped a bot in this one.
    for bot, game in _nth(faults[faults["kind"] == FaultKind.OUT.value], 1).items():
        fell, reason = falls.get(bot, (game, FaultKind.OUT.sentence))
        falls[bot] = min(game, fell, key=place.__getitem__), reason
    return falls


def _nth(events: pd.DataFrame, count: int) -> dict[int, int]:
    """Return by bot the game of its `count`-th event, of events in schedule order."""
    own = events.groupby("bot").nth(count - 1)
    return dict(zip(own["bot"].tolist(), own["game"].tolist(), strict=True))


def _forfeits(games: pd.DataFrame, bots: NDArray[np.int64], order: NDArray[np.int64]) -> pd.DataFrame:
    """Return the forfeited games of each bot, in schedule order: game and bot, once where two copies forfeited."""
    forfeits = games["forfeits"].to_numpy(np.int64)
    rows = order[forfeits[order] != 0]
    which, seat = np.nonzero((forfeits[rows, None] >> np.arange(SEATS)) & 1)
    return pd.DataFrame({"game": rows[which], "bot": bots[rows[which], seat]}).drop_duplicates()
