"""Manifests to plan from: bots without sources, table kinds of one's choice, and stored games drawn from a model."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from harness.game.layout import SEATS
from harness.game.rules import Rules, usual_rules
from harness.ladder.feed import Decide
from harness.ladder.manifest import Manifest
from harness.ladder.rounds import next_round
from harness.ladder.schedule import Block, Schedule, Stretch, blocks, games_in_block
from harness.ladder.seating import block_seatings
from harness.play.registry import BotSpec
from harness.stats.results import Floats, Ints

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


def played(before: Manifest, theta: Floats, seed: int = 0) -> pd.DataFrame | None:
    """The games of all planned blocks as they would be stored, drawn from the Plackett-Luce model; None without any.

    theta: (N,), log-worths. What was drawn for a block stays when more are planned.
    """
    frames = []
    for number, (table, rules) in enumerate(before.kinds.items()):
        own = [stretch for stretch in before.stretches if stretch.table == table]
        if own:
            rng = np.random.Generator(np.random.Philox(key=[seed, number]))
            bots = np.concatenate([_seated(stretch, rules, before.fill) for stretch in own])
            places = np.arange(rules.players) % rules.sides
            worth = np.stack([theta[bots[:, places == side]].sum(axis=1) for side in range(rules.sides)], axis=1)
            worth += rng.gumbel(size=worth.shape)
            ranks = 1 + (worth[:, :, None] < worth[:, None, :]).sum(axis=2)
            games = np.repeat(
                [games_in_block(stretch, rules, before.fill) for stretch in own], [stretch.size for stretch in own]
            )
            block = np.repeat(np.arange(len(games)), games)
            columns = {"block": block, "rotation": np.arange(len(bots)) - (np.cumsum(games) - games)[block]}
            for seat in range(SEATS):
                sits = seat < rules.players
                columns[f"bot{seat}"] = bots[:, seat] if sits else np.full(len(bots), -1)
                columns[f"rated{seat}"] = ranks[:, places[seat]] if sits else np.full(len(bots), -1)
            frames.append(pd.DataFrame({"table": table, "players": rules.players, **columns}))
    return pd.concat(frames, ignore_index=True).assign(forfeits=0, fault_log=None) if frames else None


def _seated(stretch: Stretch, rules: Rules, fill: int | None) -> Ints:
    """Who sits where in each game of a stretch, (G, players)."""
    teams = rules.teams is not None
    lineups = [block.lineup for block in blocks(stretch, rules, fill)]
    places = block_seatings(tuple(range(rules.players)), teams, stretch.williams)
    if games_in_block(stretch, rules, fill) < len(places):  # copies of a bot sit there
        return np.array([seating for lineup in lineups for seating in block_seatings(lineup, teams, stretch.williams)])
    return np.array(lineups)[:, np.array(places)].reshape(-1, rules.players)


def run_through(before: Manifest, theta: Floats, seed: int = 0, decide: Decide = next_round) -> list[Manifest]:
    """Play a run round by round to its end, and return its manifest after each round."""
    found = []
    while more := decide(before, partial(played, before, theta, seed)):
        before = replace(before, stretches=(*before.stretches, *more))
        found.append(before)
    return found
