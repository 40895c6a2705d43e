"""`Rules`: the numbers of a table and every ruling, frozen, checked and hashed.

All rulings and their usual values stand here once; configs, records and kernels take them from this class.
"""

import dataclasses
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from harness.errors import CardsError, nearest
from harness.game import cards as c
from harness.game.cards import Card

LastTurnOrder = Literal["seat", "side"]
ChicagoAfter = Literal["seat", "side"]
ShootoutPer = Literal["side", "seat"]
Talk = Literal["open", "none"]

TEAMS_OF_SIX = ((0, 3), (1, 4), (2, 5))


@dataclass(frozen=True)
class Rulings:
    """What the published rules leave open or a designer may want otherwise."""

    last_turn_order: LastTurnOrder = "seat"
    """Whose supply orders the last turn in a team game: each seat's own, or its side's."""
    chicago_after: ChicagoAfter = "seat"
    """Who must have placed elsewhere in an earlier turn of the hand before placing on Chicago."""
    shootout_per: ShootoutPer = "side"
    """Who loses an expert to a shoot-out: every other side there, or every other seat there."""
    negative_money: bool = True
    """Whether a running total may stay below zero after a hand."""
    chicago_theft: int = 0
    """What a theft shown last counts in Chicago's sum."""
    chicago_shootout: int = 4
    """What a shoot-out shown last counts in Chicago's sum."""
    tiebreak_counts_absent: bool = False
    """Whether absent experts count as gangsters left."""
    max_extra_hands: int = 3
    """How many extra hands are played before a level win is shared."""
    talk: Talk = "open"
    """Whether turns of a team game may carry a signal."""

    def __post_init__(self) -> None:
        for field, kind in get_type_hints(Rulings).items():
            _check_ruling(field, kind, getattr(self, field))
        if not 0 <= self.max_extra_hands <= 9:
            raise CardsError(f"rules: max_extra_hands is {self.max_extra_hands}; it can be 0 to 9")
        for field in ("chicago_theft", "chicago_shootout"):
            if abs(getattr(self, field)) > c.MAX_MONEY:
                raise CardsError(f"rules: {field} can be up to {c.MAX_MONEY:,}")


def _check_ruling(field: str, kind: Any, value: Any) -> None:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            options = " or ".join(get_args(kind))
            raise CardsError(f"rules: {field} is {value!r}; it can be {options}")
    elif type(value) is not kind:
        wanted = {bool: "true or false", int: "a whole number"}[kind]
        raise CardsError(f"rules: {field} is {value!r}; it must be {wanted}")


LEAST_PIECES = {"experts": 1, "occasionals": 0}
"""Without an expert nobody could ever place."""

RULING_FIELDS = tuple(field.name for field in dataclasses.fields(Rulings))


@dataclass(frozen=True)
class Rules:
    """One kind of table: how many play, with which cards and pieces, by which rulings.

    Build it with `usual_rules`; every instance that exists is playable. Equal rules have equal `digest`.
    """

    players: int
    hand_size: int
    experts: int
    occasionals: int
    cities: tuple[str, ...]
    card_faces: tuple[tuple[str, ...], ...]
    police_deck: tuple[str, ...] = c.USUAL_POLICE
    rulings: Rulings = Rulings()

    def __post_init__(self) -> None:
        if not 2 <= self.players <= c.MAX_PLAYERS:
            raise CardsError(f"players: {self.players}; two to six can play")
        if not c.MIN_HAND <= self.hand_size <= c.MAX_HAND:
            raise CardsError(f"hand_size: {self.hand_size}; hands can be {c.MIN_HAND} to {c.MAX_HAND} cards")
        for field, least in LEAST_PIECES.items():
            if not least <= getattr(self, field) <= c.MAX_PIECES:
                raise CardsError(f"{field}: {getattr(self, field)}; it can be {least} to {c.MAX_PIECES}")
        if self.experts + self.occasionals > c.MAX_PIECES:
            raise CardsError(f"experts and occasionals: together up to {c.MAX_PIECES}")
        c.check_cards(self.cities, self.card_faces, self.players, self.hand_size)
        c.check_police(self.police_deck)
        if list(self.police_deck) != sorted(self.police_deck):
            object.__setattr__(self, "police_deck", tuple(sorted(self.police_deck)))

    @property
    def teams(self) -> tuple[tuple[int, ...], ...] | None:
        """The seats of each side in the team game of six; None where every seat is a side of its own."""
        return TEAMS_OF_SIX if self.players == 6 else None

    @property
    def sides(self) -> int:
        """How many sides contend."""
        return 3 if self.teams else self.players

    def side_of(self, seat: int) -> int:
        """The side of a seat."""
        return seat % self.sides

    @property
    def cards(self) -> tuple[Card, ...]:
        """All city cards, city by city in row order; a card's index here is its number in the engine."""
        return tuple(
            Card(city, face) for city, faces in zip(self.cities, self.card_faces, strict=True) for face in faces
        )

    @property
    def chicago_values(self) -> tuple[int, ...]:
        """What each of `cards` counts in Chicago's sum while it lies open."""
        ruled = {c.Kind.THEFT: self.rulings.chicago_theft, c.Kind.SHOOTOUT: self.rulings.chicago_shootout}
        return tuple(ruled.get(card.kind, card.money) for card in self.cards)

    @property
    def max_hands(self) -> int:
        """The most regular hands a game can last."""
        count = Counter(self.police_deck)
        room = c.BADGES_TO_END - 1
        most = max(
            both + min(count["silver"], room - both) + min(count["gold"], room - both)
            for both in range(min(count["both"], room) + 1)
        )
        return most + 1

    @property
    def is_usual(self) -> bool:
        """Whether cards, pieces and rulings are all as published, so that the set's digits say everything."""
        digits = self.digits
        if not digits or not c.arithmetic(digits, self.players).exact:
            return False
        return self == usual_rules(self.players, digits)

    @property
    def digits(self) -> str:
        """The numbers of the cities, or nothing when they are not all official ones."""
        numbers = [c.CITY_NUMBERS.get(city, "") for city in self.cities]
        return "".join(numbers) if all(numbers) and numbers == sorted(numbers) else ""

    @property
    def digest(self) -> str:
        """A hash of everything the rules say (16 hex digits)."""
        import hashlib  # both slow to import, and of no use in a bot's own process
        import json

        text = json.dumps(self.as_record(), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    @property
    def name(self) -> str:
        """The table kind's name: ``4p:1234567``, with a short hash where anything is not as usual."""
        base = f"{self.players}p:{self.digits or 'own'}"
        return base if self.is_usual else f"{base}~{self.digest[:6]}"

    def as_record(self) -> dict[str, Any]:
        """Return the rules as the game record holds them (plain JSON values)."""
        return {
            "players": self.players,
            "hand_size": self.hand_size,
            "experts": self.experts,
            "occasionals": self.occasionals,
            "cities": list(self.cities),
            "card_faces": {city: list(faces) for city, faces in zip(self.cities, self.card_faces, strict=True)},
            "police_deck": list(self.police_deck),
            "teams": [list(seats) for seats in self.teams] if self.teams else None,
            **dataclasses.asdict(self.rulings),
        }


def _official(players: int, digits: str) -> Rules:
    cities = c.cities_of(digits)
    return Rules(
        players=players,
        hand_size=c.USUAL_HAND[players],
        experts=5 if players == 6 else 6,
        occasionals=2 if players == 6 else 3,
        cities=cities,
        card_faces=tuple(c.OFFICIAL_CITIES[city] for city in cities),
    )


def usual_rules(players: int, digits: str | None = None) -> Rules:
    """Return the published rules for these players and cities (numbers as digits; None: the default set)."""
    if players not in c.OFFICIAL_SETS:
        raise CardsError(f"players: {players}; two to six can play")
    return _official(players, digits or c.OFFICIAL_SETS[players][0])


def rules_of_set(name: str) -> Rules:
    """Return the published rules of a set written ``4p:1234567``."""
    return usual_rules(*c.parse_set(name))


def changed(rules: Rules, changes: dict[str, Any]) -> Rules:
    """Return `rules` with other rulings, piece counts or police deck; unknown names are refused."""
    numbers = {"experts", "occasionals", "police_deck"}
    for key in changes:
        if key not in RULING_FIELDS and key not in numbers:
            known = [*RULING_FIELDS, *sorted(numbers)]
            raise CardsError(f"rules: no ruling is called {key!r}{nearest(key, known)}; known: {' '.join(known)}")
    rulings = dataclasses.replace(rules.rulings, **{k: v for k, v in changes.items() if k in RULING_FIELDS})
    own: dict[str, Any] = {k: v for k, v in changes.items() if k in numbers}
    for key in ("experts", "occasionals"):
        if key in own and type(own[key]) is not int:
            raise CardsError(f"rules: {key} is {own[key]!r}; it must be a whole number")
    if "police_deck" in own:
        if not isinstance(own["police_deck"], (list, tuple)):
            raise CardsError("rules: police_deck must be a list of police cards")
        own["police_deck"] = tuple(map(str, own["police_deck"]))
    return dataclasses.replace(rules, rulings=rulings, **own)


def own_rules(players: int, cards: dict[str, list[str]], hand_size: int | None = None) -> Rules:
    """Return the rules for a designer's own cards: city names in row order with their faces as text."""
    base = usual_rules(players)
    return dataclasses.replace(
        base,
        hand_size=base.hand_size if hand_size is None else hand_size,
        cities=tuple(cards),
        card_faces=tuple(tuple(faces) for faces in cards.values()),
    )


def rules_from_record(record: dict[str, Any]) -> Rules:
    """Rebuild rules from `Rules.as_record`; raise CardsError when they are not playable."""
    rulings = Rulings(**{field: record[field] for field in RULING_FIELDS})
    return Rules(
        players=record["players"],
        hand_size=record["hand_size"],
        experts=record["experts"],
        occasionals=record["occasionals"],
        cities=tuple(record["cities"]),
        card_faces=tuple(tuple(record["card_faces"][city]) for city in record["cities"]),
        police_deck=tuple(record["police_deck"]),
        rulings=rulings,
    )
