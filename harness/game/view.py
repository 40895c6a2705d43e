"""The readable form of one observation; what it says of the table stands in `table_view`.

Needs neither numpy nor numba: a `View` reads the bytes of its observation only where it is asked. Cities are their
names, seats and sides their numbers, cards `Card` values; hands and turns count from 1.
"""

import random
import struct
from collections.abc import Callable
from fractions import Fraction

from harness.game import layout
from harness.game.cards import Card, Kind
from harness.game.history import Event, TurnPlayed, read_events
from harness.game.layout import CITIES
from harness.game.lexicon import Lexicon
from harness.game.once import once
from harness.game.table_view import TableView

_AT = layout.offsets(layout.OBSERVATION)
_ROW, _LAST_SHOWN, _TURNED, _BACKS = (_AT[name] for name in ("row", "last_shown", "turned", "backs"))
_OWN, _REVEALED, _POOL, _PHASE = (_AT[name] for name in ("own", "revealed", "pool", "phase"))
_mask = struct.Struct("<Q").unpack_from
_revealed_and_own = struct.Struct(f"<Q{_OWN - _REVEALED - 8}xQ").unpack_from
_BYTE_NONE = 255


class View(TableView, frozen=True):
    """What one seat knows when it is asked. Everything the table can see, and the seat's own hand (`hand`)."""

    hand: tuple[Card, ...]
    _read_history: Callable[[int, int], bytes]
    _index: int

    # -- cards ----------------------------------------------------------------------------------------------------

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
        number = self._data[_LAST_SHOWN + self._lexicon.city_numbers[city]]
        return None if number == _BYTE_NONE else self._lexicon.cards[number]

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
        number = self._data[_TURNED + self._lexicon.city_numbers[city]]
        return None if number == _BYTE_NONE else self._lexicon.cards[number]

    def possible(self, city: str) -> tuple[Card, ...]:
        """The cards that can lie hidden under a city: neither revealed nor in hand; each is equally likely."""
        lexicon = self._lexicon
        return lexicon.cards_of[self._unknown & lexicon.city_masks[city]]

    @once
    def _unknown(self) -> int:
        """The cards that can lie hidden, as a mask; in the reckoning, of a city resolved its card alone."""
        revealed, own = _revealed_and_own(self._data, _REVEALED)
        unknown: int = ~(revealed | own)
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
        return self._lexicon.number_in(_mask(self._data, _OWN)[0], card)


def new_view(lexicon: Lexicon, data: bytes, history: Callable[[int, int], bytes], index: int = 0) -> View:
    """Return the view of one observation from its bytes; ``history(index, events)`` reads its game's first events."""
    return View(lexicon, data, lexicon.hand(_mask(data, _OWN)[0]), history, index)
