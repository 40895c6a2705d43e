"""Is the clock fair? Jailed bots that use 95 % and 150 % of a decision's time, an empty bank, beside two busy loops.

    python benchmarks/clock.py [DECISIONS]

The first must never run out of time in DECISIONS decisions (2000), the second always at its first slow decision. Both
play one game at a time and several at once: then the harness must tell from outside where one decision ends and the
next begins.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from harness.game.chance import derive_key
from harness.game.layout import NONE, SEATS
from harness.game.rules import usual_rules
from harness.play.faults import Fault, FaultKind
from harness.play.jailed import JailedPlayer
from harness.play.limits import Limits
from harness.play.lockstep import play_games
from harness.play.nursery import Nurseries
from harness.play.players import player_of
from harness.play.registry import spec_of

BOT = f"{Path(__file__).with_name('clock_bots.py')}:Paced"
RULES = usual_rules(2)
TURN_MS = 100
FAIR, SLOW = 0.95, 1.5
"""Of a decision's time."""

SLOW_AT = 3
"""The decision of a game that takes too long; those before it take the fair time."""

SLOW_GAMES = 60
BUSY_LOOPS = 2
MANY = 20
"""Games of a bot that plays many at once."""


@dataclass
class Told:
    """What came of a bot's games: how many, its decisions, its faults, the share of their time that questions used.

    A share is of all decisions that a question was about.
    """

    games: int = 0
    decisions: int = 0
    shares: list[float] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def mean_share(self) -> float:
        """The mean share of a decision's time that was used, as the harness measured it."""
        return sum(self.shares) / len(self.shares)

    @property
    def caught(self) -> int:
        """How many games ended in time-outs at the first slow decision."""
        when = [(fault.hand, fault.turn) for fault in self.faults if fault.kind is FaultKind.TIMEOUT]
        return when.count((1, SLOW_AT))


def play(told: Told, nurseries: Nurseries, at_once: int, turn_ms: int, fair: float, slow: float = 0.0) -> None:
    """Play so many games at the same time, and add what came of them; see `Paced` for the shares `fair` and `slow`.

    The bot sits in the first seat with an empty bank, beside `greedy`, which plays in this process.
    """
    params = {"ms": fair * turn_ms, "slow_ms": slow * turn_ms, "slow_at": SLOW_AT if slow else 0}
    limits = Limits(turn_ms=turn_ms, bank_ms=0, load_s=60)
    numbers = range(told.games, told.games + at_once)
    deals, bots = (np.stack([derive_key("clock", of, str(number)) for number in numbers]) for of in ("deal", "bots"))
    seatings = np.tile(np.array([0, 1, *[NONE] * (SEATS - 2)], np.int16), (at_once, 1))
    spec = spec_of(BOT, params=params, level="jailed")
    with JailedPlayer(spec, RULES, limits, at_once, nurseries) as own:
        played = play_games(RULES, deals, bots, seatings, [own, player_of(spec_of("greedy").maker(), RULES)])
        usage = own.usage
    told.games += at_once
    told.decisions += sum(usage.rows)
    told.shares += [1000 * cpu_s / rows / turn_ms for cpu_s, rows in zip(usage.cpu_s, usage.rows, strict=True)]
    told.faults += played.faults


def fair_bot(decisions: int, at_once: int, turn_ms: int) -> Told:
    """Let the bot that keeps to its time take so many decisions at least, or fail."""
    told = Told()
    with Nurseries() as nurseries:
        while told.decisions < decisions and not told.faults:
            play(told, nurseries, at_once, turn_ms, FAIR)
    return told


def slow_bot(games: int, at_once: int, turn_ms: int) -> Told:
    """Let the bot that takes too long play so many games at least."""
    told = Told()
    with Nurseries() as nurseries:
        while told.games < games:
            play(told, nurseries, at_once, turn_ms, FAIR, SLOW)
    return told


@contextmanager
def busy() -> Iterator[None]:
    """Let two other processes use all the CPU time they can get."""
    with ExitStack() as ending:
        loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_LOOPS)]
        for loop in loops:
            ending.enter_context(loop)
            ending.callback(loop.kill)
        yield
        assert all(loop.poll() is None for loop in loops), "somebody ended the busy loops"


def main() -> int:
    """Play, print a line for each way to play, and return 1 where a bot was wronged or let off."""
    decisions = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    wrong = 0
    for at_once in (1, MANY):
        idle = Told()
        with Nurseries() as nurseries:
            play(idle, nurseries, at_once, TURN_MS, 0.0)
        print(f"{at_once} games at once: {1000 * TURN_MS * idle.mean_share:.0f} us of a decision are the harness's own")
        with busy():
            told = fair_bot(decisions, at_once, TURN_MS)
        print(
            f"{at_once} games at once, {FAIR:.0%}: {told.decisions} decisions used {told.mean_share:.2%} of their "
            f"time, at most {max(told.shares):.2%}; {len(told.faults)} faults",
            flush=True,
        )
        wrong += len(told.faults)
    for at_once in (1, 3):
        with busy():
            told = slow_bot(SLOW_GAMES, at_once, TURN_MS)
        print(f"{at_once} games at once, {SLOW:.0%}: {told.caught} of {told.games} ended at the first slow decision")
        wrong += told.games - told.caught
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
