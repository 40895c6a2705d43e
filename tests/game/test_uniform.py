"""Deals and police orders: uniform by chi-square over many deals, the ends of games exactly by enumeration.

All seeds are fixed, so these tests give the same numbers every time; p above 1e-4 is asked of each.
"""

import itertools
from collections import Counter
from functools import cache

import numpy as np
import pytest
from game.tables import keys
from numpy.typing import NDArray
from scipy.stats import chisquare

from harness.compiled import kernel
from harness.game.chance import PIECES, draw_again, draw_pieces
from harness.game.deal import deal_cards, police_order
from harness.game.engine import begin_games, turn_up_police
from harness.game.layout import POLICE_NAMES
from harness.game.rules import Rules, usual_rules
from harness.game.state import GAME, Array, table_of

DEALS = 200_000
CHUNK = 20_000
LEAST_P = 1e-4

# -- deals ------------------------------------------------------------------------------------------------------------


@kernel
def deal_hand(games, table, hand):  # type: ignore[no-untyped-def]
    """Deal hand number `hand` of each game."""
    for g in range(len(games)):
        games[g]["hand"] = hand
        deal_cards(games[g], table)


@kernel
def turn_up_to_the_end(games):  # type: ignore[no-untyped-def]
    """Turn up police cards, one a hand, until the game's last hand; `hand` is then its number, from 0."""
    for g in range(len(games)):
        games[g]["hand"] = 0
        turn_up_police(games[g])
        while not games[g]["last_hand"]:
            games[g]["hand"] += 1
            turn_up_police(games[g])


@cache
def deals(players: int) -> dict[str, NDArray[np.int64]]:
    """Deal many games: hidden cards and decks of the first and the fourth hand, police orders, and how they end."""
    rules = usual_rules(players)
    table, all_keys = table_of(rules), keys(f"uniform {players}", DEALS)
    columns: dict[str, list[Array]] = {}
    for first in range(0, DEALS, CHUNK):
        games, own = np.zeros(CHUNK, GAME), all_keys[first : first + CHUNK]
        begin_games(games, table, own, own, np.zeros(len(games), np.int8))
        told = {"hidden": games["hidden"].copy(), "deck": games["deck"].copy(), "police": games["police_order"].copy()}
        deal_hand(games, table, 3)
        told |= {"hidden, hand 4": games["hidden"].copy(), "deck, hand 4": games["deck"].copy()}
        turn_up_to_the_end(games)
        told |= {name: games[name].copy() for name in ("hand", "silver", "gold")}
        for name, values in told.items():
            columns.setdefault(name, []).append(values)
    return {name: np.concatenate(values) for name, values in columns.items()}


def check_even(counts: NDArray[np.int64] | list[int], expected: NDArray[np.float64] | None = None) -> None:
    """Fail when counts are less likely than LEAST_P under the expected ones (None: all equal)."""
    counts = np.asarray(counts).ravel()
    expected = np.full(len(counts), counts.sum() / len(counts)) if expected is None else expected.ravel()
    assert expected.min() > 5
    assert chisquare(counts, expected).pvalue > LEAST_P


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("hidden", ["hidden", "hidden, hand 4"])
def test_hidden_cards_are_uniform(players: int, hidden: str) -> None:
    table, cards = table_of(usual_rules(players)), deals(players)[hidden]
    for city in range(table["cities"]):
        first, count = int(table["city_first"][city]), int(table["city_cards"][city])
        check_even(np.bincount(cards[:, city] - first, minlength=count))


@pytest.mark.parametrize("players", [4, 6])
def test_hidden_cards_of_two_cities_and_of_two_hands_are_independent(players: int) -> None:
    dealt = deals(players)
    pairs = [
        (dealt["hidden"][:, 0], dealt["hidden"][:, 6] - int(table_of(usual_rules(players))["city_first"][6]), 4, 3),
        (dealt["hidden"][:, 0], dealt["hidden, hand 4"][:, 0], 4, 4),
    ]
    for one, other, rows, columns in pairs:
        check_even(np.bincount(one * columns + other, minlength=rows * columns))


def chances(rules: Rules) -> NDArray[np.float64]:
    """Return for each card the chance that it is dealt at all."""
    sizes = {city: len(faces) for city, faces in zip(rules.cities, rules.card_faces, strict=True)}
    return np.array([1 - 1 / sizes[card.city] for card in rules.cards])


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("deck", ["deck", "deck, hand 4"])
def test_every_card_is_dealt_to_every_place_alike(players: int, deck: str) -> None:
    """Counts of (card, place in the deck); a place is one card of one seat."""
    rules = usual_rules(players)
    places = rules.players * rules.hand_size
    cards = deals(players)[deck][:, :places]
    counts = np.stack([np.bincount(cards[:, place], minlength=len(rules.cards)) for place in range(places)], axis=1)
    assert (counts.sum(axis=0) == DEALS).all()
    for card, chance in enumerate(chances(rules)):
        dealt = counts[card].sum()
        check_even(np.array([dealt, DEALS - dealt]), DEALS * np.array([chance, 1 - chance]))
        check_even(counts[card])


def test_neighbours_in_the_deck_are_independent() -> None:
    """The first two cards dealt: every ordered pair of cards of two different cities as likely as any other."""
    rules = usual_rules(4)
    first, second = deals(4)["deck"][:, 0], deals(4)["deck"][:, 1]
    city = np.array([rules.cities.index(card.city) for card in rules.cards])
    new_york, detroit = np.flatnonzero(city == 0), np.flatnonzero(city == 2)
    both = np.isin(first, new_york) & np.isin(second, detroit)
    pairs = Counter(zip(first[both].tolist(), second[both].tolist(), strict=True))
    check_even([pairs[pair] for pair in itertools.product(new_york.tolist(), detroit.tolist())])


@kernel
def pieces_of(all_keys, out):  # type: ignore[no-untyped-def]
    """Draw the pieces of the first hand of each key, out (K, PIECES) uint16."""
    for k in range(len(all_keys)):
        draw_pieces(out[k], PIECES, all_keys[k], 0)


def test_rejected_pieces_are_replaced_wherever_they_fall() -> None:
    """Deals in which a piece is rejected are rare: find them, and deal them again step by step in plain Python."""
    rules, count = usual_rules(4), 60_000
    sizes = [len(faces) for faces in rules.card_faces]
    bounds = np.array([*sizes, *range(20, 1, -1)])
    all_keys, pieces = keys("uniform 4", count), np.zeros((count, PIECES), np.uint16)
    pieces_of(all_keys, pieces)
    rest = (pieces[:, : len(bounds)].astype(np.int64) * bounds) % (1 << 16)
    rejected = rest < (1 << 16) % bounds
    assert rejected[:, :7].any()
    assert rejected[:, 7:].any()
    for deal in np.flatnonzero(rejected.any(axis=1)).tolist():
        drawn = (pieces[deal, : len(bounds)].astype(np.int64) * bounds >> 16).tolist()
        for at in np.flatnonzero(rejected[deal]).tolist():
            drawn[at] = draw_again(all_keys[deal], 0, at, bounds[at])
        hidden, deck = dealt_by(sizes, drawn)
        assert deals(4)["hidden"][deal, :7].tolist() == hidden
        assert deals(4)["deck"][deal, :20].tolist() == deck


def dealt_by(sizes: list[int], drawn: list[int]) -> tuple[list[int], list[int]]:
    """Deal by these random numbers: one hidden card of each city, then a shuffle from the deck's end."""
    firsts = [sum(sizes[:city]) for city in range(len(sizes))]
    hidden = [first + number for first, number in zip(firsts, drawn, strict=False)]
    deck = [card for card in range(sum(sizes)) if card not in hidden]
    for last, other in zip(range(len(deck) - 1, 0, -1), drawn[len(sizes) :], strict=True):
        deck[last], deck[other] = deck[other], deck[last]
    return hidden, deck


# -- the police -------------------------------------------------------------------------------------------------------


def test_police_orders_are_uniform() -> None:
    orders = Counter(map(bytes, deals(4)["police"].astype(np.uint8)))
    assert len(orders) == 30
    check_even(list(orders.values()))


def test_the_whole_police_deck_is_in_the_order() -> None:
    table = table_of(usual_rules(4))
    for key in keys("police", 20):
        assert sorted(POLICE_NAMES[card] for card in police_order(table, key)) == sorted(
            ["silver", "silver", "gold", "gold", "both"]
        )


def test_length_and_colour_of_the_end_are_exact() -> None:
    """By enumeration of all 30 orders: 3, 4, 5 hands in 6, 18, 6; gold only in 12, silver only in 12, both in 6."""
    orders = sorted(set(itertools.permutations([0, 0, 1, 1, 2])))
    games = np.zeros(len(orders), GAME)
    games["police_order"] = orders
    turn_up_to_the_end(games)
    assert Counter((games["hand"] + 1).tolist()) == {3: 6, 4: 18, 5: 6}
    assert colours(games["silver"], games["gold"]) == {"gold": 12, "silver": 12, "both": 6}


def colours(silver: NDArray[np.int64], gold: NDArray[np.int64]) -> dict[str, int]:
    assert ((silver == 3) | (gold == 3)).all()
    return {
        "gold": int((silver < 3).sum()),
        "silver": int((gold < 3).sum()),
        "both": int(((silver == 3) & (gold == 3)).sum()),
    }


def test_length_and_colour_of_the_end_are_as_likely_as_they_should_be() -> None:
    dealt = deals(4)
    lengths = np.bincount(dealt["hand"] + 1, minlength=6)
    check_even(lengths[3:6], DEALS * np.array([0.2, 0.6, 0.2]))
    assert lengths.sum() == lengths[3:6].sum()
    ends = colours(dealt["silver"], dealt["gold"])
    check_even([ends["gold"], ends["silver"], ends["both"]], DEALS * np.array([0.4, 0.4, 0.2]))


def test_the_police_say_nothing_of_the_cards() -> None:
    dealt = deals(4)
    check_even(
        np.bincount(dealt["hidden"][:, 0] * 5 + dealt["hand"], minlength=20).reshape(4, 5)[:, 2:],
        np.outer(np.full(4, DEALS / 4), [0.2, 0.6, 0.2]),
    )
