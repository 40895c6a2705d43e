"""A player whose bot lives in a process of its own.

When that process dies or is killed, the game in which it happened is forfeited and a fresh process goes on with the
others. A `Bot` may remember its games, so it is first asked all its earlier questions in them again.
"""

from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from harness.game.rules import Rules
from harness.game.state import EVENT, OBSERVATION, Array
from harness.play import wire
from harness.play.asking import NO_TURN
from harness.play.faults import Failure, FaultKind
from harness.play.jail import Broken, Failures, Jail, Usage
from harness.play.limits import Limits
from harness.play.players import Questions, numbers_in
from harness.play.registry import BotSpec

LIVES = 3
"""Processes that may die before a player's bot is asked no more: it cannot hold up a chunk for longer than that."""


class JailedPlayer:
    """Asks a bot in a process of its own, about at most `games` games."""

    def __init__(self, spec: BotSpec, rules: Rules, limits: Limits, games: int) -> None:
        self.jail = Jail(spec, rules, limits, games)
        self.dead: Broken | None = None
        self.lives = LIVES
        self.full_bank = limits.bank_ms / 1000
        self.banks = np.full(games, self.full_bank)
        self.slots = np.zeros(0, np.int32)  # by row: the place of a game in the shared memory, -1 for none
        self.rows = np.zeros(games, np.int64)  # by slot
        self.seats = np.zeros(games, np.int16)
        self.told = np.zeros(games, np.int64)  # events of each game that the process knows
        self.lost = np.ones(games, np.bool_)  # games not begun, or forfeited
        self.used = 0
        shared = self.jail.shared
        self.questions = np.frombuffer(self.jail.questions, f"V{OBSERVATION.itemsize}", games)
        self.places = np.frombuffer(self.jail.questions, np.int32, games, shared.slots_at)
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
        self.jail.close()

    def start(self) -> None:
        """Start a process; `loaded` then waits for it."""
        self.jail.spawn()
        self.is_new = True

    def loaded(self) -> bool:
        """Wait until a process is there that can answer; return whether there is one."""
        if self.dead is None and self.jail.process is None:
            self.start()
        if self.dead is None and self.is_new:
            self.dead = self.jail.wait_loaded()
            self.is_new = False
        return self.dead is None

    def act(self, asked: Questions, turns: Array) -> list[Failure]:
        return self._answer(wire.TURNS, asked, numbers_in(turns), np.array(NO_TURN, np.int16))

    def choose_loss(self, asked: Questions, seats: NDArray[np.int16]) -> list[Failure]:
        return self._answer(wire.LOSSES, asked, seats.reshape(-1, 1), np.array([-1], np.int16))

    def _answer(
        self, question: int, asked: Questions, out: NDArray[np.int16], blank: NDArray[np.int16]
    ) -> list[Failure]:
        """Ask until all rows are answered or have failed."""
        self._seat(asked)
        failures: list[Failure] = []
        pending = np.arange(len(out))
        while len(pending):
            if not self.loaded():
                assert self.dead is not None
                return failures + [Failure(int(row), self.dead.kind, self.dead.message) for row in pending]
            self._lay(asked, self.slots[asked.rows], pending)
            said = self._ask(question, asked, pending)
            if not isinstance(said, Broken):
                answers = self.jail.answered(out.itemsize * out.shape[1] * len(pending))
                out[pending] = np.frombuffer(answers, np.int16).reshape(len(pending), -1)
                for row, kind, message in said:
                    out[pending[row]] = blank
                    failures.append(Failure(int(pending[row]), kind, message))
                break
            blamed = pending if self.jail.is_batch else pending[said.row : said.row + 1]
            failures += [Failure(int(row), said.kind, said.message) for row in blamed]
            self.lost[self.slots[asked.rows[blamed]]] = True
            pending = np.setdiff1d(pending, blamed)
            self._bury(said)
            self._remember(asked)
        return failures

    def _ask(self, question: int, asked: Questions, pending: NDArray[np.int64]) -> Failures | Broken:
        slots = self.slots[asked.rows[pending]]
        banks = self.banks[slots].tolist()
        said = self.jail.ask(question, banks)
        self.banks[slots] = banks
        return said

    def _seat(self, asked: Questions) -> None:
        """Give games not met before their places."""
        rows = asked.rows
        if rows.max() >= len(self.slots):
            self.slots = np.append(self.slots, np.full(int(rows.max()) + 1 - len(self.slots), -1, np.int32))
        fresh = rows[self.slots[rows] < 0]
        if len(fresh):
            places = np.arange(self.used, self.used + len(fresh), dtype=np.int32)
            self.used += len(fresh)
            self.slots[fresh], self.rows[places], self.lost[places] = places, fresh, False
            self.seats[places] = asked.observations["seat"][self.slots[rows] >= self.used - len(fresh)]

    def _lay(self, asked: Questions, slots: NDArray[np.int32], pending: NDArray[np.int64]) -> None:
        """Lay the `pending` ones of the questions, and what happened since the last ones, into the shared memory."""
        count = len(pending)
        shown = asked.observations if count == len(asked.observations) else asked.observations[pending]
        self.questions[:count] = shown.view(f"V{OBSERVATION.itemsize}")  # as bytes: by fields takes ten times as long
        self.places[:count] = slots[pending]
        if self.jail.reads_history:
            events = asked.observations["events"].astype(np.int64)
            first, end = int(self.told[slots].min()), int(events.max())
            words = EVENT.itemsize // 4
            news = asked.events(first, end).view(np.int32).reshape(len(slots), -1)
            in_order = len(slots) == self.used and slots[0] == 0 and slots[-1] == self.used - 1
            self.past[slice(self.used) if in_order else slots, first * words : end * words] = news
            self.told[slots] = events

    def _bury(self, broken: Broken) -> None:
        """Count a process that ended; the last one takes the player with it."""
        self.lives -= 1
        if self.lives == 0 or broken.kind is FaultKind.PROTOCOL:
            self.dead = Broken(broken.kind, f"asked no more in this chunk: {broken.message}"[:300])

    def _remember(self, asked: Questions) -> None:
        """Ask a fresh process all earlier questions of its running games, so that its bots remember them."""
        while self.loaded() and not self.jail.is_batch and asked.again is not None:
            self.told[:] = 0
            running = np.flatnonzero(~self.lost)
            for is_loss, games, earlier in asked.again(self.rows[running], self.seats[running]):
                slots = running[games].astype(np.int32)
                self._lay(earlier, slots, np.arange(len(slots)))
                said = self.jail.ask(wire.LOSSES if is_loss else wire.TURNS, [self.full_bank] * len(slots))
                if isinstance(said, Broken):
                    self._bury(said)
                    break
            else:
                self.told[:] = 0
                return
