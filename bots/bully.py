"""bully: takes over what others lead, from the first turn on.

Idea: of the places that a rival leads, top the one where each gangster wins most, with `muscle` experts more than
are needed, so that topping it back comes dear. Only where nobody leads anything worth it, take what lies about.
Strength: rivals have spent gangsters in vain on what it takes over.
Weakness: it pays most for its leads, early, and has nothing left in a hand's last turns.
"""

from bots._pricing import ANY, RIVALS, best_placement, cents, choose_reveal, count, price_list, pull_on_chicago
from harness import BatchBot
from harness.compiled import kernel
from harness.game.layout import NONE
from harness.game.legal import write_turn


@kernel
def play(observations, table, turns, muscle, costs, least):  # type: ignore[no-untyped-def]
    prices = price_list(table, costs)
    for i in range(len(observations)):
        view = observations[i]
        seat = int(view["seat"])
        city, experts, occasionals = best_placement(view, table, seat, prices, least, RIVALS)
        if city == NONE:
            city, experts, occasionals = best_placement(view, table, seat, prices, least, ANY)
        else:
            experts = min(experts + muscle, int(view["experts"][seat]))
        card = choose_reveal(view, table, pull_on_chicago(view, table, seat, city))
        write_turn(turns[i], card, city, experts, occasionals)


class Bully(BatchBot):
    """Tops leaders early, with `muscle` experts to spare; prices as for `greedy`."""

    reads_history = False

    def __init__(
        self,
        muscle: int = 2,
        expert_price: float = 1.0,
        banishment_price: float = 1.0,
        occasional_price: float = 1.0,
        least: float = 0.75,
    ) -> None:
        self.muscle = count("muscle", muscle)
        self.costs = (cents(expert_price), cents(banishment_price), cents(occasional_price))
        self.least = cents(least)

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        play(observations, self.table, turns, self.muscle, self.costs, self.least)
