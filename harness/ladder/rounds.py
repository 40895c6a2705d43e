"""Which blocks come next: a function of the manifest and of the games stored so far, so the same on any executor.

A run asks for the next round until there is none. Designs (round robin and gauntlet) come at once and whole; rounds
that results decide (Swiss and adaptive) come one by one, each from the table of all games before it. What is decided
lies in the manifest before it is played, as plain lineups, so a run that is broken off goes on by the same decisions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from harness.game.rules import Rules
from harness.ladder.adaptive import Outlook, level_blocks, stakes, telling_lineups
from harness.ladder.design import refuse_too_few
from harness.ladder.learnt import Learnt, learn
from harness.ladder.manifest import Manifest
from harness.ladder.meetings import Meetings
from harness.ladder.schedule import Course, Stretch, blocks, course_of, games_in_block
from harness.ladder.seating import Lineup
from harness.ladder.swiss import met_in_rounds, swiss_round

DESIGNS = ("round_robin", "gauntlet")
"""Kinds of schedules that do not depend on results."""

ADAPTIVE_ROUNDS = 8
"""How often results decide an adaptive schedule when the config does not say."""

Games = Callable[[], pd.DataFrame | None]
"""Returns the stored games (at least LEARNT_COLUMNS) in schedule order, None where there are none."""


@dataclass(frozen=True)
class Table:
    """A table kind of which more is to be played: how far its bots have come, and up to how many blocks."""

    name: str
    rules: Rules
    course: Course
    wanted: int

    @property
    def teams(self) -> bool:
        """Whether it is played in teams."""
        return self.rules.teams is not None

    def lineups(self, manifest: Manifest) -> list[Lineup]:
        """Return the lineups of the course so far."""
        own = self.course.stretches
        return [block.lineup for stretch in own for block in blocks(stretch, self.rules, manifest.fill)]


def next_round(manifest: Manifest, games: Games) -> tuple[Stretch, ...]:
    """Return what the manifest's schedule has played next, nothing when all of it is planned.

    All stretches of the manifest must have been played where results decide; `games` is called only there.
    """
    tables = tables_to_play(manifest)
    if not tables:
        return ()
    if manifest.schedule.kind in DESIGNS:
        return tuple(_designed(manifest, table, table.wanted - table.course.played) for table in tables)
    learnt = learn(manifest, games())
    decide = _swiss if manifest.schedule.kind == "swiss" else _adaptive
    return tuple(stretch for stretch in decide(manifest, tables, learnt) if stretch.size)


def planned_ahead(manifest: Manifest) -> Manifest:
    """Return the manifest with all that its schedule has played whatever comes of the games."""
    if manifest.schedule.kind not in DESIGNS:
        return manifest
    return replace(manifest, stretches=(*manifest.stretches, *next_round(manifest, lambda: None)))


def games_to_come(manifest: Manifest) -> int:
    """Return how many games the schedule wants beyond those that are planned."""
    total = 0
    for table in tables_to_play(manifest):
        designed = _designed(manifest, table, table.wanted - table.course.played)
        total += designed.size * games_in_block(designed, table.rules, manifest.fill)
    return total


def tables_to_play(manifest: Manifest) -> list[Table]:
    """Return the table kinds of which the schedule wants more than is planned."""
    schedule = manifest.schedule
    courses = {name: course_of(manifest.stretches, name, schedule.bots, manifest.guests) for name in schedule.blocks}
    tables = [Table(name, manifest.kinds[name], courses[name], wanted) for name, wanted in schedule.blocks.items()]
    unplayed = [table for table in tables if table.course.played < table.wanted]
    for table in unplayed:
        refuse_too_few(len(schedule.bots), table.rules.players, manifest.fill)
    return unplayed


def _designed(manifest: Manifest, table: Table, size: int) -> Stretch:
    """Return so many blocks of the schedule's design, going on where it stands."""
    schedule, course = manifest.schedule, table.course
    new = _newcomers(manifest, table) if schedule.kind == "gauntlet" else ()
    before = course.designed(schedule.bots, new)
    bots, offset = (before.bots, before.offset + before.size) if before else (schedule.bots, 0)
    return Stretch(table.name, bots, course.first, course.first + size, offset, new, williams=schedule.williams)


def _newcomers(manifest: Manifest, table: Table) -> tuple[int, ...]:
    """Return the new bots of a gauntlet: those named, else those of the course, else those that never played here.

    There are none where all are new: they have no pool to meet, and meet each other.
    """
    schedule = manifest.schedule
    begun = [stretch.new for stretch in table.course.stretches if stretch.new]
    known = {bot for stretch in manifest.stretches if stretch.table == table.name for bot in stretch.bots}
    new = schedule.new or (begun[-1] if begun else tuple(bot for bot in schedule.bots if bot not in known))
    return new if set(new) < set(schedule.bots) else ()


def _swiss(manifest: Manifest, tables: list[Table], learnt: Learnt) -> list[Stretch]:
    """Return the next Swiss round of each table kind; there are log2 of the number of bots, rounded up."""
    found = []
    for table in tables:
        playing = still_playing(manifest, table, learnt)
        ranking = sorted(playing, key=lambda bot: (-round(float(learnt.theta[bot]), 9), bot))
        rounds = manifest.schedule.rounds or max(1, (len(playing) - 1).bit_length())
        at_once = max(1, len(playing) // table.rules.players)
        size = next_stop(table, rounds, at_once) - table.course.played
        met = met_in_rounds(stretch.lineups for stretch in table.course.stretches)
        counts = Meetings.of(len(manifest.bots), table.teams, table.lineups(manifest))
        lineups = swiss_round(ranking, table.rules.players, size, met, counts, manifest.fill)
        found.append(_spelt(manifest, table, table.course.first, lineups))
    return found


def _adaptive(manifest: Manifest, tables: list[Table], learnt: Learnt) -> list[Stretch]:
    """Return the next adaptive round: of each table kind its share of the round robin, then what tells most."""
    rounds = manifest.schedule.rounds or ADAPTIVE_ROUNDS
    sizes = [next_stop(table, rounds, 1) - table.course.played for table in tables]
    level = [_level(table, size, learnt) for table, size in zip(tables, sizes, strict=True)]
    designed = [_designed(manifest, table, blocks) for table, blocks in zip(tables, level, strict=True)]
    outlook = Outlook(learnt.theta, learnt.covariance)
    for table, stretch in zip(tables, designed, strict=True):
        for block in blocks(stretch, table.rules, manifest.fill):
            outlook.plan(block.lineup, games_in_block(stretch, table.rules, manifest.fill))
    found = []
    for table, stretch, size in zip(tables, designed, sizes, strict=True):
        playing = np.array(still_playing(manifest, table, learnt), np.int64)
        level_lineups = [block.lineup for block in blocks(stretch, table.rules, manifest.fill)]
        counts = Meetings.of(len(manifest.bots), table.teams, [*table.lineups(manifest), *level_lineups])
        weights = stakes(outlook.theta, outlook.covariance, playing)
        lineups = telling_lineups(
            outlook,
            weights,
            playing,
            table.rules.players,
            size - stretch.size,
            counts,
            manifest.fill,
            manifest.schedule.williams,
        )
        found += [stretch, _spelt(manifest, table, stretch.last, lineups)]
    return found


def _level(table: Table, size: int, learnt: Learnt) -> int:
    """Return how many of the next blocks follow the round robin: all before anything is known."""
    if learnt.ratings is None:
        return size
    level = sum(stretch.size for stretch in table.course.stretches if not stretch.lineups)
    return level_blocks(size, table.course.played, level)


def _spelt(manifest: Manifest, table: Table, first: int, lineups: list[Lineup]) -> Stretch:
    schedule = manifest.schedule
    last = first + len(lineups)
    return Stretch(table.name, schedule.bots, first, last, lineups=tuple(lineups), williams=schedule.williams)


def still_playing(manifest: Manifest, table: Table, learnt: Learnt) -> list[int]:
    """Return the schedule's bots without those that are out, unless seats would stay empty for that."""
    bots = list(manifest.schedule.bots)
    left = [bot for bot in bots if bot not in learnt.out]
    return left if manifest.fill is not None or len(left) >= table.rules.players else bots


def next_stop(table: Table, rounds: int, step: int) -> int:
    """Return up to which block of its course the next of so many rounds goes: whole steps of blocks, but the last."""
    steps = table.wanted // step
    stops = [steps * number // rounds * step for number in range(1, rounds)]
    return next((stop for stop in stops if stop > table.course.played), table.wanted)
