"""What makes each bot the one it is, read off the games it plays."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

import numpy as np
import pytest
from game.tables import KINDS, keys

from bots.bully import Bully
from bots.capone import Capone
from bots.patient import Patient
from harness import CHICAGO, Card, Kind, Turn, View
from harness.game.layout import CHICAGO as CHICAGO_NUMBER
from harness.game.layout import NONE, RESULT_EVENT, TURN_EVENT
from harness.game.rules import Rules, usual_rules
from harness.game.state import Array
from harness.play.lockstep import Played, play_games
from harness.play.players import player_of
from harness.play.registry import load_class

ALL = ("random", "miser", "greedy", "patient", "bully", "capone")
SIZES = ("two", "three", "four", "five", "six", "twelve cities")


class Placed(NamedTuple):
    """A turn that was played: which bot, how many turns of the hand were left, where it placed, how many."""

    bot: str
    turns_left: int
    city: int
    gangsters: int


def play(names: tuple[str, ...], rules: Rules, deals: int) -> Played:
    """Play each deal in all rotations of a seating that changes from deal to deal."""
    count = rules.players
    lines = list(permutations(range(len(names)), min(count, len(names))))
    seatings = np.full((deals * count, 6), NONE, np.int16)
    for deal in range(deals):
        line = lines[deal * 7 % len(lines)]
        for rotation in range(count):
            seats = [line[(seat + rotation) % count % len(line)] for seat in range(count)]
            seatings[deal * count + rotation, :count] = seats
    deal_keys, bot_keys = (np.repeat(keys(label, deals), count, axis=0) for label in ("deal", "bots"))
    return play_games(rules, deal_keys, bot_keys, seatings, [player_of(load_class(name), rules) for name in names])


def turns_of(played: Played, names: tuple[str, ...], rules: Rules) -> Iterator[Placed]:
    """Yield every turn of all games."""
    for game, history in enumerate(played.histories):
        taken: Counter[tuple[int, int]] = Counter()
        for event in history[: played.games[game]["events"]]:
            if event["kind"] == TURN_EVENT:
                seat, hand = int(event["who"]), int(event["hand"])
                left = rules.hand_size - taken[hand, seat]
                taken[hand, seat] += 1
                name = names[played.seatings[game, seat]]
                yield Placed(name, left, int(event["city"]), int(event["experts"]) + int(event["occasionals"]))


def win_shares(played: Played, names: tuple[str, ...]) -> dict[str, float]:
    """Return the mean share of a win of each bot, games without teams."""
    first = played.games["ranks"] == 1
    shares = first / first.sum(1, keepdims=True)
    return {name: float(shares[played.seatings == number].mean()) for number, name in enumerate(names)}


@pytest.mark.parametrize("size", SIZES)
def test_miser_never_places_and_patient_only_in_the_last_two_turns(size: str) -> None:
    played = play(ALL, KINDS[size], 6)
    late = set()
    for turn in turns_of(played, ALL, KINDS[size]):
        assert turn.bot != "miser" or turn.city == NONE
        if turn.bot == "patient" and turn.city != NONE:
            late.add(turn.turns_left)
    assert late == {1, 2}


def price(view: View, city: str) -> Fraction:
    """Return the expected money of leading a place, less a million for each hand an expert misses or a banishment."""
    if city == CHICAGO:
        left = view.row[: view.row.index(CHICAGO)]
        shown = [card for card in map(view.last_shown, left) if card]
        theft = sum(card.money for card in shown if card.kind is Kind.THEFT)
        return Fraction(max(0, sum(card.money for card in shown) - theft) // 2)
    hands = {Kind.HOSPITAL: 1, Kind.PRISON: 2, Kind.REVOLVER: 3, Kind.BANISHED: 1}
    sanction = 0 if view.is_last_hand else 1
    return sum(
        (chance * (card.money - sanction * hands.get(card.kind, 0)) for card, chance in view.odds(city).items()),
        Fraction(0),
    )


def per_gangster(view: View, city: str) -> Fraction:
    """Return what the cheapest leading placement on a place pays per gangster (last turn: in all); 0: impossible."""
    place = view.cheapest_placement(city)
    if place is None:
        return Fraction(0)
    spent = 0 if view.is_last_hand else place.occasionals
    is_last_turn = view.turn_number == view.rules.hand_size
    return (price(view, city) - spent) / (1 if is_last_turn else place.experts + place.occasionals)


@pytest.mark.parametrize("size", ["two", "three", "four", "five", "six"])
def test_bully_tops_a_leader_whenever_that_pays(
    size: str,
    questions: Callable[..., tuple[Array, Array]],
    view: Callable[[Rules, Array], View],
    ask: Callable[..., Turn],
) -> None:
    rules = KINDS[size]
    asked, _ = questions(rules, ["bully", "greedy", "random"], 8, size)
    topped = 0
    for row in range(len(asked)):
        seen = view(rules, asked[row : row + 1])
        rivals = [city for city in seen.row if seen.leader(city) not in (None, seen.side)]
        best = max((per_gangster(seen, city) for city in rivals), default=Fraction(0))
        place = ask(Bully(), rules, asked[row : row + 1]).place
        if best > Fraction(3, 4):
            assert place is not None
            assert place.city in rivals
            assert per_gangster(seen, place.city) == best
            cheapest = seen.cheapest_placement(place.city)
            assert cheapest is not None
            spare = seen.supply[seen.seat].experts - cheapest.experts
            assert place.experts == cheapest.experts + min(2, spare)
            topped += 1
        elif place is not None:
            assert seen.leader(place.city) is None
    assert topped > 30


def chicago_moves(view: View) -> dict[Card, int]:
    """Return by how much each card in hand would change Chicago's sum (usual rulings)."""
    left = view.row[: view.row.index(CHICAGO)]
    moves = {}
    for card in view.hand:
        shown = view.last_shown(card.city)
        worth = [0 if c is None or c.kind is Kind.THEFT else c.money for c in (card, shown)]
        moves[card] = worth[0] - worth[1] if card.city in left else 0
    return moves


@pytest.mark.parametrize("size", ["three", "four", "five", "six"])
def test_capone_keeps_its_high_cards_until_it_takes_chicago(
    size: str,
    questions: Callable[..., tuple[Array, Array]],
    view: Callable[[Rules, Array], View],
    ask: Callable[..., Turn],
) -> None:
    rules = KINDS[size]
    asked, _ = questions(rules, ["capone", "greedy", "random"], 6, size)
    late = 0
    for row in range(len(asked)):
        seen = view(rules, asked[row : row + 1])
        turn, moves = ask(Capone(), rules, asked[row : row + 1]), chicago_moves(seen)
        on_chicago = turn.place is not None and turn.place.city == CHICAGO
        if rules.hand_size - seen.turn_number >= 2:
            assert moves[turn.reveal] == min(moves.values())
            assert not on_chicago
        elif on_chicago or seen.leader(CHICAGO) == seen.side:
            assert moves[turn.reveal] == max(moves.values())
            late += 1
    assert late > 10


@pytest.mark.parametrize("size", ["four", "six"])
def test_patient_spreads_its_experts_over_the_turns_left(
    size: str,
    questions: Callable[..., tuple[Array, Array]],
    view: Callable[[Rules, Array], View],
    ask: Callable[..., Turn],
) -> None:
    rules = KINDS[size]
    asked, _ = questions(rules, ["patient", "random"], 4, size)
    for row in range(len(asked)):
        seen = view(rules, asked[row : row + 1])
        place = ask(Patient(), rules, asked[row : row + 1]).place
        if place is not None:
            cheapest = seen.cheapest_placement(place.city)
            assert cheapest is not None
            rest = seen.supply[seen.seat].experts - cheapest.experts
            assert place.experts == cheapest.experts + rest // (rules.hand_size - seen.turn_number + 1)
            assert place.occasionals == cheapest.occasionals


@pytest.mark.parametrize("size", ["three", "four", "five"])
def test_where_capone_sits_it_ends_on_chicago_twice_as_often_as_anyone_else(size: str) -> None:
    played = play(ALL, KINDS[size], 40)
    won: Counter[str] = Counter()
    for game in np.flatnonzero((played.seatings == ALL.index("capone")).any(1)):
        for event in played.histories[game, : played.games[game]["events"]]:
            if event["kind"] == RESULT_EVENT and event["city"] == CHICAGO_NUMBER and event["who"] != NONE:
                won[ALL[played.seatings[game, event["who"]]]] += 1
    assert len(won) == 5, "everybody but miser wins it now and then"
    assert all(won["capone"] > 2 * won[name] for name in won if name != "capone"), won


def test_greedy_beats_random_and_miser_and_everybody_beats_those() -> None:
    names = ("greedy", "random", "miser")
    shares = win_shares(play(names, usual_rules(3), 100), names)
    assert shares["greedy"] > 0.9
    shares = win_shares(play(ALL, usual_rules(4), 200), ALL)
    assert shares["miser"] < shares["random"] < 0.05
    assert all(shares[name] > 0.15 for name in ("greedy", "patient", "bully", "capone"))


def test_no_two_bots_play_alike(questions: Callable[..., tuple[Array, Array]], ask: Callable[..., Turn]) -> None:
    rules = usual_rules(4)
    asked, _ = questions(rules, ["random", "greedy"], 3)
    told = {name: [ask(load_class(name)(), rules, asked[row : row + 1]) for row in range(60)] for name in ALL}
    for one in ALL:
        for other in ALL:
            same = sum(a == b for a, b in zip(told[one], told[other], strict=True))
            assert one == other or same < 54, f"{one} and {other} agree at {same} of 60 decisions"
