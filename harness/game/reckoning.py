"""The reckoning of a hand: cities left to right, losses, the end of the hand, and the final standings.

In a team game a loss may wait for the partners' choice; the game then stands still in the loss phase and `reckon`
goes on from the same place once the choice has been made.
"""

from harness.compiled import kernel
from harness.game.deal import begin_hand, move_chicago
from harness.game.layout import (
    CHICAGO,
    LOSS_EVENT,
    LOSS_PHASE,
    NONE,
    OVER_PHASE,
    RESULT_EVENT,
    SEATS,
)
from harness.game.legal import strength

HOSPITAL, PRISON, REVOLVER, BANISHED, SHOOTOUT = 1, 2, 3, 4, 5
BY_MONEY, BY_LAST_HAND, BY_GANGSTERS, BY_EXTRA_HAND, SHARED = 0, 1, 2, 3, 4


@kernel
def begin_reckoning(game, table):  # type: ignore[no-untyped-def]
    """Count for each seat the experts that losses can take, and clear the payments."""
    for seat in range(table["players"]):
        experts = int(game["experts"][seat])
        for city in range(table["cities"]):
            experts += int(game["on_experts"][seat, city])
        game["pool"][seat] = experts + int(game["on_experts"][seat, CHICAGO])
    for side in range(SEATS):
        game["hand_money"][side] = 0


@kernel
def reckon(game, table, histories, g):  # type: ignore[no-untyped-def]
    """Resolve cities from where the reckoning stands to the end of the hand, or until a loss needs a choice."""
    while game["res_place"] <= table["cities"]:
        city = int(game["row"][game["res_place"]])
        winner = int(game["leader"][city])
        if game["res_loss"] == NONE:
            pay_city(game, table, histories, g, city, winner)
            game["res_loss"] = 0
        if city != CHICAGO and winner != NONE:
            kind = int(table["card_kind"][game["hidden"][city]])
            if not take_losses(game, table, histories, g, city, winner, kind):
                return
        game["res_place"] += 1
        game["res_loss"] = NONE
    end_hand(game, table)


@kernel
def chicago_sum(game, table):  # type: ignore[no-untyped-def]
    """Return what Chicago pays: half, rounded down, of what lies open last in each city left of it; at least 0."""
    total = 0
    for place in range(table["cities"] + 1):
        city = int(game["row"][place])
        if city == CHICAGO:
            break
        shown = int(game["last_shown"][city])
        if shown != NONE:
            total += int(table["chicago_value"][shown])
    return max(0, total) // 2


@kernel
def write_event(game, histories, g, kind, who, city, card, amount):  # type: ignore[no-untyped-def]
    """Append a result or a loss to the game's history."""
    event = histories[g, game["events"]]
    event["kind"] = kind
    event["hand"] = game["hand"]
    event["who"] = who
    event["city"] = city
    event["experts"] = event["occasionals"] = event["signal"] = 0
    event["card"] = card
    event["amount"] = amount
    game["events"] += 1


@kernel
def pay_city(game, table, histories, g, city, winner):  # type: ignore[no-untyped-def]
    """Turn up a city's card, pay its winner, banish it where the card says so, and write the result."""
    worth, card = 0, NONE
    if city == CHICAGO:
        worth = chicago_sum(game, table)
    else:
        card = int(game["hidden"][city])
        game["turned"][city] = card
        worth = int(table["card_value"][card])
    paid = worth if winner != NONE else 0
    if winner != NONE:
        game["hand_money"][winner] += paid
        if card != NONE and table["card_kind"][card] == BANISHED:
            game["banned"][winner] |= 1 << city
    write_event(game, histories, g, RESULT_EVENT, winner, city, card, paid)


@kernel
def take_losses(game, table, histories, g, city, winner, kind):  # type: ignore[no-untyped-def]
    """Take the experts a city's card costs; return False when a choice has to be made first."""
    if kind == SHOOTOUT:
        victims = table["players"] if table["shootout_by_seat"] else table["sides"]
    elif kind in (HOSPITAL, PRISON, REVOLVER):
        victims = 1
    else:
        victims = 0
    while game["res_loss"] < victims:
        index = int(game["res_loss"])
        if kind == SHOOTOUT and table["shootout_by_seat"]:
            payer = payer_for_seat(game, table, city, winner, index)
        else:
            side = index if kind == SHOOTOUT else winner
            if kind == SHOOTOUT and (side == winner or strength(game, table, city, side)[0] == 0):
                payer = NONE
            else:
                payer = payer_for_side(game, table, side)
                if payer == SEATS:
                    ask_for_loss(game, city, kind, side)
                    return False
        if payer != NONE:
            bear_loss(game, histories, g, city, kind, payer)
        game["res_loss"] += 1
    return True


@kernel
def payer_for_seat(game, table, city, winner, seat):  # type: ignore[no-untyped-def]
    """Return who pays a shoot-out counted by seat: the seat, else its partner, else NONE."""
    if seat % table["sides"] == winner:
        return NONE
    if int(game["on_experts"][seat, city]) + int(game["on_occasionals"][seat, city]) == 0:
        return NONE
    if game["pool"][seat] > 0:
        return seat
    partner = (seat + 3) % 6
    return partner if table["teams"] and game["pool"][partner] > 0 else NONE


@kernel
def payer_for_side(game, table, side):  # type: ignore[no-untyped-def]
    """Return the only seat of a side that can pay, NONE when nobody can, SEATS when partners must choose."""
    if not table["teams"]:
        return side if game["pool"][side] > 0 else NONE
    partner = side + 3
    if game["pool"][side] > 0:
        return SEATS if game["pool"][partner] > 0 else side
    return partner if game["pool"][partner] > 0 else NONE


@kernel
def ask_for_loss(game, city, kind, side):  # type: ignore[no-untyped-def]
    """Stop for a choice: the partner with more gangsters there decides; equal, the one nearer to the marker."""
    partner = side + 3
    near, far = side, partner
    if (partner - game["start"]) % 6 < (side - game["start"]) % 6:
        near, far = partner, side
    on_near = int(game["on_experts"][near, city]) + int(game["on_occasionals"][near, city])
    on_far = int(game["on_experts"][far, city]) + int(game["on_occasionals"][far, city])
    game["to_move"] = far if on_far > on_near else near
    game["phase"] = LOSS_PHASE
    game["loss_city"] = city
    game["loss_kind"] = kind
    game["loss_seats"] = (1 << side) | (1 << partner)


@kernel
def bear_loss(game, histories, g, city, kind, seat):  # type: ignore[no-untyped-def]
    """Take one expert of a seat: for the next hand, the next two, or for good."""
    game["pool"][seat] -= 1
    if kind == HOSPITAL:
        game["fresh_away"][seat, 0] += 1
    elif kind == PRISON:
        game["fresh_away"][seat, 1] += 1
    write_event(game, histories, g, LOSS_EVENT, seat, city, kind, 0)


@kernel
def end_hand(game, table):  # type: ignore[no-untyped-def]
    """Take gangsters back, book the money, and begin the next hand or end the game."""
    for seat in range(table["players"]):
        away = game["away"][seat]
        game["experts"][seat] = int(game["pool"][seat]) + int(away[0])
        away[0] = int(away[1]) + int(game["fresh_away"][seat, 0])
        away[1] = game["fresh_away"][seat, 1]
    for side in range(table["sides"]):
        game["money"][side] += game["hand_money"][side]
        if not table["negative_money"] and game["money"][side] < 0:
            game["money"][side] = 0
    if game["last_hand"]:
        rank_sides(game, table)
        if game["phase"] == OVER_PHASE:
            return
        game["extra"] += 1
    game["hand"] += 1
    game["start"] = (game["start"] + 1) % table["players"]
    move_chicago(game, table)
    begin_hand(game, table)


@kernel
def gangsters_left(game, table, side):  # type: ignore[no-untyped-def]
    """Return the experts able to play in the next hand plus unspent occasionals (by ruling also absent experts)."""
    total = 0
    for seat in range(side, table["players"], table["sides"]):
        total += int(game["experts"][seat]) + int(game["occasionals"][seat])
        if table["counts_absent"]:
            total += int(game["away"][seat, 0]) + int(game["away"][seat, 1])
    return total


@kernel
def compare(game, table, a, b, use_money):  # type: ignore[no-untyped-def]
    """Return which key sets side a before b (1 money, 2 last hand, 3 gangsters; negative: behind; 0 level)."""
    if use_money and game["money"][a] != game["money"][b]:
        return 1 if game["money"][a] > game["money"][b] else -1
    if game["hand_money"][a] != game["hand_money"][b]:
        return 2 if game["hand_money"][a] > game["hand_money"][b] else -2
    left_a, left_b = gangsters_left(game, table, a), gangsters_left(game, table, b)
    if left_a != left_b:
        return 3 if left_a > left_b else -3
    return 0


@kernel
def rank_sides(game, table):  # type: ignore[no-untyped-def]
    """Rank the sides that still contend; end the game unless first place is level and an extra hand is left."""
    contenders = int(game["contenders"])
    regular = game["extra"] == 0
    level, key = 0, 0
    for a in range(table["sides"]):
        if not (contenders >> a) & 1:
            continue
        rank = 1
        for b in range(table["sides"]):
            if (contenders >> b) & 1 and b != a and compare(game, table, a, b, regular) < 0:
                rank += 1
        game["ranks"][a] = rank
        if rank == 1:
            level |= 1 << a
            for b in range(table["sides"]):
                if (contenders >> b) & 1 and b != a:
                    key = max(key, compare(game, table, a, b, regular))
    if regular:
        for side in range(table["sides"]):
            game["final_money"][side] = game["money"][side]
    settle_first_place(game, table, level, key, regular)


@kernel
def settle_first_place(game, table, level, key, regular):  # type: ignore[no-untyped-def]
    """End the game when one side is first or no extra hand is left; else leave the level sides to contend."""
    game["contenders"] = level
    if level & (level - 1) == 0:
        game["decided_by"] = (key - 1) if regular else BY_EXTRA_HAND
        game["phase"] = OVER_PHASE
    elif game["extra"] >= table["max_extra"]:
        game["decided_by"] = SHARED
        game["phase"] = OVER_PHASE
