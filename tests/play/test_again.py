"""Bots are asked again what they were asked in their games: all of it, in its order, and many questions at a time."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from harness.game.chance import derive_key
from harness.game.observe import words_of
from harness.game.rules import Rules, usual_rules
from harness.game.state import TURN, Array
from harness.play.again import asked_again
from harness.play.asking import NO_TURN
from harness.play.faults import Failure
from harness.play.jailed import JailedPlayer
from harness.play.limits import Limits
from harness.play.lockstep import Played, play_games
from harness.play.nursery import Nurseries
from harness.play.players import Player, Questions, numbers_in, player_of
from harness.play.registry import spec_of

GAMES = 8
LIMITS = Limits(turn_ms=200, bank_ms=2000, load_s=20, memory_mb=1024)
ALL = 10**6
"""Room for all questions there are."""

BOT = '''
from harness import Bot, Turn


class Rememberer(Bot):
    """Plays by all it has ever seen of its game: its questions, its past, its chance, in their order."""

    def __init__(self):
        self.seen = 0

    def note(self, view):
        self.seen = (self.seen * 31 + len(str(view.history)) + view.rng.randrange(1000)) % 1_000_003

    def act(self, view):
        self.note(view)
        places = view.ways_to_lead()
        place = places[self.seen % len(places)] if places and self.seen % 3 else None
        return Turn(view.hand[self.seen % len(view.hand)], place)

    def choose_loss(self, view, seats):
        self.note(view)
        return seats[self.seen % len(seats)]
'''


class Noting:
    """A player that notes what another is asked, by game and seat: events so far, whether about a loss, all it sees."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.noted: dict[tuple[int, int], list[tuple[int, bool, bytes]]] = defaultdict(list)

    def act(self, asked: Questions, turns: Array) -> list[Failure]:
        self.note(False, asked)
        return self.player.act(asked, turns)

    def choose_loss(self, asked: Questions, seats: np.ndarray) -> list[Failure]:
        self.note(True, asked)
        return self.player.choose_loss(asked, seats)

    def note(self, is_loss: bool, asked: Questions) -> None:
        seats = asked.observations["seat"].tolist()
        for game, seat, told in zip(asked.rows.tolist(), seats, shown(is_loss, asked), strict=True):
            self.noted[game, seat].append(told)


def shown(is_loss: bool, asked: Questions) -> Iterator[tuple[int, bool, bytes]]:
    """Yield of each question what `Noting` notes."""
    data = [row.tobytes() for row in words_of(asked.observations)]
    return zip(asked.observations["events"].tolist(), [is_loss] * len(data), data, strict=True)


def keys(label: str, games: int = GAMES) -> np.ndarray:
    return np.stack([derive_key(label, str(game)) for game in range(games)])


def played(rules: Rules) -> tuple[Played, Noting]:
    """Play games of `greedy` with itself, which places enough for partners to have losses to share out."""
    player = Noting(player_of(spec_of("greedy").maker(), rules))
    seatings = np.where(np.arange(6) < rules.players, 0, -1).astype(np.int16)
    return play_games(rules, keys("deal"), keys("bots"), np.tile(seatings, (GAMES, 1)), [player]), player


def again(
    rules: Rules, played: Played, games: np.ndarray, seats: np.ndarray, events: np.ndarray, room: int
) -> Iterator[tuple[bool, Questions]]:
    deals, bots = keys("deal")[games], keys("bots")[games]
    return asked_again(rules, deals, bots, played.histories[games], events, seats.astype(np.int16), room)


@pytest.mark.parametrize("room", [1, 60, ALL])
@pytest.mark.parametrize("players", [4, 6])
def test_all_that_was_asked_before_a_moment_is_asked_again(players: int, room: int) -> None:
    rules = usual_rules(players)
    done, noting = played(rules)
    moments = [(game, told[0]) for (game, _), own in noting.noted.items() for told in own[:: 60 // players]]
    losses = [(game, told[0]) for (game, _), own in noting.noted.items() for told in own if told[1]]
    assert (len(losses) > 20) == (players == 6)
    ends = [(game, int(done.games["events"][game])) for game in range(GAMES)]
    samples = [(game, events, seat) for game, events in moments + losses + ends for seat in range(players)]
    games, events, seats = np.array(samples).T
    found = defaultdict(list)
    for is_loss, asked in again(rules, done, games, seats, events, room):
        assert len(asked.rows) <= max(room, len(samples))
        for place, told in zip(asked.rows.tolist(), shown(is_loss, asked), strict=True):
            found[place].append(told)
    for place, (game, until, seat) in enumerate(samples):
        assert found[place] == [told for told in noting.noted[game, seat] if told[0] < until]


@pytest.mark.parametrize("players", [4, 6])
def test_few_messages_ask_it_all(players: int) -> None:
    rules = usual_rules(players)
    done, _ = played(rules)
    games, seats = np.arange(GAMES).repeat(players), np.tile(np.arange(players), GAMES)
    kinds = [is_loss for is_loss, _ in again(rules, done, games, seats, done.games["events"][games], ALL)]
    if players == 6:
        hands = int(done.games["hand"].max()) + 1
        assert 3 <= len(kinds) <= 2 * hands, "partners choose between the turns of two hands"
    else:
        assert kinds == [False]


@pytest.fixture(scope="module")
def rememberer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bots") / "rememberer.py"
    file.write_text(BOT)
    return file


@pytest.fixture
def nurseries() -> Iterator[Nurseries]:
    with Nurseries() as running:
        yield running


def answers(player: Player, asked: Iterator[tuple[bool, Questions]]) -> dict[tuple[int, int], list[int]]:
    """Return what a player answers, by game and how many events it has had."""
    told = {}
    for is_loss, questions in asked:
        turns, seats = np.zeros(len(questions.rows), TURN), np.full(len(questions.rows), -1, np.int16)
        numbers_in(turns)[:] = NO_TURN
        assert not (player.choose_loss(questions, seats) if is_loss else player.act(questions, turns))
        numbers = seats[:, None] if is_loss else numbers_in(turns)
        moments = zip(questions.rows.tolist(), questions.observations["events"].tolist(), strict=True)
        told |= dict(zip(moments, numbers.tolist(), strict=True))
    return told


@pytest.mark.parametrize("players", [4, 6])
def test_asked_all_at_once_a_bot_answers_as_step_by_step(rememberer: Path, nurseries: Nurseries, players: int) -> None:
    rules, spec = usual_rules(players), spec_of(str(rememberer), level="process")
    done, _ = played(rules)
    games, seats = np.arange(GAMES), np.arange(GAMES) % players
    events = done.games["events"]
    step_by_step = answers(player_of(spec.maker(), rules), again(rules, done, games, seats, events, 1))
    with JailedPlayer(spec, rules, LIMITS, GAMES, nurseries) as player:
        at_once = answers(player, again(rules, done, games, seats, events, ALL))
    assert at_once == step_by_step


def test_pasts_are_those_of_their_games_in_whatever_order_these_come(rememberer: Path, nurseries: Nurseries) -> None:
    rules, spec = usual_rules(2), spec_of(str(rememberer), level="process")
    done, _ = played(rules)
    games = np.arange(4)
    ((_, asked),) = again(rules, done, games, games % 2, done.games["events"][:4], ALL)
    nth = [np.flatnonzero(asked.rows == game) for game in games]
    picked = [[nth[0][0], nth[2][0]], [nth[1][0], nth[3][0]], [nth[game][5] for game in games]]
    parts = [(False, asked.only(np.array(rows))) for rows in picked]
    with JailedPlayer(spec, rules, LIMITS, 4, nurseries) as player:
        assert answers(player, iter(parts)) == answers(player_of(spec.maker(), rules), iter(parts))
