"""Who sits at which table: blocks as plain values, worked out from a few numbers, the same on every machine.

    block      one deal, played once in every rotation of its lineup; the unit of schedule, resume and statistics
    seat       a place at the table, 0 to n - 1 clockwise; in teams, seats s and s + 3 are partners
    lineup     who sits where in a block's first game: lineup[seat] is the number of a bot
    rotation   the lineup with everybody moved on, so that over a block every bot has every seat's cards
    round      blocks in which every bot plays equally often, as few as can be
    fill       the bot that takes the seats left empty when there are fewer bots than seats
    design     the endless list of lineups for so many bots at so many seats
    stretch    a range of a table kind's blocks, played by the same bots; a longer or larger run appends stretches

What a design keeps even:

    (bot, seat)                      equal in every block, by the rotations
    blocks of a bot                  within one of each other after any number of blocks
    (bot, opponent), (bot, partner)  up to 12 bots: level after every cycle; after any round within 2, but 3 for 6
                                     bots at 3 seats, 11 and 12 at 4, 10 and 12 at 5, 11 and 12 in teams
    (bot, left neighbour)            level after every cycle where all bots sit at every table; elsewhere each lineup
                                     takes every order round the table in turn, which levels them in the long run

Up to 12 bots the lineups come from starters, as in the literature on tournament designs: the lineups of one
round, from which each further round follows by moving all bots but the last on by one number; a cycle ends when
they are back. Pairs come out level when every difference of numbers occurs equally often in the starter. With
more bots, rounds are built greedily: pairs stay within about 5 in a cycle, and drift apart slowly over many.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import permutations, product

from harness.errors import ConfigError
from harness.game.rules import Rules
from harness.ladder.starters import ORDERS, STARTERS

Lineup = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One deal and who plays it: ``lineup[seat]`` is the number of the bot there in the first game."""

    table: str
    index: int
    lineup: Lineup


@dataclass(frozen=True)
class Stretch:
    """Blocks `first` up to but not `last` of a table kind, played by these bots (numbers in the manifest).

    `offset` is how far into the bots' design the first of these blocks lies: 0 for a design begun anew.
    """

    table: str
    bots: tuple[int, ...]
    first: int
    last: int
    offset: int = 0


def rotations(lineup: Lineup, teams: bool) -> list[Lineup]:
    """Return the seatings of a block: all bots in every seat once, equal seatings of copies only once.

    Without teams everybody moves round the table; in teams the three teams change places, and partners too.
    """
    size = len(lineup)
    if teams:
        moves = [
            [(seat + turn) % 3 + (seat // 3 + swap) % 2 * 3 for seat in range(6)]
            for swap in (0, 1)
            for turn in range(3)
        ]
    else:
        moves = [[(seat + turn) % size for seat in range(size)] for turn in range(size)]
    return list(dict.fromkeys(tuple(lineup[seat] for seat in move) for move in moves))


def blocks(stretch: Stretch, rules: Rules, fill: int | None = None) -> Iterator[Block]:
    """Yield the blocks of a stretch; `fill` is the number of the bot for seats left empty."""
    return (block_at(stretch, rules, index, fill) for index in range(stretch.first, stretch.last))


def block_at(stretch: Stretch, rules: Rules, index: int, fill: int | None = None) -> Block:
    """Return one block of a stretch, by its number among all blocks of the table kind."""
    if not stretch.first <= index < stretch.last:
        raise IndexError(f"block {index} lies outside {stretch.first} to {stretch.last}")
    count = len(stretch.bots)
    design = Design(count, rules.players, rules.teams is not None, None if fill is None else count)
    lineup = design.lineup(index - stretch.first + stretch.offset)
    return Block(stretch.table, index, tuple(_number(stretch, bot, fill) for bot in lineup))


def _number(stretch: Stretch, bot: int, fill: int | None) -> int:
    """The manifest's number of a bot of the design, in which the fill bot comes after the others."""
    if bot < len(stretch.bots):
        return stretch.bots[bot]
    assert fill is not None
    return fill


def extend(stretches: Sequence[Stretch], table: str, bots: Sequence[int], blocks: int) -> tuple[Stretch, ...]:
    """Return the stretches of a run continued with a config that wants `blocks` blocks by `bots` at this table.

    The same bots, in any order, continue their design up to `blocks`; others begin a design of `blocks` further
    blocks. What is there never changes.
    """
    own = [stretch for stretch in stretches if stretch.table == table]
    first, played = 0, 0
    order = tuple(bots)
    if own:
        last = own[-1]
        first = last.last
        if sorted(last.bots) == sorted(bots):
            order, played = last.bots, last.offset + last.last - last.first
    if played >= blocks:
        return tuple(stretches)
    return (*stretches, Stretch(table, order, first, first + blocks - played, played))


@dataclass(frozen=True)
class Design:
    """The endless list of lineups of bots numbered 0 to `bots` - 1; two equal designs are the same list.

    `fill` is the number of the bot that takes seats left empty, one of those or another.
    """

    bots: int
    seats: int
    teams: bool = False
    fill: int | None = None

    def __post_init__(self) -> None:
        if self.bots < self.seats and self.fill is None:
            raise ConfigError(
                f"too few bots ({self.bots}) for {self.seats} seats; name one that sits in the empty ones, "
                "as in schedule: {fill: random}"
            )

    @property
    def blocks_per_round(self) -> int:
        """After so many blocks every bot has played equally often."""
        seated = max(self.bots, self.seats)
        return math.lcm(seated, self.seats) // self.seats

    def lineup(self, block: int) -> Lineup:
        """Return the lineup of a block, counted from 0."""
        seated = max(self.bots, self.seats)
        cycle = _cycle(seated, self.seats, self.teams)
        turn, index = divmod(block, len(cycle))
        # each time through, everybody takes the next one's part: what one cycle leaves uneven, the next ones even out
        lineup = [self._bot((bot + turn) % seated) for bot in cycle[index]]
        if seated == self.seats:
            return tuple(lineup)
        orders = _orders(self.seats, self.teams)
        return tuple(lineup[seat] for seat in orders[(index + turn // seated) % len(orders)])

    def _bot(self, number: int) -> int:
        if number < self.bots:
            return number
        assert self.fill is not None
        return self.fill


@lru_cache(maxsize=64)
def _orders(seats: int, teams: bool) -> tuple[tuple[int, ...], ...]:
    """Return all orders round the table that rotations do not make anyway, as places in a lineup.

    In teams partners stay partners: the other two teams change places, or the two of a team do.
    """
    if not teams:
        return tuple((0, *others) for others in permutations(range(1, seats)))
    return tuple(
        tuple((0, *others)[seat % 3] + 3 * ((seat // 3 + (0, *swaps)[seat % 3]) % 2) for seat in range(6))
        for others in permutations((1, 2))
        for swaps in product((0, 1), repeat=2)
    )


@lru_cache
def _cycle(bots: int, seats: int, teams: bool) -> tuple[Lineup, ...]:
    """The lineups of one cycle, a whole number of rounds, for at least as many bots as seats."""
    if (bots, seats) in STARTERS and teams == (seats == 6):
        return tuple(_developed(bots, seats))
    return tuple(_greedy(bots, seats, teams))


def _developed(bots: int, seats: int) -> Iterator[Lineup]:
    tables = [tuple(ord(letter) - ord("a") for letter in table) for table in STARTERS[bots, seats].split()]
    size = math.lcm(bots, seats) // seats
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

PAIRINGS = [
    seats
    for seats in permutations(range(6))
    if seats[:3] == tuple(sorted(seats[:3])) and all(map(int.__lt__, seats, seats[3:]))
]
"""The 15 ways to make three teams of six: seats s and s + 3 are partners."""

Counts = list[list[int]]


@dataclass
class _Round:
    """A round built upon how often each pair has `met` and partnered (`paired`) before; `cost` is how uneven."""

    met: Counts
    paired: Counts
    lineups: list[Lineup]
    cost: int = 0


def _greedy(bots: int, seats: int, teams: bool) -> Iterator[Lineup]:
    size = math.lcm(bots, seats) // seats
    built = _Round([[0] * bots for _ in range(bots)], [[0] * bots for _ in range(bots)], [])
    for number in range(max(1, GREEDY_BLOCKS // size)):
        tries = (_next_round(built, size, seats, teams, f"{number} {attempt}") for attempt in range(TRIES))
        built = min(tries, key=lambda one: one.cost)
        yield from built.lineups


def _next_round(before: _Round, size: int, seats: int, teams: bool, label: str) -> _Round:
    """Fill tables one by one, always with bots that have played least, those who met least together."""
    built = _Round([row[:] for row in before.met], [row[:] for row in before.paired], [])
    order = sorted(range(len(built.met)), key=lambda bot: blake2b(f"{label} {bot}".encode(), digest_size=8).digest())
    waiting: list[int] = []
    for _ in range(size):
        table: list[int] = []
        while len(table) < seats:
            waiting = waiting or order[:]
            rows = [built.met[bot] for bot in table]
            free = (bot for bot in waiting if bot not in table)
            _, bot = min(((sum(row[bot] for row in rows), bot) for bot in free), key=lambda one: one[0])
            built.cost += sum(row[bot] for row in rows)
            waiting.remove(bot)
            table.append(bot)
        built.lineups.append(_seated(table, built, teams))
    return built


def _seated(table: list[int], built: _Round, teams: bool) -> Lineup:
    """Count a table's meetings; in teams, make partners of those who were so least."""
    for one, other in permutations(table, 2):
        built.met[one][other] += 1
    if not teams:
        return tuple(table)

    def partnered(pairing: tuple[int, ...]) -> int:
        return sum(built.paired[table[pairing[seat]]][table[pairing[seat + 3]]] for seat in range(3))

    pairing = min(PAIRINGS, key=partnered)
    built.cost += len(table) * partnered(pairing)
    lineup = tuple(table[seat] for seat in pairing)
    for one, other in zip(lineup, lineup[3:] + lineup[:3], strict=True):
        built.paired[one][other] += 1
    return lineup
