"""The public history of a game, readable: every turn, every city's result, every loss, in order."""

import struct
from typing import NamedTuple

from harness.game import layout
from harness.game.cards import Card, Kind
from harness.game.lexicon import Lexicon
from harness.game.turn import Turn

_EVENT = struct.Struct("<" + "".join(layout.struct_code(field)[1:] for field in layout.EVENT))


class TurnPlayed(NamedTuple):
    """A seat's turn; hands count from 1."""

    hand: int
    seat: int
    turn: Turn

    def __str__(self) -> str:
        return f"hand {self.hand}, seat {self.seat}: {self.turn}"


class CityResult(NamedTuple):
    """What a city brought in a reckoning: its hidden card (None for Chicago), who won it, the money paid."""

    hand: int
    city: str
    card: Card | None
    winner: int | None
    money: int

    def __str__(self) -> str:
        card = f" ({self.card.face})" if self.card else ""
        won = "nobody" if self.winner is None else f"side {self.winner}"
        return f"hand {self.hand}, {self.city}{card}: {won}, paid {self.money}"


class Loss(NamedTuple):
    """An expert lost to a city's card: HOSPITAL and PRISON for a time, REVOLVER and SHOOTOUT for good."""

    hand: int
    city: str
    seat: int
    kind: Kind

    def __str__(self) -> str:
        return f"hand {self.hand}, {self.city}: seat {self.seat} loses an expert ({self.kind.name.lower()})"


Event = TurnPlayed | CityResult | Loss


def read_events(data: bytes, lexicon: Lexicon) -> list[Event]:
    """Read the packed EVENT records of a game's history."""
    return [_read(fields, lexicon) for fields in _EVENT.iter_unpack(data)]


def _read(fields: tuple[int, ...], lexicon: Lexicon) -> Event:
    kind, hand, who, city, experts, occasionals, card, signal, amount = fields
    if kind == layout.TURN_EVENT:
        return TurnPlayed(hand + 1, who, lexicon.turn_of((card, city, experts, occasionals, signal)))
    name = lexicon.city_names[city]
    if kind == layout.LOSS_EVENT:
        return Loss(hand + 1, name, who, Kind(card))
    turned = None if card == layout.NONE else lexicon.cards[card]
    return CityResult(hand + 1, name, turned, None if who == layout.NONE else who, amount)
