"""Bots that raise what is no Exception, to end a harness that catches only those."""

import asyncio
import atexit
import sys

from harness import Bot, Turn, View


class SysExit(Bot):
    def act(self, view: View) -> Turn:
        sys.exit("no more")


class Interrupt(Bot):
    def act(self, view: View) -> Turn:
        raise KeyboardInterrupt


class GenExit(Bot):
    def act(self, view: View) -> Turn:
        raise GeneratorExit


class Cancelled(Bot):
    def act(self, view: View) -> Turn:
        raise asyncio.CancelledError


class Own(Bot):
    def act(self, view: View) -> Turn:
        raise OwnError


class OwnError(BaseException):
    def __str__(self) -> str:
        raise SystemExit


class ManyAtOnce(Bot):
    def act(self, view: View) -> Turn:
        raise BaseExceptionGroup("all", [SystemExit(1), ValueError(2), KeyboardInterrupt()])


class AtExit(Bot):
    """Plays well, and will not go when it is over."""

    def act(self, view: View) -> Turn:
        atexit.register(forever)
        return Turn(view.hand[0])


def forever() -> None:
    while True:
        pass


class InLoss(Bot):
    def act(self, view: View) -> Turn:
        place = next(iter(view.ways_to_lead()), None)
        return Turn(view.hand[0], place)

    def choose_loss(self, view: View, seats: tuple[int, ...]) -> int:
        raise SystemExit
