"""The columns in which a chunk's games and the sums of its blocks are stored."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.game.choices import pack_choices
from harness.game.layout import NONE, SEATS
from harness.game.observe import words_of
from harness.game.record import rated_ranks
from harness.game.rules import Rules
from harness.game.state import GAME, table_of
from harness.game.tally import CITY_SUMS, PLACE_SUMS, new_sums, tally
from harness.play.faults import Fault
from harness.play.lockstep import Played

SEAT_COLUMNS = {"bot": "int16", "money": "int32", "rank": "int8", "rated": "int8"}
"""Columns that stand once a seat, as bot0 to bot5; -1 where there is no seat. Partners share money and ranks."""

GAME_COLUMNS = {
    "block": "int32",
    "rotation": "int8",
    "players": "int8",
    **{f"{name}{seat}": kind for name, kind in SEAT_COLUMNS.items() for seat in range(SEATS)},
    "hands": "int8",
    "extra": "int8",
    "decided_by": "int8",
    "faults": "int16",
    "forfeits": "uint8",
    "fault_log": "string",
    "turns": "binary",
    "payers": "binary",
}
"""Columns of a stored game and their types: hands played, extra ones included; who forfeited, as a mask of seats;
faults as JSON; and the choices that replay it."""

SCOPES = ("city", "chicago", "place")
BLOCK_COLUMNS = {
    "block": "int32",
    "scope": "int8",
    "index": "int8",
    "games": "int16",
    **dict.fromkeys(dict.fromkeys((*CITY_SUMS, *PLACE_SUMS)), "int32"),
}
"""Columns of the sums of a block: what they are of (SCOPES), its number there, games counted, and the sums."""


def game_columns(rules: Rules, played: Played, stored: NDArray[np.int64]) -> dict[str, Any]:
    """Return the columns of GAME_COLUMNS that games themselves tell, of games number `stored`, in this order."""
    games = words_of(played.games)[stored].view(GAME)[:, 0]
    forfeits = played.forfeits[stored]
    seats = np.arange(SEATS)
    side_of = np.where(seats < rules.players, seats % rules.sides, 0)
    plays = seats < rules.players
    ranks = games["ranks"][:, side_of].astype(np.int8)
    values = {
        "bot": played.seatings[stored],
        "money": games["final_money"][:, side_of],
        "rank": ranks,
        "rated": _rated(rules, ranks, forfeits),
    }
    columns: dict[str, Any] = {"players": np.full(len(games), rules.players, np.int8)}
    for name, kind in SEAT_COLUMNS.items():
        for seat in range(SEATS):
            column = values[name][:, seat] if plays[seat] else np.full(len(games), NONE)
            columns[f"{name}{seat}"] = column.astype(kind)
    columns["hands"] = (games["hand"] + 1).astype(np.int8)
    columns["extra"] = games["extra"].astype(np.int8)
    columns["decided_by"] = games["decided_by"].astype(np.int8)
    columns["faults"], columns["fault_log"] = _fault_columns(stored, played.faults)
    columns["forfeits"] = forfeits
    columns |= pack_choices(played.games, played.histories, stored)._asdict()
    return columns


def _rated(rules: Rules, ranks: NDArray[np.int8], forfeits: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return ranks per seat with the sides that forfeited sharing the place behind all others."""
    rated = ranks.copy()
    for game in np.flatnonzero(forfeits).tolist():
        out = {rules.side_of(seat) for seat in range(rules.players) if forfeits[game] >> seat & 1}
        by_side = rated_ranks(ranks[game, : rules.sides].tolist(), out)
        rated[game, : rules.players] = [by_side[rules.side_of(seat)] for seat in range(rules.players)]
    return rated


def _fault_columns(stored: NDArray[np.int64], faults: list[Fault]) -> tuple[NDArray[np.int16], list[str | None]]:
    counts = np.zeros(len(stored), np.int16)
    logs: dict[int, list[dict[str, Any]]] = {}
    for fault in faults:
        counts[fault.game] += 1
        entry = {
            "hand": fault.hand,
            "turn": fault.turn,
            "seat": fault.seat,
            "kind": fault.kind.value,
            "message": fault.message,
        }
        logs.setdefault(fault.game, []).append(entry)
    return counts[stored], [json.dumps(logs[game]) if game in logs else None for game in stored.tolist()]


def block_columns(
    rules: Rules, played: Played, block_of: NDArray[np.int64], blocks: NDArray[np.int64]
) -> dict[str, Any]:
    """Return BLOCK_COLUMNS: the sums of each block over its games without a forfeit, rows of nothing left out.

    block_of: (G,), of each game the place of its block among `blocks`, (B,), their numbers.
    """
    counted = played.forfeits == 0
    sums = new_sums(rules, len(blocks))
    tally(played.games, played.histories, counted, block_of, table_of(rules), *sums)
    games = np.bincount(block_of[counted], minlength=len(blocks))
    names = (CITY_SUMS, CITY_SUMS, PLACE_SUMS)
    pieces: dict[str, list[NDArray[np.int64]]] = {column: [] for column in BLOCK_COLUMNS}
    for scope, (own, columns) in enumerate(zip(sums, names, strict=True)):
        block, index = np.nonzero(own[:, :, 0])
        pieces["block"].append(blocks[block])
        pieces["scope"].append(np.full(len(block), scope))
        pieces["index"].append(index)
        pieces["games"].append(games[block])
        for column in list(BLOCK_COLUMNS)[4:]:
            values = own[block, index, columns.index(column)] if column in columns else np.zeros(len(block), np.int64)
            pieces[column].append(values)
    return {column: np.concatenate(pieces[column]).astype(BLOCK_COLUMNS[column]) for column in BLOCK_COLUMNS}
