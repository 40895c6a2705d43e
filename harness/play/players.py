"""Players: a bot of either level behind one question, asked for many games at once."""

from array import array
from collections.abc import Callable, Iterator
from itertools import chain, count, repeat
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from harness.errors import BotError
from harness.game import layout
from harness.game.layout import NONE
from harness.game.lexicon import Lexicon
from harness.game.rules import Rules
from harness.game.state import EVENT, Array, table_of
from harness.game.view import View
from harness.play.asking import NO_TURN, Bots, Fail, ask_losses, ask_turns, raised
from harness.play.bot import BatchBot, Bot
from harness.play.faults import Failure, FaultKind, brief

Rows = NDArray[np.int64]
BotMaker = Callable[[], Bot | BatchBot]
"""Makes a fresh bot: its class with its parameters."""


Answer = Callable[[Any, Any, Any], None]
"""A method of a `BatchBot`: observations and histories in, answers out."""


class Past(Protocol):
    """What a `BatchBot` is asked in one step: observations, (n,) OBSERVATION, and all that went before them."""

    observations: Array

    def histories(self) -> Array:
        """Return the past of all games asked about, (n, E) EVENT, as far as any of them has come."""


class Questions:
    """What one bot is asked in one step: the observations of all games in which it is to move, and their past.

    observations: (n,) OBSERVATION. rows: (n,) the games. Histories are copied only where somebody looks.
    """

    def __init__(self, observations: Array, histories: Array, rows: Rows, again: "Again | None" = None) -> None:
        self.observations = observations
        self.rows = rows.copy()  # the lockstep sorts its own anew for the next step; a bot may keep its view
        self.again = again
        self._histories = histories

    def keys(self) -> list[int]:
        """Return 8 * game + seat for each question: those of one seat of one game belong together."""
        return (8 * self.rows + self.observations["seat"]).tolist()  # type: ignore[no-any-return]

    def history(self, row: int, events: int) -> bytes:
        """Return the first `events` events of the game of question `row`, packed."""
        return self._histories[self.rows[row], :events].tobytes()

    def histories(self) -> Array:
        """Return the past of all games asked about, (n, E) EVENT, as far as any of them has come."""
        return self.events(0, int(self.observations["events"].max()), np.arange(len(self.rows)))

    def events(self, first: int, end: int, which: Rows) -> Array:
        """Return events number `first` to before `end` of the games of some questions, (n, end - first) EVENT."""
        count = max(0, end - first)
        words = self._histories.T[first : first + count].view(np.int32)
        words = words.reshape(count, len(self._histories), EVENT.itemsize // 4)
        return np.ascontiguousarray(words[:, self.rows[which]].swapaxes(0, 1)).view(EVENT)[:, :, 0]

    def kept(self) -> "Questions":
        """Return the same with observations in memory of their own."""
        return Questions(self.observations.copy(), self._histories, self.rows, self.again)

    def only(self, which: Rows) -> "Questions":
        """Return some of the questions."""
        return Questions(self.observations.take(which), self._histories, self.rows[which])


Again = Callable[[Rows, NDArray[np.int16], int], Iterator[tuple[bool, Rows, "Questions"]]]
"""Asks again what the seats, (n,), of games, (n,), were asked since they began, up to so many questions together.

Yields whether about losses, of which of the n games, and the questions: see `again.asked_again`.
"""


def numbers_in(turns: Array) -> NDArray[np.int16]:
    """Return the same memory as `turns`, (n,) TURN, as its five numbers, (n, 5)."""
    return turns.view(np.int16).reshape(len(turns), len(layout.TURN))


class Player(Protocol):
    """Answers questions."""

    def act(self, asked: Questions, turns: Array) -> list[Failure]:
        """Write answers into `turns`, blank before; return the questions at which the bot failed."""

    def choose_loss(self, asked: Questions, seats: NDArray[np.int16]) -> list[Failure]:
        """Write into `seats`, blank before, who bears each loss; return the questions at which the bot failed."""


def player_of(make: BotMaker, rules: Rules) -> Player:
    """Return the player for bots made by `make`, at tables of `rules`."""
    bot = _made(make)
    if isinstance(bot, BatchBot):
        bot.rules, bot.table = rules, table_of(rules)
        return BatchPlayer(bot)
    return EachPlayer(make, Lexicon(rules))  # its own: a bot that breaks it breaks nobody else


def _made(make: BotMaker) -> Bot | BatchBot:
    try:
        return make()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BotError(f"a bot could be built before but no longer: {brief(error)}") from None


class BatchPlayer:
    """Asks a `BatchBot` about all games in one call; when it raises, about each alone, to find which it fails at."""

    def __init__(self, bot: BatchBot, fail: Fail = raised) -> None:
        self.bot = bot
        self.fail = fail

    def act(self, asked: Past, turns: Array) -> list[Failure]:
        return self._all_or_each(self.bot.act_batch, asked, turns, NO_TURN)

    def choose_loss(self, asked: Past, seats: NDArray[np.int16]) -> list[Failure]:
        return self._all_or_each(self.bot.choose_loss_batch, asked, seats, NONE)

    def _all_or_each(self, answer: Answer, asked: Past, out: Any, blank: Any) -> list[Failure]:
        observations = asked.observations
        histories = asked.histories() if self.bot.reads_history else _NO_HISTORY
        try:
            answer(observations, histories, out)
        except BaseException as error:
            self.fail(0, error)
            out[:] = blank
        else:
            return []
        failures = []
        for row in range(len(out)):
            one = slice(row, row + 1)
            try:
                answer(observations[one], histories[one], out[one])
            except BaseException as error:
                out[one] = blank
                failures.append(self.fail(row, error))
        return failures


_NO_HISTORY = np.zeros((0, 0), EVENT)


class EachPlayer:
    """Asks a `Bot` object for each seat of each game, one decision at a time."""

    def __init__(self, make: BotMaker, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.bots = Bots(make)  # type: ignore[arg-type]  # `player_of` has seen that it makes these

    def act(self, asked: Questions, turns: Array) -> list[Failure]:
        owns = asked.observations["own"].tolist()
        revealed, rows, answers, failures = ask_turns(
            self.bots, asked.keys(), owns, self.views(asked), repeat(None), self.lexicon, raised
        )
        turns["card"] = array("h", revealed)
        if rows:
            numbers_in(turns)[rows] = np.array(array("h", chain.from_iterable(answers))).reshape(len(rows), -1)
        return failures

    def choose_loss(self, asked: Questions, seats: NDArray[np.int16]) -> list[Failure]:
        masks = asked.observations["loss_seats"].tolist()
        seats[:], failures = ask_losses(self.bots, asked.keys(), masks, self.views(asked), repeat(None), raised)
        return failures

    def views(self, asked: Questions) -> Iterator[View]:
        """Return a view for each question."""
        data = asked.observations.view(f"V{asked.observations.itemsize}").tolist()
        pieces = np.ascontiguousarray(asked.observations["own"]).view(np.uint16).reshape(-1, 4)
        hands = self.lexicon.hands(pieces.T[: self.lexicon.pieces].tolist())
        return map(View, repeat(self.lexicon), data, hands, repeat(asked.history), count())


class OutPlayer:
    """Stands in for a bot that is out of the run, and forfeits."""

    def act(self, asked: Questions, turns: Array) -> list[Failure]:
        return [Failure(row, FaultKind.OUT, "not asked any more") for row in range(len(turns))]

    def choose_loss(self, asked: Questions, seats: NDArray[np.int16]) -> list[Failure]:
        return [Failure(row, FaultKind.OUT, "not asked any more") for row in range(len(seats))]
