"""The child's side of the questions to a `BatchBot`: the same arrays as in the harness's process, but read-only."""

import mmap

import numpy as np
from numpy.typing import NDArray

from harness.game.rules import Rules
from harness.game.state import EVENT, OBSERVATION, TURN, Array, table_of
from harness.play import wire
from harness.play.answering import Told, failed, told
from harness.play.asking import NO_TURN
from harness.play.bot import BatchBot
from harness.play.faults import Failure
from harness.play.players import BatchPlayer, Past, numbers_in


class SharedPast(Past):
    """Observations and histories as they lie in shared memory."""

    def __init__(self, shared: wire.Shared, questions: mmap.mmap, some: range) -> None:
        first, count = some.start, len(some)
        self.observations = np.frombuffer(questions, OBSERVATION, count, first * OBSERVATION.itemsize)
        self._slots = np.frombuffer(questions, np.int32, count, shared.slots_at + first * np.dtype(np.int32).itemsize)
        bare = f"V{EVENT.itemsize}"  # as bytes: by fields takes twenty times as long
        events = np.frombuffer(questions, bare, shared.games * shared.events, shared.histories_at)
        self._events: Array = events.reshape(shared.games, shared.events)

    def histories(self) -> Array:
        """Return the past of each observation: of a game asked about at several moments, only what went before it."""
        events = self.observations["events"]
        past = self._events[self._slots, : int(events.max())]
        past[np.arange(past.shape[1]) >= events[:, None]] = np.void(bytes(EVENT.itemsize))
        return past.view(EVENT)


AT_ONCE = 1024
"""Questions of one call: what a bot computes of them then stays in the cache, as it does in the harness's process."""


class BatchAnswers:
    """Asks one `BatchBot` about all games of this process."""

    is_batch = True

    def __init__(
        self, bot: BatchBot, rules: Rules, shared: wire.Shared, questions: mmap.mmap, answers: mmap.mmap
    ) -> None:
        bot.rules, bot.table = rules, table_of(rules)
        self.reads_history = bool(bot.reads_history)
        self.player = BatchPlayer(bot, failed)
        self.shared = shared
        self.questions = questions
        self.answers = answers

    def answer(self, question: int, count: int) -> Told:
        failures: list[Failure] = []
        for first in range(0, count, AT_ONCE):
            own = self._answer(question, range(first, min(first + AT_ONCE, count)))
            failures += [failure._replace(row=first + failure.row) for failure in own]
        return told(failures)

    def _answer(self, question: int, some: range) -> list[Failure]:
        asked = SharedPast(self.shared, self.questions, some)
        if question == wire.TURNS:
            turns = np.zeros(len(some), TURN)
            numbers_in(turns)[:] = NO_TURN
            failures = self.player.act(asked, turns)
            self._write(turns, some.start)
        else:
            seats: NDArray[np.int16] = np.full(len(some), -1, np.int16)
            failures = self.player.choose_loss(asked, seats)
            self._write(seats, some.start)
        return failures

    def _write(self, answers: Array | NDArray[np.int16], first: int) -> None:
        data, at = answers.tobytes(), wire.COUNTER_BYTES + first * answers.itemsize
        self.answers[at : at + len(data)] = data
