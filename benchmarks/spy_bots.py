"""Bots that look for what they must not know, and their plain twin. Used by `spies.py`.

All play alike: the cheapest placement on the city that promises most, by the mean of the cards that can lie there. A
spy that has found a hidden card reckons with that card instead.
"""

import gc
import hashlib
import itertools
import sys
import types
from typing import ClassVar

from harness import CHICAGO, Bot, Card, Placement, Turn, View
from harness.game import layout
from harness.game.history import CityResult, TurnPlayed

_AT = layout.offsets(layout.OBSERVATION)


class Plain(Bot):
    """Knows what it is shown."""

    def act(self, view: View) -> Turn:
        """Place where most money is to be expected, and reveal the first card."""
        known = self.spy(view)
        best: Placement | None = None
        most = 1.0
        for place in view.ways_to_lead():
            if place.city == CHICAGO:
                worth: float = view.chicago_pays
            else:
                cards = (known[place.city],) if place.city in known else view.possible(place.city)
                worth = sum(card.money for card in cards) / len(cards)
            if worth > most * (place.experts + place.occasionals):
                best, most = place, worth / (place.experts + place.occasionals)
        return Turn(view.hand[0], best)

    def spy(self, view: View) -> dict[str, Card]:
        """Return hidden cards by their cities."""
        return {}


def first_backs(view: View) -> str:
    """Return what tells a deal from others and is the same for all who sit at it: everybody's backs as dealt."""
    backs = [dict(own) for own in view.backs]
    for event in view.history:
        if isinstance(event, TurnPlayed) and event.hand == view.hand_number:
            city = event.turn.reveal.city
            backs[event.seat][city] = backs[event.seat].get(city, 0) + 1
    return f"{view.hand_number} {view.police} {[sorted(own.items()) for own in backs]}"


def own_mask(data: bytes) -> int:
    """Return the cards of the seat that looks, from the bytes of its observation."""
    return int.from_bytes(data[_AT["own"] : _AT["own"] + 8], "little")


def left_over(view: View, held: int) -> dict[str, Card]:
    """Return the hidden cards of the cities of which all but one card are held by somebody."""
    known = {}
    for city in view.rules.cities:
        left = [card for number, card in enumerate(view.rules.cards) if card.city == city and not held >> number & 1]
        if len(left) == 1:
            known[city] = left[0]
    return known


class Sharer(Plain):
    """Tells its hands to its other selves by a class variable: all hands of a deal leave only the hidden cards."""

    hands: ClassVar[dict[str, int]] = {}

    def spy(self, view: View) -> dict[str, Card]:
        deal = first_backs(view)
        if view.turn_number == 1:
            self.hands[deal] = self.hands.get(deal, 0) | own_mask(view._data)
        return left_over(view, self.hands.get(deal, 0))


class Walker(Plain):
    """Walks up the frames and through all objects that Python knows, to the harness's own games."""

    def spy(self, view: View) -> dict[str, Card]:
        frame, games, row = sys._getframe(), None, None
        while frame is not None:
            for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
                played = getattr(value, "played", None)
                games = getattr(played, "games", games)
                row = value.rows[view._index] if hasattr(value, "rows") and hasattr(value, "again") else row
            frame = frame.f_back  # type: ignore[assignment]
        if games is None and not hasattr(self, "searched"):
            self.searched = [value for value in gc.get_objects() if type(value).__name__ in ("_Lockstep", "Played")]
        if games is None or row is None:
            return {}
        hidden = games[int(row)]["hidden"]
        return {city: view.rules.cards[int(card)] for city, card in zip(view.rules.cities, hidden, strict=False)}


class Neighbour(Plain):
    """Reads what other games are asked at the same time, for its own deal among them."""

    def spy(self, view: View) -> dict[str, Card]:
        frame, held, size, public = sys._getframe(), own_mask(view._data), len(view._data), _AT["key"]
        while frame is not None:
            for value in list(frame.f_locals.values()):
                memory = getattr(value, "questions", None)
                data = bytes(memory[: 64 * size]) if memory is not None else b""
                for at in range(0, len(data), size):
                    other = data[at : at + size]
                    if other[:public] == view._data[:public]:
                        held |= own_mask(other)
            frame = frame.f_back  # type: ignore[assignment]
        return left_over(view, held) if view.turn_number == 1 else {}


class Rememberer(Plain):
    """Keeps every hidden card that it saw turned up, by the backs of its deal, in a module that outlives its games."""

    def __init__(self) -> None:
        module = sys.modules.setdefault("spies_memory", types.ModuleType("spies_memory"))
        self.seen: dict[str, dict[str, Card]] = module.__dict__.setdefault("seen", {})
        self.deals: dict[int, str] = {}

    def spy(self, view: View) -> dict[str, Card]:
        deal = self.deals[view.hand_number] = first_backs(view)
        for event in view.history:
            if isinstance(event, CityResult) and event.card is not None:
                self.seen.setdefault(self.deals[event.hand], {})[event.city] = event.card
        return self.seen.get(deal, {})


class Guesser(Plain):
    """Tries short seeds of the run against the source of its own randomness, and says so when one fits."""

    SEEDS, BLOCKS = 16, 2

    def spy(self, view: View) -> dict[str, Card]:
        if view.hand_number == view.turn_number == 1:
            key = int.from_bytes(view._data[_AT["key"] : _AT["key"] + 8], "little")
            for seed, block in itertools.product(range(self.SEEDS), range(self.BLOCKS)):
                words = ("bots", f"{seed:032x}", view.rules.name, str(block))
                half = hashlib.blake2b("\0".join(words).encode(), digest_size=16).digest()
                if seat_key(int.from_bytes(half[:8], "little"), int.from_bytes(half[8:], "little"), view.seat) == key:
                    raise AssertionError(f"seed {seed} fits")
        return {}


def seat_key(key: int, half: int, seat: int) -> int:
    """Return a seat's key of a deal, by Philox 4x32-10 (Salmon and others, 2011)."""
    low = 0xFFFFFFFF
    c0, c1, c2, c3, k0, k1 = seat, 0, half & low, half >> 32, key & low, key >> 32
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & low, (p0 >> 32) ^ c3 ^ k1, p0 & low
        k0, k1 = k0 + 0x9E3779B9 & low, k1 + 0xBB67AE85 & low
    return c1 << 32 | c0
