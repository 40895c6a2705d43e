"""How often bots have met and been partners, and how the next table is seated so that this stays even."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from harness.ladder.seating import Lineup

Counts = list[list[int]]

PAIRINGS = [
    seats
    for seats in permutations(range(6))
    if seats[:3] == tuple(sorted(seats[:3])) and all(map(int.__lt__, seats, seats[3:]))
]
"""The 15 ways to make three teams of six: seats s and s + 3 are partners."""


@dataclass
class Meetings:
    """Counts of blocks among bots numbered from 0.

    blocks: by bot. met: by pair that sat at one table, partners included. paired: by pair of partners.
    """

    teams: bool
    blocks: list[int]
    met: Counts
    paired: Counts

    @classmethod
    def of(cls, bots: int, teams: bool, lineups: Iterable[Lineup] = ()) -> "Meetings":
        """Return the counts of these lineups among so many bots."""
        counts = cls(teams, [0] * bots, [[0] * bots for _ in range(bots)], [[0] * bots for _ in range(bots)])
        for lineup in lineups:
            counts.add(lineup)
        return counts

    def copy(self) -> "Meetings":
        """Return the same counts, to be continued apart."""
        return Meetings(self.teams, self.blocks[:], [row[:] for row in self.met], [row[:] for row in self.paired])

    def add(self, lineup: Lineup) -> None:
        """Count one block."""
        for bot in set(lineup):
            self.blocks[bot] += 1
        for one, other in permutations(lineup, 2):
            self.met[one][other] += 1
        if self.teams:
            for one, other in zip(lineup, lineup[3:] + lineup[:3], strict=True):
                self.paired[one][other] += 1

    def repeats(self, table: Sequence[int], bot: int) -> int:
        """Return how often a bot has met those who sit at a table."""
        row = self.met[bot]
        return sum(row[other] for other in table)

    def partnered(self, lineup: Lineup) -> int:
        """Return how often the partners of a lineup have been partners; 0 without teams."""
        return sum(self.paired[lineup[seat]][lineup[seat + 3]] for seat in range(3)) if self.teams else 0

    def seat(self, table: Sequence[int]) -> Lineup:
        """Return a lineup of those at a table: in teams, partners are those who were so least."""
        if not self.teams:
            return tuple(table)
        return min((tuple(table[seat] for seat in seats) for seats in PAIRINGS), key=self.partnered)
