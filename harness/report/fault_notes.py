"""Notes for the authors of bots: ``faults/<bot>.md``, one file a bot, with every distinct message it got.

A note tells of the bot's own faults and of nobody else. Messages are hostile text: they stand in indented code blocks,
one line each, without anything unprintable.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from harness.play.faults import FaultKind, plain
from harness.report import words as w
from harness.report.analysis import Analysis
from harness.report.markdown import markdown

MOST_MESSAGES = 200
"""Messages in a note; a bot that words each of its faults anew shall not fill the disk."""


def note_names(analysis: Analysis) -> dict[int, str]:
    """Return the paths of the notes from the results folder, by the numbers of the bots that have one.

    A name that is not safe for a file is changed, and names that differ in case alone are kept apart.
    """
    names: dict[int, str] = {}
    for number in analysis.messages["number"].unique().tolist():
        name = base = re.sub(r"[^A-Za-z0-9_.-]", "_", analysis.frames.names[number]).lstrip(".")[:100] or "_"
        copy = 2
        while f"faults/{name}.md".lower() in {known.lower() for known in names.values()}:
            name, copy = f"{base}-{copy}", copy + 1
        names[number] = f"faults/{name}.md"
    return names


def notes(analysis: Analysis, folder: Path) -> dict[str, str]:
    """Return the text of each note by its path from the results folder; `folder` is named in the commands."""
    by_bot = dict(list(analysis.messages.groupby("number")))
    return {
        path: "\n".join(_lines(analysis, number, by_bot[number], folder))
        for number, path in note_names(analysis).items()
    }


def _lines(analysis: Analysis, number: int, messages: pd.DataFrame, folder: Path) -> Iterator[str]:
    spec = analysis.frames.manifest.bots[number]
    counts = analysis.faults[analysis.faults["bot"] == spec.name].iloc[0]
    yield f"# Faults of {markdown(plain(spec.name))}\n"
    yield (
        f"Version {markdown(spec.version)}, level {spec.level}. {w.plural(int(counts['faults']), 'fault')} in "
        f"{counts['faulty_games']:,} of {w.plural(int(counts['games']), 'game')}; {counts['forfeits']:,} forfeited.\n"
    )
    for out in analysis.out[analysis.out["number"] == number].to_dict("records"):
        yield (
            f"**The bot is out of the run since game {out['game']}.** {out['reason']} "
            f"{w.plural(out['unrated'], 'game')} after that {'is' if out['unrated'] == 1 else 'are'} not rated.\n"
        )
    for place, row in enumerate(messages.head(MOST_MESSAGES).to_dict("records"), start=1):
        yield from _entry(place, row, spec.reference, spec.params, folder)
    if len(messages) > MOST_MESSAGES:
        yield f"{w.plural(len(messages) - MOST_MESSAGES, 'distinct message')} more, left out here.\n"


def _entry(place: int, row: dict[Any, Any], reference: str, params: dict[str, Any], folder: Path) -> Iterator[str]:
    kind = FaultKind(row["kind"])
    at = f"turn {row['turn']}" if row["turn"] else "the reckoning"
    yield f"## {place}. {kind.value.capitalize()}\n"
    yield (
        f"{kind.sentence} The price: {kind.price.value}. It happened {times(row['times'])} in "
        f"{w.plural(row['games'], 'game')}, first in game {row['game']} (table {markdown(row['table'])}), hand "
        f"{row['hand']}, {at}, seat {row['seat']}.\n"
    )
    yield f"    {row['message'].strip() or '(no message)'}\n"
    yield "To ask the bot again there, in a debugger if you like:\n"
    words = [str(folder), str(row["game"]), "--seat", str(row["seat"]), "--bot", reference]
    command = shlex.join(["boss", "replay", *words, "--at", f"{row['hand']}.{row['turn']}"])
    yield f"    {_one_line(command)}\n"
    if params:
        yield "It is asked with its usual parameters there, not with those it played with.\n"


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def times(number: int) -> str:
    """Return ``once``, ``twice``, ``1,204 times``."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")
