"""The fields of the engine's records, in one table each, readable without numpy.

`state` makes numpy dtypes of these tables and a `View` reads the same bytes with `struct`, so that a plain-Python
bot's process needs no numpy. An observation is the public part of a game, which stands first in both records, and
after it what belongs to the seat that looks.

Places, cities, cards: a city's number is its place in `Rules.cities`; Chicago is always number 12. A card's number is
its place in `Rules.cards`. A set of cards is a 64-bit mask. -1 stands for "none" throughout.
"""

import struct
from typing import NamedTuple

SEATS = 6
CITIES = 12
CHICAGO = 12
PLACES = 13
NONE = -1

TURN_PHASE, LOSS_PHASE, OVER_PHASE = 0, 1, 2
TURN_EVENT, RESULT_EVENT, LOSS_EVENT = 0, 1, 2


class Field(NamedTuple):
    """One field of a record: its name, numpy type code, shape, and what it means."""

    name: str
    code: str
    shape: tuple[int, ...]
    meaning: str


PUBLIC = (
    Field("revealed", "u8", (), "cards revealed in this hand, as a mask"),
    Field("money", "i4", (SEATS,), "per side: running total before this hand"),
    Field("banned", "u2", (SEATS,), "per side: cities it is banished from, as a mask"),
    Field("placed", "u2", (SEATS,), "per seat: cities it has placed on in this hand, as a mask"),
    Field("events", "u2", (), "how many events the game's history holds"),
    Field("row", "i1", (PLACES,), "cities left to right"),
    Field("last_shown", "i1", (PLACES,), "per city: the card revealed last"),
    Field("turned", "i1", (PLACES,), "per city: its hidden card, once turned up in the reckoning"),
    Field("backs", "i1", (SEATS, CITIES), "per seat and city: cards in hand with this back"),
    Field("on_experts", "i1", (SEATS, PLACES), "per seat and city: experts on the table"),
    Field("on_occasionals", "i1", (SEATS, PLACES), "per seat and city: occasionals on the table"),
    Field("leader", "i1", (PLACES,), "per city: the side with most gangsters there"),
    Field("most", "i1", (PLACES,), "per city: how many gangsters that side has there"),
    Field("experts", "i1", (SEATS,), "per seat: experts in supply"),
    Field("occasionals", "i1", (SEATS,), "per seat: occasionals in supply"),
    Field("away", "i1", (SEATS, 2), "per seat: experts that miss this hand; this hand and the next"),
    Field("pool", "i1", (SEATS,), "per seat, in the reckoning: experts that a loss can still take"),
    Field("order", "i1", (SEATS,), "seats in the order they play this turn"),
    Field("police", "i1", (5,), "police cards turned up so far, by their number in POLICE_NAMES"),
    Field("silver", "i1", (), "silver badges up"),
    Field("gold", "i1", (), "gold badges up"),
    Field("hand", "i1", (), "number of this hand, from 0"),
    Field("turn", "i1", (), "number of this turn in the hand, from 0"),
    Field("position", "i1", (), "how many seats have played in this turn"),
    Field("to_move", "i1", (), "the seat that is asked"),
    Field("start", "i1", (), "the seat with the start marker"),
    Field("phase", "i1", (), "0 a turn is asked, 1 who bears a loss, 2 the game is over"),
    Field("last_hand", "i1", (), "1 once three badges of a colour are up: this hand ends the regular game"),
    Field("extra", "i1", (), "number of extra hands begun"),
    Field("contenders", "i1", (), "sides that still contend for the win, as a mask"),
    Field("loss_city", "i1", (), "phase 1: the city whose card takes an expert"),
    Field("loss_kind", "i1", (), "phase 1: the kind of that card"),
    Field("loss_seats", "i1", (), "phase 1: seats that can bear it, as a mask"),
    Field("spare", "i1", (2,), "nothing: makes the public part whole 8-byte words"),
)

PRIVATE_VIEW = (
    Field("key", "u8", (), "the seat's own source of randomness in this deal; says nothing of the cards"),
    Field("own", "u8", (), "cards in the seat's hand, as a mask"),
    Field("decision", "u2", (), "how many decisions the seat has taken in this game"),
    Field("seat", "i1", (), "the seat that looks"),
)

PRIVATE_GAME = (
    Field("hands", "u8", (SEATS,), "per seat: cards in hand, as a mask"),
    Field("keys", "u8", (SEATS,), "per seat: source of its bot's randomness"),
    Field("deal_key", "u8", (2,), "source of the cards and the police order"),
    Field("final_money", "i4", (SEATS,), "per side: money after the regular hands"),
    Field("hand_money", "i4", (SEATS,), "per side: payments of this hand's reckoning"),
    Field("decisions", "u2", (SEATS,), "per seat: decisions taken"),
    Field("pieces", "u2", (80,), "the random bits the hand is dealt from"),
    Field("deck", "i1", (64,), "the cards dealt out this hand, in order"),
    Field("hidden", "i1", (CITIES,), "per city: its hidden card"),
    Field("police_order", "i1", (5,), "the police cards that can be turned up, in order"),
    Field("fresh_away", "i1", (SEATS, 2), "per seat: experts sent to hospital and prison in this reckoning"),
    Field("res_place", "i1", (), "reckoning: places of the row resolved"),
    Field("res_loss", "i1", (), "reckoning: next possible victim at this place; -1 before the city is paid"),
    Field("ranks", "i1", (SEATS,), "per side: final place, 1 best"),
    Field("decided_by", "i1", (), "what decided the win, by its number in DECIDED_BY"),
)

EVENT = (
    Field("kind", "i1", (), "0 a turn, 1 a city's result, 2 a loss"),
    Field("hand", "i1", (), "number of the hand, from 0"),
    Field("who", "i1", (), "turn: seat; result: winning side or -1; loss: seat that pays"),
    Field("city", "i1", (), "turn: where gangsters were placed or -1; result and loss: the city"),
    Field("experts", "i1", (), "turn: experts placed"),
    Field("occasionals", "i1", (), "turn: occasionals placed"),
    Field("card", "i1", (), "turn: card revealed; result: hidden card or -1 for Chicago; loss: kind of the card"),
    Field("signal", "u1", (), "turn: signal to the partner and all others"),
    Field("amount", "i4", (), "result: money paid"),
)

TURN = (
    Field("card", "i2", (), "number of the card to reveal"),
    Field("city", "i2", (), "where to place gangsters, -1 nowhere"),
    Field("experts", "i2", (), "experts to place"),
    Field("occasionals", "i2", (), "occasionals to place"),
    Field("signal", "i2", (), "0..255, in team games with open talk"),
)

OBSERVATION = PUBLIC + PRIVATE_VIEW
GAME = PUBLIC + PRIVATE_GAME

POLICE_NAMES = ("silver", "gold", "both")
DECIDED_BY = ("money", "last_hand", "gangsters", "extra_hand", "shared")

_STRUCT = {"u8": "Q", "i4": "i", "u2": "H", "i2": "h", "i1": "b", "u1": "B"}


def size_of(fields: tuple[Field, ...]) -> int:
    """Return the bytes these fields take when packed without gaps."""
    return sum(struct.calcsize(struct_code(field)) for field in fields)


def struct_code(field: Field) -> str:
    """Return the `struct` format of one field, little-endian."""
    count = 1
    for length in field.shape:
        count *= length
    return f"<{count}{_STRUCT[field.code]}"


def offsets(fields: tuple[Field, ...]) -> dict[str, int]:
    """Return where each field starts in the packed record, in bytes."""
    starts = {}
    at = 0
    for field in fields:
        starts[field.name] = at
        at += struct.calcsize(struct_code(field))
    return starts
