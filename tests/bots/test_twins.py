"""greedy and greedy_py are one player written twice: equal turns at every decision, and equal choices of losses."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from game.tables import KINDS, sample

from bots.greedy import Greedy
from bots.greedy_py import GreedyPy
from harness import Bot, View
from harness.game.lexicon import Lexicon
from harness.game.rules import Rules
from harness.game.state import TURN, Array, table_of
from harness.game.view import new_view

PARAMS: list[dict[str, float]] = [
    {},
    {"expert_price": 0.0, "banishment_price": 0.0, "occasional_price": 0.0, "least": 0.0},
    {"expert_price": 0.37, "banishment_price": 2.5, "occasional_price": 1.99, "least": -5.0},
    {"expert_price": -1.0, "least": 1.0},
]


def views_of(rules: Rules, observations: Array) -> list[View]:
    data, size, lexicon = observations.tobytes(), observations.itemsize, Lexicon(rules)
    return [new_view(lexicon, data[at : at + size], lambda row, events: b"") for at in range(0, len(data), size)]


@cache
def positions(kind: str, questions: Callable[..., tuple[Array, Array]]) -> tuple[Array, Array]:
    """What random is asked in some games: wilder positions than greedy's own games come to."""
    return questions(KINDS[kind], ["random"], 5, f"twins {kind}")


@pytest.mark.parametrize("kind", KINDS)
def test_they_play_the_same_games(kind: str) -> None:
    compiled, plain = (sample(KINDS[kind], 3, kind, bot).played for bot in (Greedy, GreedyPy))
    assert compiled.games.tobytes() == plain.games.tobytes()
    assert compiled.histories.tobytes() == plain.histories.tobytes()


@pytest.mark.parametrize("params", PARAMS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_they_choose_the_same_turn(kind: str, params: Any, questions: Callable[..., tuple[Array, Array]]) -> None:
    rules = KINDS[kind]
    asked, _ = positions(kind, questions)
    compiled, plain = Greedy(**params), GreedyPy(**params)
    compiled.rules, compiled.table = rules, table_of(rules)
    turns = np.full(len(asked), -1, TURN)
    compiled.act_batch(asked, np.zeros((len(asked), 0)), turns)
    lexicon = Lexicon(rules)
    told = [plain.act(view) for view in views_of(rules, asked)]
    assert [lexicon.turn_of(numbers) for numbers in turns.tolist()] == told


@pytest.mark.parametrize("kind", [kind for kind, rules in KINDS.items() if rules.teams])
def test_they_choose_the_same_loser(kind: str, questions: Callable[..., tuple[Array, Array]]) -> None:
    rules = KINDS[kind]
    _, asked = positions(kind, questions)
    assert len(asked) > 10
    seats = np.full(len(asked), -1, np.int16)
    Greedy().choose_loss_batch(asked, np.zeros((len(asked), 0)), seats)
    plain: Bot = GreedyPy()
    able = [tuple(seat for seat in range(6) if mask >> seat & 1) for mask in asked["loss_seats"].tolist()]
    told = [plain.choose_loss(view, seats) for view, seats in zip(views_of(rules, asked), able, strict=True)]
    assert seats.tolist() == told
