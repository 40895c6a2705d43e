"""Checks of a record's parts that name where it departs, what was found, and what would be right."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

from harness.errors import RecordError, nearest

_LONGEST = 120


class Spot(NamedTuple):
    """Where in a game a record is being read: hand from 1, turn from 1 (0: the reckoning), seat; None: no matter."""

    hand: int | None = None
    turn: int | None = None
    seat: int | None = None

    def __str__(self) -> str:
        named = zip(self._fields, self, strict=True)
        return ", ".join(f"{name} {value}" for name, value in named if value is not None)

    def at(self, seat: int | None) -> "Spot":
        """Return the same spot with this seat."""
        return self._replace(seat=seat)

    def refuse(self, sentence: str) -> NoReturn:
        """Raise the RecordError that says where and what."""
        place = str(self)
        raise RecordError(f"{place}: {sentence}" if place else sentence)


def shown(value: Any) -> str:
    """Return a found value as short text, whatever it is."""
    if type(value) is int and abs(value) >= 10**18:
        return f"a number of {int(math.log10(abs(value))) + 1} digits"
    if type(value) in (dict, list):
        kind = "an object" if type(value) is dict else "a list"
        return f"{kind} of {len(value)}" if len(value) > 3 or _is_deep(value) else _cut(repr(value))
    return _cut(repr(value))


def _is_deep(value: Any) -> bool:
    parts = value.values() if type(value) is dict else value
    return any(type(part) in (dict, list) and part for part in parts)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def need_int(spot: Spot, name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return a whole number within its bounds; refuse anything else, true and 1.0 included."""
    room = f"a whole number from {low}" if high is None else f"a whole number from {low} to {high}"
    if type(value) is not int or value < low or (high is not None and value > high):
        spot.refuse(f"{name} is {shown(value)}; it must be {room}")
    return value


def need_text(spot: Spot, name: str, value: Any) -> str:
    """Return a text; refuse anything else."""
    if type(value) is not str:
        spot.refuse(f"{name} is {shown(value)}; it must be a text")
    return value


def need_list(spot: Spot, name: str, value: Any, length: int | None = None) -> list[Any]:
    """Return a list, of this length if one is given; refuse anything else."""
    if type(value) is not list:
        spot.refuse(f"{name} is {shown(value)}; it must be a list")
    if length is not None and len(value) != length:
        spot.refuse(f"{name} has {len(value)} entries; it must have {length}")
    return value


def need_object(spot: Spot, name: str, value: Any, keys: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    """Return an object with all of `keys`, perhaps the optional ones, and no others; refuse anything else."""
    if type(value) is not dict:
        spot.refuse(f"{name} is {shown(value)}; it must be an object")
    keys, optional = list(keys), list(optional)
    for key in keys:
        if key not in value:
            spot.refuse(f"{name} has no {key!r}; it must have {' '.join(keys)}")
    known = [*keys, *optional]
    for key in value:
        if key not in known:
            near = nearest(key, known) if type(key) is str else ""
            spot.refuse(f"{name} has {shown(key)}, which is none of its keys{near}; it must have {' '.join(keys)}")
    return value


def need_same(spot: Spot, name: str, found: Any, right: Any) -> None:
    """Refuse `found` unless it is the same JSON as `right`: true is not 1, and 1.0 is not 1."""
    if type(found) is not type(right):
        spot.refuse(f"{name} is {shown(found)}; by the rules it is {shown(right)}")
    if type(right) is dict:
        need_object(spot, name, found, right)
        for key, value in right.items():
            need_same(spot, f"{name}: {key}", found[key], value)
    elif type(right) is list:
        need_list(spot, name, found, len(right))
        for number, value in enumerate(right):
            need_same(spot, f"{name}[{number}]", found[number], value)
    elif found != right:
        spot.refuse(f"{name} is {shown(found)}; by the rules it is {shown(right)}")
