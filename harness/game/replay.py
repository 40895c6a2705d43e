"""Replaying a game record: from its cards and choices alone, everything the rules decide is worked out again.

The first departure is refused with its hand, turn and seat (turn 0 is the reckoning), what was found and what would
be right. Whatever is handed in, the only exception is RecordError.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import RecordError
from harness.game.choices import Choices
from harness.game.layout import LOSS_EVENT, NONE, SEATS
from harness.game.legal import LEGAL, WHY_ILLEGAL
from harness.game.lexicon import Numbers, lexicon_of
from harness.game.moments import Moment, moments, view_of
from harness.game.record import GameInfo, HandOpening, Record, hand_head, hand_record, whole_record
from harness.game.record_head import check_head, check_info
from harness.game.rules import Rules
from harness.game.shapes import Spot, need_int, need_list, need_object, need_same, need_text, shown
from harness.game.stepper import LaidDeal, LaidHand, Stepper

HAND_KEYS = ("start", "row", "hidden", "dealt", "police", "turns", "results", "money")


@dataclass(frozen=True)
class Replayed:
    """A record found to follow the rules: its rules, its cards, its choices, and whose game it was."""

    rules: Rules
    deal: LaidDeal
    choices: Choices
    info: GameInfo

    def moments(self) -> Iterator[Moment]:
        """Yield the game decision by decision."""
        return moments(self.rules, self.deal, self.choices)


def replay(record: Record) -> Replayed:
    """Play a record again and compare every field; raise RecordError at the first departure."""
    rules, police = check_head(record)
    laid: list[LaidHand] = []  # grows hand by hand, so that the first departure is the one that is named
    stepper = Stepper(rules, LaidDeal(police, laid))
    hands: list[Record] = []
    while not stepper.over:
        hands.append(_replay_hand(stepper, laid, record["hands"]))
    if len(record["hands"]) > len(hands):
        Spot(len(hands) + 1).refuse(f"there is no such hand: the game was over after hand {len(hands)}")
    info = check_info(record, rules, len(hands))
    right = whole_record(stepper, hands, info)
    for key in ("final", "rated_ranks"):
        need_same(Spot(), key, record[key], right[key])
    return Replayed(rules, LaidDeal(police, tuple(laid)), stepper.choices(), info)


def replay_file(path: str | Path) -> int:
    """Replay every line of a ``.jsonl`` or ``.jsonl.gz`` file; return how many games, or raise naming the line."""
    games = 0
    for record in records_in(path):
        games += 1
        try:
            replay(record)
        except RecordError as error:
            raise RecordError(f"{path}, line {games}: {error}") from None
    return games


def records_in(path: str | Path) -> Iterator[Any]:
    """Yield what each line of a ``.jsonl`` or ``.jsonl.gz`` file holds, unchecked; RecordError names the line."""
    path = Path(path)
    if not path.name.endswith((".jsonl", ".jsonl.gz")):
        raise RecordError(f"{path}: game records are kept in .jsonl or .jsonl.gz files")
    read = 0
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as lines:
            for line in lines:
                read += 1
                yield _read(line)
    except RecordError as error:
        raise RecordError(f"{path}, line {read}: {error}") from None
    except (OSError, EOFError, zlib.error) as error:
        raise RecordError(f"{path}, after line {read}: cannot be read: {error}") from None


def _read(line: bytes) -> Any:
    try:
        return json.loads(line, object_pairs_hook=_no_key_twice)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"is no JSON object: {error}") from None


def _no_key_twice(pairs: list[tuple[str, Any]]) -> Record:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RecordError(f"key {next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return values


# -- one hand -------------------------------------------------------------------------------------------------------


def _replay_hand(stepper: Stepper, laid: list[LaidHand], hands: list[Any]) -> Record:
    """Play the next hand as recorded, and compare it with what the rules make of it; return the right one."""
    spot = Spot(stepper.hand + 1)
    if len(hands) <= stepper.hand:
        spot.refuse("the hand is missing: the game is not over")
    found = need_object(spot, "the hand", hands[stepper.hand], HAND_KEYS, ["extra"])
    laid.append(_laid_hand(spot, stepper.rules, found))
    opening = HandOpening.of(stepper)
    if "extra" in found and not opening.extra:
        spot.refuse("extra is written, but this is a regular hand; it must be left out")
    for key, right in hand_head(stepper, opening).items():
        if key not in found:
            spot.refuse(f"the hand has no {key!r}; first place is level, so this is an extra hand")
        need_same(spot, key, found[key], right)
    for turn in need_list(spot, "turns", found["turns"], stepper.rules.players * stepper.rules.hand_size):
        _replay_turn(stepper, turn)
    return _replay_reckoning(stepper, opening, found)


def _laid_hand(spot: Spot, rules: Rules, found: Record) -> LaidHand:
    """Give each card of the hand a number; of cards with the same face it does not matter which gets which."""
    left = {card: list(numbers) for card, numbers in lexicon_of(rules).card_numbers.items()}

    def take(spot: Spot, city: str, face: str, what: str) -> int:
        numbers = left.get((city, face))
        if not numbers:
            known = "no such card at this table" if numbers is None else "no card like it left"
            spot.refuse(f"{what} {shown(f'{city}:{face}')}, but there is {known}")
        return numbers.pop(0)

    need_object(spot, "hidden", found["hidden"], rules.cities)
    hidden = []
    for city in rules.cities:
        face = need_text(spot, f"hidden: {city}", found["hidden"][city])
        hidden.append(take(spot, city, face, "hidden is"))
    dealt = []
    for seat, cards in enumerate(need_list(spot, "dealt", found["dealt"], rules.players)):
        here = spot.at(seat)
        for card in need_list(here, "its cards", cards, rules.hand_size):
            city, _, face = need_text(here, "a card", card).partition(":")
            dealt.append(take(here, city, face, "is dealt"))
    return LaidHand(tuple(hidden), tuple(dealt))


# -- one turn -------------------------------------------------------------------------------------------------------


def _replay_turn(stepper: Stepper, turn: Any) -> None:
    spot = Spot(stepper.hand + 1, int(stepper.game["turn"]) + 1, stepper.seat)
    need_object(spot, "the turn", turn, ("seat", "place", "reveal"), ["signal"])
    seat = need_int(spot, "the turn's seat", turn["seat"], 0, stepper.rules.players - 1)
    if seat != spot.seat:
        spot.refuse(f"seat {seat} plays here; it is the turn of seat {spot.seat}")
    numbers = _card(spot, stepper, turn["reveal"]), *_placement(spot, stepper, turn["place"]), _signal(spot, turn)
    before = stepper.copy_of_game()
    code = stepper.take_turn(numbers)
    if code != LEGAL:
        spot.refuse(_why(code, numbers, before, stepper))


def _card(spot: Spot, stepper: Stepper, text: Any) -> int:
    mask = stepper.game["hands"][stepper.seat]
    city, _, face = need_text(spot, "the card revealed", text).partition(":")
    number = stepper.lexicon.number_in(int(mask), (city, face))
    if number == NONE:
        hand = " ".join(map(str, stepper.lexicon.hand(int(mask))))
        spot.refuse(f"reveals {shown(text)}, which is not in its hand; it holds {hand}")
    return number


def _placement(spot: Spot, stepper: Stepper, place: Any) -> tuple[int, int, int]:
    if place is None:
        return NONE, 0, 0
    need_object(spot, "place", place, ("city", "experts", "occasionals"))
    city = need_text(spot, "place: city", place["city"])
    numbers = stepper.lexicon.city_numbers
    if city not in numbers:
        spot.refuse(f"places on {shown(city)}; the cities here are {' '.join(numbers)}")
    supply = {kind: int(stepper.game[kind][stepper.seat]) for kind in ("experts", "occasionals")}
    for kind, most in supply.items():
        if need_int(spot, f"place: {kind}", place[kind], 0) > most:
            spot.refuse(f"places {shown(place[kind])} {kind}; there are {most} in its supply")
    return numbers[city], place["experts"], place["occasionals"]


def _signal(spot: Spot, turn: Record) -> int:
    return need_int(spot, "signal, where it is written,", turn["signal"], 1, 255) if "signal" in turn else 0


def _why(code: int, numbers: Numbers, before: Any, stepper: Stepper) -> str:
    """Return what is wrong with a turn, and for a placement how many gangsters it would have taken."""
    turn = stepper.lexicon.turn_of(numbers)
    sentence = f"plays {turn}: {WHY_ILLEGAL[code]}"
    view = view_of(before, stepper.histories, stepper.lexicon, int(before[0]["to_move"]))
    if turn.place is not None and view.can_place_on(turn.place.city):
        return f"{sentence}; it needs at least {view.need(turn.place.city)} there"
    return sentence


# -- the reckoning --------------------------------------------------------------------------------------------------


def _replay_reckoning(stepper: Stepper, opening: HandOpening, found: Record) -> Record:
    """Let the recorded seats bear the losses partners may choose about, then compare all results."""
    spot = Spot(opening.hand + 1, 0)
    results = need_list(spot, "results", found["results"], len(opening.row))
    for city, result in zip(opening.row, results, strict=True):
        _check_shape(spot, stepper.lexicon.city_names[city], result, stepper.rules.players)
    while stepper.asks_loss and stepper.hand == opening.hand:
        _replay_loss(stepper, opening, results)
    right = hand_record(stepper, opening)
    for result, due in zip(results, right["results"], strict=True):
        _same_result(spot, result, due)
    need_same(spot, "money", found["money"], right["money"])
    return right


def _check_shape(spot: Spot, city: str, result: Any, players: int) -> None:
    need_object(spot, f"the result of {city}", result, ("city", "card", "winner", "money", "losses"))
    need_same(spot, "the next result's city", result["city"], city)
    for loss in need_list(spot, f"losses of {city}", result["losses"]):
        need_object(spot, f"a loss of {city}", loss, ("seat", "kind"))
        need_int(spot, f"the seat of a loss of {city}", loss["seat"], 0, players - 1)


def _replay_loss(stepper: Stepper, opening: HandOpening, results: list[Record]) -> None:
    city, able = int(stepper.game["loss_city"]), int(stepper.game["loss_seats"])
    name = stepper.lexicon.city_names[city]
    spot = Spot(opening.hand + 1, 0)
    events = stepper.history(opening.first_event)
    number = int(((events["kind"] == LOSS_EVENT) & (events["city"] == city)).sum())
    losses = results[opening.row.index(city)]["losses"]
    one_of = " or ".join(str(seat) for seat in range(SEATS) if able >> seat & 1)
    if number >= len(losses):
        spot.at(stepper.seat).refuse(f"{name}: a loss is missing; seat {one_of} bears it")
    seat = losses[number]["seat"]
    if not able >> seat & 1:
        spot.at(seat).refuse(f"{name}: it bears a loss; by the rules seat {one_of} does")
    stepper.bear_loss(seat)


def _same_result(spot: Spot, found: Record, due: Record) -> None:
    city = due["city"]
    for key in ("card", "winner", "money"):
        need_same(spot, f"{city}: {key}", found[key], due[key])
    for loss, right in zip(found["losses"], due["losses"], strict=False):
        need_same(spot.at(right["seat"]), f"{city}: loss", loss, right)
    for right in due["losses"][len(found["losses"]) :]:
        spot.at(right["seat"]).refuse(f"{city}: its loss ({right['kind']}) is missing")
    for loss in found["losses"][len(due["losses"]) :]:
        spot.at(loss["seat"]).refuse(f"{city}: it bears a loss that nobody owes")
