"""What joining results folders comes to: the manifest of all together, and which chunks are written, made of what.

Nothing is written here: whatever cannot be joined is refused while all is as it was.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from harness.errors import ResultsError
from harness.ladder.chunk import Span
from harness.ladder.continuing import changes_of, first_departure
from harness.ladder.feed import parts_of
from harness.ladder.labels import Label, refuse_unscheduled
from harness.ladder.manifest import Manifest, library_versions
from harness.ladder.merge_fit import BETWEEN, Fit, Place, fit, is_further
from harness.ladder.parts import SCHEMAS
from harness.ladder.pieces import Rows, departure, rows_of
from harness.ladder.store import CONFIG, Store
from harness.ladder.survey import Survey, survey


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
        found = _fitted(manifest, sources, theirs, other.folder)
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


def _fitted(manifest: Manifest, sources: Sequence[Source], theirs: Manifest, there: Path) -> Fit:
    """Return how a run fits into all sources together; a refusal names the one it disagrees with."""
    folders = [str(source.store.folder) for source in sources]
    try:
        return fit(manifest, theirs, BETWEEN.join(folders), str(there))
    except ResultsError:
        for source, here in zip(sources, folders, strict=True):
            fit(source.manifest, theirs, here, str(there))
        raise


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
