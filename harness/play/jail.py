"""One bot in a process of its own, and what happened to it when it stops answering.

Between questions the process is stopped, so that thinking in the background gains nothing.
"""

import mmap
import os
import resource
import secrets
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from harness.errors import RunError
from harness.game.rules import Rules
from harness.game.state import max_events
from harness.play import isolation, wire
from harness.play.broken import Broken, Failures, broken_by, ending_in_words
from harness.play.calls import second_filter
from harness.play.cell import Cell, ProtocolError, told
from harness.play.clock import GRACE_S, Clock, Seconds, cpu_of
from harness.play.faults import FaultKind, plain
from harness.play.limits import Limits
from harness.play.nursery import Ending, Nurseries, Nursery
from harness.play.open_files import heard, refuse_when_short
from harness.play.packing import packs
from harness.play.probe import probe
from harness.play.registry import BotSpec
from harness.play.sources import files_in_jail, is_fast
from harness.play.usage import Usage, peak_memory_mb

OPEN_FILES = 64
"""Files that a bot's process may hold open."""

LOOK_S = 0.05
"""Seconds between looks at a process that is loading."""

LOOKS_AT_MEMORY = 16
"""Questions from one look at how much memory a process has used to the next: a look takes longer than an answer can."""

DYING_S = 0.5
"""Seconds that a process may take to end after its pipes have closed: usually a moment."""


class Jail:
    """A bot's process and the memory it shares with the harness, for `games` games at most."""

    def __init__(self, spec: BotSpec, rules: Rules, limits: Limits, games: int, nurseries: Nurseries) -> None:
        self.limits = limits
        self.shared = wire.Shared(games, max_events(rules))
        self.usage = Usage()
        self.nursery = nursery_of(spec, nurseries)
        self.folder = nurseries.new_folder()
        home = self.folder / "bot"
        home.mkdir()
        reference, package = files_in_jail(spec.reference, home)
        self.questions = _mapped(self.folder / "questions", self.shared.question_bytes)
        self.answers = os.open(self.folder / "answers", os.O_RDWR | os.O_CREAT, 0o600)
        refuse_when_short(self.answers)
        os.ftruncate(self.answers, self.shared.answer_bytes)
        self.task = {
            "home": str(home),
            "package": package,
            "reference": reference,
            "params": spec.params,
            "rules": rules.as_record(),
            "games": games,
            "events": self.shared.events,
            "readable": [*isolation.python_folders(), *packs().values(), str(home), *([package] if package else [])],
            "filter": second_filter() if self.nursery.level == "jailed" else b"",
        }
        self.is_batch, self.reads_history = False, True
        self.cell: Cell | None = None
        self.asked_at: float | None = None
        self.answer: Failures | Broken | None = None
        self.closed = 0.0  # when the child closed its pipe, if it has
        self.rested = 0.0  # CPU seconds that the child had used when it was last stopped

    def close(self) -> None:
        """End the process and give back its memory."""
        self.end()
        os.close(self.answers)
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(BufferError):  # an exception on its way may still hold what looks at it
            self.questions.close()

    def end(self) -> Ending:
        """End the process; return (exit code, signal) where it had ended by itself."""
        if self.cell is None:
            return None, None
        self._account(True)
        cell, self.cell = self.cell, None
        self.usage.whole_cpu_s += cpu_of(cell.pid)
        ending = cell.end()
        self.usage.output = self._printed() or self.usage.output
        self.usage.first_output = self.usage.first_output or self.usage.output
        return ending

    def spawn(self) -> None:
        """Start the process without waiting for it: several can load at the same time."""
        limits = (
            (resource.RLIMIT_AS, self.limits.memory_mb << 20),
            (resource.RLIMIT_FSIZE, self.shared.answer_bytes),
            (resource.RLIMIT_NOFILE, OPEN_FILES),
            (resource.RLIMIT_CORE, 0),
        )
        for size in (0, self.shared.answer_bytes):  # its predecessor has printed there, or cut it off
            os.ftruncate(self.answers, size)
        self.cell = Cell(self.nursery, self.folder, self.task, limits)
        load_s = self.limits.load_s
        self.clock = Clock(self.cell.pid, Limits(turn_ms=round(1000 * load_s)), np.array([[0.0, load_s + GRACE_S]]))

    def is_loading(self, seconds: float = 0) -> bool:
        """Wait so long at most for the bot's first word; return whether it is still being loaded, its time not over."""
        assert self.cell is not None
        return not (heard([self.cell.reader], seconds) or self.cell.has_ended or self.clock.late(0))

    def wait_loaded(self) -> Broken | None:
        """Wait until the bot is loaded; return what went wrong, the process then ended."""
        assert self.cell is not None
        try:
            while self.is_loading(LOOK_S):
                pass
            if not heard([self.cell.reader], 0):
                raise EOFError if self.cell.has_ended else TimeoutError
            said = self.cell.message()
            if "failure" in said:
                self.end()
                return Broken(FaultKind.LOAD, self._plain(said["failure"][1]))
            self.is_batch, self.reads_history = said["batch"] is True, said["reads_history"] is True
        except TimeoutError:
            self.end()
            return Broken(FaultKind.LOAD, f"it was not loaded after {self.limits.load_s:g} s")
        except EOFError:
            return Broken(FaultKind.LOAD, f"while it was loaded, {ending_in_words(self.end())}")
        except _GARBLED:
            self.end()
            return Broken(FaultKind.LOAD, "it garbled the message that it was loaded")
        self._pause()
        self.rested = self.clock.now()
        return None

    def ask(self, question: int, banks: Seconds) -> None:
        """Let the child begin to answer the questions that lie ready, one for each of `banks`, (n, 2) (see `Clock`).

        `settle` waits for the answer. What is used beyond a decision's time is taken from `banks` themselves.
        """
        assert self.cell is not None
        self.token, self.message, self.answer, self.closed = secrets.randbits(64), b"", None, 0.0
        os.pwrite(self.answers, bytes(wire.COUNTER_BYTES), 0)
        self.clock = Clock(self.cell.pid, self.limits, banks, self.is_batch, self.rested)
        wire.write_all(self.cell.writer, wire.ASK.pack(self.token, question, len(banks)))
        self._resume()  # only now: it would wake up once to find nothing, and once more

    def hear(self) -> None:
        """Take in what the child has sent; its `answer` is then there, unless it has not sent all of it yet."""
        assert self.cell is not None
        try:
            self.message += self.cell.piece()
            whole = self._whole()
            if whole is None:
                return
            failures = self._failures(whole, len(self.clock.banks)) if whole else []
        except EOFError:
            self.closed = time.monotonic()
        except _GARBLED:
            self.end()
            self.answer = Broken(
                FaultKind.PROTOCOL, "its answer was not in the form that the harness's own side of it sends"
            )
        else:
            self._pause()
            late = self.clock.stop()
            self.usage.cpu_s.append(max(0.0, (rested := self.clock.now()) - self.rested))
            self.rested = rested
            self.usage.rows.append(len(self.clock.banks))
            self.answer = Broken(FaultKind.TIMEOUT, late) if late else failures
            if late:
                self.end()

    def look(self) -> None:
        """End the child if its time is over; find out why it has closed its pipe if it has."""
        assert self.cell is not None
        if self.closed:
            row = min(self.row_at_hand(), len(self.clock.banks) - 1)
            if self.cell.has_ended:
                self.answer = broken_by(self.end(), row)
            elif time.monotonic() - self.closed > DYING_S:
                self.end()
                self.answer = Broken(FaultKind.PROTOCOL, "it closed its pipes to the harness")
        elif late := self.clock.late(self.row_at_hand()):
            self.end()
            self.answer = Broken(FaultKind.TIMEOUT, late, self.clock.row)

    def _whole(self) -> bytes | None:
        """Return what the whole message tells of failures; None as long as some of it is missing."""
        if len(self.message) < wire.DONE.size:
            return None
        repeated, size = wire.DONE.unpack_from(self.message)
        whole = wire.DONE.size + size
        if repeated != self.token or size > wire.MOST_TOLD or len(self.message) > whole:
            raise ProtocolError
        return self.message[wire.DONE.size :] if len(self.message) == whole else None

    def answered(self, size: int) -> bytes:
        """Return a copy of the first `size` bytes of the answers.

        They are read, not mapped: the child can cut its file off, and mapped memory that is gone would end the harness.
        """
        data = os.pread(self.answers, size, wire.COUNTER_BYTES)
        return data + b"\xff" * (size - len(data))

    def row_at_hand(self) -> int:
        """Return the row that the child says it is at; a `BatchBot` is at all of them."""
        return 0 if self.is_batch else int.from_bytes(os.pread(self.answers, 4, 0), "little")

    def _failures(self, data: bytes, rows: int) -> Failures:
        failures = []
        for row, kind, message in told(data)["failures"]:
            if type(row) is not int or not 0 <= row < rows:
                raise ProtocolError
            failures.append((row, FaultKind[kind], self._plain(message)))
        self.usage.first_output = self.usage.first_output or self._printed()
        return failures

    def _plain(self, message: object) -> str:
        """Return a message of the child's without the folder it runs in, whose name is another each time."""
        return plain(self._homeless(str(message)))

    def _homeless(self, text: str) -> str:
        return text.replace(f"{self.folder}/bot/", "").replace(str(self.folder), "")

    def _printed(self) -> str:
        """Return the end of what the child has printed."""
        data = os.pread(self.answers, self.shared.answer_bytes, self.shared.printed_at)
        return self._homeless(wire.end_printed(data))

    def _pause(self) -> None:
        assert self.cell is not None
        self.cell.pause()
        self._account()

    def _resume(self) -> None:
        assert self.cell is not None
        self.asked_at = time.monotonic()
        self.cell.resume()

    def _account(self, at_its_end: bool = False) -> None:
        """Note what the process has used until now; of its memory now and then: once it is gone it tells no more."""
        assert self.cell is not None
        if self.asked_at is not None:
            self.usage.wall_s += time.monotonic() - self.asked_at
        self.asked_at = None
        if at_its_end or len(self.usage.rows) % LOOKS_AT_MEMORY == 0:
            self.usage.peak_memory_mb = max(self.usage.peak_memory_mb, peak_memory_mb(self.cell.pid))


def nursery_of(spec: BotSpec, nurseries: Nurseries) -> Nursery:
    """Return the nursery of a bot's processes, started now if it is not there yet."""
    if spec.level == "jailed" and (reason := probe().reason):
        raise RunError(f"{spec.name}: cannot be jailed on this machine: {reason}")
    return nurseries.of(spec.level, is_fast(spec.reference))


def settle(jails: Sequence[Jail]) -> None:
    """Wait until each of the jails that were asked has its `answer`: its failures, or why it is broken and ended."""
    while waiting := [jail for jail in jails if jail.answer is None]:
        heard = _sending(waiting, min(jail.clock.period for jail in waiting))
        for jail in heard:
            jail.hear()
        silent = [jail for jail in waiting if jail.answer is None]
        sending = _sending(silent, 0) if silent else []  # by now others may have answered in time
        for jail in silent:
            if jail in heard or jail not in sending:
                jail.look()


def _sending(jails: Sequence[Jail], seconds: float) -> list[Jail]:
    """Return the jails whose child has sent something, or closed its pipe, and wait for one at most so long."""
    pipes = {jail.cell.reader: jail for jail in jails if jail.cell and not jail.closed}
    return [pipes[pipe] for pipe in heard(pipes, seconds)]


_GARBLED = (ProtocolError, TimeoutError, ValueError, KeyError, IndexError, TypeError, RecursionError)
"""What reading a message can raise that a bot has forged."""


def _mapped(path: Path, size: int) -> mmap.mmap:
    with path.open("w+b") as file:
        os.ftruncate(file.fileno(), size)
        return mmap.mmap(file.fileno(), size)
