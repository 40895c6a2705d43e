"""What a gate plays: a candidate and a baseline, each in turn among the same others, on the same deals.

    field   the bots of the config but these two; where there are none, its fill bot, or else copies of the baseline
    arm     one of the two with the field: a gauntlet in a results folder of its own, `new/` or `old/`

Both arms have one seed and one schedule, so that a block of one is the same deal with the same field as that of the
other. Where the field is copies of the baseline, the baseline's mean is what everybody's is, and only `new/` is played.

Blocks of several table kinds take turns, in proportion to the config's blocks; that order is what the test goes by. In
it lie stretches, each about a quarter of what is before it: so little is played in vain, and chunks soon become large.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from harness.errors import ConfigError, ResultsError
from harness.ladder.config import Config
from harness.ladder.entries import BotEntry, GateEntry
from harness.ladder.run import Plan, plan_run
from harness.ladder.schedule import Stretch, games_in_block
from harness.stats.results import Ints
from harness.stats.sequential import Hypotheses

GATE = "gate.json"
COPY = "-copy"
GROWTH = 4


@dataclass(frozen=True)
class Arm:
    """One of the two bots, by its number in the manifest, and where its games lie."""

    bot: int
    plan: Plan

    @property
    def name(self) -> str:
        """The bot's name."""
        return self.plan.manifest.bots[self.bot].name


@dataclass(frozen=True)
class GatePlan:
    """A gate ready to be played.

    shares: blocks of each table kind, in proportion. old: None where its mean is known without playing.
    """

    folder: Path
    terms: GateEntry
    shares: dict[str, int]
    new: Arm
    old: Arm | None
    baseline: str
    field: tuple[str, ...]

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms that are played."""
        return (self.new, self.old) if self.old else (self.new,)

    @property
    def blocks(self) -> int:
        """After how many blocks it ends in any case: whole steps."""
        return self.terms.most // self.terms.step * self.terms.step

    @property
    def hypotheses(self) -> Hypotheses:
        """What is tested; the games of a block are those of the mean block."""
        manifest = self.new.plan.manifest
        firsts = {stretch.table: stretch for stretch in reversed(manifest.stretches)}
        games = {table: games_in_block(firsts[table], manifest.kinds[table], manifest.fill) for table in self.shares}
        mean = sum(games[table] * share for table, share in self.shares.items()) / sum(self.shares.values())
        return Hypotheses(self.terms.elo0, self.terms.elo1, self.terms.alpha, self.terms.beta, mean)

    def as_record(self) -> dict[str, object]:
        """Return what the gate is as plain values: all but `most` may not change when it goes on."""
        return _record(self.new.name, self.baseline, self.field, self.shares, self.terms)


def plan_gate(
    config: Config, new: BotEntry, old: BotEntry, folder: Path, fresh: bool = False, require_isolation: bool = False
) -> GatePlan:
    """Return the plan of a new gate, or of the gate in `folder` continued; write nothing.

    Raises ConfigError where the field is too small, ResultsError for a folder that holds another gate, and what
    `plan_run` raises.
    """
    refuse_other_things(folder)
    field = tuple(bot for bot in config.bots if bot.name not in (new.name, old.name))
    fill = _filling(config, field, new, old)
    _refuse_too_few(config, field, fill, new)
    both = replace(
        config,
        bots=(*field, new, old),
        fill=fill,
        anchor=old.name,
        schedule=config.schedule.model_copy(update={"kind": "gauntlet", "new": (new.name, old.name), "rounds": None}),
    )
    shares = {kind.name: kind.blocks for kind in config.kinds}
    names = tuple(bot.name for bot in field or ((fill,) if fill else ()))
    if not fresh:
        _refuse_another_gate(folder, _record(new.name, old.name, names, shares, config.gate))
    arms = [_arm(plan_run(both, folder / "new", fresh, require_isolation), len(field), 0, shares, config.gate)]
    is_copies = not field and fill is not None and _is_same(fill, old)
    if not is_copies:
        same_deals = replace(both, seed=arms[0].plan.manifest.seed)
        plan = plan_run(same_deals, folder / "old", fresh, require_isolation)
        arms.append(_arm(replace(plan, warning=""), len(field), 1, shares, config.gate))
    return GatePlan(folder, config.gate, shares, arms[0], arms[1] if len(arms) > 1 else None, old.name, names)


def refuse_other_things(folder: Path) -> None:
    """Raise ResultsError where the folder is none, or holds other things than a gate."""
    if folder.exists() and not folder.is_dir():
        raise ResultsError(f"{folder}: is a file; choose another place with --out")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / GATE).is_file():
        raise ResultsError(f"{folder}: not empty, and no gate ({GATE} is missing); choose another with --out")


def _filling(config: Config, field: tuple[BotEntry, ...], new: BotEntry, old: BotEntry) -> BotEntry | None:
    """Return who sits in empty seats: the config's fill bot, or copies of the baseline where the field is nobody.

    A copy of one of the two that are compared has a name of its own: it is no part of what is compared.
    """
    fill = config.fill or (None if field else old)
    if fill and fill.name in (new.name, old.name):
        return fill.model_copy(update={"name": f"{fill.name}{COPY}"})
    return fill


def _is_same(one: BotEntry, other: BotEntry) -> bool:
    return (one.bot, one.params, one.level) == (other.bot, other.params, other.level)


def _refuse_too_few(config: Config, field: tuple[BotEntry, ...], fill: BotEntry | None, new: BotEntry) -> None:
    seats = max(kind.rules.players for kind in config.kinds)
    if fill is None and len(field) + 1 < seats:
        raise ConfigError(
            f"{config.path}: too few others ({', '.join(bot.name for bot in field)}) to fill {seats} seats with "
            f"{new.name}; add bots, or name one that sits in the empty seats, as in schedule: {{fill: random}}"
        )


def _arm(plan: Plan, field: int, number: int, shares: dict[str, int], terms: GateEntry) -> Arm:
    """Return one of the two arms with its whole schedule: what is stored of it, and more up to the end."""
    bot = field + number
    before = plan.before.stretches if plan.before else ()
    planned = stretches(shares, terms, (*range(field), bot), (bot,) if field else (), before)
    return Arm(bot, replace(plan, manifest=replace(plan.manifest, stretches=planned)))


def stretches(
    shares: dict[str, int], terms: GateEntry, bots: tuple[int, ...], new: tuple[int, ...], before: tuple[Stretch, ...]
) -> tuple[Stretch, ...]:
    """Return the stretches of a gate's arm in order: those it has, and so many more that it can come to its end."""
    found = list(before)
    begun = sum(stretch.size for stretch in before)
    last = terms.most // terms.step * terms.step
    order = turns(list(shares.values()), last)
    while begun < last:
        size = max(terms.first, begun // GROWTH)
        end = min(begun + -(-size // terms.step) * terms.step, last)
        for kind, table in enumerate(shares):
            first, after = (int(np.count_nonzero(order[:stop] == kind)) for stop in (begun, end))
            if after > first:
                found.append(Stretch(table, bots, first, after, first, new))
        begun = end
    return tuple(found)


def turns(shares: list[int], blocks: int) -> Ints:
    """Return the kind of each of so many blocks, (B,), as even as can be; fewer blocks are the same up to their end."""
    kinds, due = [], []
    for kind, share in enumerate(shares):
        own = int(np.ceil(blocks * share / sum(shares))) + 1
        kinds.append(np.full(own, kind))
        due.append((np.arange(own) + 0.5) / share)
    order = np.argsort(np.concatenate(due), kind="stable")
    return np.asarray(np.concatenate(kinds)[order][:blocks], np.int64)


def _record(new: str, old: str, field: tuple[str, ...], shares: dict[str, int], terms: GateEntry) -> dict[str, object]:
    return {"new": new, "old": old, "field": list(field), "tables": shares, **terms.model_dump()}


def _refuse_another_gate(folder: Path, now: dict[str, object]) -> None:
    """Raise ResultsError where the folder holds a gate that asks for anything else but its end."""
    path = folder / GATE
    if not path.is_file():
        return
    try:
        before = json.loads(path.read_text())["gate"]
        changes = [f"{key} {before[key]}, now {now[key]}" for key in now if key != "most" and before[key] != now[key]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResultsError(f"{path}: cannot be read: {error}") from None
    if changes:
        raise ResultsError(
            f"{folder}: holds another gate ({'; '.join(changes)}); what is tested may not change once it has begun: "
            "set it back, use --fresh to start anew, or another --out"
        )
