"""Who sits at which table: blocks as plain values, worked out from a few numbers, the same on every machine.

    block      one deal, played once in every seating of its lineup; the unit of schedule, resume and statistics
    seat       a place at the table, 0 to n - 1 clockwise; in teams, seats s and s + 3 are partners
    lineup     who sits where in a block's first game: lineup[seat] is the number of a bot
    fill       the bot that takes the seats left empty when there are fewer bots than seats
    stretch    a range of a table kind's blocks, played by the same bots; a longer or larger run appends stretches
    course     the stretches in which the same bots play at a table kind: what a schedule counts its blocks by

A stretch follows a design (round robin or gauntlet), or spells out its lineups, which were decided by results when it
was appended: `rounds` does that. Either way it is all that is needed to know its blocks.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from harness.game.rules import Rules
from harness.ladder.design import Design, Gauntlet
from harness.ladder.seating import Lineup, block_seatings

Kind = Literal["round_robin", "gauntlet", "swiss", "adaptive"]


@dataclass(frozen=True)
class Schedule:
    """What is to be played: `blocks` of each table kind by these bots (numbers in the manifest).

    new: bots of a gauntlet that meet the others; none: those without earlier games. rounds: how often results decide
    what comes next; None: as many as is usual. williams: blocks are seated in Williams squares.
    """

    kind: Kind = "round_robin"
    bots: tuple[int, ...] = ()
    blocks: dict[str, int] = field(default_factory=dict)
    new: tuple[int, ...] = ()
    rounds: int | None = None
    williams: bool = False


@dataclass(frozen=True)
class Submission:
    """A bot that plays into a ladder until its rating is known to within `precision` (Elo, half of the 95 % interval),
    or `cap` blocks are played for it. `level` is the one at which it is to run, where that can be.
    """

    bot: int
    precision: float
    cap: int
    level: str


@dataclass(frozen=True, slots=True)
class Block:
    """One deal and who plays it: ``lineup[seat]`` is the number of the bot there in the first game."""

    table: str
    index: int
    lineup: Lineup
    williams: bool = False

    def __reduce__(self) -> tuple[type["Block"], tuple[Any, ...]]:
        """Be pickled by its values: thousands go to a worker, and the usual way takes five times as long."""
        return Block, (self.table, self.index, self.lineup, self.williams)


@dataclass(frozen=True)
class Stretch:
    """Blocks `first` up to but not `last` of a table kind, played by these bots (numbers in the manifest).

    offset: how far into the bots' design the first of these blocks lies, 0 for a design begun anew. new: those bots
    one of whom meets the others at each table; none of them: a round robin. lineups: those of all blocks in turn,
    instead of a design. submitted: the bot whose submission these blocks are for, None for those of the config.
    seed: whose deals they are where they were joined from another run, empty for the run's own; block `b` is then
    block `b - shift` of that seed.
    """

    table: str
    bots: tuple[int, ...]
    first: int
    last: int
    offset: int = 0
    new: tuple[int, ...] = ()
    lineups: tuple[Lineup, ...] = ()
    williams: bool = False
    submitted: int | None = None
    seed: str = ""
    shift: int = 0

    @property
    def size(self) -> int:
        """How many blocks it has."""
        return self.last - self.first

    def as_record(self) -> dict[str, Any]:
        """Return it as plain values; a lineup is a text, as in ``3 0 2 1``, so that it takes one line of JSON."""
        record = {**asdict(self), "lineups": [" ".join(map(str, lineup)) for lineup in self.lineups]}
        return record if self.seed else {key: record[key] for key in record if key not in ("seed", "shift")}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> "Stretch":
        """Read what `as_record` returned."""
        lists = {key: tuple(record[key]) for key in ("bots", "new")}
        lineups = tuple(tuple(map(int, lineup.split())) for lineup in record["lineups"])
        return cls(**{**record, **lists, "lineups": lineups})


def blocks(stretch: Stretch, rules: Rules, fill: int | None = None, which: range | None = None) -> Iterator[Block]:
    """Yield the blocks of a stretch, or those `which` by their numbers among all of the table kind.

    `fill` is the number of the bot for seats left empty.
    """
    which = range(stretch.first, stretch.last) if which is None else which
    if which and not stretch.first <= which[0] <= which[-1] < stretch.last:
        raise IndexError(f"blocks {which} lie outside {stretch.first} to {stretch.last}")
    lineup = _lineups(stretch, rules, fill)
    return (Block(stretch.table, index, lineup(index - stretch.first), stretch.williams) for index in which)


def block_at(stretch: Stretch, rules: Rules, index: int, fill: int | None = None) -> Block:
    """Return one block of a stretch, by its number among all blocks of the table kind."""
    return next(blocks(stretch, rules, fill, range(index, index + 1)))


def games_in_block(stretch: Stretch, rules: Rules, fill: int | None = None) -> int:
    """Return how many games each block of a stretch has: fewer than usual where copies of a bot sit alone."""
    block = block_at(stretch, rules, stretch.first, fill)
    return len(block_seatings(block.lineup, rules.teams is not None, block.williams))


def _lineups(stretch: Stretch, rules: Rules, fill: int | None) -> Callable[[int], Lineup]:
    """Return what gives the lineup of each block of a stretch by its place there."""
    if stretch.lineups:
        return stretch.lineups.__getitem__
    teams, seats = rules.teams is not None, rules.players
    pool = tuple(bot for bot in stretch.bots if bot not in stretch.new)
    bots = (*pool, *stretch.new)
    filling = None if fill is None else len(bots)
    design = Gauntlet(len(pool), len(stretch.new), seats, teams, filling, stretch.table) if stretch.new else None
    lineup = (design or Design(len(bots), seats, teams, filling, stretch.table)).lineup
    numbers = bots if fill is None else (*bots, fill)  # in a design the fill bot comes after the others
    return lambda place: tuple([numbers[bot] for bot in lineup(place + stretch.offset)])


@dataclass(frozen=True)
class Course:
    """How far the same bots have come at a table kind.

    stretches: those of the course, in order. first: the number of the next block of the table kind.
    """

    stretches: tuple[Stretch, ...]
    first: int

    @property
    def played(self) -> int:
        """How many blocks it holds."""
        return sum(stretch.size for stretch in self.stretches)

    def designed(self, bots: tuple[int, ...], new: tuple[int, ...] = ()) -> Stretch | None:
        """Return the last stretch by the same design, which a further one goes on with."""
        for stretch in reversed(self.stretches):
            if not stretch.lineups and sorted(stretch.bots) == sorted(bots) and stretch.new == new:
                return stretch
        return None


def course_of(stretches: Sequence[Stretch], table: str, bots: Sequence[int], guests: Sequence[int] = ()) -> Course:
    """Return the course that these bots are on at a table kind, empty where others played last.

    Stretches of submissions do not count, nor those joined from other runs, and neither do `guests`, bots that a
    config does not ask for: with or without them it is the same course.
    """
    own = [stretch for stretch in stretches if stretch.table == table]
    course: list[Stretch] = []
    for stretch in reversed([stretch for stretch in own if stretch.submitted is None and not stretch.seed]):
        if set(stretch.bots) - {*guests} != {*bots} - {*guests}:
            break
        course.insert(0, stretch)
    return Course(tuple(course), max((stretch.last for stretch in own), default=0))
