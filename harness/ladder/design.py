"""Designs: endless lists of lineups that keep everything as even as can be, whatever comes of the games.

    round   blocks in which every bot plays equally often, as few as can be
    cycle   rounds after which pairs are level, or about so; then it begins anew, with the parts in it dealt out anew
    key     what the parts are dealt out by: designs of other keys are as even, with others in the same company

What the round robin, `Design`, keeps even:

    (bot, seat)                      equal in every block, by its seatings
    blocks of a bot                  within one of each other after any number of blocks
    (bot, opponent), (bot, partner)  up to 12 bots: level after every cycle; after any round within 2, but 3 for 6
                                     bots at 3 seats, 11 and 12 at 4, 10 and 12 at 5, 11 and 12 in teams
    (bot, left neighbour)            level after every cycle where all bots sit at every table; elsewhere about so in
                                     each cycle, up to 12 bots within 2 lineups without teams, but 3 for 11; over
                                     many cycles they drift apart, by less than if lineups were drawn
    lineups, as sets of bots         spread about as if each were drawn, with at most twice the variance: all pairs meet
                                     in the same company; other table kinds have other ones, runs of other seeds not

Up to 12 bots the lineups come from starters, as in the literature on tournament designs: the lineups of one
round, from which each further round follows by moving all bots but the last on by one number; a cycle ends when
they are back. Pairs come out level when every difference of numbers occurs equally often in the starter. With
more bots, rounds are built greedily: pairs stay within about 5 in a cycle, and drift apart slowly over many.

In the gauntlet, new bots meet a pool: one of them at each table, with as many of the pool as there are seats left.

    blocks of a new bot     within one of each other after any number of blocks
    (new bot, pool bot)     within one of each other for each new bot after any number of blocks
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from harness.errors import ConfigError
from harness.ladder.meetings import Meetings
from harness.ladder.seating import Lineup, block_seatings, neighbours, orders, turned
from harness.ladder.starters import ORDERS, STARTERS


def refuse_too_few(bots: int, seats: int, fill: int | None) -> None:
    """Raise ConfigError where seats would stay empty."""
    if bots < seats and fill is None:
        raise ConfigError(
            f"too few bots ({bots}) for {seats} seats; name one that sits in the empty ones, "
            "as in schedule: {fill: random}"
        )


@dataclass(frozen=True)
class Design:
    """The round robin of bots numbered 0 to `bots` - 1; two equal designs are the same list.

    `fill` is the number of the bot that takes seats left empty, one of those or another.
    """

    bots: int
    seats: int
    teams: bool = False
    fill: int | None = None
    key: str = ""

    def __post_init__(self) -> None:
        refuse_too_few(self.bots, self.seats, self.fill)

    @property
    def blocks_per_round(self) -> int:
        """After so many blocks every bot has played equally often."""
        return tables_per_round(max(self.bots, self.seats), self.seats)

    def lineup(self, block: int) -> Lineup:
        """Return the lineup of a block, counted from 0."""
        seated = max(self.bots, self.seats)
        cycle = _cycle(seated, self.seats, self.teams)
        turn, index = divmod(block, len(cycle))
        parts = _parts(seated, turn, self.key)
        return tuple([self._bot(parts[bot]) for bot in cycle[index]])

    def _bot(self, number: int) -> int:
        if number < self.bots:
            return number
        assert self.fill is not None
        return self.fill


@dataclass(frozen=True)
class Gauntlet:
    """New bots against a pool: bots 0 to `pool` - 1 are the pool, the `new` ones have the numbers after it."""

    pool: int
    new: int
    seats: int
    teams: bool = False
    fill: int | None = None
    key: str = ""

    def __post_init__(self) -> None:
        refuse_too_few(self.pool + 1, self.seats, self.fill)

    def lineup(self, block: int) -> Lineup:
        """Return the lineup of a block, counted from 0."""
        seated = max(self.pool, self.seats - 1)
        cycle = _gauntlet_cycle(seated, self.seats, self.teams)
        played, newcomer = divmod(block, self.new)
        turn, index = divmod(played, len(cycle))
        # new bots play the same cycle, with the pool in other parts in turn, so that the pool's counts even out too
        parts = _parts(seated, turn, self.key)
        return tuple(
            self.pool + newcomer if bot == seated else self._bot(parts[(bot + newcomer) % seated])
            for bot in cycle[index]
        )

    def _bot(self, number: int) -> int:
        if number < self.pool:
            return number
        assert self.fill is not None
        return self.fill


@lru_cache(maxsize=64)
def _parts(bots: int, turn: int, key: str) -> tuple[int, ...]:
    """Return who takes which part when a cycle is played for the `turn`-th time.

    A cycle holds few of all lineups: were its parts not dealt out anew, who met whom together with which third bot
    would differ even between two copies of one bot, and by more than intervals show, which count blocks as drawn.
    """
    label = f"{key} {turn}"
    return tuple(sorted(range(bots), key=lambda bot: blake2b(f"{label} {bot}".encode(), digest_size=8).digest()))


def tables_per_round(bots: int, seats: int) -> int:
    """Return the fewest tables at which each of so many bots sits equally often."""
    return math.lcm(bots, seats) // seats


@lru_cache
def _cycle(bots: int, seats: int, teams: bool) -> tuple[Lineup, ...]:
    """The lineups of one cycle, a whole number of rounds, for at least as many bots as seats."""
    has_starter = (bots, seats) in STARTERS and teams == (seats == 6)
    cycle = tuple(_developed(bots, seats)) if has_starter else _greedy(bots, seats, teams)
    return cycle if bots == seats else _neighbourly(cycle, bots, teams)


@lru_cache
def _gauntlet_cycle(pool: int, seats: int, teams: bool) -> tuple[Lineup, ...]:
    """The lineups of one cycle of a newcomer, numbered after the pool."""
    return _neighbourly(_greedy(pool, seats, teams, newcomer=True), pool + 1, teams)


def _neighbourly(cycle: tuple[Lineup, ...], bots: int, teams: bool) -> tuple[Lineup, ...]:
    """Return the lineups of a cycle, each in the order round the table whose neighbours have met least as such.

    Whoever moves right before a bot matters to it. In teams rotations change neighbours, so all of a block count.
    """
    met = [[0] * bots for _ in range(bots)]
    ordered = []
    for place, lineup in enumerate(cycle):
        choices = (turned(lineup, teams, place + turn) for turn in range(len(orders(len(lineup), teams))))
        pairs, chosen = min(
            ((neighbours(block_seatings(choice, teams)), choice) for choice in choices),
            key=lambda one: sum(met[right][left] for right, left in one[0]),
        )
        for right, left in pairs:
            met[right][left] += 1
        ordered.append(chosen)
    return tuple(ordered)


def _developed(bots: int, seats: int) -> Iterator[Lineup]:
    tables = [tuple(ord(letter) - ord("a") for letter in table) for table in STARTERS[bots, seats].split()]
    size = tables_per_round(bots, seats)
    rounds = [tables[first : first + size] for first in range(0, len(tables), size)]
    moves = bots - 1
    usual = [(part, move) for part in range(len(rounds)) for move in range(moves)]
    order = [divmod(unit, moves) for unit in ORDERS.get((bots, seats), ())] or usual
    for part, move in order:
        for table in rounds[part]:
            yield tuple(bot if bot == moves else (bot + move) % moves for bot in table)


GREEDY_BLOCKS = 512
"""About how long a greedy cycle is."""
TRIES = 4
"""How many ways to build the next round are compared."""


@dataclass
class _Round:
    """A round built upon all meetings before it; `cost` is how uneven it makes them."""

    meetings: Meetings
    lineups: list[Lineup]
    cost: int = 0


def _greedy(bots: int, seats: int, teams: bool, newcomer: bool = False) -> tuple[Lineup, ...]:
    """The lineups of a cycle built round by round; a `newcomer`, numbered after the others, sits at every table."""
    free = seats - newcomer
    size = tables_per_round(bots, free)
    built = _Round(Meetings.of(bots + newcomer, teams), [])
    cycle: list[Lineup] = []
    for number in range(max(1, GREEDY_BLOCKS // size)):
        tries = (_next_round(built, bots, seats, newcomer, size, f"{number} {attempt}") for attempt in range(TRIES))
        built = min(tries, key=lambda one: one.cost)
        cycle += built.lineups
    return tuple(cycle)


def _next_round(before: _Round, bots: int, seats: int, newcomer: bool, size: int, label: str) -> _Round:
    """Fill tables one by one, always with bots that have played least, those who met least together."""
    meetings = before.meetings.copy()
    built = _Round(meetings, [])
    order = sorted(range(bots), key=lambda bot: blake2b(f"{label} {bot}".encode(), digest_size=8).digest())
    waiting: list[int] = []
    for _ in range(size):
        table = [bots] if newcomer else []
        while len(table) < seats:
            waiting = waiting or order[:]
            free = (bot for bot in waiting if bot not in table)
            repeats, bot = min(((meetings.repeats(table, bot), bot) for bot in free), key=lambda one: one[0])
            built.cost += repeats
            waiting.remove(bot)
            table.append(bot)
        lineup = meetings.seat(table)
        built.cost += seats * meetings.partnered(lineup)
        meetings.add(lineup)
        built.lineups.append(lineup)
    return built
