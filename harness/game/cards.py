"""The cards of The Boss, its card sets and their arithmetic, and the text forms of all of them.

The game and its cards: Alain Ollier, *The Boss* (2010), with the St. Louis expansion. A card is written
``city:face``, as in ``boston:prison`` or ``new_york:3``; a set of official cities by their numbers, ``4p:1234567``.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

from harness.errors import CardsError, NotationError, nearest

CHICAGO = "chicago"

MAX_PLAYERS = 6
MAX_CITIES = 12
MAX_CARDS = 64
MIN_HAND, MAX_HAND = 3, 10
MAX_MONEY = 1_000_000
MAX_PIECES = 60
MAX_POLICE = 64


class Kind(IntEnum):
    """What a city card does to the side that wins its city."""

    MONEY = 0
    HOSPITAL = 1
    PRISON = 2
    REVOLVER = 3
    BANISHED = 4
    SHOOTOUT = 5
    THEFT = 6


FIXED_MONEY = {Kind.SHOOTOUT: 4, Kind.THEFT: -2}
FACE_KINDS = {kind.name.lower(): kind for kind in Kind if kind is not Kind.MONEY}

OFFICIAL_CITIES: dict[str, tuple[str, ...]] = {
    "new_york": ("0", "1", "2", "3"),
    "boston": ("3", "3", "hospital", "prison"),
    "detroit": ("1", "2", "3", "4", "revolver"),
    "kansas_city": ("2", "3", "revolver"),
    "cincinnati": ("1", "2", "3", "banished"),
    "memphis": ("1", "2", "3", "hospital"),
    "philadelphia": ("3", "prison", "revolver"),
    "st_louis": ("1", "2", "4", "shootout", "theft"),
}
"""The eight cities and their cards, in the order of their numbers 1 to 8."""

CITY_NUMBERS = {city: str(number) for number, city in enumerate(OFFICIAL_CITIES, start=1)}

USUAL_HAND = {2: 5, 3: 5, 4: 5, 5: 4, 6: 4}

OFFICIAL_SETS: dict[int, tuple[str, ...]] = {
    2: ("123", "235", "135", "236", "136", "1247", "1457", "2457", "1467", "2467", "4567"),
    3: ("12345", "23456", "13456", "12346", "12357", "23567", "13567", "12367"),
    4: ("1234567",),
    5: ("1234567", "1245678", "123568"),
    6: ("12345678",),
}
"""The published sets for each number of players, the default one first."""

POLICE_CARDS: dict[str, tuple[int, int]] = {"silver": (1, 0), "gold": (0, 1), "both": (1, 1)}
"""Badges each police card shows: (silver, gold)."""

USUAL_POLICE = ("silver", "silver", "gold", "gold", "both")
BADGES_TO_END = 3


class Card(NamedTuple):
    """A city card: the city it belongs to and what its face shows.

    ``str(card)`` and `parse_card` are inverse: ``boston:prison``, ``new_york:3``.
    """

    city: str
    face: str

    @property
    def kind(self) -> Kind:
        """What the card does."""
        return FACE_KINDS.get(self.face, Kind.MONEY)

    @property
    def money(self) -> int:
        """Millions of dollars its winner gets; 0 for a card that pays nothing."""
        kind = FACE_KINDS.get(self.face)
        return int(self.face) if kind is None else FIXED_MONEY.get(kind, 0)

    def __str__(self) -> str:
        return f"{self.city}:{self.face}"


def check_face(face: str, where: str) -> None:
    """Refuse a face that is neither a named one nor a whole amount of money written plainly."""
    if face in FACE_KINDS:
        return
    if not re.fullmatch(r"0|-?[1-9][0-9]{0,6}", face) or abs(int(face)) > MAX_MONEY:
        raise CardsError(
            f"{where}: {face!r} is no card face; a face is a whole amount of money (up to {MAX_MONEY:,}) "
            f"or one of {' '.join(FACE_KINDS)}{nearest(face, FACE_KINDS)}"
        )


def parse_card(text: str) -> Card:
    """Read ``city:face``; raise NotationError for anything else."""
    city, colon, face = text.partition(":")
    if not colon or not re.fullmatch(r"[a-z][a-z0-9_]*", city):
        raise NotationError(f"{text!r} is no card; a card is written city:face, as in boston:prison or new_york:3")
    try:
        check_face(face, text)
    except CardsError as error:
        raise NotationError(str(error)) from None
    return Card(city, face)


def parse_set(text: str) -> tuple[int, str]:
    """Read ``4p:1234567`` into (players, digits); raise NotationError for anything else."""
    match = re.fullmatch(r"([2-6])p:([1-8]+)", text)
    if not match or len(set(match[2])) != len(match[2]):
        raise NotationError(
            f"{text!r} is no card set; a set is players and city numbers, each once, as in 4p:1234567 "
            "(2 to 6 players, cities 1 to 8)"
        )
    return int(match[1]), "".join(sorted(match[2]))


def cities_of(digits: str) -> tuple[str, ...]:
    """Return the names of the official cities with these numbers, in row order."""
    names = tuple(OFFICIAL_CITIES)
    return tuple(names[int(digit) - 1] for digit in sorted(digits))


class Arithmetic(NamedTuple):
    """The sum a playable set satisfies: ``cards == players * hand + cities``."""

    cards: int
    players: int
    hand: int
    cities: int

    @property
    def exact(self) -> bool:
        """Whether every card is either dealt or hidden."""
        return self.cards == self.players * self.hand + self.cities

    def __str__(self) -> str:
        needed = self.players * self.hand + self.cities
        sign = "=" if self.exact else "!="
        return f"{self.cards} cards {sign} {self.players} players x {self.hand} + {self.cities} cities = {needed}"


def arithmetic(digits: str, players: int) -> Arithmetic:
    """Return the sum for these official cities, numbered, at the usual hand size."""
    cards = sum(len(OFFICIAL_CITIES[city]) for city in cities_of(digits))
    return Arithmetic(cards, players, USUAL_HAND[players], len(digits))


def exact_sets(players: int) -> list[str]:
    """Return all sets of official cities that deal out exactly at the usual hand size, as digits."""
    subsets = ("".join(digits) for size in range(1, 9) for digits in itertools.combinations("12345678", size))
    return [digits for digits in subsets if arithmetic(digits, players).exact]


def check_cards(cities: Sequence[str], faces: Sequence[Sequence[str]], players: int, hand_size: int) -> None:
    """Refuse a list of cities and their cards that cannot be dealt; the message shows the sum."""
    if not 1 <= len(cities) <= MAX_CITIES:
        raise CardsError(f"cards: {len(cities)} cities; there can be 1 to {MAX_CITIES} beside Chicago")
    for city, own in zip(cities, faces, strict=True):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", city) or city == CHICAGO:
            raise CardsError(
                f"cards: {city!r} cannot name a city; use lower-case letters, digits and _, and not "
                "'chicago', which always stands in and has no cards"
            )
        if not own:
            raise CardsError(f"cards: {city} has no cards; one card of each city lies hidden under it")
        for face in own:
            check_face(face, f"cards: {city}")
    if len(set(cities)) != len(cities):
        raise CardsError("cards: the same city twice")
    official = [city for city in cities if city in CITY_NUMBERS]
    if official != sorted(official, key=CITY_NUMBERS.__getitem__):
        right = " ".join(sorted(official, key=CITY_NUMBERS.__getitem__))
        raise CardsError(f"cards: cities stand in the row by their numbers; the official ones in this order: {right}")
    total = Arithmetic(sum(map(len, faces)), players, hand_size, len(cities))
    if total.cards > MAX_CARDS:
        raise CardsError(f"cards: {total.cards} cards; there can be up to {MAX_CARDS}")
    if not total.exact:
        raise CardsError(
            f"cards: this set does not deal out: {total}; it is playable when cards = players x hand + cities"
        )


def check_police(deck: Iterable[str]) -> None:
    """Refuse a police deck that could never end a game."""
    cards = list(deck)
    for card in cards:
        if card not in POLICE_CARDS:
            raise CardsError(
                f"police_deck: {card!r} is no police card; they are {' '.join(POLICE_CARDS)}"
                f"{nearest(card, POLICE_CARDS)}"
            )
    if len(cards) > MAX_POLICE:
        raise CardsError(f"police_deck: {len(cards)} cards; there can be up to {MAX_POLICE}")
    badges = [sum(POLICE_CARDS[card][colour] for card in cards) for colour in (0, 1)]
    if max(badges, default=0) < BADGES_TO_END:
        raise CardsError(
            f"police_deck: shows {badges[0]} silver and {badges[1]} gold badges; a game ends at "
            f"{BADGES_TO_END} of one colour, so one colour needs at least that many"
        )
