"""A record's parts outside its hands: what stands before them, and what is the bots' and not the game's."""

from typing import Any

from harness.errors import CardsError, RecordError
from harness.game.layout import POLICE_NAMES
from harness.game.record import FORMAT, BotName, FaultNote, GameInfo, Record
from harness.game.rules import RULING_FIELDS, Rules, rules_from_record
from harness.game.shapes import Spot, need_int, need_list, need_object, need_same, need_text, shown

_NOWHERE = Spot()
RECORD_KEYS = (
    "format", "game", "deal", "table", "rules", "bots", "police", "hands", "final", "faults", "forfeits",
    "rated_ranks", "rated",
)  # fmt: skip
RULES_NUMBERS = ("players", "hand_size", "experts", "occasionals")
RULES_KEYS = (*RULES_NUMBERS, "cities", "card_faces", "police_deck", "teams", *RULING_FIELDS)


def check_head(record: Any) -> tuple[Rules, tuple[int, ...]]:
    """Check what stands before the hands; return the rules and the police deck by number."""
    if type(record) is dict and "format" in record:
        need_same(_NOWHERE, "format", record["format"], FORMAT)
    need_object(_NOWHERE, "the record", record, RECORD_KEYS)
    rules = _rules(record["rules"])
    police = need_list(_NOWHERE, "police", record["police"], len(rules.police_deck))
    for card in police:
        if need_text(_NOWHERE, "a police card", card) not in POLICE_NAMES:
            _NOWHERE.refuse(f"police has {shown(card)}; police cards are {' '.join(POLICE_NAMES)}")
    need_same(_NOWHERE, "police, sorted,", sorted(police), list(rules.police_deck))
    need_list(_NOWHERE, "hands", record["hands"])
    return rules, tuple(map(POLICE_NAMES.index, police))


def _rules(record: Any) -> Rules:
    need_object(_NOWHERE, "rules", record, RULES_KEYS)
    for key in RULES_NUMBERS:
        need_int(_NOWHERE, f"rules: {key}", record[key], 0)
    for city in need_list(_NOWHERE, "rules: cities", record["cities"]):
        need_text(_NOWHERE, "rules: a city", city)
    faces = need_object(_NOWHERE, "rules: card_faces", record["card_faces"], record["cities"])
    lists = [(f"rules: card_faces of {city}", own) for city, own in faces.items()]
    for name, texts in [*lists, ("rules: police_deck", record["police_deck"])]:
        for text in need_list(_NOWHERE, name, texts):
            need_text(_NOWHERE, f"{name}: a card", text)
    try:
        rules = rules_from_record(record)
    except CardsError as error:
        raise RecordError(str(error)) from None
    except (TypeError, ValueError):  # an object where a word should stand, a number too long to write
        _NOWHERE.refuse("rules: one of the values is none that a ruling can have")
    need_same(_NOWHERE, "rules", record, rules.as_record())
    return rules


def check_info(record: Record, rules: Rules, hands: int) -> GameInfo:
    """Check what is not the game's: numbers, names, faults, forfeits."""
    for key in ("game", "deal"):
        need_int(_NOWHERE, key, record[key], 0)
    need_text(_NOWHERE, "table", record["table"])
    if type(record["rated"]) is not bool:
        _NOWHERE.refuse(f"rated is {shown(record['rated'])}; it must be true or false")
    bots = need_list(_NOWHERE, "bots", record["bots"], rules.players)
    for seat, bot in enumerate(bots):
        spot = Spot(seat=seat)
        need_object(spot, "its bot", bot, BotName._fields)
        for key in BotName._fields:
            need_text(spot, f"its bot's {key}", bot[key])
    faults = need_list(_NOWHERE, "faults", record["faults"])
    for fault in faults:
        _fault(fault, rules, hands)
    forfeits = need_list(_NOWHERE, "forfeits", record["forfeits"])
    for number, seat in enumerate(forfeits):
        need_int(_NOWHERE, "a forfeit's seat", seat, 0, rules.players - 1)
        if seat in forfeits[:number]:
            Spot(seat=seat).refuse("forfeits twice; a seat is named once")
    return GameInfo(
        record["game"], record["deal"], record["table"], tuple(BotName(**bot) for bot in bots),
        tuple(FaultNote(**fault) for fault in faults), tuple(forfeits), record["rated"],
    )  # fmt: skip


def _fault(fault: Any, rules: Rules, hands: int) -> None:
    need_object(_NOWHERE, "a fault", fault, FaultNote._fields)
    hand = need_int(_NOWHERE, "a fault's hand", fault["hand"], 1, hands)
    turn = need_int(Spot(hand), "a fault's turn", fault["turn"], 0, rules.hand_size)
    seat = need_int(Spot(hand, turn), "a fault's seat", fault["seat"], 0, rules.players - 1)
    for key in ("kind", "message"):
        need_text(Spot(hand, turn, seat), f"the fault's {key}", fault[key])
