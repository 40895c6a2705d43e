"""Results of the same rules from several folders, joined in one; what is refused is refused before anything changes.

The manifest of all together is written first, then what it promises, each chunk whole or not at all. So whatever
breaks it off leaves a ladder that can go on by itself, and the same command finishes what was begun.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from harness.errors import ResultsError
from harness.ladder.chunk import Span
from harness.ladder.disk import LEAST_FREE, need_room, write_whole
from harness.ladder.gate_plan import GATE
from harness.ladder.labels import identity
from harness.ladder.lock import at_rest
from harness.ladder.merge_plan import Merge, Piece, Source, plan_merge
from harness.ladder.pieces import files_of, together
from harness.ladder.run import Progress
from harness.ladder.store import Store
from harness.ladder.survey import resume
from harness.ladder.usage import BotUsage
from harness.ladder.usage import together as used_together


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
