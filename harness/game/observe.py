"""What a seat may know: the public part of a game, its own hand, and its own source of randomness. Nothing else.

The public fields stand first, in the same order, in GAME and OBSERVATION, so that they are copied in whole words;
what is hidden lies behind them and is never touched here but for the seat's own hand.
"""

import numpy as np
from numpy.typing import NDArray

from harness.compiled import kernel
from harness.game.state import OBSERVATION, PUBLIC_WORDS, Array


def words_of(records: Array) -> NDArray[np.uint64]:
    """Return the same memory as `records`, (N,) of a packed dtype, as words (N, itemsize / 8)."""
    return records.view(np.uint64).reshape(len(records), records.dtype.itemsize // 8)


def new_observations(count: int) -> Array:
    """Return `count` empty observations."""
    return np.zeros(count, OBSERVATION)


@kernel
def observe(games, game_words, rows, observations, observation_words):  # type: ignore[no-untyped-def]
    """Write into ``observations[i]`` what the seat to move in game ``rows[i]`` knows.

    `game_words` and `observation_words` are `words_of` the two arrays of records.
    """
    for i in range(len(rows)):
        g = rows[i]
        seat = int(games[g]["to_move"])
        for word in range(PUBLIC_WORDS):
            observation_words[i, word] = game_words[g, word]
        add_own(games[g], seat, observations[i])


@kernel
def observe_seat(game, words, seat, observation, observation_words):  # type: ignore[no-untyped-def]
    """Write into `observation` what `seat` knows of `game`, whoever is to move."""
    for word in range(PUBLIC_WORDS):
        observation_words[word] = words[word]
    add_own(game, seat, observation)


@kernel
def add_own(game, seat, observation):  # type: ignore[no-untyped-def]
    """Write into `observation` what only `seat` knows: its hand, and its source of randomness."""
    observation["key"] = game["keys"][seat]
    observation["own"] = game["hands"][seat]
    observation["decision"] = game["decisions"][seat]
    observation["seat"] = seat
