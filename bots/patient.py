"""patient: keeps its gangsters back and takes the best places in the last turns of a hand.

Idea: place nothing before the last `turns` turns; then, turn by turn, lead where each gangster wins most, and hold
the place with an even share of the experts that are left over.
Strength: it knows best what a city holds, and rivals have spent what they could have topped it with.
Weakness: early leads go cheap to others; with most gangsters in supply it moves first in the last turn.
"""

from bots._pricing import (
    ANY,
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
from harness.game.layout import NONE
from harness.game.legal import write_turn


@kernel
def play(observations, table, turns, last_turns, costs):  # type: ignore[no-untyped-def]
    prices = price_list(table, costs)
    for i in range(len(observations)):
        view = observations[i]
        seat = int(view["seat"])
        city, experts, occasionals = NONE, 0, 0
        if turns_left(view, table) <= last_turns:
            city, experts, occasionals = best_placement(view, table, seat, prices, 0, ANY)
            if city != NONE:
                experts = with_even_share(view, table, seat, experts)
        card = choose_reveal(view, table, pull_on_chicago(view, table, seat, city))
        write_turn(turns[i], card, city, experts, occasionals)


class Patient(BatchBot):
    """Places in the last `turns` turns of a hand only; prices as for `greedy`."""

    reads_history = False

    def __init__(
        self,
        turns: int = 2,
        expert_price: float = 1.0,
        banishment_price: float = 1.0,
        occasional_price: float = 1.0,
    ) -> None:
        self.turns = count("turns", turns)
        self.costs = (cents(expert_price), cents(banishment_price), cents(occasional_price))

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        play(observations, self.table, turns, self.turns, self.costs)
