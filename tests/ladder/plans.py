"""Manifests to plan from: bots without sources, table kinds of one's choice, and stored games drawn from a model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from harness.game.layout import SEATS
from harness.game.rules import usual_rules
from harness.ladder.manifest import Manifest
from harness.ladder.rounds import next_round
from harness.ladder.schedule import Block, Schedule, blocks
from harness.ladder.seating import block_seatings
from harness.play.registry import BotSpec
from harness.stats.results import Floats

NAMES = {size: usual_rules(size).name for size in range(2, 7)}
"""The usual table kind of each number of players."""


def manifest(count: int, wanted: Mapping[int, int], fill: int | None = None, **schedule: Any) -> Manifest:
    """A run that wants so many blocks of the usual table of each number of players, by bots 0 to `count` - 1."""
    known = max(count, -1 if fill is None else fill + 1)
    return Manifest(
        name="plan",
        seed="0" * 32,
        kinds={NAMES[size]: usual_rules(size) for size in wanted},
        chunk_games=2048,
        bots=tuple(BotSpec(f"bot{number}", f"bot{number}", "1") for number in range(known)),
        fill=fill,
        stretches=(),
        anchor="bot0",
        anchor_elo=1000.0,
        versions={},
        schedule=schedule_of(wanted, **{"bots": tuple(range(count)), **schedule}),
    )


def schedule_of(wanted: Mapping[int, int], **schedule: Any) -> Schedule:
    """A schedule of so many blocks of the usual table of each number of players."""
    return Schedule(blocks={NAMES[size]: count for size, count in wanted.items()}, **schedule)


def wanting(before: Manifest, wanted: Mapping[int, int], **schedule: Any) -> Manifest:
    """The same run, asked for something else."""
    counts = {NAMES[size]: count for size, count in wanted.items()}
    return replace(before, schedule=replace(before.schedule, blocks=counts, **schedule))


def planned(before: Manifest, size: int) -> list[Block]:
    """All blocks planned for the usual table of so many players."""
    own = [stretch for stretch in before.stretches if stretch.table == NAMES[size]]
    return [block for stretch in own for block in blocks(stretch, usual_rules(size), before.fill)]


def played(before: Manifest, theta: Floats) -> pd.DataFrame | None:
    """The games of all planned blocks, as they would be stored, by bots of these strengths; None without any."""
    rows = []
    for size in sorted(size for size, name in NAMES.items() if name in before.kinds):
        for block in planned(before, size):
            for rotation, seating in enumerate(block_seatings(block.lineup, size == SEATS, block.williams)):
                rows.append((block.table, block.index, rotation, size, *_drawn(block, rotation, seating, theta)))
    fields = [f"{name}{seat}" for name in ("bot", "rated") for seat in range(SEATS)]
    games = pd.DataFrame(rows, columns=["table", "block", "rotation", "players", *fields])
    return games.assign(forfeits=0, fault_log=None) if rows else None


def _drawn(block: Block, rotation: int, seating: Sequence[int], theta: Floats) -> list[int]:
    """Who sits where and how each seat ended, by the Plackett-Luce model."""
    key = [int.from_bytes(block.table[:2].encode(), "big"), block.index * 16 + rotation]
    rng = np.random.Generator(np.random.Philox(key=key))
    sides = 3 if len(seating) == SEATS else len(seating)
    worth = np.bincount(np.arange(len(seating)) % sides, theta[list(seating)]) + rng.gumbel(size=sides)
    ranks = 1 + (worth[:, None] < worth).sum(axis=1)
    empty = [-1] * (SEATS - len(seating))
    return [*seating, *empty, *(int(ranks[seat % sides]) for seat in range(len(seating))), *empty]


def run_through(before: Manifest, theta: Floats) -> list[Manifest]:
    """Play a run round by round to its end, and return its manifest after each round."""
    found = []
    while more := next_round(before, lambda: played(before, theta)):  # noqa: B023 (called at once)
        before = replace(before, stretches=(*before.stretches, *more))
        found.append(before)
    return found
