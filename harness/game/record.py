"""The game record ``the-boss-game/1``: one game as plain JSON values, which anybody's referee can check.

Made by playing the stored choices again on the engine, from the deal's key; `replay` is the way back. A record holds
the cards and choices of a game and everything the rules then decide.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from harness.game.cards import Kind
from harness.game.choices import Choices
from harness.game.layout import DECIDED_BY, LOSS_EVENT, NONE, POLICE_NAMES, TURN_EVENT
from harness.game.rules import Rules
from harness.game.stepper import ChoiceReader, Deal, Key, KeyedDeal, Stepper, play_hand

FORMAT = "the-boss-game/1"
Record = dict[str, Any]

LOSS_NAMES = {
    Kind.HOSPITAL: "hospital",
    Kind.PRISON: "prison",
    Kind.REVOLVER: "killed",
    Kind.SHOOTOUT: "killed",
}
"""How the record names a loss, by the kind of the card that takes the expert."""


class FaultNote(NamedTuple):
    """A bot's fault: hand from 1, turn from 1 (0: the reckoning), seat, what kind, and what happened."""

    hand: int
    turn: int
    seat: int
    kind: str
    message: str


class BotName(NamedTuple):
    """Who sat in a seat: the bot's name in its run, and the hash of its code and parameters."""

    name: str
    version: str


@dataclass(frozen=True)
class GameInfo:
    """What a record holds that is not the game's: whose game it was, and what befell the bots.

    `bots` has one entry a seat; `forfeits` are seats; `rated` is False after a disqualification.
    """

    game: int
    deal: int
    table: str
    bots: Sequence[BotName | tuple[str, str]]
    faults: Sequence[FaultNote] = ()
    forfeits: Sequence[int] = ()
    rated: bool = True


def rated_ranks(ranks: Sequence[int], forfeiting_sides: Iterable[int]) -> list[int]:
    """Return places as rated: sides without a forfeit among themselves, then the others sharing the next place."""
    gone = set(forfeiting_sides)
    staying = [rank for side, rank in enumerate(ranks) if side not in gone]
    return [
        len(staying) + 1 if side in gone else 1 + sum(other < rank for other in staying)
        for side, rank in enumerate(ranks)
    ]


def record_of(rules: Rules, deal: Deal | Key, choices: Choices, info: GameInfo) -> Record:
    """Return the record of a game, from its deal (or the deal's key, (2,) uint64) and its choices.

    Raises RecordError when the choices are no game of this deal.
    """
    stepper = Stepper(rules, KeyedDeal(deal) if isinstance(deal, np.ndarray) else deal)
    reader = ChoiceReader(choices)
    hands = []
    while not stepper.over:
        opening = HandOpening.of(stepper)
        for _ in play_hand(stepper, reader):
            pass
        hands.append(hand_record(stepper, opening))
    reader.check_end(stepper)
    return whole_record(stepper, hands, info)


class HandOpening(NamedTuple):
    """What stands fixed when a hand begins, and what the engine no longer holds when it has ended."""

    hand: int
    first_event: int
    start: int
    extra: bool
    row: list[int]
    hidden: list[int]
    dealt: list[int]

    @classmethod
    def of(cls, stepper: Stepper) -> "HandOpening":
        """Lay the cards of the hand that begins, and note them."""
        stepper.open_hand()
        game, rules = stepper.game, stepper.rules
        cities = len(rules.cities)
        return cls(
            hand=int(game["hand"]),
            first_event=int(game["events"]),
            start=int(game["start"]),
            extra=bool(game["extra"]),
            row=game["row"][: cities + 1].tolist(),
            hidden=game["hidden"][:cities].tolist(),
            dealt=game["deck"][: rules.players * rules.hand_size].tolist(),
        )


@lru_cache(maxsize=256)
def card_texts(rules: Rules) -> tuple[str, ...]:
    """Return the text of each card, by its number."""
    return tuple(map(str, rules.cards))


def hand_head(stepper: Stepper, opening: HandOpening) -> Record:
    """Return what a hand's record says before the first turn."""
    rules, cards, texts = stepper.rules, stepper.lexicon.cards, card_texts(stepper.rules)
    size = rules.hand_size
    return {
        "start": opening.start,
        **({"extra": True} if opening.extra else {}),
        "row": [stepper.lexicon.city_names[city] for city in opening.row],
        "hidden": {cards[card].city: cards[card].face for card in opening.hidden},
        "dealt": [
            [texts[card] for card in opening.dealt[seat * size : (seat + 1) * size]] for seat in range(rules.players)
        ],
        "police": None if opening.extra else POLICE_NAMES[stepper.police[opening.hand]],
    }


def hand_record(stepper: Stepper, opening: HandOpening) -> Record:
    """Return the record of a hand that has just ended."""
    rules, names, texts = stepper.rules, stepper.lexicon.city_names, card_texts(stepper.rules)
    events = stepper.history(opening.first_event).tolist()
    turns = rules.players * rules.hand_size
    return {
        **hand_head(stepper, opening),
        "turns": [_turn_record(event, names, texts) for event in events[:turns]],
        "results": _result_records(events[turns:], stepper),
        "money": stepper.game["money"][: rules.sides].tolist(),
    }


def _turn_record(event: tuple[int, ...], names: Sequence[str], texts: Sequence[str]) -> Record:
    kind, _, seat, city, experts, occasionals, card, signal, _ = event
    assert kind == TURN_EVENT, "a hand's turns come first in its history"
    place = None
    if city != NONE:
        place = {"city": names[city], "experts": experts, "occasionals": occasionals}
    turn: Record = {"seat": seat, "place": place, "reveal": texts[card]}
    if signal:
        turn["signal"] = signal
    return turn


def _result_records(events: Iterable[tuple[int, ...]], stepper: Stepper) -> list[Record]:
    cards, names = stepper.lexicon.cards, stepper.lexicon.city_names
    results: list[Record] = []
    for kind, _, who, city, _, _, card, _, amount in events:
        if kind == LOSS_EVENT:
            results[-1]["losses"].append({"seat": who, "kind": LOSS_NAMES[Kind(card)]})
        else:
            results.append(
                {
                    "city": names[city],
                    "card": None if card == NONE else cards[card].face,
                    "winner": None if who == NONE else who,
                    "money": amount,
                    "losses": [],
                }
            )
    return results


def final_record(stepper: Stepper) -> Record:
    """Return how a game that is over ended, by the rules alone."""
    game, sides = stepper.game, stepper.rules.sides
    ranks = game["ranks"][:sides].tolist()
    return {
        "money": game["final_money"][:sides].tolist(),
        "ranks": ranks,
        "winners": [side for side, rank in enumerate(ranks) if rank == 1],
        "hands": stepper.hand + 1,
        "decided_by": DECIDED_BY[game["decided_by"]],
    }


def whole_record(stepper: Stepper, hands: list[Record], info: GameInfo) -> Record:
    """Return the record of a game that is over, from those of its hands."""
    rules, final = stepper.rules, final_record(stepper)
    gone = {rules.side_of(seat) for seat in info.forfeits}
    return {
        "format": FORMAT,
        "game": info.game,
        "deal": info.deal,
        "table": info.table,
        "rules": rules.as_record(),
        "bots": [{"name": name, "version": version} for name, version in info.bots],
        "police": [POLICE_NAMES[card] for card in stepper.police],
        "hands": hands,
        "final": final,
        "faults": [fault._asdict() for fault in info.faults],
        "forfeits": list(info.forfeits),
        "rated_ranks": rated_ranks(final["ranks"], gone),
        "rated": info.rated,
    }
