"""The report's files: one self-contained page, the same in Markdown, pictures, and every table in full.

    report.html, report.md           what `sections` says
    plots/*.png                      its figures
    ratings.csv, ratings.json        the ladder, with ratings by number of players and pairs in the JSON file
    ratings_by_players.csv, pairs.csv, faults.csv, balance/*.csv
    history.csv                      how ratings went from submission to submission, which only submissions write
    statistics/*.csv                 every pair, finish against win, table sizes, partners, money, circles, skill, luck
    usage.csv                        what bots in processes of their own used
    faults/*.md                      every message of each bot, and what it used and printed, for its author

The page asks nothing of any network: figures are data inside it, twice, for light and dark screens. Bots' names come
from users; they are escaped here, in both languages.
"""

import base64
import json
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from harness.ladder.disk import write_json, write_whole
from harness.ladder.manifest import Manifest
from harness.ladder.store import Store
from harness.report import words as w
from harness.report.analysis import Analysis, analyse
from harness.report.fault_notes import notes
from harness.report.findings import Findings
from harness.report.frames import GAME_FIELDS, frames_of
from harness.report.history import read_history
from harness.report.looks import DARK, LIGHT, darkened
from harness.report.markdown import markdown, markdown_sentence
from harness.report.plots import as_png, as_svg
from harness.report.section import Picture, Section
from harness.report.sections import sections, with_chances
from harness.report.verdict import verdict
from harness.report.words import Name

INCH = 96
"""Pixels of the page in an inch of a figure."""


def write_report(
    folder: Path,
    games: pd.DataFrame | None = None,
    blocks: pd.DataFrame | None = None,
    manifest: Manifest | None = None,
) -> Analysis:
    """Rate the games of a results folder, write the report into it, and return what it tells.

    What is not handed in is read from the folder. Raises ResultsError where there are no games or a file cannot be
    written.
    """
    store = Store(folder)
    analysis = analyse(
        frames_of(
            manifest or store.read_manifest(),
            store.games(GAME_FIELDS) if games is None else games,
            store.blocks() if blocks is None else blocks,
            store.usage(),
        ),
        read_history(folder),
    )
    tables = files(analysis)
    for name, table in tables.items():
        write_whole(folder / name, csv(table))
    write_json(folder / "ratings.json", summary(analysis))
    told = list(sections(analysis))
    images = draw_all(told)
    for key, image in images.items():
        write_whole(folder / "plots" / f"{key}.png", image.png)
    told_faults = notes(analysis, folder)
    for name, text in told_faults.items():
        write_whole(folder / name, text.encode())
    told_here = {*tables, *told_faults, *(f"plots/{key}.png" for key in images)}
    for pattern in ("plots/*.png", "faults/*.md", "statistics/*.csv"):
        for file in folder.glob(pattern):
            if f"{file.parent.name}/{file.name}" not in told_here:
                file.unlink()  # of an earlier report with a section or a bot's faults more
    for template in ("report.md", "report.html"):
        write_whole(folder / template, page(template, analysis, told, images).encode())
    return analysis


class Image(NamedTuple):
    """A figure in its forms: for light and dark pages as data URIs, as a file, and its size in pixels of the page."""

    light: str
    dark: str
    png: bytes
    width: int
    height: int


def draw_all(told: Iterable[Section]) -> dict[str, Image]:
    """Draw the figures of all sections, by their keys."""
    pictures = [part for section in told for part in section.parts if isinstance(part, Picture)]
    return {picture.key: draw(picture) for picture in pictures}


def draw(picture: Picture) -> Image:
    """Draw one figure for light and for dark pages."""
    figure = picture.draw(LIGHT)
    light = as_svg(figure)
    dark = darkened(light) or as_svg(picture.draw(DARK))
    width, height = (round(inches * INCH) for inches in figure.get_size_inches())
    return Image(_uri(light), _uri(dark), as_png(figure), width, height)


def _uri(svg: bytes) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg).decode()


def files(analysis: Analysis) -> dict[str, pd.DataFrame]:
    """Return the tables that are written in full, by their paths in the results folder."""
    usage = {"usage.csv": analysis.usage.drop(columns="number")} if len(analysis.usage) else {}
    return {
        "ratings.csv": with_chances(analysis),
        "ratings_by_players.csv": analysis.sizes,
        "pairs.csv": analysis.pairs,
        "faults.csv": analysis.faults,
        **usage,
        "balance/counts.csv": analysis.counts,
        "balance/seats.csv": analysis.seats,
        "balance/seats_by_kind.csv": analysis.seats_by_kind,
        "balance/places.csv": analysis.places,
        "balance/places_by_kind.csv": analysis.places_by_kind,
        "balance/cities.csv": analysis.cities,
        "balance/cities_by_kind.csv": analysis.cities_by_kind,
        "balance/chicago.csv": analysis.chicago,
        "balance/chicago_by_kind.csv": analysis.chicago_by_kind,
        "balance/lengths.csv": analysis.lengths,
        "balance/endings.csv": analysis.endings,
        **{f"statistics/{name}.csv": table for name, table in analysis.findings.files().items()},
    }


def csv(table: pd.DataFrame) -> bytes:
    """Return a table as CSV; a figure that is none, or has no bound, is left empty."""
    return table.replace([np.inf, -np.inf], np.nan).to_csv(index=False, float_format="%.6g").encode()


def summary(analysis: Analysis) -> dict[str, Any]:
    """Return ratings and pairs as plain values for programs."""
    manifest = analysis.frames.manifest
    return {
        "name": manifest.name,
        "anchor": manifest.anchor,
        "anchor_elo": manifest.anchor_elo,
        "games": int(analysis.counts["games"].sum()),
        "forfeited_games": int(analysis.counts["forfeited"].sum()),
        "unrated_games": int(analysis.counts["unrated"].sum()),
        "disqualified": records(analysis.out.drop(columns="number")),
        "blocks": int(analysis.counts["blocks"].sum()),
        "rated_by": analysis.fits.agreement.published,
        "ratings": records(with_chances(analysis)),
        "by_players": records(analysis.sizes),
        "pairs": records(analysis.pairs),
        "statistics": statistics(analysis.findings),
    }


def statistics(findings: Findings) -> dict[str, Any]:
    """Return what the games tell beyond ratings as plain values; `cycles` is none where nobody looked for any."""
    found = findings.cycles
    cycles = found and {
        "transitive": found.index,
        "transitive_lo": found.index_lo,
        "transitive_hi": found.index_hi,
        **{name: getattr(found, name) for name in ("cyclic_elo", "bend", "p", "count", "pairs", "blocks")},
    }
    return {"cycles": cycles, **{name: records(table) for name, table in findings.files().items()}}


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table as plain values; None where there is no finite number."""
    return [
        {str(column): _plain(value) for column, value in row.items()}
        for row in json.loads(table.to_json(orient="records", double_precision=6))
    ]


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def page(template: str, analysis: Analysis, told: list[Section], images: dict[str, Image]) -> str:
    """Return the text of a page made by one of the templates."""
    manifest = analysis.frames.manifest
    counts = analysis.counts[analysis.counts["games"] > 0]
    version = manifest.versions.get("boss-harness", "")
    text = _environment().get_template(template).render(
        name=manifest.name,
        about=(
            f"{w.plural(int(counts['games'].sum()), 'game')} in {w.plural(int(counts['blocks'].sum()), 'block')}, "
            f"{w.counted(int((analysis.ratings['games'] > 0).sum()), 'bot')}, "
            f"{w.counted(len(counts), 'table kind')}"
        ),
        verdict=list(verdict(analysis)),
        sections=told,
        images=images,
        maker=f"boss-harness {version}" if version[:1].isdigit() else "boss-harness",
    )  # fmt: skip
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("harness.report", "templates"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["md"] = markdown
    environment.filters["md_sentence"] = markdown_sentence
    environment.tests["name"] = lambda word: isinstance(word, Name)
    environment.tests["picture"] = lambda part: isinstance(part, Picture)
    return environment
