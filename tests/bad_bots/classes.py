"""Bots whose class is the trick."""

from typing import Any

from harness import Bot, Turn, View


class NewIsNumber(Bot):
    """Making one gives a number."""

    def __new__(cls) -> Any:
        return 7

    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])


class Grudging(Bot):
    """The second object of a process cannot be made."""

    made = 0

    def __init__(self) -> None:
        Grudging.made += 1
        if Grudging.made > 2:
            raise RuntimeError("enough of me")

    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])


class NoAct(Bot):
    act = None  # type: ignore[assignment]


class WrongArguments(Bot):
    def act(self) -> Turn:  # type: ignore[override]
        raise NotImplementedError


class Generator(Bot):
    """Answers with a generator, by a slip of the pen."""

    def act(self, view: View) -> Any:
        yield Turn(view.hand[0])


class Coroutine(Bot):
    async def act(self, view: View) -> Any:  # type: ignore[override]
        return Turn(view.hand[0])


class Secretive(Bot):
    """Lets nobody look at what it has."""

    def __getattribute__(self, name: str) -> Any:
        raise SystemExit(name)


class Meta(type):
    def __instancecheck__(cls, thing: object) -> bool:
        raise SystemExit

    def __subclasscheck__(cls, other: type) -> bool:
        raise SystemExit


class Strange(Bot, metaclass=Meta):
    """Plays well, but its class bites whoever asks it about kinship."""

    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])


class NeedsMore(Bot):
    """Wants a parameter that nobody gives."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted

    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])


class InitRaises(Bot):
    def __init__(self) -> None:
        raise ValueError("not today")


class InitExits(Bot):
    def __init__(self) -> None:
        raise SystemExit(3)


class InitHangs(Bot):
    def __init__(self) -> None:
        while True:
            pass


class InitCrashes(Bot):
    def __init__(self) -> None:
        import os

        os._exit(5)


class InitEats(Bot):
    def __init__(self) -> None:
        self.meal = bytearray(32 << 30)


class InitForks(Bot):
    def __init__(self) -> None:
        import os

        if os.fork() == 0:
            os._exit(0)


class NotABot:
    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])


class NoSuchClass(Bot):
    """Stands there, and is taken away again."""


del NoSuchClass
