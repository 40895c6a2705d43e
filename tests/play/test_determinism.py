"""Bots are asked again about one block in a hundred: deterministic ones repeat themselves, others are found."""

from pathlib import Path

import numpy as np
import pytest
from bad_bots import arena

from harness.game.layout import SEATS
from harness.game.rules import usual_rules
from harness.game.state import GAME, new_histories
from harness.ladder.chunk import Chunk, ChunkResult, play_chunk
from harness.ladder.schedule import Block
from harness.play.determinism import PART, to_repeat
from harness.play.limits import Limits
from harness.play.lockstep import Played
from harness.play.probe import probe
from harness.play.registry import BotSpec, spec_of

LIMITS = Limits(turn_ms=2000, bank_ms=5000, load_s=60, memory_mb=800)
BOTS = '''
import os
import random
import time
from pathlib import Path

from harness import Bot, Turn


class Steady(Bot):
    """Plays by all it has seen of its game, and by the chance it is handed."""

    def __init__(self):
        self.seen = 0

    def act(self, view):
        self.seen = self.seen * 31 + sum(map(len, map(str, view.history))) + view.rng.randrange(1000)
        places = view.ways_to_lead()
        place = places[self.seen % len(places)] if places and self.seen % 3 else None
        return Turn(view.hand[self.seen % len(view.hand)], place)

    def choose_loss(self, view, seats):
        self.seen += len(view.history)
        return seats[self.seen % len(seats)]


class Clumsy(Steady):
    """The same, but now and then it raises, plays what it has not got, names nobody, or answers no turn."""

    def act(self, view):
        turn = super().act(view)
        slip = self.seen % 23
        if slip == 0:
            raise ValueError("a slip")
        if slip == 1:
            return "a turn"
        if slip == 2:
            return Turn(next(card for card in view.rules.cards if card not in view.hand))
        return turn

    def choose_loss(self, view, seats):
        seat = super().choose_loss(view, seats)
        return seat if self.seen % 3 else 17


class Casual(Bot):
    """Plays a card by a number of its own."""

    def act(self, view):
        moment = self.number(), view.hand_number, view.turn_number  # or one number would choose alike in all its game
        return Turn(random.Random(repr(moment)).choice(view.hand))

    def number(self):
        raise NotImplementedError


class Dice(Casual):
    def number(self):
        return os.urandom(8)


class Clock(Casual):
    def number(self):
        return time.perf_counter_ns()


class Address(Casual):
    def number(self):
        return id(self)


class Elephant(Casual):
    """Remembers how often it was asked in other games."""

    asked = 0

    def number(self):
        Elephant.asked += 1
        return Elephant.asked


class Late(Steady):
    """Ends its process where more than two have left their marks in a folder."""

    def __init__(self, folder):
        super().__init__()
        self.folder = Path(folder)
        (self.folder / str(os.getpid())).touch()

    def act(self, view):
        if len(list(self.folder.iterdir())) > 2:
            os._exit(1)
        return super().act(view)
'''
BATCHES = '''
import numpy as np

from harness import BatchBot


class Steady(BatchBot):
    """Plays by its observations and histories."""

    def act_batch(self, observations, histories, turns):
        for row in range(len(turns)):
            past = histories[row, : observations["events"][row]]
            self.play(turns, row, int(observations["own"][row]), int(past["card"].astype(int).sum()))

    def play(self, turns, row, own, number):
        cards = [card for card in range(64) if own >> card & 1]
        turns["card"][row] = cards[number % len(cards)]


class Whole(Steady):
    """Plays by whole rows of histories, what is to come, and empty, included."""

    def act_batch(self, observations, histories, turns):
        for row, number in enumerate(histories["card"].astype(int).sum(axis=1)):
            self.play(turns, row, int(observations["own"][row]), int(number))


class Dice(Steady):
    def act_batch(self, observations, histories, turns):
        for row, number in enumerate(np.random.default_rng().integers(1000, size=len(turns))):
            self.play(turns, row, int(observations["own"][row]), int(number))
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bots")
    (folder / "each.py").write_text(BOTS)
    (folder / "batches.py").write_text(BATCHES)
    return folder


def chunk_of(bot: BotSpec, players: int, blocks: int = 4) -> Chunk:
    """Blocks of a bot among built-in ones, twice at the table where four or more play."""
    rules = usual_rules(players)
    specs = (bot, spec_of("greedy"), spec_of("random"))
    spread = tuple(Block(rules.name, index, (0, 1, 2, 0, 1, 2)[:players]) for index in range(blocks))
    return Chunk(arena.SEED, rules.name, rules, specs, spread, LIMITS)


def play(file: Path, name: str, players: int, level: str = "process", **params: str) -> ChunkResult:
    return play_chunk(chunk_of(spec_of(f"{file}:{name}", "guest", params, level=level), players))


@pytest.mark.parametrize(
    ("bot", "players"),
    [
        ("each.py:Steady", 2),
        ("each.py:Steady", 6),
        ("each.py:Clumsy", 4),
        ("each.py:Clumsy", 6),
        ("batches.py:Steady", 4),
        ("batches.py:Whole", 4),
    ],
)
def test_a_deterministic_bot_is_never_flagged(folder: Path, bot: str, players: int) -> None:
    file, name = bot.split(":")
    result = play(folder / file, name, players)
    used = result.usage["guest"]
    assert bool(result.faults) == (name == "Clumsy")
    assert used.differing == 0
    assert used.asked_again == answers_in_first_block(result, players)


def answers_in_first_block(result: ChunkResult, players: int) -> int:
    """Count the bot's own decisions in the first block that has a seat of it without a forfeit, game by game."""
    rules, rows = usual_rules(players), arena.rows_of(result)
    kept = [(row, [seat for seat in arena.seats_of(row, 0) if not row["forfeits"] >> seat & 1]) for row in rows]
    first = next(row["block"] for row, seats in kept if seats)
    count = 0
    for row, seats in kept:
        if row["block"] == first:
            slips = {(fault["seat"], fault["hand"], fault["turn"]) for fault in arena.faults_of(row)}
            decided = [(moment.seat, moment.hand, moment.turn_number or 0) for moment in arena.told(row, rules)]
            count += sum(moment[0] in seats and moment not in slips for moment in decided)
    return count


@pytest.mark.parametrize("bot", ["each.py:Dice", "each.py:Clock", "each.py:Address", "each.py:Elephant",
                                 "batches.py:Dice"])  # fmt: skip
def test_whoever_is_not_is_found_and_pays_nothing(folder: Path, bot: str) -> None:
    file, name = bot.split(":")
    result = play(folder / file, name, 4)
    used = result.usage["guest"]
    assert used.asked_again > used.differing > 0, "some come out alike: of the last card in hand there is no choice"
    assert not result.faults
    assert not result.games["forfeits"].any()


@pytest.mark.skipif(probe().level != "jailed", reason=f"no jail on this machine: {probe().reason}")
@pytest.mark.parametrize(("name", "is_flagged"), [("Steady", False), ("Dice", True), ("Address", True)])
def test_the_same_in_the_jail(folder: Path, name: str, is_flagged: bool) -> None:
    used = play(folder / "each.py", name, 2, "jailed").usage["guest"]
    assert used.asked_again > 0
    assert (used.differing > 0) is is_flagged


def test_a_process_that_ends_when_asked_again_shows_nothing_and_costs_nothing(folder: Path, tmp_path: Path) -> None:
    result = play(folder / "each.py", "Late", 2, folder=str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 2 + 1, "one process for each seat, and one that is asked again"
    assert not result.faults
    assert (result.usage["guest"].asked_again, result.usage["guest"].differing) == (0, 0)


def test_trusted_bots_are_not_asked_again(folder: Path) -> None:
    assert play(folder / "each.py", "Dice", 2, "trusted").usage == {}


def played(blocks: int, forfeits: dict[int, int]) -> tuple[Played, np.ndarray]:
    """Blocks of two games of bots 0 and 1, bot 1 giving way to bot 2 in odd blocks; masks of forfeits by game."""
    count = 2 * blocks
    block_of = np.arange(count) // 2
    seatings = np.full((count, SEATS), -1, np.int16)
    other = np.where(block_of % 2, 2, 1)
    seatings[:, 0] = np.where(np.arange(count) % 2, other, 0)
    seatings[:, 1] = np.where(np.arange(count) % 2, 0, other)
    mask = np.array([forfeits.get(game, 0) for game in range(count)], np.uint8)
    return Played(np.zeros(count, GAME), new_histories(usual_rules(2), 0), seatings, mask), block_of


@pytest.mark.parametrize("blocks", [1, 2, 99, 100, 101, 102, 350])
def test_every_hundredth_block_of_a_bot_is_asked_about_from_its_first_on(blocks: int) -> None:
    games, block_of = played(blocks, {})
    for bot, own in ((0, range(blocks)), (1, range(0, blocks, 2)), (2, range(1, blocks, 2)), (3, range(0))):
        chosen, seats = to_repeat(games, block_of, bot)
        assert [(game, seat) for game, seat in zip(chosen.tolist(), seats.tolist(), strict=True)] == [
            (2 * block + turn, (turn if bot == 0 else 1 - turn)) for block in list(own)[::PART] for turn in (0, 1)
        ]


def test_seats_that_forfeited_are_not_asked_about() -> None:
    games, block_of = played(4, {0: 0b01, 1: 0b10, 2: 0b10, 3: 0b10})
    chosen, seats = to_repeat(games, block_of, 0)
    assert (chosen.tolist(), seats.tolist()) == ([2], [0]), "block 0 is forfeited; of block 1, one game by the other"
    chosen, seats = to_repeat(games, block_of, 1)
    assert (chosen.tolist(), seats.tolist()) == ([0, 1], [1, 0])
