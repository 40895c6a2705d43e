"""The two levels of the bot interface.

A bot gets observations and nothing else: never a game, a deal's seed or another bot. Parameters of a config reach
its constructor as keyword arguments. Importing this file loads neither numpy nor numba.
"""

from typing import TYPE_CHECKING

from harness.game.rules import Rules
from harness.game.turn import Turn
from harness.game.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Bot:
    """The friendly level: one decision at a time. An object lives for one seat of one game, and may remember in it."""

    def act(self, view: View) -> Turn:
        """Return the turn to play: a card of ``view.hand`` to reveal and, if wanted, a legal placement."""
        raise NotImplementedError("its class has no method act")

    def choose_loss(self, view: View, seats: tuple[int, ...]) -> int:
        """Team games: return which of `seats`, one's own and the partner's, loses an expert to ``view.loss``."""
        return max(seats, key=lambda seat: view.experts_left[seat])


class BatchBot:
    """The fast level: arrays in, arrays out, for many games at once; a pure function of what it is handed.

    An object serves all games of one kind of table; `rules` and `table`, its numbers as one record for kernels, are
    set before the first question.
    """

    rules: Rules
    table: "np.void"

    reads_history = True
    """Set to False where `act_batch` ignores `histories`; it then gets none, which is faster."""

    def act_batch(
        self, observations: "NDArray[np.void]", histories: "NDArray[np.void]", turns: "NDArray[np.void]"
    ) -> None:
        """Write the answer to ``observations[i]`` into ``turns[i]``.

        observations: (n,) OBSERVATION. histories: (n, E) EVENT, the first ``observations["events"][i]`` of row i
        being all public events of that game. turns: (n,) TURN, handed over with every field -1 but no placement
        and no signal.
        """
        raise NotImplementedError("its class has no method act_batch")

    def choose_loss_batch(
        self, observations: "NDArray[np.void]", histories: "NDArray[np.void]", seats: "NDArray[np.int16]"
    ) -> None:
        """Team games: write into ``seats[i]``, (n,) int16, who of the mask ``loss_seats`` loses an expert."""
        first = observations["loss_seats"] % 8 // 2  # the masks of sides 0, 1, 2 are 9, 18, 36
        pools = observations["pool"]
        index = range(len(seats))
        seats[:] = first + 3 * (pools[index, first + 3] > pools[index, first])
