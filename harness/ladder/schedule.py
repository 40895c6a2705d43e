"""Stand-in until the real schedule lands."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from harness.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Block:
    table: str
    index: int
    lineup: tuple[int, ...]


@dataclass(frozen=True)
class Stretch:
    table: str
    bots: tuple[int, ...]
    first: int
    last: int
    offset: int = 0


def rotations(lineup: tuple[int, ...], teams: bool) -> list[tuple[int, ...]]:
    n = len(lineup)
    if teams:
        out = []
        for k in range(3):
            for swap in (0, 3):
                out.append(tuple(lineup[(s % 3 + k) % 3 + 3 * (((s // 3) + (swap // 3)) % 2)] for s in range(6)))
        return list(dict.fromkeys(out))
    return list(dict.fromkeys(tuple(lineup[(s + k) % n] for s in range(n)) for k in range(n)))


def blocks(stretch: Stretch, rules: Rules, fill: int | None) -> Iterator[Block]:
    n = rules.players
    bots = stretch.bots
    if len(bots) >= n:
        cycle = list(combinations(bots, n))
    else:
        cycle = [bots + (fill,) * (n - len(bots))]
    for index in range(stretch.first, stretch.last):
        yield Block(stretch.table, index, tuple(cycle[(index - stretch.first + stretch.offset) % len(cycle)]))


def extend(stretches: tuple[Stretch, ...], table: str, bots: tuple[int, ...], count: int) -> tuple[Stretch, ...]:
    own = [s for s in stretches if s.table == table]
    done = own[-1].last if own else 0
    if own and own[-1].bots == bots:
        if count <= done:
            return stretches
        return (*stretches, Stretch(table, bots, done, count, done))
    return (*stretches, Stretch(table, bots, done, done + count))
