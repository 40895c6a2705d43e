"""The engine: take a turn or a loss's choice, and move a game on to its next decision.

The batch forms at the end play rows of a whole array of games; they are what the lockstep calls.
"""

import numpy as np

from harness.compiled import kernel
from harness.game.deal import begin_game, set_order
from harness.game.layout import NONE, OVER_PHASE, POLICE_NAMES, TURN_EVENT, TURN_PHASE
from harness.game.legal import LEGAL, holds, plainest_card, side_of, strength, why_illegal, write_turn
from harness.game.reckoning import bear_loss, begin_reckoning, reckon

SILVER, GOLD, BOTH = range(len(POLICE_NAMES))
_ONE = np.uint64(1)

VERDICT = 4
"""Numbers in a verdict on an answer: why it is illegal, and if so in which hand and turn of which seat."""

ILLEGAL_LOSS = 100
"""Code of a loss's answer that names no seat that can bear it."""


@kernel
def play_turn(game, table, histories, g, turn):  # type: ignore[no-untyped-def]
    """Play a legal TURN of the seat to move: place, reveal, write it down; the game moves on no further."""
    seat = int(game["to_move"])
    city = int(turn["city"])
    if city != NONE:
        game["experts"][seat] -= turn["experts"]
        game["occasionals"][seat] -= turn["occasionals"]
        game["on_experts"][seat, city] += turn["experts"]
        game["on_occasionals"][seat, city] += turn["occasionals"]
        side = side_of(table, seat)
        game["placed"][seat] |= 1 << city
        game["leader"][city] = side
        game["most"][city] = strength(game, table, city, side)[0]
    card = int(turn["card"])
    bit = _ONE << np.uint64(card)
    own = int(table["card_city"][card])
    game["hands"][seat] ^= bit
    game["revealed"] |= bit
    game["backs"][seat, own] -= 1
    game["last_shown"][own] = card
    game["decisions"][seat] += 1
    event = histories[g, game["events"]]
    event["kind"] = TURN_EVENT
    event["hand"] = game["hand"]
    event["who"] = seat
    event["city"] = city
    event["experts"] = turn["experts"]
    event["occasionals"] = turn["occasionals"]
    event["card"] = card
    event["signal"] = turn["signal"]
    event["amount"] = 0
    game["events"] += 1


@kernel
def move_on(game, table, histories, g):  # type: ignore[no-untyped-def]
    """Go to the next seat, turn, hand or the end after a turn was played."""
    game["position"] += 1
    if game["position"] < table["players"]:
        game["to_move"] = game["order"][game["position"]]
        return
    game["turn"] += 1
    if table["hand_size"] - game["turn"] == 2 and game["extra"] == 0:
        turn_up_police(game)
    if game["turn"] < table["hand_size"]:
        set_order(game, table)
    else:
        begin_reckoning(game, table)
        reckon(game, table, histories, g)


@kernel
def turn_up_police(game):  # type: ignore[no-untyped-def]
    """Turn up this hand's police card; three badges of a colour make this hand the last."""
    card = game["police_order"][game["hand"]]
    game["police"][game["hand"]] = card
    game["silver"] += card != GOLD
    game["gold"] += card != SILVER
    if game["silver"] >= 3 or game["gold"] >= 3:
        game["last_hand"] = 1


@kernel
def choose_payer(game, table, histories, g, seat):  # type: ignore[no-untyped-def]
    """Let `seat` bear the loss the game waits for, and go on reckoning."""
    game["decisions"][game["to_move"]] += 1
    game["phase"] = TURN_PHASE
    bear_loss(game, histories, g, game["loss_city"], game["loss_kind"], seat)
    game["loss_city"] = game["loss_kind"] = NONE
    game["loss_seats"] = 0
    game["res_loss"] += 1
    reckon(game, table, histories, g)


@kernel
def begin_games(games, table, deal_keys, bot_keys, asks):  # type: ignore[no-untyped-def]
    """Begin each of `games`, (G,) GAME, from its keys, both (G, 2) uint64; set `asks`, (G,) int8, as by `asked_of`."""
    for g in range(len(games)):
        begin_game(games[g], table, deal_keys[g], bot_keys[g])
        asks[g] = asked_of(games[g])


@kernel
def asked_of(game):  # type: ignore[no-untyped-def]
    """Return what a game asks: 2 * seat + (1 for a loss's choice), NONE when it is over."""
    return NONE if game["phase"] == OVER_PHASE else 2 * int(game["to_move"]) + int(game["phase"])


@kernel
def apply_turns(games, table, histories, rows, turns, verdicts, asks):  # type: ignore[no-untyped-def]
    """Play `turns[i]` in game `rows[i]`; an illegal one is replaced by the default turn. Sets ``asks[rows[i]]``.

    verdicts (n, VERDICT) int16: for each turn its code in WHY_ILLEGAL and, where that is not LEGAL, hand, turn and
    seat, hand and turn from 1. Returns how many were illegal.
    """
    illegal = 0
    for i in range(len(rows)):
        g = rows[i]
        game = games[g]
        seat = int(game["to_move"])
        code = why_illegal(game, table, seat, game["hands"][seat], turns[i])
        verdicts[i, 0] = code
        if code != LEGAL:
            illegal += 1
            verdicts[i, 1], verdicts[i, 2], verdicts[i, 3] = game["hand"] + 1, game["turn"] + 1, seat
            write_turn(turns[i], plainest_card(game, table, game["hands"][seat]), NONE, 0, 0)
        play_turn(game, table, histories, g, turns[i])
        move_on(game, table, histories, g)
        asks[g] = asked_of(game)
    return illegal


@kernel
def apply_losses(games, table, histories, rows, seats, verdicts, asks):  # type: ignore[no-untyped-def]
    """Let `seats[i]` bear the loss game `rows[i]` waits for; a seat that cannot is replaced by the first that can.

    verdicts and asks as in `apply_turns`, with turn 0 and the code ILLEGAL_LOSS. Returns how many were replaced.
    """
    illegal = 0
    for i in range(len(rows)):
        g = rows[i]
        game = games[g]
        able = np.uint64(game["loss_seats"])
        verdicts[i, 0] = LEGAL
        if not 0 <= seats[i] < 6 or not holds(able, seats[i]):
            illegal += 1
            verdicts[i, 0], verdicts[i, 1] = ILLEGAL_LOSS, game["hand"] + 1
            verdicts[i, 2], verdicts[i, 3] = 0, game["to_move"]
            seats[i] = first_seat(able)
        choose_payer(game, table, histories, g, int(seats[i]))
        asks[g] = asked_of(game)
    return illegal


@kernel
def first_seat(mask):  # type: ignore[no-untyped-def]
    """Return the lowest seat in a mask of seats."""
    seat = 0
    while not holds(mask, seat):
        seat += 1
    return seat


@kernel
def sort_questions(asks, running, seatings, rows, bounds):  # type: ignore[no-untyped-def]
    """Group the games still running by what is asked: 2 * bot + (1 for a loss's choice), smallest first.

    asks (G,) int8: what each game asks, see `asked_of`; games themselves are not looked at, they are long. running (n,)
    int64: games to look at; those that are over are dropped from its front part. seatings (G, 6): the bot in each
    seat. rows (n,) int64: filled with the games in groups. bounds (groups + 1,) int64: group q is
    ``rows[bounds[q]:bounds[q + 1]]``. Returns how many games still run.
    """
    bounds[:] = 0
    going = 0
    for i in range(len(running)):
        g = running[i]
        if asks[g] != NONE:
            running[going] = g
            going += 1
            bounds[question_of(asks[g], seatings[g]) + 1] += 1
    for question in range(1, len(bounds)):
        bounds[question] += bounds[question - 1]
    for i in range(going - 1, -1, -1):
        g = running[i]
        question = question_of(asks[g], seatings[g])
        bounds[question + 1] -= 1
        rows[bounds[question + 1]] = g
    for question in range(1, len(bounds) - 1):
        bounds[question] = bounds[question + 1]
    bounds[len(bounds) - 1] = going
    return going


@kernel
def question_of(asked, seating):  # type: ignore[no-untyped-def]
    """Return 2 * bot + (1 for a loss's choice) for what a game asks, its seats taken by `seating`, (6,)."""
    return 2 * int(seating[asked >> 1]) + (asked & 1)
