"""A second referee of The Boss: slow, plain, and sharing nothing with the engine it checks.

A record holds the cards and the choices of one game (turns, who pays each loss) and everything the rules then
decide. `check` plays the game again from cards and choices alone and raises `Refused` at the first departure.

| word | meaning |
|---|---|
| card | `city:face`, the face an amount of money as text or one of `SPECIAL` |
| hand | counted from 1, extra hands go on counting |
| turn | the seat's own turn of the hand, from 1; 0 is the reckoning |
| side | index in `teams`; without teams every seat is a side |
"""

import gzip
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

FORMAT = "the-boss-game/1"
CHICAGO = "chicago"
OFFICIAL = (
    "new_york", "boston", "detroit", "kansas_city", "cincinnati", "memphis", "philadelphia", "st_louis"
)  # fmt: skip
SPECIAL = ("hospital", "prison", "revolver", "banished", "shootout", "theft")
KIND_OF_LOSS = {"hospital": "hospital", "prison": "prison", "revolver": "killed"}
HANDS_MISSED = {"hospital": 1, "prison": 2}
BADGES = {"silver": (1, 0), "gold": (0, 1), "both": (1, 1)}
TEAMS_OF_SIX = [[0, 3], [1, 4], [2, 5]]
CHOICES = {
    "last_turn_order": ("seat", "side"),
    "chicago_after": ("seat", "side"),
    "shootout_per": ("side", "seat"),
    "talk": ("open", "none"),
}
SWITCHES = ("negative_money", "tiebreak_counts_absent")
AMOUNTS = ("chicago_theft", "chicago_shootout", "max_extra_hands")
RULES_KEYS = {
    "players", "hand_size", "experts", "occasionals", "cities", "card_faces", "police_deck", "teams",
    *CHOICES, *SWITCHES, *AMOUNTS,
}  # fmt: skip
RECORD_KEYS = {
    "format", "game", "deal", "table", "rules", "bots", "police", "hands", "final", "faults", "forfeits",
    "rated_ranks", "rated",
}  # fmt: skip
HAND_KEYS = {"start", "row", "hidden", "dealt", "police", "turns", "results", "money"}

Json = dict[str, Any]
Maybe = int | None
Payer = Callable[[list[int], str], int]
Debt = tuple[str, list[list[int]]]


class Refused(Exception):  # noqa: N818 - a verdict on a record, and the name its users expect
    """The record departs from the rules: at `hand`, `turn` and `seat`, each None where it does not apply."""

    def __init__(self, message: str, hand: Maybe = None, turn: Maybe = None, seat: Maybe = None) -> None:
        super().__init__(message, hand, turn, seat)
        self.message, self.hand, self.turn, self.seat = message, hand, turn, seat

    def __str__(self) -> str:
        named = (("hand", self.hand), ("turn", self.turn), ("seat", self.seat))
        place = ", ".join(f"{name} {value}" for name, value in named if value is not None)
        return f"{place}: {self.message}" if place else self.message


class Spot(NamedTuple):
    """Where in the game the referee is looking."""

    hand: Maybe = None
    turn: Maybe = None
    seat: Maybe = None

    def need(self, holds: bool, message: str) -> None:
        """Refuse here unless it holds."""
        if not holds:
            raise Refused(message, *self)


# --- shapes ---


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: true is not 1, 1.0 is not 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


def need_int(spot: Spot, value: Any, what: str, low: int | None = None, high: int | None = None) -> None:
    """A whole number within its bounds."""
    spot.need(type(value) is int, f"{what} is not a whole number: {value!r}")
    spot.need(low is None or value >= low, f"{what} is {value}, below {low}")
    spot.need(high is None or value <= high, f"{what} is {value}, above {high}")


def need_text(spot: Spot, value: Any, what: str) -> None:
    """A text."""
    spot.need(type(value) is str, f"{what} is not a text: {value!r}")


def need_list(spot: Spot, value: Any, what: str, length: int | None = None) -> None:
    """A list, of a given length if there is one."""
    spot.need(type(value) is list, f"{what} is not a list: {value!r}")
    spot.need(length is None or len(value) == length, f"{what} has {len(value)} entries, not {length}")


def need_keys(spot: Spot, value: Any, what: str, keys: set[str], optional: str | None = None) -> None:
    """An object with all of the keys, perhaps the optional one, and no unknown one."""
    spot.need(type(value) is dict, f"{what} is not an object: {value!r}")
    missing, unknown = sorted(keys - value.keys()), sorted(value.keys() - keys - {optional}, key=str)
    spot.need(not missing, f"{what} lacks {missing}")
    spot.need(not unknown, f"{what} has unknown keys {unknown}")


def need_same(spot: Spot, value: Any, expected: Any, what: str) -> None:
    """Exactly what the rules make it."""
    spot.need(same(value, expected), f"{what} is {value!r}, by the rules {expected!r}")


# --- the rule set ---


def check_rules(rules: Any) -> None:
    """Numbers and rulings in their bounds; six play in three teams of opposite seats, others each alone."""
    spot = Spot()
    need_keys(spot, rules, "rules", RULES_KEYS)
    need_int(spot, rules["players"], "players", 2, 6)
    need_int(spot, rules["hand_size"], "hand_size", 3, 10)
    need_int(spot, rules["experts"], "experts", 0)
    need_int(spot, rules["occasionals"], "occasionals", 0)
    need_same(spot, rules["teams"], TEAMS_OF_SIX if rules["players"] == 6 else None, "teams")
    for name, values in CHOICES.items():
        spot.need(rules[name] in values, f"{name} is {rules[name]!r}, not one of {values}")
    for name in SWITCHES:
        spot.need(type(rules[name]) is bool, f"{name} is neither true nor false: {rules[name]!r}")
    for name in AMOUNTS:
        need_int(spot, rules[name], name, 0 if name == "max_extra_hands" else None)
    check_cities(rules)
    check_police_deck(rules["police_deck"])


def check_cities(rules: Json) -> None:
    """Up to 12 cities and 64 cards: one a city goes face down, the others deal out evenly and exactly.

    Cities stand by number, so official ones keep their order; Chicago always stands in and is not listed.
    """
    spot, cities, faces = Spot(), rules["cities"], rules["card_faces"]
    need_list(spot, cities, "cities")
    spot.need(1 <= len(cities) <= 12, f"{len(cities)} cities, not 1 to 12")
    for city in cities:
        need_text(spot, city, "a city")
        named = city != "" and city == city.lower() and ":" not in city and city != CHICAGO
        spot.need(named, f"{city!r} is not the name of a city")
    spot.need(len(set(cities)) == len(cities), "a city is listed twice")
    numbers = [OFFICIAL.index(city) for city in cities if city in OFFICIAL]
    spot.need(numbers == sorted(numbers), "official cities do not stand by number")
    need_keys(spot, faces, "card_faces", set(cities))
    for city in cities:
        need_list(spot, faces[city], f"card_faces of {city}")
        spot.need(len(faces[city]) > 0, f"{city} has no card")
        for face in faces[city]:
            spot.need(is_face(face), f"{city} has a card {face!r}")
    cards = sum(len(faces[city]) for city in cities)
    players, size = rules["players"], rules["hand_size"]
    spot.need(cards <= 64, f"{cards} cards, more than 64")
    sums = f"{cards} cards are not {players} x {size} + {len(cities)} = {players * size + len(cities)}"
    spot.need(cards == players * size + len(cities), sums)


def is_face(face: Any) -> bool:
    """A special card's name, or a whole amount written the one usual way."""
    return type(face) is str and (face in SPECIAL or re.fullmatch("0|-?[1-9][0-9]*", face) is not None)


def check_police_deck(deck: Any) -> None:
    """Known cards, written sorted, that can show three badges of one colour."""
    spot = Spot()
    need_list(spot, deck, "police_deck")
    for card in deck:
        spot.need(type(card) is str and card in BADGES, f"there is no police card {card!r}")
    need_same(spot, deck, sorted(deck), "police_deck")
    spot.need(most_badges(deck) >= 3, "police_deck cannot show three badges of one colour")


# --- the rules of play ---


def most_badges(cards: list[str]) -> int:
    """Badges up of the colour that shows most; the "both" card shows one of each."""
    return max(sum(BADGES[card][colour] for card in cards) for colour in (0, 1))


def regular_hands(police: list[str]) -> int:
    """The hand whose police card completes three badges of one colour is the last regular one."""
    return next(count for count in range(1, len(police) + 1) if most_badges(police[:count]) >= 3)


def row_in(cities: list[str], hand: int) -> list[str]:
    """Chicago stands second in hand 1 and moves one place right after every hand, up to the far right."""
    place = min(hand, len(cities))
    return [*cities[:place], CHICAGO, *cities[place:]]


def payment(face: str) -> int:
    """What the winner of a city with this hidden card gets: its money, 4 for a shoot-out, -2 for a theft."""
    return {"shootout": 4, "theft": -2}.get(face, 0) if face in SPECIAL else int(face)


def chicago_payment(rules: Json, last_shown: list[str]) -> int:
    """Half the money on the cards shown last in the cities left of Chicago, rounded down, never below 0."""
    special = {"shootout": rules["chicago_shootout"], "theft": rules["chicago_theft"]}
    total = sum(special.get(face, 0) if face in SPECIAL else int(face) for face in last_shown)
    return max(total, 0) // 2


class Table:
    """Everything on the table, as the rules leave it after each turn and each city."""

    def __init__(self, rules: Json) -> None:
        self.rules = rules
        self.players: int = rules["players"]
        self.teams: list[list[int]] = rules["teams"] or [[seat] for seat in range(self.players)]
        self.side_of = [self.side_with(seat) for seat in range(self.players)]
        self.hand = 0
        self.money = [0 for _ in self.teams]
        self.banished: set[tuple[int, str]] = set()
        self.alive: list[int] = [rules["experts"]] * self.players  # the absent among them
        self.unspent: list[int] = [rules["occasionals"]] * self.players  # those on the table among them
        self.back: list[list[int]] = [[] for _ in range(self.players)]  # in which hand, per absent expert

    def side_with(self, seat: int) -> int:
        """The side a seat belongs to."""
        return next(side for side, seats in enumerate(self.teams) if seat in seats)

    def open_hand(self) -> None:
        """The marker starts on seat 0 and moves one seat clockwise after each hand; the table is bare."""
        self.hand += 1
        self.start = (self.hand - 1) % self.players
        self.row = row_in(self.rules["cities"], self.hand)
        self.experts = {city: [0] * self.players for city in self.row}
        self.occasionals = {city: [0] * self.players for city in self.row}
        self.placements: list[tuple[int, str]] = []
        self.shown: dict[str, list[str]] = {city: [] for city in self.row}
        self.won = [0 for _ in self.teams]

    def present(self, seat: int) -> int:
        """Experts alive and not absent from this hand, on the table or in supply."""
        return self.alive[seat] - sum(hand > self.hand for hand in self.back[seat])

    def experts_in_supply(self, seat: int) -> int:
        """Experts the seat can still place in this hand."""
        return self.present(seat) - sum(placed[seat] for placed in self.experts.values())

    def occasionals_in_supply(self, seat: int) -> int:
        """Occasionals the seat can still place."""
        return self.unspent[seat] - sum(placed[seat] for placed in self.occasionals.values())

    def supply(self, seat: int) -> int:
        """Gangsters of the seat in supply."""
        return self.experts_in_supply(seat) + self.occasionals_in_supply(seat)

    def order(self, turn: int) -> list[int]:
        """Clockwise from the marker; in the last turn most supply first, equal ones in the usual order."""
        usual = [(self.start + step) % self.players for step in range(self.players)]
        if turn < self.rules["hand_size"]:
            return usual
        supply = {seat: self.supply(seat) for seat in usual}
        if self.rules["last_turn_order"] == "side":
            supply = {seat: sum(supply[mate] for mate in self.teams[self.side_of[seat]]) for seat in usual}
        return sorted(usual, key=lambda seat: -supply[seat])  # sorted keeps equal ones as they stand

    def there(self, city: str, seat: int) -> int:
        """Gangsters of the seat on a city."""
        return self.experts[city][seat] + self.occasionals[city][seat]

    def strength(self, city: str, side: int) -> int:
        """Gangsters of the side on a city."""
        return sum(self.there(city, seat) for seat in self.teams[side])

    def placement_fault(self, seat: int, city: str, experts: int, occasionals: int) -> str | None:
        """Why the seat may not place these gangsters there; None if it may."""
        side = self.side_of[seat]
        if city not in self.row:
            return f"{city} is not in the row"
        if experts < 0 or occasionals < 0 or experts + occasionals == 0:
            return f"places {experts} experts and {occasionals} occasionals"
        if experts > self.experts_in_supply(seat):
            return f"places {experts} experts of {self.experts_in_supply(seat)} in supply"
        if occasionals > self.occasionals_in_supply(seat):
            return f"places {occasionals} occasionals of {self.occasionals_in_supply(seat)} in supply"
        if (side, city) in self.banished:
            return f"places on {city}, from which its side is banished"
        if occasionals > 0 and experts + sum(self.experts[city][mate] for mate in self.teams[side]) == 0:
            return f"places occasionals on {city} with no expert of its side there"
        if city == CHICAGO and not self.may_enter_chicago(seat):
            return "places on Chicago before any other city"
        rivals = [self.strength(city, other) for other in range(len(self.teams)) if other != side]
        if self.strength(city, side) + experts + occasionals <= max(rivals):
            return f"does not get the majority on {city}"
        return None

    def may_enter_chicago(self, seat: int) -> bool:
        """The seat (or by the ruling its side) has placed on some other city earlier in this hand."""
        counted = [seat] if self.rules["chicago_after"] == "seat" else self.teams[self.side_of[seat]]
        return any(placer in counted and city != CHICAGO for placer, city in self.placements)

    def place(self, seat: int, city: str, experts: int, occasionals: int) -> None:
        """Put gangsters on a city, where they stay until the end of the hand."""
        self.experts[city][seat] += experts
        self.occasionals[city][seat] += occasionals
        self.placements.append((seat, city))

    def reveal(self, card: str) -> None:
        """Lay a card open beside its city."""
        city, face = card.split(":")
        self.shown[city].append(face)

    def winner(self, city: str) -> int | None:
        """The side with most gangsters there, None on an empty city; whoever placed led, so no ties."""
        strengths = [self.strength(city, side) for side in range(len(self.teams))]
        return strengths.index(max(strengths)) if max(strengths) > 0 else None

    def last_shown_before_chicago(self) -> list[str]:
        """The card revealed last in each city left of Chicago that has one."""
        left = self.row[: self.row.index(CHICAGO)]
        return [self.shown[city][-1] for city in left if self.shown[city]]

    def debts(self, city: str, face: str, winner: int) -> list[Debt]:
        """Losses a city brings: the kind, and the groups of seats one of which pays, the first able group.

        A shoot-out costs every other side there one expert for good (by the ruling every seat of other sides
        there, its partner only where it has none).
        """
        if face in KIND_OF_LOSS:
            return [(KIND_OF_LOSS[face], [self.teams[winner]])]
        if face != "shootout":
            return []
        if self.rules["shootout_per"] == "seat":
            others = [seat for seat in range(self.players) if self.side_of[seat] != winner]
            hit = [seat for seat in others if self.there(city, seat) > 0]
            return [("killed", [[seat], self.teams[self.side_of[seat]]]) for seat in hit]
        rivals = [side for side in range(len(self.teams)) if side != winner]
        return [("killed", [self.teams[side]]) for side in rivals if self.strength(city, side) > 0]

    def lose(self, seat: int, kind: str) -> None:
        """An expert dies, or misses the next hand (hospital) or the next two (prison)."""
        if kind == "killed":
            self.alive[seat] -= 1
        else:
            self.back[seat].append(self.hand + HANDS_MISSED[kind] + 1)

    def reckon(self, city: str, face: str | None, payer: Payer) -> Json:
        """Resolve one city, whose hidden card is None for Chicago; a city with nobody pays nobody."""
        winner = self.winner(city)
        result: Json = {"city": city, "card": face, "winner": winner, "money": 0, "losses": []}
        if winner is None:
            return result
        if face is None:
            result["money"] = chicago_payment(self.rules, self.last_shown_before_chicago())
        else:
            result["money"] = payment(face)
            result["losses"] = self.settle(self.debts(city, face, winner), payer)
        if face == "banished":
            self.banished.add((winner, city))
        self.won[winner] += result["money"]
        return result

    def settle(self, debts: list[Debt], payer: Payer) -> list[Json]:
        """Pay the losses one by one; `payer` picks among the seats able to, what nobody can pay lapses."""
        losses = []
        for kind, groups in debts:
            able = [[seat for seat in group if self.present(seat) > 0] for group in groups]
            if any(able):
                seat = payer(next(seats for seats in able if seats), kind)
                self.lose(seat, kind)
                losses.append({"seat": seat, "kind": kind})
        return losses

    def close_hand(self) -> None:
        """Money is counted, with the floor if debts are not allowed; occasionals on the table are spent."""
        self.money = [money + won for money, won in zip(self.money, self.won, strict=True)]
        if not self.rules["negative_money"]:
            self.money = [max(money, 0) for money in self.money]
        self.unspent = [self.occasionals_in_supply(seat) for seat in range(self.players)]

    def gangsters_left(self, side: int) -> int:
        """Experts able to play in the next hand (by the ruling all alive) and unspent occasionals."""
        left = sum(self.alive[seat] + self.unspent[seat] for seat in self.teams[side])
        if self.rules["tiebreak_counts_absent"]:
            return left
        return left - sum(hand > self.hand + 1 for seat in self.teams[side] for hand in self.back[seat])


# --- the end of the game ---


def leaders(keys: list[list[int]]) -> list[int]:
    """Sides level in first place."""
    return [side for side, key in enumerate(keys) if key == max(keys)]


def ranks_of(keys: list[list[int]]) -> list[int]:
    """One more than the number of sides ahead: level sides share a place (1, 2, 2, 4)."""
    return [1 + sum(other > key for other in keys) for key in keys]


def decided_by(keys: list[list[int]], extra_hands: int) -> str:
    """The key that made the first place single, or `shared`."""
    if len(leaders(keys)) > 1:
        return "shared"
    if extra_hands:
        return "extra_hand"
    names = ("money", "last_hand", "gangsters")
    return next(name for at, name in enumerate(names, 1) if len(leaders([key[:at] for key in keys])) == 1)


def rated_ranks(ranks: list[int], forfeited: set[int]) -> list[int]:
    """Sides without a forfeit ranked among themselves, then all sides with one sharing the next place."""
    clean = [rank for side, rank in enumerate(ranks) if side not in forfeited]
    return [
        len(clean) + 1 if side in forfeited else 1 + sum(other < rank for other in clean)
        for side, rank in enumerate(ranks)
    ]


# --- the record against the rules ---


def check(record: Json) -> None:
    """Play the recorded game again; raise `Refused` at the first departure from the format or the rules."""
    check_head(record)
    table = Table(record["rules"])
    final = replay(table, record)
    need_keys(Spot(), record["final"], "final", set(final))
    for key, expected in final.items():
        need_same(Spot(), record["final"][key], expected, f"final {key}")
    check_faults(record["faults"], table)
    check_rating(record, table, final["ranks"])


def check_head(record: Json) -> None:
    """Everything that stands before the first hand."""
    spot = Spot()
    spot.need(type(record) is dict, "the record is not an object")
    need_same(spot, record.get("format"), FORMAT, "format")
    need_keys(spot, record, "the record", RECORD_KEYS)
    need_int(spot, record["game"], "game", 0)
    need_int(spot, record["deal"], "deal", 0)
    need_text(spot, record["table"], "table")
    check_rules(record["rules"])
    need_list(spot, record["bots"], "bots", record["rules"]["players"])
    for seat, bot in enumerate(record["bots"]):
        need_keys(Spot(seat=seat), bot, "a bot", {"name", "version"})
        need_text(Spot(seat=seat), bot["name"], "name")
        need_text(Spot(seat=seat), bot["version"], "version")
    police = record["police"]
    need_list(spot, police, "police")
    spot.need(all(type(card) is str for card in police), "a police card is not a text")
    need_same(spot, sorted(police), record["rules"]["police_deck"], "police, sorted,")
    need_list(spot, record["hands"], "hands")


def replay(table: Table, record: Json) -> Json:
    """Regular hands until the police come, then extra hands while the first place is level; the final result.

    Only level sides contend in an extra hand, by money won in it and gangsters left after it. Their keys grow
    by the two, so who falls behind stands next, ahead of all who did not contend.
    """
    sides = range(len(table.teams))
    regular = regular_hands(record["police"])
    for card in record["police"][:regular]:
        check_hand(table, record["hands"], card)
    money = list(table.money)
    keys = [[table.money[side], table.won[side], table.gangsters_left(side)] for side in sides]
    while len(leaders(keys)) > 1 and table.hand < regular + table.rules["max_extra_hands"]:
        level = leaders(keys)
        check_hand(table, record["hands"], None)
        for side in level:
            keys[side] += [table.won[side], table.gangsters_left(side)]
    Spot(table.hand + 1).need(len(record["hands"]) == table.hand, "the game was over before this hand")
    return {
        "money": money,
        "ranks": ranks_of(keys),
        "winners": leaders(keys),
        "hands": table.hand,
        "decided_by": decided_by(keys, table.hand - regular),
    }


def check_hand(table: Table, hands: list[Json], police: str | None) -> None:
    """Open, play and reckon the next hand; `police` is the card due in it, None in an extra hand."""
    table.open_hand()
    spot = Spot(table.hand)
    spot.need(len(hands) >= table.hand, "the game is not over, but there is no such hand")
    hand = hands[table.hand - 1]
    need_keys(spot, hand, "the hand", HAND_KEYS, "extra")
    need_same(spot, hand["start"], table.start, "start")
    need_same(spot, hand["row"], table.row, "row")
    need_same(spot, hand["police"], police, "police")
    need_same(spot, "extra" in hand, police is None, "presence of extra")
    need_same(spot, hand.get("extra", True), True, "extra")
    check_deal(table, hand)
    check_turns(table, hand)
    check_results(table, hand)
    table.close_hand()
    need_same(Spot(table.hand, 0), hand["money"], table.money, "money")


def check_deal(table: Table, hand: Json) -> None:
    """One card of each city is hidden, all others are dealt, the same number to each seat."""
    spot, rules = Spot(table.hand), table.rules
    pool = [f"{city}:{face}" for city in rules["cities"] for face in rules["card_faces"][city]]
    need_keys(spot, hand["hidden"], "hidden", set(rules["cities"]))
    for city, face in hand["hidden"].items():
        spot.need(type(face) is str and f"{city}:{face}" in pool, f"{city} has no card {face!r} to hide")
        pool.remove(f"{city}:{face}")
    need_list(spot, hand["dealt"], "dealt", table.players)
    for seat, cards in enumerate(hand["dealt"]):
        need_list(Spot(table.hand, seat=seat), cards, "the hand dealt", rules["hand_size"])
        for card in cards:
            Spot(table.hand, seat=seat).need(card in pool, f"{card!r} is no card, or not left to be dealt")
            pool.remove(card)


def check_turns(table: Table, hand: Json) -> None:
    """As many turns for each seat as cards, in playing order; the order of the last is fixed as it begins."""
    size = table.rules["hand_size"]
    need_list(Spot(table.hand), hand["turns"], "turns", size * table.players)
    turns = iter(hand["turns"])
    held = [list(cards) for cards in hand["dealt"]]
    for number in range(1, size + 1):
        for seat in table.order(number):
            check_turn(table, Spot(table.hand, number, seat), next(turns), held[seat])


def check_turn(table: Table, spot: Spot, turn: Any, held: list[str]) -> None:
    """Place on one city or none, then reveal a card of one's hand; a signal only in teams that may talk."""
    need_keys(spot, turn, "the turn", {"seat", "place", "reveal"}, "signal")
    need_int(spot, turn["seat"], "seat", 0, table.players - 1)
    seat = turn["seat"]
    spot._replace(seat=seat).need(seat == spot.seat, f"plays when seat {spot.seat} has to")
    place = turn["place"]
    if place is not None:
        need_keys(spot, place, "place", {"city", "experts", "occasionals"})
        need_text(spot, place["city"], "city")
        need_int(spot, place["experts"], "experts")
        need_int(spot, place["occasionals"], "occasionals")
        fault = table.placement_fault(seat, **place)
        spot.need(fault is None, str(fault))
        table.place(seat, **place)
    spot.need(turn["reveal"] in held, f"reveals {turn['reveal']!r}, which is not in hand")
    held.remove(turn["reveal"])
    table.reveal(turn["reveal"])
    if "signal" in turn:
        need_int(spot, turn["signal"], "a signal that is written", 1, 255)
        talk = table.rules["teams"] is not None and table.rules["talk"] == "open"
        spot.need(talk, "carries a signal where nobody may talk")


def check_results(table: Table, hand: Json) -> None:
    """Cities resolve left to right; only who pays a loss is a choice."""
    spot = Spot(table.hand, 0)
    need_list(spot, hand["results"], "results", len(table.row))
    for city, result in zip(table.row, hand["results"], strict=True):
        need_keys(spot, result, f"the result of {city}", {"city", "card", "winner", "money", "losses"})
        need_list(spot, result["losses"], f"losses of {city}")
        for loss in result["losses"]:
            need_keys(spot, loss, f"a loss of {city}", {"seat", "kind"})
            need_int(spot, loss["seat"], f"seat of a loss of {city}", 0, table.players - 1)
        expected = table.reckon(city, hand["hidden"].get(city), recorded_payer(spot, city, result["losses"]))
        for loss in result["losses"][len(expected["losses"]) :]:
            spot._replace(seat=loss["seat"]).need(False, f"a loss in {city} that nobody owes")
        for key, value in expected.items():
            need_same(spot, result[key], value, f"{key} of {city}")


def recorded_payer(spot: Spot, city: str, losses: list[Json]) -> Payer:
    """Read the payers off the record, one loss after the other; each must be one who can pay."""
    left = iter(losses)

    def payer(able: list[int], kind: str) -> int:
        loss: Json = next(left, {"seat": None})
        owing = spot._replace(seat=able[0] if len(able) == 1 else None)
        owing.need(loss["seat"] is not None, f"no {kind} loss in {city}, owed by one of the seats {able}")
        seat = int(loss["seat"])
        spot._replace(seat=seat).need(seat in able, f"pays in {city}, owed by one of the seats {able}")
        return seat

    return payer


def check_faults(faults: Any, table: Table) -> None:
    """What bots did wrong: where in the game, and two free texts."""
    need_list(Spot(), faults, "faults")
    for fault in faults:
        need_keys(Spot(), fault, "a fault", {"hand", "turn", "seat", "kind", "message"})
        need_int(Spot(), fault["hand"], "hand of a fault", 1, table.hand)
        need_int(Spot(fault["hand"]), fault["turn"], "turn of a fault", 0, table.rules["hand_size"])
        spot = Spot(fault["hand"], fault["turn"])
        need_int(spot, fault["seat"], "seat of a fault", 0, table.players - 1)
        need_text(spot, fault["kind"], "kind of a fault")
        need_text(spot, fault["message"], "message of a fault")


def check_rating(record: Json, table: Table, ranks: list[int]) -> None:
    """A forfeit moves the whole side of the seat to the shared last place of the rating."""
    need_list(Spot(), record["forfeits"], "forfeits")
    for seat in record["forfeits"]:
        need_int(Spot(), seat, "a forfeit's seat", 0, table.players - 1)
        Spot(seat=seat).need(record["forfeits"].count(seat) == 1, "forfeits twice")
    forfeited = {table.side_of[seat] for seat in record["forfeits"]}
    need_same(Spot(), record["rated_ranks"], rated_ranks(ranks, forfeited), "rated_ranks")
    Spot().need(type(record["rated"]) is bool, "rated is neither true nor false")


# --- files ---


def check_file(path: str | Path) -> int:
    """Check every line of a .jsonl or .jsonl.gz file; the number of games, all of them accepted."""
    path = Path(path)
    if not path.name.endswith((".jsonl", ".jsonl.gz")):
        raise ValueError(f"{path} is neither .jsonl nor .jsonl.gz")
    content = path.read_bytes()
    games = 0
    decks: dict[tuple[str, int], list[Any]] = {}
    try:
        lines = (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines()
        for line in lines:
            games += 1
            record = json.loads(line, object_pairs_hook=without_repeats)
            check(record)
            check_shared_deal(record, decks)
    except Refused as no:
        raise Refused(f"line {games}: {no.message}", no.hand, no.turn, no.seat) from no
    except (ValueError, EOFError, OSError, zlib.error) as broken:
        raise Refused(f"line {games}: not a game: {broken}") from broken
    return games


def without_repeats(pairs: list[tuple[str, Any]]) -> Json:
    """An object in which no key stands twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError(f"a key stands twice among {[key for key, _ in pairs]}")
    return dict(pairs)


def check_shared_deal(record: Json, decks: dict[tuple[str, int], list[Any]]) -> None:
    """Games of one deal at one kind of table share the police deck and all cards of the hands both played."""
    deals = [[hand["hidden"], [sorted(cards) for cards in hand["dealt"]]] for hand in record["hands"]]
    cards = [record["police"], *deals]
    known = decks.setdefault((record["table"], record["deal"]), cards)
    for number, (mine, theirs) in enumerate(zip(cards, known, strict=False)):
        spot = Spot(number) if number else Spot()
        spot.need(same(mine, theirs), f"other cards than in an earlier game of deal {record['deal']}")
    if len(cards) > len(known):
        decks[(record["table"], record["deal"])] = cards
