"""The ladders of a folder tree: what each is, how far it has come, and in which state it lies; nothing is changed.

Only manifests, names and the ends of parts are read, so it is quick, and it goes on beside runs that are being played.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from harness.errors import BossError, ResultsError
from harness.ladder.chunk import Span
from harness.ladder.continuing import changes_of, worth_telling
from harness.ladder.feed import parts_of
from harness.ladder.gate_plan import GATE
from harness.ladder.labels import refuse_foreign, refuse_overlaps, refuse_unscheduled
from harness.ladder.lock import holder_of
from harness.ladder.manifest import Manifest, UnknownFormatError, library_versions
from harness.ladder.parts import SCHEMAS, DamagedError, Seal, glance
from harness.ladder.rounds import games_to_come
from harness.ladder.schedule import games_in_block
from harness.ladder.store import MANIFEST, Store

COMPLETE = "complete"
TO_CONTINUE = "to be continued"
WRITING = "being written"
DAMAGED = "damaged"
OTHER_VERSION = "other version"
UNREADABLE = "unreadable"

RATINGS = "ratings.json"
"""The ratings of the last report, best bot first, and of how many games they are."""


class Leader(NamedTuple):
    """Who stood first in the last report, and whether that was of other games than are stored now."""

    bot: str
    elo: float
    is_old: bool


@dataclass(frozen=True)
class Overview:
    """One ladder, as far as it can be told.

    folder: its results folder. state: one of the constants above. note: more of that, a sentence or empty. games:
    stored whole; planned: as its config last asked for. size: of all files in the folder, in bytes. bots, tables: their
    names. changed: when its games or its manifest last did.
    """

    folder: Path
    state: str
    note: str = ""
    name: str = ""
    games: int = 0
    planned: int = 0
    size: int = 0
    bots: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    changed: datetime | None = None
    leader: Leader | None = None

    def as_record(self) -> dict[str, Any]:
        """Return it as plain values for JSON; times as ISO texts in UTC."""
        changed = self.changed.isoformat(timespec="seconds") if self.changed else None
        leader = self.leader._asdict() if self.leader else None
        return {**asdict(self), "folder": str(self.folder), "changed": changed, "leader": leader}


@dataclass
class Found:
    """What lies in the two folders of parts: chunks stored whole, and what is wrong with others."""

    spans: list[Span] = field(default_factory=list)
    damage: list[str] = field(default_factory=list)


def overviews(folder: Path) -> Iterator[Overview]:
    """Yield the ladders in a folder and all folders below it, by their paths; gates are none, and links are followed.

    Raises ResultsError where there is no such folder, or it cannot be read.
    """
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "there is no such folder"
        raise ResultsError(f"{folder}: {what}; name a folder in which ladders lie, as results")
    try:
        os.listdir(folder)
    except OSError as error:
        raise ResultsError(f"{folder}: cannot be read: {error.strerror}") from None
    yield from _below(folder, set())


def _below(folder: Path, seen: set[Path]) -> Iterator[Overview]:
    """Yield the ladders from a folder on; `seen` are the folders looked into so far, for a link may lead back."""
    where = folder.resolve()
    if where in seen or (folder / GATE).is_file():
        return
    seen.add(where)
    if (folder / MANIFEST).is_file():
        yield overview(folder)
        return
    try:
        inside = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError as error:
        yield Overview(folder, UNREADABLE, f"cannot be read: {error.strerror}")
        return
    for path in inside:
        yield from _below(path, seen)


def overview(folder: Path) -> Overview:
    """Return what can be told of one results folder."""
    store = Store(folder)
    size, changed = _size(folder), _changed(folder)
    try:
        manifest = store.read_manifest()
    except ResultsError as error:
        state = OTHER_VERSION if isinstance(error.__cause__, UnknownFormatError) else UNREADABLE
        return Overview(folder, state, str(error).removeprefix(f"{folder}/"), size=size, changed=changed)
    writer = holder_of(folder)
    found = _parts(folder, manifest)
    games, planned = _counted(manifest, found)
    state, note = _state(found, games, planned, writer)
    return Overview(
        folder,
        state,
        "; ".join(filter(None, (note, _versions(manifest)))),
        manifest.name,
        games,
        planned,
        size,
        tuple(spec.name for spec in manifest.bots),
        tuple(manifest.kinds),
        changed,
        _leader(folder, games),
    )


def _state(found: Found, games: int, planned: int, writer: str) -> tuple[str, str]:
    if writer:  # what it has not written yet may look torn
        return WRITING, f"by {writer}"
    if found.damage:
        more = f", and {len(found.damage) - 1} more" if len(found.damage) > 1 else ""
        return DAMAGED, found.damage[0] + more
    return (COMPLETE if games >= planned else TO_CONTINUE), ""


def _versions(manifest: Manifest) -> str:
    changes = worth_telling(changes_of(manifest.versions, library_versions()))
    return f"played with other versions ({changes})" if changes else ""


def _parts(folder: Path, manifest: Manifest) -> Found:
    """Return which chunks are stored whole, by the ends of their parts."""
    found = Found()
    sealed: dict[str, dict[str, Seal]] = {}
    for content in SCHEMAS:
        for path in sorted((folder / content).glob("part-*.parquet")):
            try:
                seal = glance(path)
                refuse_foreign(path, seal.label, manifest)
                sealed.setdefault(path.stem, {})[content] = seal
            except DamagedError as error:
                found.damage.append(f"{content}/{path.name}: {error}")
            except (ResultsError, OSError) as error:
                found.damage.append(str(error).removeprefix(f"{folder}/"))
    whole = [parts for parts in sealed.values() if len(parts) == len(SCHEMAS)]
    found.spans = [both["games"].label.span for both in whole if both["games"].label.sums == both["blocks"].checksum]
    return found


def _counted(manifest: Manifest, found: Found) -> tuple[int, int]:
    """Return how many games are stored and how many are planned; parts that are out of place count as damage."""
    games = {}
    for part in parts_of(manifest, manifest.stretches):
        each = games_in_block(part.stretch, manifest.kinds[part.span.table], manifest.fill)
        games[part.span] = each * (part.span.last - part.span.first)
    try:
        refuse_overlaps(Path(), found.spans)
        refuse_unscheduled(Path(), [span.name for span in found.spans], {span.name for span in games})
    except ResultsError as error:
        found.damage.append(str(error).removeprefix(f"{Path()}: "))
    coming = 0
    with suppress(BossError):  # a schedule that cannot go on has no more to come
        coming = games_to_come(manifest)
    return sum(games.get(span, 0) for span in found.spans), sum(games.values()) + coming


def _size(folder: Path) -> int:
    """Return the bytes of all files of a folder; of those that can be seen, where something vanishes meanwhile."""
    total = 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                total += _size(Path(entry.path)) if entry.is_dir(follow_symlinks=False) else entry.stat().st_size
    return total


def _changed(folder: Path) -> datetime | None:
    times = []
    for path in (folder / MANIFEST, folder / "games"):
        with suppress(OSError):
            times.append(path.stat().st_mtime)
    return datetime.fromtimestamp(max(times), UTC) if times else None


def _leader(folder: Path, games: int) -> Leader | None:
    """Return the first bot of the last report, None where there is no report that can be read."""
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
        report = json.loads((folder / RATINGS).read_text())
        first = report["ratings"][0]
        return Leader(str(first["bot"]), float(first["elo"]), report["games"] != games)
    return None
