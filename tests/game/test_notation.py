"""Texts of cards, turns and sets: reading and writing are inverse over whole tables, and other texts are refused."""

import itertools

import pytest
from game.tables import KINDS, games_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness import CHICAGO, Card, Kind, Placement, Turn
from harness.errors import CardsError, NotationError
from harness.game.cards import (
    CITY_NUMBERS,
    FACE_KINDS,
    MAX_MONEY,
    OFFICIAL_CITIES,
    OFFICIAL_SETS,
    arithmetic,
    cities_of,
    exact_sets,
    parse_card,
    parse_set,
)
from harness.game.lexicon import Lexicon
from harness.game.moments import Moment, moments
from harness.game.rules import own_rules, rules_of_set, usual_rules
from harness.game.turn import parse_turn
from harness.play.asking import numbers_of

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Properties are not about time, and machines may be busy."""

cities = st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True)
faces = st.one_of(st.sampled_from(sorted(FACE_KINDS)), st.integers(-MAX_MONEY, MAX_MONEY).map(str))
cards = st.builds(Card, cities, faces)
places = st.builds(Placement, cities, st.integers(0, 999), st.integers(0, 999))
turns = st.builds(Turn, cards, st.none() | places, st.integers(0, 255))

# -- cards ------------------------------------------------------------------------------------------------------------


@unhurried
@given(cards)
def test_cards_read_as_they_are_written(card: Card) -> None:
    assert parse_card(str(card)) == card
    assert eval(repr(card)) == card


def test_the_printed_cards() -> None:
    """The card table of the rules: names, faces, money and kinds."""
    texts = {str(card): (card.money, card.kind) for card in Lexicon(usual_rules(6)).cards}
    assert len(texts) == 31  # Boston's threes are one text
    assert all(str(parse_card(text)) == text for text in texts)
    for text, told in {
        "new_york:0": (0, Kind.MONEY),
        "boston:3": (3, Kind.MONEY),
        "boston:hospital": (0, Kind.HOSPITAL),
        "boston:prison": (0, Kind.PRISON),
        "detroit:4": (4, Kind.MONEY),
        "kansas_city:revolver": (0, Kind.REVOLVER),
        "cincinnati:banished": (0, Kind.BANISHED),
        "st_louis:shootout": (4, Kind.SHOOTOUT),
        "st_louis:theft": (-2, Kind.THEFT),
    }.items():
        assert texts[text] == told
    assert [sum(map(len, OFFICIAL_CITIES.values())), len(OFFICIAL_CITIES["philadelphia"])] == [32, 3]


@pytest.mark.parametrize(
    "text",
    [
        "", "boston", "boston:", ":3", "boston:5x", "boston:+3", "boston:03", "boston:-0", "boston: 3", "boston:3 ",
        "Boston:3", "boston:Prison", "boston:money", "new york:3", "3:3", "boston:1.5", "boston:1000001", "boston:३",
        "boston:3\n", "boston:3:3", "boston:9999999999999999999999",
    ],
)  # fmt: skip
def test_no_cards(text: str) -> None:
    with pytest.raises(NotationError):
        parse_card(text)


def test_a_misspelt_face_is_told_the_right_one() -> None:
    with pytest.raises(NotationError, match="did you mean 'prison'"):
        parse_card("boston:prisn")


@unhurried
@given(st.text(max_size=12))
def test_any_other_text_is_refused_or_written_the_same(text: str) -> None:
    try:
        card = parse_card(text)
    except NotationError:
        return
    assert str(card) == text


# -- turns ------------------------------------------------------------------------------------------------------------


@unhurried
@given(turns)
def test_turns_read_as_they_are_written(turn: Turn) -> None:
    assert parse_turn(str(turn)) == turn
    assert eval(repr(turn)) == turn


def test_how_turns_are_written() -> None:
    prison = Card("boston", "prison")
    assert str(Turn(prison)) == "reveal boston:prison"
    assert str(Turn(prison, Placement("new_york", 2, 1))) == "place 2+1 new_york, reveal boston:prison"
    assert str(Turn(prison, Placement(CHICAGO, 1), 17)) == "place 1+0 chicago, reveal boston:prison, signal 17"


@pytest.mark.parametrize(
    "text",
    [
        "", "boston:3", "reveal", "reveal boston", "reveal boston:3,", "reveal  boston:3", "Reveal boston:3",
        "place 2+1 boston", "place 2 boston, reveal boston:3", "place 2+1 boston reveal boston:3",
        "place -1+1 boston, reveal boston:3", "place 2+1 Boston, reveal boston:3", "reveal boston:3, signal",
        "reveal boston:3, signal -1", "reveal boston:3, signal 1000", "reveal boston:3, signal 1 ",
        "reveal boston:3, place 2+1 boston", "place 1000+0 boston, reveal boston:3", "reveal boston:4five",
    ],
)  # fmt: skip
def test_no_turns(text: str) -> None:
    with pytest.raises(NotationError):
        parse_turn(text)


@pytest.mark.parametrize("kind", KINDS)
def test_every_turn_of_a_table_goes_through_numbers_and_text(kind: str) -> None:
    """Each card of the table with each placement a seat could be allowed, from its numbers and back."""
    lexicon = Lexicon(KINDS[kind])
    assert [lexicon.city_names[number] for number in lexicon.city_numbers.values()] == list(lexicon.city_numbers)
    for number, card in enumerate(lexicon.cards):
        assert lexicon.number_in(1 << number, card) == number
        assert lexicon.hand(1 << number) == (card,)
    combinations = itertools.product(range(len(lexicon.cards)), lexicon.city_numbers.values(), (0, 1, 6), (0, 3))
    for card_number, city, experts, occasionals in combinations:
        turn = lexicon.turn_of((card_number, city, experts, occasionals, 0))
        assert parse_turn(str(turn)) == turn
        assert turn.reveal == lexicon.cards[card_number]
        assert turn.place == Placement(lexicon.city_names[city], experts, occasionals)


@pytest.mark.parametrize("kind", ["two", "six", "sixty-four cards"])
def test_turns_played_go_through_the_view_and_back(kind: str) -> None:
    games = games_of(kind)
    for moment in moments(games.rules, games.deal(0), games.choices(0)):
        if moment.turn is not None:
            assert _there_and_back(moment, parse_turn(str(moment.turn))) == moment.turn


def _there_and_back(moment: Moment, turn: Turn) -> Turn:
    return moment.lexicon.turn_of(numbers_of(turn, moment.view(), moment.lexicon))


def test_a_card_or_city_of_another_table_becomes_an_illegal_number() -> None:
    games = games_of("four")
    moment = next(moments(games.rules, games.deal(0), games.choices(0)))
    view, lexicon = moment.view(), moment.lexicon
    assert numbers_of(Turn(Card("gotham", "3")), view, lexicon)[0] == -1
    placed = numbers_of(Turn(view.hand[0], Placement("gotham", 1)), view, lexicon)
    assert placed[1] not in lexicon.city_numbers.values()


# -- sets -------------------------------------------------------------------------------------------------------------


@unhurried
@given(st.integers(2, 6), st.sets(st.sampled_from("12345678"), min_size=1))
def test_sets_read_as_they_are_written(players: int, numbers: set[str]) -> None:
    digits = "".join(sorted(numbers))
    assert parse_set(f"{players}p:{digits}") == (players, digits)
    assert parse_set(f"{players}p:{digits[::-1]}") == (players, digits)
    assert "".join(CITY_NUMBERS[city] for city in cities_of(digits)) == digits


@pytest.mark.parametrize(
    "text",
    [
        "", "4p", "4p:", "p:123", "4:123", "1p:123", "7p:123", "4p:129", "4p:0", "4p:112", "4p:1 2", "44p:1", "4P:1",
        "4p:1\n",
    ],
)  # fmt: skip
def test_no_sets(text: str) -> None:
    with pytest.raises(NotationError):
        parse_set(text)


def test_the_default_set_stands_first_and_names_its_table() -> None:
    for players, sets in OFFICIAL_SETS.items():
        assert usual_rules(players) == rules_of_set(f"{players}p:{sets[0]}")
        for digits in sets:
            assert rules_of_set(f"{players}p:{digits}").name == f"{players}p:{digits}"


def test_exact_sets() -> None:
    """47 sets of the eight cities deal out exactly at the usual hand sizes, all official ones among them."""
    found = {players: exact_sets(players) for players in range(2, 7)}
    assert [len(sets) for sets in found.values()] == [20, 20, 3, 3, 1]
    assert found[6] == ["12345678"]
    assert "356" in found[2]
    for players, sets in found.items():
        assert set(OFFICIAL_SETS[players]) <= set(sets)


def test_a_set_that_does_not_deal_out_is_refused_with_its_sum() -> None:
    with pytest.raises(CardsError, match=r"27 cards != 5 players x 5 \+ 7 cities = 32"):
        own_rules(5, {city: list(faces) for city, faces in list(OFFICIAL_CITIES.items())[:7]}, hand_size=5)
    with pytest.raises(CardsError, match=r"13 cards != 4 players x 5 \+ 3 cities = 23"):
        rules_of_set("4p:123")
    assert str(arithmetic("1234567", 4)) == "27 cards = 4 players x 5 + 7 cities = 27"
