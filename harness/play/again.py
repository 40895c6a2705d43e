"""What a seat was asked earlier in its games, asked again: so that a bot which starts afresh may remember."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from harness.game.engine import VERDICT, apply_losses, apply_turns, begin_games
from harness.game.layout import LOSS_PHASE, TURN_PHASE
from harness.game.observe import new_observations, observe, words_of
from harness.game.rules import Rules
from harness.game.state import GAME, TURN, Array, new_histories, table_of
from harness.play.players import Questions, Rows, numbers_in

Keys = NDArray[np.uint64]


def asked_again(
    rules: Rules, deal_keys: Keys, bot_keys: Keys, histories: Array, events: Rows, seats: NDArray[np.int16]
) -> Iterator[tuple[bool, Rows, Questions]]:
    """Play games, (n,), once more as their `histories`, (n, E) EVENT, tell, as far as they have `events`, (n,).

    Yields for each step in which any of `seats`, (n,), was asked: whether about a loss, of which games (their places
    among the n), and the questions.
    """
    table, count = table_of(rules), len(seats)
    games, own = np.zeros(count, GAME), new_histories(rules, count)
    words, verdicts = words_of(games), np.zeros((count, VERDICT), np.int16)
    begin_games(games, table, deal_keys, bot_keys)
    while len(running := np.flatnonzero(games["events"] < events)):
        for phase in (TURN_PHASE, LOSS_PHASE):
            rows = running[games["phase"][running] == phase]
            asked = rows[games["to_move"][rows] == seats[rows]]
            if len(asked):
                observations = new_observations(len(asked))
                observe(games, words, asked, observations, words_of(observations))
                yield phase == LOSS_PHASE, asked, Questions(observations, own, asked)
            told = histories[rows, games["events"][rows]]
            if phase == TURN_PHASE:
                apply_turns(games, table, own, rows, turns_told(told), verdicts[: len(rows)])
            else:
                apply_losses(games, table, own, rows, told["who"].astype(np.int16), verdicts[: len(rows)])
            assert not verdicts[: len(rows), 0].any(), "what was played once is legal"


def turns_told(told: Array) -> Array:
    """Return the turns, (n,) TURN, that `told`, (n,) EVENT, tell of."""
    turns = np.zeros(len(told), TURN)
    numbers = numbers_in(turns)
    for column, name in enumerate(TURN.names or ()):
        numbers[:, column] = told[name]
    return turns
