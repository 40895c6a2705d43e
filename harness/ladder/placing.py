"""How a submitted bot is placed: which of its blocks come next, until its rating is known well enough.

First it runs a gauntlet against all others, PLACEMENT blocks of it. Then results decide, in rounds: those tables with
it are played from which most is expected to be learnt of where it stands, and again a FLOOR of gauntlet, so that it
goes on meeting everybody. Each table kind has its share of the blocks, as in the config.
"""

import math
from collections.abc import Sequence

import numpy as np

from harness.ladder.adaptive import Outlook, level_blocks, stakes_of_one, telling_lineups
from harness.ladder.learnt import Learnt, learn
from harness.ladder.manifest import Manifest
from harness.ladder.meetings import Meetings
from harness.ladder.rounds import Games
from harness.ladder.schedule import Stretch, Submission, blocks, course_of, games_in_block

PLACEMENT = 16
"""Blocks of the first round; more where there are more table kinds."""

LEAST = 8
"""Blocks of a later round, at least."""


def next_placing(manifest: Manifest, submission: Submission, games: Games) -> tuple[Stretch, ...]:
    """Return what is played next for a submission, nothing when it is done; a function of manifest and games."""
    played = sum(stretch.size for stretch in _own(manifest, submission))
    left = submission.cap - played
    if left <= 0:
        return ()
    if not played:
        return _round(manifest, submission, min(left, max(PLACEMENT, len(manifest.kinds))), None)
    learnt = learn(manifest, games())
    half = half_width(learnt, submission.bot)
    if half <= submission.precision or submission.bot in learnt.out:
        return ()
    return _round(manifest, submission, min(left, blocks_wanted(played, half, submission.precision)), learnt)


def blocks_wanted(played: int, half: float, precision: float) -> int:
    """Return how many blocks are played before the next look: what is likely missing, at most as many as before."""
    needed = math.ceil(played * (half / precision) ** 2) - played
    return max(LEAST, min(needed, played))


def half_width(learnt: Learnt, bot: int) -> float:
    """Return half the 95 % interval of a bot's rating, in Elo."""
    assert learnt.ratings is not None
    return float(learnt.ratings.hi[bot] - learnt.ratings.lo[bot]) / 2


def pool_of(manifest: Manifest, bot: int) -> list[int]:
    """Return the bots that a submitted one meets: all that play in the ladder and are not retired."""
    there = {*manifest.schedule.bots, *(submission.bot for submission in manifest.submissions)}
    return sorted(there - {bot, *manifest.retired})


def apportioned(total: int, weights: Sequence[float]) -> list[int]:
    """Return whole parts of a total in proportion to the weights, by largest remainders, the first of equal ones."""
    exact = [total * weight / sum(weights) for weight in weights]
    parts = [int(share) for share in exact]
    order = sorted(range(len(parts)), key=lambda place: (parts[place] - exact[place], place))
    for place in order[: total - sum(parts)]:
        parts[place] += 1
    return parts


def _own(manifest: Manifest, submission: Submission) -> list[Stretch]:
    return [stretch for stretch in manifest.stretches if stretch.submitted == submission.bot]


def _round(manifest: Manifest, submission: Submission, size: int, learnt: Learnt | None) -> tuple[Stretch, ...]:
    """Return a round of so many blocks, each table kind's so that its share of all rounds together is kept."""
    own = _own(manifest, submission)
    played = {table: sum(stretch.size for stretch in own if stretch.table == table) for table in manifest.kinds}
    shares = [manifest.schedule.blocks.get(table, 1) for table in manifest.kinds]
    wanted = apportioned(sum(played.values()) + size, shares)
    behind = [max(0, want - had) for want, had in zip(wanted, played.values(), strict=True)]
    sizes = apportioned(size, behind)
    if learnt is None and size >= len(sizes):
        sizes = [1 + more for more in apportioned(size - len(sizes), shares)]
    outlook = None if learnt is None else Outlook(learnt.theta, learnt.covariance)
    pool = [bot for bot in pool_of(manifest, submission.bot) if learnt is None or bot not in learnt.out]
    found: list[Stretch] = []
    for table, blocks_there in zip(manifest.kinds, sizes, strict=True):
        found += _stretches(manifest, submission.bot, pool, table, blocks_there, outlook)
    return tuple(stretch for stretch in found if stretch.size)


def _stretches(
    manifest: Manifest, bot: int, pool: list[int], table: str, size: int, outlook: Outlook | None
) -> list[Stretch]:
    """Return the next blocks of one table kind: those of the gauntlet, then those that tell most."""
    rules, williams = manifest.kinds[table], manifest.schedule.williams
    before = [stretch for stretch in manifest.stretches if stretch.table == table and stretch.submitted == bot]
    designed = [stretch for stretch in before if not stretch.lineups]
    level = sum(stretch.size for stretch in designed)
    count = size if outlook is None else level_blocks(size, sum(stretch.size for stretch in before), level)
    first = course_of(manifest.stretches, table, ()).first
    bots = (*pool, bot)
    gauntlet = Stretch(table, bots, first, first + count, level, (bot,), williams=williams, submitted=bot)
    if outlook is None or count == size:
        return [gauntlet]
    lineups = [block.lineup for stretch in (*before, gauntlet) for block in blocks(stretch, rules, manifest.fill)]
    for lineup in lineups[len(lineups) - count :]:
        outlook.plan(lineup, games_in_block(gauntlet, rules, manifest.fill))
    playing = np.array(bots, np.int64)
    told = telling_lineups(
        outlook,
        stakes_of_one(bot, playing, len(manifest.bots)),
        playing,
        rules.players,
        size - count,
        Meetings.of(len(manifest.bots), rules.teams is not None, lineups),
        manifest.fill,
        williams,
        bot,
    )
    last = gauntlet.last + len(told)
    return [
        gauntlet,
        Stretch(table, bots, gauntlet.last, last, lineups=tuple(told), williams=williams, submitted=bot),
    ]
