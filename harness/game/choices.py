"""The choices of a game as they are stored: with the deal's cards they are the whole game.

| buffer | one entry | bytes |
|---|---|---|
| turns | each turn, in playing order | card, city + 1 (0: placed nothing), experts, occasionals, signal |
| payers | each expert lost, in order | the seat that bears it, whether it was chosen or forced |
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.compiled import kernel
from harness.game.layout import LOSS_EVENT, TURN_EVENT
from harness.game.state import Array

TURN_BYTES = 5


class Choices(NamedTuple):
    """The choices of one game, packed."""

    turns: bytes
    payers: bytes


class Packed(NamedTuple):
    """One kind of choice of many games: game g has ``data[offsets[g]:offsets[g + 1]]``, uint8; offsets int32."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int32]

    def of(self, game: int) -> bytes:
        """Return the bytes of one game."""
        return self.data[self.offsets[game] : self.offsets[game + 1]].tobytes()


class PackedChoices(NamedTuple):
    """The choices of many games, each kind in one flat buffer."""

    turns: Packed
    payers: Packed

    def of(self, game: int) -> Choices:
        """Return the choices of one game."""
        return Choices(self.turns.of(game), self.payers.of(game))


def pack_choices(games: Array, histories: Array, order: NDArray[np.int64]) -> PackedChoices:
    """Pack the choices of games number `order`, (n,), of `games`, (G,) GAME, with `histories`, (G, E) EVENT."""
    turn_offsets = np.zeros(len(order) + 1, np.int32)
    payer_offsets = np.zeros(len(order) + 1, np.int32)
    count_choices(games, histories, order, turn_offsets, payer_offsets)
    turns = np.empty(turn_offsets[-1], np.uint8)
    payers = np.empty(payer_offsets[-1], np.uint8)
    write_choices(games, histories, order, turns, payers)
    return PackedChoices(Packed(turns, turn_offsets), Packed(payers, payer_offsets))


@kernel
def count_choices(games, histories, order, turn_offsets, payer_offsets):  # type: ignore[no-untyped-def]
    """Set the offsets of each game's choices; both (n + 1,) and zero at their beginning."""
    for i in range(len(order)):
        g = order[i]
        turns, payers = 0, 0
        for e in range(games[g]["events"]):
            kind = histories[g, e]["kind"]
            turns += kind == TURN_EVENT
            payers += kind == LOSS_EVENT
        turn_offsets[i + 1] = turn_offsets[i] + TURN_BYTES * turns
        payer_offsets[i + 1] = payer_offsets[i] + payers


@kernel
def write_choices(games, histories, order, turns, payers):  # type: ignore[no-untyped-def]
    """Write all choices one after the other into the flat buffers."""
    t, p = 0, 0
    for i in range(len(order)):
        g = order[i]
        for e in range(games[g]["events"]):
            event = histories[g, e]
            if event["kind"] == TURN_EVENT:
                turns[t] = event["card"]
                turns[t + 1] = event["city"] + 1
                turns[t + 2] = event["experts"]
                turns[t + 3] = event["occasionals"]
                turns[t + 4] = event["signal"]
                t += TURN_BYTES
            elif event["kind"] == LOSS_EVENT:
                payers[p] = event["who"]
                p += 1
