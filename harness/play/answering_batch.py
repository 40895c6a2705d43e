"""The child's side of the questions to a `BatchBot`: the same arrays as in the harness's process, but read-only."""

import mmap

import numpy as np

from harness.game.layout import NONE
from harness.game.rules import Rules
from harness.game.state import EVENT, OBSERVATION, TURN, Array, table_of
from harness.play import wire
from harness.play.answering import Told, failed, told
from harness.play.asking import NO_TURN
from harness.play.bot import BatchBot
from harness.play.faults import Failure
from harness.play.players import BatchPlayer, Past, numbers_in


class SharedQuestions:
    """Where questions and histories lie in shared memory: observations (n,), slots (n,), events (games, E)."""

    def __init__(self, shared: wire.Shared, questions: mmap.mmap) -> None:
        self.observations = np.frombuffer(questions, OBSERVATION, shared.rows)
        self.slots = np.frombuffer(questions, np.int32, shared.rows, shared.slots_at)
        bare = f"V{EVENT.itemsize}"  # as bytes: by fields takes twenty times as long
        events = np.frombuffer(questions, bare, shared.games * shared.events, shared.histories_at)
        self.events: Array = events.reshape(shared.games, shared.events)


class SharedPast(Past):
    """Some of the questions, and what went before them."""

    def __init__(self, shared: SharedQuestions, some: slice) -> None:
        self.observations = shared.observations[some]
        self._slots = shared.slots[some]
        self._events = shared.events

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
        self.asked = SharedQuestions(shared, questions)
        self.turns = np.frombuffer(answers, TURN, shared.rows, wire.COUNTER_BYTES)
        self.numbers = numbers_in(self.turns)
        self.seats = np.frombuffer(answers, np.int16, shared.rows, wire.COUNTER_BYTES)

    def answer(self, question: int, count: int) -> Told:
        failures: list[Failure] = []
        for first in range(0, count, AT_ONCE):
            own = self._answer(question, slice(first, min(first + AT_ONCE, count)))
            failures += [failure._replace(row=first + failure.row) for failure in own]
        return told(failures)

    def _answer(self, question: int, some: slice) -> list[Failure]:
        asked = SharedPast(self.asked, some)
        if question == wire.TURNS:
            self.numbers[some] = NO_TURN
            return self.player.act(asked, self.turns[some])
        self.seats[some] = NONE
        return self.player.choose_loss(asked, self.seats[some])
