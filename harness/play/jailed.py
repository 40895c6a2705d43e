"""A player whose bot lives in a process of its own.

When that process dies or is killed, the game in which it happened is forfeited and a fresh process goes on with the
others. A `Bot` may remember its games, so it is first asked all its earlier questions in them again.
"""

from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from harness.game.layout import NONE
from harness.game.observe import words_of
from harness.game.rules import Rules
from harness.game.state import EVENT, OBSERVATION, Array
from harness.play import wire
from harness.play.asking import NO_TURN
from harness.play.broken import Broken, Failures
from harness.play.clock import full_banks
from harness.play.faults import GIVEN_UP, Failure, FaultKind, plain
from harness.play.jail import Jail, settle
from harness.play.limits import Limits
from harness.play.nursery import Nurseries
from harness.play.players import Questions, numbers_in
from harness.play.registry import BotSpec
from harness.play.usage import Usage

LIVES = 3
"""Processes of a player that may end before its bot is asked no more, and of all players of a bot those that may run
out of time: it cannot hold up a chunk for longer than that."""


@dataclass
class Delays:
    """How many processes of a bot have run out of time, and what was said of the last; its players share this."""

    count: int = 0
    last: Broken | None = None


@dataclass
class _Round:
    """What a bot is asked at a time and has answered so far: `pending` are the rows that it has not."""

    is_loss: bool
    asked: Questions
    out: NDArray[np.int16]
    blank: NDArray[np.int16]
    slots: NDArray[np.int32]
    is_put: bool = False

    def __post_init__(self) -> None:
        self.pending: NDArray[np.int64] = np.arange(len(self.out))
        self.failures: list[Failure] = []

    @property
    def is_whole(self) -> bool:
        """Whether all rows are pending."""
        return len(self.pending) == len(self.out)


class JailedPlayer:
    """Asks a bot in a process of its own, about at most `games` games, until so many `lives` of it have ended.

    One game may stand among questions several times, in the order of its events.
    """

    def __init__(
        self,
        spec: BotSpec,
        rules: Rules,
        limits: Limits,
        games: int,
        nurseries: Nurseries,
        lives: int = LIVES,
        delays: Delays | None = None,
    ) -> None:
        self.jail = Jail(spec, rules, limits, games, nurseries)
        self.dead: Broken | None = None
        self.lives = lives
        self.delays = delays or Delays()
        self.limits = limits
        self.banks = full_banks(limits, games)
        self.slots = np.zeros(0, np.int32)  # by row: the place of a game in the shared memory, -1 for none
        self.rows = np.zeros(games, np.int64)  # by slot
        self.seats = np.zeros(games, np.int16)
        self.told = np.zeros(games, np.int64)  # events of each game that the process knows
        self.lost = np.ones(games, np.bool_)  # games not begun, or forfeited
        self.used = 0
        shared = self.jail.shared
        self.questions = np.frombuffer(self.jail.questions, OBSERVATION, shared.rows)
        self.places = np.frombuffer(self.jail.questions, np.int32, shared.rows, shared.slots_at)
        words = EVENT.itemsize // 4
        past = np.frombuffer(self.jail.questions, np.int32, games * shared.events * words, shared.histories_at)
        self.past = past.reshape(games, shared.events * words)
        self.start()

    @property
    def usage(self) -> Usage:
        """What the bot's processes have used so far."""
        return self.jail.usage

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        del self.questions, self.places, self.past  # memory that is looked at cannot be given back
        if hasattr(self, "round"):
            del self.round
        self.jail.close()

    def start(self) -> None:
        """Start a process; `loaded` then waits for it."""
        self.jail.spawn()
        self.is_new = True

    def loaded(self) -> bool:
        """Wait until a process is there that can answer; return whether there is one."""
        if self.dead is None and self.jail.cell is None:
            self.start()
        if self.dead is None and self.is_new:
            self.dead = self.jail.wait_loaded()
            self.is_new = False
        return self.dead is None

    def room(self, count: int) -> Array:
        """Return where the next `count` questions may be written, (count,) OBSERVATION: the bot reads them there."""
        return self.questions[:count]

    def act(self, asked: Questions, turns: Array) -> list[Failure]:
        self.begin(False, asked, turns)
        return self.finish()

    def choose_loss(self, asked: Questions, seats: NDArray[np.int16]) -> list[Failure]:
        self.begin(True, asked, seats)
        return self.finish()

    def begin(self, is_loss: bool, asked: Questions, answers: Any) -> None:
        """Let the bot begin to answer about turns or losses.

        `finish` then waits for it and writes into `answers`, (n,) TURN or int16 seats, blank before.
        """
        out, blank = (answers.reshape(-1, 1), [NONE]) if is_loss else (numbers_in(answers), NO_TURN)
        self.round = _Round(is_loss, asked, out, np.array(blank, np.int16), self._seat(asked))
        self._put()

    def finish(self) -> list[Failure]:
        """Wait until all rows are answered or have failed; return the questions at which the bot failed."""
        now = self.round
        while len(now.pending):
            if not self._goes_on() or (not now.is_put and not self._put()):
                assert self.dead is not None
                return now.failures + [Failure(int(row), self.dead.kind, self.dead.message) for row in now.pending]
            settle([self.jail])
            now.is_put = False
            if self.jail.clock.has_charged:
                self.banks[now.slots[now.pending]] = self.jail.clock.banks
            said = self.jail.answer
            if isinstance(said, Broken):
                self._blame(said)
            else:
                self._take(said or [])
        return now.failures

    def _put(self) -> bool:
        """Put the pending questions to the process; return whether there is one."""
        now = self.round
        if self._goes_on() and self.loaded():
            self._lay(now.asked, now.slots, now.pending)
            banks = self.banks.take(now.slots if now.is_whole else now.slots[now.pending], axis=0)
            self.jail.ask(_question(now.is_loss), banks)
            now.is_put = True
        return now.is_put

    def _take(self, said: Failures) -> None:
        """Take the answers to all pending questions but those at which the bot failed."""
        now = self.round
        answers = self.jail.answered(now.out.itemsize * now.out.shape[1] * len(now.pending))
        own = slice(None) if now.is_whole else now.pending
        now.out[own] = np.frombuffer(answers, np.int16).reshape(len(now.pending), -1)
        for row, kind, message in said:
            now.out[now.pending[row]] = now.blank
            now.failures.append(Failure(int(now.pending[row]), kind, message))
        now.pending = now.pending[:0]

    def _blame(self, broken: Broken) -> None:
        """Give up the question at which the process ended, and make a fresh one ready for the others."""
        now = self.round
        if self._lies_here(now.asked.observations):  # where others are soon laid
            now.asked = now.asked.kept()
        blamed = now.pending if self.jail.is_batch else now.pending[broken.row : broken.row + 1]
        now.failures += [Failure(int(row), broken.kind, broken.message) for row in blamed]
        self.lost[now.slots[blamed]] = True
        now.pending = np.setdiff1d(now.pending, blamed)
        self._bury(broken)
        self._remember(now.asked)

    def _seat(self, asked: Questions) -> NDArray[np.int32]:
        """Return the places of the games asked about, (n,), of those not met before new ones."""
        rows = asked.rows
        if rows.max() >= len(self.slots):
            self.slots = np.append(self.slots, np.full(int(rows.max()) + 1 - len(self.slots), -1, np.int32))
        slots = self.slots[rows]
        if slots.min() >= 0:
            return slots
        new = np.flatnonzero(slots < 0)
        fresh, first = np.unique(rows[new], return_index=True)
        places = np.arange(self.used, self.used + len(fresh), dtype=np.int32)
        self.used += len(fresh)
        self.slots[fresh], self.rows[places], self.lost[places] = places, fresh, False
        self.seats[places] = asked.observations["seat"][new[first]]
        return self.slots[rows]

    def _lay(self, asked: Questions, slots: NDArray[np.int32], pending: NDArray[np.int64]) -> None:
        """Lay the `pending` ones of the questions, and what happened since the last ones, into the shared memory."""
        count = len(pending)
        if not self._lies_here(asked.observations):
            shown = asked.observations if count == len(asked.observations) else asked.observations[pending]
            words_of(self.questions)[:count] = words_of(shown)  # by fields takes ten times as long
        self.places[:count] = slots[pending]
        if self.jail.reads_history:
            latest = self._latest(slots)
            own = slots[latest]
            events = asked.observations["events"][latest].astype(np.int64)
            first, end = int(self.told[own].min()), int(events.max())
            words = EVENT.itemsize // 4
            news = asked.events(first, end, latest).view(np.int32).reshape(len(own), -1)
            self.past[slice(self.used) if len(own) == self.used else own, first * words : end * words] = news
            self.told[own] = events

    def _lies_here(self, observations: Array) -> bool:
        return bool(np.may_share_memory(observations, self.questions))

    def _latest(self, slots: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the last question about each game asked about, in the order of slots."""
        latest = np.full(self.used, -1)
        latest[slots] = np.arange(len(slots))
        return latest[latest >= 0]

    def _bury(self, broken: Broken) -> None:
        """Count a process that ended; the last one takes the player with it."""
        self.lives -= 1
        if broken.kind is FaultKind.TIMEOUT:
            self.delays.count, self.delays.last = self.delays.count + 1, broken
        if self.lives == 0 or broken.kind is FaultKind.PROTOCOL:
            self.dead = _given_up(broken)

    def _goes_on(self) -> bool:
        """Return whether the bot may still be asked.

        Delays count in the order in which players are asked, though several may be at a time: what one has answered
        while another's delay was the last is not taken.
        """
        if self.dead is None and self.delays.count >= LIVES:
            assert self.delays.last is not None
            self.dead = _given_up(self.delays.last)
            self.jail.end()
        return self.dead is None

    def _remember(self, asked: Questions) -> None:
        """Ask a fresh process all earlier questions of its running games, so that its bots remember them."""
        while self.loaded() and not self.jail.is_batch and asked.again is not None:
            self.told[:] = 0
            running = np.flatnonzero(~self.lost)
            room = self.jail.shared.rows
            for is_loss, games, earlier in asked.again(self.rows[running], self.seats[running], room):
                slots = running[games].astype(np.int32)
                self._lay(earlier, slots, np.arange(len(slots)))
                self.jail.ask(_question(is_loss), full_banks(self.limits, len(slots)))
                settle([self.jail])
                if isinstance(self.jail.answer, Broken):
                    self._bury(self.jail.answer)
                    break
            else:
                self.told[:] = 0
                return


def _given_up(broken: Broken) -> Broken:
    return Broken(broken.kind, plain(GIVEN_UP + broken.message))


def _question(is_loss: bool) -> int:
    return wire.LOSSES if is_loss else wire.TURNS
