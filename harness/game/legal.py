"""What a seat may do: legality of a turn, all legal placements, and the default turn.

Every kernel takes `board`, a GAME or an OBSERVATION record: both hold the public fields these rules need.
"""

import numpy as np

from harness.compiled import kernel
from harness.game.layout import CHICAGO, NONE

_M1 = np.uint64(0x5555555555555555)
_M2 = np.uint64(0x3333333333333333)
_M4 = np.uint64(0x0F0F0F0F0F0F0F0F)
_ONE, _TWO, _FOUR, _EIGHT, _SIXTEEN, _THIRTY_TWO = (np.uint64(1 << n) for n in range(6))
_BYTE = np.uint64(0xFF)

LEGAL = 0
WHY_ILLEGAL = (
    "legal",
    "the card to reveal is not in the hand",
    "there is no such city at this table",
    "a placement needs at least one gangster, and no fewer than zero of either kind",
    "more experts than there are in supply",
    "more occasionals than there are in supply",
    "the side is banished from this city",
    "Chicago needs an earlier turn of this hand that placed on another city",
    "the side would not have strictly more gangsters there than every other side",
    "an occasional needs an expert of the same side in the city",
    "a signal must be 0 to 255",
    "only a team game with open talk lets a turn carry a signal",
)
"""Sentences for the codes of `why_illegal`, by code."""


@kernel
def popcount(mask):  # type: ignore[no-untyped-def]
    """Return how many cards a mask holds."""
    mask = mask - ((mask >> _ONE) & _M1)
    mask = (mask & _M2) + ((mask >> _TWO) & _M2)
    mask = (mask + (mask >> _FOUR)) & _M4
    mask = mask + (mask >> _EIGHT)  # folded, not multiplied: a product that wraps would warn when uncompiled
    mask = mask + (mask >> _SIXTEEN)
    return np.int64((mask + (mask >> _THIRTY_TWO)) & _BYTE)


@kernel
def holds(mask, card):  # type: ignore[no-untyped-def]
    """Return whether `mask` holds the card of this number."""
    return (mask >> np.uint64(card)) & _ONE != np.uint64(0)


@kernel
def side_of(table, seat):  # type: ignore[no-untyped-def]
    """Return the side of a seat (without a division, which would cost more than the rest of a look at a city)."""
    return seat - 3 if seat >= 3 and table["teams"] else seat


@kernel
def strength(board, table, city, side):  # type: ignore[no-untyped-def]
    """Return (gangsters, experts) that a side has on a city."""
    experts = int(board["on_experts"][side, city])
    total = experts + int(board["on_occasionals"][side, city])
    if table["teams"]:
        partner = int(board["on_experts"][side + 3, city])
        experts += partner
        total += partner + int(board["on_occasionals"][side + 3, city])
    return total, experts


@kernel
def has_placed_elsewhere(board, table, seat):  # type: ignore[no-untyped-def]
    """Return whether the seat (by ruling: its side) has placed on a city other than Chicago in this hand."""
    placed = int(board["placed"][seat])
    if table["chicago_by_side"] and table["teams"]:
        placed |= int(board["placed"][(seat + 3) % 6])
    return placed & ((1 << CHICAGO) - 1) != 0


@kernel
def is_open(board, table, seat, city):  # type: ignore[no-untyped-def]
    """Return whether the seat may place on this city at all: not banished, and Chicago only after another."""
    if (int(board["banned"][side_of(table, seat)]) >> city) & 1:
        return False
    return city != CHICAGO or has_placed_elsewhere(board, table, seat)


@kernel
def why_illegal_placement(board, table, seat, city, experts, occasionals):  # type: ignore[no-untyped-def]
    """Return LEGAL or the number of the sentence in WHY_ILLEGAL that forbids this placement."""
    if not (0 <= city < table["cities"] or city == CHICAGO):
        return 2
    if experts < 0 or occasionals < 0 or experts + occasionals < 1:
        return 3
    if experts > board["experts"][seat]:
        return 4
    if occasionals > board["occasionals"][seat]:
        return 5
    if (int(board["banned"][side_of(table, seat)]) >> city) & 1:
        return 6
    if city == CHICAGO and not has_placed_elsewhere(board, table, seat):
        return 7
    need, own_experts = least_to_lead(board, table, seat, city)
    if experts + occasionals < need:
        return 8
    if occasionals > 0 and own_experts + experts < 1:
        return 9
    return LEGAL


@kernel
def why_illegal(board, table, seat, own_cards, turn):  # type: ignore[no-untyped-def]
    """Return LEGAL or the number of the sentence in WHY_ILLEGAL that forbids this TURN."""
    card = int(turn["card"])
    if not 0 <= card < table["cards"] or not holds(own_cards, card):
        return 1
    signal = int(turn["signal"])
    if signal < 0 or signal > 255:
        return 10
    if signal != 0 and not table["talk"]:
        return 11
    if turn["city"] == NONE:
        return LEGAL if turn["experts"] == 0 and turn["occasionals"] == 0 else 2
    return why_illegal_placement(board, table, seat, int(turn["city"]), int(turn["experts"]), int(turn["occasionals"]))


@kernel
def least_to_lead(board, table, seat, city):  # type: ignore[no-untyped-def]
    """Return (gangsters the seat must place at least to lead here, own experts of its side there)."""
    side = side_of(table, seat)
    own, own_experts = strength(board, table, city, side)
    if board["leader"][city] == side:
        return 1, own_experts
    return int(board["most"][city]) + 1 - own, own_experts


@kernel
def triangle(n):  # type: ignore[no-untyped-def]
    """Return 1 + 2 + ... + n; 0 for n below 1."""
    n = max(0, n)
    return n * (n + 1) // 2


@kernel
def count_placements(board, table, seat, city):  # type: ignore[no-untyped-def]
    """Return how many (experts, occasionals) the seat may legally place on this city."""
    if not is_open(board, table, seat, city):
        return 0
    need, own_experts = least_to_lead(board, table, seat, city)
    experts, occasionals = int(board["experts"][seat]), int(board["occasionals"][seat])
    if need > experts + occasionals:
        return 0
    count = (
        (experts + 1) * (occasionals + 1)
        - triangle(need)  # pairs below need; those beyond the supply are no pairs
        + triangle(need - experts - 1)
        + triangle(need - occasionals - 1)
        - triangle(need - experts - occasionals - 2)
    )
    if own_experts == 0:
        count -= max(0, occasionals + 1 - need)  # occasionals without an expert
    return count


@kernel
def pick_placement(board, table, seat, city, index):  # type: ignore[no-untyped-def]
    """Return (experts, occasionals) of the legal placement number `index` on a city: fewest experts first."""
    need, own_experts = least_to_lead(board, table, seat, city)
    experts, occasionals = int(board["experts"][seat]), int(board["occasionals"][seat])
    for e in range(experts + 1):
        most = occasionals if own_experts + e > 0 else 0
        least = max(0, need - e)
        here = max(0, most - least + 1)
        if index < here:
            return e, least + index
        index -= here
    return 0, 0


@kernel
def cheapest_placement(board, table, seat, city):  # type: ignore[no-untyped-def]
    """Return (experts, occasionals) that lead this city with fewest gangsters, experts first; (0, 0): impossible."""
    if not is_open(board, table, seat, city):
        return 0, 0
    need, own_experts = least_to_lead(board, table, seat, city)
    experts = min(need, int(board["experts"][seat]))
    occasionals = need - experts
    if occasionals > board["occasionals"][seat] or (occasionals > 0 and own_experts + experts < 1):
        return 0, 0
    return experts, occasionals


@kernel
def nth_card(mask, index):  # type: ignore[no-untyped-def]
    """Return the number of the card at `index` among those in `mask`, lowest first."""
    for _ in range(index):
        mask &= mask - _ONE
    return popcount((mask & ~(mask - _ONE)) - _ONE)


@kernel
def plainest_card(board, table, own_cards):  # type: ignore[no-untyped-def]
    """Return the default card: of the city in hand with most cards unrevealed (lower number), its first card."""
    best, best_left = NONE, -1
    for city in range(table["cities"]):
        mine = own_cards & table["city_mask"][city]
        if mine != np.uint64(0):
            left = int(table["city_cards"][city]) - popcount(board["revealed"] & table["city_mask"][city])
            if left > best_left:
                best, best_left = nth_card(mine, 0), left
    return best


@kernel
def write_turn(turn, card, city, experts, occasionals):  # type: ignore[no-untyped-def]
    """Write a turn without a signal into a TURN record; city NONE places nothing."""
    turn["card"] = card
    turn["city"] = city
    turn["experts"] = experts
    turn["occasionals"] = occasionals
    turn["signal"] = 0
