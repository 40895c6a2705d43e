"""Plan, play, keep: from a config to a filled results folder. Running and resuming are the same path."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from harness.errors import ResultsError
from harness.game.rules import Rules
from harness.ladder.chunk import Chunk
from harness.ladder.config import Config
from harness.ladder.entries import BotEntry
from harness.ladder.executor import Executor
from harness.ladder.manifest import CHUNK_GAMES, Manifest, library_versions, new_seed
from harness.ladder.schedule import Block, blocks, extend
from harness.ladder.store import Store
from harness.play.registry import BotSpec, spec_of
from harness.play.warmup import is_cold, warm_up


class Progress(Protocol):
    """Hears how a run goes; the command line draws it, tests and notebooks may ignore it."""

    def compiling(self) -> None:
        """The kernels are compiled now, once for this version of the sources."""

    def begin(self, games: int, done: int) -> None:
        """The whole schedule holds `games` games, of which `done` lie stored."""

    def advance(self, games: int, faults: dict[str, int]) -> None:
        """`games` more games are stored; faults by bot among them."""


class Silence:
    """A progress nobody watches."""

    def compiling(self) -> None: ...
    def begin(self, games: int, done: int) -> None: ...
    def advance(self, games: int, faults: dict[str, int]) -> None: ...


@dataclass(frozen=True)
class Plan:
    """A run ready to be played: where to, what it is, and under which config."""

    store: Store
    manifest: Manifest
    config_text: str


def plan_run(config: Config, folder: Path, fresh: bool = False) -> Plan:
    """Return the plan of a new run, or of the run in `folder` continued; write nothing.

    `fresh` deletes what the folder holds, once everything else has been found to be in order.

    Raises BotError for a bot that cannot be loaded and ResultsError for a folder that holds another run.
    """
    store = Store(folder)
    specs = [_spec(entry, config) for entry in config.bots]
    fill = _spec(config.fill, config) if config.fill else None
    kinds = {kind.name: kind.rules for kind in config.kinds}
    if fresh:
        store.remove()
    if store.has_run():
        old = store.read_manifest()
        _refuse_another_run(old, config, kinds, [*specs, *([fill] if fill else [])], folder)
    else:
        if folder.exists() and not folder.is_dir():
            raise ResultsError(f"{folder}: is a file; choose another place with --out")
        if folder.is_dir() and any(folder.iterdir()):
            raise ResultsError(f"{folder}: not empty, and no results folder; choose another with --out")
        old = Manifest(
            name=config.name,
            seed=config.seed or new_seed(),
            kinds=kinds,
            chunk_games=CHUNK_GAMES,
            bots=(),
            fill=None,
            stretches=(),
            anchor="",
            anchor_elo=0.0,
            versions=library_versions(),
        )
    return Plan(store, _extended(old, config, specs, fill), config.text)


def _spec(entry: BotEntry, config: Config) -> BotSpec:
    return spec_of(entry.bot, entry.name, entry.params, [config.folder])


def _refuse_another_run(
    old: Manifest, config: Config, kinds: dict[str, Rules], specs: list[BotSpec], folder: Path
) -> None:
    """Raise ResultsError when the config describes another run than the one stored."""
    mend = "use --fresh to start anew, or another name or --out"
    if config.seed and config.seed != old.seed:
        raise ResultsError(f"{folder}: holds a run with another seed ({old.seed}); {mend}")
    if kinds != old.kinds:
        gone, new = old.kinds.keys() - kinds.keys(), kinds.keys() - old.kinds.keys()
        what = [f"missing {', '.join(sorted(gone))}"] if gone else []
        what += [f"new {', '.join(sorted(new))}"] if new else []
        raise ResultsError(f"{folder}: holds a run of other tables ({'; '.join(what)}); {mend}")
    known = {spec.name: spec for spec in specs}
    filling = old.bots[old.fill].name if old.fill is not None else None
    if filling != (config.fill.name if config.fill else None):
        raise ResultsError(f"{folder}: holds a run with another fill bot ({filling or 'none'}); {mend}")
    for spec in old.bots:
        now = known.get(spec.name)
        if now is None and spec.name != filling:
            raise ResultsError(f"{folder}: holds games of bot {spec.name!r}, which the config leaves out; {mend}")
        if now is not None and now.version != spec.version:
            raise ResultsError(
                f"{folder}: bot {spec.name!r} has changed since it played (version {spec.version}, now {now.version}); "
                f"give it another name to add it as a new bot, or {mend}"
            )


def _extended(old: Manifest, config: Config, specs: list[BotSpec], fill: BotSpec | None) -> Manifest:
    bots = list(old.bots)
    for spec in [*specs, *([fill] if fill else [])]:
        if spec.name not in {known.name for known in bots}:
            bots.append(spec)
    number = {spec.name: index for index, spec in enumerate(bots)}
    playing = tuple(sorted(number[spec.name] for spec in specs))
    stretches = old.stretches
    for kind in config.kinds:
        stretches = extend(stretches, kind.name, playing, kind.blocks)
    return replace(
        old,
        bots=tuple(bots),
        fill=number[fill.name] if fill else None,
        stretches=stretches,
        anchor=config.anchor or old.anchor or config.bots[0].name,
        anchor_elo=config.anchor_elo,
    )


def chunks_of(manifest: Manifest) -> Iterator[Chunk]:
    """Yield all chunks of the schedule, in its order: a fixed grid of blocks, cut where stretches end."""
    for stretch in manifest.stretches:
        rules = manifest.kinds[stretch.table]
        held: list[Block] = []
        size = blocks_in_chunk(manifest, rules)
        for block in blocks(stretch, rules, manifest.fill):
            held.append(block)
            if (block.index + 1) % size == 0:
                yield _chunk(manifest, rules, held)
                held = []
        if held:
            yield _chunk(manifest, rules, held)


def _chunk(manifest: Manifest, rules: Rules, held: list[Block]) -> Chunk:
    return Chunk(manifest.seed, held[0].table, rules, manifest.bots, tuple(held))


def blocks_in_chunk(manifest: Manifest, rules: Rules) -> int:
    """Return the blocks of a chunk of this kind of table."""
    return max(1, manifest.chunk_games // (6 if rules.teams else rules.players))


def play_run(plan: Plan, executor: Executor, progress: Progress) -> None:
    """Play what is missing of a planned run and store it; interrupted, it can be called again."""
    store, manifest = plan.store, plan.manifest
    if is_cold():
        progress.compiling()
    warm_up(manifest.bots)
    store.write_manifest(manifest, plan.config_text)
    stored = store.stored()
    games = {chunk.name: chunk.games for chunk in chunks_of(manifest)}
    progress.begin(sum(games.values()), sum(games[name] for name in stored & games.keys()))
    missing = (chunk for chunk in chunks_of(manifest) if chunk.name not in stored)
    for chunk, result in executor.play(missing):
        store.write_chunk(chunk, result)
        progress.advance(result.count, result.faults)
