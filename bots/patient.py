"""patient: keeps its gangsters back and takes the best cities in the last turns of a hand.

Idea: place nothing before the last `turns` turns; then take, turn by turn, the city with most expected money, and
hold it with an even share of the gangsters that are left. By then most cards lie open and few can still answer.
Strength: it knows best what a city holds, and rivals have spent what they could have topped it with.
Weakness: early leads go cheap to others; with most gangsters it moves first in the last turn and can be topped.
"""

import numpy as np

from bots._pricing import cents, choose_reveal, price_cards, pull_on_chicago, turns_left, worth_of
from harness import BatchBot
from harness.compiled import kernel
from harness.game.cards import MAX_CARDS
from harness.game.layout import CHICAGO, NONE
from harness.game.legal import cheapest_placement, write_turn


@kernel
def choose_placement(view, table, seat, side, prices, occasional_price):  # type: ignore[no-untyped-def]
    """Return the cheapest (city, experts, occasionals) on the place worth most; (NONE, 0, 0): none is worth it."""
    best_city, best_experts, best_occasionals = NONE, 0, 0
    best_gain, best_cards = 0, 1
    for place in range(table["cities"] + 1):
        city = CHICAGO if place == table["cities"] else place
        if view["leader"][city] == side:
            continue
        experts, occasionals = cheapest_placement(view, table, seat, city)
        if experts + occasionals == 0:
            continue
        worth, cards = worth_of(view, table, city, prices)
        gain = worth - cards * occasionals * occasional_price
        if gain * best_cards > best_gain * cards:
            best_city, best_experts, best_occasionals = city, experts, occasionals
            best_gain, best_cards = gain, cards
    return best_city, best_experts, best_occasionals


@kernel
def play(observations, table, turns, waits_for, expert_price, banishment_price, occasional_price):  # type: ignore[no-untyped-def]
    prices = np.empty((2, MAX_CARDS), np.int64)
    price_cards(prices, table, expert_price, banishment_price)
    for i in range(len(observations)):
        view = observations[i]
        seat = int(view["seat"])
        side = seat % int(table["sides"])
        city, experts, occasionals = NONE, 0, 0
        left = turns_left(view, table)
        if left <= waits_for:
            city, experts, occasionals = choose_placement(view, table, seat, side, prices, 0 if view["last_hand"] else occasional_price)
            if city != NONE:
                experts += (int(view["experts"][seat]) - experts) // left
        card = choose_reveal(view, table, pull_on_chicago(view, city, side))
        write_turn(turns[i], card, city, experts, occasionals)


class Patient(BatchBot):
    """Places in the last turns only."""

    reads_history = False

    def __init__(
        self, turns: int = 2, expert_price: float = 0.5, banishment_price: float = 1.0, occasional_price: float = 0.5
    ) -> None:
        self.turns = turns
        self.prices = (cents(expert_price), cents(banishment_price), cents(occasional_price))

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        play(observations, self.table, turns, self.turns, *self.prices)
