"""Plan, play, keep: from a config to a filled results folder. Running and resuming are the same path."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from harness.errors import BossError, BotError, ResultsError
from harness.game.rules import Rules
from harness.ladder.config import Config
from harness.ladder.continuing import try_again, with_versions_of_now
from harness.ladder.entries import BotEntry
from harness.ladder.entry_values import name_problem
from harness.ladder.executor import Executor
from harness.ladder.feed import Decide, Feed, parts_of
from harness.ladder.labels import Label, refuse_unscheduled
from harness.ladder.manifest import Manifest, chunk_games, library_versions, new_seed, run_id
from harness.ladder.roster import guests_of, playing, refuse_changed, with_sources
from harness.ladder.rounds import DESIGNS, games_to_come, next_round, planned_ahead
from harness.ladder.schedule import Schedule
from harness.ladder.store import Store
from harness.ladder.survey import resume
from harness.play.probe import probe
from harness.play.registry import BotSpec, spec_of
from harness.play.warmup import is_cold, warm_up

MEND = "use --fresh to start anew, or another name or --out"


class Progress(Protocol):
    """Hears how a run goes; the command line draws it, tests and notebooks may ignore it."""

    def compiling(self) -> None:
        """The kernels are compiled now, once for this version of the sources."""

    def begin(self, games: int, done: int) -> None:
        """The whole schedule holds `games` games, of which `done` lie stored."""

    def advance(self, games: int, faults: dict[str, int]) -> None:
        """`games` more games are stored; faults by bot among them."""

    def warn(self, text: str) -> None:
        """Something is not as it was asked for, and the run goes on; one sentence."""

    def rating(self) -> None:
        """All is played; it is rated now, and the report is written."""


class Silence:
    """A progress nobody watches."""

    def compiling(self) -> None: ...
    def begin(self, games: int, done: int) -> None: ...
    def advance(self, games: int, faults: dict[str, int]) -> None: ...
    def warn(self, text: str) -> None: ...
    def rating(self) -> None: ...


@dataclass(frozen=True)
class Plan:
    """A run ready to be played: where to, what it is, under which config, and what is to be warned of (or nothing).

    `before` is the manifest that it continues, None where it begins; `fresh`: what lies there is deleted first.
    `decide` says what comes after what the manifest holds, None for nothing, and `coming` how many games at most.
    """

    store: Store
    manifest: Manifest
    config_text: str
    warning: str = ""
    before: Manifest | None = None
    fresh: bool = False
    decide: Decide | None = None
    coming: int = 0


def plan_run(config: Config, folder: Path, fresh: bool = False, require_isolation: bool = False) -> Plan:
    """Return the plan of a new run, or of the run in `folder` continued; write nothing.

    `fresh` begins anew, and has `play_run` delete what the folder holds. Where this machine cannot jail, bots that are
    to be jailed run at the level there is; `require_isolation` refuses that.

    Raises BotError for a bot that cannot be loaded, ResultsError for a folder that holds another run, and BossError
    for isolation that is required and not there.
    """
    plan = continued(config, folder, fresh, require_isolation)
    manifest = planned_ahead(plan.manifest)
    decide = None if manifest.schedule.kind in DESIGNS else next_round
    return replace(plan, manifest=manifest, decide=decide, coming=games_to_come(manifest))


def continued(
    config: Config,
    folder: Path,
    fresh: bool = False,
    require_isolation: bool = False,
    newcomer: BotSpec | None = None,
) -> Plan:
    """Return the plan of a run, new or continued, before anything is added to what is scheduled (see `plan_run`).

    The `newcomer` is about to be submitted: a bot of the config may be in its version already.
    """
    store = Store(folder)
    asked = [_spec(entry, config) for entry in (*config.bots, *([config.fill] if config.fill else []))]
    _refuse_names([*asked, *([newcomer] if newcomer else [])])
    store.refuse_other_things()
    before = store.read_manifest() if store.has_run() and not fresh else None
    guests = guests_of(before) if before else []
    isolation, warning = isolation_of([*asked, *guests], require_isolation)
    held = [held_at(spec, isolation) for spec in asked]
    specs, fill = held[: len(config.bots)], held[-1] if config.fill else None
    kinds = {kind.name: kind.rules for kind in config.kinds}
    if before:
        _refuse_another_run(before, config, kinds, folder)
        refuse_changed(before, [*specs, *([fill] if fill else [])], newcomer, str(folder), MEND)
    begun = before or _begun(config, kinds, specs, fill)
    manifest = _asked(begun, config, specs, fill, [held_at(spec, isolation) for spec in guests])
    manifest = with_sources(manifest, store) if before else manifest
    manifest = with_versions_of_now(replace(manifest, isolation=isolation), len(store.stored()) if before else 0)
    return Plan(store, manifest, config.text, warning, before, fresh)


def _refuse_names(specs: Iterable[BotSpec]) -> None:
    """Raise BotError for a bot whose name cannot name the folder of its sources."""
    for spec in specs:
        if problem := name_problem(spec.name):
            raise BotError(f"bot {spec.reference}: {problem}")


def _begun(config: Config, kinds: dict[str, Rules], specs: list[BotSpec], fill: BotSpec | None) -> Manifest:
    """Return the manifest of a new run before anything is scheduled."""
    seed = config.seed or new_seed()
    games = sum(kind.blocks * kind.rules.players for kind in config.kinds)
    size = chunk_games([*specs, *([fill] if fill else [])], games)
    return Manifest(
        name=config.name,
        seed=seed,
        kinds=kinds,
        chunk_games=size,
        bots=(),
        fill=None,
        stretches=(),
        anchor="",
        anchor_elo=0.0,
        versions=library_versions(),
        limits=config.limits,
        run=run_id(seed, kinds, fill, config.limits, size),
    )


def _spec(entry: BotEntry, config: Config) -> BotSpec:
    return spec_of(entry.bot, entry.name, entry.params, [config.folder], entry.level)


def isolation_of(specs: Sequence[BotSpec], required: bool) -> tuple[dict[str, Any], str]:
    """Return what this machine can hold these bots to, as the manifest keeps it, and what is to be warned of."""
    if all(spec.level == "trusted" for spec in specs):
        return {}, ""
    found = probe()
    loose = list(dict.fromkeys(spec.name for spec in specs if spec.level == "jailed"))
    if not found.reason or not loose:
        return asdict(found), ""
    names = ", ".join(loose)
    is_jailed = found.level == "jailed"
    if required:
        how = "jailed as they should be" if is_jailed else "jailed"
        raise BossError(
            f"{names}: cannot be {how} here: {found.reason}; run where it can, or set their level, "
            f"or leave out --require-isolation to run them at level {found.level}"
        )
    held = "jailed" if is_jailed else f"at level {found.level}, not jailed"
    return asdict(found), f"{names}: {held}: {found.reason}"


def held_at(spec: BotSpec, isolation: dict[str, Any]) -> BotSpec:
    """Return the bot at the level at which it will run: as asked, but not jailed where nothing can be."""
    return replace(spec, level=isolation["level"]) if spec.level == "jailed" else spec


def _refuse_another_run(old: Manifest, config: Config, kinds: dict[str, Rules], folder: Path) -> None:
    """Raise ResultsError when the config describes another run than the one stored, whoever plays in it."""
    if config.seed and config.seed != old.seed:
        raise ResultsError(f"{folder}: holds a run with another seed ({old.seed}); {MEND}")
    if kinds != old.kinds:
        gone, new = old.kinds.keys() - kinds.keys(), kinds.keys() - old.kinds.keys()
        what = [f"missing {', '.join(sorted(gone))}"] if gone else []
        what += [f"new {', '.join(sorted(new))}"] if new else []
        raise ResultsError(f"{folder}: holds a run of other tables ({'; '.join(what)}); {MEND}")
    if config.limits != old.limits:
        before, after = asdict(old.limits), asdict(config.limits)
        changes = [f"{key} {before[key]}, now {after[key]}" for key in before if before[key] != after[key]]
        raise ResultsError(f"{folder}: holds a run with other limits ({'; '.join(changes)}); set them back, or {MEND}")
    filling = old.bots[old.fill].name if old.fill is not None else None
    if filling != (config.fill.name if config.fill else None):
        raise ResultsError(f"{folder}: holds a run with another fill bot ({filling or 'none'}); {MEND}")


def _asked(
    old: Manifest, config: Config, specs: list[BotSpec], fill: BotSpec | None, guests: list[BotSpec]
) -> Manifest:
    """Return a manifest with the bots and the schedule of a config, all bots at the levels of now."""
    levels = {spec.name: spec.level for spec in [*guests, *specs, *([fill] if fill else [])]}
    bots = [replace(spec, level=levels.get(spec.name, spec.level)) for spec in old.bots]
    for spec in [*specs, *([fill] if fill else [])]:
        if spec.name not in {known.name for known in bots}:
            bots.append(spec)
    number = {spec.name: index for index, spec in enumerate(bots)}
    schedule = Schedule(
        kind=config.schedule.kind,
        bots=playing(old, [number[spec.name] for spec in specs]),
        blocks={kind.name: kind.blocks for kind in config.kinds},
        new=tuple(number[name] for name in config.schedule.new or ()),
        rounds=config.schedule.rounds,
        williams=config.schedule.neighbours == "williams",
    )
    return replace(
        old,
        bots=tuple(bots),
        fill=number[fill.name] if fill else None,
        schedule=schedule,
        anchor=config.anchor or old.anchor or config.bots[0].name,
        anchor_elo=config.anchor_elo,
    )


def play_run(plan: Plan, executor: Executor, progress: Progress) -> None:
    """Play what is missing of a planned run and store it; interrupted, it can be called again.

    Raises ResultsError where another process writes to the folder, or has done so since the run was planned.
    """
    with plan.store.writing():
        stored = take_up(plan, progress)
        feed = Feed(plan.store, plan.manifest, plan.config_text, stored, plan.decide)
        progress.begin(feed.games + plan.coming, feed.games - feed.missing)
        with closing(executor.play(feed)) as played:
            for chunk, result in played:
                plan.store.write_chunk(chunk, result)
                feed.note(chunk, result)
                progress.advance(result.count, result.faults)


def take_up(plan: Plan, progress: Progress) -> dict[str, Label]:
    """Begin or continue a planned run, whose folder is held: check it, write the manifest, return what lies stored."""
    store, manifest = plan.store, plan.manifest
    _refuse_stale(plan)
    if plan.fresh:
        manifest.to_json()  # whatever could not be written again is found before anything is deleted
        store.clear()
    if plan.warning:
        progress.warn(plan.warning)
    if is_cold():
        progress.compiling()
    warm_up([spec for number, spec in enumerate(manifest.bots) if number not in manifest.retired])
    stored = resume(store, progress.warn) if plan.before else {}
    refuse_unscheduled(store.folder, stored, {part.span.name for part in parts_of(manifest, manifest.stretches)})
    if plan.before and (tried := try_again(store, plan.before, manifest, stored)):
        progress.warn(tried)
    store.write_manifest(manifest, plan.config_text)
    return stored


def _refuse_stale(plan: Plan) -> None:
    """Raise ResultsError when somebody else has begun or continued the run since it was planned."""
    now = plan.store.read_manifest() if plan.store.has_run() else None
    if now != plan.before and not plan.fresh:
        raise ResultsError(f"{plan.store.folder}: another run has just been writing here; give the same command again")
