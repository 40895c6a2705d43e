"""greedy_py: `greedy` once more, as a plain-Python bot. Copy this file to start your own.

Idea: weigh the cheapest placement that leads each place it does not lead yet. A city is worth the mean of the cards
that can lie hidden there, Chicago what it would pay now; a sanction costs what it takes away, an occasional what it
would earn later. Take the most for a gangster (in the hand's last turn: the most), and nothing below `least`. Reveal
what moves Chicago's payment its own way, else what tells least. Never signal.
Strength and weakness: those of `greedy`, for it plays exactly the same turns, some hundred times slower.

Money is counted in cents of a million, so that all numbers are whole and every comparison is exact.
"""

from functools import lru_cache

from harness import CHICAGO, Bot, Card, Kind, Placement, Turn, View

CENTS = 100
HANDS_MISSED = {Kind.HOSPITAL: 1, Kind.PRISON: 2, Kind.REVOLVER: 3}


class GreedyPy(Bot):
    """Most expected money per gangster; prices are in millions, `expert_price` for one expert in one hand."""

    def __init__(
        self,
        expert_price: float = 1.0,
        banishment_price: float = 1.0,
        occasional_price: float = 1.0,
        least: float = 0.75,
    ) -> None:
        self.expert_price = round(CENTS * expert_price)
        self.banishment_price = round(CENTS * banishment_price)
        self.occasional_price = round(CENTS * occasional_price)
        self.least = round(CENTS * least)

    def act(self, view: View) -> Turn:
        """Place where it pays most, if anywhere, and reveal a card."""
        place = self.choose_placement(view)
        return Turn(self.choose_reveal(view, place), place)

    def choose_placement(self, view: View) -> Placement | None:
        """Return the placement with most expected money per gangster; None where none is worth it."""
        side = view.side
        is_last_turn = view.turn_number == view.rules.hand_size
        occasional_price = 0 if view.is_last_hand else self.occasional_price
        best, best_gain, best_cost = None, self.least, 1
        for city in view.row:
            if view.leader(city) == side:
                continue
            place = view.cheapest_placement(city)
            if place is None:
                continue
            worth, cards = self.worth_of(view, city)
            gain = worth - cards * place.occasionals * occasional_price
            cost = cards if is_last_turn else cards * (place.experts + place.occasionals)
            if gain * best_cost > best_gain * cost:  # gain / cost is more than the best so far
                best, best_gain, best_cost = place, gain, cost
        return best

    def worth_of(self, view: View, city: str) -> tuple[int, int]:
        """Return (sum of prices, number) of the cards that may be won on a city; Chicago counts as one card."""
        if city == CHICAGO:
            return CENTS * chicago_pays(view), 1
        cards = view.possible(city)
        if view.is_last_hand:  # nothing is missed after it
            return price_of(cards, 0, 0), len(cards)
        return price_of(cards, self.expert_price, self.banishment_price), len(cards)

    def choose_reveal(self, view: View, place: Placement | None) -> Card:
        """Return the card that moves Chicago's payment most its side's way; of equal ones that which tells least."""
        pull = pull_on_chicago(view, place)
        left = cities_left_of_chicago(view)

        def merit(card: Card) -> tuple[int, int]:
            move = pull * (chicago_money(view, card) - chicago_money(view, view.last_shown(card.city)))
            return move if card.city in left else 0, len(view.possible(card.city))

        return max(view.hand, key=merit)


@lru_cache(maxsize=10_000)
def price_of(cards: tuple[Card, ...], expert_price: int, banishment_price: int) -> int:
    """Return what winning each of these cards is worth, summed: money less the price of its sanction."""
    price = 0
    for card in cards:
        price += CENTS * card.money - expert_price * HANDS_MISSED.get(card.kind, 0)
        if card.kind is Kind.BANISHED:
            price -= banishment_price
    return price


def cities_left_of_chicago(view: View) -> tuple[str, ...]:
    """Return the cities whose last open card counts for Chicago."""
    return view.row[: view.row.index(CHICAGO)]


def chicago_pays(view: View) -> int:
    """Return what Chicago would pay if no more cards were revealed."""
    return max(0, sum(chicago_money(view, view.last_shown(city)) for city in cities_left_of_chicago(view))) // 2


def chicago_money(view: View, card: Card | None) -> int:
    """Return what a card counts in Chicago's sum."""
    if card is None:
        return 0
    if card.kind is Kind.THEFT:
        return view.rules.rulings.chicago_theft
    if card.kind is Kind.SHOOTOUT:
        return view.rules.rulings.chicago_shootout
    return card.money


def pull_on_chicago(view: View, place: Placement | None) -> int:
    """Return 1 when its side, having placed, leads Chicago, -1 when another side does, 0 when nobody does."""
    leader = view.leader(CHICAGO)
    if leader == view.side or (place is not None and place.city == CHICAGO):
        return 1
    return 0 if leader is None else -1
