"""Plays bad bots beside honest ones, and looks at what came of it and at what they left behind.

Everything here is worked out anew from the rules and the stored games; of the harness it uses what it tests, and the
replay of a game from its choices.
"""

import atexit
import ctypes
import hashlib
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from bad_bots.outcomes import Case

from harness.game.choices import Choices, Packed
from harness.game.moments import Moment, moments
from harness.game.rules import Rules, usual_rules
from harness.game.stepper import KeyedDeal
from harness.game.turn import Turn
from harness.game.view import View
from harness.ladder.chunk import Chunk, ChunkResult, bot_key, deal_key, play_chunk
from harness.ladder.columns import GAME_COLUMNS
from harness.ladder.schedule import Block
from harness.play.clock import full_banks
from harness.play.faults import STRIKES, FaultKind, Price
from harness.play.limits import Limits
from harness.play.registry import BotSpec, spec_of

FOLDER = Path(__file__).parent
PROJECT = FOLDER.parent.parent
SEED = "bad0b0750bad0b0750bad0b0750bad0b"
LIMITS = Limits(turn_ms=30, bank_ms=60, load_s=3.0, memory_mb=256)
BATCH_LIMITS = Limits(turn_ms=30, bank_ms=60, load_s=8.0, memory_mb=1024)
"""The fast level loads numpy and numba."""

BAD, GREEDY, MISER, RANDOM = range(4)
CROWD = 48
"""Blocks in which one bot tries something else in each game."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Layout:
    """A small chunk: how many play, the lineups of its blocks (numbers of bots), processes of the bad bot."""

    players: int
    lineups: tuple[tuple[int, ...], ...]
    processes: int


LAYOUTS = {
    "once": Layout(2, ((BAD, GREEDY), (GREEDY, RANDOM)), 2),
    "duel": Layout(2, ((BAD, GREEDY), (GREEDY, RANDOM), (MISER, BAD), (RANDOM, MISER)), 2),
    "many": Layout(2, (*((BAD, RANDOM),) * 6, (GREEDY, RANDOM)), 2),
    "copies": Layout(2, ((BAD, BAD), (BAD, BAD), (BAD, GREEDY), (GREEDY, RANDOM)), 3),
    "crowd": Layout(2, (*((BAD, RANDOM),) * CROWD, (GREEDY, RANDOM)), 2),
    "four": Layout(4, ((BAD, GREEDY, MISER, RANDOM), (GREEDY, MISER, RANDOM, MISER), (RANDOM, BAD, BAD, GREEDY)), 8),
    "teams": Layout(6, ((BAD, GREEDY, RANDOM, BAD, GREEDY, RANDOM), (GREEDY, RANDOM) * 3), 6),
}


class TooLongError(BaseException):
    """A run did not end by itself. No Exception, so that nothing on the way takes it for a bot's."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLongError in the main thread once so many seconds are over."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLongError(f"still running after {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def chunk_of(case: Case) -> Chunk:
    """Return the chunk in which a bad bot plays."""
    spec = BotSpec("bad", f"{FOLDER}/{case.bot}", "0" * 12, params_of(case), "jailed")
    return _chunk(spec, LAYOUTS[case.where], BATCH_LIMITS if case.is_batch else LIMITS)


def params_of(case: Case) -> dict[str, Any]:
    """Return the parameters of a bad bot; one that goes for files is told where the decoy lies."""
    return {**case.params, "root": decoy()} if case.bot.startswith("files.py") else case.params


@cache
def decoy() -> str:
    """Return a folder with what bots go for, which nobody would miss; it lasts as long as this process."""
    folder = tempfile.mkdtemp(prefix="decoy-")
    atexit.register(shutil.rmtree, folder, True)
    for name in ("configs", "bots"):
        shutil.copytree(PROJECT / name, f"{folder}/{name}", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(FOLDER / "hangs.py", f"{folder}/bots/neighbour.py")
    Path(folder, "results").mkdir()
    Path(folder, "results", "manifest.json").write_text("{}")
    return folder


def _chunk(first: BotSpec, layout: Layout, limits: Limits) -> Chunk:
    rules = usual_rules(layout.players)
    bots = (first, *(spec_of(name) for name in ("greedy", "miser", "random")))
    blocks = tuple(Block(rules.name, index, lineup) for index, lineup in enumerate(layout.lineups))
    return Chunk(SEED, rules.name, rules, bots, blocks, limits)


def rows_of(result: ChunkResult) -> list[Row]:
    """Return the games of a chunk, one mapping of GAME_COLUMNS each, all plain values."""
    columns = {name: _listed(result.games[name], result.count) for name in GAME_COLUMNS}
    return [{name: column[game] for name, column in columns.items()} for game in range(result.count)]


def _listed(column: Any, count: int) -> list[Any]:
    if isinstance(column, Packed):
        return [column.of(game) for game in range(count)]
    return list(column.tolist() if hasattr(column, "tolist") else column)


@cache
def honest_rows(where: str) -> tuple[Row, ...]:
    """Return the games of a layout with `miser`, which never errs, in the bad bot's place."""
    return tuple(rows_of(play_chunk(_chunk(spec_of("miser", "honest"), LAYOUTS[where], LIMITS))))


def seats_of(row: Row, bot: int = BAD) -> list[int]:
    """Return the seats in which a bot sits."""
    return [seat for seat in range(row["players"]) if row[f"bot{seat}"] == bot]


def faults_of(row: Row) -> list[dict[str, Any]]:
    """Return the faults of a game."""
    return json.loads(row["fault_log"]) if isinstance(row["fault_log"], str) else []


class Got(NamedTuple):
    """What a bot was charged with, and the dearest price that it paid."""

    kinds: frozenset[str]
    price: str
    games: int


def got(rows: Iterable[Row], bot: int = BAD) -> Got:
    """Return what came of all games of a bot."""
    own = [row for row in rows if seats_of(row, bot)]
    kinds = {FaultKind(fault["kind"]) for row in own for fault in faults_of(row) if fault["seat"] in seats_of(row, bot)}
    prices = {kind.price for kind in kinds - {FaultKind.OUT}}
    price = next((word for kind, word in _WORDS.items() if kind in prices), "ok")
    return Got(frozenset(kind.name for kind in kinds - {FaultKind.OUT}), price, len(own))


_WORDS = {Price.RUN: "run", Price.GAME: "game", Price.MOVE: "move"}
"""The dearest first."""


def mismatch(case: Case, found: Got) -> str:
    """Return in what a bot's outcome is not the one expected, or nothing."""
    if found.price not in case.prices:
        return (
            f"paid {found.price}, not {'|'.join(sorted(case.prices))} ({' '.join(sorted(found.kinds)) or 'no fault'})"
        )
    if found.kinds - case.kinds:
        return f"charged with {' '.join(sorted(found.kinds))}, not {' '.join(sorted(case.kinds)) or 'anything'}"
    return ""


def seconds_allowed(case: Case) -> float:
    """Return how long a chunk may take: each game of the bad bot may end a process at the wall-clock backstop, once."""
    chunk, layout = chunk_of(case), LAYOUTS[case.where]
    allowed = chunk.limits.turn_ms / 1000 + float(full_banks(chunk.limits, 1)[0].sum())
    kills = layout.processes * min(3, sum(BAD in lineup for lineup in layout.lineups))
    return 5 + kills * (allowed + 0.5) + layout.processes * (chunk.limits.load_s + 0.5)


# What the default turn is, from the rules: nothing placed; a card of that city in hand of which most cards are not yet
# revealed, its hidden one counted; if equal, of the city with the lower number; the card listed first.


def default_turn(view: View) -> Turn:
    """Return the turn that is played for a seat that gives none."""
    rules = view.rules
    unrevealed = {city: sum(card.city == city for card in rules.cards) - len(view.shown[city]) for city in rules.cities}
    held = {card.city for card in view.hand}
    city = max((city for city in rules.cities if city in held), key=unrevealed.__getitem__)  # the first of equals
    return Turn(next(card for card in rules.cards if card.city == city and card in view.hand))


def told(row: Row, rules: Rules, seed: str = SEED) -> list[Moment]:
    """Return a stored game, decision by decision."""
    where = (seed, rules.name, row["block"])
    choices = Choices(row["turns"], row["payers"])
    return list(moments(rules, KeyedDeal(deal_key(*where), bot_key(*where)), choices))


def strange_turns(row: Row, rules: Rules) -> list[str]:
    """Return what of a game is not as its faults demand: a fault without its default turn, for one."""
    game = told(row, rules)
    problems = []
    for seat in range(row["players"]):
        faults = [fault for fault in faults_of(row) if fault["seat"] == seat]
        grave = [fault for fault in faults if FaultKind(fault["kind"]).price is not Price.MOVE]
        forfeited = bool(row["forfeits"] >> seat & 1)
        if forfeited != bool(grave or len(faults) >= STRIKES):
            problems.append(f"seat {seat}: forfeited is {forfeited} after {len(faults)} faults, {len(grave)} grave")
        if forfeited and faults[-1:] not in (grave[:1], faults[STRIKES - 1 : STRIKES]):
            problems.append(f"seat {seat}: charged again after its forfeit")
        problems += _turns_not_default(game, seat, faults, forfeited)
    return problems


def _turns_not_default(game: list[Moment], seat: int, faults: list[dict[str, Any]], forfeited: bool) -> Iterator[str]:
    at_fault = [(fault["hand"], fault["turn"] or 99) for fault in faults]
    for moment in game:
        when = moment.hand, moment.turn_number or 99
        bound = when in at_fault or (forfeited and when > max(at_fault, default=(0, 0)))
        if moment.seat == seat and moment.turn is not None and bound:
            expected = default_turn(moment.view())
            if moment.turn != expected:
                yield f"seat {seat} at {when}: {moment.turn}, not the default {expected}"


# What is left behind.


def children() -> set[int]:
    """Return all processes that descend from this one, and are no zombies of it."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_bytes().rpartition(b")")[2].split()
            except OSError:
                continue
            parents[int(entry)] = int(fields[1])
    found: set[int] = set()
    growing = {os.getpid()}
    while growing:
        growing = {pid for pid, parent in parents.items() if parent in growing} - found
        found |= growing
    return found


def command(pid: int) -> bytes:
    """Return the command line of a process; nothing when it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def descriptors() -> dict[str, int]:
    """Return how many descriptors of this process lead to each kind of thing: memory, pipes, files by their names."""
    counts: dict[str, int] = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            what = os.readlink(f"/proc/self/fd/{number}").partition(":[")[0]
        except OSError:
            continue
        counts[what] = counts.get(what, 0) + 1
    return counts


def own_folders() -> set[str]:
    """Return temporary folders that this process made for jails; one with packs goes when the process ends."""
    mark = f"boss-{os.getpid()}-"
    places = [place for place in ("/dev/shm", "/tmp") if os.path.isdir(place)]
    found = {f"{place}/{name}" for place in places for name in os.listdir(place)}
    return {name for name in found if (mark in name and f"{mark}packs-" not in name) or "was_here" in name}


def source_hash() -> str:
    """Return a hash of all that bots go for: names, contents, rights and times of files, the decoys too."""
    digest = hashlib.blake2b()
    for folder in (PROJECT / "bots", PROJECT / "configs", FOLDER, Path(decoy())):
        for path in sorted(folder.rglob("*")):
            if "__pycache__" in path.parts or not path.is_file():
                continue
            stat = path.stat()
            digest.update(f"{path} {stat.st_mode} {stat.st_uid} {stat.st_nlink}".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def gone(pids: Iterable[int], seconds: float = 2.0) -> bool:
    """Wait until none of these processes runs, so many seconds at most; return whether that came about."""
    end = time.monotonic() + seconds
    while any(_runs(pid) for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Become the parent of all descendants whose own parent ends, so that `children` finds daemons too."""
    set_child_subreaper = 36
    libc = ctypes.CDLL(None)
    libc.prctl(set_child_subreaper, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(set_child_subreaper, 0, 0, 0, 0)
