"""The table as one seat sees it: how far the game is, whose gangsters stand where, and where its own can be placed.

A `View` is this, and cards, past and chance beside it; the bytes are read here as there.
"""

import struct
from collections.abc import Sequence
from operator import add

from msgspec import Struct

from harness.game import layout
from harness.game.cards import CHICAGO
from harness.game.layout import PLACES
from harness.game.lexicon import Lexicon
from harness.game.once import once
from harness.game.rules import Rules
from harness.game.turn import Gangsters, Placement

_AT = layout.offsets(layout.OBSERVATION)
_ROW, _SEAT, _HAND, _TURN = (_AT[name] for name in ("row", "seat", "hand", "turn"))
_ON_EXPERTS, _ON_OCCASIONALS = _AT["on_experts"], _AT["on_occasionals"]
_LEADER, _MOST = _AT["leader"], _AT["most"]
_LEADERS, _MOSTS = slice(_LEADER, _LEADER + PLACES), slice(_MOST, _MOST + PLACES)
_EXPERTS, _OCCASIONALS, _AWAY = (_AT[name] for name in ("experts", "occasionals", "away"))
_BANNED, _PLACED = _AT["banned"], _AT["placed"]
_MONEY = struct.Struct("<6i")
_MASKS = struct.Struct("<6H")
_short = struct.Struct("<H").unpack_from
_BYTE_NONE = 255
_CHICAGO_BIT = 1 << layout.CHICAGO
_BUT_CHICAGO = _CHICAGO_BIT - 1


class TableView(Struct, dict=True, eq=False, frozen=True):
    """What one seat sees of the table when it is asked."""

    _lexicon: Lexicon
    _data: bytes

    # -- the table ------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of this table: players, cities, cards, pieces, rulings."""
        return self._lexicon.rules

    @property
    def seat(self) -> int:
        """The seat that looks."""
        return self._data[_SEAT]

    @property
    def side(self) -> int:
        """The side of the seat that looks."""
        return self._data[_SEAT] % self._lexicon.sides

    @property
    def hand_number(self) -> int:
        """Number of this hand in the game, from 1."""
        return self._data[_HAND] + 1

    @property
    def turn_number(self) -> int:
        """Number of this turn in the hand, from 1."""
        return self._data[_TURN] + 1

    @property
    def start(self) -> int:
        """The seat with the start marker."""
        return self._data[_AT["start"]]

    @property
    def order(self) -> tuple[int, ...]:
        """Seats in the order in which they play this turn."""
        at = _AT["order"]
        return tuple(self._data[at : at + self._lexicon.rules.players])

    @property
    def still_to_play(self) -> tuple[int, ...]:
        """Seats that play after this one in this turn, in order."""
        return self.order[self._data[_AT["position"]] + 1 :]

    @property
    def is_last_hand(self) -> bool:
        """Whether three police badges of a colour are up, so that this hand ends the regular game."""
        return self._data[_AT["last_hand"]] == 1

    @property
    def is_last_turn(self) -> bool:
        """Whether this is the last turn of the hand: what stays in supply now wins nothing in it."""
        return self._data[_TURN] == self._lexicon.last_turn

    @property
    def extra_hand(self) -> int:
        """Number of the extra hand that is played for a level win; 0 in regular hands."""
        return self._data[_AT["extra"]]

    @property
    def contenders(self) -> tuple[int, ...]:
        """The sides that can still win: all, but in an extra hand."""
        mask = self._data[_AT["contenders"]]
        return tuple(side for side in range(self._lexicon.rules.sides) if mask >> side & 1)

    @property
    def police(self) -> tuple[str, ...]:
        """Police cards turned up so far, in order."""
        at = _AT["police"]
        return tuple(layout.POLICE_NAMES[card] for card in self._data[at : at + 5] if card != _BYTE_NONE)

    @property
    def row(self) -> tuple[str, ...]:
        """Cities left to right, Chicago in its place."""
        left = self.left_of_chicago
        return (*left, CHICAGO, *self._lexicon.cities[len(left) :])

    @property
    def left_of_chicago(self) -> tuple[str, ...]:
        """The cities left of Chicago, whose last open cards it pays for."""
        return self._lexicon.cities[: self._data.index(layout.CHICAGO, _ROW) - _ROW]  # the cities never change places

    @once
    def money(self) -> tuple[int, ...]:
        """Per side: millions of dollars before this hand's reckoning."""
        return _MONEY.unpack_from(self._data, _AT["money"])[: self._lexicon.rules.sides]

    @once
    def banished(self) -> tuple[frozenset[str], ...]:
        """Per side: the cities it may not place on."""
        masks = _MASKS.unpack_from(self._data, _AT["banned"])[: self._lexicon.rules.sides]
        numbers = self._lexicon.city_numbers.items()
        return tuple(frozenset(city for city, number in numbers if mask >> number & 1) for mask in masks)

    # -- gangsters ------------------------------------------------------------------------------------------------

    @once
    def supply(self) -> tuple[Gangsters, ...]:
        """Per seat: gangsters that can be placed."""
        data = self._data
        seats = range(self._lexicon.rules.players)
        return tuple([Gangsters(data[_EXPERTS + seat], data[_OCCASIONALS + seat]) for seat in seats])

    @property
    def own_supply(self) -> Gangsters:
        """The gangsters that the seat itself can place."""
        seat = self._data[_SEAT]
        return Gangsters(self._data[_EXPERTS + seat], self._data[_OCCASIONALS + seat])

    @once
    def away(self) -> tuple[tuple[int, int], ...]:
        """Per seat: experts that miss this hand only, and this and the next."""
        at = range(_AWAY, _AWAY + 2 * self._lexicon.rules.players, 2)
        return tuple([(self._data[i], self._data[i + 1]) for i in at])

    @once
    def on(self) -> dict[str, tuple[Gangsters, ...]]:
        """Per city: gangsters of each seat there."""
        data = self._data
        seats = range(0, self._lexicon.rules.players * PLACES, PLACES)
        return {
            city: tuple(
                [Gangsters(data[_ON_EXPERTS + at + number], data[_ON_OCCASIONALS + at + number]) for at in seats]
            )
            for city, number in self._lexicon.city_numbers.items()
        }

    def leader(self, city: str) -> int | None:
        """The side with most gangsters on a city; None for an empty one."""
        side = self._data[_LEADER + self._lexicon.city_numbers[city]]
        return None if side == _BYTE_NONE else side

    def strength(self, city: str, side: int) -> int:
        """How many gangsters a side has on a city."""
        return self._side_on(self._lexicon.city_numbers[city], side)[0]

    def need(self, city: str) -> int:
        """How many gangsters the seat must place on a city, at least, to have more than every other side."""
        return self._need(self._lexicon.city_numbers[city])[0]

    def can_place_on(self, city: str) -> bool:
        """Whether the seat may place on a city at all, given enough gangsters."""
        return self._is_open(self._lexicon.city_numbers[city])

    def _side_on(self, number: int, side: int) -> tuple[int, int]:
        data = self._data
        at = side * PLACES + number
        experts = data[_ON_EXPERTS + at]
        total = experts + data[_ON_OCCASIONALS + at]
        if self._lexicon.rules.players == 6:
            at += 3 * PLACES
            experts += data[_ON_EXPERTS + at]
            total += data[_ON_EXPERTS + at] + data[_ON_OCCASIONALS + at]
        return total, experts

    def _need(self, number: int) -> tuple[int, int]:
        """Return (gangsters needed to lead, experts of the side there)."""
        side = self.side
        total, experts = self._side_on(number, side)
        if self._data[_LEADER + number] == side:
            return 1, experts
        return self._data[_MOST + number] + 1 - total, experts

    def _is_open(self, number: int) -> bool:
        return not self._closed >> number & 1

    @property
    def _closed(self) -> int:
        """Cities the seat may not place on, as a mask."""
        data, lexicon = self._data, self._lexicon
        seat = data[_SEAT]
        closed: int = _short(data, _BANNED + 2 * (seat % lexicon.sides))[0]
        placed: int = _short(data, _PLACED + 2 * seat)[0]
        if lexicon.chicago_by_side:
            placed |= _short(data, _PLACED + 2 * ((seat + 3) % 6))[0]
        return closed if placed & _BUT_CHICAGO else closed | _CHICAGO_BIT

    def legal_placements(self) -> list[Placement]:
        """Every placement the seat may make now; placing nothing is always allowed beside them."""
        experts, occasionals = self._data[_EXPERTS + self.seat], self._data[_OCCASIONALS + self.seat]
        placements = []
        for city, number in self._lexicon.city_numbers.items():
            if self._is_open(number):
                need, own_experts = self._need(number)
                for e in range(experts + 1):
                    most = occasionals if own_experts + e else 0
                    placements += [Placement(city, e, o) for o in range(max(0, need - e), most + 1)]
        return placements

    def cheapest_placement(self, city: str) -> Placement | None:
        """The placement that leads a city with fewest gangsters, experts before occasionals; None: impossible."""
        number = self._lexicon.city_numbers[city]
        if not self._is_open(number):
            return None
        data = self._data
        need, own_experts = self._need(number)
        supply = data[_EXPERTS + data[_SEAT]]
        if need <= supply:
            return Placement(city, need)
        if need - supply > data[_OCCASIONALS + data[_SEAT]] or not own_experts + supply:
            return None
        return Placement(city, supply, need - supply)

    def ways_to_lead(self) -> list[Placement]:
        """The cheapest placement on each city, left to right, that its side does not lead yet and could lead now."""
        data = self._data
        ways: list[Placement] = []
        experts = data[_EXPERTS + data[_SEAT]]
        supply = experts + data[_OCCASIONALS + data[_SEAT]]
        if not supply:
            return ways
        names, side, closed = self._lexicon.city_names, self.side, self._closed
        leaders, most, own_experts, own_occasionals = data[_LEADERS], data[_MOSTS], *self._on_by_number(side)
        for number in data[_ROW : _ROW + self._lexicon.places]:
            if leaders[number] != side:
                need = most[number] + 1 - own_experts[number] - own_occasionals[number]
                if need <= supply and not closed >> number & 1:
                    if need <= experts:
                        ways.append(Placement(names[number], need))
                    elif experts or own_experts[number]:
                        ways.append(Placement(names[number], experts, need - experts))
        return ways

    def _on_by_number(self, side: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return (experts, occasionals) of a side on each city, by its number."""
        data, at = self._data, side * PLACES
        experts = data[_ON_EXPERTS + at : _ON_EXPERTS + at + PLACES]
        occasionals = data[_ON_OCCASIONALS + at : _ON_OCCASIONALS + at + PLACES]
        if self._lexicon.players != 6:
            return experts, occasionals
        at += 3 * PLACES
        partner = data[_ON_EXPERTS + at : _ON_EXPERTS + at + PLACES]
        others = data[_ON_OCCASIONALS + at : _ON_OCCASIONALS + at + PLACES]
        return list(map(add, experts, partner)), list(map(add, occasionals, others))
