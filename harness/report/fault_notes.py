"""Notes for the authors of bots: ``faults/<bot>.md``, one file a bot, with every distinct message it got.

A note tells of the bot's own faults, of what it used and printed, and of nobody else. Messages and prints are hostile
text: they stand in indented code blocks, without anything unprintable or that could be HTML.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.ladder.usage import PRINTED, BotUsage
from harness.play.faults import FaultKind, plain, printable
from harness.report import words as w
from harness.report.analysis import Analysis
from harness.report.markdown import markdown

MOST_MESSAGES = 200
"""Messages in a note; a bot that words each of its faults anew shall not fill the disk."""


def note_names(analysis: Analysis) -> dict[int, str]:
    """Return the paths of the notes from the results folder, by the numbers of the bots that have one.

    Those are the bots with a fault, and those that are nondeterministic. A name that is not safe for a file is changed,
    and names that differ in case alone are kept apart.
    """
    names: dict[int, str] = {}
    unsteady = analysis.usage.loc[analysis.usage["differing"] > 0, "number"]
    for number in sorted({*analysis.messages["number"].tolist(), *unsteady.tolist()}):
        name = base = re.sub(r"[^A-Za-z0-9_.-]", "_", analysis.frames.names[number]).lstrip(".")[:100] or "_"
        copy = 2
        while f"faults/{name}.md".lower() in {known.lower() for known in names.values()}:
            name, copy = f"{base}-{copy}", copy + 1
        names[number] = f"faults/{name}.md"
    return names


def notes(analysis: Analysis, folder: Path) -> dict[str, str]:
    """Return the text of each note by its path from the results folder; `folder` is named in the commands."""
    return {path: "\n".join(_lines(analysis, number, folder)) for number, path in note_names(analysis).items()}


def _lines(analysis: Analysis, number: int, folder: Path) -> Iterator[str]:
    spec = analysis.frames.manifest.bots[number]
    messages = analysis.messages[analysis.messages["number"] == number]
    used = analysis.frames.usage.get(spec.name)
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
    yield from _usage(used, spec.level)
    for place, row in enumerate(messages.head(MOST_MESSAGES).to_dict("records"), start=1):
        yield from _entry(place, row, spec.reference, spec.params, folder)
    if len(messages) > MOST_MESSAGES:
        yield f"{w.plural(len(messages) - MOST_MESSAGES, 'distinct message')} more, left out here.\n"
    if used:
        yield from _printed(used)


def _usage(used: BotUsage | None, level: str) -> Iterator[str]:
    if used is None:
        why = "it ran inside the harness" if level == "trusted" else "nothing of that is stored"
        yield f"What it used is not known: {why}.\n"
        return
    mean = 1000 * used.deciding_s / max(1, used.decisions)
    each = f"; {w.number(mean)} ms for a decision, the mean of {used.decisions:,}" if used.decisions else ""
    yield f"- CPU time: {w.number(used.cpu_s)} s in all, loading included{each}."
    yield f"- Wall time: {w.number(used.wall_s)} s from questions to answers."
    memory = f"{w.number(used.peak_mb, 1)} MB, the most of any of its processes" if used.peak_mb else "not known"
    yield f"- Memory: {memory}.\n"
    if used.differing:
        yield (
            f"**{nondeterministic(used.differing, used.asked_again)}.** That is no fault and costs nothing, but its "
            "games would go otherwise in another run with the same seed. Clocks, `id()`, random numbers of its own and "
            "memory of other games do that; `view.rng` does not.\n"
        )


def nondeterministic(differing: int, asked: int) -> str:
    """Return the flag of a bot that did not repeat its decisions."""
    return f"nondeterministic: {differing:,} of {w.plural(asked, 'decision')} came out differently when asked again"


def _printed(used: BotUsage) -> Iterator[str]:
    yield "## What it printed\n"
    text = _ESCAPE.sub("", used.printed)
    if not text.strip():
        yield "Nothing.\n"
        return
    whose = "the process that failed first" if used.has_failed else "the last process that said anything"
    yield f"The end, {PRINTED // 1024} kB at most, of what {whose} printed:\n"
    yield "\n".join(_code(line) for line in re.split(r"\r?\n|\r", text.expandtabs(4).strip("\r\n"))) + "\n"


_ESCAPE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\r\n]*(\x07|\x1b\\)?|[ -/]*[0-~])")
"""What a terminal would obey: a control sequence, a command to the system, or a short escape (ECMA-48)."""


def _entry(place: int, row: dict[Any, Any], reference: str, params: dict[str, Any], folder: Path) -> Iterator[str]:
    kind = FaultKind(row["kind"])
    at = f"turn {row['turn']}" if row["turn"] else "the reckoning"
    yield f"## {place}. {kind.value.capitalize()}\n"
    yield (
        f"{kind.sentence} The price: {kind.price.value}. It happened {times(row['times'])} in "
        f"{w.plural(row['games'], 'game')}, first in game {row['game']} (table {markdown(row['table'])}), hand "
        f"{row['hand']}, {at}, seat {row['seat']}.\n"
    )
    yield f"{_code(row['message'].strip() or '(no message)')}\n"
    if not row["asked"]:
        yield "It was not asked there any more.\n"
        return
    yield "To ask the bot again there, in a debugger if you like:\n"
    words = [str(folder), str(row["game"]), "--seat", str(row["seat"]), "--bot", reference]
    command = shlex.join(["boss", "replay", *words, "--at", f"{row['hand']}.{row['turn']}"])
    yield f"{_code(command)}\n"
    if params:
        yield "It is asked with its usual parameters there, not with those it played with.\n"


def _code(text: str) -> str:
    """Return one line of an indented code block; a blank behind each `<` that could open a tag keeps it from that."""
    return f"    {re.sub(r'<(?=[A-Za-z/!?])', '< ', printable(text))}".rstrip()


def times(number: int) -> str:
    """Return ``once``, ``twice``, ``1,204 times``."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")
