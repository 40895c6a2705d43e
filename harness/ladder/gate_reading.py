"""What a gate reads of its games, in their turn, and when that is enough.

A block counts in its turn, whenever its games come back, and the test looks only after whole steps of blocks. So what
is decided depends on nothing but the games.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.errors import RunError
from harness.game.layout import SEATS
from harness.game.rules import Rules
from harness.ladder.chunk import Chunk, Span
from harness.ladder.feed import chunk_of, parts_of
from harness.ladder.gate_plan import Arm, GatePlan, turns
from harness.ladder.standing import STANDING_COLUMNS, standing
from harness.stats.results import Floats
from harness.stats.sequential import Decision, Look, expected_blocks, look

READ = ["block", "rotation", *STANDING_COLUMNS, *(f"rated{seat}" for seat in range(SEATS))]
"""Columns of the stored games that a gate reads, beside the table."""

AHEAD = 4
"""Blocks are handed out up to so many times those before the first look, and twice those that have been read."""

DIGITS = 9
"""Differences of blocks are fractions; so many digits make equal ones equal."""


Looked = Callable[[Look, tuple[float, float]], None]
"""Hears of a look, and of the bounds of its log-likelihood ratio."""


@dataclass(frozen=True)
class Verdict:
    """How a gate ended.

    decision: whether the new bot is accepted or rejected, or open. reason: why a bot that is out was rejected, else
    empty. look: the last look, None where it ended before the first. games: games that were read, of all arms.
    """

    plan: GatePlan
    decision: Decision
    reason: str
    look: Look | None
    looks: int
    games: int

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        new, old, terms = self.plan.new.name, self.plan.baseline, self.plan.terms
        if self.reason:
            return f"{self.decision}: {new} is out. {self.reason}"
        blocks = self.look.blocks if self.look else 0
        read = f"after {blocks:,} blocks ({self.games:,} games)"
        if self.decision is Decision.OPEN:
            return f"open: {read} it cannot be said whether {new} gains {terms.elo0:g} or {terms.elo1:g} on {old}"
        what = f"more than {terms.elo0:g}" if self.decision is Decision.ACCEPTED else f"less than {terms.elo1:g}"
        return f"{self.decision}: {new} gains {what} normalized Elo on {old}, decided {read}"

    def as_record(self) -> dict[str, Any]:
        """Return the verdict as plain values."""
        lower, upper = self.plan.hypotheses.bounds
        return {
            "verdict": self.decision.value,
            "sentence": self.sentence,
            "reason": self.reason,
            "games": self.games,
            "looks": self.looks,
            "lower": lower,
            "upper": upper,
            "gate": self.plan.as_record(),
            "look": asdict(self.look) if self.look else None,
        }


class Reading:
    """The results of a gate, taken in as they come and read in their turn."""

    def __init__(self, plan: GatePlan) -> None:
        self.plan = plan
        self._hypotheses = plan.hypotheses
        manifest = plan.new.plan.manifest
        self._rules = {table: manifest.kinds[table] for table in plan.shares}
        order = turns(list(plan.shares.values()), plan.blocks)
        self._places = {table: np.flatnonzero(order == kind) for kind, table in enumerate(plan.shares)}
        self._scores = {arm.bot: np.full(plan.blocks, np.nan) for arm in plan.arms}
        self._faulty: dict[int, list[pd.DataFrame]] = {arm.bot: [] for arm in plan.arms}
        self._taken: dict[int, set[Span]] = {arm.bot: set() for arm in plan.arms}
        self._games = np.zeros(plan.blocks, np.int64)
        self._known = np.zeros(plan.blocks)
        if plan.old is None:
            for table, rules in self._rules.items():
                self._known[self._places[table]] = mean_score(rules, plan.terms.score)
        least, most = (-1.0, 1.0) if plan.old else (-self._known.max(), 1.0 - self._known.min())
        self._counts: dict[float, int] = {float(least): 0, float(most): 0}
        self._read = 0
        self._looks = 0
        self._last: Look | None = None

    @property
    def games_stored(self) -> int:
        """How many games have been taken in."""
        return int(self._games.sum())

    @property
    def games_expected(self) -> int:
        """How many games it takes on average where the gain is just between the hypotheses, or to the end if sooner."""
        tested, terms = self._hypotheses, self.plan.terms
        blocks = min(expected_blocks(tested, (terms.elo0 + terms.elo1) / 2, terms.step), self.plan.blocks)
        return round(blocks * tested.games) * len(self.plan.arms)

    def take(self, arm: Arm, span: Span, games: Mapping[str, Any] | pd.DataFrame) -> None:
        """Take in the games (at least READ, as columns by name) of one part of an arm."""
        rules = self._rules[span.table]
        places = self._places[span.table][span.first : span.last]
        block = np.asarray(games["block"]) - span.first
        per_game = scores(rules, games, arm.bot, self.plan.terms.score)
        count = np.bincount(block, minlength=len(places))
        self._scores[arm.bot][places] = np.bincount(block, per_game, len(places)) / count
        self._games[places] += count
        self._taken[arm.bot].add(span)
        frame = pd.DataFrame({name: games[name] for name in READ[: 2 + len(STANDING_COLUMNS)]}).assign(table=span.table)
        faulty = (frame["fault_log"].notna() | (frame["forfeits"] != 0)).to_numpy()
        if faulty.any():
            self._faulty[arm.bot].append(frame[faulty].assign(place=places[block[faulty]]))

    def missing(self) -> Iterator[Chunk | None]:
        """Yield the chunks that have not been taken in, not far ahead of what is read; None to wait for that."""
        by_arm = [parts_of(arm.plan.manifest, arm.plan.manifest.stretches) for arm in self.plan.arms]
        at_first = AHEAD * max(self.plan.terms.first, self.plan.terms.step)
        for parts in zip(*by_arm, strict=True):
            for arm, part in zip(self.plan.arms, parts, strict=True):
                place = self._places[part.span.table][part.span.first]
                while place >= 2 * self._read + at_first:
                    yield None
                if part.span not in self._taken[arm.bot]:
                    yield chunk_of(arm.plan.manifest, part)

    def go_on(self, looked: Looked) -> Verdict | None:
        """Read as many steps as are known; return the verdict if one of them brings it. `looked` hears of each look."""
        step = self.plan.terms.step
        while self._read < self.plan.blocks:
            stop = self._read + step
            differences = self._difference(slice(self._read, stop))
            if np.isnan(differences).any():
                return None
            fallen = self._fallen(self._read, stop)
            if fallen:
                return self.verdict(Decision.REJECTED, fallen)
            for value in differences.tolist():
                self._counts[value] = self._counts.get(value, 0) + 1
            self._read = stop
            if stop >= self.plan.terms.first:
                self._last = look(list(self._counts), list(self._counts.values()), self._hypotheses)
                self._looks += 1
                looked(self._last, self._hypotheses.bounds)
                if self._last.decision is not Decision.OPEN:
                    return self.verdict(self._last.decision)
        return self.verdict(Decision.OPEN)

    def verdict(self, decision: Decision, reason: str = "") -> Verdict:
        """Return the verdict on what has been read."""
        games = int(self._games[: self._read].sum())
        return Verdict(self.plan, decision, reason, self._last, self._looks, games)

    def _difference(self, places: slice) -> Floats:
        new = self._scores[self.plan.new.bot][places]
        old = self._scores[self.plan.old.bot][places] if self.plan.old else self._known[places]
        return np.asarray(np.round(new - old, DIGITS))

    def _fallen(self, start: int, stop: int) -> str:
        """Return why the candidate is out by the faults up to `stop`, or nothing; raise RunError for another bot."""
        for arm in self.plan.arms:
            frames = self._faulty[arm.bot]
            if not any(frame["place"].between(start, stop - 1).any() for frame in frames):
                continue
            faulty = pd.concat(frames, ignore_index=True)
            manifest = arm.plan.manifest
            for out in standing(manifest, faulty[faulty["place"] < stop].reset_index(drop=True)).out:
                if arm is self.plan.new and out.bot == arm.bot:
                    return out.reason
                name = manifest.bots[out.bot].name
                raise RunError(
                    f"{name} is out after {stop:,} blocks, and the gate cannot go on without it: {out.reason} "
                    "Mend it or leave it out, and use --fresh to start anew"
                )
        return ""


def scores(rules: Rules, games: Mapping[str, Any] | pd.DataFrame, bot: int, score: str) -> Floats:
    """Return what a bot that sits once in each of these games scored in it, (G,), between 0 and 1.

    score: `win`, 1/k of a win shared by k sides; `finish`, the share of the other sides it finished above, a tie half.
    Sides that forfeited share the last place.
    """
    seats = np.stack([np.asarray(games[f"bot{seat}"]) for seat in range(rules.players)], axis=1)
    ranks = np.stack([np.asarray(games[f"rated{side}"]) for side in range(rules.sides)], axis=1)
    own = ranks[np.arange(len(ranks)), np.argmax(seats == bot, axis=1) % rules.sides][:, None]
    if score == "win":
        return np.asarray(np.where(own[:, 0] == 1, 1 / (ranks == 1).sum(axis=1), 0.0))
    above, level = (ranks > own).sum(axis=1), (ranks == own).sum(axis=1) - 1
    return np.asarray((above + level / 2) / (rules.sides - 1))


def mean_score(rules: Rules, score: str) -> float:
    """Return what everybody scores on average."""
    return 1 / rules.sides if score == "win" else 0.5
