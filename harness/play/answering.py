"""The child's side of the questions: a bot of either level, loaded, asked about what lies in shared memory."""

import io
import mmap
import os
import struct
from array import array
from collections.abc import Callable, Iterator
from itertools import count, repeat
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


def load(task: dict[str, Any], questions: mmap.mmap, answers: mmap.mmap) -> Answers:
    """Load the bot a task names, build it once, and make it ready to answer."""
    bot_class, params = class_at(task["reference"]), task["params"]
    bot = bot_class(**params)
    rules = rules_from_record(task["rules"])
    shared = wire.Shared(task["games"], task["events"])
    if isinstance(bot, BatchBot):
        from harness.play.answering_batch import BatchAnswers  # brings numpy, which a plain bot's process does without

        return BatchAnswers(bot, rules, shared, questions, answers)
    return EachAnswers(lambda: bot_class(**params), Lexicon(rules), shared, questions, answers)  # type: ignore[return-value,arg-type]


def shared_files(folder: str) -> tuple[mmap.mmap, mmap.mmap]:
    """Return the files of questions, which cannot be written, and of answers, mapped into memory."""
    maps = []
    for name, flags, protection in (
        ("questions", os.O_RDONLY, mmap.PROT_READ),
        ("answers", os.O_RDWR, mmap.PROT_READ | mmap.PROT_WRITE),
    ):
        file = os.open(f"{folder}/{name}", flags)
        maps.append(mmap.mmap(file, os.fstat(file).st_size, prot=protection))
        os.close(file)
    return maps[0], maps[1]


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


AT_ONCE = 256
"""Questions that are made ready together: what they need then stays in the cache."""

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
        ask = self._turns if question == wire.TURNS else self._losses
        failures: list[Failure] = []
        for first in range(0, rows, AT_ONCE):
            some = range(first, min(first + AT_ONCE, rows))
            failures += [failure._replace(row=first + failure.row) for failure in ask(some, self._keys(some))]
        return told(failures)

    def _turns(self, some: range, keys: list[int]) -> list[Failure]:
        owns = self._column("Q", "own", 0, some)
        revealed, rows, others, failures = ask_turns(
            self.bots, keys, owns, self.views(some, keys), self.ticks(some), self.lexicon, failed
        )
        turns = array("h", NO_TURN) * len(some)
        turns[:: len(NO_TURN)] = array("h", revealed)
        for row, numbers in zip(rows, others, strict=True):
            turns[row * len(numbers) : (row + 1) * len(numbers)] = array("h", numbers)
        self._write(turns, some.start * wire.TURN_BYTES)
        return failures

    def _losses(self, some: range, keys: list[int]) -> list[Failure]:
        masks = self._cut(some)[_AT["loss_seats"] :: wire.OBSERVATION_BYTES]
        seats, failures = ask_losses(self.bots, keys, masks, self.views(some, keys), self.ticks(some), failed)
        self._write(array("h", seats), some.start * wire.SEAT_BYTES)
        return failures

    def views(self, some: range, keys: list[int]) -> Iterator[View]:
        """Return a view for each of some questions."""
        size = wire.OBSERVATION_BYTES
        data = struct.unpack_from(f"{size}s" * len(some), self.questions, some.start * size)
        hands = self.lexicon.hands([self._column("H", "own", piece, some) for piece in range(self.lexicon.pieces)])
        return map(View, repeat(self.lexicon), data, hands, repeat(self.history), keys)

    def ticks(self, some: range) -> Iterator[None]:
        """Tell the parent at each step which of the questions is at hand."""
        return map(self.counter.__setitem__, repeat(0), count(some.start))

    def history(self, slot: int, events: int) -> bytes:
        """Return the first events of the game in a slot."""
        at = self.shared.histories_at + slot * self.shared.events * wire.EVENT_BYTES
        return self.questions[at : at + events * wire.EVENT_BYTES]

    def _keys(self, some: range) -> list[int]:
        at = self.shared.slots_at
        keys: list[int] = memoryview(self.questions)[at + 4 * some.start : at + 4 * some.stop].cast("i").tolist()
        return keys

    def _cut(self, some: range) -> memoryview:
        return memoryview(self.questions)[some.start * wire.OBSERVATION_BYTES : some.stop * wire.OBSERVATION_BYTES]

    def _column(self, code: Literal["H", "Q"], name: str, piece: int, some: range) -> list[int]:
        """Return a field of some observations, or one `piece` of it, read as numbers of a `struct` code."""
        numbers = self._cut(some).cast(code)
        width = numbers.itemsize
        column: list[int] = numbers[_AT[name] // width + piece :: wire.OBSERVATION_BYTES // width].tolist()
        return column

    def _write(self, numbers: "array[int]", at: int) -> None:
        data = numbers.tobytes()
        self.answers[wire.COUNTER_BYTES + at : wire.COUNTER_BYTES + at + len(data)] = data


class Tail(io.TextIOBase):
    """The end of what the bot prints, in memory that the harness can read however the process ends."""

    def __init__(self, task: dict[str, Any], answers: mmap.mmap) -> None:
        super().__init__()
        memory = memoryview(answers)[wire.Shared(task["games"], task["events"]).printed_at :]
        self._count = memory[: wire.COUNTER_BYTES].cast("Q")
        self._ring = memory[wire.COUNTER_BYTES :]

    def write(self, text: str) -> int:
        size = wire.PRINTED_BYTES
        data = str(text)[-size:].encode(errors="replace")[-size:]
        at = self._count[0] % size
        until_end = data[: size - at]
        rest = data[len(until_end) :]
        self._ring[at : at + len(until_end)] = until_end
        self._ring[: len(rest)] = rest
        self._count[0] += len(data)
        return len(text)


assert _AT["own"] % 8 == 0 == wire.OBSERVATION_BYTES % 8
assert NO_TURN[0] == NONE
