"""Every way a bot can fail, its sentence, and what it costs.

A fault costs the move, the game or the rest of the run. The move: the default turn is played in its place, and the
third in one game forfeits the game. The game: default turns to its end, and a place behind all others. The run: the
game is forfeited and so are all the bot's later ones, which are stored but not rated.
"""

import os
from collections import deque
from enum import Enum
from typing import NamedTuple

STRIKES = 3
"""Faults in one game that forfeit it, whatever they cost alone."""

MESSAGE_LENGTH = 300

HARNESS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
"""Where this harness lies: lines of it are no help to a bot's author."""

LIBRARY = os.path.dirname(os.path.realpath(os.__file__))
"""Where Python's own modules lie: nor are lines of those."""


class Price(Enum):
    """What a fault costs."""

    MOVE = "the default turn is played"
    GAME = "the game is forfeited"
    RUN = "the bot is out of the run"


class FaultKind(Enum):
    """A kind of fault; the value is how records and reports name it."""

    ILLEGAL = "illegal turn"
    BAD_TYPE = "bad type"
    EXCEPTION = "exception"
    BAD_LOSS = "illegal loss"
    EXIT = "exit"
    TIMEOUT = "timeout"
    CRASH = "crash"
    MEMORY = "memory"
    FORBIDDEN = "forbidden"
    PROTOCOL = "protocol"
    LOAD = "load failure"
    OUT = "disqualified"

    @property
    def sentence(self) -> str:
        """What happened, for a reader of the report."""
        return _SENTENCES[self]

    @property
    def price(self) -> Price:
        """What it costs."""
        return _PRICES.get(self, Price.MOVE)


_SENTENCES = {
    FaultKind.ILLEGAL: "The bot answered with a turn that the rules do not allow.",
    FaultKind.BAD_TYPE: "The bot answered with something that is no turn.",
    FaultKind.EXCEPTION: "The bot raised an exception.",
    FaultKind.BAD_LOSS: "The bot named a seat that cannot bear the loss.",
    FaultKind.EXIT: "The bot asked Python to exit.",
    FaultKind.TIMEOUT: "The bot used up its time.",
    FaultKind.CRASH: "The bot's process ended.",
    FaultKind.MEMORY: "The bot wanted more memory than it may have.",
    FaultKind.FORBIDDEN: "The bot tried something that its jail forbids.",
    FaultKind.PROTOCOL: "The bot meddled with the messages between its process and the harness.",
    FaultKind.LOAD: "The bot could not be loaded.",
    FaultKind.OUT: "The bot had been disqualified before.",
}

_PRICES = {
    FaultKind.EXIT: Price.GAME,
    FaultKind.TIMEOUT: Price.GAME,
    FaultKind.CRASH: Price.GAME,
    FaultKind.MEMORY: Price.GAME,
    FaultKind.FORBIDDEN: Price.GAME,
    FaultKind.PROTOCOL: Price.RUN,
    FaultKind.LOAD: Price.RUN,
    FaultKind.OUT: Price.RUN,
}


class Fault(NamedTuple):
    """One fault: which seat of which game, when (hand from 1; turn from 1, 0 for the reckoning), and what."""

    game: int
    hand: int
    turn: int
    seat: int
    kind: FaultKind
    message: str


GIVEN_UP = "asked no more in this chunk: "
"""How the message begins of a fault in a game about which the bot was not asked any more; the cause follows."""


class Failure(NamedTuple):
    """What a player reports when its bot fails at one question: its row among those asked, and what happened."""

    row: int
    kind: FaultKind
    message: str


OWN_FRAMES = 5
"""Calls of the bot's own code that an exception is shown with."""


def brief(error: BaseException) -> str:
    """Return an exception in one line of at most MESSAGE_LENGTH printable characters, with where it came through."""
    lines: deque[str] = deque(maxlen=OWN_FRAMES)
    at = error.__traceback__
    while at:
        code = at.tb_frame.f_code
        if _is_own(code.co_filename):
            lines.append(f"line {at.tb_lineno} of {code.co_name}")
        at = at.tb_next
    place = f" ({', '.join(lines)})"[: MESSAGE_LENGTH // 2] if lines else ""
    try:
        text = str(error)
    except BaseException as worse:  # the bot's own class may fail at that too
        if isinstance(worse, KeyboardInterrupt):
            raise
        text = "an exception without a readable text"
    return plain(f"{type(error).__name__}: {text}"[: MESSAGE_LENGTH - len(place)] + place)


def _is_own(file: str) -> bool:
    """Return whether code of this file is the bot's own, not that of the harness or of Python."""
    if file.startswith((HARNESS, "<frozen")):
        return False
    return "site-packages" in file or not file.startswith(LIBRARY)


def plain(text: str) -> str:
    """Return `text` cut to MESSAGE_LENGTH with everything unprintable, escapes included, as question marks."""
    return printable(text[:MESSAGE_LENGTH])


def printable(text: str) -> str:
    """Return `text` on one line with everything unprintable, escapes included, as question marks."""
    return "".join(c if c.isprintable() else "?" for c in text)
