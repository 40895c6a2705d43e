"""Tables as people read them, of the game's balance."""

from typing import Any

import pandas as pd

from harness.report import words as w
from harness.report.balance_tables import PRICE_RANGE, By
from harness.report.present import (
    BLOCKS,
    GAMES,
    Cell,
    CellOf,
    Column,
    Shown,
    count,
    estimate,
    figure,
    percent,
    share,
    show,
    text,
)

HANDS = Column("Hands", count("hands"))

SEAT_WORDS = {"pass": Cell("even", tone="good"), "fail": Cell("uneven", tone="bad"), "more": Cell("open", tone="open")}

ENDINGS = {
    "money": "Most money",
    "last_hand": "More money in the last hand",
    "gangsters": "More gangsters left",
    "extra_hand": "An extra hand",
    "shared": "Nothing: win shared",
    "any_extra": "Saw an extra hand",
}
"""What decided a game, in words, by `length_tables.ending_table`."""


def key_column(by: By) -> Column:
    """Return the column that says what the rows are split by."""
    return Column("Table" if by == "group" else "Table kind", text(by), figures=False)


def split(by: By) -> str:
    """Return in words what the rows are split by."""
    return "number of players" if by == "group" else "table kind"


def seats(table: pd.DataFrame, by: By) -> Shown:
    """Show what each seat wins, and by group its effect on the Elo scale."""
    columns = [
        key_column(by),
        Column("Seat", lambda row: Cell(row["seats"].replace("+", " & ")), "0 starts the first hand; a team has two"),
        Column("Wins", share("share"), "share of games its side won, a shared win divided"),
        Column("Even", percent("target"), "what it would win if all seats were equal"),
        Column("Verdict", lambda row: SEAT_WORDS[row["verdict"]],
               "even: surely within one point of that; uneven: surely not; open: play more", figures=False),
        GAMES,
        BLOCKS,
    ]  # fmt: skip
    if "elo" in table:
        elo = Column("In Elo", _signed, "what the seat is worth by the rating model, all table kinds of this size")
        columns.insert(5, elo)
    caption = f"Wins by seat and {split(by)}, with 95% intervals."
    return show(f"seats-{by}", caption, columns, table, heads=2, folded=by == "table")


def _signed(row: Any) -> Cell:
    return estimate(row["elo"], w.signed, lambda: w.span(row["elo_lo"], row["elo_hi"]))


def places(table: pd.DataFrame, by: By) -> Shown:
    """Show what each place from the start marker brings in a hand."""
    columns = (
        key_column(by),
        Column("Place", text("place"), "0 has the start marker in this hand and plays first"),
        Column("Money a hand", figure("money"), "millions"),
        Column("Best of the hand", share("best"), "share of hands in which it won most money, level ones divided"),
        Column("Even", percent("target"), "what it would be if all places were equal"),
        Column("Gangsters a hand", figure("spent"), "gangsters placed"),
        HANDS,
        BLOCKS,
    )
    caption = f"What a place in the hand brings, by {split(by)}, with 95% intervals."
    return show(f"places-{by}", caption, columns, table, heads=2, folded=by == "table")


CITY_COLUMNS = (
    Column("Won", share("capture"), "share of hands in which somebody won it"),
    Column("Money", figure("reward"), "millions it paid when won"),
    Column("Winner’s gangsters", figure("winner_spent"), "when won"),
    Column("Others’ gangsters", figure("losers_spent"), "when won"),
    Column("Wasted", share("lost_share"), "share of all gangsters there that were not the winner’s"),
    Column("Money a gangster", figure("price"), "millions for each gangster of its winner"),
    Column("Bidders", figure("bidders"), "sides with gangsters there, when won"),
)


CASUALTY_MEANINGS = {
    "hospital": "experts sent there in a hand",
    "prison": "experts sent there in a hand",
    "killed": "experts lost for good in a hand",
    "banished": "sides banished in a hand",
}


def cities(table: pd.DataFrame, by: By) -> Shown:
    """Show what each city costs and brings."""
    low, high = PRICE_RANGE
    meaning = f"money a gangster against the mean of all cities: in line surely within {low} and {high} times"
    columns = (
        key_column(by),
        Column("City", _city, figures=False, sticks=True),
        *CITY_COLUMNS,
        Column("Price", price_word, meaning, figures=False),
        *(Column(kind.capitalize(), _unless_none(kind), meaning) for kind, meaning in CASUALTY_MEANINGS.items()),
        HANDS,
        BLOCKS,
    )
    caption = f"What cities cost and bring, by {split(by)}, with 95% intervals."
    return show(f"cities-{by}", caption, columns, table, heads=2, folded=by == "table")


def _city(row: Any) -> Cell:
    return Cell(w.title(str(row["city"])))


def _unless_none(kind: str) -> CellOf:
    cell = figure(kind, 3)
    return lambda row: cell(row) if row[kind] else Cell(w.DASH)


def price_word(row: Any) -> Cell:
    """Return what a city's money for a gangster comes to, in a word."""
    if row["price_verdict"] == "fail":
        return Cell("bargain" if row["price"] > row["price_mean"] else "dear", tone="bad")
    return Cell("in line", tone="good") if row["price_verdict"] == "pass" else Cell("open", tone="open")


def city_prices(table: pd.DataFrame) -> Shown:
    """Show each city's money for a gangster side by side for all groups."""
    groups = list(dict.fromkeys(table["group"]))
    columns = [
        Column("City", text("name"), figures=False, sticks=True),
        *(Column(str(group), _of_group(str(group), figure("price"))) for group in groups),
    ]
    rows = [
        {"name": w.title(str(city)), **{str(row["group"]): row for _, row in own.iterrows()}}
        for city, own in table.groupby("city", observed=True)
    ]
    cells = [[column.cell(row) for column in columns] for row in rows]
    return Shown("city-prices", "Money for each gangster of the winner, side by side.", tuple(columns), cells)


def _of_group(group: str, cell: CellOf) -> CellOf:
    return lambda rows: cell(rows[group]) if group in rows else Cell(w.DASH)


def chicago(table: pd.DataFrame, by: By) -> Shown:
    """Show what Chicago costs and brings by the number of the hand."""
    hand = Column("Hand", text("hand"), "from 1; hands that only games with extra hands reach are left out")
    columns = (key_column(by), hand, *CITY_COLUMNS, HANDS, BLOCKS)
    caption = f"Chicago by the number of the hand and {split(by)}, with 95% intervals."
    return show(f"chicago-{by}", caption, columns, table[table["regular"]], heads=2, folded=by == "table")


def lengths(table: pd.DataFrame) -> Shown:
    """Show how often games had each number of regular hands, beside the law."""
    columns = (
        key_column("group"),
        Column("Regular hands", text("hands")),
        Column("Share of blocks", share("share")),
        Column("The deck’s law", percent("law")),
        Column("Blocks", count("blocks")),
        Column("Expected", lambda row: Cell(w.number(row["expected"], 1)), "blocks by the law"),
        Column("p", lambda row: Cell(w.p_value(row["p"])), "chi-square test of this table’s lengths against the law"),
        Column("p of all", lambda row: Cell(w.p_value(row["p_holm"])), "corrected for the number of tables (Holm)"),
    )
    caption = "Regular hands of a game, one observation a block, with 95% intervals."
    return show("lengths", caption, columns, table, heads=2)


def endings(table: pd.DataFrame) -> Shown:
    """Show what decided the games, one row a group."""
    rows = [
        {"group": group, "any": own.iloc[0], **{row["decided_by"]: row for _, row in own.iterrows()}}
        for group, own in table.groupby("group", observed=True)
    ]
    columns = (
        key_column("group"),
        *(Column(words, _of_group(name, share("share"))) for name, words in ENDINGS.items()),
        Column("Games", lambda rows: count("all_games")(rows["any"])),
        Column("Blocks", lambda rows: count("blocks")(rows["any"])),
    )
    cells = [[column.cell(row) for column in columns] for row in rows]
    return Shown("endings", "What decided the win, share of games with 95% intervals.", columns, cells)
