"""Players: a bot of either level behind one question, asked for many games at once."""

import gc
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, count, repeat
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from harness.errors import BotError
from harness.game import layout
from harness.game.cards import Card
from harness.game.layout import NONE, PLACES
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


Answer = Callable[[Any, Any, Any], None]
"""A method of a `BatchBot`: observations and histories in, answers out."""


class Questions:
    """What one bot is asked in one step: the observations of all games in which it is to move, and their past.

    observations: (n,) OBSERVATION. Histories are copied only where somebody looks.
    """

    def __init__(self, observations: Array, histories: Array, rows: Rows) -> None:
        self.observations = observations
        self._histories = histories
        self._rows = rows.copy()  # the lockstep sorts its own anew for the next step; a bot may keep its view

    def keys(self) -> list[int]:
        """Return 8 * game + seat for each question: those of one seat of one game belong together."""
        return (8 * self._rows + self.observations["seat"]).tolist()  # type: ignore[no-any-return]

    def history(self, row: int, events: int) -> bytes:
        """Return the first `events` events of the game of question `row`, packed."""
        return self._histories[self._rows[row], :events].tobytes()

    def histories(self) -> Array:
        """Return the past of all games asked about, (n, E) EVENT, as far as any of them has come."""
        events = int(self.observations["events"].max())
        words = self._histories.T[:events].view(np.int32).reshape(events, len(self._histories), EVENT.itemsize // 4)
        return np.ascontiguousarray(words[:, self._rows].swapaxes(0, 1)).view(EVENT)[:, :, 0]


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

    def __init__(self, bot: BatchBot) -> None:
        self.bot = bot

    def act(self, asked: Questions, turns: Array) -> list[Failure]:
        return self._all_or_each(self.bot.act_batch, asked, turns, NO_TURN)

    def choose_loss(self, asked: Questions, seats: NDArray[np.int16]) -> list[Failure]:
        return self._all_or_each(self.bot.choose_loss_batch, asked, seats, NONE)

    def _all_or_each(self, answer: Answer, asked: Questions, out: Any, blank: Any) -> list[Failure]:
        observations = asked.observations
        histories = asked.histories() if self.bot.reads_history else _NO_HISTORY
        try:
            answer(observations, histories, out)
        except BaseException as error:
            raised(0, error)
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
                failures.append(raised(row, error))
        return failures


_NO_HISTORY = np.zeros((0, 0), EVENT)

SILENT = 0

NO_TURN: Numbers = (NONE, NONE, 0, 0, 0)
"""An answer that is illegal everywhere, so that the engine plays the default turn."""


def raised(row: int, error: BaseException) -> Failure:
    """Return the failure of a bot that raised; Ctrl-C is the user's, and goes on."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    return Failure(row, kind_of(error), brief(error))


def kind_of(error: BaseException) -> FaultKind:
    """Return what kind of fault it is to raise this."""
    if isinstance(error, MemoryError):
        return FaultKind.MEMORY
    return FaultKind.EXCEPTION if isinstance(error, Exception) else FaultKind.EXIT


class BadAnswerError(Exception):
    """An answer that is no turn; the text says what it is."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep Python from looking for garbage in cycles meanwhile: in the middle of thousands of decisions it finds none.

    It looks after each step instead, which is a fifth of a plain bot's time saved.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class EachPlayer:
    """Asks a `Bot` object for each seat of each game, one decision at a time."""

    def __init__(self, make: BotMaker, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.bots = _Bots(make)

    def act(self, asked: Questions, turns: Array) -> list[Failure]:
        with collector_paused():
            return self._act(asked, turns)

    def _act(self, asked: Questions, turns: Array) -> list[Failure]:
        failures: list[Failure] = []
        revealed: list[int] = []
        rows: list[int] = []
        answers: list[Numbers] = []
        bots, number_of_object = self.bots, self.lexicon.number_of_object
        owns = asked.observations["own"].tolist()
        for key, own, view in zip(asked.keys(), owns, self.views(asked), strict=True):
            card = NONE
            try:
                turn = bots[key].act(view)
                if type(turn) is Turn and turn.place is None and turn.signal is SILENT:  # most are: so it goes first
                    card = number_of_object.get(id(turn.reveal), NONE)
                if card == NONE or not own >> card & 1:
                    card = NONE
                    answers.append(numbers_of(turn, view, self.lexicon))
                    rows.append(len(revealed))
            except BadAnswerError as error:
                failures.append(Failure(len(revealed), FaultKind.BAD_TYPE, str(error)))
            except BaseException as error:
                failures.append(raised(len(revealed), error))
            revealed.append(card)
        turns["card"] = array("h", revealed)
        if rows:
            numbers_in(turns)[rows] = np.array(array("h", chain.from_iterable(answers))).reshape(len(rows), -1)
        return failures

    def views(self, asked: Questions) -> Iterator[View]:
        """Return a view for each question."""
        data = asked.observations.view(f"V{asked.observations.itemsize}").tolist()
        own, half = asked.observations["own"], self.lexicon.half
        hands = self.lexicon.hands((own & (1 << half) - 1).tolist(), (own >> half).tolist())
        return map(View, repeat(self.lexicon), data, hands, repeat(asked.history), count())

    def choose_loss(self, asked: Questions, seats: NDArray[np.int16]) -> list[Failure]:
        failures = []
        masks = asked.observations["loss_seats"].tolist()
        for row, (key, view, mask) in enumerate(zip(asked.keys(), self.views(asked), masks, strict=True)):
            able = tuple(seat for seat in range(6) if mask >> seat & 1)
            try:
                seats[row] = _checked_seat(self.bots[key].choose_loss(view, able), able)
            except BadAnswerError as error:
                failures.append(Failure(row, FaultKind.BAD_LOSS, str(error)))
            except BaseException as error:
                failures.append(raised(row, error))
        return failures


class _Bots(dict[int, Bot]):
    """Bot objects by key, made when they are first asked."""

    def __init__(self, make: BotMaker) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: int) -> Bot:
        bot = self._make()
        assert isinstance(bot, Bot)
        self[key] = bot
        return bot


def numbers_of(turn: object, view: View, lexicon: Lexicon) -> Numbers:
    """Return an answer as the engine's numbers; raise BadAnswerError for what is no turn.

    Types are compared exactly: a subclass could answer differently the second time it is asked, and a bool is no
    number of experts. A card not in hand or an unknown city becomes a number that the engine refuses.
    """
    if type(turn) is not Turn:
        raise BadAnswerError(plain(f"answered {_shown(turn)}, not a Turn"))
    reveal, place, signal = turn.reveal, turn.place, turn.signal
    if type(reveal) is not Card:
        raise BadAnswerError(plain(f"reveals {_shown(reveal)}, not a Card"))
    try:
        card = lexicon.only_number.get(reveal)
        if card is None:
            card = view.number_in_hand(reveal)
        if place is None:
            return card, NONE, 0, 0, SILENT if signal is SILENT else _whole(signal)
        if type(place) is not Placement:
            raise BadAnswerError(plain(f"its placement is {_shown(place)}, not a Placement"))
        city = lexicon.city_numbers.get(place.city, PLACES)
    except TypeError:  # an unhashable card or city
        raise BadAnswerError("names its card or city by something that is no text") from None
    return card, city, _whole(place.experts), _whole(place.occasionals), _whole(signal)


def _whole(number: object) -> int:
    if type(number) is not int:
        raise BadAnswerError(plain(f"has {_shown(number)} where a whole number should be"))
    if not -30000 < number < 30000:
        raise BadAnswerError("has a number far out of range")
    return number


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
