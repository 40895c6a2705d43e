"""The table in words: a picture of one moment as a seat sees it, or with all faces for an onlooker.

Reads a `View` and nothing else, so that a bot's author can print what the bot saw; needs no numpy.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from harness.game.cards import CHICAGO, Card
from harness.game.turn import Gangsters
from harness.game.view import View


class FaceDown(NamedTuple):
    """What lies face down, for an onlooker: per seat its hand, per city its hidden card."""

    hands: tuple[tuple[Card, ...], ...]
    hidden: Mapping[str, Card]


def describe(view: View, face_down: FaceDown | None = None) -> str:
    """Return the table as text of several lines; without `face_down` only what the view's seat knows."""
    lines = [_headline(view), _police(view), "", *_columns(_city_rows(view, face_down)), ""]
    return "\n".join([*lines, *_columns(_seat_rows(view, face_down))])


def _headline(view: View) -> str:
    extra = f", extra hand {view.extra_hand}" if view.extra_hand else ""
    last = ", the last regular one" if view.is_last_hand and not view.extra_hand else ""
    order = " ".join(map(str, view.order))
    if _is_reckoning(view):
        city, kind = view.loss
        turn = f"reckoning: {city} takes an expert ({kind.name.lower()})"
    else:
        to_play = view.order[-len(view.still_to_play) - 1]
        turn = f"turn {view.turn_number} of {view.rules.hand_size}, order {order}, seat {to_play} to play"
    return f"Hand {view.hand_number}{extra}{last}; {turn}; start marker at seat {view.start}"


def _is_reckoning(view: View) -> bool:
    return view.turn_number > view.rules.hand_size


def _police(view: View) -> str:
    up = " ".join(view.police) or "none yet"
    silver = sum(card != "gold" for card in view.police)
    gold = sum(card != "silver" for card in view.police)
    return f"Police: {up} (badges: {silver} silver, {gold} gold)"


def _city_rows(view: View, face_down: FaceDown | None) -> list[list[str]]:
    """One line a city, left to right: what is shown, what lies hidden, and who has how many gangsters there."""
    seats = [f"seat {seat}" for seat in range(view.rules.players)]
    rows = [["city", "shown", "hidden", *seats, "leads"]]
    for city in view.row:
        leader = view.leader(city)
        on = [_count(gangsters) for gangsters in view.on[city]]
        leads = "" if leader is None else f"side {leader} with {view.strength(city, leader)}"
        rows.append([city, *_cards_of(view, city, face_down), *on, leads])
    return rows


def _cards_of(view: View, city: str, face_down: FaceDown | None) -> tuple[str, str]:
    if city == CHICAGO:
        return "", ""
    shown = " ".join(card.face for card in view.shown[city])
    turned = view.turned_up(city)
    if turned is not None:
        return shown, f"{turned.face} (turned up)"
    if face_down is not None:
        return shown, face_down.hidden[city].face
    return shown, _odds(view.odds(city))


def _odds(odds: Mapping[Card, Fraction]) -> str:
    """Return ``3``, ``2 or 3``, or with unequal odds ``3 (2/3) or prison (1/3)``."""
    if len(set(odds.values())) == 1:
        return " or ".join(card.face for card in odds)
    return " or ".join(f"{card.face} ({chance})" for card, chance in odds.items())


def _count(gangsters: Gangsters) -> str:
    """Return ``2+1`` for two experts and one occasional, a dot for nobody."""
    return f"{gangsters.experts}+{gangsters.occasionals}" if gangsters.total else "."


def _seat_rows(view: View, face_down: FaceDown | None) -> list[list[str]]:
    """One line a seat: its side's money and banishments, its supply, its absent experts, its cards or their backs."""
    rows = [["", "money", "supply", *(["can lose"] if _is_reckoning(view) else []), "away", "banished from", "cards"]]
    for seat in range(view.rules.players):
        side = view.rules.side_of(seat)
        name = f"seat {seat}" if view.rules.teams is None else f"seat {seat} (side {side})"
        supply = view.supply[seat]
        rows.append(
            [
                f"{name}{' *' if seat == view.seat else ''}",
                str(view.money[side]),
                f"{supply.experts}+{supply.occasionals}",
                *([str(view.experts_left[seat])] if _is_reckoning(view) else []),
                _away(view.away[seat]),
                " ".join(sorted(view.banished[side])) or "-",
                _hand(view, seat, face_down),
            ]
        )
    return rows


def _away(away: tuple[int, int]) -> str:
    this_hand, next_too = away
    parts = [f"{this_hand} this hand"] * bool(this_hand) + [f"{next_too} this and the next"] * bool(next_too)
    return ", ".join(parts) or "-"


def _hand(view: View, seat: int, face_down: FaceDown | None) -> str:
    if face_down is not None:
        return _texts(face_down.hands[seat])
    if seat == view.seat:
        return _texts(view.hand)
    return " ".join(f"{count} {city}" for city, count in view.backs[seat].items()) or "-"


def _texts(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "-"


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows as lines, each column as wide as its widest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
