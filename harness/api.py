"""The whole flow on one screen, as functions for scripts and notebooks; tables are pandas frames.

from harness import api
ladder = api.run_ladder("configs/quick.yaml")
ladder.ratings                       # a frame: rank, bot, elo, lo, hi, games, blocks, ...
api.match(["greedy", "random"], players=4, blocks=200).ratings
"""

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from harness.errors import BossError, BotError
from harness.game.cards import OFFICIAL_SETS, arithmetic, exact_sets
from harness.game.replay import replay_file
from harness.game.rules import rules_of_set, usual_rules
from harness.ladder import archive, submission
from harness.ladder.config import Config, TableKind, load_config
from harness.ladder.entries import BotEntry, ExecutorEntry
from harness.ladder.executor import Executor, executor_of
from harness.ladder.gate import GateProgress, GateSilence, play_gate
from harness.ladder.gate_plan import plan_gate
from harness.ladder.gate_reading import Verdict
from harness.ladder.learnt import LEARNT_COLUMNS, learn
from harness.ladder.manifest import Manifest
from harness.ladder.merge import merge as join
from harness.ladder.overview import Overview, overview, overviews
from harness.ladder.results_csv import read_results
from harness.ladder.run import Progress, Silence, plan_run, play_run
from harness.ladder.store import Store
from harness.ladder.yaml_file import compose, construct
from harness.play.ask import ask
from harness.play.check import Examined, examine
from harness.play.check_text import ended, judge
from harness.play.checkup import CheckProgress, CheckSilence, Checkup
from harness.play.limits import LEVELS, USUAL_LIMITS
from harness.play.registry import builtin_names, load_class, plugin_names, spec_of
from harness.play.warmup import is_cold, warm_up
from harness.report.analysis import Analysis, analyse
from harness.report.frames import GAME_FIELDS, frames_of
from harness.report.history import add_entry, read_history, take_entries
from harness.report.landing import Landing, landing
from harness.report.rated import Rated, rate_table


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
    _play(plan, folder, workers, executor, fresh, progress or Silence(), require_isolation)
    return write_report(folder)


def _play(
    config: Config,
    folder: Path,
    workers: int | None,
    executor: str | None,
    fresh: bool,
    progress: Progress,
    require_isolation: bool,
) -> None:
    chosen = _executor(config, workers, executor, progress)
    plan = plan_run(config, folder, fresh, require_isolation)
    play_run(plan, chosen, progress)


def _executor(config: Config, workers: int | None, executor: str | None, progress: Progress) -> Executor:
    """Return the executor of a config, or another that is asked for."""
    if executor not in (None, "local", "ray"):
        raise BossError(f"--executor {executor}: it can be local or ray")
    asked = config.executor
    count = workers or (asked.workers if isinstance(asked.workers, int) else None)
    kind = executor or asked.kind
    return executor_of(kind, count, asked.address if kind == "ray" else None, progress.warn)


def submit(
    bot: str,
    to: str | Path,
    name: str | None = None,
    params: str | dict[str, Any] | None = None,
    level: str | None = None,
    out: str | Path | None = None,
    workers: int | None = None,
    executor: str | None = None,
    progress: Progress | None = None,
    checking: CheckProgress | None = None,
    require_isolation: bool = False,
) -> Landing:
    """Check a bot, play it into the ladder of config `to` until it is rated well enough, and say where it landed.

    `name`, `params` and `level` are those of a bot in a config; the rest is as for `run_ladder`, which has begun the
    ladder. A bot of a name that is taken is a new version of it. The report and the log of ratings are written anew.
    """
    config = load_config(to)
    folder = Path(out) if out else Path("results") / config.name
    told = progress or Silence()
    spec = spec_of(bot, name, _given(params), [config.folder], _level(level))
    chosen = _executor(config, workers, executor, told)
    plan = submission.plan_submission(config, folder, spec, require_isolation)
    with plan.store.writing():  # whoever cannot write there, or not now, is told before the check, which takes a while
        pass
    checkup = check_bot(
        spec.reference, spec.params, spec.level, config.limits.turn_ms, config.limits.memory_mb, checking
    )
    if not checkup.passed:
        raise BotError(f"{checkup.verdict}; it is not let in: boss check {bot} tells what is wrong and how to mend it")
    with plan.store.writing():
        _log(plan.store, "")
    play_run(plan, chosen, told)
    own = plan.manifest.submissions[-1]
    _log(plan.store, plan.manifest.bots[own.bot].name)
    return landing(write_report(folder).tables, own, folder)


def _log(store: Store, submitted: str) -> None:
    """Add how the bots are rated now to the log of submissions; before the first submission, only begin the log."""
    if not store.stored() or (not submitted and len(read_history(store.folder))):
        return
    manifest = store.read_manifest()
    ratings = learn(manifest, store.games(LEARNT_COLUMNS)).ratings
    assert ratings is not None
    add_entry(store.folder, submitted, [spec.name for spec in manifest.bots], ratings)


def retire(bot: str, folder: str | Path) -> None:
    """Let a bot of a results folder play no more; it stays rated. Submitted again, it is back."""
    submission.retire(Path(folder), bot)


def gate(
    new: str,
    vs: str,
    config: str | Path,
    out: str | Path | None = None,
    workers: int | None = None,
    executor: str | None = None,
    fresh: bool = False,
    progress: GateProgress | None = None,
    require_isolation: bool = False,
) -> Verdict:
    """Test whether bot `new` is stronger than bot `vs` among the others of a ladder, and return the verdict.

    Each is a bot of the config by its name, or any other as in a config. Hypotheses and errors stand in the config's
    section `gate`. `out` is the folder (default ``results/<name>-gate-<new>-vs-<old>``), the rest as for `run_ladder`.
    """
    plan = load_config(config)
    known = (*plan.bots, *([plan.fill] if plan.fill else []))
    baseline = _apart(_entry(vs, known, plan.folder), known, "-old")
    candidate = _entry(new, known, plan.folder)
    others = (*known, baseline.model_copy(update={"bot": ""}))  # unlike any other, the candidate itself too
    candidate = _apart(candidate, others, "-new")
    folder = Path(out) if out else Path("results") / f"{plan.name}-gate-{candidate.name}-vs-{baseline.name}"
    told = progress or GateSilence()
    chosen = _executor(plan, workers, executor, told)
    return play_gate(plan_gate(plan, candidate, baseline, folder, fresh, require_isolation), chosen, told)


def _entry(reference: str, known: Sequence[BotEntry], folder: Path) -> BotEntry:
    """Return the bot of a config by its name or text, or another bot by its reference."""
    for bot in (*(own for own in known if own.name == reference), *(own for own in known if own.bot == reference)):
        return bot
    return BotEntry.model_construct(bot=reference, name=spec_of(reference, folders=[folder]).name, params={})


def _apart(entry: BotEntry, others: Sequence[BotEntry], suffix: str) -> BotEntry:
    """Return a bot under a name that none of the others has, but for itself."""
    if any(other.name == entry.name and other != entry for other in others):
        return entry.model_copy(update={"name": f"{entry.name}{suffix}"})
    return entry


def write_report(folder: str | Path) -> Ladder:
    """Rate the stored games again, write tables, plots and pages into the folder, and return its results."""
    from harness.report import pages  # brings matplotlib, which only a report needs

    store = Store(Path(folder))
    manifest, games, blocks = store.read(GAME_FIELDS)
    return Ladder(store.folder, manifest, games, blocks, pages.write_report(store.folder, games, blocks, manifest))


def ladders(folder: str | Path = "results") -> list[Overview]:
    """Return what ladders lie in a folder and all below it, with their size, bots and state; nothing is changed."""
    return list(overviews(Path(folder)))


@dataclass(frozen=True, eq=False)
class Merged:
    """Results joined: the ladder they now are, how many games were added, and how many planned ones are missing."""

    ladder: Ladder
    added: int
    missing: int


def merge(into: str | Path, folders: Sequence[str | Path], progress: Progress | None = None) -> Merged:
    """Join the results in `folders`, of the same rules, to those in `into`, and write its report anew.

    `into` may be a folder that is not there yet; all others stay as they are. The same run played on several machines
    becomes what one machine would have played; blocks of other seeds are added to it. Raises ResultsError, and changes
    nothing, where rules, limits, versions of bots or games of one deal differ.
    """
    store, others = Store(Path(into)), [Path(folder) for folder in folders]
    added = join(store.folder, others, progress or Silence())
    for other in others:
        if Store(other).read_manifest().seed == store.read_manifest().seed:
            take_entries(store.folder, other)
    told = overview(store.folder)
    return Merged(write_report(store.folder), added, told.planned - told.games)


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
    with tempfile.TemporaryDirectory(prefix="boss-match-") as folder:
        _play(config, Path(folder) / "match", None, None, False, progress or Silence(), require_isolation)
        return open_ladder(Path(folder) / "match")


def _named(references: Sequence[str]) -> tuple[BotEntry, ...]:
    entries: list[BotEntry] = []
    for reference in references:
        name = base = spec_of(reference).name
        number = 2
        while name in {entry.name for entry in entries}:
            name, number = f"{base}-{number}", number + 1
        entries.append(BotEntry.model_construct(bot=reference, name=name, params={}))
    return tuple(entries)


def export(folder: str | Path, file: str | Path, progress: Progress | None = None) -> int:
    """Write the record of every stored game to a .jsonl or .jsonl.gz file; return how many."""
    store = Store(Path(folder))
    manifest, games = store.read_manifest(), store.games(archive.RECORD_COLUMNS)
    watcher = progress or Silence()
    watcher.begin(len(games), 0)
    return archive.export(games, manifest, Path(file), lambda count: watcher.advance(count, {}))


def replay(
    source: str | Path, game: int, seat: int | None = None, bot: str | None = None, at: str | None = None
) -> Iterator[str]:
    """Yield the texts that show one game of a results folder or record file, decision by decision.

    With `seat` only what that seat saw. With `bot` and `at` (hand.turn, of `seat`) the answer of that bot instead.
    """
    path = Path(source)
    if path.is_file():
        told = archive.moments_of_file(path, game)
    else:
        store = Store(path)
        manifest = store.read_manifest()
        told = archive.moments_of(store.games(archive.RECORD_COLUMNS), manifest, game)
    if bot is not None or at is not None:
        if bot is None or at is None or seat is None:
            raise BossError("--bot needs --seat and --at HAND.TURN: whose place it takes, and when")
        return iter([ask(told, spec_of(bot), seat, *_moment(at))])
    return archive.texts(told, seat)


def check_records(file: str | Path) -> int:
    """Play every record of a .jsonl or .jsonl.gz file again by the rules; return how many, or raise RecordError."""
    if Path(file).is_dir():
        raise BossError(f"{file}: name a game of this results folder, or a file of records")
    return replay_file(file)


def _moment(at: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)\.(\d+)", at)
    if not match:
        raise BossError(f"--at {at}: write HAND.TURN, both from 1, as in 2.4 (turn 0: the reckoning)")
    return int(match[1]), int(match[2])


def new_bot(name: str, folder: str | Path) -> tuple[Path, str]:
    """Write a commented bot to start from; return its file and its class name."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise BotError(f"{name!r} cannot name a bot's file; use lower-case letters, digits and _, as in clever_fox")
    file = Path(folder) / f"{name}.py"
    if file.exists():
        raise BotError(f"{file} exists already; it is left as it is")
    class_name = "".join(part.capitalize() for part in name.split("_"))
    template = (Path(__file__).parent / "play" / "templates" / "new_bot.py.txt").read_text()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(template.format(name=name, cls=class_name, file=file))
    except OSError as error:
        raise BotError(f"{file}: cannot be written: {error.strerror}") from None
    return file, class_name


def check_bot(
    bot: str,
    params: str | dict[str, Any] | None = None,
    level: str | None = None,
    turn_ms: int = USUAL_LIMITS.turn_ms,
    memory_mb: int = USUAL_LIMITS.memory_mb,
    progress: CheckProgress | None = None,
) -> Checkup:
    """Check a bot as a ladder may use it, and return named checks; `passed` says whether all went well.

    params: a mapping, or one in text, as in a config.
    """
    told = progress or CheckSilence()
    given = _given(params)
    if is_cold():
        told.compiling()
        warm_up([])

    def watch(seen: Examined, check: str, players: int) -> None:
        told.at(check, players, ended(seen))

    limits = replace(USUAL_LIMITS, turn_ms=turn_ms, memory_mb=memory_mb)
    return judge(examine(bot, given, _level(level), limits, watch=watch))


def _given(params: str | dict[str, Any] | None) -> dict[str, Any] | None:
    return construct("--params", compose("--params", params)) if isinstance(params, str) else params


def _level(level: str | None) -> str | None:
    if level not in (None, *LEVELS):
        raise BossError(f"--level {level}: it can be {', '.join(LEVELS[:-1])} or {LEVELS[-1]}")
    return level


def rate(
    file: str | Path,
    reference: str | None = None,
    prior: float = 0.5,
    seat_terms: bool = True,
    win_only: bool = False,
) -> Rated:
    """Rate the results of any game from a CSV file, as `harness.ladder.results_csv` reads it.

    reference: the player whose theta and Elo are 0; left out: their mean is. prior: games won, and lost, that each
    player gets against a ghost; 0 is the maximum likelihood. seat_terms: whether seats may differ, where the file
    tells them. win_only: only who came first counts.
    """
    return rate_table(read_results(file), reference, prior, seat_terms, win_only)


def bots() -> pd.DataFrame:
    """Return the bots known by name: name, level (one decision at a time or batches), version, what it does."""
    rows = []
    for name in [*builtin_names(), *plugin_names()]:
        bot, spec = load_class(name), spec_of(name)
        level = "batch" if hasattr(bot, "act_batch") else "plain"
        rows.append((name, level, spec.version, (bot.__doc__ or "").strip().splitlines()[0]))
    return pd.DataFrame(rows, columns=["bot", "level", "version", "idea"])


def card_sets(players: int | None = None, exact: bool = False) -> pd.DataFrame:
    """Return card sets with their arithmetic: the official ones, or all that deal out exactly."""
    rows = []
    for count in [players] if players else list(OFFICIAL_SETS):
        for digits in exact_sets(count) if exact else OFFICIAL_SETS[count]:
            official = digits in OFFICIAL_SETS[count]
            rows.append((f"{count}p:{digits}", official, str(arithmetic(digits, count))))
    return pd.DataFrame(rows, columns=["set", "official", "arithmetic"])


def bench(everything: bool = True, told: Callable[[str], None] = lambda text: None) -> dict[str, Any]:
    """Measure the speed of play: games a second of each built-in bot, four players, one core.

    With `everything` also a fused loop to compare with, the least plain-Python bot, workers, memory and start-up.
    `told` hears what is being measured.
    """
    from harness.ladder import bench as measuring
    from harness.play import speed, warmup

    warmup.warm_up([spec_of(name) for name in builtin_names()])
    rates = {}
    for name in builtin_names():
        told(name)
        rates[name] = round(speed.games_per_second(spec_of(name).maker()), 1)
    if not everything:
        return {"games_per_s": rates}
    told("the fused loop, and a plain-Python bot that reveals its first card")
    figures: dict[str, Any] = {
        "games_per_s": rates,
        "first_card": speed.games_per_second(speed.First),
        "fused": speed.fused_games_per_second(),
    }
    told("one worker and two, memory of a worker, start-up, compilation")
    one, two = measuring.worker_rate(1), measuring.worker_rate(2)
    few, many = measuring.worker_memory()
    return figures | {
        "two_workers_to_one": two / one,
        "worker_mb_after_10000_games": few,
        "worker_mb_after_200000_games": many,
        "help_s": measuring.help_seconds(),
        "first_game_s": measuring.first_game_seconds(),
        "compile_s": measuring.compile_seconds(),
    }
