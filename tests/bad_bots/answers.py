"""A bot that answers with what is no turn, or no legal one, once a game: in the second turn of the first hand."""

from collections import namedtuple
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from harness import Bot, Card, Placement, Turn, View


class Sly(int):
    """A number that looks like another each time."""

    def __index__(self) -> int:
        return 10**9

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(1)

    def __lt__(self, other: object) -> bool:
        return True

    __gt__ = __le__ = __ge__ = __lt__


class Raising:
    """Fails whatever is asked of it."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __eq__(self, other: object) -> bool:
        raise SystemExit

    def __hash__(self) -> int:
        raise SystemExit

    def __repr__(self) -> str:
        raise SystemExit


class Posing:
    """Says that it is a Turn."""

    reveal = place = signal = None

    @property
    def __class__(self) -> Any:
        return Turn


class Kin(Turn, frozen=True):
    """A Turn's child."""


class HashHangs(str):
    def __hash__(self) -> int:
        while True:
            pass


class Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return (eval, ("__import__('os')._exit(66)",))


class CardKin(Card):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = Card.__hash__


FakeTurn = namedtuple("FakeTurn", "reveal place signal", defaults=(None, 0))
FakeTurn.__name__ = FakeTurn.__qualname__ = "Turn"


def endless() -> Any:
    while True:
        yield 0


def nested(depth: int) -> list[Any]:
    nest: list[Any] = []
    for _ in range(depth):
        nest = [nest]
    return nest


def placing(view: View, *numbers: Any) -> Turn:
    return Turn(view.hand[0], Placement(view.rules.cities[0], *numbers))


WAYS: dict[str, Callable[[View], Any]] = {
    # no turns at all
    "none": lambda view: None,
    "true": lambda view: True,
    "number": lambda view: 0,
    "nan": lambda view: float("nan"),
    "text": lambda view: "reveal boston:3",
    "megabyte": lambda view: "x" * 1_000_000,
    "card": lambda view: view.hand[0],
    "list": lambda view: [view.hand[0], None, 0],
    "dict": lambda view: {"reveal": view.hand[0]},
    "generator": lambda view: endless(),
    "class": lambda view: Turn,
    "module": lambda view: __import__("os"),
    "view": lambda view: view,
    "nested": lambda view: nested(100_000),
    "raising": lambda view: Raising(),
    "posing": lambda view: Posing(),
    "named_tuple": lambda view: FakeTurn(view.hand[0]),
    "kin": lambda view: Kin(view.hand[0]),
    "pickle": lambda view: Bomb(),
    "exception": lambda view: ValueError("returned, not raised"),
    # turns of the wrong things
    "reveal_none": lambda view: Turn(None),
    "reveal_text": lambda view: Turn(str(view.hand[0])),
    "reveal_tuple": lambda view: Turn(tuple(view.hand[0])),
    "reveal_kin": lambda view: Turn(CardKin(*view.hand[0])),
    "reveal_unhashable": lambda view: Turn(Card([], {})),
    "reveal_raising": lambda view: Turn(Raising()),
    "reveal_nan": lambda view: Turn(Card(float("nan"), float("nan"))),
    "place_tuple": lambda view: Turn(view.hand[0], ("boston", 1, 0)),
    "place_true": lambda view: Turn(view.hand[0], True),
    "place_unhashable": lambda view: Turn(view.hand[0], Placement([], 1)),
    "experts_float": lambda view: placing(view, 1.0),
    "experts_true": lambda view: placing(view, True),
    "experts_nan": lambda view: placing(view, float("nan")),
    "experts_decimal": lambda view: placing(view, Decimal(1)),
    "experts_sly": lambda view: placing(view, Sly(1)),
    "experts_none": lambda view: placing(view, None),
    "experts_vast": lambda view: placing(view, 10**5000),
    "experts_minus_vast": lambda view: placing(view, -(10**5000)),
    "experts_2_16": lambda view: placing(view, 2**16 + 1),
    "experts_2_64": lambda view: placing(view, 2**64 + 1),
    "occasionals_sly": lambda view: placing(view, 1, Sly(0)),
    "signal_none": lambda view: Turn(view.hand[0], signal=None),
    "signal_vast": lambda view: Turn(view.hand[0], signal=2**64),
    "signal_minus": lambda view: Turn(view.hand[0], signal=-1),
    # turns that break a rule
    "not_held": lambda view: Turn(next(card for card in view.rules.cards if card not in view.hand)),
    "no_such_card": lambda view: Turn(Card("boston", "royal")),
    "no_such_city": lambda view: Turn(view.hand[0], Placement("gotham", 1)),
    "too_many": lambda view: placing(view, 99),
    "nobody": lambda view: placing(view, 0, 0),
    "minus_one": lambda view: placing(view, -1, 2),
    "occasional_first": lambda view: placing(view, 0, 1),
    "chicago_first": lambda view: Turn(view.hand[0], Placement("chicago", 1)),
    "signal": lambda view: Turn(view.hand[0], signal=3),
    # hangs in what a check might call
    "hash_hangs": lambda view: Turn(view.hand[0], Placement(HashHangs("boston"), 1)),
    "card_hash_hangs": lambda view: Turn(Card(HashHangs("boston"), "3")),
}


class Answers(Bot):
    """Answers as `way` says."""

    def __init__(self, way: str) -> None:
        self.way = WAYS[way]

    def act(self, view: View) -> Turn:
        if (view.hand_number, view.turn_number) == (1, 2):
            return self.way(view)
        return Turn(view.hand[0])


class Many(Bot):
    """Answers in each game in another of `ways`, one after the other."""

    made = -1  # the harness makes one when it loads the class

    def __init__(self, ways: list[str]) -> None:
        self.way = WAYS[ways[Many.made % len(ways)]]
        Many.made += 1

    act = Answers.act


LOSSES: dict[str, Callable[[View, tuple[int, ...]], Any]] = {
    "none": lambda view, seats: None,
    "true": lambda view, seats: True,
    "sly": lambda view, seats: Sly(seats[0]),
    "vast": lambda view, seats: 10**5000,
    "other": lambda view, seats: (seats[0] + 1) % 6,
    "nan": lambda view, seats: float("nan"),
    "raising": lambda view, seats: Raising(),
}


class Losses(Bot):
    """Leads where it can, and answers who bears a loss as `way` says."""

    def __init__(self, way: str) -> None:
        self.way = LOSSES[way]

    def act(self, view: View) -> Turn:
        return Turn(view.hand[0], next(iter(view.ways_to_lead()), None))

    def choose_loss(self, view: View, seats: tuple[int, ...]) -> int:
        return self.way(view, seats)


class Always(Bot):
    """Never gives a turn."""

    def act(self, view: View) -> Turn:
        return None  # type: ignore[return-value]
