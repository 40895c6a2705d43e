"""Random games for the referee's own tests, played on the referee's table: no part of the oracle."""

import copy
import random
from collections.abc import Iterable
from typing import Any

from referee import (
    CHICAGO,
    FORMAT,
    OFFICIAL,
    TEAMS_OF_SIX,
    Json,
    Table,
    decided_by,
    leaders,
    ranks_of,
    rated_ranks,
    regular_hands,
    row_in,
)

FACES = {
    "new_york": ["0", "1", "2", "3"],
    "boston": ["3", "3", "hospital", "prison"],
    "detroit": ["1", "2", "3", "4", "revolver"],
    "kansas_city": ["2", "3", "revolver"],
    "cincinnati": ["1", "2", "3", "banished"],
    "memphis": ["1", "2", "3", "hospital"],
    "philadelphia": ["3", "prison", "revolver"],
    "st_louis": ["1", "2", "4", "shootout", "theft"],
}
DEFAULT_SETS = {2: "123", 3: "12345", 4: "1234567", 5: "1234567", 6: "12345678"}
POLICE = ["both", "gold", "gold", "silver", "silver"]
RULINGS = {
    "last_turn_order": "seat",
    "chicago_after": "seat",
    "shootout_per": "side",
    "talk": "open",
    "negative_money": True,
    "tiebreak_counts_absent": False,
    "chicago_theft": 0,
    "chicago_shootout": 4,
    "max_extra_hands": 3,
}


def rules_for(players: int, numbers: str = "", **changes: Any) -> Json:
    """The official rules for so many players and the set of cities with these numbers, then the changes."""
    cities = [OFFICIAL[int(number) - 1] for number in numbers or DEFAULT_SETS[players]]
    return {
        "players": players,
        "hand_size": 5 if players <= 4 else 4,
        "experts": 6 if players < 6 else 5,
        "occasionals": 3 if players < 6 else 2,
        "cities": cities,
        "card_faces": {city: list(FACES[city]) for city in cities},
        "police_deck": list(POLICE),
        "teams": [list(team) for team in TEAMS_OF_SIX] if players == 6 else None,
        **RULINGS,
        **changes,
    }


def designed_rules(rng: random.Random, players: int, **changes: Any) -> Json:
    """A designer's cards: any cities, sizes, faces, pieces and police deck that the arithmetic allows."""
    cities = [f"town_{number}" for number in range(rng.randint(1, 12))]
    size = min(rng.randint(3, 10), (64 - len(cities)) // players)
    faces = ["hospital", "prison", "revolver", "banished", "shootout", "theft", "-3", "0", "1", "12"]
    counts = dict.fromkeys(cities, 1)
    for _ in range(players * size):
        counts[rng.choice(cities)] += 1
    return rules_for(players) | {
        "hand_size": size,
        "experts": rng.randint(0, 8),
        "occasionals": rng.randint(0, 4),
        "cities": cities,
        "card_faces": {city: rng.choices(faces, k=count) for city, count in counts.items()},
        "police_deck": sorted(["gold", "gold", *rng.choices(["both", "gold"], k=rng.randint(1, 3))]),
        **changes,
    }


def play_random(rules: Json, rng: random.Random, boldness: float = 0.7) -> Json:
    """A game of random legal turns; boldness is the chance to look for a placement in a turn."""
    table, police = Table(rules), list(rules["police_deck"])
    rng.shuffle(police)
    count = regular_hands(police)
    hands = [play_hand(table, card, rng, boldness) for card in police[:count]]
    money = list(table.money)
    sides = range(len(table.teams))
    keys = [[table.money[side], table.won[side], table.gangsters_left(side)] for side in sides]
    while len(leaders(keys)) > 1 and len(hands) < count + rules["max_extra_hands"]:
        level = leaders(keys)
        hands.append(play_hand(table, None, rng, boldness) | {"extra": True})
        for side in level:
            keys[side] += [table.won[side], table.gangsters_left(side)]
    ranks = ranks_of(keys)
    final = {
        "money": money,
        "ranks": ranks,
        "winners": leaders(keys),
        "hands": len(hands),
        "decided_by": decided_by(keys, len(hands) - count),
    }
    return record_of(rules, police, hands, final)


def record_of(rules: Json, police: list[str], hands: list[Json], final: Json) -> Json:
    """The record of a game without faults and forfeits."""
    return {
        "format": FORMAT,
        "game": 0,
        "deal": 0,
        "table": "test",
        "rules": copy.deepcopy(rules),
        "bots": [{"name": f"bot{seat}", "version": "0"} for seat in range(rules["players"])],
        "police": police,
        "hands": hands,
        "final": final,
        "faults": [],
        "forfeits": [],
        "rated_ranks": rated_ranks(final["ranks"], set()),
        "rated": True,
    }


def deal_hand(rules: Json, rng: random.Random) -> tuple[dict[str, str], list[list[str]]]:
    """The hidden face of each city and the cards of each seat."""
    hidden = {city: rng.choice(rules["card_faces"][city]) for city in rules["cities"]}
    pool = [f"{city}:{face}" for city in rules["cities"] for face in rules["card_faces"][city]]
    for city, face in hidden.items():
        pool.remove(f"{city}:{face}")
    rng.shuffle(pool)
    size = rules["hand_size"]
    return hidden, [pool[seat * size : (seat + 1) * size] for seat in range(rules["players"])]


def play_hand(table: Table, police: str | None, rng: random.Random, boldness: float) -> Json:
    """One hand: deal, turns, reckoning."""
    rules = table.rules
    table.open_hand()
    hidden, dealt = deal_hand(rules, rng)
    held = [list(cards) for cards in dealt]
    turns = []
    for number in range(1, rules["hand_size"] + 1):
        for seat in table.order(number):
            turns.append(play_turn(table, seat, held[seat], rng, boldness))

    def payer(able: list[int], _kind: str) -> int:
        return rng.choice(able)

    results = [table.reckon(city, hidden.get(city), payer) for city in table.row]
    table.close_hand()
    return {
        "start": table.start,
        "row": row_in(rules["cities"], table.hand),
        "hidden": hidden,
        "dealt": dealt,
        "police": police,
        "turns": turns,
        "results": results,
        "money": list(table.money),
    }


def play_turn(table: Table, seat: int, held: list[str], rng: random.Random, boldness: float) -> Json:
    """Mostly small placements, so that many of them happen."""
    place = None
    for city in rng.sample([*table.rules["cities"], CHICAGO], len(table.row)):
        if rng.random() < boldness and (place := smallest(table, seat, city, rng)):
            table.place(seat, **place)
            break
    card = held.pop(rng.randrange(len(held)))
    table.reveal(card)
    turn = {"seat": seat, "place": place, "reveal": card}
    if table.rules["teams"] and table.rules["talk"] == "open" and rng.random() < 0.3:
        turn["signal"] = rng.randint(1, 255)
    return turn


def smallest(table: Table, seat: int, city: str, rng: random.Random) -> Json | None:
    """A legal placement of few gangsters, None if there is none."""
    for total in range(1, 12):
        mixes = list(range(total + 1))
        for occasionals in rng.sample(mixes, len(mixes)):
            if table.placement_fault(seat, city, total - occasionals, occasionals) is None:
                return {"city": city, "experts": total - occasionals, "occasionals": occasionals}
    return None


def many(rules: Json, seeds: Iterable[int], boldness: float = 0.7) -> list[Json]:
    """One game a seed."""
    return [play_random(rules, random.Random(seed), boldness) for seed in seeds]
