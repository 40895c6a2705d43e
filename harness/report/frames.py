"""A ladder as the tables read it: stored games and block sums, with block ids that differ between table kinds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from harness.game.cards import CHICAGO, CITY_NUMBERS
from harness.game.layout import PLACES, SEATS
from harness.game.rules import Rules
from harness.game.tally import CITY_SUMS, PLACE_SUMS
from harness.ladder.columns import BLOCK_COLUMNS, SCOPES
from harness.ladder.games import block_units, results_of, seat_values
from harness.ladder.manifest import Manifest
from harness.ladder.standing import Standing, standing
from harness.ladder.usage import BotUsage
from harness.stats.balance import Estimate
from harness.stats.results import Bools, Floats, Ints, Results

GAME_FIELDS = [
    "players",
    *(f"{name}{seat}" for name in ("bot", "rank", "rated", "money") for seat in range(SEATS)),
    "hands",
    "extra",
    "decided_by",
    "faults",
    "forfeits",
    "fault_log",
]
"""Columns of the stored games that the report reads."""

SUMS = {"city": CITY_SUMS, "chicago": CITY_SUMS[:6], "place": PLACE_SUMS}
"""The sums that there are of each of SCOPES."""


@dataclass(frozen=True, eq=False)
class Frames:
    """The stored frames of one run, with three columns more: build it with `frames_of`.

    | column | meaning                                                                                     |
    |--------|---------------------------------------------------------------------------------------------|
    | table  | the table kind, an ordered category in the manifest's order                                 |
    | group  | what is pooled: all usual kinds of a number of players, each other kind alone; ordered      |
    | unit   | of games: id of the block, different between table kinds: the unit of all uncertainty       |

    Games are numbered by their rows, as for replays. Sums of blocks in which a game is not rated are left out. `usage`
    tells by name what bots in processes of their own used.
    """

    manifest: Manifest
    games: pd.DataFrame
    blocks: pd.DataFrame
    standing: Standing
    usage: Mapping[str, BotUsage] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The bots' names, by their numbers in the games."""
        return [spec.name for spec in self.manifest.bots]

    @property
    def anchor(self) -> int:
        """The number of the anchor; of the first bot where no bot has its name."""
        return self.manifest.anchor_number

    @property
    def out(self) -> list[int]:
        """The numbers of the bots that are out of the run."""
        return [fallen.bot for fallen in self.standing.out]

    def rated(self) -> pd.DataFrame:
        """Return the games that count for ratings."""
        return self.games[self.standing.rated] if self.standing.unrated else self.games

    @cached_property
    def results(self) -> Results:
        """The same as the statistics read them."""
        return results_of(self.rated())

    def counted(self) -> pd.DataFrame:
        """Return the games that count for balance: those without a forfeit, of blocks that are rated whole.

        A block rated in part would no longer have every bot in every seat.
        """
        torn = self.games["unit"].isin(self.games["unit"][~self.standing.rated])
        return self.games[(self.games["forfeits"] == 0) & ~torn]

    def rules_of(self, key: str) -> Rules:
        """Return the rules of a table kind, or of the first kind in a group."""
        kinds = self.manifest.kinds
        return kinds[key] if key in kinds else next(rules for rules in kinds.values() if group_name(rules) == key)

    def sums(self, scope: str) -> pd.DataFrame:
        """Return the block sums of one of SCOPES, those of cities with a column `city` for the name."""
        frame = self.blocks.loc[self.blocks["scope"] == SCOPES.index(scope), ["table", "group", "index", *SUMS[scope]]]
        if scope != "city":
            return frame
        cities = self.cities()
        codes = np.full((len(self.manifest.kinds), PLACES), cities.index(CHICAGO))
        for kind, rules in enumerate(self.manifest.kinds.values()):
            codes[kind, : len(rules.cities)] = [cities.index(city) for city in rules.cities]
        own = codes[frame["table"].cat.codes, frame["index"]]
        return frame.assign(city=pd.Categorical.from_codes(own, pd.Index(cities), ordered=True))

    def cities(self) -> list[str]:
        """Return all cities of all tables: official ones by number, others as they come, Chicago last."""
        seen = dict.fromkeys(city for rules in self.manifest.kinds.values() for city in rules.cities)
        return [*sorted(seen, key=lambda city: CITY_NUMBERS.get(city, "9")), CHICAGO]


def group_name(rules: Rules) -> str:
    """Return what a table kind is pooled under: its number of players, or its own name when it is not as usual."""
    return f"{rules.players} players" if rules.is_usual else f"{rules.players} players, {rules.name}"


def frames_of(
    manifest: Manifest,
    games: pd.DataFrame | None = None,
    blocks: pd.DataFrame | None = None,
    usage: Mapping[str, BotUsage] | None = None,
) -> Frames:
    """Return the frames of `Store.games` (at least GAME_FIELDS), `Store.blocks`, `Store.usage`; any may be left out."""
    games = pd.DataFrame(columns=["table", "block", "rotation", *GAME_FIELDS]) if games is None else games
    blocks = pd.DataFrame(columns=["table", *BLOCK_COLUMNS]) if blocks is None else blocks
    found = standing(manifest, games)
    if found.unrated:
        torn = pd.MultiIndex.from_frame(games.loc[~found.rated, ["table", "block"]])
        blocks = blocks[~pd.MultiIndex.from_frame(blocks[["table", "block"]]).isin(torn)]
    games = _marked(games, manifest).assign(unit=block_units(manifest, games))
    return Frames(manifest, games, _marked(blocks, manifest), found, usage or {})


def _marked(frame: pd.DataFrame, manifest: Manifest) -> pd.DataFrame:
    """Return a frame with its columns `table` and `group` as `Frames` has them."""
    kinds = list(manifest.kinds)
    by_size = sorted(manifest.kinds.values(), key=lambda rules: (rules.players, not rules.is_usual))
    groups = list(dict.fromkeys(group_name(rules) for rules in by_size))
    group_of = np.array([groups.index(group_name(rules)) for rules in manifest.kinds.values()], np.int16)
    code, names = pd.factorize(frame["table"])
    place = pd.Index(kinds).get_indexer(pd.Index(names)).astype(np.int16)
    if (place < 0).any():
        raise ValueError("the games hold a table kind that the manifest does not know")
    return frame.assign(
        table=pd.Categorical.from_codes(place[code], pd.Index(kinds), ordered=True),
        group=pd.Categorical.from_codes(group_of[place[code]], pd.Index(groups), ordered=True),
    )


def win_shares(games: pd.DataFrame, name: str) -> Floats:
    """Return each seat's share of the win (G, 6) by the ranks in columns `name`: 1/k where k sides share it."""
    first = seat_values(games, name) == 1
    team = (games["players"] == SEATS).to_numpy()
    winners = np.where(team, first[:, :3].sum(axis=1), first.sum(axis=1))
    return np.asarray(first / np.maximum(winners, 1)[:, None])


def block_sums(unit: Ints, values: Floats | Ints | Bools) -> Floats:
    """Return the sums (D,) or (D, K) of `values` (G,) or (G, K) over the games of each block."""
    _, block = np.unique(unit, return_inverse=True)
    blocks = int(block.max(initial=-1)) + 1
    columns = np.asarray(values, np.float64).reshape(len(unit), -1).T
    sums = np.array([np.bincount(block, column, blocks) for column in columns]).reshape(len(columns), blocks).T
    return sums[:, 0] if np.ndim(values) == 1 else sums


def spread(estimate: Estimate, name: str = "value") -> dict[str, Any]:
    """Return an estimate as columns, ``name``, ``name_lo``, ``name_hi``: arrays, or plain numbers of a single one."""
    parts = {name: estimate.value, f"{name}_lo": estimate.lo, f"{name}_hi": estimate.hi}
    return {column: value if np.ndim(value) else float(value) for column, value in parts.items()}
