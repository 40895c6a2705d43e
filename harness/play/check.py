"""Playing a bot through all that a ladder may ask of it, and keeping what was seen; `check_text` judges that.

Every round is played in a process of its own, so that nothing is left over from the round before: games that differ
between two rounds of the same order show chance, and games that differ in another order show memory.
"""

import contextlib
import io
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from harness.errors import BotError
from harness.game.chance import derive_key
from harness.game.rules import Rules, usual_rules
from harness.play.check_games import FEW, GAMES, OTHERS, SIZES, Batch, GameId, in_order, only, out_of_order
from harness.play.clock import PATIENCE, Seconds, cpu_of
from harness.play.faults import Fault, FaultKind
from harness.play.jailed import JailedPlayer
from harness.play.limits import USUAL_LIMITS, Limits
from harness.play.lockstep import Played, play_games
from harness.play.nursery import Nurseries
from harness.play.players import BatchPlayer, Player, player_of
from harness.play.probe import probe
from harness.play.registry import BotSpec, spec_of
from harness.play.scratch import disk_folder, lent_folder
from harness.play.sources import source_of
from harness.play.timed import HUNG, Timed
from harness.play.together import load_together
from harness.play.usage import Usage

OUT_OF_TIME = 3
"""Games that end a round when they run out of time or kill the bot's process: the rest would be no different."""

LATE = 20
"""Decisions beyond their time that end a round, where they are more than one in a hundred."""

LONG_S = 0.01
"""Seconds for a decision from which a bot thinks long, and plays FEW games of each size."""

CUTS = (FaultKind.TIMEOUT, FaultKind.CRASH, FaultKind.MEMORY, FaultKind.PROTOCOL, FaultKind.LOAD, FaultKind.OUT)
"""Faults after which games need not be the same when played again: they depend on the machine."""

KEPT = 65_536


@dataclass
class Seen:
    """What a round showed.

    usage: of all its players together. load_s: the longest it took to load, in CPU seconds. is_cut: whether the round
    was broken off. ended: how the process of a trusted bot died, if it did.
    """

    histories: dict[GameId, bytes] = field(default_factory=dict)
    faults: list[tuple[GameId, Fault]] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    load_s: float = 0.0
    is_compiled: bool = False
    is_cut: bool = False
    ended: FaultKind | None = None

    def add(self, batch: Batch, played: Played, usages: Iterable[Usage]) -> None:
        """Add the games of a batch; faults of other bots are none of this one's."""
        for row, game in enumerate(batch):
            events = int(played.games[row]["events"])
            self.histories[game] = played.histories[row, :events].tobytes()
        own = [fault for fault in played.faults if played.seatings[fault.game, fault.seat] >= len(OTHERS)]
        self.faults += [(batch[fault.game], fault) for fault in own]
        for usage in usages:
            self.usage.cpu_s += usage.cpu_s
            self.usage.rows += usage.rows
            self.usage.wall_s += usage.wall_s
            self.usage.peak_memory_mb = max(self.usage.peak_memory_mb, usage.peak_memory_mb)
            self.usage.output = (self.usage.output + usage.output)[-KEPT:]

    @property
    def cuts(self) -> int:
        """How many games were cut short in a way that depends on the machine."""
        return len({game for game, fault in self.faults if fault.kind in CUTS}) + (self.ended is not None)

    def decisions_s(self) -> Seconds:
        """Return the CPU seconds of each decision, (D,): of those asked about together, their mean."""
        rows = np.array(self.usage.rows, np.int64)
        return np.repeat(np.array(self.usage.cpu_s) / rows, rows)

    def thinks_long(self) -> bool:
        """Whether a decision takes LONG_S, or idles as long as a clock would let it in that time."""
        each = self.decisions_s()
        return len(each) > 0 and max(float(np.median(each)), self.usage.wall_s / PATIENCE / len(each)) > LONG_S

    def is_late(self, turn_s: float) -> bool:
        """Whether it is plain that more than one decision in a hundred takes longer than `turn_s`."""
        each = self.decisions_s()
        return int((each > turn_s).sum()) > max(LATE, len(each) / 100)


@dataclass
class Examined:
    """All that was seen of a bot; a round that was not played is None, and so is the spec of one that fails to load.

    first: each size in turn. again: the same once more. apart: the same games in another order and company.
    jailed: the first round in the jail. no_jail: why there is no such round.
    """

    reference: str
    limits: Limits
    spec: BotSpec | None = None
    load_error: str = ""
    first: Seen | None = None
    again: Seen | None = None
    apart: Seen | None = None
    jailed: Seen | None = None
    no_jail: str = ""


Watch = Callable[[Examined, str, int], None]
"""Hears what has been seen so far, which check is looked into now, and how many play there (0: no table, or many)."""


def examine(
    reference: str,
    params: dict[str, Any] | None = None,
    level: str | None = None,
    limits: Limits = USUAL_LIMITS,
    games: int = GAMES,
    sizes: Sequence[int] = SIZES,
    watch: Watch = lambda seen, check, players: None,
) -> Examined:
    """Play a bot through all rounds; raise BotError when there is no such bot at all."""
    watch(Examined(reference, limits), "loads", 0)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            spec = spec_of(reference, params=params, level=level)
    except BotError as error:
        if not is_there(reference):
            raise
        return Examined(reference, limits, load_error=str(error))
    offered = probe()
    no_jail = "" if offered.level == "jailed" else f"there is none here: {offered.reason}"
    seen = Examined(reference, limits, spec, no_jail=no_jail)
    try:
        _play_rounds(seen, replace(spec, level=offered.level) if spec.level == "jailed" else spec, games, sizes, watch)
    except BotError as error:
        seen.load_error, seen.first = str(error), None
    return seen


def _play_rounds(seen: Examined, spec: BotSpec, games: int, sizes: Sequence[int], watch: Watch) -> None:
    """Play one round after the other, as far as they tell anything."""

    def play(check: str, batches: Sequence[Batch], level: str = spec.level) -> Seen:
        return play_round(replace(spec, level=level), seen.limits, batches, partial(watch, seen, check))

    usual = in_order(games, sizes, each_alone=spec.level == "trusted")  # costs nothing there, and tells single games
    seen.first = play("tables", usual)
    if seen.first.cuts or seen.first.is_cut:
        return
    played = seen.first.histories
    seen.again = play("repeats", only(played, usual))
    seen.apart = play("independent", only(played, out_of_order(games, sizes)))
    if seen.first.is_compiled and not seen.no_jail:
        seen.no_jail = "a compiled bot takes long to compile in each process of a jail; --level jailed tries it"
    elif spec.level != "jailed" and not seen.no_jail:
        seen.jailed = play("jail", only(played, in_order(games, sizes)), "jailed")


def is_there(reference: str) -> bool:
    """Return whether a reference leads to a file at all."""
    try:
        return os.path.isfile(os.path.expanduser(source_of(reference)))
    except BotError:
        return False


def play_round(spec: BotSpec, limits: Limits, batches: Sequence[Batch], watch: Callable[[int], None]) -> Seen:
    """Play a round; a trusted bot, which has no process of its own, in one that is started for it.

    `watch` hears how many play in the batch that is next, 0 for all of them.
    """
    if spec.level != "trusted":
        return _played(spec, limits, batches, watch)
    watch(0)
    with lent_folder(disk_folder(), "check-") as folder:
        file = folder / "output"
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(1, mp_context=context, initializer=_print_to, initargs=(str(file),))
        with pool:
            try:
                seen = pool.submit(_played_and_said, spec, limits, batches).result()
            except BrokenProcessPool:
                seen = Seen()
        seen.usage.output = file.read_text(errors="replace")[-KEPT:] if file.exists() else ""
        if not seen.histories:
            seen.ended = FaultKind.TIMEOUT if HUNG in seen.usage.output else FaultKind.CRASH
        return seen


def _print_to(file: str) -> None:
    """Let all that this process prints go to `file`, that of its libraries included."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)


def _played_and_said(spec: BotSpec, limits: Limits, batches: Sequence[Batch]) -> Seen:
    rules = usual_rules(SIZES[-1])
    _play(rules, (GameId(rules.players, 0),), _others(rules) * 2)  # loads the harness itself
    before = _peak_mb()
    seen = _played(spec, limits, batches, lambda players: None)
    seen.usage.peak_memory_mb = _peak_mb() - before
    sys.stdout.flush()
    sys.stderr.flush()
    return seen


def _peak_mb() -> float:
    """Return the most memory this process has had; where Linux tells it, without that of the process it came from."""
    with contextlib.suppress(OSError), open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _played(spec: BotSpec, limits: Limits, batches: Sequence[Batch], watch: Callable[[int], None]) -> Seen:
    seen = Seen()
    with Nurseries() as nurseries:  # a fresh one for each round: what one forks has everything at the same addresses
        left = list(batches)
        while left and not seen.is_cut:
            batch = left.pop(0)
            watch(batch[0].players)
            _play_batch(seen, spec, limits, batch, nurseries)
            if len(seen.histories) == 1 and seen.thinks_long():
                left = only([GameId(players, number) for players in SIZES for number in range(FEW)], left)
            seen.is_cut = seen.cuts >= OUT_OF_TIME or seen.is_late(limits.turn_ms / 1000)
    return seen


def _play_batch(seen: Seen, spec: BotSpec, limits: Limits, batch: Batch, nurseries: Nurseries) -> None:
    rules = usual_rules(batch[0].players)
    with contextlib.ExitStack() as ending:
        begin = time.process_time()
        own = _loaded(spec, rules, limits, batch, ending, nurseries)
        of_each = [_cpu_of(player) for player in own if isinstance(player, JailedPlayer)]
        seen.load_s = max(seen.load_s, *(of_each or [time.process_time() - begin]))
        first = own[0]
        if isinstance(first, Timed) and isinstance(first.player, BatchPlayer):
            seen.is_compiled = True
            _play(rules, (GameId(rules.players, 0),), [*_others(rules), first.player])  # compiles it
        played = _play(rules, batch, [*_others(rules), *own])
    seen.add(batch, played, [player.usage for player in own])  # memory is known once the bots' processes have ended


def _cpu_of(player: JailedPlayer) -> float:
    """Return the CPU seconds that the process of a bot has used, 0 where it has ended."""
    return cpu_of(player.jail.cell.pid) if player.jail.cell else 0.0


def _others(rules: Rules) -> list[Player]:
    return [player_of(spec_of(name).maker(), rules) for name in OTHERS]


def _play(rules: Rules, batch: Batch, players: Sequence[Player]) -> Played:
    deals = np.stack([derive_key("check deal", *game.deal) for game in batch])
    bots = np.stack([derive_key("check bots", *game.deal) for game in batch])
    seatings = np.array([game.seating(len(players) - len(OTHERS)) for game in batch], np.int16)
    return play_games(rules, deals, bots, seatings, players)


def _loaded(
    spec: BotSpec, rules: Rules, limits: Limits, batch: Batch, ending: contextlib.ExitStack, nurseries: Nurseries
) -> "list[Timed] | list[JailedPlayer]":
    """Return players whose bots are loaded: one of a trusted bot, else one for each copy of it at a table."""
    if spec.level == "trusted":
        return [Timed(player_of(spec.maker(), rules), limits)]
    copies = rules.players if batch[0].alone else 1
    players = [
        ending.enter_context(JailedPlayer(spec, rules, limits, len(batch), nurseries, lives=1)) for _ in range(copies)
    ]  # one life: what a bot does after its process has died, asked everything again, takes minutes and tells no more
    load_together(players)
    return players
