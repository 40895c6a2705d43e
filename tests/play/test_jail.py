"""Bots in processes of their own play the same games, and where one dies only its own game suffers."""

import json
import time
from pathlib import Path

import numpy as np
import pytest

from harness.game.rules import usual_rules
from harness.ladder.chunk import Chunk, ChunkResult, play_chunk
from harness.ladder.schedule import Block
from harness.play.faults import GIVEN_UP
from harness.play.jailed import LIVES
from harness.play.limits import LEVELS, Limits
from harness.play.probe import probe
from harness.play.registry import spec_of

SEED = "5eed" * 8
LIMITS = Limits(turn_ms=40, bank_ms=40, load_s=10, memory_mb=400)

needs_jail = pytest.mark.skipif(probe().level != "jailed", reason=probe().reason or "jailed")

BOTS = '''
import numpy as np
from harness import BatchBot, Bot, Turn


class Rememberer(Bot):
    """Plays by all it has ever seen of its game: its own questions, its past, its chance, what it counted."""

    def __init__(self, step=1):
        self.step, self.seen = step, 0

    def act(self, view):
        self.seen = self.seen * 31 + sum(map(len, map(str, view.history))) + view.rng.randrange(1000) + self.step
        places = view.ways_to_lead()
        place = places[self.seen % len(places)] if places and self.seen % 3 else None
        return Turn(view.hand[self.seen % len(view.hand)], place)

    def choose_loss(self, view, seats):
        self.seen += len(view.history)
        return seats[self.seen % len(seats)]


class Crasher(Rememberer):
    """Its process ends in the second hand of some games, those where its cards say so."""

    def act(self, view):
        if view.hand_number == 2 and view.turn_number == 2 and len(str(view.hand)) % 16 == 0:
            raise_signal()
        return super().act(view)


def raise_signal():
    import signal
    signal.raise_signal(signal.SIGSEGV)


class Batch(BatchBot):
    """Plays by its observations and histories alone, as arrays."""

    def act_batch(self, observations, histories, turns):
        for i in range(len(turns)):
            own, past = int(observations["own"][i]), int(observations["events"][i])
            cards = [card for card in range(64) if own >> card & 1]
            told = histories["card"][i, :past].astype(int).sum() + histories["who"][i, :past].astype(int).sum()
            turns["card"][i] = cards[told % len(cards)]


class Thinker(Bot):
    """Uses so much CPU time for each decision."""

    def __init__(self, ms):
        self.ms = ms

    def act(self, view):
        import time
        end = time.process_time() + self.ms / 1000
        while time.process_time() < end:
            pass
        return Turn(view.hand[0])
'''


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bots") / "own.py"
    file.write_text(BOTS)
    return file


def play(
    file: Path, name: str, players: int, level: str, blocks: int = 6, limits: Limits = LIMITS, **params: float
) -> ChunkResult:
    """Play blocks of one bot of the file among built-in ones, twice at the table where four or more play."""
    specs = (spec_of(f"{file}:{name}", params=params, level=level), spec_of("greedy"), spec_of("random"))
    lineup = (0, 1, 2, 0, 1, 2)[:players]
    spread = tuple(Block("table", index, lineup) for index in range(blocks))
    return play_chunk(Chunk(SEED, "table", usual_rules(players), specs, spread, limits))


def same(one: ChunkResult, other: ChunkResult, games: np.ndarray | slice = slice(None)) -> bool:
    """Return whether all columns of these games are equal."""
    for name, column in one.games.items():
        mine, theirs = column, other.games[name]
        if hasattr(column, "of"):
            count = range(len(column.offsets) - 1)
            mine, theirs = ([packed.of(game) for game in count] for packed in (mine, theirs))
        if not np.array_equal(np.array(mine, object)[games], np.array(theirs, object)[games]):
            return False
    return True


@needs_jail
@pytest.mark.parametrize("name", ["Rememberer", "Batch"])
@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_level_plays_the_same_games(bots: Path, name: str, players: int) -> None:
    trusted, process, jailed = (play(bots, name, players, level) for level in LEVELS)
    assert not trusted.faults
    assert same(trusted, process)
    assert same(trusted, jailed)


@needs_jail
@pytest.mark.parametrize(("players", "blocks"), [(4, 16), (6, 6)])
def test_a_bot_goes_on_remembering_in_a_fresh_process(bots: Path, players: int, blocks: int) -> None:
    crashed, whole = (play(bots, name, players, "jailed", blocks) for name in ("Crasher", "Rememberer"))
    hurt = np.array([log is not None for log in crashed.games["fault_log"]])
    assert 0 < hurt.sum() < len(hurt) / 2, "some games are lost, and most are not"
    assert same(crashed, whole, ~hurt), "the others are as if nothing had happened"


@needs_jail
def test_a_bank_lasts_a_game(bots: Path) -> None:
    decisions = 25  # at most, of one seat of two in a game of three to five hands
    limits = Limits(turn_ms=20, bank_ms=15 * 3, load_s=10, memory_mb=400)
    late = play(bots, "Thinker", 2, "jailed", 1, limits, ms=35)
    assert all(late.games["forfeits"]), "15 ms more than a decision has, and three times as much in the bank"
    log = late.games["fault_log"][0]
    assert '"hand": 1' in log
    roomy = Limits(turn_ms=20, bank_ms=15 * (decisions + 30), load_s=10, memory_mb=400)
    assert not play(bots, "Thinker", 2, "jailed", 1, roomy, ms=35).faults


@needs_jail
def test_the_third_delay_of_all_its_processes_is_a_bots_last_one(bots: Path) -> None:
    """On two cores two of them are asked at the same time; whoever comes later in order answers no more either."""
    spec = spec_of(f"{bots}:Thinker", params={"ms": 500}, level="jailed")
    blocks = tuple(Block("table", index, (0, 1, 0, 1)) for index in range(6))
    limits = Limits(turn_ms=20, bank_ms=0, load_s=10, memory_mb=400)
    chunk = Chunk(SEED, "table", usual_rules(4), (spec, spec_of("greedy")), blocks, limits)
    one, two = (play_chunk(chunk, cores) for cores in (1, 2))
    assert same(one, two)
    assert all(one.games["forfeits"])
    faults = [fault for log in one.games["fault_log"] for fault in json.loads(log)]
    assert sum(GIVEN_UP not in fault["message"] for fault in faults) == LIVES


@needs_jail
def test_a_sleeping_bot_is_woken_by_no_one(bots: Path) -> None:
    sleepy = bots.with_name("sleepy.py")
    sleepy.write_text(
        "import time\nfrom harness import Bot\nclass Sleepy(Bot):\n    def act(self, view): time.sleep(60)\n"
    )
    begin = time.monotonic()
    result = play(sleepy, "Sleepy", 2, "jailed", 1, Limits(turn_ms=10, bank_ms=10, load_s=10, memory_mb=400))
    assert time.monotonic() - begin < 10
    assert all(result.games["forfeits"])


@needs_jail
def test_what_cannot_be_loaded_says_why(bots: Path) -> None:
    broken = bots.with_name("broken.py")
    broken.write_text("from harness import Bot\n\nclass Broken(Bot)\n    pass\n")
    result = play(broken, "Broken", 2, "jailed", 1)
    assert all("load failure" in log and "line 3" in log for log in result.games["fault_log"])
