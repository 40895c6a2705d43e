"""The figure of how ratings went from submission to submission."""

import numpy as np
import pandas as pd

from harness.report.looks import LIGHT, Look
from harness.report.plots import WIDTH, Figure, dots, drawable, drawn, panels
from harness.stats.results import Floats

MOST_ENTRIES = 24
"""Entries of the log that the figure shows, the latest ones; the log itself tells of all."""


@drawn
def plot_history(log: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw each bot's Elo after each submission, each submitted bot with its interval where it came in.

    `log` is `history.read_history`.
    """
    entries = log["entry"].drop_duplicates().to_list()[-MOST_ENTRIES:]
    log = log[log["entry"].isin(entries)]
    last = log[log["entry"] == entries[-1]].sort_values("elo")
    figure, (axes,) = panels(look, 1, 1, (WIDTH, max(3.0, 0.22 * len(last) + 1.0)))
    guests = set(log["submitted"])
    for bot, own in log.groupby("bot", sort=False):
        color, width = (look.main, 1.6) if bot in guests else (look.muted, 0.9)
        axes.plot(own["entry"], own["elo"], color=color, linewidth=width)
    came = log[log["bot"] == log["submitted"]]
    dots(axes, came["entry"], came["elo"], (None, None, came["lo"], came["hi"]), look)
    heads = log.drop_duplicates("entry").set_index("entry")["submitted"]
    axes.set_xticks(entries, [drawable(heads[entry]) if heads[entry] else "before" for entry in entries], rotation=30)
    axes.set_ylabel("Elo")
    gap = 0.06 * max(float(np.ptp(log["elo"])), 1.0) * 12 / max(12, len(last))
    for bot, place in zip(last["bot"], apart(last["elo"].to_numpy(np.float64), gap), strict=True):
        axes.annotate(drawable(bot), (1.01, place), xycoords=("axes fraction", "data"), va="center", color=look.ink)
    return figure


def apart(heights: Floats, gap: float) -> Floats:
    """Return rising heights moved apart to at least this gap, as little as that takes from below, their mean kept."""
    places = heights.copy()
    for place in range(1, len(places)):
        places[place] = max(places[place], places[place - 1] + gap)
    return np.asarray(places + heights.mean() - places.mean())
