"""Balance sums of games, counted from their public histories: what cities cost and bring, and places in the hand."""

import numpy as np
from numpy.typing import NDArray

from harness.compiled import kernel
from harness.game.layout import CHICAGO, LOSS_EVENT, NONE, PLACES, SEATS, TURN_EVENT
from harness.game.reckoning import BANISHED, HOSPITAL, PRISON
from harness.game.rules import Rules
from harness.game.state import max_hands

SIXTIETHS = 60

CITY_SUMS = (
    "hands", "captured", "paid", "spent_won", "spent_lost", "bidders", "hospital", "prison", "killed", "banished"
)  # fmt: skip
"""Per city: hands it stood in, hands somebody won it, money paid, gangsters the winner and all others had there, sides
with gangsters there, experts lost to it by kind, banishments. For Chicago by hand: the first six."""

PLACE_SUMS = ("hands", "paid", "best", "spent")
"""Per place from the start marker: hands, money, hands won (sixtieths, level ones shared), gangsters placed."""

Sums = NDArray[np.int64]


def new_sums(rules: Rules, blocks: int) -> tuple[Sums, Sums, Sums]:
    """Return zeroed sums by block: per city (B, 13, CITY_SUMS), Chicago by hand (B, hands, CITY_SUMS), places."""
    return (
        np.zeros((blocks, PLACES, len(CITY_SUMS)), np.int64),
        np.zeros((blocks, max_hands(rules), len(CITY_SUMS)), np.int64),
        np.zeros((blocks, SEATS, len(PLACE_SUMS)), np.int64),
    )


@kernel
def tally(games, histories, counted, blocks, table, cities, chicago, places):  # type: ignore[no-untyped-def]
    """Add the games for which `counted` is true to the sums of their block, ``blocks[g]``.

    games (G,) GAME, histories (G, E) EVENT, counted (G,) bool, blocks (G,) int64; the sums as from `new_sums`.
    """
    on = np.zeros((SEATS, PLACES), np.int64)
    money = np.zeros(SEATS, np.int64)
    sides = int(table["sides"])
    for g in range(len(games)):
        if not counted[g]:
            continue
        block = blocks[g]
        resolved = 0
        for e in range(int(games[g]["events"])):
            event = histories[g, e]
            city = int(event["city"])
            if event["kind"] == TURN_EVENT:
                if city != NONE:
                    on[event["who"] % sides, city] += int(event["experts"]) + int(event["occasionals"])
            elif event["kind"] == LOSS_EVENT:
                cities[block, city, loss_column(event["card"])] += 1
            else:
                add_city(event, table, on, cities, block, city)
                if city == CHICAGO:
                    add_city(event, table, on, chicago, block, int(event["hand"]))
                if event["who"] != NONE:
                    money[event["who"]] += event["amount"]
                resolved += 1
                if resolved == table["cities"] + 1:
                    add_places(event, table, on, money, places, block)
                    on[:, :] = 0
                    money[:] = 0
                    resolved = 0


@kernel
def loss_column(kind):  # type: ignore[no-untyped-def]
    """Return the column of CITY_SUMS that counts losses of this kind."""
    if kind == HOSPITAL:
        return 6
    return 7 if kind == PRISON else 8


@kernel
def add_city(event, table, on, sums, block, index):  # type: ignore[no-untyped-def]
    """Add one result to ``sums[block, index]``."""
    winner, city = int(event["who"]), int(event["city"])
    sums[block, index, 0] += 1
    if winner == NONE:
        return
    sums[block, index, 1] += 1
    sums[block, index, 2] += event["amount"]
    for side in range(table["sides"]):
        sums[block, index, 3 if side == winner else 4] += on[side, city]
        sums[block, index, 5] += on[side, city] > 0
    if city != CHICAGO and table["card_kind"][event["card"]] == BANISHED:
        sums[block, index, 9] += 1


@kernel
def add_places(event, table, on, money, sums, block):  # type: ignore[no-untyped-def]
    """Add one hand to the sums of places; the marker starts on seat 0 and moves on each hand."""
    sides = int(table["sides"])
    start = int(event["hand"]) % int(table["players"])
    best, level = money[0], 0
    for side in range(1, sides):
        best = max(best, money[side])
    for side in range(sides):
        level += money[side] == best
    for side in range(sides):
        place = (side - start) % sides
        sums[block, place, 0] += 1
        sums[block, place, 1] += money[side]
        if money[side] == best:
            sums[block, place, 2] += SIXTIETHS // level
        for city in range(PLACES):
            sums[block, place, 3] += on[side, city]
