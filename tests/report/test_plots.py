"""Figures: nothing clipped, nothing global, every name drawn as it is."""

import re

import matplotlib
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from report.samples import FOUR, SIX, TWO, city_block, frames, whole_block

from harness.game.rules import Rules, changed
from harness.ladder.columns import SCOPES
from harness.report import analysis, balance_plots, balance_tables, finding_plots, plots
from harness.report.looks import DARK, LIGHT, Look, darkened
from harness.report.words import title

NAMES = ["random", "x" * 90, "$a_b^c$", "名前", *(f"bot-{number}" for number in range(8))]


def ladder(kinds: list[Rules], names: list[str], blocks: int = 12) -> analysis.Analysis:
    games, sums = [], []
    for rules in kinds:
        for block in range(blocks):
            bots = [(block + seat) % len(names) for seat in range(rules.players)]
            games += whole_block(rules, block, bots, bots[block % rules.players], hands=3 + block % 3)
            sums += city_block(rules, block)
    return analysis.analyse(frames(names, kinds, games, sums))


@pytest.fixture(scope="module")
def wide() -> analysis.Analysis:
    return ladder([TWO, FOUR, SIX, changed(TWO, {"experts": 5})], NAMES)


FIGURES = {
    "ratings": lambda told, look: plots.plot_ratings(told.ratings, "random", look),
    "sizes": lambda told, look: plots.plot_sizes(told.sizes, look),
    "pairs": lambda told, look: plots.plot_pairs(told.pairs, look),
    "money": lambda told, look: finding_plots.plot_money(told.findings.money.query("players == 0"), look),
    "luck": lambda told, look: finding_plots.plot_luck(told.findings.luck, look),
    "seats": lambda told, look: balance_plots.plot_seats(told.seats, look),
    "cities": lambda told, look: balance_plots.plot_cities(told.cities, look),
    "chicago": lambda told, look: balance_plots.plot_chicago(told.chicago, look),
    "lengths": lambda told, look: balance_plots.plot_lengths(told.lengths, look),
}


def shown_texts(figure: Figure) -> list[Text]:
    """All texts that are drawn: an axis also holds labels of ticks beyond its view, which are not."""
    beyond = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            beyond |= {tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    texts = figure.findobj(Text)
    return [text for text in texts if text.get_visible() and text.get_text().strip() and text not in beyond]


@pytest.mark.parametrize("name", FIGURES)
def test_no_text_is_cut_or_too_small(name: str, wide: analysis.Analysis):
    figure = FIGURES[name](wide, LIGHT)
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    texts = shown_texts(figure)
    assert len(texts) > 8
    for text in texts:
        box = text.get_window_extent(renderer)
        inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.width and box.y1 <= figure.bbox.height
        assert inside, f"{text.get_text()!r} is cut: {box.extents} of {figure.bbox.extents}"
        assert text.get_fontsize() >= 9


@pytest.mark.parametrize("winners", [[], [TWO]], ids=["nobody wins it", "it is won at one kind of table"])
def test_chicago_is_drawn_where_it_is_never_won(winners: list[Rules]):
    """What it pays and costs is left out where nobody knows it; a layout that fails would warn."""
    sums = [city_block(rules, block) for rules in (TWO, FOUR) for block in range(12)]
    rows = [row for block in sums for row in block]
    for row in rows:
        if row["scope"] == SCOPES.index("chicago") and row["table"] not in [rules.name for rules in winners]:
            row.update(captured=0, paid=0, spent_won=0)
    table = balance_tables.chicago_table(frames(NAMES, [TWO, FOUR], [], rows), "group")
    figure = balance_plots.plot_chicago(table, LIGHT)
    assert len(figure.axes) == (3 if winners else 1)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["2 players", "4 players"]


def test_names_of_cities_do_not_cover_each_other(wide: analysis.Analysis):
    figure = FIGURES["cities"](wide, LIGHT)
    renderer = figure.canvas.get_renderer()
    for axes in figure.axes:
        boxes = [text.get_window_extent(renderer) for text in axes.texts]
        assert len(boxes) >= 4
        for place, box in enumerate(boxes):
            assert not any(box.shrunk(0.9, 0.8).overlaps(other.shrunk(0.9, 0.8)) for other in boxes[:place])


def test_names_are_drawn_as_they_are(wide: analysis.Analysis):
    figure = FIGURES["ratings"](wide, LIGHT)
    labels = {label.get_text() for label in figure.axes[0].get_yticklabels()}
    assert "$a_b^c$" in labels
    assert "x" * 23 + "…" in labels
    assert "??" in labels


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_a_figure_is_the_same_bytes_every_time(wide: analysis.Analysis, look: Look):
    one, other = (plots.as_svg(FIGURES["lengths"](wide, look)) for _ in range(2))
    assert one == other
    assert b"http" not in one.replace(b"http://www.w3.org/", b"")


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_made_dark_is_the_one_drawn_dark(name: str, wide: analysis.Analysis):
    made = darkened(plots.as_svg(FIGURES[name](wide, LIGHT)))
    if name in ("pairs", "luck"):
        assert made is None  # what is written in their cells is black or white, whichever stands out
    else:
        assert made
        assert nameless(made) == nameless(plots.as_svg(FIGURES[name](wide, DARK)))


def nameless(svg: bytes) -> bytes:
    """The figure without the names of its marks, which are made of their colours."""
    return re.sub(rb"(?<=[\"#])m[0-9a-f]{10}", b"m", svg)


def test_the_users_settings_neither_matter_nor_change(wide: analysis.Analysis):
    before = plots.as_png(FIGURES["lengths"](wide, LIGHT))
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "savefig.transparent": True}):
        assert plots.as_png(FIGURES["lengths"](wide, LIGHT)) == before
        assert matplotlib.rcParams["font.size"] == 30


def test_a_figure_shows_at_most_so_many_groups():
    kinds = [changed(TWO, {"experts": experts}) for experts in range(4, 18) if experts != 6]
    told = ladder(kinds, ["a", "b"], blocks=2)
    assert told.seats["group"].nunique() > balance_plots.MOST_GROUPS
    assert len(FIGURES["seats"](told, LIGHT).axes) == balance_plots.MOST_GROUPS


@pytest.mark.parametrize(
    ("city", "name"),
    [("new_york", "New York"), ("st_louis", "St. Louis"), ("chicago", "Chicago"), ("el_paso", "El Paso")],
)
def test_cities_have_their_names(city: str, name: str):
    assert title(city) == name
