"""What the command line draws: progress bars and tables. Progress goes to stderr, answers to stdout."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.status import Status
from rich.table import Table
from rich.text import Text

from harness.play.checkup import in_lines

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from harness.api import Ladder
    from harness.ladder.gate_reading import Verdict
    from harness.ladder.overview import Overview
    from harness.play.checkup import Check, Checkup
    from harness.report.rated import Rated
    from harness.stats.sequential import Look

_out = Console(emoji=False)  # a class is named after a colon, as emoji are
_err = Console(stderr=True, emoji=False)


def say(text: str) -> None:
    """Print a line as it is."""
    _out.print(text, markup=False, highlight=False, soft_wrap=True)


def complain(text: str) -> None:
    """Print what went wrong to stderr."""
    _err.print(f"boss: {text}", markup=False, highlight=False, soft_wrap=True)


class progress:  # noqa: N801 (reads as the function it is used as)
    """A context in which a run's progress is drawn: games done, games/s, time left, faults.

    after: a check that goes before the run, and of which nothing more is drawn once games are played.
    """

    def __init__(self, after: "checking | None" = None) -> None:
        self._after = after
        self._warned: set[str] = set()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=_err,
        )
        self._task: Any = None
        self._faults = 0

    def __enter__(self) -> "progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._bar.live.is_started:  # else it would add an empty line
            self._bar.stop()

    def compiling(self) -> None:
        """Say that kernels are compiled now."""
        _err.print("Compiling the game's kernels: once for this version, up to a minute ...", highlight=False)

    def begin(self, games: int, done: int) -> None:
        """Draw the bar, unless all is done; what lies stored already counts as done."""
        if self._after:
            self._after.close()
        self._task = self._bar.add_task("games", total=games, completed=done, rate="", note="")
        if done < games:
            self._bar.start()
        if done:
            goes_on = "; going on from there" if done < games else ""
            _err.print(f"{done:,} of {games:,} games lie stored{goes_on}", highlight=False)

    def advance(self, games: int, faults: dict[str, int]) -> None:
        """Move the bar on."""
        self._faults += sum(faults.values())
        self._bar.start()  # it is not drawn yet where more is played than was expected
        self._bar.advance(self._task, games)
        speed = self._bar.tasks[self._task].speed
        rate = f"{speed:,.0f} games/s" if speed else ""
        note = f"{self._faults} faults" if self._faults else ""
        self._bar.update(self._task, rate=rate, note=note)

    def looked(self, look: "Look", bounds: tuple[float, float]) -> None:
        """Note how a gate stands; one that takes longer than expected has more games to go."""
        task = self._bar.tasks[self._task]
        stands = f"LLR {look.llr:+.2f} of {bounds[0]:.2f} to {bounds[1]:.2f} after {look.blocks:,} blocks"
        self._bar.update(self._task, note=stands, total=max(task.total or 0, task.completed))

    def warn(self, text: str) -> None:
        """Say what is not as it was asked for, once: both sides of a gate warn of the same."""
        if text not in self._warned:
            complain(f"warning: {text}")
        self._warned.add(text)

    def rating(self) -> None:
        """Say that games are rated now; the bar ends, full where a submission needed fewer games than it might."""
        if self._task is not None:
            self._bar.update(self._task, total=self._bar.tasks[self._task].completed)
        self._stop()
        _err.print("Rating the games and writing the report ...", highlight=False)


class checking:  # noqa: N801 (as progress)
    """A context in which a bot is checked: each check is printed once it has ended, and a terminal shows which is next.

    aloud: whether anything is printed to stdout.
    """

    def __init__(self, aloud: bool) -> None:
        self._aloud = aloud
        self._printed: list[Check] = []
        self._status = Status("", console=_err)

    def __enter__(self) -> "checking":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Draw no more of what is next."""
        self._status.stop()

    def compiling(self) -> None:
        """Say that kernels are compiled now."""
        progress().compiling()

    def at(self, check: str, players: int, ended: "Sequence[Check]") -> None:
        """Show which check is looked into, and at which table (0: at none, or at all); print those that have ended."""
        self._print(ended)
        self._status.update(f"{check}: {players} players" if players else check)
        if _err.is_terminal:
            self._status.start()

    def over(self, checkup: "Checkup") -> None:
        """Print what has not been printed yet, and the verdict."""
        self._print(checkup.checks)
        self._status.stop()
        if self._aloud:
            say(checkup.verdict)

    def _print(self, ended: "Sequence[Check]") -> None:
        fresh = [check for check in ended if check not in self._printed]
        if self._aloud and fresh:
            self._status.stop()  # both may be on the same terminal
            for line in in_lines(fresh):
                say(line)
            self._printed += fresh


def show_ratings(ladder: "Ladder") -> None:
    """Print the leaderboard, and how many games were forfeited or are not rated, and because of whom."""
    from harness.report.verdict import rated_say

    table = Table(box=box.SIMPLE_HEAD, title=f"{ladder.manifest.name}: Elo with 95 % intervals", title_justify="left")
    for column in ("rank", "bot", "Elo", "+-", "games", "blocks"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    for row in ladder.ratings.to_dict("records"):
        numbers = f"{row['elo']:.0f}", f"{row['half']:.0f}", f"{row['games']:,}", f"{row['blocks']:,}"
        table.add_row(str(row["rank"]), Text(str(row["bot"])), *numbers)
    _out.print(table)
    for sentence in rated_say(ladder.tables):
        say("".join(sentence))
    faults = ladder.tables.faults
    for row in faults[faults["faults"] > 0].to_dict("records") if len(faults) else []:
        said = f"{row['bot']}: {row['faults']} faults, {row['forfeits']} games forfeited; the first: {row['example']}"
        _out.print(said, markup=False, highlight=False)


def show_gate(verdict: "Verdict") -> None:
    """Print what a gate compared, what it saw last, and its verdict."""
    plan, seen = verdict.plan, verdict.look
    say(f"{plan.new.name} in place of {plan.baseline}, among {', '.join(plan.field)}, on the same deals")
    if seen:
        lower, upper = plan.hypotheses.bounds
        what = "win share" if plan.terms.score == "win" else "share of the others finished above"
        say(f"{what}: {seen.mean:+.4f} a game (95 % at all looks together: {seen.lo:+.4f} to {seen.hi:+.4f})")
        say(f"normalized Elo of the difference: {seen.elo:+.1f} ({seen.elo_lo:+.1f} to {seen.elo_hi:+.1f})")
        say(f"log-likelihood ratio: {seen.llr:+.2f}, decided at {lower:.2f} or {upper:.2f}; looks: {verdict.looks:,}")
    say(f"Results: {plan.folder}")
    say(f"{verdict.sentence}.".replace("..", "."))


def show_ladders(ladders: "Sequence[Overview]", folder: "Path") -> None:
    """Print which ladders lie in a folder, and below the table what there is to say of some."""
    if not ladders:
        say(f"no ladder lies in {folder}; boss run CONFIG begins one")
        return
    rows = []
    for one in ladders:
        changed = f"{one.changed.astimezone():%Y-%m-%d %H:%M}" if one.changed else ""
        leads = f"{one.leader.bot} {one.leader.elo:.0f}{' (before)' * one.leader.is_old}" if one.leader else ""
        games = f"{one.games:,}" if one.games == one.planned else f"{one.games:,} of {one.planned:,}"
        known = (games, str(len(one.bots)), _kinds(one.tables)) if one.name else ("", "", "")
        cells = str(one.folder), one.state, known[0], leads, changed, _bytes(one.size), *known[1:]
        rows.append(dict(zip(LADDER_COLUMNS, map(Text, cells), strict=True)))
    columns = list(LADDER_COLUMNS)
    while _out.is_terminal and len(columns) > LEAST_COLUMNS and _ladder_table(columns, rows)[1] > _out.width:
        columns.pop()
    table, width = _ladder_table(columns, rows)
    if not _out.is_terminal:  # a program reads it, or a file is written
        _out.width = max(_out.width, width)
    _out.print(table)
    for one in ladders:
        if one.note:
            say(f"{one.folder}: {one.note}")


LADDER_COLUMNS = ("ladder", "state", "games", "leader", "changed", "size", "bots", "tables")
LEAST_COLUMNS = 3
"""Columns of the list of ladders: the last are left out where a line is short, but so many stay."""


def _ladder_table(columns: "Sequence[str]", rows: "Sequence[Mapping[str, Text]]") -> tuple[Table, int]:
    """Return a table of some columns, and how wide it is."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        right = column in ("games", "size", "bots")
        table.add_column(column, justify="right" if right else "left", overflow="fold", no_wrap=column != "ladder")
    for row in rows:
        table.add_row(*(row[column] for column in columns))
    return table, table.__rich_measure__(_out, _out.options.update(width=10_000)).maximum


def _bytes(size: int) -> str:
    return f"{size / 1e3:,.0f} kB" if size < 1e6 else f"{size / 1e6:,.1f} MB"


def _kinds(tables: "Sequence[str]") -> str:
    """Return how many table kinds there are of each number of players, as in ``2p x6, 4p``."""
    counts = Counter(name.partition(":")[0] for name in tables)
    return ", ".join(f"{size} x{count}" if count > 1 else size for size, count in counts.items())


def show_table(frame: "pd.DataFrame", as_json: bool) -> None:
    """Print a frame as a table, or as JSON records."""
    if as_json:
        say(str(frame.to_json(orient="records", indent=1)))
        return
    table = Table(box=box.SIMPLE_HEAD)
    for column in frame.columns:
        table.add_column(str(column), justify="right" if frame[column].dtype.kind in "if" else "left")
    for row in frame.itertuples(index=False):
        table.add_row(*[Text(str(value)) for value in row])
    _out.print(table)


def show_rated(rated: "Rated", aloud: bool) -> None:
    """Print the ratings of a file of results; not `aloud` only what to know about them, to stderr."""
    if not aloud:
        for text in rated.notes:
            complain(f"note: {text}")
        return
    table = Table(box=box.SIMPLE_HEAD, title="Elo with 95 % intervals from blocks", title_justify="left")
    bounded = bool(rated.players["bound"].any())
    for column in ("rank", "player", "Elo", "+-", *["sure"] * bounded, "theta", "se", "games", "wins", "best"):
        table.add_column(column, justify="left" if column == "player" else "right")
    for row in rated.players.to_dict("records"):
        places = f"{row['rank_lo']}-{row['rank_hi']}" if row["rank_lo"] < row["rank_hi"] else f"{row['rank_lo']}"
        sure = f"{row['bound']} {row['bound_elo']:.0f}" if row["bound"] else ""
        numbers = f"{row['elo']:.1f}", f"{row['hi'] - row['elo']:.1f}", *[sure] * bounded, f"{row['theta']:.4f}"
        counts = f"{row['theta_se']:.4f}", f"{row['games']:,}", f"{row['wins']:,.6g}", f"{row['best']:.1%}"
        table.add_row(places, Text(str(row["player"])), *numbers, *counts)
    _out.print(table)
    for name, frame in (("Seats", rated.seats), ("Ties", rated.ties)):
        if len(frame):
            say(f"{name}, log-worths:")
            show_table(frame.round(4), as_json=False)
    say(f"log-likelihood {rated.log_likelihood:,.4f}; groups connected by wins and losses: {rated.components}")
    say(f"design effect of blocks on differences (1: games are as good as independent): {rated.design_effect:.2f}")
    for text in rated.notes:
        say(f"note: {text}")


def note(text: str) -> None:
    """Print to stderr what is being done."""
    _err.print(f"measuring {text} ...", markup=False, highlight=False)


def show_bench(figures: dict[str, Any], as_json: bool) -> None:
    """Print what `boss bench` measured."""
    if as_json:
        say(json.dumps(figures, indent=1))
        return
    fused = figures["fused"]
    table = Table(box=box.SIMPLE_HEAD, title="Four-player games a second, one core", title_justify="left")
    for column in ("bot", "games/s", "of the fused loop"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    rates = {"fused loop, no bot asked": fused, **figures["games_per_s"], "first card, plain": figures["first_card"]}
    for name, rate in rates.items():
        table.add_row(Text(name), f"{rate:,.0f}", f"{rate / fused:.4f}")
    _out.print(table)
    say(f"two workers to one: {figures['two_workers_to_one']:.2f}")
    few, many = figures["worker_mb_after_10000_games"], figures["worker_mb_after_200000_games"]
    say(f"memory of a worker: {few:.0f} MB after 10,000 games, {many:.0f} MB after 200,000")
    say(f"boss --help: {figures['help_s']:.2f} s")
    say(f"a small run's first game, kernels compiled before: {figures['first_game_s']:.1f} s")
    say(f"first compilation of all kernels: {figures['compile_s']:.0f} s")
