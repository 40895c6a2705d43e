"""What a seat was asked earlier in its games, asked again: so that a bot which starts afresh may remember."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from harness.game.engine import VERDICT, apply_losses, apply_turns, begin_games
from harness.game.layout import LOSS_PHASE, TURN_PHASE
from harness.game.observe import new_observations, observe, words_of
from harness.game.rules import Rules
from harness.game.state import GAME, OBSERVATION, TURN, Array, new_histories, table_of
from harness.play.players import Questions, Rows, numbers_in

Keys = NDArray[np.uint64]

Step = tuple[bool, Rows, Array]
"""What is asked in one step: whether about losses, in which games, (n,), and the observations, (n,) OBSERVATION."""


def asked_again(
    rules: Rules, deal_keys: Keys, bot_keys: Keys, histories: Array, events: Rows, seats: NDArray[np.int16], room: int
) -> Iterator[tuple[bool, Questions]]:
    """Play games, (n,), once more as their `histories`, (n, E) EVENT, tell, as far as they have `events`, (n,).

    Yields all that `seats`, (n,), were asked, in the order of each game: whether about losses, and the questions, whose
    rows are the games' places among the n. Up to `room` of them stand together, from many steps, for a message to a
    bot's process takes as long as a hundred decisions.
    """
    own = new_histories(rules, len(seats))
    held: list[Step] = []
    count = 0
    for step in _steps(rules, deal_keys, bot_keys, histories, events, seats, own):
        count += len(step[1])
        if held and count > room:
            yield from _together(held, own)
            held, count = [], len(step[1])
        held.append(step)
    yield from _together(held, own)


def _steps(
    rules: Rules,
    deal_keys: Keys,
    bot_keys: Keys,
    histories: Array,
    events: Rows,
    seats: NDArray[np.int16],
    own: Array,
) -> Iterator[Step]:
    """Yield the same step by step; `own`, (n, E) EVENT, is written again meanwhile."""
    table, count = table_of(rules), len(seats)
    games = np.zeros(count, GAME)
    words, verdicts = words_of(games), np.zeros((count, VERDICT), np.int16)
    asks = np.zeros(count, np.int8)
    begin_games(games, table, deal_keys, bot_keys, asks)
    while (events > games["events"]).any():
        for phase in (TURN_PHASE, LOSS_PHASE):  # a turn may be the last event there is
            rows = np.flatnonzero((games["events"] < events) & (games["phase"] == phase))
            if not len(rows):
                continue
            asked = rows[games["to_move"][rows] == seats[rows]]
            if len(asked):
                observations = new_observations(len(asked))
                observe(games, words, asked, observations, words_of(observations))
                yield phase == LOSS_PHASE, asked, observations
            told = histories[rows, games["events"][rows]]
            if phase == TURN_PHASE:
                apply_turns(games, table, own, rows, turns_told(told), verdicts[: len(rows)], asks)
            else:
                apply_losses(games, table, own, rows, told["who"].astype(np.int16), verdicts[: len(rows)], asks)
            assert not verdicts[: len(rows), 0].any(), "what was played once is legal"


def _together(steps: Sequence[Step], histories: Array) -> Iterator[tuple[bool, Questions]]:
    """Put the questions of many steps together, as far as those of a game stay in order: its losses lie between turns.

    The n-th run of turns of each game goes with those of the others, and so does the n-th run of losses.
    """
    if not steps:
        return
    kinds, games, observations = zip(*steps, strict=True)
    runs = np.zeros(len(histories), np.int64)  # of each game so far: even ones are of turns, odd ones of losses
    run_of = []
    for is_loss, rows in zip(kinds, games, strict=True):
        runs[rows] += runs[rows] % 2 != is_loss
        run_of.append(runs[rows])
    words = np.concatenate([words_of(part) for part in observations])  # by fields it takes forty times as long
    asked = Questions(words.view(OBSERVATION)[:, 0], histories, np.concatenate(games))
    number = np.concatenate(run_of)
    for run in np.unique(number).tolist():
        yield run % 2 == 1, asked.only(np.flatnonzero(number == run))


def turns_told(told: Array) -> Array:
    """Return the turns, (n,) TURN, that `told`, (n,) EVENT, tell of."""
    turns = np.zeros(len(told), TURN)
    numbers = numbers_in(turns)
    for column, name in enumerate(TURN.names or ()):
        numbers[:, column] = told[name]
    return turns
