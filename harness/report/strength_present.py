"""Tables as people read them, of who is how strong, and by what."""

from typing import Any

import pandas as pd

from harness.report import words as w
from harness.report.present import (
    BLOCKS,
    BOT,
    Cell,
    CellOf,
    Column,
    Shown,
    count,
    estimate,
    figure,
    share,
    show,
    text,
)
from harness.stats.agreement import SURE

MOST_NAMED = 4
"""Bots named in a cell; more are counted."""

MOST_SYNERGIES = 12
"""Pairs of partners that the page shows: those furthest from 0."""

NOTABLE = 0.05
"""p-value, adjusted for all of a kind, up to which an effect has a star."""

PLAYERS = Column("Players", lambda row: Cell(w.whole(row["players"]) if row["players"] else "all"))


def signed(column: str, digits: int = 0) -> CellOf:
    """Return what makes a cell with a difference, its sign always shown, and its interval."""
    lo, hi = f"{column}_lo", f"{column}_hi"
    return lambda row: estimate(
        row[column], lambda value: w.signed(value, digits), lambda: w.span(row[lo], row[hi], digits)
    )


def chances(table: pd.DataFrame) -> Shown:
    """Show the places each bot may have for each number of players, and its chance to be the best there."""
    sizes = sorted(table["players"].unique())
    columns = [BOT, *(Column(f"{size} players" if size else "All tables", _place_at(size)) for size in sizes)]
    rows = [
        {"bot": bot, **{int(row["players"]): row for _, row in own.iterrows()}}
        for bot, own in table.groupby("bot", sort=False)
    ]
    cells = [[column.cell(row) for column in columns] for row in rows]
    caption = (
        "The places that two-sided 5% comparisons with all others leave open, and below the chance to be the strongest."
    )
    return Shown("chances", caption, tuple(columns), cells)


def _place_at(size: int) -> CellOf:
    def cell(rows: Any) -> Cell:
        if size not in rows:
            return Cell(w.DASH)
        row = rows[size]
        first, last = row["rank_best"], row["rank_worst"]
        return Cell(str(first) if first == last else f"{first}{w.DASH}{last}", w.chance(row["best"]))

    return cell


def table_effects(table: pd.DataFrame) -> Shown:
    """Show by how much each bot is better or worse at a number of players than it is on the whole."""
    sizes = sorted(table["players"].unique())
    columns = [BOT, *(Column(f"{size} players", _effect_at(size)) for size in sizes)]
    rows = [
        {"bot": bot, **{int(row["players"]): row for _, row in own.iterrows()}}
        for bot, own in table.groupby("bot", sort=False)
    ]
    cells = [[column.cell(row) for column in columns] for row in rows]
    caption = "Elo more or less than the bot has on the whole, with 95% intervals; * where surely not 0."
    return Shown("table-effects", caption, tuple(columns), cells)


def _effect_at(size: int) -> CellOf:
    return lambda rows: _effect(rows[size]) if size in rows else Cell(w.DASH)


def _effect(row: Any) -> Cell:
    cell = estimate(row["elo"], w.signed, lambda: w.span(row["lo"], row["hi"]))
    return cell._replace(text=f"{cell.text}*") if row["p"] <= NOTABLE else cell


def agreement(table: pd.DataFrame) -> Shown:
    """Show the two ratings side by side, and online Elo for those who know it."""
    columns = (
        BOT,
        Column("Elo by finish", figure("finish_elo", 0), "rated by whole finishing orders"),
        Column("Elo by wins", figure("win_elo", 0), "rated by first places alone"),
        Column("Wins less finish", signed("gap"), "both counted from the mean of the bots compared"),
        Column("Online Elo", lambda row: Cell(w.whole(row["online_elo"]), tone="open"),
               "for display only: it moves after every game, depends on their order and has no interval"),
        BLOCKS,
    )  # fmt: skip
    return show("agreement", "Two ratings of the same games, with 95% intervals.", columns, table)


def superiority(table: pd.DataFrame) -> Shown:
    """Show for each bot whom it is surely stronger or weaker than, and with whom that is open."""
    columns = (
        BOT,
        Column("Stronger than", text("above"), f"likelihood {w.percent(SURE)} or more by the ratings", figures=False),
        Column("Open with", text("open"), "and the likelihood that the bot of the row is the stronger", figures=False),
        Column("Weaker than", text("below"), figures=False),
        BLOCKS,
    )
    rows = pd.DataFrame(_standing(str(bot), own) for bot, own in table.groupby("bot", sort=False))
    return show("superiority", "Who is surely stronger than whom.", columns, rows)


def _standing(bot: str, own: pd.DataFrame) -> dict[str, Any]:
    above, below = own["los"] > SURE, own["los"] < 1 - SURE
    unsure = own[~above & ~below]
    told = [f"{name} ({w.chance(los)})" for name, los in zip(unsure["other"], unsure["los"], strict=True)]
    return {
        "bot": bot,
        "above": _named(own.loc[above, "other"].to_list()),
        "open": _named(told),
        "below": _named(own.loc[below, "other"].to_list()),
        "blocks": own["blocks"].max(),
    }


def _named(names: list[str]) -> str:
    if not names:
        return w.DASH
    return w.listed(names) if len(names) <= MOST_NAMED else w.counted(len(names), "bot")


def money(table: pd.DataFrame) -> Shown:
    """Show for each bot what it makes of its cards, over all tables and for each number of players."""
    sizes = sorted(table["players"].unique())
    columns = [BOT]
    for size in sizes:
        where = f", {size} players" if size else ""
        columns.append(Column(f"Gain{where}", _at(size, _points), _GAIN if size == sizes[0] else ""))
        if size or len(sizes) == 1:
            columns.append(Column(f"Share{where}", _at(size, share("share")), _SHARE if size in sizes[:2] else ""))
        columns.append(Column("Games", _at(size, count("games"))))
    columns.append(Column("Blocks", _at(sizes[0], count("blocks")), "of all its games"))
    rows = [
        {"bot": bot, **{int(row["players"]): row for _, row in own.iterrows()}}
        for bot, own in table.groupby("bot", sort=False)
    ]
    cells = [[column.cell(row) for column in columns] for row in rows]
    return Shown("money", "Money, with 95% intervals.", tuple(columns), cells)


_GAIN = "percentage points of the table’s money above what the average bot makes of the same cards in the same seat"
_SHARE = "mean share of the table’s money; equals would have 1/n, at six players, three teams, 1/3"


def _at(size: int, cell: CellOf) -> CellOf:
    return lambda rows: cell(rows[size]) if size in rows else Cell(w.DASH)


def _points(row: Any) -> Cell:
    return estimate(
        row["gain"],
        lambda value: w.signed(100 * value, 1),
        lambda: w.span(100 * row["gain_lo"], 100 * row["gain_hi"], 1),
    )


def synergies(table: pd.DataFrame) -> Shown:
    """Show the pairs of partners furthest from the sum of the two."""
    columns = (
        BOT,
        Column("Partner", text("partner"), figures=False),
        Column("Synergy", _effect, "Elo of the team beyond the sum of the two; * where surely not 0"),
        Column("p", lambda row: Cell(w.p_value(row["p"])), "of no synergy, adjusted for all pairs"),
        BLOCKS,
    )
    furthest = table.loc[table["elo"].abs().nlargest(MOST_SYNERGIES).index].sort_values("elo", ascending=False)
    caption = "Pairs of partners, those furthest from the sum of the two, with 95% intervals."
    if len(table) <= MOST_SYNERGIES:
        caption = "Pairs of partners, with 95% intervals."
    return show("synergies", caption, columns, furthest, heads=1)
