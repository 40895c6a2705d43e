"""`Lexicon`: between the engine's numbers and the table's words, for one kind of table."""

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial, reduce
from operator import add

from harness.game import layout
from harness.game.cards import CHICAGO, Card
from harness.game.rules import Rules
from harness.game.turn import Placement, Turn

Numbers = tuple[int, int, int, int, int]
"""A turn as the engine holds it: card, city (-1 none), experts, occasionals, signal."""

PIECE = 16
"""Cards in a piece of a hand."""

MOST_MASKS = 50_000
"""Masks whose cards are remembered, to bound the memory of long runs."""


class CardsOf(dict[int, tuple[Card, ...]]):
    """The cards of any mask, in order; worked out once and remembered."""

    def __init__(self, cards: tuple[Card, ...]) -> None:
        super().__init__()
        self._cards = cards

    def __missing__(self, mask: int) -> tuple[Card, ...]:
        if len(self) > MOST_MASKS:
            self.clear()
        left, cards = mask, []
        while left:
            low = left & -left
            cards.append(self._cards[low.bit_length() - 1])
            left ^= low
        self[mask] = known = tuple(cards)
        return known


class Lexicon:
    """Names and numbers of the cities and cards at a table of these rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.cards = rules.cards
        self.cities = rules.cities
        names = [*rules.cities, *([""] * (layout.CITIES - len(rules.cities))), CHICAGO]
        self.city_names = tuple(names)
        self.city_numbers = {name: number for number, name in enumerate(names) if name}
        self.card_numbers: dict[tuple[str, str], tuple[int, ...]] = {}
        for number, card in enumerate(self.cards):
            self.card_numbers[card] = (*self.card_numbers.get(card, ()), number)
        self.only_number = {card: own[0] for card, own in self.card_numbers.items() if len(own) == 1}
        self.number_of_object = {id(card): number for number, card in enumerate(self.cards)}
        self.cards_of = CardsOf(self.cards)
        self._pieces = [CardsOf(self.cards[at : at + PIECE]) for at in range(0, len(self.cards), PIECE)]
        self.pieces = len(self._pieces)
        self.players = rules.players
        self.sides = rules.sides
        self.last_turn = rules.hand_size - 1
        self.chicago_by_side = rules.teams is not None and rules.rulings.chicago_after == "side"
        self.places = len(rules.cities) + 1
        self.chicago_values = rules.chicago_values
        self.chicago_value_of = dict(zip(self.cards, self.chicago_values, strict=True))
        self.city_masks = {
            city: sum(1 << n for n, card in enumerate(self.cards) if card.city == city) for city in rules.cities
        }

    def hand(self, mask: int) -> tuple[Card, ...]:
        """Return the cards of a hand, in order."""
        return self.hands([[mask >> PIECE * piece & (1 << PIECE) - 1] for piece in range(self.pieces)])[0]

    def hands(self, masks: Sequence[Iterable[int]]) -> list[tuple[Card, ...]]:
        """Return the cards of hands whose masks are given in `pieces` pieces of PIECE bits, the lowest first.

        There are too many hands to remember, but few pieces of hands.
        """
        known = [map(cards_of.__getitem__, piece) for cards_of, piece in zip(self._pieces, masks, strict=True)]
        return list(reduce(partial(map, add), known))

    def number_in(self, mask: int, card: tuple[str, str]) -> int:
        """Return the number of this card among those in `mask`, the lowest; -1 when it is not there."""
        for number in self.card_numbers.get(card, ()):
            if mask >> number & 1:
                return number
        return layout.NONE

    def turn_of(self, numbers: Numbers) -> Turn:
        """Return the turn the engine holds as these numbers."""
        card, city, experts, occasionals, signal = numbers
        place = None if city == layout.NONE else Placement(self.city_names[city], experts, occasionals)
        return Turn(self.cards[card], place, signal)


@lru_cache(maxsize=256)
def lexicon_of(rules: Rules) -> Lexicon:
    """Return the lexicon of these rules, built once, with all it has come to remember."""
    return Lexicon(rules)
