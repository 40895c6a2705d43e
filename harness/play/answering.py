"""The child's side of the questions: a bot of either level, loaded, asked about what lies in shared memory."""

import io
import mmap
import os
from array import array
from collections.abc import Callable, Iterator
from itertools import chain, count, repeat
from typing import Any, Literal, Protocol

from harness.errors import BotError
from harness.game import layout
from harness.game.layout import NONE
from harness.game.lexicon import Lexicon
from harness.game.rules import rules_from_record
from harness.game.view import View
from harness.play import wire
from harness.play.asking import NO_TURN, Bots, ask_losses, ask_turns, kind_of
from harness.play.bot import BatchBot, Bot
from harness.play.classes import class_at
from harness.play.faults import Failure, FaultKind, brief

Told = list[tuple[int, str, str]]
"""Failures as they are sent: row, name of the kind, message."""


class Answers(Protocol):
    """A loaded bot that answers."""

    is_batch: bool
    reads_history: bool

    def answer(self, question: int, rows: int) -> Told:
        """Answer `rows` questions of a kind, write the answers, and return the failures."""


def load(task: dict[str, Any]) -> Answers:
    """Load the bot a task names, build it once, and make it ready to answer."""
    bot_class, params = class_at(task["reference"]), task["params"]
    bot = bot_class(**params)
    rules = rules_from_record(task["rules"])
    shared = wire.Shared(task["games"], task["events"])
    questions, answers = mapped(task["questions"], mmap.PROT_READ), mapped(task["answers"], None)
    if isinstance(bot, BatchBot):
        from harness.play.answering_batch import BatchAnswers  # brings numpy, which a plain bot's process does without

        return BatchAnswers(bot, rules, shared, questions, answers)
    return EachAnswers(lambda: bot_class(**params), Lexicon(rules), shared, questions, answers)  # type: ignore[return-value,arg-type]


def mapped(path: str, protection: int | None) -> mmap.mmap:
    """Map a whole file into memory."""
    file = os.open(path, os.O_RDONLY if protection else os.O_RDWR)
    try:
        size = os.fstat(file).st_size
        return mmap.mmap(file, size, prot=protection) if protection else mmap.mmap(file, size)
    finally:
        os.close(file)


def load_failure(error: BaseException) -> tuple[str, str]:
    """Return (kind, message) of a bot that could not be loaded."""
    message = str(error) if isinstance(error, BotError) else brief(error)
    return FaultKind.LOAD.name, message


def failed(row: int, error: BaseException) -> Failure:
    """Return the failure of a bot that raised in its own process, where nothing is the user's."""
    forbidden = isinstance(error, (PermissionError, BlockingIOError))  # the latter when it wants another process
    kind = FaultKind.FORBIDDEN if forbidden else kind_of(error)
    return Failure(row, kind, brief(error))


def told(failures: list[Failure]) -> Told:
    """Return failures as plain values."""
    return [(failure.row, failure.kind.name, failure.message) for failure in failures]


_AT = layout.offsets(layout.OBSERVATION)


class EachAnswers:
    """Asks a `Bot` object for each game of this process."""

    is_batch = False
    reads_history = True

    def __init__(
        self, make: Callable[[], Bot], lexicon: Lexicon, shared: wire.Shared, questions: mmap.mmap, answers: mmap.mmap
    ) -> None:
        self.lexicon = lexicon
        self.shared = shared
        self.questions = questions
        self.answers = answers
        self.counter = memoryview(answers)[: wire.COUNTER_BYTES].cast("I")
        self.bots = Bots(make)

    def answer(self, question: int, rows: int) -> Told:
        at = self.shared.slots_at
        keys = memoryview(self.questions)[at : at + 4 * rows].cast("i").tolist()
        if question == wire.TURNS:
            return self._turns(keys)
        masks = self._bytes("loss_seats", rows)
        seats, failures = ask_losses(self.bots, keys, masks, self.views(keys), self.ticks(), failed)
        self._write(array("h", seats))
        return told(failures)

    def _turns(self, keys: list[int]) -> Told:
        owns = self._column("Q", "own", 0, len(keys))
        revealed, rows, others, failures = ask_turns(
            self.bots, keys, owns, self.views(keys), self.ticks(), self.lexicon, failed
        )
        turns = array("h", chain.from_iterable((card, *NO_TURN[1:]) for card in revealed))
        for row, numbers in zip(rows, others, strict=True):
            turns[row * len(numbers) : (row + 1) * len(numbers)] = array("h", numbers)
        self._write(turns)
        return told(failures)

    def views(self, keys: list[int]) -> Iterator[View]:
        """Return a view for each question."""
        size = wire.OBSERVATION_BYTES
        data = self.questions[: len(keys) * size]
        cut = [data[at : at + size] for at in range(0, len(data), size)]
        hands = self.lexicon.hands([self._column("H", "own", piece, len(keys)) for piece in range(self.lexicon.pieces)])
        return map(View, repeat(self.lexicon), cut, hands, repeat(self.history), keys)

    def ticks(self) -> Iterator[None]:
        """Tell the parent at each step which row is at hand, from 0."""
        return map(self.counter.__setitem__, repeat(0), count())

    def history(self, slot: int, events: int) -> bytes:
        """Return the first events of the game in a slot."""
        at = self.shared.histories_at + slot * self.shared.events * wire.EVENT_BYTES
        return self.questions[at : at + events * wire.EVENT_BYTES]

    def _column(self, code: Literal["H", "Q"], name: str, piece: int, rows: int) -> list[int]:
        """Return a field of all observations, or one `piece` of it, read as numbers of a `struct` code."""
        numbers = memoryview(self.questions)[: rows * wire.OBSERVATION_BYTES].cast(code)
        width = numbers.itemsize
        column: list[int] = numbers[_AT[name] // width + piece :: wire.OBSERVATION_BYTES // width].tolist()
        return column

    def _bytes(self, name: str, rows: int) -> bytes:
        return self.questions[_AT[name] : rows * wire.OBSERVATION_BYTES : wire.OBSERVATION_BYTES]

    def _write(self, numbers: "array[int]") -> None:
        data = numbers.tobytes()
        self.answers[wire.COUNTER_BYTES : wire.COUNTER_BYTES + len(data)] = data


class Tail(io.TextIOBase):
    """The end of what the bot printed."""

    KEPT = 65_536

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[str] = []
        self._length = 0
        self.fresh = False

    def write(self, text: str) -> int:
        self.fresh = True
        self._pieces.append(str(text)[-self.KEPT :])
        self._length += len(self._pieces[-1])
        if self._length > 2 * self.KEPT:
            self._pieces = [self.text()]
            self._length = len(self._pieces[0])
        return len(text)

    def text(self) -> str:
        """Return it."""
        self.fresh = False
        return "".join(self._pieces)[-self.KEPT :]


assert _AT["own"] % 8 == 0 == wire.OBSERVATION_BYTES % 8
assert NO_TURN[0] == NONE
