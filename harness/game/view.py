"""The readable form of one observation.

Needs neither numpy nor numba: a `View` reads the bytes of its observation only where it is asked. Cities are their
names, seats and sides their numbers, cards `Card` values; hands and turns count from 1.
"""

import random
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import add

from harness.game import layout
from harness.game.cards import Card, Kind
from harness.game.history import Event, TurnPlayed, read_events
from harness.game.layout import CITIES, PLACES
from harness.game.lexicon import Lexicon
from harness.game.once import once
from harness.game.rules import Rules
from harness.game.turn import Gangsters, Placement

_AT = layout.offsets(layout.OBSERVATION)
_ROW, _LAST_SHOWN, _TURNED, _BACKS = (_AT[name] for name in ("row", "last_shown", "turned", "backs"))
_ON_EXPERTS, _ON_OCCASIONALS = _AT["on_experts"], _AT["on_occasionals"]
_LEADER, _MOST = _AT["leader"], _AT["most"]
_EXPERTS, _OCCASIONALS, _AWAY, _POOL = (_AT[name] for name in ("experts", "occasionals", "away", "pool"))
_OWN, _REVEALED, _SEAT, _HAND, _TURN = (_AT[name] for name in ("own", "revealed", "seat", "hand", "turn"))
_MONEY = struct.Struct("<6i")
_MASKS = struct.Struct("<6H")
_BYTE_NONE = 255
_make = tuple.__new__  # what a named tuple's own constructor calls, without the detour through Python
_BANNED, _PLACED = _AT["banned"], _AT["placed"]
_CHICAGO_BIT = 1 << layout.CHICAGO
_PHASE = _AT["phase"]


class View:
    """What one seat knows when it is asked. Everything the table can see, and the seat's own hand."""

    __slots__ = ("__dict__", "_data", "_index", "_lexicon", "_read_history")

    def __init__(self, lexicon: Lexicon, data: bytes, history: Callable[[int, int], bytes], index: int) -> None:
        """Wrap the bytes of one observation; ``history(index, events)`` reads the game's first `events` events."""
        self._lexicon = lexicon
        self._data = data
        self._read_history = history
        self._index = index

    # -- the table ------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of this table: players, cities, cards, pieces, rulings."""
        return self._lexicon.rules

    @property
    def seat(self) -> int:
        """The seat that looks."""
        return self._data[_SEAT]

    @once
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

    @once
    def row(self) -> tuple[str, ...]:
        """Cities left to right, Chicago in its place."""
        names = self._lexicon.city_names
        return tuple([names[city] for city in self._data[_ROW : _ROW + len(self._lexicon.cities) + 1]])

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

    @once
    def _closed(self) -> int:
        """Cities the seat may not place on, as a mask."""
        data, at, side_at = self._data, _PLACED + 2 * self._data[_SEAT], _BANNED + 2 * self.side
        closed = data[side_at] | data[side_at + 1] << 8
        placed = data[at] | data[at + 1] << 8
        if self._lexicon.rules.teams and self._lexicon.rules.rulings.chicago_after == "side":
            at = _PLACED + 2 * ((self.seat + 3) % 6)
            placed |= data[at] | data[at + 1] << 8
        return closed if placed & ~_CHICAGO_BIT else closed | _CHICAGO_BIT

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
        if self._closed >> number & 1:
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
        data, side, closed = self._data, self.side, self._closed
        experts, occasionals = self.own_supply
        if not experts + occasionals:
            return []
        leaders, most, names = data[_LEADER : _LEADER + PLACES], data[_MOST : _MOST + PLACES], self._lexicon.city_names
        own_experts, own_occasionals = self._own_side_on()
        ways = []
        for number in data[_ROW : _ROW + self._lexicon.places]:
            if leaders[number] == side or closed >> number & 1:
                continue
            need = most[number] + 1 - own_experts[number] - own_occasionals[number]
            if need <= experts:
                ways.append(_make(Placement, (names[number], need, 0)))
            elif need <= experts + occasionals and own_experts[number] + experts:
                ways.append(_make(Placement, (names[number], experts, need - experts)))
        return ways

    def _own_side_on(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return (experts, occasionals) of the seat's side on each city, by its number."""
        data, at = self._data, self.side * PLACES
        experts = data[_ON_EXPERTS + at : _ON_EXPERTS + at + PLACES]
        occasionals = data[_ON_OCCASIONALS + at : _ON_OCCASIONALS + at + PLACES]
        if self._lexicon.rules.players != 6:
            return experts, occasionals
        at += 3 * PLACES
        partner = data[_ON_EXPERTS + at : _ON_EXPERTS + at + PLACES]
        others = data[_ON_OCCASIONALS + at : _ON_OCCASIONALS + at + PLACES]
        return list(map(add, experts, partner)), list(map(add, occasionals, others))

    # -- cards ----------------------------------------------------------------------------------------------------

    @property
    def _own(self) -> int:
        return int.from_bytes(self._data[_OWN : _OWN + 8], "little")

    @once
    def _revealed(self) -> int:
        return int.from_bytes(self._data[_REVEALED : _REVEALED + 8], "little")

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards in the seat's own hand."""
        return self._lexicon.cards_of[self._data[_OWN : _OWN + 8]]

    @property
    def backs(self) -> tuple[dict[str, int], ...]:
        """Per seat: from each city, how many cards it holds (cities it holds none of are left out)."""
        data, cities = self._data, self._lexicon.cities
        starts = range(_BACKS, _BACKS + self._lexicon.rules.players * CITIES, CITIES)
        return tuple({city: data[at + i] for i, city in enumerate(cities) if data[at + i]} for at in starts)

    @once
    def shown(self) -> dict[str, tuple[Card, ...]]:
        """Per city but Chicago: the cards revealed in this hand, in order."""
        shown: dict[str, list[Card]] = {city: [] for city in self._lexicon.cities}
        for event in self.history:
            if isinstance(event, TurnPlayed) and event.hand == self.hand_number:
                shown[event.turn.reveal.city].append(event.turn.reveal)
        return {city: tuple(cards) for city, cards in shown.items()}

    def last_shown(self, city: str) -> Card | None:
        """The card revealed last beside a city in this hand."""
        return self._card_at(_LAST_SHOWN + self._lexicon.city_numbers[city])

    @property
    def left_of_chicago(self) -> tuple[str, ...]:
        """The cities left of Chicago, whose last open cards it pays for."""
        return self.row[: self._data.index(layout.CHICAGO, _ROW) - _ROW]

    @property
    def chicago_pays(self) -> int:
        """What Chicago would pay if no more cards were revealed."""
        data, values, total = self._data, self._lexicon.chicago_values, 0
        for number in data[_ROW : data.index(layout.CHICAGO, _ROW)]:
            shown = data[_LAST_SHOWN + number]
            if shown != _BYTE_NONE:
                total += values[shown]
        return total // 2 if total > 0 else 0

    def chicago_value(self, card: Card) -> int:
        """What a card counts in Chicago's sum while it lies open last in a city left of Chicago."""
        return self._lexicon.chicago_value_of[card]

    def turned_up(self, city: str) -> Card | None:
        """A city's hidden card once the reckoning has turned it up (only `choose_loss` sees any)."""
        return self._card_at(_TURNED + self._lexicon.city_numbers[city])

    def _card_at(self, at: int) -> Card | None:
        number = self._data[at]
        return None if number == _BYTE_NONE else self._lexicon.cards[number]

    def possible(self, city: str) -> tuple[Card, ...]:
        """The cards that can lie hidden under a city: neither revealed nor in hand; each is equally likely."""
        return self._lexicon.cards_of[self._unknown & self._lexicon.city_masks[city]]

    @once
    def _unknown(self) -> int:
        """The cards that can lie hidden, as a mask; in the reckoning, of a city resolved its card alone."""
        unknown = ~(self._own | self._revealed)
        if self._data[_PHASE]:
            for city, mask in self._lexicon.city_masks.items():
                card = self._data[_TURNED + self._lexicon.city_numbers[city]]
                if card != _BYTE_NONE:
                    unknown = unknown & ~mask | 1 << card
        return unknown

    def odds(self, city: str) -> dict[Card, Fraction]:
        """The exact chance of each card to lie hidden under a city."""
        cards = self.possible(city)
        return {card: Fraction(cards.count(card), len(cards)) for card in dict.fromkeys(cards)}

    # -- past, chance, losses -------------------------------------------------------------------------------------

    @once
    def history(self) -> list[Event]:
        """All public events since the game began: turns, results of cities, losses."""
        at = _AT["events"]
        events = self._data[at] | self._data[at + 1] << 8
        return read_events(self._read_history(self._index, events), self._lexicon)

    @once
    def rng(self) -> random.Random:
        """The seat's own source of randomness for this decision; says nothing of the cards."""
        at = _AT["key"]
        key = int.from_bytes(self._data[at : at + 8], "little")
        return random.Random(key << 16 | self._data[_AT["decision"]] | self._data[_AT["decision"] + 1] << 8)

    @property
    def experts_left(self) -> tuple[int, ...]:
        """Per seat, in `choose_loss`: experts that are not away and not yet lost in this reckoning."""
        return tuple(self._data[_POOL : _POOL + self._lexicon.rules.players])

    @property
    def loss(self) -> tuple[str, Kind]:
        """In `choose_loss`: the city whose card takes an expert, and what that card is."""
        city = self._data[_AT["loss_city"]]
        return self._lexicon.city_names[city], Kind(self._data[_AT["loss_kind"]])

    def number_in_hand(self, card: Card) -> int:
        """Return the number of one of the seat's cards; -1 for a card that is not in its hand."""
        return self._lexicon.number_in(self._own, card)
