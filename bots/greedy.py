"""greedy: the most expected money for each gangster it places, by exact odds, turn by turn.

Idea: weigh the cheapest placement that leads each city it does not lead yet. A city is worth the mean of the cards
that can lie hidden there, Chicago what lies open; a sanction costs what it takes away, an occasional what it would
have earned later. Take the best price for a gangster, in the hand's last turn the most money, and nothing below
`least`. Reveal what moves Chicago's payment its own way, else what tells least. Never signal.
Strength: it counts cards exactly and never pays more than a place is worth to it.
Weakness: it looks neither at who can still top it nor at what a rival will pay; one gangster more takes what it has.
"""

import numpy as np

from bots._pricing import cents, choose_reveal, price_cards, pull_on_chicago, turns_left, worth_of
from harness import BatchBot
from harness.compiled import kernel
from harness.game.cards import MAX_CARDS
from harness.game.layout import CHICAGO, NONE
from harness.game.legal import cheapest_placement, write_turn


@kernel
def choose_placement(view, table, seat, side, prices, occasional_price, least):  # type: ignore[no-untyped-def]
    """Return (city, experts, occasionals) with most expected money per gangster; (NONE, 0, 0): none is worth it."""
    best_city, best_experts, best_occasionals = NONE, 0, 0
    best_gain, best_cost = least, 1
    if int(view["experts"][seat]) + int(view["occasionals"][seat]) == 0:
        return best_city, best_experts, best_occasionals
    is_last_turn = turns_left(view, table) == 1
    if view["last_hand"]:
        occasional_price = 0
    for place in range(table["cities"] + 1):
        city = CHICAGO if place == table["cities"] else place
        if view["leader"][city] == side:
            continue
        experts, occasionals = cheapest_placement(view, table, seat, city)
        gangsters = experts + occasionals
        if gangsters == 0:
            continue
        worth, cards = worth_of(view, table, city, prices)
        gain = worth - cards * occasionals * occasional_price
        cost = cards if is_last_turn else cards * gangsters
        if gain * best_cost > best_gain * cost:
            best_city, best_experts, best_occasionals = city, experts, occasionals
            best_gain, best_cost = gain, cost
    return best_city, best_experts, best_occasionals


@kernel
def play(observations, table, turns, expert_price, banishment_price, occasional_price, least):  # type: ignore[no-untyped-def]
    prices = np.empty((2, MAX_CARDS), np.int64)
    price_cards(prices, table, expert_price, banishment_price)
    for i in range(len(observations)):
        view = observations[i]
        seat = int(view["seat"])
        side = seat % int(table["sides"])
        city, experts, occasionals = choose_placement(view, table, seat, side, prices, occasional_price, least)
        card = choose_reveal(view, table, pull_on_chicago(view, city, side))
        write_turn(turns[i], card, city, experts, occasionals)


class Greedy(BatchBot):
    """Most expected money per gangster."""

    reads_history = False

    def __init__(
        self, expert_price: float = 0.5, banishment_price: float = 1.0, occasional_price: float = 0.5, least: float = 0.0
    ) -> None:
        self.prices = (cents(expert_price), cents(banishment_price), cents(occasional_price), cents(least))

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        play(observations, self.table, turns, *self.prices)
