"""random: any legal turn, each as likely as any other.

Idea: choose evenly among all pairs of a legal placement (or none) and a card in hand; never signal.
Strength: none; it is the ladder's anchor and everybody's first opponent.
Weakness: it places early, heavily and without looking at what a city may hold.
"""

import numpy as np

from harness import BatchBot
from harness.compiled import kernel
from harness.game.chance import decision_words, scaled
from harness.game.layout import CHICAGO, NONE, PLACES
from harness.game.legal import count_placements, nth_card, pick_placement, popcount, write_turn


@kernel
def choose_placement(view, table, seat, word, counts):  # type: ignore[no-untyped-def]
    """Return (city, experts, occasionals) of one of the legal placements, or (NONE, 0, 0) as one more of them."""
    if view["experts"][seat] + view["occasionals"][seat] == 0:
        return NONE, 0, 0
    cities = int(table["cities"])
    total = 1
    for city in range(cities):
        counts[city] = count_placements(view, table, seat, city)
        total += counts[city]
    counts[cities] = count_placements(view, table, seat, CHICAGO)
    index = scaled(word, total + counts[cities])
    for place in range(cities + 1):
        if index < counts[place]:
            city = CHICAGO if place == cities else place
            experts, occasionals = pick_placement(view, table, seat, city, index)
            return city, experts, occasionals
        index -= counts[place]
    return NONE, 0, 0


@kernel
def play(observations, table, turns):  # type: ignore[no-untyped-def]
    counts = np.empty(PLACES, np.int64)
    for i in range(len(observations)):
        view = observations[i]
        place_word, card_word, _, _ = decision_words(view["key"], view["decision"])
        city, experts, occasionals = choose_placement(view, table, int(view["seat"]), place_word, counts)
        card = nth_card(view["own"], scaled(card_word, popcount(view["own"])))
        write_turn(turns[i], card, city, experts, occasionals)


class Random(BatchBot):
    """Any legal turn, each as likely as any other."""

    reads_history = False

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        play(observations, self.table, turns)
