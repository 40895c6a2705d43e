"""Swiss rounds: bots near each other in the table sit together, rather those who have not met in an earlier round.

Everybody plays once before anybody plays again, so that blocks of bots stay within one of each other at any moment.
Where not all can sit at once, those left over sit first when it begins anew, with those next to them. All tables of a
round are made by the same ratings; a table that is played several times changes its order round the table each time.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, product

from harness.ladder.meetings import Meetings
from harness.ladder.seating import Lineup, turned

Met = dict[tuple[int, int], int]
"""In how many earlier rounds two bots have met, the lower number first; 0 where it is not there."""


def met_in_rounds(rounds: Iterable[Iterable[Lineup]]) -> Met:
    """Count the rounds in which bots have met."""
    met: Met = {}
    for lineups in rounds:
        for pair in {pair for lineup in lineups for pair in combinations(sorted(set(lineup)), 2)}:
            met[pair] = met.get(pair, 0) + 1
    return met


def swiss_round(
    ranking: Sequence[int], seats: int, blocks: int, met: Met, counts: Meetings, fill: int | None
) -> list[Lineup]:
    """Return the lineups of a round of so many blocks.

    ranking: the bots, best first. counts: of all blocks so far; goes on with these. fill: who takes empty seats.
    """
    pairing = Pairing(ranking, seats, met)
    lineups: list[Lineup] = []
    while len(lineups) < blocks:
        for table in pairing.tables(counts.blocks, blocks - len(lineups)):
            filled = [*table, *[bot for bot in [fill] if bot is not None] * (seats - len(table))]
            lineup = counts.seat(filled)
            counts.add(lineup)
            lineups.append(turned(lineup, counts.teams, counts.blocks[table[0]] - 1))
    return lineups


class Pairing:
    """Who sits with whom, by a ranking and by who has met.

    A table costs what its bots stand apart in rank, pair by pair, and for each repeated meeting as many places as it
    would take rounds to meet everybody: in duels more than there are, so that none is repeated if that can be.
    """

    def __init__(self, ranking: Sequence[int], seats: int, met: Met) -> None:
        self.ranking = ranking
        self.seats = seats
        self.met = met
        self.place = {bot: rank for rank, bot in enumerate(ranking)}
        self.repeat = len(ranking) / (seats - 1)

    def tables(self, played: Sequence[int], most: int) -> list[list[int]]:
        """Return the next tables, at most so many: of those who have played least, the better ones first."""
        fewest = min(played[bot] for bot in self.ranking)
        waiting = [bot for bot in self.ranking if played[bot] == fewest]
        count = min(len(waiting) // self.seats, most)
        if count:
            return self._parted(waiting[: count * self.seats])
        others = [bot for bot in self.ranking if bot not in waiting]
        while len(waiting) < self.seats and others:
            waiting.append(others.pop(self._nearest(waiting, others)))
        return [waiting]

    def _parted(self, waiting: list[int]) -> list[list[int]]:
        """Part bots into tables: from the best down, each with those nearest; then exchange while that is better."""
        tables = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < self.seats:
                table.append(waiting.pop(self._nearest(table, waiting)))
            tables.append(table)
        while any(self._exchanged(one, other) for one, other in combinations(tables, 2)):
            pass
        return tables

    def _nearest(self, table: list[int], others: list[int]) -> int:
        """Return the place among the others of the one who costs a table least."""
        return min(range(len(others)), key=lambda place: sum(self._apart(bot, others[place]) for bot in table))

    def _apart(self, one: int, other: int) -> float:
        meetings = self.met.get((min(one, other), max(one, other)), 0)
        return abs(self.place[one] - self.place[other]) + self.repeat * meetings

    def _cost(self, *tables: list[int]) -> float:
        return sum(self._apart(one, other) for table in tables for one, other in combinations(table, 2))

    def _exchanged(self, one: list[int], other: list[int]) -> bool:
        """Exchange two bots of two tables if that is clearly better; return whether it was done."""
        now = self._cost(one, other)
        for seat, against in product(range(len(one)), range(len(other))):
            one[seat], other[against] = other[against], one[seat]
            if self._cost(one, other) < now - 1e-9:
                return True
            one[seat], other[against] = other[against], one[seat]
        return False
