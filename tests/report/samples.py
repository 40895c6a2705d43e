"""Small ladders written by hand: frames as the store returns them, with games and block sums of one's choice."""

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd

from harness.game.layout import CHICAGO
from harness.game.rules import Rules, usual_rules
from harness.game.tally import CITY_SUMS, PLACE_SUMS
from harness.ladder.columns import BLOCK_COLUMNS, GAME_COLUMNS, SCOPES
from harness.ladder.manifest import Manifest
from harness.play.registry import BotSpec
from harness.report.frames import Frames, frames_of

TWO, FOUR, SIX = usual_rules(2), usual_rules(4), usual_rules(6)


def manifest_of(names: Sequence[str], kinds: Sequence[Rules]) -> Manifest:
    """A manifest of these bots and table kinds; the first bot is the anchor."""
    return Manifest(
        name="sample",
        seed="0" * 32,
        kinds={rules.name: rules for rules in kinds},
        chunk_games=2048,
        bots=tuple(BotSpec(name, name, f"version-{number}") for number, name in enumerate(names)),
        fill=None,
        stretches=(),
        anchor=names[0],
        anchor_elo=1000.0,
        versions={"boss-harness": "0.1.0"},
    )


def game(rules: Rules, block: int, bots: Sequence[int], ranks: Sequence[int], **other: Any) -> dict[str, Any]:
    """One stored game of four hands; `ranks` per seat, `rated` the same unless given, `faults` as (seat, kind)."""
    faults = other.pop("faults", [])
    log = [{"hand": 1, "turn": 1, "seat": seat, "kind": kind, "message": f"of seat {seat}"} for seat, kind in faults]
    row: dict[str, Any] = {
        "table": rules.name, "block": block, "rotation": 0, "players": rules.players, "hands": 4, "extra": 0,
        "decided_by": 0, "faults": len(log), "forfeits": 0, "fault_log": json.dumps(log) if log else None,
    }  # fmt: skip
    rated = other.pop("rated", ranks)
    for name, values in (("bot", bots), ("rank", ranks), ("rated", rated), ("money", [0] * len(bots))):
        row |= {f"{name}{seat}": values[seat] if seat < len(values) else -1 for seat in range(6)}
    return {**row, **other}


def games_frame(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """The frame of these games, in schedule order."""
    frame = pd.DataFrame(rows, columns=[name for name in ("table", *GAME_COLUMNS) if name not in ("turns", "payers")])
    return frame.sort_values(["table", "block", "rotation"], kind="stable", ignore_index=True)


def sums(rules: Rules, block: int, scope: str, index: int, **values: int) -> dict[str, Any]:
    """One row of block sums; what is not given is 0."""
    zeros = dict.fromkeys((*CITY_SUMS, *PLACE_SUMS), 0)
    return {
        "table": rules.name, "block": block, "scope": SCOPES.index(scope), "index": index, "games": 4, **zeros, **values
    }  # fmt: skip


def blocks_frame(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """The frame of these block sums."""
    return pd.DataFrame(rows, columns=["table", *BLOCK_COLUMNS])


def frames(
    names: Sequence[str], kinds: Sequence[Rules], games: Sequence[dict[str, Any]], blocks: Sequence[dict[str, Any]] = ()
) -> Frames:
    """A ladder as the tables read it."""
    return frames_of(manifest_of(names, kinds), games_frame(games), blocks_frame(blocks))


def whole_block(rules: Rules, block: int, bots: Sequence[int], best: int, **other: Any) -> list[dict[str, Any]]:
    """A block in which the bot `best`, or its team, wins in every seat and the others finish in their order."""
    count = rules.players
    rows = []
    for turn in range(count):
        seated = [bots[(seat + turn) % count] for seat in range(count)]
        sides = sorted(range(rules.sides), key=lambda side: (best not in seated[side :: rules.sides], seated[side]))
        ranks = [1 + sides.index(seat % rules.sides) for seat in range(count)]
        rows.append(game(rules, block, seated, ranks, rotation=turn, **other))
    return rows


def city_block(rules: Rules, block: int, bonus: int = 0) -> list[dict[str, Any]]:
    """Plausible block sums of every scope; `bonus` is what the first city pays more."""
    rows = []
    for city in (*range(len(rules.cities)), CHICAGO):
        paid = 20 + city % 5 + block % 3 + (bonus if city == 0 else 0)
        rows.append(sums(rules, block, "city", city, hands=16, captured=12, paid=paid, spent_won=24 + city % 3,
                         spent_lost=8, bidders=18))  # fmt: skip
    for hand in range(4):
        rows.append(sums(rules, block, "chicago", hand, hands=4, captured=3, paid=3 * hand, spent_won=6, bidders=4))
    for place in range(rules.sides):
        rows.append(sums(rules, block, "place", place, hands=16, paid=40 + place, best=960 // rules.sides, spent=60))
    return rows
