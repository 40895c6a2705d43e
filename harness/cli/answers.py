"""What a command answers, on stdout: tables and sentences for people."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table
from rich.text import Text

from harness.cli import screen
from harness.report.words import percent

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from harness.api import Ladder
    from harness.ladder.gate_reading import Verdict
    from harness.ladder.overview import Overview
    from harness.report.rated import Rated


def show_ratings(ladder: "Ladder") -> None:
    """Print the leaderboard, and how many games were forfeited or are not rated, and because of whom."""
    from harness.report.verdict import rated_say

    table = Table(box=box.SIMPLE_HEAD, title=f"{ladder.manifest.name}: Elo with 95 % intervals", title_justify="left")
    for column in ("rank", "bot", "Elo", "+-", "games", "blocks"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    for row in ladder.ratings.to_dict("records"):
        numbers = f"{row['elo']:.0f}", f"{row['half']:.0f}", f"{row['games']:,}", f"{row['blocks']:,}"
        table.add_row(str(row["rank"]), Text(str(row["bot"])), *numbers)
    screen.out.print(table)
    for sentence in rated_say(ladder.tables):
        screen.say("".join(sentence))
    faults = ladder.tables.faults
    for row in faults[faults["faults"] > 0].to_dict("records") if len(faults) else []:
        said = f"{row['bot']}: {row['faults']} faults, {row['forfeits']} games forfeited; the first: {row['example']}"
        screen.out.print(said, markup=False, highlight=False)


def show_gate(verdict: "Verdict") -> None:
    """Print what a gate compared, what it saw last, and its verdict."""
    plan, seen = verdict.plan, verdict.look
    screen.say(f"{plan.new.name} in place of {plan.baseline}, among {', '.join(plan.field)}, on the same deals")
    if seen:
        lower, upper = plan.hypotheses.bounds
        what = "win share" if plan.terms.score == "win" else "share of the others finished above"
        screen.say(f"{what}: {seen.mean:+.4f} a game (95 % at all looks together: {seen.lo:+.4f} to {seen.hi:+.4f})")
        screen.say(f"normalized Elo of the difference: {seen.elo:+.1f} ({seen.elo_lo:+.1f} to {seen.elo_hi:+.1f})")
        screen.say(
            f"log-likelihood ratio: {seen.llr:+.2f}, decided at {lower:.2f} or {upper:.2f}; looks: {verdict.looks:,}"
        )
    screen.say(f"Results: {plan.folder}")
    screen.say(f"{verdict.sentence}.".replace("..", "."))


def show_ladders(ladders: "Sequence[Overview]", folder: "Path") -> None:
    """Print which ladders lie in a folder, and below the table what there is to say of some."""
    if not ladders:
        screen.say(f"no ladder lies in {folder}; boss run CONFIG begins one")
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
    while (
        screen.out.is_terminal and len(columns) > LEAST_COLUMNS and _ladder_table(columns, rows)[1] > screen.out.width
    ):
        columns.pop()
    table, width = _ladder_table(columns, rows)
    if not screen.out.is_terminal:  # a program reads it, or a file is written
        screen.out.width = max(screen.out.width, width)
    screen.out.print(table)
    for one in ladders:
        if one.note:
            screen.say(f"{one.folder}: {one.note}")


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
    return table, table.__rich_measure__(screen.out, screen.out.options.update(width=10_000)).maximum


def _bytes(size: int) -> str:
    return f"{size / 1e3:,.0f} kB" if size < 1e6 else f"{size / 1e6:,.1f} MB"


def _kinds(tables: "Sequence[str]") -> str:
    """Return how many table kinds there are of each number of players, as in ``2p x6, 4p``."""
    counts = Counter(name.partition(":")[0] for name in tables)
    return ", ".join(f"{size} x{count}" if count > 1 else size for size, count in counts.items())


def show_table(frame: "pd.DataFrame", as_json: bool) -> None:
    """Print a frame as a table, or as JSON records."""
    if as_json:
        screen.say(str(frame.to_json(orient="records", indent=1)))
        return
    table = Table(box=box.SIMPLE_HEAD)
    for column in frame.columns:
        table.add_column(str(column), justify="right" if frame[column].dtype.kind in "if" else "left")
    for row in frame.itertuples(index=False):
        table.add_row(*[Text(str(value)) for value in row])
    screen.out.print(table)


def show_rated(rated: "Rated", aloud: bool) -> None:
    """Print the ratings of a file of results; not `aloud` only what to know about them, to stderr."""
    if not aloud:
        for text in rated.notes:
            screen.complain(f"note: {text}")
        return
    table = Table(box=box.SIMPLE_HEAD, title="Elo with 95 % intervals from blocks", title_justify="left")
    bounded = bool(rated.players["bound"].any())
    for column in ("rank", "player", "Elo", "+-", *["sure"] * bounded, "theta", "se", "games", "wins", "best"):
        table.add_column(column, justify="left" if column == "player" else "right")
    for row in rated.players.to_dict("records"):
        places = f"{row['rank_lo']}-{row['rank_hi']}" if row["rank_lo"] < row["rank_hi"] else f"{row['rank_lo']}"
        sure = f"{row['bound']} {row['bound_elo']:.0f}" if row["bound"] else ""
        numbers = f"{row['elo']:.1f}", f"{row['hi'] - row['elo']:.1f}", *[sure] * bounded, f"{row['theta']:.4f}"
        counts = f"{row['theta_se']:.4f}", f"{row['games']:,}", f"{row['wins']:,.6g}", percent(row["best"])
        table.add_row(places, Text(str(row["player"])), *numbers, *counts)
    screen.out.print(table)
    for name, frame in (("Seats", rated.seats), ("Ties", rated.ties)):
        if len(frame):
            screen.say(f"{name}, log-worths:")
            show_table(frame.round(4), as_json=False)
    screen.say(f"log-likelihood {rated.log_likelihood:,.4f}; groups connected by wins and losses: {rated.components}")
    screen.say(
        f"design effect of blocks on differences (1: games are as good as independent): {rated.design_effect:.2f}"
    )
    for text in rated.notes:
        screen.say(f"note: {text}")


def show_bench(figures: dict[str, Any], as_json: bool) -> None:
    """Print what `boss bench` measured."""
    if as_json:
        screen.say(json.dumps(figures, indent=1))
        return
    fused = figures["fused"]
    table = Table(box=box.SIMPLE_HEAD, title="Four-player games a second, one core", title_justify="left")
    for column in ("bot", "games/s", "of the fused loop"):
        table.add_column(column, justify="left" if column == "bot" else "right")
    rates = {"fused loop, no bot asked": fused, **figures["games_per_s"], "first card, plain": figures["first_card"]}
    for name, rate in rates.items():
        table.add_row(Text(name), f"{rate:,.0f}", f"{rate / fused:.4f}")
    screen.out.print(table)
    screen.say(f"two workers to one: {figures['two_workers_to_one']:.2f}")
    few, many = figures["worker_mb_after_10000_games"], figures["worker_mb_after_200000_games"]
    screen.say(f"memory of a worker: {few:.0f} MB after 10,000 games, {many:.0f} MB after 200,000")
    screen.say(f"boss --help: {figures['help_s']:.2f} s")
    screen.say(f"a small run's first game, kernels compiled before: {figures['first_game_s']:.1f} s")
    screen.say(f"first compilation of all kernels: {figures['compile_s']:.0f} s")
