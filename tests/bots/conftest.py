"""What bots are asked in real games, kept for their tests, and one bot's answer to one such question."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from game.tables import keys

from harness import BatchBot, Bot, Turn, View
from harness.game.lexicon import Lexicon
from harness.game.observe import new_observations
from harness.game.rules import Rules
from harness.game.state import OBSERVATION, TURN, Array, table_of
from harness.game.view import new_view
from harness.play.lockstep import play_games
from harness.play.players import player_of
from harness.play.registry import load_class


class Asked(NamedTuple):
    """All questions of some games: observations of turns and of losses, (n,) OBSERVATION each."""

    turns: Array
    losses: Array


def joined(parts: list[Array]) -> Array:
    """Return arrays of observations as one; np.concatenate would drop the padding at each record's end."""
    whole = new_observations(sum(map(len, parts)))
    at = 0
    for part in parts:
        whole[at : at + len(part)] = part
        at += len(part)
    return whole


def questions_of(rules: Rules, names: list[str], games: int, seed: str = "") -> Asked:
    """Let bots play `games` games, seat s by bot s modulo their number, and return what the first of them was asked."""
    inner = load_class(names[0])()
    assert isinstance(inner, BatchBot)
    turns: list[Array] = []
    losses: list[Array] = []

    class Watched(BatchBot):
        reads_history = False

        def act_batch(self, observations, histories, answers):  # type: ignore[no-untyped-def]
            inner.rules, inner.table = self.rules, self.table
            turns.append(observations.copy())
            inner.act_batch(observations, histories, answers)

        def choose_loss_batch(self, observations, histories, seats):  # type: ignore[no-untyped-def]
            losses.append(observations.copy())
            inner.choose_loss_batch(observations, histories, seats)

    seatings = np.full((games, 6), -1, np.int16)
    seatings[:, : rules.players] = np.arange(rules.players) % len(names)
    players = [player_of(Watched, rules), *(player_of(load_class(name), rules) for name in names[1:])]
    played = play_games(rules, keys(f"deal {seed}", games), keys(f"bots {seed}", games), seatings, players)
    assert not played.faults, played.faults[:3]
    return Asked(joined(turns), joined(losses))


def view_of(rules: Rules, observation: Array) -> View:
    """Return the view of one observation, (1,) OBSERVATION, without a history."""
    assert observation.dtype == OBSERVATION
    return new_view(Lexicon(rules), observation.tobytes(), lambda row, events: b"")


def answer_of(bot: Bot | BatchBot, rules: Rules, observation: Array) -> Turn:
    """Return a bot's turn at one observation, (1,) OBSERVATION."""
    if isinstance(bot, Bot):
        return bot.act(view_of(rules, observation))
    bot.rules, bot.table = rules, table_of(rules)
    turns = np.full(1, -1, TURN)
    bot.act_batch(observation, np.zeros((1, 0)), turns)
    card, city, experts, occasionals, signal = (int(number) for number in turns[0].tolist())
    return Lexicon(rules).turn_of((card, city, experts, occasionals, signal))


@pytest.fixture(scope="session")
def ask() -> Callable[[Bot | BatchBot, Rules, Array], Turn]:
    """`answer_of`, for tests."""
    return answer_of


@pytest.fixture(scope="session")
def questions() -> Callable[..., Asked]:
    """`questions_of`, for tests."""
    return questions_of


@pytest.fixture(scope="session")
def view() -> Callable[[Rules, Array], View]:
    """`view_of`, for tests."""
    return view_of
