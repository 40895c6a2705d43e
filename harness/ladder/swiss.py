"""Swiss rounds: bots near each other in the table sit together, those who have not met yet if it can be.

A round is played in legs, each of as many tables as there are bots for. Where not all can sit, those sit out who have
played most, the lowest of them first; so blocks of bots stay within one of each other after any number of them. All
legs of a round seat by the same ratings, and neighbours round a table change from leg to leg.
"""

from collections.abc import Sequence
from itertools import combinations, product

from harness.ladder.meetings import Meetings
from harness.ladder.seating import Lineup, turned


def tables_of_leg(bots: int, seats: int) -> int:
    """Return at how many tables so many bots can sit at once; at one, with empty seats, where they are too few."""
    return max(1, bots // seats)


def swiss_round(ranking: Sequence[int], seats: int, blocks: int, before: Meetings, fill: int | None) -> list[Lineup]:
    """Return the lineups of a round of so many blocks.

    ranking: the bots, best first. before: counts of all rounds played so far. fill: who takes seats left empty.
    """
    counts = before.copy()
    tables = tables_of_leg(len(ranking), seats)
    lineups: list[Lineup] = []
    while len(lineups) < blocks:
        leg = min(tables, blocks - len(lineups))
        for table in paired(seated(ranking, leg * seats, counts), seats, before):
            filled = [*table, *[bot for bot in [fill] if bot is not None] * (seats - len(table))]
            lineup = counts.seat(filled)
            counts.add(lineup)
            lineups.append(turned(lineup, counts.teams, counts.blocks[table[0]] - 1))
    return lineups


def seated(ranking: Sequence[int], seats: int, counts: Meetings) -> list[int]:
    """Return who sits in a leg with so many seats, best first: those who have played least, the better ones first."""
    place = {bot: rank for rank, bot in enumerate(ranking)}
    chosen = sorted(ranking, key=lambda bot: (counts.blocks[bot], place[bot]))[:seats]
    return sorted(chosen, key=place.__getitem__)


def paired(ranking: Sequence[int], seats: int, before: Meetings) -> list[list[int]]:
    """Return the tables of a leg: as few repeated meetings as exchanges of two bots can reach, then as near in rank."""
    waiting = list(ranking)
    tables: list[list[int]] = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < seats and waiting:
            nearest = min(waiting, key=lambda bot: before.repeats(table, bot))
            waiting.remove(nearest)
            table.append(nearest)
        tables.append(table)
    place = {bot: rank for rank, bot in enumerate(ranking)}
    while any(_exchanged(one, other, place, before) for one, other in combinations(tables, 2)):
        pass
    return tables


def _exchanged(one: list[int], other: list[int], place: dict[int, int], before: Meetings) -> bool:
    """Exchange two bots of two tables if that is better; return whether it was done."""
    cost = _cost(one, place, before), _cost(other, place, before)
    now = tuple(map(sum, zip(*cost, strict=True)))
    for seat, against in product(range(len(one)), range(len(other))):
        one[seat], other[against] = other[against], one[seat]
        cost = _cost(one, place, before), _cost(other, place, before)
        if tuple(map(sum, zip(*cost, strict=True))) < now:
            return True
        one[seat], other[against] = other[against], one[seat]
    return False


def _cost(table: list[int], place: dict[int, int], before: Meetings) -> tuple[int, int]:
    """Return how often those at a table have met, and how far apart they stand."""
    pairs = list(combinations(table, 2))
    return sum(before.met[one][other] for one, other in pairs), sum(abs(place[a] - place[b]) for a, b in pairs)
