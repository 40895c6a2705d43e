"""greedy: the most expected money for each gangster it places, by exact odds, turn by turn.

Idea: weigh the cheapest placement that leads each place it does not lead yet. A city is worth the mean of the cards
that can lie hidden there, Chicago what lies open pays; a sanction costs what it takes away, an occasional what it
would earn later. Take the most for a gangster (in the hand's last turn: the most), and nothing below `least`. Reveal
what moves Chicago's payment its own way, else what tells least. Never signal.
Strength: it counts cards exactly and never pays more than a place is worth to it.
Weakness: it looks neither at who can still top it nor at what others want; one gangster more takes what it has.
"""

from bots._pricing import ANY, best_placement, cents, choose_reveal, price_list, pull_on_chicago
from harness import BatchBot
from harness.compiled import kernel
from harness.game.legal import write_turn


@kernel
def play(observations, table, turns, costs, least):  # type: ignore[no-untyped-def]
    prices = price_list(table, costs)
    for i in range(len(observations)):
        view = observations[i]
        seat = int(view["seat"])
        city, experts, occasionals = best_placement(view, table, seat, prices, least, ANY)
        card = choose_reveal(view, table, pull_on_chicago(view, table, seat, city))
        write_turn(turns[i], card, city, experts, occasionals)


class Greedy(BatchBot):
    """Most expected money per gangster; prices are in millions, `expert_price` for one expert in one hand."""

    reads_history = False

    def __init__(
        self,
        expert_price: float = 1.0,
        banishment_price: float = 1.0,
        occasional_price: float = 1.0,
        least: float = 0.75,
    ) -> None:
        self.costs = (cents(expert_price), cents(banishment_price), cents(occasional_price))
        self.least = cents(least)

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        play(observations, self.table, turns, self.costs, self.least)
