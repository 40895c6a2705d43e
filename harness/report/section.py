"""What a report is made of: sections of a few sentences, figures and tables, still without any markup."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from harness.report.looks import Look
from harness.report.plots import Figure
from harness.report.present import Shown
from harness.report.words import Sentence

MOST_ROWS = 600
"""Rows of a folded table up to which the page holds it; a longer one is only in its file."""


class Picture(NamedTuple):
    """A figure: the name of its file, what it shows for those who cannot see it, a caption, and how it is drawn."""

    key: str
    alt: str
    caption: str
    draw: Callable[[Look], Figure]


Part: TypeAlias = Shown | Picture


class Section(NamedTuple):
    """A part of the report. `files` hold its figures in full, with paths from the results folder."""

    key: str
    title: str
    text: tuple[Sentence, ...]
    parts: tuple[Part, ...]
    files: tuple[str, ...] = ()
