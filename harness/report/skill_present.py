"""Tables as people read them, of circles, of skill and luck, and of how exact all that is."""

import math
from typing import Any

import pandas as pd

from harness.report import words as w
from harness.report.finding_plots import PART_WORDS
from harness.report.present import (
    BLOCKS,
    BOT,
    GAMES,
    Cell,
    CellOf,
    Column,
    Shown,
    count,
    figure,
    percent,
    share,
    show,
)
from harness.report.skill_tables import HALF_WIDTH, MATCHES, RELIABLE
from harness.report.strength_present import PLAYERS, signed


def worst_cycles(table: pd.DataFrame) -> Shown:
    """Show the worst circles by name."""
    columns = (
        Column("Circle", lambda row: Cell(f"{row['first']} > {row['second']} > {row['third']} > {row['first']}"),
               figures=False),
        *(Column(f"Link {number}", _link(number),
                 "Elo of each above the next, by the games of the two alone" if number == 1 else "")
          for number in (1, 2, 3)),
        Column("Least sure", lambda row: Cell(w.chance(row["los"])), "least likelihood of the three links"),
    )  # fmt: skip
    caption = "Circles all of whose links are sure at 99%, the strongest first."
    return show("cycles", caption, columns, table)


def _link(number: int) -> CellOf:
    return lambda row: Cell(w.signed(row[f"link{number}"]))


def nash(table: pd.DataFrame) -> Shown:
    """Show averages that circles and copies do not bend."""
    columns = (
        BOT,
        Column("Nash skill", signed("skill"),
               "Elo against a mixture of bots that nobody beats, so that copies of a bot count once (Nash averaging)"),
        Column("Weight", percent("weight"), "of the bot in that mixture"),
        Column("In the mixture", percent("played"), "in so many of redrawn ladders: how sure the weight is"),
        Column("Alpha-rank", _time_share, "share of time a population that imitates success plays this bot"),
        BLOCKS,
    )  # fmt: skip
    return show("nash", "Who is best where bots beat each other in circles, with 95% intervals.", columns, table)


def _time_share(row: Any) -> Cell:
    """Return a share of alpha-rank's time, in words where all of its interval would be written as nothing or all."""
    if row["alpha_hi"] < _NOTHING:
        return Cell("hardly any")
    return Cell("nearly all") if row["alpha_lo"] > 1 - _NOTHING else share("alpha")(row)


_NOTHING = 0.0005  # is written as 0.0%


def luck(table: pd.DataFrame) -> Shown:
    """Show what the variance of winning is made of."""
    parts = [Column(PART_WORDS[part].capitalize(), _at_part(part), _PART_MEANINGS.get(part, "")) for part in PART_WORDS]
    columns = [Column("Players", _first("players")), *parts, Column("Games", _first("games"))]
    columns.append(Column("Blocks", _first("blocks"), "only whole ones of bots that all differ count here"))
    rows = [{str(row["part"]): row for _, row in own.iterrows()} for _, own in table.groupby("players")]
    cells = [[column.cell(row) for column in columns] for row in rows]
    caption = "What makes the winner: shares of the variance of a win, with 95% intervals."
    return Shown("luck", caption, tuple(columns), cells)


_PART_MEANINGS = {
    "bot": "who plays",
    "opponents": "and how they suit the bot",
    "deal": "at two players not to be told from chance",
    "rest": "and what suits a bot in this very deal",
}


def _at_part(part: str) -> CellOf:
    return lambda rows: share("share")(rows[part])


def _first(column: str) -> CellOf:
    return lambda rows: Cell(w.whole(float(rows["bot"][column])))


def reliability(table: pd.DataFrame) -> Shown:
    """Show how many games it takes to tell bots apart."""
    columns = (
        PLAYERS,
        Column("Skill in a game", share("icc"), "how much of the variance of one game’s win is the bot"),
        Column("in a block", share("block_icc"), "of its mean over a deal in all seats"),
        Column("Games needed", _plays("games_needed"), f"of a bot until its mean is {w.percent(RELIABLE, 0)} reliable"),
        Column("Blocks needed", _plays("blocks_needed"), "for the same"),
        GAMES,
        BLOCKS,
    )
    caption = "How soon skill shows through luck, with 95% intervals."
    return show("reliability", caption, columns, table)


def _plays(column: str) -> CellOf:
    """Return what makes a cell with a number of plays, which may have no bound."""

    def cell(row: Any) -> Cell:
        value, lo, hi = row[column], row[f"{column}_lo"], row[f"{column}_hi"]
        if math.isnan(value):
            return Cell(w.DASH)
        interval = w.span(lo, hi) if math.isfinite(hi) else f"at least {w.whole(lo)}"
        return Cell(
            w.whole(value) if math.isfinite(value) else "no end",
            interval if math.isfinite(lo) else "no interval",
        )

    return cell


BIT_WORDS = {"order": "the finishing order", "first": "the first place"}


def bits(table: pd.DataFrame) -> Shown:
    """Show what ratings foretell of games."""
    columns = (
        Column("Of", lambda row: Cell(BIT_WORDS[row["of"]]), figures=False),
        Column("Bits a game", figure("bits"), "what ratings from one half of the blocks tell of games in the other"),
        Column("There would be", lambda row: Cell(w.number(row["most"])), "for somebody who knew the outcome"),
        Column("Share", percent("r_squared"), "of the log-likelihood that ratings save (McFadden’s R²)"),
        GAMES,
        BLOCKS,
    )
    return show("bits", "How much ratings foretell, with 95% intervals.", columns, table)


OPPONENT_WORDS = {"runner_up": "as strong as the runner-up", "average": "of average strength"}


def matches(table: pd.DataFrame) -> Shown:
    """Show how often the best bot wins a match."""
    columns = (
        PLAYERS,
        Column("Others", lambda row: Cell(OPPONENT_WORDS[row["against"]]), figures=False),
        *(Column(w.plural(match, "game"), _chance_of(match), "the match: most wins, level ones divided" if match == 1
                 else "") for match in MATCHES),
        BLOCKS,
    )  # fmt: skip
    rows = pd.DataFrame(
        {
            "players": own["players"].iloc[0],
            "against": own["against"].iloc[0],
            "blocks": own["blocks"].iloc[0],
            **{f"{part}{row['match']}": row[part] for _, row in own.iterrows() for part in _CHANCE},
        }
        for _, own in table.groupby(["players", "against"], sort=False)
    )
    caption = "How often the best bot wins a match against others that are all alike, with 95% intervals."
    return show("matches", caption, columns, rows, heads=2)


_CHANCE = ("chance", "chance_lo", "chance_hi")


def _chance_of(match: int) -> CellOf:
    value, lo, hi = (f"{part}{match}" for part in _CHANCE)
    return lambda row: Cell(w.chance(row[value]), w.percent_span(row[lo], row[hi]))


def precision(table: pd.DataFrame) -> Shown:
    """Show how exact differences are, what blocks have to do with it, and how many games it takes."""
    columns = (
        PLAYERS,
        Column("Bots", count("bots")),
        Column("Design effect", figure("design_effect"),
               "variance of a difference with blocks as the unit over that with games as if independent: below 1 "
               "rotated seats save games; the median of all pairs, and what nine in ten lie between"),
        Column("± of a difference", figure("half", 0), "half its 95% interval, Elo; likewise"),
        Column("Games for ± 10", lambda row: Cell(w.whole(row["needed"])), _NEEDED),
        GAMES,
        BLOCKS,
    )  # fmt: skip
    return show("precision", "How exact differences of two bots are.", columns, table)


_NEEDED = (
    f"games until differences are known to ± {w.whole(HALF_WIDTH)} Elo, were the bots equal and this the design effect"
)
