"""Figures of the game's balance: seats, what cities cost and bring, Chicago by hand, the length of games."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from harness.report.balance_tables import SEAT_MARGIN
from harness.report.looks import LIGHT, Look
from harness.report.plots import (
    MARKERS,
    WIDTH,
    Axes,
    Figure,
    PercentFormatter,
    backed,
    dots,
    drawn,
    head,
    lay_out,
    panels,
)
from harness.report.words import title
from harness.stats.results import Floats

MOST_GROUPS = 12
"""Groups that one figure shows; the tables tell of all."""


def groups_of(table: pd.DataFrame) -> list[str]:
    """Return the groups of a table that a figure shows, in their order."""
    return [str(group) for group in dict.fromkeys(table["group"])][:MOST_GROUPS]


def won_cities(table: pd.DataFrame) -> pd.DataFrame:
    """Return the cities that somebody won at least once: those `plot_cities` can show."""
    return table[table["captured"] > 0]


def regular_hands(table: pd.DataFrame) -> pd.DataFrame:
    """Return the hands of `balance_tables.chicago_table` that `plot_chicago` shows."""
    return table[table["regular"] & (table["blocks"] > 1)]


@drawn
def plot_seats(table: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw each seat's share of wins with its interval, the line at 1/n, a panel for each group.

    `table` is `balance_tables.seat_table` by group. All panels have the same scale, around their own line.
    """
    groups = groups_of(table)
    figure, all_axes = panels(look, len(groups), 3, (WIDTH / 3, 2.35))
    reach = np.nanmax([(table["share_hi"] - table["target"]).max(), (table["target"] - table["share_lo"]).max()])
    reach = min(max(1.1 * reach, 2.5 * SEAT_MARGIN), 0.5)
    for group, axes in zip(groups, all_axes, strict=True):
        own = table[table["group"] == group]
        target = float(own["target"].iloc[0])
        axes.axhspan(target - SEAT_MARGIN, target + SEAT_MARGIN, color=look.grid, alpha=0.6, linewidth=0)
        axes.axhline(target, color=look.muted, linewidth=1)
        dots(axes, own["side"], own["share"], (None, None, own["share_lo"], own["share_hi"]), look, clip_on=reach < 0.5)
        axes.set_xticks(own["side"], own["seats"].str.replace("+", " & ", regex=False))
        axes.set_xlim(-0.5, len(own) - 0.5)
        axes.set_ylim(max(target - reach, 0.0), min(target + reach, 1.0))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0 if reach > 0.04 else 1))
        axes.grid(axis="x", visible=False)
        axes.set_xlabel("seats of the team" if "+" in own["seats"].iloc[0] else "seat")
        head(axes, look, group)
    return figure


@drawn
def plot_cities(table: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw what each city brings against what it costs its winner, a panel for each group.

    `table` is `balance_tables.city_table` by group. On the line a gangster earns the mean of all cities.
    """
    table = won_cities(table)
    groups = groups_of(table)
    figure, all_axes = panels(look, len(groups), 2, (WIDTH / 2, 3.5))
    for group, axes in zip(groups, all_axes, strict=True):
        own = table[table["group"] == group]
        x, y = own["winner_spent"].to_numpy(), own["reward"].to_numpy()
        spans = (own["winner_spent_lo"], own["winner_spent_hi"], own["reward_lo"], own["reward_hi"])
        axes.set_xlim(*_roomy(x, spans[0], spans[1]))
        axes.set_ylim(*_roomy(y, spans[2], spans[3]))
        slope = float(own["price_mean"].iloc[0])
        axes.axline((0, 0), slope=slope, color=look.muted, linewidth=1, linestyle=(0, (4, 3)))
        dots(axes, x, y, spans, look, elinewidth=0.8, ecolor=look.muted, markersize=6)
        axes.set_xlabel("gangsters its winner spends")
        axes.set_ylabel("money it pays, millions")
        head(axes, look, group)
    lay_out(figure)
    for group, axes in zip(groups, all_axes, strict=True):
        _name_points(axes, table[table["group"] == group], look)
    return figure


def _roomy(values: Floats, lo: pd.Series, hi: pd.Series) -> tuple[float, float]:
    """Return the bounds of an axis: values and intervals of usual width, and room for names around them."""
    reach = max(float(values.max() - values.min()), 0.5)
    least, most = max(lo.min(), values.min() - reach), min(hi.max(), values.max() + reach)
    return least - 0.16 * (most - least), most + 0.16 * (most - least)


Box = tuple[float, float, float, float]
"""Left, bottom, right and top, in pixels."""

DIRECTIONS = ((1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1))


def _name_points(axes: Axes, table: pd.DataFrame, look: Look) -> None:
    """Write each city's name beside its point, where it covers least; crowded points choose first."""
    renderer = axes.figure.canvas.get_renderer()  # type: ignore[attr-defined]
    point = axes.figure.dpi / 72
    spots = axes.transData.transform(table[["winner_spent", "reward"]])
    frame = _box(axes.get_window_extent(renderer))
    taken = [(x - 4 * point, y - 4 * point, x + 4 * point, y + 4 * point) for x, y in spots]
    taken += _interval_boxes(axes, table, 1.5 * point)
    distances = np.hypot(*(spots[:, None] - spots).transpose(2, 0, 1)) + np.diag(np.full(len(spots), np.inf))
    for city in np.argsort(distances.min(axis=1)):
        text = axes.text(0, 0, title(str(table["city"].iloc[city])), fontsize=9, color=look.ink, va="bottom")
        box = _best_box(spots[city], _box(text.get_window_extent(renderer)), taken, frame, point)
        x, y = axes.transData.inverted().transform(box[:2])
        text.set_position((float(x), float(y)))
        backed(text, look)
        taken.append(box)


def _box(covered: Any) -> Box:
    return covered.x0, covered.y0, covered.x1, covered.y1


def _interval_boxes(axes: Axes, table: pd.DataFrame, half: float) -> list[Box]:
    """Return the boxes that the points' intervals cover, `half` their width."""
    corners = [
        axes.transData.transform(table[list(columns)].clip(-1e3, 1e3))
        for columns in (
            ("winner_spent_lo", "reward"), ("winner_spent_hi", "reward"),
            ("winner_spent", "reward_lo"), ("winner_spent", "reward_hi"),
        )
    ]  # fmt: skip
    across = [(a[0], a[1] - half, b[0], b[1] + half) for a, b in zip(corners[0], corners[1], strict=True)]
    along = [(a[0] - half, a[1], b[0] + half, b[1]) for a, b in zip(corners[2], corners[3], strict=True)]
    return across + along


def _best_box(spot: Floats, text: Box, taken: list[Box], frame: Box, point: float) -> Box:
    """Return where a text of this size stands best beside `spot`, near it before all."""
    width, height = text[2] - text[0], text[3] - text[1]
    boxes = []
    for gap, (right, up) in product((3.0, 6.0, 12.0), DIRECTIONS):
        middle_x = spot[0] + right * (width / 2 + gap * point)
        middle_y = spot[1] + up * (height / 2 + gap * point)
        boxes.append((middle_x - width / 2, middle_y - height / 2, middle_x + width / 2, middle_y + height / 2))
    costs = [
        _overlap(box, taken) + 10 * (width * height - _overlap(box, [frame])) + place * point
        for place, box in enumerate(boxes)
    ]
    return boxes[int(np.argmin(costs))]


def _overlap(box: Box, others: list[Box]) -> float:
    wide = (min(box[2], other[2]) - max(box[0], other[0]) for other in others)
    high = (min(box[3], other[3]) - max(box[1], other[1]) for other in others)
    return sum(max(w, 0.0) * max(h, 0.0) for w, h in zip(wide, high, strict=True))


@drawn
def plot_chicago(table: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw how often Chicago is won, what it pays and what it costs, by the number of the hand; a line for each group.

    `table` is `balance_tables.chicago_table` by group; hands that only extra hands can reach are left out, and where
    nobody ever wins it, what it pays and costs.
    """
    table = regular_hands(table)
    groups = groups_of(table)
    all_views = (
        ("capture", "won in so many hands"),
        ("reward", "money it pays, millions"),
        ("winner_spent", "gangsters its winner spends"),
    )
    views = [(column, text) for column, text in all_views if table[column].notna().any()]
    figure, all_axes = panels(look, len(views), 3, (WIDTH / 3, 2.7))
    for (column, text), axes in zip(views, all_axes, strict=True):
        for place, group in enumerate(groups):
            own = table[(table["group"] == group) & table[column].notna()]
            if own.empty:
                continue
            x = own["hand"] + 0.07 * (place - (len(groups) - 1) / 2)
            dots(
                axes, x, own[column], (None, None, own[f"{column}_lo"], own[f"{column}_hi"]), look,
                fmt=f"-{MARKERS[place % len(MARKERS)]}", color=look.series[place % len(look.series)],
                markersize=4.5, elinewidth=1, linewidth=1.2, label=group, clip_on=False,
            )  # fmt: skip
        axes.set_xticks(sorted(table["hand"].unique()))
        axes.set_ylim(bottom=0)
        axes.set_xlabel("hand")
        axes.grid(axis="x", visible=False)
        head(axes, look, text)
    all_axes[0].set_ylim(0, 1.02)
    all_axes[0].yaxis.set_major_formatter(PercentFormatter(1.0))
    handles, labels = all_axes[0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=min(len(groups), 2 * len(views) - 1),
        frameon=False,
        labelcolor=look.ink,
    )
    return figure


@drawn
def plot_lengths(table: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw how often games had each number of regular hands, over bars of the police deck's law.

    `table` is `balance_tables.length_table`; groups under one law share a panel.
    """
    laws: dict[tuple[tuple[int, float], ...], list[str]] = {}
    for group in groups_of(table):
        own = table[table["group"] == group]
        laws.setdefault(tuple(zip(own["hands"], own["law"], strict=True)), []).append(group)
    figure, all_axes = panels(look, len(laws), 2, (WIDTH / 2 if len(laws) > 1 else 6.4, 3.0))
    for (law, groups), axes in zip(laws.items(), all_axes, strict=True):
        lengths = [length for length, _ in law]
        axes.bar(lengths, [chance for _, chance in law], 0.8, color=look.grid, label="the police deck's law")
        for place, group in enumerate(groups):
            own = table[table["group"] == group]
            x = own["hands"] + 0.6 * (place - (len(groups) - 1) / 2) / max(len(groups), 3)
            dots(
                axes, x, own["share"], (None, None, own["share_lo"], own["share_hi"]), look, label=group,
                fmt=MARKERS[place % len(MARKERS)], color=look.series[place % len(look.series)], clip_on=False,
            )  # fmt: skip
        axes.set_xticks(lengths)
        axes.set_ylim(0, min(1.0, 1.15 * max(table["share_hi"].clip(upper=1).max(), table["law"].max())))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.grid(axis="x", visible=False)
        axes.set_xlabel("regular hands")
        axes.set_ylabel("of all blocks")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, labelcolor=look.ink, fontsize=9)
    return figure
