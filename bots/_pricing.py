"""What several built-in bots reckon with: what a place is worth, and which card to reveal.

Money is counted here in cents of a million, all sums are whole numbers and fractions are compared by cross
multiplication, so that a compiled bot and its twin in plain Python agree to the last bit.
"""

from harness.compiled import kernel
from harness.game.cards import Kind
from harness.game.layout import CHICAGO, NONE
from harness.game.legal import holds, popcount
from harness.game.reckoning import chicago_sum

HOSPITAL, PRISON, REVOLVER, BANISHED = int(Kind.HOSPITAL), int(Kind.PRISON), int(Kind.REVOLVER), int(Kind.BANISHED)

CENTS = 100
"""Cents in a million dollars, the unit of the game."""

REGULAR, LAST = 0, 1
"""Rows of a price list: for the hands that others follow, and for the last one, in which no sanction hurts."""


def cents(millions: float) -> int:
    """Return a price given in millions as whole cents."""
    return round(CENTS * millions)


@kernel
def price_cards(prices, table, expert_price, banishment_price):  # type: ignore[no-untyped-def]
    """Fill `prices`, (2, MAX_CARDS) int64, with what winning each card is worth: money less the price of its sanction.

    An expert costs `expert_price` for each hand it misses: one in hospital, two in prison, three with the revolver
    (a game has four hands on average).
    """
    for card in range(table["cards"]):
        kind = table["card_kind"][card]
        sanction = 0
        if kind == HOSPITAL:
            sanction = expert_price
        elif kind == PRISON:
            sanction = 2 * expert_price
        elif kind == REVOLVER:
            sanction = 3 * expert_price
        elif kind == BANISHED:
            sanction = banishment_price
        money = CENTS * int(table["card_value"][card])
        prices[LAST, card] = money
        prices[REGULAR, card] = money - sanction


@kernel
def unknown_cards(view, table, city):  # type: ignore[no-untyped-def]
    """Return the mask of the cards that can lie hidden under a city: neither revealed nor in hand."""
    return table["city_mask"][city] & ~(view["own"] | view["revealed"])


@kernel
def worth_of(view, table, city, prices):  # type: ignore[no-untyped-def]
    """Return (sum of prices, number) of the cards that may be won on a city; for Chicago, what lies open pays."""
    if city == CHICAGO:
        return CENTS * chicago_sum(view, table), 1
    hand = LAST if view["last_hand"] else REGULAR
    unknown = unknown_cards(view, table, city)
    first = int(table["city_first"][city])
    worth, cards = 0, 0
    for card in range(first, first + int(table["city_cards"][city])):
        if holds(unknown, card):
            worth += prices[hand, card]
            cards += 1
    return worth, cards


@kernel
def turns_left(view, table):  # type: ignore[no-untyped-def]
    """Return how many turns of this hand are left, this one counted."""
    return int(table["hand_size"]) - int(view["turn"])


@kernel
def holder_of_chicago(view, city, side):  # type: ignore[no-untyped-def]
    """Return the side that leads Chicago once `side` has placed on `city`; NONE for nobody."""
    return side if city == CHICAGO else int(view["leader"][CHICAGO])


@kernel
def pull_on_chicago(view, city, side):  # type: ignore[no-untyped-def]
    """Return 1 when `side`, having placed on `city`, leads Chicago, -1 when another side does, 0 when nobody."""
    holder = side if city == CHICAGO else int(view["leader"][CHICAGO])
    if holder == NONE:
        return 0
    return 1 if holder == side else -1


@kernel
def choose_reveal(view, table, pull):  # type: ignore[no-untyped-def]
    """Return the card in hand that moves Chicago's payment most the way of `pull`: 1 up, -1 down, 0 never mind.

    Of equal ones it is the card that tells least, from the city with most cards that can lie hidden; then the first.
    """
    best, best_move, best_unknown = NONE, 0, 0
    for place in range(table["cities"] + 1):
        city = int(view["row"][place])
        if city == CHICAGO:
            pull = 0  # what lies right of Chicago does not count
            continue
        mine = view["own"] & table["city_mask"][city]
        if not mine:
            continue
        unknown = popcount(unknown_cards(view, table, city))
        shown = int(view["last_shown"][city])
        open_money = 0 if shown == NONE else int(table["chicago_value"][shown])
        first = int(table["city_first"][city])
        for card in range(first, first + int(table["city_cards"][city])):
            if holds(mine, card):
                move = pull * (int(table["chicago_value"][card]) - open_money)
                if best == NONE or move > best_move or (move == best_move and unknown > best_unknown):
                    best, best_move, best_unknown = card, move, unknown
    return best
