"""The words and numbers of the report: city names as people write them, figures rounded to what they can bear."""

import math
from collections.abc import Sequence
from typing import TypeAlias

DASH = "–"
MINUS = "−"

COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Name(str):
    """A bot's name inside a sentence; pages set it off from the words around it, and escape it."""

    __slots__ = ()


Sentence: TypeAlias = tuple[str, ...]
"""Plain words and names, in order; no markup."""


def title(city: str) -> str:
    """Return a city's name as people write it: ``new_york`` is New York, ``st_louis`` is St. Louis."""
    return " ".join("St." if word == "st" else word.capitalize() for word in city.split("_"))


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return the words as an enumeration: a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def joined(parts: Sequence[Sentence], last: str = "and") -> Sentence:
    """Return sentences' parts as an enumeration, names kept."""
    words: list[str] = []
    for place, part in enumerate(parts):
        if place:
            words.append(f" {last} " if place == len(parts) - 1 else ", ")
        words.extend(part)
    return tuple(words)


def counted(number: int, word: str, plural: str = "") -> str:
    """Return ``one block``, ``12 blocks``, ``1,204 blocks``."""
    amount = COUNT_WORDS[number] if 0 <= number < len(COUNT_WORDS) else f"{number:,}"
    return f"{amount} {word if number == 1 else plural or word + 's'}"


def plural(number: int, word: str) -> str:
    """Return ``1 block``, ``1,204 blocks``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def whole(value: float) -> str:
    """Return a count or a rating as a whole number: ``1,312``, ``−40``, a dash where there is none."""
    return number(value, 0)


def number(value: float, digits: int = 2) -> str:
    """Return a number with this many decimals and a real minus sign; a dash where there is none."""
    if not math.isfinite(value):
        return DASH
    text = f"{abs(value):,.{digits}f}"
    return f"{MINUS}{text}" if value < 0 and text.strip("0.,") else text


def signed(value: float, digits: int = 0) -> str:
    """Return a number that always shows its sign, 0 but for that."""
    text = number(value, digits)
    return f"+{text}" if value > 0 and text.strip("0.,") and text != DASH else text


def percent(value: float, digits: int = 1) -> str:
    """Return a share, 0 to 1, in per cent."""
    text = number(100 * value, digits)
    return text if text == DASH else f"{text}%"


def span(lo: float, hi: float, digits: int = 0) -> str:
    """Return an interval; a dash where it has no bounds."""
    if not (math.isfinite(lo) and math.isfinite(hi)):
        return DASH
    joint = " to " if lo < 0 else DASH
    return f"{number(lo, digits)}{joint}{number(hi, digits)}"


def percent_span(lo: float, hi: float, digits: int = 1) -> str:
    """Return the interval of a share, in per cent."""
    text = span(100 * lo, 100 * hi, digits)
    return text if text == DASH else f"{text}%"


def chance(value: float) -> str:
    """Return a probability in per cent, never rounded to certainty."""
    if not math.isfinite(value):
        return DASH
    if value > 0.9995:
        return "> 99.9%"
    return "< 0.1%" if value < 0.0005 else percent(value)


def p_value(value: float) -> str:
    """Return a p-value with the digits it can bear."""
    if not math.isfinite(value):
        return DASH
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}" if value < 0.01 else f"{value:.2f}"
