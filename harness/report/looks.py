"""The colours of figures on light and on dark pages, and how a figure drawn for one is made fit for the other.

Colours are those of Okabe and Ito (2008), told apart by readers of any colour vision.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """The colours of a figure on a light or a dark page; `series` tells several lines apart."""

    paper: str
    ink: str
    muted: str
    grid: str
    main: str
    low: str
    middle: str
    high: str
    series: tuple[str, ...]

    def colours(self) -> tuple[str, ...]:
        """Return all of them, in the order of their names."""
        return (*(colour for colour in vars(self).values() if isinstance(colour, str)), *self.series)


LIGHT = Look(
    paper="#ffffff",
    ink="#1d1f21",
    muted="#5b5f63",
    grid="#dedfda",
    main="#0072b2",
    low="#e69f00",
    middle="#f4f3ef",
    high="#56b4e9",
    # a shade off where two of them part on a dark page, and off black, which files may leave out
    series=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#010101", "#e69f01", "#56b4e8"),
)
DARK = Look(
    paper="#17191c",
    ink="#e6e6e2",
    muted="#a3a8ad",
    grid="#3b3f44",
    main="#56b4e9",
    low="#e69f00",
    middle="#24272b",
    high="#56b4e9",
    series=("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#ffffff"),
)

_DARK_OF = {light.encode(): dark.encode() for light, dark in zip(LIGHT.colours(), DARK.colours(), strict=True)}
_COLOUR = re.compile(rb"(?<=: )#[0-9a-f]{6}")


def darkened(svg: bytes) -> bytes | None:
    """Return a figure drawn in LIGHT as it is drawn in DARK; None where it has other colours than those of the look,
    or pixels, so that it has to be drawn again.
    """
    if b"<image" in svg or not set(_COLOUR.findall(svg)) <= _DARK_OF.keys():
        return None
    return _COLOUR.sub(lambda found: _DARK_OF[found[0]], svg)
