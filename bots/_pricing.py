"""What several built-in bots reckon with: prices of cards, the best place to lead, the card to reveal.

Money is counted here in cents of a million, all sums are whole numbers and fractions are compared by cross
multiplication, so that a compiled bot and its twin in plain Python agree to the last bit.
"""

import numpy as np

from harness.compiled import kernel
from harness.game.cards import MAX_CARDS, MAX_MONEY, MAX_PIECES, Kind
from harness.game.layout import CHICAGO, NONE
from harness.game.legal import cheapest_placement, popcount, side_of
from harness.game.reckoning import chicago_sum

HOSPITAL, PRISON, REVOLVER, BANISHED = int(Kind.HOSPITAL), int(Kind.PRISON), int(Kind.REVOLVER), int(Kind.BANISHED)

_ONE = np.uint64(1)

CENTS = 100
"""Cents in a million dollars, the unit of the game."""

REGULAR, LAST = 0, 1
"""Rows of a price list: for hands that others follow, and for the last one, after which nothing is missed."""

OCCASIONAL = MAX_CARDS
"""Column of a price list, after those of the cards: what an occasional spent in such a hand costs."""

ANY, RIVALS = 0, 1
"""Places that `best_placement` looks at: all that its side does not lead, or only those that a rival leads."""


def cents(millions: float) -> int:
    """Return a price given in millions as whole cents; refuse one that could overflow the sums."""
    if not abs(millions) <= MAX_MONEY:
        raise ValueError(f"{millions} is no price in millions; it can be up to {MAX_MONEY:,} either way")
    return round(CENTS * millions)


def count(name: str, number: int) -> int:
    """Return a whole number from 0; refuse anything else."""
    if type(number) is not int or not 0 <= number <= MAX_PIECES:
        raise ValueError(f"{name} is {number!r}; it must be a whole number from 0 to {MAX_PIECES}")
    return number


@kernel
def price_list(table, costs):  # type: ignore[no-untyped-def]
    """Return prices, (2, MAX_CARDS + 1) int64 in cents: winning each card, less its sanction; spending an occasional.

    `costs`: of an expert missed for one hand (hospital one, prison two, revolver three, for a game has four hands on
    average), of a banishment, of an occasional.
    """
    expert, banishment, occasional = costs
    prices = np.zeros((2, MAX_CARDS + 1), np.int64)
    prices[REGULAR, OCCASIONAL] = occasional
    for card in range(table["cards"]):
        kind = int(table["card_kind"][card])
        money = CENTS * int(table["card_value"][card])
        prices[LAST, card] = prices[REGULAR, card] = money
        if kind == BANISHED:
            prices[REGULAR, card] -= banishment
        elif HOSPITAL <= kind <= REVOLVER:
            prices[REGULAR, card] -= expert * kind  # kinds 1, 2, 3 cost so many hands
    return prices


@kernel
def unknown_cards(view, table, city):  # type: ignore[no-untyped-def]
    """Return the mask of the cards that can lie hidden under a city: neither revealed nor in hand."""
    return table["city_mask"][city] & ~(view["own"] | view["revealed"])


@kernel
def worth_of(view, table, city, prices):  # type: ignore[no-untyped-def]
    """Return (sum of prices, number) of the cards that may be won on a city; Chicago pays by what lies open now."""
    if city == CHICAGO:
        return CENTS * chicago_sum(view, table), 1
    hand = LAST if view["last_hand"] else REGULAR
    first = int(table["city_first"][city])
    unknown = unknown_cards(view, table, city) >> np.uint64(first)
    worth, cards = 0, 0
    for card in range(first, first + int(table["city_cards"][city])):
        lies_there = int(unknown & _ONE)  # no branch: which cards are known is a toss-up to the processor
        worth += lies_there * prices[hand, card]
        cards += lies_there
        unknown >>= _ONE
    return worth, cards


@kernel
def best_placement(view, table, seat, prices, least, places):  # type: ignore[no-untyped-def]
    """Return the cheapest (city, experts, occasionals) that leads where each gangster wins most expected money.

    In the last turn no gangster can be used elsewhere, so the most money counts. (NONE, 0, 0): nowhere above `least`.
    """
    best_city, best_experts, best_occasionals = NONE, 0, 0
    if view["experts"][seat] + view["occasionals"][seat] == 0:
        return best_city, best_experts, best_occasionals
    best_gain, best_cost = least, 1
    side = side_of(table, seat)
    occasional_price = prices[LAST if view["last_hand"] else REGULAR, OCCASIONAL]
    is_last_turn = turns_left(view, table) == 1
    for place in range(table["cities"] + 1):
        city = int(view["row"][place])
        leader = view["leader"][city]
        if leader == side or (places == RIVALS and leader == NONE):
            continue
        experts, occasionals = cheapest_placement(view, table, seat, city)
        if experts + occasionals == 0:
            continue
        worth, cards = worth_of(view, table, city, prices)
        gain = worth - cards * occasionals * occasional_price
        cost = cards if is_last_turn else cards * (experts + occasionals)
        if gain * best_cost > best_gain * cost:
            best_city, best_experts, best_occasionals = city, experts, occasionals
            best_gain, best_cost = gain, cost
    return best_city, best_experts, best_occasionals


@kernel
def turns_left(view, table):  # type: ignore[no-untyped-def]
    """Return how many turns of this hand are left, this one counted."""
    return int(table["hand_size"]) - int(view["turn"])


@kernel
def with_even_share(view, table, seat, experts):  # type: ignore[no-untyped-def]
    """Return `experts` and an even share, for each turn left, of those that stay in supply beside them."""
    return experts + (int(view["experts"][seat]) - experts) // turns_left(view, table)


@kernel
def pull_on_chicago(view, table, seat, city):  # type: ignore[no-untyped-def]
    """Return 1 when the seat's side, having placed on `city`, leads Chicago, -1 when another does, 0 when nobody."""
    leader = int(view["leader"][CHICAGO])
    if city == CHICAGO or leader == side_of(table, seat):
        return 1
    return 0 if leader == NONE else -1


@kernel
def choose_reveal(view, table, pull):  # type: ignore[no-untyped-def]
    """Return the card in hand that moves Chicago's payment most the way of `pull`: 1 up, -1 down, 0 never mind.

    Of equal ones it is the card that tells least, from the city with most cards that can lie hidden; then the first.
    """
    best, best_move, best_unknown = NONE, 0, 0
    left_of_chicago = chicago_place(view)  # Chicago alone moves in the row, so these are the numbers left of it
    mine = view["own"]
    while mine:
        lowest = mine & ~(mine - _ONE)
        mine ^= lowest
        card = popcount(lowest - _ONE)
        city = int(table["card_city"][card])
        move = 0
        if pull != 0 and city < left_of_chicago:
            move = pull * (int(table["chicago_value"][card]) - shown_money(view, table, city))
        unknown = popcount(unknown_cards(view, table, city))
        if best == NONE or move > best_move or (move == best_move and unknown > best_unknown):
            best, best_move, best_unknown = card, move, unknown
    return best


@kernel
def chicago_place(view):  # type: ignore[no-untyped-def]
    """Return how many cities stand left of Chicago."""
    place = 0
    while view["row"][place] != CHICAGO:
        place += 1
    return place


@kernel
def shown_money(view, table, city):  # type: ignore[no-untyped-def]
    """Return what the card revealed last beside a city adds to Chicago's sum."""
    shown = int(view["last_shown"][city])
    return 0 if shown == NONE else int(table["chicago_value"][shown])
