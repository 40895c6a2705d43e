"""greedy in situations built by hand: what it must do there follows from its prices by mental arithmetic.

Two players, cities New York (0 1 2 3), Boston (3 3 hospital prison), Detroit (1 2 3 4 revolver); seat 0 is asked. A
hospital costs it 1, a prison 2, a revolver 3, a banishment 1, an occasional 1, and each gangster must win 0.75.
"""

from collections.abc import Callable

import numpy as np
import pytest
from game.tables import keys

from bots.greedy import Greedy
from bots.greedy_py import GreedyPy
from harness import Bot, Turn
from harness.game.cards import parse_card
from harness.game.engine import begin_games
from harness.game.layout import CHICAGO
from harness.game.lexicon import Lexicon
from harness.game.observe import new_observations, observe, words_of
from harness.game.rules import Rules, usual_rules
from harness.game.state import GAME, Array, table_of
from harness.play.bot import BatchBot

RULES = usual_rules(2, "123")
LEXICON = Lexicon(RULES)
Ask = Callable[[Bot | BatchBot, Rules, Array], Turn]


def mask_of(cards: str) -> int:
    """Return the mask of cards written with spaces between, a second copy of a card as its second number."""
    mask = 0
    for text in cards.split():
        numbers = LEXICON.card_numbers[parse_card(text)]
        mask |= 1 << next(number for number in numbers if not mask >> number & 1)
    return mask


def situation(own: str, revealed: str = "", turn: int = 1, last_hand: bool = False) -> Array:
    """Return what seat 0 sees on an empty table, with these cards in hand and revealed, the latter in this order."""
    games, seen = np.zeros(1, GAME), new_observations(1)
    begin_games(games, table_of(RULES), keys("deal", 1), keys("bots", 1), np.zeros(1, np.int8))
    observe(games, words_of(games), np.arange(1), seen, words_of(seen))
    seen["own"], seen["revealed"], seen["turn"] = mask_of(own), mask_of(revealed), turn - 1
    seen["last_hand"] = last_hand
    for text in revealed.split():
        number = LEXICON.card_numbers[parse_card(text)][0]
        seen["last_shown"][0, RULES.cities.index(parse_card(text).city)] = number
    return seen


def put(seen: Array, seat: int, city: str, experts: int) -> None:
    """Put experts of a seat on a place, which its side then leads."""
    number = LEXICON.city_numbers[city]
    seen["on_experts"][0, seat, number] += experts
    seen["experts"][0, seat] -= experts
    seen["leader"][0, number], seen["most"][0, number] = seat, seen["on_experts"][0, seat, number]
    seen["placed"][0, seat] |= 1 << number


@pytest.fixture(params=[Greedy, GreedyPy], ids=["greedy", "greedy_py"])
def told(request: pytest.FixtureRequest, ask: Ask) -> Callable[[Array], str]:
    """Return what the bot answers, written out; both of the twins are asked."""
    return lambda seen: str(ask(request.param(), RULES, seen))


def test_it_takes_the_city_that_is_surely_best(told: Callable[[Array], str]) -> None:
    seen = situation("detroit:1 detroit:2", "new_york:0 new_york:1 new_york:2")
    assert told(seen) == "place 1+0 new_york, reveal detroit:1"  # hidden is the 3; Detroit: (3 + 4 - 3) / 3


def test_it_counts_its_own_hand(told: Callable[[Array], str]) -> None:
    seen = situation("new_york:3 boston:hospital boston:prison")
    assert told(seen).startswith("place 1+0 boston")  # hidden is a 3; New York: 1, Detroit: 7 / 5


def test_it_takes_most_for_a_gangster_but_most_of_all_in_the_last_turn(told: Callable[[Array], str]) -> None:
    seen = situation("boston:hospital boston:prison", "new_york:2 detroit:revolver")
    put(seen, 1, "boston", 2)
    assert told(seen).startswith("place 1+0 detroit")  # Boston 3 / 3 = 1 each, New York 4 / 3, Detroit 10 / 4
    put(seen, 1, "detroit", 1)
    assert told(seen).startswith("place 1+0 new_york")  # Detroit now 2.5 / 2
    seen["turn"] = 4
    assert told(seen).startswith("place 3+0 boston")


def test_equal_prices_go_to_the_left(told: Callable[[Array], str]) -> None:
    seen = situation("new_york:0 boston:hospital boston:prison detroit:revolver detroit:1")
    put(seen, 1, "boston", 2)
    seen["revealed"] = mask_of("new_york:1 new_york:3 detroit:3 detroit:4")
    assert told(seen).startswith("place 1+0 new_york")  # 2 here as in Detroit


def test_sanctions_are_free_in_the_last_hand_only(told: Callable[[Array], str]) -> None:
    cards = "new_york:2 new_york:3 boston:3 boston:3 detroit:4", "detroit:3 detroit:2"
    assert told(situation(*cards)).startswith("reveal")  # New York 0.5, Boston -1.5, Detroit (1 - 3) / 2
    seen = situation(*cards, turn=5, last_hand=True)
    seen["own"] = mask_of("detroit:4")
    seen["revealed"] = mask_of("new_york:2 new_york:3 boston:3 boston:3")
    assert told(seen).startswith("place 1+0 detroit")  # (1 + 2 + 3 + 0) / 4, the revolver for nothing


def test_occasionals_cost_what_they_would_earn_later(told: Callable[[Array], str]) -> None:
    seen = situation("boston:hospital boston:prison", "new_york:2 new_york:3 detroit:3 detroit:4", turn=3)
    put(seen, 1, "boston", 2)
    seen["experts"][0, 0] = 1
    assert told(seen).startswith("reveal")  # Boston (3 - 2) / 3, New York (0 + 1) / 2, Detroit (1 + 2 - 3) / 3
    seen["last_hand"] = 1
    assert told(seen).startswith("place 1+2 boston")  # 3 / 3, as in Detroit, but further left


def test_chicago_is_worth_what_lies_open_left_of_it(told: Callable[[Array], str]) -> None:
    seen = situation("detroit:1 detroit:2", "boston:3 new_york:3", turn=4)
    put(seen, 0, "new_york", 1)
    seen["row"][0, :4] = [0, 1, CHICAGO, 2]
    assert told(seen).startswith("place 1+0 chicago")  # (3 + 3) / 2 = 3
    put(seen, 1, "chicago", 3)
    assert told(seen).startswith("place 1+0 detroit")  # Chicago 0.75 each, Detroit 4 / 3


def test_it_moves_chicago_its_own_way(told: Callable[[Array], str]) -> None:
    seen = situation("new_york:0 new_york:3 boston:3 detroit:1", "new_york:1", turn=4)
    seen["row"][0, :4] = [0, CHICAGO, 1, 2]
    seen["experts"][0, 0] = seen["occasionals"][0, 0] = 0
    put(seen, 0, "chicago", 0)
    assert told(seen) == "reveal new_york:3"
    put(seen, 1, "chicago", 1)
    assert told(seen) == "reveal new_york:0"


def test_else_it_reveals_where_most_is_unknown(told: Callable[[Array], str]) -> None:
    seen = situation("new_york:0 boston:3 boston:3 detroit:1 detroit:2")
    assert told(seen).endswith("reveal new_york:0")  # three can lie there, as in Detroit
    seen = situation("new_york:0 boston:3 boston:3 detroit:2", "new_york:1")
    assert told(seen).endswith("reveal detroit:2")
