"""Bots that raise exceptions made to hurt whoever reads them. They fail once a hand, in its second turn."""

import sys

from harness import Bot, Turn, View


class Fails(Bot):
    """Plays its first card, but fails in the second turn of the first hand."""

    def act(self, view: View) -> Turn:
        if (view.hand_number, view.turn_number) == (1, 2):
            self.fail(view)
        return Turn(view.hand[0])

    def fail(self, view: View) -> None:
        raise NotImplementedError


class Always(Bot):
    """Fails at every turn: the third costs the game."""

    def act(self, view: View) -> Turn:
        raise ValueError("always")


class LongMessage(Fails):
    def fail(self, view: View) -> None:
        raise ValueError("long " * 20_000)


class LongName(Fails):
    def fail(self, view: View) -> None:
        raise type("E" * 1_000_000, (Exception,), {})


class StrRaises(Fails):
    def fail(self, view: View) -> None:
        raise Unprintable


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class StrExits(Fails):
    def fail(self, view: View) -> None:
        raise Leaving


class Leaving(Exception):
    def __str__(self) -> str:
        raise SystemExit


class StrIsNumber(Fails):
    def fail(self, view: View) -> None:
        raise Numeric


class Numeric(Exception):
    def __str__(self) -> str:
        return 17  # type: ignore[return-value]


class StrHangs(Fails):
    def fail(self, view: View) -> None:
        raise Staller


class Staller(Exception):
    def __str__(self) -> str:
        while True:
            pass


class Terminal(Fails):
    """Would clear the screen and rename the window of whoever prints it."""

    def fail(self, view: View) -> None:
        raise ValueError("\x1b[2J\x1b]0;owned\x07\r\n\b\x9b31m\u202egnp.exe")


class Html(Fails):
    def fail(self, view: View) -> None:
        raise ValueError("<script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}|`%s`")


class Surrogate(Fails):
    """Cannot be written as UTF-8."""

    def fail(self, view: View) -> None:
        raise ValueError("\ud800\udfff\x00 end")


class Recursion(Fails):
    def fail(self, view: View) -> None:
        self.fail(view)


class Chain(Fails):
    """An exception with ten thousand causes."""

    def fail(self, view: View) -> None:
        error: Exception = ValueError("first")
        for number in range(10_000):
            later = ValueError(number)
            later.__cause__ = error
            error = later
        raise error


class Circle(Fails):
    """An exception that is its own cause's cause."""

    def fail(self, view: View) -> None:
        first, second = ValueError("first"), ValueError("second")
        first.__cause__, second.__cause__ = second, first
        raise first


class Group(Fails):
    def fail(self, view: View) -> None:
        raise ExceptionGroup("many", [ValueError(number) for number in range(10_000)])


class Stop(Fails):
    """Would end a loop that is driven by a generator."""

    def fail(self, view: View) -> None:
        raise StopIteration


class Assertion(Fails):
    def fail(self, view: View) -> None:
        raise AssertionError


class NotImplementedYet(Bot):
    """Forgot to write `act`."""


class Traces(Fails):
    """Leaves a trace function behind that fails at every line anybody runs."""

    def fail(self, view: View) -> None:
        sys.settrace(trip)
        raise ValueError("traced")


def trip(*args: object) -> object:
    raise RuntimeError("tripped")


class Pickle(Fails):
    """Carries a bomb for whoever unpickles it."""

    def fail(self, view: View) -> None:
        raise Bomb


class Bomb(Exception):
    def __reduce__(self) -> tuple[object, ...]:
        return (eval, ("__import__('os')._exit(66)",))
