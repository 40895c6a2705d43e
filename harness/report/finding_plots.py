"""Figures of what the games tell beyond ratings."""

import pandas as pd

from harness.report.looks import LIGHT, Look
from harness.report.plots import WIDTH, Figure, PercentFormatter, dots, drawn, name_axis, panels, readable
from harness.stats.skill import PARTS

PART_WORDS = {
    "bot": "the bot",
    "opponents": "who else sits there",
    "seat": "the seat",
    "deal": "the cards dealt",
    "rest": "chance",
}
"""What the variance is split into, in words."""

_NARROW = 0.045  # of the whole: a part of a bar that has no room for its figure


@drawn
def plot_money(table: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw what each bot gains over the average one, best on top; `table` is that of `money_table` over all tables."""
    table = table[table["gain"].notna()].reset_index(drop=True)
    figure, (axes,) = panels(look, 1, 1, (7.6, 0.27 * len(table) + 0.95))
    axes.axvline(0.0, color=look.muted, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    dots(axes, table["gain"], table.index.to_numpy(), (table["gain_lo"], table["gain_hi"], None, None), look)
    name_axis(axes, table["bot"].tolist())
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("of the table's money, more than the average bot makes of the same cards")
    return figure


@drawn
def plot_luck(table: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw what the variance of winning is made of, a bar for each number of players; `table` is `luck_tables`' first.

    Parts that chance puts below 0 have no length.
    """
    sizes = sorted(table["players"].unique())
    figure, (axes,) = panels(look, 1, 1, (WIDTH, 0.42 * len(sizes) + 1.3))
    left = pd.Series(0.0, index=sizes)
    wide = {size: own["share"].clip(lower=0.0).sum() for size, own in table.groupby("players")}
    colours = (look.main, look.high, look.low, look.series[2], look.grid)
    for part, colour in zip(PARTS, colours, strict=True):
        own = table[table["part"] == part].set_index("players")["share"].reindex(sizes).clip(lower=0.0).fillna(0.0)
        length = own / pd.Series(wide)
        axes.barh(range(len(sizes)), length, 0.7, left=left, color=colour, label=PART_WORDS[part])
        for place, size in enumerate(sizes):
            if length[size] > _NARROW:
                axes.text(
                    left[size] + length[size] / 2, place, f"{100 * length[size]:.0f}%", ha="center", va="center",
                    color=readable(colour),
                )  # fmt: skip
        left = left + length
    name_axis(axes, [f"{size} players" for size in sizes])
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False, labelcolor=look.ink)
    return figure
