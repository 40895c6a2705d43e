"""capone: plays for Chicago, the one place whose worth its own cards can raise.

Idea: lead some city early, where each gangster wins most, so that Chicago is open to it; then wait. In the last
`turns` turns take Chicago if it pays `least_chicago`, else the best other place, with an even share of the experts
that are left over. Throw away early what adds least to Chicago; keep the high cards of cities left of it for the end.
Strength: late in the game Chicago is the richest place, and few have kept both the right and the gangsters for it.
Weakness: in the first hands Chicago pays next to nothing; two who play for it ruin each other.
"""

from bots._pricing import (
    ANY,
    CENTS,
    best_placement,
    cents,
    choose_reveal,
    count,
    price_list,
    pull_on_chicago,
    turns_left,
    with_even_share,
)
from harness import BatchBot
from harness.compiled import kernel
from harness.game.layout import CHICAGO, NONE
from harness.game.legal import cheapest_placement, has_placed_elsewhere, side_of, write_turn
from harness.game.reckoning import chicago_sum


@kernel
def open_chicago(view, table, seat, prices):  # type: ignore[no-untyped-def]
    """Return the early placement, if Chicago is not open yet: where each gangster wins most, at its cheapest."""
    if has_placed_elsewhere(view, table, seat):
        return NONE, 0, 0
    return best_placement(view, table, seat, prices, 0, ANY)


@kernel
def take_chicago(view, table, seat, least_chicago):  # type: ignore[no-untyped-def]
    """Return the cheapest (experts, occasionals) that win Chicago from others; (0, 0): impossible or not worth it."""
    if view["leader"][CHICAGO] == side_of(table, seat) or CENTS * chicago_sum(view, table) < least_chicago:
        return 0, 0
    return cheapest_placement(view, table, seat, CHICAGO)


@kernel
def choose_late(view, table, seat, prices, least_chicago):  # type: ignore[no-untyped-def]
    """Return (city, experts, occasionals) for the last turns: Chicago, else the best other place; (NONE, 0, 0)."""
    city = CHICAGO
    experts, occasionals = take_chicago(view, table, seat, least_chicago)
    if experts + occasionals == 0:
        city, experts, occasionals = best_placement(view, table, seat, prices, 0, ANY)
        if city == NONE:
            return NONE, 0, 0
    return city, with_even_share(view, table, seat, experts), occasionals


@kernel
def play(observations, table, turns, last_turns, costs, least_chicago):  # type: ignore[no-untyped-def]
    prices = price_list(table, costs)
    for i in range(len(observations)):
        view = observations[i]
        seat = int(view["seat"])
        if turns_left(view, table) > last_turns:
            city, experts, occasionals = open_chicago(view, table, seat, prices)
            pull = -1  # the high cards come last
        else:
            city, experts, occasionals = choose_late(view, table, seat, prices, least_chicago)
            pull = pull_on_chicago(view, table, seat, city)
        write_turn(turns[i], choose_reveal(view, table, pull), city, experts, occasionals)


class Capone(BatchBot):
    """Plays for Chicago in the last `turns` turns of a hand, once it pays `least_chicago`; prices as for `greedy`."""

    reads_history = False

    def __init__(
        self,
        turns: int = 2,
        expert_price: float = 1.0,
        banishment_price: float = 1.0,
        occasional_price: float = 1.0,
        least_chicago: float = 2.0,
    ) -> None:
        self.turns = count("turns", turns)
        self.costs = (cents(expert_price), cents(banishment_price), cents(occasional_price))
        self.least_chicago = cents(least_chicago)

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        play(observations, self.table, turns, self.turns, self.costs, self.least_chicago)
