"""A ladder run and read back: from a config to a filled results folder, its ratings and its report."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from harness.errors import BossError
from harness.game.rules import rules_of_set, usual_rules
from harness.ladder.config import Config, TableKind, load_config
from harness.ladder.entries import BotEntry, ExecutorEntry
from harness.ladder.executor import Executor, executor_of
from harness.ladder.manifest import Manifest
from harness.ladder.run import Progress, Silence, plan_run, play_run
from harness.ladder.store import Store
from harness.play.registry import spec_of
from harness.play.scratch import disk_folder, lent_folder
from harness.report.analysis import Analysis, analyse
from harness.report.frames import GAME_FIELDS, frames_of


@dataclass(frozen=True, eq=False)
class Ladder:
    """A results folder, read: its games, sums per block, and every table that statistics make of them.

    `games` and `blocks` have columns of `harness.ladder.chunk`, without the turns of the games; the tables are those of
    `harness.report.analysis.Analysis`: `ladder.tables.seats`, `.cities`, `.pairs`, `.lengths` and so on.
    """

    folder: Path
    manifest: Manifest
    games: pd.DataFrame
    blocks: pd.DataFrame
    tables: Analysis

    @property
    def ratings(self) -> pd.DataFrame:
        """Each bot's Elo with its 95 % interval, games and blocks; best first."""
        return self.tables.ratings


def open_ladder(folder: str | Path) -> Ladder:
    """Read and rate a results folder."""
    store = Store(Path(folder))
    stored = store.read(GAME_FIELDS)
    return Ladder(store.folder, *stored, analyse(frames_of(*stored, store.usage())))


def run_ladder(
    config: str | Path,
    out: str | Path | None = None,
    workers: int | None = None,
    executor: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    require_isolation: bool = False,
) -> Ladder:
    """Run or continue the ladder of a config file, write its report, and return its results.

    `out` is the results folder (default ``results/<name>``); `workers` and `executor` stand in for the config's own.
    `require_isolation` refuses to run bots that are to be jailed where this machine cannot jail.
    """
    plan = load_config(config)
    folder = Path(out) if out else Path("results") / plan.name
    told = progress or Silence()
    play(plan, folder, workers, executor, fresh, told, require_isolation)
    told.rating()
    return write_report(folder)


def play(
    config: Config,
    folder: Path,
    workers: int | None,
    executor: str | None,
    fresh: bool,
    progress: Progress,
    require_isolation: bool,
) -> None:
    chosen = executor_for(config, workers, executor, progress)
    plan = plan_run(config, folder, fresh, require_isolation)
    play_run(plan, chosen, progress)


def executor_for(config: Config, workers: int | None, executor: str | None, progress: Progress) -> Executor:
    """Return the executor of a config, or another that is asked for."""
    if executor not in (None, "local", "ray"):
        raise BossError(f"--executor {executor}: it can be local or ray")
    asked = config.executor
    count = workers or (asked.workers if isinstance(asked.workers, int) else None)
    kind = executor or asked.kind
    return executor_of(kind, count, asked.address if kind == "ray" else None, progress.warn)


def write_report(folder: str | Path) -> Ladder:
    """Rate the stored games again, write tables, plots and pages into the folder, and return its results."""
    from harness.report import pages  # brings matplotlib, which only a report needs

    store = Store(Path(folder))
    manifest, games, blocks = store.read(GAME_FIELDS)
    return Ladder(store.folder, manifest, games, blocks, pages.write_report(store.folder, games, blocks, manifest))


def digest(folder: str | Path) -> str:
    """Return the SHA-256 of all games of a results folder: the same wherever and in whatever order they were played."""
    return Store(Path(folder)).digest()


def match(
    bots: Sequence[str],
    players: int | None = None,
    card_set: str = "default",
    blocks: int = 200,
    seed: str | None = None,
    progress: Progress | None = None,
    require_isolation: bool = False,
) -> Ladder:
    """Play a quick match in this process and return its results; nothing is kept on disk.

    bots: references, as in a config. card_set: city numbers as digits. A bot named twice plays against its copy.
    require_isolation: as for `run_ladder`.
    """
    entries = _named(bots)
    count = max(2, len(entries)) if players is None else players
    rules = usual_rules(count) if card_set == "default" else rules_of_set(f"{count}p:{card_set}")
    if seed is not None and not re.fullmatch(r"[0-9a-f]{32}", seed):
        raise BossError(f"--seed {seed}: it must be 32 hex digits (0-9, a-f); leave it out and one is drawn")
    config = Config(
        name="match",
        seed=seed,
        bots=entries,
        kinds=(TableKind(rules, blocks),),
        fill=entries[-1] if len(entries) < rules.players else None,
        anchor=entries[-1].name,
        anchor_elo=1000.0,
        executor=ExecutorEntry(kind="local", workers=1),
        path=Path.cwd() / "match",
        text="",
    )
    with lent_folder(disk_folder(), "match-") as home:
        folder = home / config.name
        play(config, folder, None, None, False, progress or Silence(), require_isolation)
        return open_ladder(folder)


def _named(references: Sequence[str]) -> tuple[BotEntry, ...]:
    entries: list[BotEntry] = []
    for reference in references:
        name = base = spec_of(reference).name
        number = 2
        while name in {entry.name for entry in entries}:
            name, number = f"{base}-{number}", number + 1
        entries.append(BotEntry.model_construct(bot=reference, name=name, params={}))
    return tuple(entries)
