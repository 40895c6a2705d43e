"""Asking `Bot` objects, one decision at a time, and reading their answers.

Needs neither numpy nor numba: the harness asks trusted bots by it, and a bot's own process does too.
"""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from harness.game.cards import Card
from harness.game.layout import NONE, PLACES
from harness.game.lexicon import Lexicon, Numbers
from harness.game.turn import Placement, Turn
from harness.game.view import View
from harness.play.bot import Bot
from harness.play.faults import Failure, FaultKind, brief, plain

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


class Bots(dict[int, Bot]):
    """Bot objects by key, one for each seat of each game, made when they are first asked."""

    def __init__(self, make: Callable[[], Bot]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: int) -> Bot:
        bot = self[key] = self._make()
        return bot


Fail = Callable[[int, BaseException], Failure]
"""Makes a failure of an exception at one row; raises it on where it is the user's, not the bot's."""


def ask_turns(
    bots: Bots,
    keys: Iterable[int],
    owns: Iterable[int],
    views: Iterable[View],
    ticks: Iterable[None],
    lexicon: Lexicon,
    fail: Fail,
) -> tuple[list[int], list[int], list[Numbers], list[Failure]]:
    """Ask for a turn at each view; `ticks` does, before each, what is to be done there.

    Returns the card of each turn that only reveals one, -1 for another; the rows of those others and their numbers;
    and the failures. Rows of failures are in neither.
    """
    failures: list[Failure] = []
    revealed: list[int] = []
    rows: list[int] = []
    answers: list[Numbers] = []
    number_of_object = lexicon.number_of_object
    with collector_paused():
        for key, own, view, _ in zip(keys, owns, views, ticks):  # noqa: B905 (ticks may be endless)
            card = NONE
            try:
                turn = bots[key].act(view)
                if type(turn) is Turn and turn.place is None and turn.signal is SILENT:  # most are: so it goes first
                    card = number_of_object.get(id(turn.reveal), NONE)
                if card == NONE or not own >> card & 1:
                    card = NONE
                    answers.append(numbers_of(turn, view, lexicon))
                    rows.append(len(revealed))
            except BadAnswerError as error:
                failures.append(Failure(len(revealed), FaultKind.BAD_TYPE, str(error)))
            except BaseException as error:
                failures.append(fail(len(revealed), error))
            revealed.append(card)
    return revealed, rows, answers, failures


def ask_losses(
    bots: Bots,
    keys: Iterable[int],
    masks: Iterable[int],
    views: Iterable[View],
    ticks: Iterable[None],
    fail: Fail,
) -> tuple[list[int], list[Failure]]:
    """Ask who of a mask of seats bears a loss at each view; return the seats, -1 where the bot failed, and failures."""
    failures: list[Failure] = []
    seats: list[int] = []
    for key, mask, view, _ in zip(keys, masks, views, ticks):  # noqa: B905 (ticks may be endless)
        able = tuple(seat for seat in range(6) if mask >> seat & 1)
        answer = NONE
        try:
            answer = _checked_seat(bots[key].choose_loss(view, able), able)
        except BadAnswerError as error:
            failures.append(Failure(len(seats), FaultKind.BAD_LOSS, str(error)))
        except BaseException as error:
            failures.append(fail(len(seats), error))
        seats.append(answer)
    return seats, failures


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
