"""Every worked example of the rules, on the engine and in the view, some played out turn by turn."""

from fractions import Fraction

import numpy as np
import pytest

from harness import Card, Placement, View
from harness.game.deal import set_order
from harness.game.engine import begin_games, turn_up_police
from harness.game.layout import CHICAGO, LOSS_EVENT, NONE, RESULT_EVENT
from harness.game.legal import cheapest_placement, count_placements, least_to_lead, pick_placement
from harness.game.lexicon import lexicon_of
from harness.game.moments import view_of
from harness.game.reckoning import begin_reckoning, chicago_sum, reckon
from harness.game.rules import usual_rules
from harness.game.state import EVENT, GAME, Array, new_histories, table_of
from harness.game.stepper import LaidDeal, LaidHand, Stepper
from harness.game.turn import parse_turn
from harness.play.asking import numbers_of

FOUR = usual_rules(4)
TABLE = table_of(FOUR)
CITIES = {city: number for number, city in enumerate(FOUR.cities)} | {"chicago": CHICAGO}
SILVER, GOLD, BOTH = 0, 1, 2


# -- situations -------------------------------------------------------------------------------------------------------


def new_game() -> Array:
    """Return a four-player game at its first decision, (1,) GAME."""
    games, no_key = np.zeros(1, GAME), np.zeros((1, 2), np.uint64)
    begin_games(games, TABLE, no_key, no_key, np.zeros(len(games), np.int8))
    return games


def put(games: Array, seat: int, city: str, experts: int, occasionals: int = 0) -> None:
    """Stand gangsters of a seat on a city, from its supply; the most there lead."""
    game, number = games[0], CITIES[city]
    game["on_experts"][seat, number] += experts
    game["on_occasionals"][seat, number] += occasionals
    game["experts"][seat] -= experts
    game["occasionals"][seat] -= occasionals
    game["placed"][seat] |= 1 << number
    strengths = game["on_experts"][:, number] + game["on_occasionals"][:, number]
    game["leader"][number], game["most"][number] = strengths.argmax(), strengths.max()


def supply(games: Array, seat: int, experts: int, occasionals: int) -> None:
    games[0]["experts"][seat], games[0]["occasionals"][seat] = experts, occasionals


def view(games: Array, seat: int) -> View:
    return view_of(games, np.zeros((1, 1), EVENT), lexicon_of(FOUR), seat)


def legal_on(games: Array, seat: int, city: str) -> list[Placement]:
    """Return every placement of a seat on a city: the engine's list, which is also the view's."""
    number = CITIES[city]
    count = count_placements(games[0], TABLE, seat, number)
    engine = [Placement(city, *pick_placement(games[0], TABLE, seat, number, index)) for index in range(count)]
    assert engine == [place for place in view(games, seat).legal_placements() if place.city == city]
    return engine


# -- hidden cards -----------------------------------------------------------------------------------------------------


def laid(hidden: str, *hands: str) -> Stepper:
    """Return a game whose first hand is dealt as written: the hidden faces in row order, then each seat's cards."""
    left = {card: list(numbers) for card, numbers in lexicon_of(FOUR).card_numbers.items()}
    under = tuple(left[city, face].pop(0) for city, face in zip(FOUR.cities, hidden.split(), strict=True))
    dealt = tuple(left[tuple(card.split(":"))].pop(0) for hand in hands for card in hand.split())
    stepper = Stepper(FOUR, LaidDeal((GOLD, GOLD, BOTH, SILVER, SILVER), [LaidHand(under, dealt)]))
    stepper.open_hand()
    return stepper


def play(stepper: Stepper, *turns: str) -> None:
    for text in turns:
        asked = view_of(stepper.games, stepper.histories, stepper.lexicon, stepper.seat)
        assert stepper.take_turn(numbers_of(parse_turn(text), asked, stepper.lexicon)) == 0


def seen_by(stepper: Stepper, seat: int) -> View:
    return view_of(stepper.games, stepper.histories, stepper.lexicon, seat)


@pytest.fixture
def dealt() -> Stepper:
    """Return a game in which New York hides its 3 and Philadelphia its 3; seat 3 holds Philadelphia's prison."""
    return laid(
        "3 hospital revolver 2 banished 1 3",
        "new_york:0 boston:3 detroit:1 detroit:2 memphis:2",
        "new_york:1 boston:3 detroit:3 cincinnati:1 memphis:3",
        "new_york:2 boston:prison philadelphia:revolver cincinnati:2 memphis:hospital",
        "philadelphia:prison detroit:4 kansas_city:3 kansas_city:revolver cincinnati:3",
    )


def test_a_city_that_has_shown_all_but_one_hides_that_one(dealt: Stepper) -> None:
    play(dealt, "reveal new_york:0", "reveal new_york:1")
    assert seen_by(dealt, 3).odds("new_york") == {Card("new_york", face): Fraction(1, 2) for face in "23"}
    assert seen_by(dealt, 2).possible("new_york") == (Card("new_york", "3"),)  # seat 2 holds the 2
    play(dealt, "reveal new_york:2")
    for seat in range(4):
        assert seen_by(dealt, seat).possible("new_york") == (Card("new_york", "3"),)
        assert seen_by(dealt, seat).odds("new_york") == {Card("new_york", "3"): 1}


def test_a_card_in_hand_does_not_lie_hidden(dealt: Stepper) -> None:
    play(dealt, "reveal memphis:2", "reveal memphis:3", "reveal philadelphia:revolver")
    assert seen_by(dealt, 3).odds("philadelphia") == {Card("philadelphia", "3"): 1}
    assert seen_by(dealt, 0).odds("philadelphia") == {
        Card("philadelphia", "3"): Fraction(1, 2),
        Card("philadelphia", "prison"): Fraction(1, 2),
    }


def test_odds_count_cards_not_faces(dealt: Stepper) -> None:
    boston = {
        0: {"3": Fraction(1, 3), "hospital": Fraction(1, 3), "prison": Fraction(1, 3)},
        2: {"3": Fraction(2, 3), "hospital": Fraction(1, 3)},
        3: {"3": Fraction(1, 2), "hospital": Fraction(1, 4), "prison": Fraction(1, 4)},
    }
    for seat, odds in boston.items():
        assert seen_by(dealt, seat).odds("boston") == {Card("boston", face): chance for face, chance in odds.items()}


# -- majorities -------------------------------------------------------------------------------------------------------

GREEN, RED = 1, 3


@pytest.mark.parametrize(("own", "rival", "need"), [(2, 4, 3), (1, 2, 2), (0, 4, 5), (0, 0, 1), (3, 2, 1)])
def test_what_it_takes_to_lead(own: int, rival: int, need: int) -> None:
    games = new_game()
    if own:
        put(games, RED, "new_york", own)
    if rival:
        put(games, GREEN, "new_york", rival)
    assert view(games, RED).need("new_york") == need
    assert least_to_lead(games[0], TABLE, RED, CITIES["new_york"]) == (need, own)
    assert min(place.experts + place.occasionals for place in legal_on(games, RED, "new_york")) == need
    cheapest = view(games, RED).cheapest_placement("new_york")
    assert cheapest is not None
    assert cheapest == Placement("new_york", *cheapest_placement(games[0], TABLE, RED, CITIES["new_york"]))
    assert cheapest.experts + cheapest.occasionals == need


def test_against_four_it_takes_five_and_two_of_them_experts() -> None:
    games = new_game()
    put(games, GREEN, "new_york", 4)
    legal = legal_on(games, RED, "new_york")
    assert min(place.experts + place.occasionals for place in legal) == 5
    assert min(place.experts for place in legal) == 2
    assert Placement("new_york", 2, 3) in legal
    assert Placement("new_york", 1, 3) not in legal


@pytest.mark.parametrize(("rest", "decided"), [(7, True), (8, False)])
def test_a_city_is_decided_when_nobody_can_have_more(rest: int, decided: bool) -> None:
    """Seven stand against `rest` gangsters of a rival, some of them there and the others in supply."""
    games = new_game()
    put(games, RED, "boston", 2, 1)
    supply(games, RED, rest - 5, 2)
    put(games, GREEN, "boston", 6, 1)
    for seat in (0, 2):
        supply(games, seat, 4, 3)
        assert legal_on(games, seat, "boston") == []
    assert (legal_on(games, RED, "boston") == []) == decided
    assert (view(games, RED).cheapest_placement("boston") is None) == decided
    assert view(games, RED).leader("boston") == GREEN


# -- the last turn ----------------------------------------------------------------------------------------------------

BLACK, BLUE, YELLOW = 0, 1, 2


def test_the_last_turn_goes_by_supply() -> None:
    games = new_game()
    for seat, experts, occasionals in ((BLACK, 3, 2), (RED, 4, 0), (BLUE, 0, 3), (YELLOW, 2, 1)):
        supply(games, seat, experts, occasionals)
    games[0]["turn"] = 3
    set_order(games[0], TABLE)
    assert view(games, BLACK).order == (BLACK, BLUE, YELLOW, RED)
    games[0]["turn"] = 4
    set_order(games[0], TABLE)
    assert view(games, BLACK).order == (BLACK, RED, BLUE, YELLOW)


def test_the_last_turn_in_play(dealt: Stepper) -> None:
    play(dealt, "place 4+0 new_york, reveal new_york:0", "place 3+3 boston, reveal new_york:1")
    play(dealt, "place 6+0 memphis, reveal new_york:2", "place 5+0 new_york, reveal detroit:4")
    order = (0, 1, 2, 3)
    for _ in range(3):
        assert seen_by(dealt, 0).order == order
        for seat in order:
            play(dealt, f"reveal {seen_by(dealt, seat).hand[-1]}")
    assert [gangsters.total for gangsters in seen_by(dealt, 0).supply] == [5, 3, 3, 4]
    assert seen_by(dealt, 0).order == (0, 3, 1, 2)


# -- Chicago ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "pays"),
    [
        ("new_york:2", 1),
        ("new_york:2 boston:prison detroit:3", 2),
        ("new_york:3 boston:prison", 1),
        ("new_york:3 boston:hospital detroit:4", 3),
        ("new_york:0", 0),
        ("new_york:- boston:3", 1),
        ("new_york:- boston:-", 0),
        ("new_york:3 boston:3 detroit:revolver kansas_city:3 cincinnati:banished memphis:- philadelphia:3", 6),
    ],
)
def test_chicago_pays_half_of_what_lies_open_left_of_it(left: str, pays: int) -> None:
    games, histories = new_game(), new_histories(FOUR, 1)
    game, shown = games[0], left.split()
    game["row"][: len(CITIES)] = [*range(len(shown)), CHICAGO, *range(len(shown), len(FOUR.cities))]
    game["last_shown"][:] = 0  # what lies right of Chicago does not count, not even a 3
    game["last_shown"][len(shown) : 12] = FOUR.cards.index(Card("new_york", "3"))
    for number, text in enumerate(shown):
        city, face = text.split(":")
        game["last_shown"][number] = NONE if face == "-" else FOUR.cards.index(Card(city, face))
    assert chicago_sum(game, TABLE) == pays
    put(games, RED, "chicago", 1)
    begin_reckoning(game, TABLE)
    reckon(game, TABLE, histories, 0)
    results = histories[0][histories[0]["kind"] == RESULT_EVENT]
    assert results[results["city"] == CHICAGO]["amount"].tolist() == [pays]
    assert game["money"][:4].tolist() == [0, 0, 0, pays]
    assert not (histories[0, : game["events"]]["kind"] == LOSS_EVENT).any()


# -- the police -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("police", "last"),
    [
        ((GOLD, BOTH, GOLD, SILVER, SILVER), 3),
        ((SILVER, GOLD, SILVER, BOTH, GOLD), 4),
        ((SILVER, GOLD, GOLD, SILVER, BOTH), 5),
        ((GOLD, GOLD, SILVER, SILVER, BOTH), 5),
    ],
)
def test_the_police_end_the_game(police: tuple[int, ...], last: int) -> None:
    games = new_game()
    games[0]["police_order"] = police
    for hand in range(last):
        assert not games[0]["last_hand"]
        games[0]["hand"] = hand
        turn_up_police(games[0])
    assert view(games, 0).is_last_hand
    assert hands_played(police) == last


def hands_played(police: tuple[int, ...]) -> int:
    """Play a game in which nobody places; return its regular hands, and check when each police card is turned up."""
    games = new_game()
    hidden, cards = tuple(games[0]["hidden"][:7].tolist()), tuple(games[0]["deck"][:20].tolist())
    stepper = Stepper(FOUR, LaidDeal(police, [LaidHand(hidden, cards)] * 8))
    up = 0
    while not stepper.over:
        stepper.open_hand()
        for turn in range(20):
            expected = stepper.hand + (turn >= 12) if not stepper.game["extra"] else up
            up = len(seen_by(stepper, 0).police)
            assert up == expected
            play(stepper, f"reveal {seen_by(stepper, stepper.seat).hand[0]}")
    return stepper.hand + 1 - int(stepper.game["extra"])
