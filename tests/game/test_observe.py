"""Hidden information: whatever a seat cannot see may change, and nothing it is shown changes with it.

Cards are dealt again among all places a seat cannot look into, as its knowledge allows: the same backs in every hand,
one card hidden under each city. The same check must catch observers that leak.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from game.tables import KINDS, Sample, games_of

from harness.errors import RecordError
from harness.game import layout
from harness.game.layout import CHICAGO, NONE, PLACES
from harness.game.legal import count_placements
from harness.game.moments import Moment, moments
from harness.game.observe import new_observations, observe_seat, words_of
from harness.game.replay import replay
from harness.game.rules import Rules
from harness.game.show import describe
from harness.game.state import Array, table_of
from harness.game.stepper import LaidDeal, LaidHand
from harness.game.view import new_view

TABLES = ["two", "three", "four", "five with St. Louis", "six", "six, flipped", "twelve cities", "sixty-four cards"]
DEALS = 4
"""How often the hidden cards of one moment are dealt again."""

Observer = Callable[[Any, Any, int, Any, Any], None]


# -- dealing again ----------------------------------------------------------------------------------------------------


def dealt_again(hand: LaidHand, rules: Rules, seat: int, revealed: int, rng: random.Random) -> LaidHand:
    """Deal all cards `seat` does not know among the places they can lie in: others' hands and under the cities."""
    city_of = [rules.cities.index(card.city) for card in rules.cards]
    cards = [*hand.hidden, *hand.dealt]
    unknown: dict[int, list[int]] = defaultdict(list)  # city -> places in `cards`
    for place, card in enumerate(cards):
        mine = place >= len(hand.hidden) and (place - len(hand.hidden)) // rules.hand_size == seat
        if not mine and not revealed >> card & 1:
            unknown[city_of[card]].append(place)
    for places in unknown.values():
        for place, card in zip(places, rng.sample([cards[place] for place in places], len(places)), strict=True):
            cards[place] = card
    return LaidHand(tuple(cards[: len(hand.hidden)]), tuple(cards[len(hand.hidden) :]))


def hand_in(game: Array, rules: Rules) -> LaidHand:
    """Return the cards of the hand a GAME record stands in."""
    dealt = game[0]["deck"][: rules.players * rules.hand_size]
    return LaidHand(tuple(game[0]["hidden"][: len(rules.cities)].tolist()), tuple(dealt.tolist()))


def other_world(game: Array, rules: Rules, seat: int, rng: random.Random) -> Array:
    """Return a copy of `game` with the unknown cards dealt again, and noise wherever else a seat must not look."""
    revealed = int(game[0]["revealed"])
    hand = dealt_again(hand_in(game, rules), rules, seat, revealed, rng)
    other = np.frombuffer(bytearray(game.tobytes()), game.dtype)
    for field in layout.PRIVATE_GAME:
        noise = other[0][field.name]
        other[field.name] = np.frombuffer(rng.randbytes(np.asarray(noise).nbytes), noise.dtype).reshape(noise.shape)
    world = other[0]
    for name in ("keys", "decisions"):
        world[name][seat] = game[0][name][seat]
    world["hidden"][: len(hand.hidden)] = hand.hidden
    world["deck"][: len(hand.dealt)] = hand.dealt
    for holder in range(rules.players):
        held = hand.dealt[holder * rules.hand_size : (holder + 1) * rules.hand_size]
        world["hands"][holder] = sum(1 << card for card in held if not revealed >> card & 1)
    assert world["hands"][seat] == game[0]["hands"][seat]
    return other


def moments_of(games: Sample, step: int) -> Iterator[Moment]:
    """Yield every `step`-th turn of each game, and every choice of who bears a loss."""
    for game in range(2):
        for number, moment in enumerate(moments(games.rules, games.deal(game), games.choices(game))):
            if number % step == game or moment.turn is None:
                yield moment


# -- the check --------------------------------------------------------------------------------------------------------


def seen(observer: Observer, game: Array, seat: int) -> bytes:
    """Return what an observer lets `seat` see of a game."""
    observations = new_observations(1)
    observer(game[0], words_of(game)[0], seat, observations[0], words_of(observations)[0])
    return observations.tobytes()


def placements(game: Array, rules: Rules, seat: int) -> list[int]:
    """Return how many placements the engine allows a seat on each place."""
    table, cities = table_of(rules), [*range(len(rules.cities)), CHICAGO]
    return [count_placements(game[0], table, seat, city) for city in cities]


def check_hides(observer: Observer, games: Sample, step: int) -> int:
    """Fail where a seat can tell worlds apart that differ in nothing it may know; return how many truly differed."""
    rng = random.Random(17)
    differed = 0
    for moment in moments_of(games, step):
        for seat in {moment.seat, rng.randrange(games.rules.players)}:
            shown, legal = seen(observer, moment.game, seat), placements(moment.game, games.rules, seat)
            for _ in range(DEALS):
                other = other_world(moment.game, games.rules, seat, rng)
                differed += bool((other[0]["hands"] != moment.game[0]["hands"]).any())
                assert seen(observer, other, seat) == shown
                assert placements(other, games.rules, seat) == legal
    return differed


@pytest.mark.parametrize("kind", TABLES)
def test_a_seat_cannot_tell_what_is_hidden(kind: str) -> None:
    assert check_hides(observe_seat, games_of(kind), step=7) > 50


def a_hidden_card(game: Any, words: Any, seat: int, observation: Any, out: Any) -> None:
    observe_seat(game, words, seat, observation, out)
    observation["spare"][0] = game["hidden"][0]


def a_bit_of_anothers_hand(game: Any, words: Any, seat: int, observation: Any, out: Any) -> None:
    observe_seat(game, words, seat, observation, out)
    lowest = int(game["hands"][(seat + 1) % 4])
    observation["spare"][1] = (lowest & -lowest).bit_length() & 1


def the_next_police_card(game: Any, words: Any, seat: int, observation: Any, out: Any) -> None:
    observe_seat(game, words, seat, observation, out)
    observation["spare"][0] = game["police_order"][4]


def anothers_key(game: Any, words: Any, seat: int, observation: Any, out: Any) -> None:
    observe_seat(game, words, seat, observation, out)
    observation["key"] = game["keys"][(seat + 1) % 4]


def the_deal(game: Any, words: Any, seat: int, observation: Any, out: Any) -> None:
    observe_seat(game, words, seat, observation, out)
    observation["decision"] = int(game["deal_key"][0]) & 0xFFFF


def words_too_many(game: Any, words: Any, seat: int, observation: Any, out: Any) -> None:
    observe_seat(game, words, seat, observation, out)
    out[-1] = words[len(out) - 1]


@pytest.mark.parametrize(
    "observer",
    [a_hidden_card, a_bit_of_anothers_hand, the_next_police_card, anothers_key, the_deal, words_too_many],
    ids=lambda observer: observer.__name__,
)
def test_a_leak_is_caught(observer: Observer) -> None:
    with pytest.raises(AssertionError):
        check_hides(observer, games_of("four"), step=9)


def test_the_public_part_stands_first_and_is_all_that_is_copied() -> None:
    assert layout.OBSERVATION[: len(layout.PUBLIC)] == layout.GAME[: len(layout.PUBLIC)] == layout.PUBLIC
    assert {field.name for field in layout.PRIVATE_VIEW} == {"key", "own", "decision", "seat"}


# -- other worlds, played ---------------------------------------------------------------------------------------------


def compare_worlds(rules: Rules, deal: LaidDeal, choices: Any, moment: Moment, rng: random.Random) -> tuple[int, bool]:
    """Play a game again with the cards unknown at `moment` dealt otherwise, and compare what the seat there sees.

    Returns how many moments of that hand were seen, and whether the worlds came apart before its reckoning.
    """
    hand = moment.hand - 1
    hands = list(deal.hands)
    hands[hand] = dealt_again(hands[hand], rules, moment.seat, int(moment.game[0]["revealed"]), rng)
    same = 0
    told = moments(rules, deal, choices)
    try:
        for other in moments(rules, deal._replace(hands=hands), choices):
            here = next(told)
            if here.hand > moment.hand or (here.hand == moment.hand and here.turn is None):
                return same, False  # the reckoning turns up what was hidden
            view, another = here.view(moment.seat), other.view(moment.seat)
            assert view._data == another._data
            assert history_of(here) == history_of(other)
            assert describe(view) == describe(another)
            assert view.legal_placements() == another.legal_placements()
            same += here.hand == moment.hand
    except RecordError as parting:
        if "the card to reveal is not in the hand" not in str(parting):
            raise
        return same, True
    return same, False


def history_of(moment: Moment) -> bytes:
    return moment.histories[0, : moment.game[0]["events"]].tobytes()  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", ["two", "four", "five with St. Louis", "six", "twelve cities"])
def test_other_worlds_look_the_same_until_a_card_is_revealed(kind: str) -> None:
    games, rng = games_of(kind), random.Random(4)
    again = replay(games.record(0))
    turns = [moment for moment in again.moments() if moment.turn is not None]
    parted = 0
    for moment in rng.sample(turns, 8):
        before = sum(other.hand == moment.hand for other in turns[: turns.index(moment) + 1])
        same, came_apart = compare_worlds(again.rules, again.deal, again.choices, moment, rng)
        assert same >= before
        parted += came_apart
    assert parted > 0


# -- who bears a loss -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["six", "six, flipped", "sixty-four cards"])
def test_in_the_reckoning_only_cities_resolved_so_far_are_turned_up(kind: str) -> None:
    games = games_of(kind)
    found = 0
    for moment in moments_of(games, step=10**6):
        if moment.turn is None:
            view, game = moment.view(), moment.game[0]
            city = view.loss[0]
            resolved = view.row[: view.row.index(city) + 1]
            for name, card in moment.face_down.hidden.items():
                assert view.turned_up(name) == (card if name in resolved else None)
            assert game["turned"][CHICAGO] == NONE
            assert moment.seat in moment.loss_seats
            assert all(view.experts_left[seat] > 0 for seat in moment.loss_seats)
            found += 1
    assert found > 5


def test_views_are_made_of_the_observation_alone() -> None:
    """A View over the same bytes says the same, whatever game it came from."""
    games = games_of("six")
    moment = next(moments(games.rules, games.deal(0), games.choices(0)))
    data = seen(observe_seat, moment.game, 2)
    alone = new_view(moment.lexicon, data, lambda _index, _events: b"")
    assert alone.hand == moment.view(2).hand
    assert alone.legal_placements() == moment.view(2).legal_placements()
    assert len(placements(moment.game, games.rules, 2)) == PLACES - 12 + len(games.rules.cities)
    assert KINDS["six"] == alone.rules
