"""Figures of the bots, and what all figures share: a frame of panels, dots with intervals, files.

Nothing here is global: every function makes a `Figure` of its own and no window is ever opened. Text is never under 9
points at the size shown.
"""

import io
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, ParamSpec

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib import font_manager, style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

from harness.report.looks import LIGHT, Look
from harness.report.words import whole

__all__ = [
    "MARKERS", "WIDTH", "Axes", "Figure", "PercentFormatter",
    "as_png", "as_svg", "backed", "dots", "drawable", "drawn", "head", "lay_out", "panels",
    "plot_pairs", "plot_ratings", "plot_sizes",
]  # fmt: skip

WIDTH = 9.0
"""Inches of the widest figure that a page shows without scrolling."""

STYLE: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: figures look the same everywhere
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "text.usetex": False,
    "text.parse_math": False,  # a bot may be called $x$
    "svg.fonttype": "path",
    "svg.hashsalt": "boss",  # the same figure, the same bytes
}

LONGEST_NAME = 24


MARKERS = "osD^vPX"

Arguments = ParamSpec("Arguments")
Values = npt.ArrayLike


def drawn(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """Make a function that draws a figure do so in STYLE, whatever the user's own settings are, and lay it out."""

    @wraps(draw)
    def styled(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with style.context(STYLE, after_reset=True):
            figure = draw(*args, **kwargs)
            lay_out(figure)
            return figure

    return styled


def lay_out(figure: Figure) -> None:
    """Settle where everything stands, once for all files made of the figure."""
    engine = figure.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine):
        engine.execute(figure)
        figure.set_layout_engine("none")


def as_svg(figure: Figure) -> bytes:
    """Return the figure as SVG on a transparent ground."""
    return _file(figure, "svg", transparent=True, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))


def as_png(figure: Figure) -> bytes:
    """Return the figure as PNG on its own paper, sharp at one and a half times the size shown."""
    return _file(figure, "png", dpi=144, metadata={"Software": None})


def _file(figure: Figure, form: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    with style.context(STYLE, after_reset=True):
        figure.savefig(buffer, format=form, **options)
    return buffer.getvalue()


def panels(look: Look, count: int, columns: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """Return a figure of `count` empty panels of about `size` inches, in rows of at most `columns`."""
    columns = min(columns, count)
    rows = -(-count // columns)
    layout = ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08, wspace=0.03, hspace=0.03)
    figure = Figure(figsize=(size[0] * columns, size[1] * rows), facecolor=look.paper, layout=layout)
    FigureCanvasAgg(figure)
    axes = [figure.add_subplot(rows, columns, place + 1) for place in range(count)]
    for own in axes:
        dress(own, look)
    return figure, axes


def dress(axes: Axes, look: Look) -> None:
    """Give a panel the colours of the look, with no more lines than reading needs."""
    axes.set_facecolor("none")
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(look.grid)
    axes.tick_params(colors=look.muted, labelcolor=look.ink, length=0, pad=6)
    axes.grid(color=look.grid, linewidth=0.7)
    axes.set_axisbelow(True)
    for text in (axes.title, axes.xaxis.label, axes.yaxis.label):
        text.set_color(look.ink)


def head(axes: Axes, look: Look, text: str) -> None:
    """Put a panel's title over it."""
    axes.set_title(drawable(text, 60), color=look.ink)


def backed(text: Text, look: Look) -> None:
    """Lay paper behind a text, so that it can be read where it crosses a line."""
    text.set_bbox({"facecolor": look.paper, "edgecolor": "none", "alpha": 0.7, "pad": 0.6})


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    font = font_manager.get_font(font_manager.findfont("DejaVu Sans"))
    return frozenset(font.get_charmap())


def drawable(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name the font can draw, cut to a length that leaves room for the picture."""
    text = "".join(c if c.isprintable() and ord(c) in _glyphs() else "?" for c in name)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def dots(axes: Axes, x: Values, y: Values, spans: Sequence[Values | None], look: Look, **options: Any) -> None:
    """Draw points with intervals: `spans` are (x_lo, x_hi, y_lo, y_hi), None where that way has none."""
    across, along = np.asarray(x, np.float64), np.asarray(y, np.float64)
    lengths: list[npt.NDArray[np.float64] | None] = []
    for middle, low, high in ((across, spans[0], spans[1]), (along, spans[2], spans[3])):
        if low is None or high is None:
            lengths.append(None)
        else:
            both = np.array([middle - np.asarray(low), np.asarray(high) - middle], np.float64)
            lengths.append(np.where(np.isfinite(both), np.maximum(both, 0.0), 0.0))
    usual = {"fmt": "o", "color": look.main, "markersize": 5.5, "elinewidth": 1.6, "capsize": 0}
    axes.errorbar(across, along, xerr=lengths[0], yerr=lengths[1], **{**usual, **options})


def elo_range(table: pd.DataFrame) -> tuple[float, float]:
    """Return the bounds of an Elo axis: all values and, as far as they leave the values readable, their intervals."""
    least, most = table["elo"].min(), table["elo"].max()
    room = 0.5 * (most - least) + 60.0
    low, high = max(table["lo"].min(), least - room), min(table["hi"].max(), most + room)
    return low - 0.03 * (high - low), high + 0.03 * (high - low)


def name_axis(axes: Axes, names: Sequence[str]) -> None:
    """Write bots' names down the left side, the first on top."""
    axes.set_yticks(range(len(names)), [drawable(name) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)


def elo_axis(axes: Axes, bounds: tuple[float, float], ticks: int) -> None:
    """Let a panel's x axis show Elo."""
    axes.set_xlim(*bounds)
    axes.xaxis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


@drawn
def plot_ratings(table: pd.DataFrame, anchor: str, look: Look = LIGHT) -> Figure:
    """Draw each bot's Elo with its interval, best on top; `table` is `tables.rating_table`."""
    table = table[table["games"] > 0].reset_index(drop=True)
    figure, (axes,) = panels(look, 1, 1, (7.6, 0.27 * len(table) + 0.95))
    fixed = table.loc[table["bot"] == anchor, "elo"]
    if len(fixed):
        axes.axvline(float(fixed.iloc[0]), color=look.muted, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    places = table.index.to_numpy()
    dots(axes, table["elo"], places, (table["lo"], table["hi"], None, None), look)
    name_axis(axes, table["bot"].tolist())
    elo_axis(axes, elo_range(table), 7)
    axes.set_xlabel("Elo, with 95% intervals" + (f"; dashed: {drawable(anchor)}, the anchor" if len(fixed) else ""))
    for place, elo, half in zip(places, table["elo"], table["half"], strict=True):
        _note_right(axes, float(place), f"{whole(elo)} ± {whole(half)}", look)
    return figure


def _note_right(axes: Axes, y: float, text: str, look: Look) -> None:
    axes.annotate(text, (1.01, y), xycoords=("axes fraction", "data"), va="center", fontsize=9, color=look.ink)


@drawn
def plot_sizes(table: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw each bot's Elo by number of players, one panel each; `table` is `tables.size_table`. Hollow: a guess."""
    names = list(dict.fromkeys(table["bot"]))
    sizes = sorted(table["players"].unique())
    figure, all_axes = panels(look, len(sizes), len(sizes), (WIDTH / len(sizes), 0.25 * len(names) + 1.1))
    figure.set_figwidth(min(WIDTH, 3.2 * len(sizes) + 1.2))
    bounds = elo_range(table)
    for players, axes in zip(sizes, all_axes, strict=True):
        own = table[table["players"] == players]
        places = own["bot"].map(names.index)
        guess = own["flags"].str.contains("disconnected|inseparable").to_numpy()
        for mark, fill in ((~guess, look.main), (guess, look.paper)):
            part = own[mark]
            spans = (part["lo"], part["hi"], None, None)
            dots(axes, part["elo"], places[mark], spans, look, markerfacecolor=fill)
        name_axis(axes, names)
        axes.tick_params(labelleft=axes is all_axes[0])
        elo_axis(axes, bounds, max(2, min(6, 12 // len(sizes))))
        head(axes, look, f"{players} players")
        axes.set_xlabel("Elo")
    return figure


@drawn
def plot_pairs(table: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw in per cent how often the bot of a row finished above that of a column; `table` is `tables.pair_table`."""
    return _grid(
        table, "share", lambda value: f"{min(max(100 * value, 1 if value else 0), 99 if value < 1 else 100):.0f}", look
    )


@drawn
def plot_superiority(table: pd.DataFrame, look: Look = LIGHT) -> Figure:
    """Draw in per cent how likely the bot of a row is stronger; `table` is `strength_tables.superiority_table`."""
    return _grid(
        table, "los", lambda value: ">99" if value > 0.994 else "<1" if value < 0.006 else f"{100 * value:.0f}", look
    )


def _grid(table: pd.DataFrame, column: str, text: Callable[[float], str], look: Look) -> Figure:
    """Draw a column of pairs, the first bots down and the others across."""
    names = list(dict.fromkeys(table["bot"]))
    count = len(names)
    cell = 0.26 if count > 16 else 0.36 if count > 10 else 0.44
    figure, (axes,) = panels(look, 1, 1, (cell * count + 1.5, cell * count + 1.3))
    colours = LinearSegmentedColormap.from_list("share", [look.low, look.middle, look.high])
    grid = np.full((count, count), np.nan)
    for row in table.itertuples():
        one, other, value = names.index(str(row.bot)), names.index(str(row.other)), float(str(getattr(row, column)))
        grid[one, other] = value
        shade = to_rgb(colours(value))
        axes.text(other, one, text(value), ha="center", va="center", fontsize=9, color=readable(shade))
    axes.imshow(grid, cmap=colours, vmin=0, vmax=1, aspect="equal")
    labels = [drawable(name) for name in names]
    axes.set_yticks(range(count), labels)
    axes.set_xticks(range(count), labels, rotation=90 if count > 5 else 0)
    axes.xaxis.tick_top()
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def readable(shade: str | tuple[float, float, float]) -> str:
    """Return black or white, whichever stands out more from `shade` (relative luminance as in WCAG 2).

    Neither is a colour of a look, so a figure with such texts is not recoloured.
    """
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(shade)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#020202" if luminance > 0.179 else "#fefefe"
