"""random: all legal turns equally likely, against a brute-force list of them, by chi-square with fixed keys."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from game.tables import KINDS
from numpy.typing import NDArray
from scipy.stats import chisquare

from bots.random import Random
from harness import View
from harness.game.lexicon import Lexicon
from harness.game.rules import Rules
from harness.game.state import TURN, Array, table_of

PER_TURN = 40
LEAST_P = 1e-4
KIND_NAMES = ("two", "three", "four", "five", "six", "six, flipped", "four, flipped", "twelve cities")

Numbers = tuple[int, ...]


def legal_turns(view: View, own: int, rules: Rules) -> list[Numbers]:
    """Return every legal turn but for its signal, as the engine's numbers."""
    lexicon = Lexicon(rules)
    places = [(-1, 0, 0)]
    places += [(lexicon.city_numbers[p.city], p.experts, p.occasionals) for p in view.legal_placements()]
    mine = [number for number in range(len(rules.cards)) if own >> number & 1]
    return [(card, *place) for card in mine for place in places]


def answers(rules: Rules, observation: Array, count: int) -> NDArray[np.void]:
    """Return what random answers to the same observation under `count` keys."""
    observations = observation.repeat(count)
    observations["key"] = np.random.default_rng(1).integers(0, 2**64, count, np.uint64)
    turns = np.full(count, -1, TURN)
    bot = Random()
    bot.rules, bot.table = rules, table_of(rules)
    bot.act_batch(observations, np.zeros((count, 0)), turns)
    return turns


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_every_legal_turn_is_equally_likely(
    kind: str, questions: Callable[..., tuple[Array, Array]], view: Callable[[Rules, Array], View]
) -> None:
    rules = KINDS[kind]
    asked, _ = questions(rules, ["random"], 6, kind)
    for row in np.linspace(0, len(asked) - 1, 12).astype(int):
        observation = asked[row : row + 1]
        legal = legal_turns(view(rules, observation), int(observation["own"][0]), rules)
        turns = answers(rules, observation, PER_TURN * len(legal))
        assert not turns["signal"].any()
        drawn = Counter(tuple(turn)[:4] for turn in turns.tolist())
        assert set(drawn) <= set(legal)
        if len(legal) > 1:
            assert chisquare([drawn[turn] for turn in legal]).pvalue > LEAST_P


def test_the_card_and_the_place_are_drawn_apart(questions: Callable[..., tuple[Array, Array]]) -> None:
    rules = KINDS["four"]
    asked, _ = questions(rules, ["random"], 1)
    turns = answers(rules, asked[:1], 20_000)
    cards, places = np.unique(turns["card"]), np.unique(turns["city"])
    table = np.array([[((turns["card"] == c) & (turns["city"] == p)).sum() for p in places] for c in cards])
    expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
    assert ((table - expected) ** 2 / expected).sum() < 4 * table.size
