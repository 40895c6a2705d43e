"""Players: a bot of either level behind one question, asked for many games at once."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from harness.game import layout
from harness.game.lexicon import Lexicon, Numbers
from harness.game.rules import Rules
from harness.game.state import EVENT, Array, table_of
from harness.game.turn import Placement, Turn
from harness.game.view import View
from harness.play.bot import BatchBot, Bot
from harness.play.faults import Failure, FaultKind, brief, plain

Rows = NDArray[np.int64]
BotMaker = Callable[[], Bot | BatchBot]
"""Makes a fresh bot: its class with its parameters."""


class Past:
    """The histories of the games asked about, copied only where somebody looks."""

    def __init__(self, histories: Array, rows: Rows) -> None:
        self._histories = histories
        self._rows = rows

    def read(self, row: int, events: int) -> bytes:
        """Return the first `events` events of the game of question `row`, packed."""
        return self._histories[self._rows[row], :events].tobytes()  # type: ignore[no-any-return]

    def gather(self, events: int) -> Array:
        """Return the first `events` events of all games asked about, (n, events) EVENT."""
        raw = self._histories.view(np.uint8)[self._rows, : events * EVENT.itemsize]
        return np.ascontiguousarray(raw).view(EVENT)


def numbers_in(turns: Array) -> NDArray[np.int16]:
    """Return the same memory as `turns`, (n,) TURN, as its five numbers, (n, 5)."""
    return turns.view(np.int16).reshape(len(turns), len(layout.TURN))


class Player(Protocol):
    """Answers questions; ``keys[i]`` is 8 * game + seat, and says which questions belong together."""

    def act(self, keys: Rows, observations: Array, past: Past, turns: Array) -> list[Failure]:
        """Write answers into `turns`; return the questions at which the bot failed."""

    def choose_loss(
        self, keys: Rows, observations: Array, past: Past, seats: NDArray[np.int16]
    ) -> list[Failure]:
        """Write into `seats` who bears each loss; return the questions at which the bot failed."""


def player_of(make: BotMaker, rules: Rules) -> Player:
    """Return the player for bots made by `make`, at tables of `rules`."""
    bot = make()
    if isinstance(bot, BatchBot):
        bot.rules, bot.table = rules, table_of(rules)
        return BatchPlayer(bot)
    return EachPlayer(make, Lexicon(rules))


class BatchPlayer:
    """Asks a `BatchBot` about all games in one call; when it raises, about each alone, to find which it fails at."""

    def __init__(self, bot: BatchBot) -> None:
        self.bot = bot

    def act(self, keys: Rows, observations: Array, past: Past, turns: Array) -> list[Failure]:
        return _all_or_each(self.bot.act_batch, observations, self._histories(observations, past), turns)

    def choose_loss(
        self, keys: Rows, observations: Array, past: Past, seats: NDArray[np.int16]
    ) -> list[Failure]:
        return _all_or_each(self.bot.choose_loss_batch, observations, self._histories(observations, past), seats)

    def _histories(self, observations: Array, past: Past) -> Array:
        return past.gather(int(observations["events"].max()) if self.bot.reads_history else 0)


def _all_or_each(answer: Callable[[Any, Any, Any], None], observations: Any, histories: Any, out: Any) -> list[Failure]:
    blank = out.copy()
    try:
        answer(observations, histories, out)
    except BOT_ERRORS:
        out[:] = blank
    else:
        return []
    failures = []
    for row in range(len(out)):
        one = slice(row, row + 1)
        try:
            answer(observations[one], histories[one], out[one])
        except BOT_ERRORS as error:
            out[one] = blank[one]
            failures.append(Failure(row, FaultKind.EXCEPTION, brief(error)))
    return failures


NO_TURN: Numbers = (layout.NONE, layout.NONE, 0, 0, 0)
"""An answer that is illegal everywhere, so that the engine plays the default turn."""

BOT_ERRORS = (Exception, SystemExit)
"""What counts as the bot's own failure; Ctrl-C is the user's."""


class BadAnswerError(Exception):
    """An answer that is no turn; the text says what it is."""


class EachPlayer:
    """Asks a `Bot` object for each seat of each game, one decision at a time."""

    def __init__(self, make: BotMaker, lexicon: Lexicon) -> None:
        self.make = make
        self.lexicon = lexicon
        self.bots: dict[int, Bot] = {}

    def act(self, keys: Rows, observations: Array, past: Past, turns: Array) -> list[Failure]:
        failures: list[Failure] = []
        answers: list[Numbers] = []
        for row, (key, view) in enumerate(self._views(keys, observations, past)):
            try:
                answers.append(_checked(self._bot(key).act(view), view))
            except BadAnswerError as error:
                answers.append(NO_TURN)
                failures.append(Failure(row, FaultKind.BAD_TYPE, str(error)))
            except BOT_ERRORS as error:
                answers.append(NO_TURN)
                failures.append(Failure(row, FaultKind.EXCEPTION, brief(error)))
        numbers_in(turns)[:] = answers
        return failures

    def choose_loss(
        self, keys: Rows, observations: Array, past: Past, seats: NDArray[np.int16]
    ) -> list[Failure]:
        failures = []
        masks = observations["loss_seats"].tolist()
        for row, (key, view) in enumerate(self._views(keys, observations, past)):
            able = tuple(seat for seat in range(6) if masks[row] >> seat & 1)
            try:
                seats[row] = _checked_seat(self._bot(key).choose_loss(view, able), able)
            except BadAnswerError as error:
                failures.append(Failure(row, FaultKind.BAD_LOSS, str(error)))
            except BOT_ERRORS as error:
                failures.append(Failure(row, FaultKind.EXCEPTION, brief(error)))
        return failures

    def _bot(self, key: int) -> Bot:
        bot = self.bots.get(key)
        if bot is None:
            bot = self.bots[key] = self.make()  # type: ignore[assignment]
        return bot  # type: ignore[return-value]

    def _views(self, keys: Rows, observations: Array, past: Past) -> Iterator[tuple[int, View]]:
        data = observations.tobytes()
        size = observations.itemsize

        for row, key in enumerate(keys.tolist()):
            yield key, View(self.lexicon, data[row * size : (row + 1) * size], past.read, row)


def _checked(turn: object, view: View) -> Numbers:
    """Return an answer as the engine's numbers; raise BadAnswerError for what is no turn.

    Types are compared exactly: a subclass could answer differently the second time it is asked, and a bool is no
    number of experts.
    """
    if type(turn) is not Turn:
        raise BadAnswerError(plain(f"answered {_shown(turn)}, not a Turn"))
    place = turn.place
    if place is not None and type(place) is not Placement:
        raise BadAnswerError(plain(f"its placement is {_shown(place)}, not a Placement"))
    if not isinstance(turn.reveal, tuple) or len(turn.reveal) != 2:
        raise BadAnswerError(plain(f"reveals {_shown(turn.reveal)}, not a Card"))
    try:
        numbers = view.numbers_of(turn)
    except TypeError:  # an unhashable card or city
        raise BadAnswerError("names its card or city by something that is no text") from None
    for number in numbers:
        if type(number) is not int:
            raise BadAnswerError(plain(f"has {_shown(number)} where a whole number should be"))
        if not -30000 < number < 30000:
            raise BadAnswerError("has a number far out of range")
    return numbers


def _checked_seat(answer: object, able: tuple[int, ...]) -> int:
    if type(answer) is not int or answer not in able:
        raise BadAnswerError(plain(f"answered {_shown(answer)}, not one of {able}"))
    return answer


def _shown(value: object) -> str:
    """Return what an answer is, without calling code of the bot's own types."""
    if value is None or type(value) is bool:
        return str(value)
    if type(value) is str:
        return repr(value[:60])
    if type(value) is int and abs(value) < 10**9:
        return str(value)
    return f"something of type {type(value).__name__}"
