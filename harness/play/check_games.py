"""The games that a check plays: at each size of table some with the bot in all seats, others beside built-in ones."""

from collections.abc import Container, Sequence
from typing import NamedTuple

from harness.game.layout import NONE, SEATS

SIZES = (2, 3, 4, 5, 6)
GAMES = 24
"""Games at each size of table: a fixed number, so that a check finds the same wherever it runs."""

FEW = 4
"""Games at each size of table of a bot that thinks long."""

OTHERS = ("greedy", "random")


class GameId(NamedTuple):
    """One game of a check: how many play, and its number there; every fourth has the bot in all seats."""

    players: int
    number: int

    @property
    def alone(self) -> bool:
        """Whether the bot sits in all seats."""
        return self.number % 4 == 0

    @property
    def place(self) -> tuple[int, int]:
        """Among others: the number of its deal, and the seat; a deal is played in all rotations, as in a ladder."""
        return divmod(self.number - self.number // 4 - 1, self.players)

    @property
    def deal(self) -> tuple[str, ...]:
        """What names its deal."""
        return str(self.players), *(("alone", str(self.number)) if self.alone else ("mixed", str(self.place[0])))

    def seating(self, copies: int) -> list[int]:
        """Return who sits in each seat: 0 and 1 the OTHERS, turn about, 2 and on the bot, in so many copies at most."""
        deal, own = self.place
        seats = range(self.players)
        if self.alone:
            row = [len(OTHERS) + min(seat, copies - 1) for seat in seats]
        else:
            row = [len(OTHERS) if seat == own else (seat - own + deal) % 2 for seat in seats]
        return row + [NONE] * (SEATS - self.players)

    def __str__(self) -> str:
        return f"{self.players} players, game {self.number}" + (" (the bot in all seats)" if self.alone else "")


Batch = tuple[GameId, ...]
"""Games of one size of table that are played at once."""


def in_order(games: int, sizes: Sequence[int], each_alone: bool = False) -> list[Batch]:
    """Return the batches of the usual round, one size after the other; games with the bot in all seats apart.

    The very first is one game: it shows whether the bot thinks long. each_alone: every game is a batch.
    """
    first, *batches = [batch for players in sizes for batch in _apart(players, games)]
    if each_alone:
        return [(game,) for batch in (first, *batches) for game in batch]
    return [part for part in (first[:1], first[1:], *batches) if part]


def only(kept: Container[GameId], batches: Sequence[Batch]) -> list[Batch]:
    """Return the batches without the games that are not `kept`."""
    left = [tuple(game for game in batch if game in kept) for batch in batches]
    return [batch for batch in left if batch]


def out_of_order(games: int, sizes: Sequence[int]) -> list[Batch]:
    """Return the same games backwards and in other company: all but the last of each batch together, then that one."""
    batches = [batch for players in reversed(sizes) for batch in _apart(players, games)]
    return [part for batch in batches for part in (batch[-2::-1], batch[-1:]) if part]


def _apart(players: int, games: int) -> tuple[Batch, Batch]:
    """Return the games at one size of table: those with others, and those with the bot in all seats."""
    every = [GameId(players, number) for number in range(games)]
    return tuple(game for game in every if not game.alone), tuple(game for game in every if game.alone)
