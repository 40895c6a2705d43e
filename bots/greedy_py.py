"""greedy_py: `greedy` once more, as a plain-Python bot. Copy this file to start your own.

Idea: weigh the cheapest placement that leads each place it does not lead yet. A city is worth the mean of the cards
that can lie hidden there, Chicago what it would pay now; a sanction costs what it takes away, an occasional what it
would earn later. Take the most for a gangster (in the hand's last turn: the most), and nothing below `least`. Reveal
what moves Chicago's payment its own way, else what tells least. Never signal.
Strength and weakness: those of `greedy`, for it plays exactly the same turns, some hundred times slower.

Money is counted in cents of a million, so that all numbers are whole and every comparison is exact.
"""

from functools import lru_cache
from typing import NamedTuple

from harness import CHICAGO, Bot, Card, Kind, Placement, Turn, View

CENTS = 100
HANDS_MISSED = {Kind.HOSPITAL: 1, Kind.PRISON: 2, Kind.REVOLVER: 3}


class Prices(NamedTuple):
    """What it costs to miss an expert for a hand, to be banished, to spend an occasional; in cents."""

    expert: int
    banishment: int
    occasional: int


FREE = Prices(0, 0, 0)
"""Prices of the last hand, after which nothing is missed."""


class GreedyPy(Bot):
    """Most expected money per gangster; prices are in millions, `expert_price` for one expert in one hand."""

    def __init__(
        self,
        expert_price: float = 1.0,
        banishment_price: float = 1.0,
        occasional_price: float = 1.0,
        least: float = 0.75,
    ) -> None:
        self.prices = Prices(*(round(CENTS * price) for price in (expert_price, banishment_price, occasional_price)))
        self.least = round(CENTS * least)

    def act(self, view: View) -> Turn:
        """Place where it pays most, if anywhere, and reveal a card."""
        place = self.choose_placement(view)
        return Turn(choose_reveal(view, place), place)

    def choose_placement(self, view: View) -> Placement | None:
        """Return the placement with most expected money per gangster; None where none is worth it."""
        prices = FREE if view.is_last_hand else self.prices
        is_last_turn = view.is_last_turn
        best, best_gain, best_cost = None, self.least, 1
        for place in view.ways_to_lead():
            if place.city == CHICAGO:  # one card, so to say, that pays what it would pay now
                worth, cards = CENTS * view.chicago_pays, 1
            else:
                worth, cards = price_of(view.possible(place.city), prices)
            gain = worth - cards * place.occasionals * prices.occasional
            cost = cards if is_last_turn else cards * (place.experts + place.occasionals)
            if gain * best_cost > best_gain * cost:  # that is, gain / cost is more than the best so far
                best, best_gain, best_cost = place, gain, cost
        return best


@lru_cache(maxsize=10_000)
def price_of(cards: tuple[Card, ...], prices: Prices) -> tuple[int, int]:
    """Return (sum, number) of what winning each of these cards is worth: money less the price of its sanction."""
    worth = 0
    for card in cards:
        worth += CENTS * card.money - prices.expert * HANDS_MISSED.get(card.kind, 0)
        if card.kind is Kind.BANISHED:
            worth -= prices.banishment
    return worth, len(cards)


def choose_reveal(view: View, place: Placement | None) -> Card:
    """Return the card that moves Chicago's payment most its side's way; of equal ones that which tells least."""
    hand = view.hand
    if len(hand) == 1:
        return hand[0]
    pull = pull_on_chicago(view, place)
    if not pull:
        return max(hand, key=lambda card: len(view.possible(card.city)))
    left = view.left_of_chicago

    def merit(card: Card) -> tuple[int, int]:
        move = 0
        if card.city in left:
            shown = view.last_shown(card.city)
            move = pull * (view.chicago_value(card) - (view.chicago_value(shown) if shown else 0))
        return move, len(view.possible(card.city))

    return max(hand, key=merit)


def pull_on_chicago(view: View, place: Placement | None) -> int:
    """Return 1 when its side, having placed, leads Chicago, -1 when another side does, 0 when nobody does."""
    leader = view.leader(CHICAGO)
    if leader == view.side or (place is not None and place.city == CHICAGO):
        return 1
    return 0 if leader is None else -1
