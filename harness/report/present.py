"""Tables as people read them, of the bots: few columns, rounded figures, every estimate with its interval."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from harness.play.faults import FaultKind, Price
from harness.report import words as w
from harness.report.fault_tables import FAULT_COLUMNS
from harness.report.tables import FLAGS


class Cell(NamedTuple):
    """A cell: its text, the interval that belongs to it, and its tone (good, bad or open, for verdicts)."""

    text: str
    interval: str = ""
    tone: str = ""


NO_INTERVAL = "no interval"

CellOf = Callable[[Any], Cell]
"""Makes a cell of a row of a frame."""


class Column(NamedTuple):
    """A column: its head, how its cells are made, what it means where that is not plain, whether it holds figures,
    and whether it stays in sight when a wide table is scrolled.
    """

    head: str
    cell: CellOf
    meaning: str = ""
    figures: bool = True
    sticks: bool = False


class Shown(NamedTuple):
    """A table ready to be shown. The first `heads` columns name the row; `folded` tables are opened on demand; in
    `flat` ones intervals stand beside their values, not under them.
    """

    key: str
    caption: str
    columns: tuple[Column, ...]
    rows: list[list[Cell]]
    heads: int = 1
    folded: bool = False
    flat: bool = False


def show(
    key: str, caption: str, columns: Iterable[Column], table: pd.DataFrame, heads: int = 1, folded: bool = False
) -> Shown:
    """Return a frame as a table to be shown, row by row."""
    columns = tuple(columns)
    rows = [[column.cell(row) for column in columns] for _, row in table.iterrows()]
    return Shown(key, caption, columns, rows, heads, folded)


def text(column: str) -> CellOf:
    """Return what makes a cell with the text in this column."""
    return lambda row: Cell(str(row[column]))


def count(column: str) -> CellOf:
    """Return what makes a cell with a whole number."""
    return lambda row: Cell(w.whole(float(row[column])))


def some(column: str) -> CellOf:
    """Return what makes a cell with a whole number, of less weight where that is 0."""
    return lambda row: count(column)(row)._replace(tone="" if row[column] else "open")


def share(column: str, lo: str = "", hi: str = "") -> CellOf:
    """Return what makes a cell with a share and its interval."""
    lo, hi = lo or f"{column}_lo", hi or f"{column}_hi"
    return lambda row: estimate(row[column], w.percent, lambda: w.percent_span(row[lo], row[hi]))


def estimate(value: float, shown: Callable[[float], str], interval: Callable[[], str]) -> Cell:
    """Return a cell with an estimate: a dash where there is none, and in words where it has no interval."""
    if not math.isfinite(value):
        return Cell(w.DASH)
    between = interval()
    return Cell(shown(value), NO_INTERVAL if between == w.DASH else between)


def percent(column: str) -> CellOf:
    """Return what makes a cell with a share that is no estimate."""
    return lambda row: Cell(w.percent(row[column]))


def figure(column: str, digits: int = 2) -> CellOf:
    """Return what makes a cell with a figure and its interval."""
    lo, hi = f"{column}_lo", f"{column}_hi"
    return lambda row: estimate(
        row[column], lambda value: w.number(value, digits), lambda: w.span(row[lo], row[hi], digits)
    )


def elo(column: str, lo: str, hi: str) -> CellOf:
    """Return what makes a cell with a rating and its interval; a question mark where it is a guess."""
    return lambda row: estimate(
        math.nan if "unplayed" in row["flags"] else row[column],
        lambda value: w.whole(value) + ("?" if is_guess(row["flags"]) else ""),
        lambda: w.span(row[lo], row[hi]),
    )


def if_played(cell: CellOf) -> CellOf:
    """Return what makes the same cell, but a dash for a bot without games."""
    return lambda row: Cell(w.DASH) if "unplayed" in row["flags"] else cell(row)


def is_guess(flags: str) -> bool:
    """Whether a rating with these flags rests on the prior."""
    return bool({"disconnected", "inseparable", "unplayed"} & set(flags.split()))


BOT = Column("Bot", text("bot"), figures=False, sticks=True)
GAMES = Column("Games", count("games"))
BLOCKS = Column("Blocks", count("blocks"), "deals, each played in rotated seats: the unit of all uncertainty")

NOTES = {
    "disqualified": "out of the run",
    "unplayed": "no games",
    "disconnected": "loose",
    "inseparable": "entangled",
    "few_blocks": "few blocks",
}
"""The flags of ratings in a word; `tables.FLAGS` says what they mean."""


def notes(row: Any) -> Cell:
    """Return a rating's flags in a word each."""
    return Cell(", ".join(NOTES[flag] for flag in row["flags"].split()))


def even_share(players: int) -> str:
    """Return what each side would win at a table of equals."""
    return w.percent(1 / (3 if players == 6 else players))


def _places(row: Any) -> Cell:
    first, last = row["rank_best"], row["rank_worst"]
    return Cell(str(first) if first == last else f"{first}{w.DASH}{last}")


def leaderboard(table: pd.DataFrame, sizes: Sequence[int], by_wins: bool) -> Shown:
    """Show the ratings, `by_wins` or by finishing orders; with a single number of players the share of wins too."""
    other, rating, by = ("finish", "finish_elo", "whole finishing orders") if by_wins else (
        "wins", "win_elo", "first places alone"
    )  # fmt: skip
    columns = [
        Column("Rank", if_played(count("rank"))),
        BOT,
        Column("Elo", elo("elo", "lo", "hi"), "with its 95% interval; ? marks a guess"),
        Column("±", if_played(count("half")), "half the width of the interval"),
        Column("Place", if_played(_places), "the places that two-sided 5% comparisons with all other bots leave open"),
        Column("Above next", lambda row: Cell(w.chance(row["above_next"])),
               "likelihood that the bot is stronger than the one below it"),
        Column("Best", if_played(lambda row: Cell(w.chance(row["best"]))), "chance to be the strongest of all"),
        Column(f"Elo by {other}", elo(rating, f"{rating}_lo", f"{rating}_hi"), f"rated by {by}"),
        *(Column("Wins", share(f"wins_{size}p"), f"share of its seats that won; equals would win {even_share(size)}")
          for size in sizes if len(sizes) == 1),
        GAMES,
        BLOCKS,
    ]  # fmt: skip
    if table["flags"].any():
        seen = [flag for flag in NOTES if table["flags"].str.contains(flag).any()]
        meaning = "; ".join(f"{NOTES[flag]}: {FLAGS[flag]}" for flag in seen)
        columns.append(Column("Note", notes, meaning, figures=False))
    caption = "The ladder: ratings over all tables, with 95% intervals."
    return show("leaderboard", caption, columns, table, heads=2)._replace(flat=True)


def by_players(table: pd.DataFrame) -> Shown:
    """Show rating and share of wins of each bot for each number of players, side by side."""
    columns = [BOT]
    meaning = "share of its seats that won; equals would win 1/n, at six players 1/3"
    for place, size in enumerate(sorted(table["players"].unique())):
        columns += [
            Column(f"Elo, {size} players", _of_size(size, elo("elo", "lo", "hi"))),
            Column("Wins", _of_size(size, share("wins")), "" if place else meaning),
            Column("Games", _of_size(size, count("games"))),
        ]
    rows = [
        {"bot": bot, **{int(row["players"]): row for _, row in own.iterrows()}}
        for bot, own in table.groupby("bot", sort=False)
    ]
    cells = [[column.cell(row) for column in columns] for row in rows]
    caption = "Elo and share of wins for each number of players; ? marks an Elo that is a guess."
    return Shown("by-players", caption, tuple(columns), cells)


def _of_size(size: int, cell: CellOf) -> CellOf:
    return lambda rows: cell(rows[size]) if size in rows else Cell(w.DASH)


def pairs(table: pd.DataFrame) -> Shown:
    """Show every pair of bots once, the higher rated first."""
    order = {bot: place for place, bot in enumerate(dict.fromkeys(table["bot"]))}
    table = table[table["bot"].map(order) < table["other"].map(order)]
    columns = (
        BOT,
        Column("Other", text("other"), figures=False),
        Column("Above", share("share", "lo", "hi"), "how often the first finished above the other, level counted half"),
        Column("Stronger", lambda row: Cell(w.chance(row["los"])), "likelihood, by the ratings, that the first is"),
        Column("Comparisons", count("count"), "games of both; more where copies of a bot sat"),
        BLOCKS,
    )
    caption = "Every pair of bots that met, with 95% intervals."
    return show("pairs", caption, columns, table, heads=2, folded=True)


def counts(table: pd.DataFrame) -> Shown:
    """Show what was played and what counts where."""
    columns = (
        Column("Table kind", text("table"), figures=False),
        Column("Players", count("players")),
        Column("Cities", text("cities"), figures=False),
        BLOCKS,
        Column("Games", count("games")),
        Column("Forfeited", count("forfeited"), "rated as a place behind all others, left out of the balance tables"),
        Column("Not rated", count("unrated"), "games in which a bot sat that was out of the run"),
        Column("Games in balance", count("counted"), "without a forfeit, of blocks that are rated whole"),
        Column("With an extra hand", count("extra_games")),
    )
    return show("counts", "What was played, and what counts where.", columns, table)


def faults(table: pd.DataFrame) -> Shown:
    """Show the faults of each bot by kind."""
    kinds = {kind: column for kind, column in FAULT_COLUMNS.items() if table[column].any()}
    columns = [
        BOT,
        GAMES,
        BLOCKS,
        Column("With a fault", some("faulty_games"), "games in which it made one"),
        Column("Forfeited", some("forfeits"), "games it forfeited: a place behind all others, left out of balance"),
        Column("of its games", share("forfeit_share")),
        Column("Faults", some("faults")),
        *(Column(kind.value.capitalize(), some(column), kind.sentence.rstrip(".")) for kind, column in kinds.items()),
    ]
    return show("faults", "Faults by bot, in all games, rated or not.", columns, table)


MOST_MESSAGES = 5
"""Messages of a bot that the page shows; its note has the others."""


def messages(table: pd.DataFrame) -> Shown:
    """Show the first distinct messages of each bot."""
    columns = (
        BOT,
        Column("Fault", text("kind"), figures=False),
        Column("Costs", lambda row: Cell(FaultKind(row["kind"]).price.name.lower()),
               "; ".join(f"{price.name.lower()}, {price.value}" for price in Price), figures=False),
        Column("Times", count("times")),
        Column("First in", _first, "game, and hand.turn there; turn 0 is the reckoning", figures=False),
        Column("Seat", count("seat")),
        Column("Message", text("message"), figures=False),
    )  # fmt: skip
    caption = f"What went wrong, by bot and message, at most {w.COUNT_WORDS[MOST_MESSAGES]} of a bot."
    return show("messages", caption, columns, table.groupby("number").head(MOST_MESSAGES), heads=2, folded=True)


def usage(table: pd.DataFrame) -> Shown:
    """Show what bots in processes of their own used."""
    columns = (
        BOT,
        Column("Decisions", count("decisions"), "answers given; twice where a process ended and a fresh one went on"),
        Column("CPU, ms", lambda row: Cell(w.number(row["cpu_ms"], 2 if row["cpu_ms"] < 10 else 1)),
               "CPU time for a decision, the mean"),
        Column("CPU, s", lambda row: Cell(w.number(row["cpu_s"], 1)), "of all its processes, loading included"),
        Column("Wall, s", lambda row: Cell(w.number(row["wall_s"], 1)), "from questions to answers"),
        Column("Memory, MB", lambda row: Cell(w.whole(row["peak_mb"]) if row["peak_mb"] else w.DASH),
               "the most of any of its processes"),
        Column("Asked again", count("asked_again"), "decisions put to a fresh process after the games"),
        Column("Differing", lambda row: Cell(w.whole(row["differing"]), tone="bad" if row["differing"] else ""),
               "those that came out differently: the bot is nondeterministic"),
    )  # fmt: skip
    return show("usage", "What bots in processes of their own used.", columns, table)


def _first(row: Any) -> Cell:
    return Cell(f"{row['game']}, {row['hand']}.{row['turn']}")


def out(table: pd.DataFrame) -> Shown:
    """Show who is out of the run."""
    columns = (
        BOT,
        Column("Why", text("reason"), figures=False),
        Column("Since game", count("game"), "the game in which it fell, which may still be rated"),
        Column("Table", text("table"), figures=False),
        Column("Block", count("block")),
        Column("Games not rated", count("unrated"), "its later ones; a game with two such bots counts for both"),
    )
    return show("out", "Bots that are out of the run.", columns, table)
