"""Deals: the police order of a game and the cards of each hand, from the deal's key alone."""

import numpy as np

from harness.compiled import kernel
from harness.game.chance import PIECES, draw_again, draw_pieces, scaled_piece, seat_key
from harness.game.layout import CHICAGO, NONE, PLACES, SEATS, TURN_PHASE

POLICE_STREAM = 1 << 20
"""Number of the stream that shuffles the police deck; hand h is dealt from stream h."""

_ONE = np.uint64(1)


@kernel
def shuffle(cards, count, pieces, at, key, stream):  # type: ignore[no-untyped-def]
    """Shuffle the first `count` of `cards` in place, every order equally likely (Durstenfeld 1964).

    The random bits are `pieces` from place `at` on, as `draw_pieces` made them from stream `stream` of `key`.
    """
    for last in range(count - 1, 0, -1):
        other, again = scaled_piece(pieces[at], last + 1)
        if again:
            other = draw_again(key, stream, at, last + 1)
        at += 1
        cards[last], cards[other] = cards[other], cards[last]


@kernel
def police_order(table, key):  # type: ignore[no-untyped-def]
    """Return the whole police deck in the order it would be turned up in the deal of `key`."""
    pieces = np.empty(PIECES, np.uint16)
    deck = np.empty(table["police_cards"], np.int64)
    for i in range(table["police_cards"]):
        deck[i] = table["police_deck"][i]
    draw_pieces(pieces, len(deck), key, POLICE_STREAM)
    shuffle(deck, len(deck), pieces, 0, key, POLICE_STREAM)
    return deck


@kernel
def begin_game(game, table, deal_key, bot_key):  # type: ignore[no-untyped-def]
    """Set a GAME record to the first decision of the game of this deal; keys are (2,) uint64."""
    game["deal_key"][0], game["deal_key"][1] = deal_key[0], deal_key[1]
    deck = police_order(table, deal_key)
    for i in range(5):
        game["police_order"][i] = deck[i] if i < len(deck) else NONE
        game["police"][i] = NONE
    game["silver"] = game["gold"] = 0
    game["events"] = game["hand"] = game["start"] = game["last_hand"] = game["extra"] = 0
    game["decided_by"] = NONE
    game["contenders"] = (1 << table["sides"]) - 1
    for seat in range(SEATS):
        game["money"][seat] = game["hand_money"][seat] = game["final_money"][seat] = 0
        game["banned"][seat] = 0
        plays = seat < table["players"]
        game["experts"][seat] = table["experts"] if plays else 0
        game["occasionals"][seat] = table["occasionals"] if plays else 0
        game["away"][seat, 0] = game["away"][seat, 1] = 0
        game["decisions"][seat] = 0
        game["ranks"][seat] = NONE
        game["keys"][seat] = seat_key(bot_key, seat)
    lay_row(game, table)
    begin_hand(game, table)


@kernel
def lay_row(game, table):  # type: ignore[no-untyped-def]
    """Lay the row of the first hand: cities by number, Chicago second."""
    for place in range(PLACES):
        game["row"][place] = NONE
    game["row"][0] = 0
    game["row"][1] = CHICAGO
    for city in range(1, table["cities"]):
        game["row"][city + 1] = city


@kernel
def move_chicago(game, table):  # type: ignore[no-untyped-def]
    """Swap Chicago with its right neighbour; at the far right it stays."""
    for place in range(table["cities"]):
        if game["row"][place] == CHICAGO:
            game["row"][place], game["row"][place + 1] = game["row"][place + 1], game["row"][place]
            return


@kernel
def begin_hand(game, table):  # type: ignore[no-untyped-def]
    """Deal the hand whose number stands in the game, clear the table and set the first seat to move."""
    deal_cards(game, table)
    game["revealed"] = 0
    for city in range(PLACES):
        game["last_shown"][city] = game["turned"][city] = game["leader"][city] = NONE
        game["most"][city] = 0
    for seat in range(SEATS):
        game["pool"][seat] = game["placed"][seat] = 0
        game["fresh_away"][seat, 0] = game["fresh_away"][seat, 1] = 0
        for city in range(PLACES):
            game["on_experts"][seat, city] = 0
            game["on_occasionals"][seat, city] = 0
    game["turn"] = 0
    game["phase"] = TURN_PHASE
    game["res_place"] = 0
    game["res_loss"] = NONE
    game["loss_city"] = game["loss_kind"] = NONE
    game["loss_seats"] = 0
    set_order(game, table)


@kernel
def deal_cards(game, table):  # type: ignore[no-untyped-def]
    """Hide one card of each city and deal the others evenly, by stream number `hand` of the deal's key."""
    pieces, deck, key, stream = game["pieces"], game["deck"], game["deal_key"], int(game["hand"])
    cities = int(table["cities"])
    draw_pieces(pieces, table["cards"], key, stream)
    count = 0
    for city in range(cities):
        first, cards = int(table["city_first"][city]), int(table["city_cards"][city])
        drawn, again = scaled_piece(pieces[city], cards)
        if again:
            drawn = draw_again(key, stream, city, cards)
        game["hidden"][city] = first + drawn
        for card in range(first, first + cards):
            if card != first + drawn:
                deck[count] = card
                count += 1
    shuffle(deck, count, pieces, cities, key, stream)
    hand_out(game, table)


@kernel
def hand_out(game, table):  # type: ignore[no-untyped-def]
    """Give each seat its run of the deck and count the backs."""
    for seat in range(SEATS):
        for city in range(table["cities"]):
            game["backs"][seat, city] = 0
        mask = np.uint64(0)
        if seat < table["players"]:
            for i in range(table["hand_size"]):
                card = int(game["deck"][seat * table["hand_size"] + i])
                mask |= _ONE << np.uint64(card)
                game["backs"][seat, int(table["card_city"][card])] += 1
        game["hands"][seat] = mask


@kernel
def set_order(game, table):  # type: ignore[no-untyped-def]
    """Fix the order of the turn that begins: clockwise; in the last turn by gangsters in supply, most first."""
    players = int(table["players"])
    for i in range(SEATS):
        game["order"][i] = (game["start"] + i) % players if i < players else NONE
    if game["turn"] == table["hand_size"] - 1:
        for i in range(1, players):
            seat = game["order"][i]
            supply = supply_of(game, table, seat)
            j = i - 1
            while j >= 0 and supply_of(game, table, game["order"][j]) < supply:
                game["order"][j + 1] = game["order"][j]
                j -= 1
            game["order"][j + 1] = seat
    game["position"] = 0
    game["to_move"] = game["order"][0]


@kernel
def supply_of(game, table, seat):  # type: ignore[no-untyped-def]
    """Return the gangsters in supply that order the last turn: the seat's, or by ruling its side's."""
    total = int(game["experts"][seat]) + int(game["occasionals"][seat])
    if table["order_by_side"] and table["teams"]:
        partner = (seat + 3) % 6
        total += int(game["experts"][partner]) + int(game["occasionals"][partner])
    return total
