"""Results of the same rules from several folders, joined in one; what is refused is refused before anything changes.

The manifest of all together is written first, then what it promises, each chunk whole or not at all. So whatever
breaks it off leaves a ladder that can go on by itself, and the same command finishes what was begun.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from harness.errors import ResultsError
from harness.ladder.chunk import Span
from harness.ladder.continuing import changes_of, first_departure
from harness.ladder.disk import LEAST_FREE, need_room, write_whole
from harness.ladder.feed import parts_of
from harness.ladder.gate_plan import GATE
from harness.ladder.labels import Label, identity, refuse_unscheduled
from harness.ladder.lock import at_rest
from harness.ladder.manifest import Manifest, library_versions
from harness.ladder.merge_plan import Place, fit, is_further
from harness.ladder.parts import SCHEMAS
from harness.ladder.pieces import Rows, departure, files_of, rows_of, together
from harness.ladder.run import Progress
from harness.ladder.store import CONFIG, Store
from harness.ladder.survey import Survey, resume, survey
from harness.ladder.usage import BotUsage
from harness.ladder.usage import together as used_together


@dataclass(frozen=True, eq=False)
class Source:
    """A results folder that is joined, or that into which others are: its manifest, and its chunks stored whole.

    numbers: of its bots, from there to here.
    """

    store: Store
    manifest: Manifest
    whole: Mapping[str, Label]
    numbers: Mapping[int, int]
    places: tuple[Place, ...]


class Piece(NamedTuple):
    """Blocks of a stored chunk: which of it, by their numbers there, and what is added to get those here."""

    source: Source
    label: Label
    span: Span
    shift: int

    @property
    def is_whole(self) -> bool:
        """Whether it is all of that chunk."""
        return self.span == self.label.span

    @property
    def here(self) -> Span:
        """Where they stand here."""
        return Span(self.span.table, self.span.first + self.shift, self.span.last + self.shift)

    def rows(self, first: int, last: int) -> Rows:
        """Return those of its rows of blocks `first` up to but not `last` here, as they stand here."""
        store, manifest = self.source.store, self.source.manifest
        parts = {content: store.part(content, self.label.span, manifest) for content in SCHEMAS}
        span = Span(self.span.table, first - self.shift, last - self.shift)
        return rows_of(parts, span, self.source.numbers, self.shift)

    def files(self) -> dict[str, bytes]:
        """Return the two parts it lies in as they are."""
        return {content: self.source.store.path(content, self.label.span).read_bytes() for content in SCHEMAS}


@dataclass(frozen=True)
class Merge:
    """What is to be done: the manifest of all together, and the chunks that are to be written, each with its pieces."""

    store: Store
    sources: Sequence[Source]
    before: Manifest | None
    manifest: Manifest
    config_text: str | None
    chunks: dict[Span, list[Piece]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def merge(into: Path, folders: Sequence[Path], progress: Progress) -> int:
    """Join the results in `folders` to those in `into`, which may be none yet; return how many games were added.

    All stay as they are but `into`. Raises ResultsError, and changes nothing, where they cannot be joined: other rules,
    limits or versions of bots, a deal that was played otherwise, or somebody who is writing to one of them.
    """
    store = Store(into)
    _refuse_odd(into, folders)
    with ExitStack() as held:
        for folder in folders:
            Store(folder).read_manifest()
            held.enter_context(at_rest(folder))
        if store.has_run():
            held.enter_context(store.writing())
        plan = plan_merge(store, folders)
        if plan.before is None:
            held.enter_context(store.writing())
            if store.has_run():
                raise ResultsError(f"{into}: another run has just been writing here; give the same command again")
        return _carry_out(plan, progress)


def _refuse_odd(into: Path, folders: Sequence[Path]) -> None:
    """Raise ResultsError for folders that are none, are named twice, or hold one side of a gate."""
    Store(into).refuse_other_things()
    seen: set[Path] = set()
    for folder in (into, *folders):
        if folder.resolve() in seen:
            raise ResultsError(f"{folder}: is named twice; the first folder is the one that the others are joined into")
        seen.add(folder.resolve())
        if (folder.parent / GATE).is_file():
            raise ResultsError(
                f"{folder}: is one side of a gate, whose test would not hold for more games; leave it out"
            )


# -- the plan ---------------------------------------------------------------------------------------------------------


def plan_merge(store: Store, folders: Sequence[Path]) -> Merge:
    """Return what joining these folders comes to; write nothing, and raise ResultsError for all that is refused."""
    before = store.read_manifest() if store.has_run() else None
    stores = [Store(folder) for folder in folders]
    manifest = before or stores[0].read_manifest()
    config_text = None if before else _config_text(stores[0])
    sources = [_itself(store, before)] if before else []
    warnings = []
    for other in stores:
        theirs, surveyed = other.read_manifest(), _surveyed(other)
        found = fit(manifest, theirs, str(store.folder), str(other.folder))
        _refuse_departed(other, theirs, surveyed.whole)
        if is_further(manifest, theirs, found.numbers):
            config_text = _config_text(other)
        if surveyed.damaged:
            warnings.append(f"{other.folder}: what lies in damaged parts is left out: {surveyed.damage}")
        if not {found.numbers[bot] for bot in _seated(theirs)} & _seated(manifest):
            warnings.append(
                f"{other.folder}: no bot of it plays in what it is joined to; ratings between them are guesses"
            )
        sources.append(Source(other, theirs, surveyed.whole, found.numbers, found.places))
        manifest = found.manifest
    plan = Merge(store, sources, before, manifest, config_text, warnings=warnings)
    for span, pieces in _pieces(plan).items():
        _refuse_disagreeing(span, pieces)
        if pieces[0].source.store is not store and (chosen := _covering(span, pieces)):
            plan.chunks[span] = chosen
    return plan


def _itself(store: Store, manifest: Manifest) -> Source:
    """Return the results folder into which others are joined as if it were one of them."""
    whole = _surveyed(store).whole
    numbers = {number: number for number in range(len(manifest.bots))}
    return Source(store, manifest, whole, numbers, tuple(Place(label.span, 0) for label in whole.values()))


def _surveyed(store: Store) -> Survey:
    """Return what a folder holds; raise ResultsError for what is no part of its run."""
    manifest, found = store.read_manifest(), survey(store)
    scheduled = {part.span.name for part in parts_of(manifest, manifest.stretches)}
    refuse_unscheduled(store.folder, found.whole, scheduled)
    return found


def _config_text(store: Store) -> str | None:
    path = store.folder / CONFIG
    try:
        return path.read_text() if path.is_file() else None
    except (OSError, ValueError) as error:
        raise ResultsError(f"{path}: cannot be read: {error}") from None


def _seated(manifest: Manifest) -> set[int]:
    """Return the bots that play at the tables of a run."""
    filling = set() if manifest.fill is None else {manifest.fill}
    return {bot for stretch in manifest.stretches for bot in stretch.bots} | filling


def _refuse_departed(store: Store, manifest: Manifest, whole: Mapping[str, Label]) -> None:
    """Raise ResultsError where other versions played a run, and its games come out otherwise by those of now."""
    changes = changes_of(manifest.versions, library_versions())
    if changes and whole and (differs := first_departure(store, manifest, whole.values())):
        raise ResultsError(
            f"{store.folder}: {differs}, for other versions played it ({', '.join(changes.values())}); join it with "
            "those"
        )


def _pieces(plan: Merge) -> dict[Span, list[Piece]]:
    """Return by the chunks of all together what lies stored of each, what is here already first."""
    spans: dict[str, list[Span]] = {}
    for part in parts_of(plan.manifest, plan.manifest.stretches):
        spans.setdefault(part.span.table, []).append(part.span)
    for own in spans.values():
        own.sort()
    found: dict[Span, list[Piece]] = {}
    for piece in (piece for source in plan.sources for piece in _pieces_of(source)):
        own = spans.get(piece.span.table, [])
        begin = max(0, bisect_right(own, piece.here.first, key=lambda span: span.first) - 1)
        for span in own[begin:]:
            if span.first >= piece.here.last:
                break
            if span.last > piece.here.first:
                found.setdefault(span, []).append(piece)
    return found


def _pieces_of(source: Source) -> Iterator[Piece]:
    """Yield the blocks stored in a folder, each chunk cut where its parts stand apart here."""
    places: dict[str, list[Place]] = {}
    for place in sorted(source.places):
        places.setdefault(place.span.table, []).append(place)
    for label in source.whole.values():
        own = places.get(label.span.table, [])
        begin = max(0, bisect_right(own, label.span.first, key=lambda place: place.span.first) - 1)
        for place in own[begin:]:
            first, last = max(label.span.first, place.span.first), min(label.span.last, place.span.last)
            if place.span.first >= label.span.last:
                break
            if first < last:
                yield Piece(source, label, Span(label.span.table, first, last), place.shift)


def _refuse_disagreeing(span: Span, pieces: Sequence[Piece]) -> None:
    """Raise ResultsError where two folders hold a block of this chunk, and not the same games."""
    for one, other in combinations(pieces, 2):
        first = max(span.first, one.here.first, other.here.first)
        last = min(span.last, one.here.last, other.here.last)
        if first >= last or one.files() == other.files():
            continue
        if differs := departure(one.rows(first, last), other.rows(first, last)):
            ours, theirs = (piece.source.store.path("games", piece.label.span) for piece in (one, other))
            raise ResultsError(
                f"{ours} and {theirs}: hold games of the same deals that came out differently ({differs}); move one of "
                "these parts elsewhere, and the other one is taken"
            )


def _covering(span: Span, pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces that hold all blocks of a chunk between them, in order; none where some are nowhere."""
    chosen: list[Piece] = []
    at = span.first
    while at < span.last:
        reaching = [piece for piece in pieces if piece.here.first <= at < piece.here.last]
        if not reaching:
            return []
        chosen.append(max(reaching, key=lambda piece: piece.here.last))
        at = chosen[-1].here.last
    return chosen


# -- and its carrying out ---------------------------------------------------------------------------------------------


def _carry_out(plan: Merge, progress: Progress) -> int:
    """Write what is planned into the folder, which is held; return how many games were added."""
    store = plan.store
    taken = {
        (piece.source.store.folder, piece.label.span): piece for pieces in plan.chunks.values() for piece in pieces
    }
    size = sum(sum(map(len, piece.files().values())) for piece in taken.values())
    need_room(store.folder, LEAST_FREE + size)
    for warning in plan.warnings:
        progress.warn(warning)
    if plan.before:
        resume(store, progress.warn)
    store.write_manifest(plan.manifest, plan.config_text)
    for source in plan.sources:
        _keep_sources(plan, source)
    progress.begin(sum(piece.label.rows for piece in taken.values()), 0)
    added = 0
    for span, pieces in plan.chunks.items():
        added += (games := _write(plan, span, pieces))
        progress.advance(games, {})
    return added


def _keep_sources(plan: Merge, source: Source) -> None:
    """Copy the sources of bots that a folder keeps and this one does not."""
    for theirs, ours in source.numbers.items():
        kept, own = source.store.sources(source.manifest.bots[theirs]), plan.store.sources(plan.manifest.bots[ours])
        for file in sorted(kept.rglob("*")):
            copy = own / file.relative_to(kept)
            if file.is_file() and not file.is_symlink() and not copy.exists():
                write_whole(copy, file.read_bytes())


def _write(plan: Merge, span: Span, pieces: Sequence[Piece]) -> int:
    """Write a chunk, first what is no part of it, then its block sums, as a run does; return how many games it has."""
    store, run = plan.store, plan.manifest.run
    bots = {number: identity(spec) for number, spec in enumerate(plan.manifest.bots)}
    first = pieces[0]
    if (
        len(pieces) == 1
        and first.is_whole
        and first.here == span
        and first.label.bots.items() <= bots.items()
        and first.label.run == run
    ):
        files, games = first.files(), first.label.rows
    else:
        ends = [*(piece.here.first for piece in pieces[1:]), span.last]
        rows = together(
            [piece.rows(max(span.first, piece.here.first), end) for piece, end in zip(pieces, ends, strict=True)]
        )
        files, games = files_of(rows, span, run, bots), len(rows.games)
    store.write_usage(span.name, _usage(plan, pieces))
    for content in ("blocks", "games"):
        write_whole(store.path(content, span), files[content])
    return games


def _usage(plan: Merge, pieces: Sequence[Piece]) -> dict[str, BotUsage]:
    """Return what bots used in these chunks, of those that are taken whole: for others it cannot be told."""
    used: dict[str, list[BotUsage]] = {}
    for piece in pieces:
        numbers = {spec.name: piece.source.numbers[number] for number, spec in enumerate(piece.source.manifest.bots)}
        known = piece.source.store.usage_of(piece.label.span.name) if piece.is_whole else {}
        for name, own in known.items():
            used.setdefault(plan.manifest.bots[numbers[name]].name, []).append(own)
    return {name: used_together(own) for name, own in used.items()}
