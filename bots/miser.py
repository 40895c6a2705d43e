"""miser: never places a gangster; it only reveals.

Idea: hold on to everything. Reveal a card of the city about which most is unknown, so that each card tells least.
Strength: loses nobody and no money; it stays at zero and is ahead of whoever won a theft.
Weakness: wins nothing either.
"""

from bots._pricing import choose_reveal
from harness import BatchBot
from harness.compiled import kernel
from harness.game.layout import NONE
from harness.game.legal import write_turn


@kernel
def play(observations, table, turns):  # type: ignore[no-untyped-def]
    for i in range(len(observations)):
        write_turn(turns[i], choose_reveal(observations[i], table, 0), NONE, 0, 0)


class Miser(BatchBot):
    """Never places."""

    reads_history = False

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        play(observations, self.table, turns)
