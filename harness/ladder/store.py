"""A results folder: what lies in it, how it is written, and how it is read back.

    manifest.json             what the run is: seed, table kinds, chunk rule, bots, stretches of the schedule
    config.yaml               the config as last run
    bots/<name>-<version>/    the sources of each bot as played
    games/part-*.parquet      one row a game
    blocks/part-*.parquet     sums per block for the balance tables
    usage/part-*.json         what bots in processes of their own used; times, so no two runs have the same
    damaged/                  parts that were found damaged, out of the way; their games are played again
    lock                      held by the one process that writes here

A part holds one chunk and is written whole or not at all. A chunk is stored when its games are, and with them the very
block sums that were written before them.
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from harness.errors import ResultsError
from harness.ladder.chunk import Chunk, ChunkResult, Span
from harness.ladder.columns import BLOCK_COLUMNS, GAME_COLUMNS
from harness.ladder.disk import cannot_write, need_room, sweep, write_json, write_whole
from harness.ladder.labels import Label, identity, refuse_foreign, refuse_overlaps
from harness.ladder.lock import LOCK, locked
from harness.ladder.manifest import Manifest
from harness.ladder.parts import SCHEMAS, Checked, DamagedError, Seal, TableDigest, check, encode, frame_of
from harness.ladder.usage import BotUsage, together
from harness.play.registry import BotSpec
from harness.play.sources import files_of

MANIFEST = "manifest.json"
CONFIG = "config.yaml"
SOURCES = "bots"


class Stored(NamedTuple):
    """What lies stored of a run, all as of one moment, though the run may be going on."""

    manifest: Manifest
    games: pd.DataFrame
    blocks: pd.DataFrame


class Store:
    """One results folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    # -- the manifest ---------------------------------------------------------------------------------------------

    def has_run(self) -> bool:
        """Whether a run has begun here."""
        return (self.folder / MANIFEST).is_file()

    def read_manifest(self) -> Manifest:
        """Return the manifest; raise ResultsError when there is none or it cannot be read."""
        path = self.folder / MANIFEST
        if not path.is_file():
            raise ResultsError(f"{self.folder}: no results here ({MANIFEST} is missing)")
        try:
            return Manifest.from_json(path.read_text())
        except OSError as error:
            raise ResultsError(f"{path}: cannot be read: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise ResultsError(f"{path}: cannot be read as a manifest: {why}") from error

    def write_manifest(self, manifest: Manifest, config_text: str | None = None) -> None:
        """Keep the sources of the bots, then write the manifest that names them, then the config (None leaves it).

        This is done before any game is played.
        """
        for spec in manifest.bots:
            if spec.is_there():
                self._keep_sources(spec)
        write_whole(self.folder / MANIFEST, manifest.to_json().encode())
        if config_text is not None:
            write_whole(self.folder / CONFIG, config_text.encode())

    def _keep_sources(self, spec: BotSpec) -> None:
        files = files_of(spec.reference)
        for file in files:
            kept = self.sources(spec) / file.relative_to(files[0].parent)
            if not kept.exists():
                write_whole(kept, file.read_bytes())

    def sources(self, spec: BotSpec) -> Path:
        """Return the folder in which the sources of a bot are kept."""
        return self.folder / SOURCES / f"{spec.name}-{spec.version}"

    # -- the folder -----------------------------------------------------------------------------------------------

    def refuse_other_things(self) -> None:
        """Raise ResultsError where the folder is none, or holds other things than results."""
        if self.folder.exists() and not self.folder.is_dir():
            raise ResultsError(f"{self.folder}: is a file; choose another folder")
        if self.folder.is_dir() and not self.has_run() and any(map(_is_other, self.folder.iterdir())):
            raise ResultsError(f"{self.folder}: not empty, and no results folder; choose another")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make the folder and hold its lock: whatever writes a run does so within this.

        Raises ResultsError where another process writes here or nothing may be written, RunError on a full disk.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            need_room(self.folder)
        except OSError as error:
            raise cannot_write(self.folder, error) from None
        with locked(self.folder):
            sweep(self.folder)
            yield

    def clear(self) -> None:
        """Delete all that the folder holds but its lock; the manifest last, so that it stays a results folder."""
        kept = {LOCK, MANIFEST}
        try:
            for path in self.folder.iterdir():
                if path.name not in kept:
                    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
            (self.folder / MANIFEST).unlink(missing_ok=True)
        except OSError as error:
            raise ResultsError(f"{error.filename}: cannot be deleted: {error.strerror}") from None

    # -- parts ----------------------------------------------------------------------------------------------------

    def checked(self, path: Path, manifest: Manifest) -> Checked:
        """Return a part of this run; raise DamagedError, or ResultsError for one of another run."""
        try:
            part = check(path)
        except OSError as error:
            raise ResultsError(f"{path}: cannot be read: {error.strerror or error}") from None
        refuse_foreign(path, part.label, manifest)
        return part

    def stored(self) -> list[Span]:
        """Return where the chunks lie that have both parts here, as the parts' names tell, in their order."""
        games, blocks = ({path.stem for path in (self.folder / content).glob("part-*.parquet")} for content in SCHEMAS)
        try:
            return sorted(Span.of_name(name) for name in games & blocks)
        except ValueError as error:
            raise ResultsError(f"{self.folder}: {error}; move the file elsewhere, out of games/ and blocks/") from None

    def write_chunk(self, chunk: Chunk, result: ChunkResult) -> None:
        """Write a played chunk: first what is no part of it, then its block sums, then its games, each whole or not."""
        self.write_usage(chunk.name, result.usage)
        checksum = self._write_part(Label("blocks", self._run, chunk.span, len(result.blocks["block"])), result.blocks)
        label = Label(
            "games",
            self._run,
            chunk.span,
            result.count,
            bots={bot: identity(chunk.bots[bot]) for block in chunk.blocks for bot in block.lineup},
            faulty=int(np.count_nonzero((result.games["faults"] > 0) | (result.games["forfeits"] > 0))),
            sums=checksum,
        )
        self._write_part(label, result.games)

    def _write_part(self, label: Label, columns: Mapping[str, Any]) -> str:
        data, checksum = encode(label, columns)
        write_whole(self.path(label.content, label.span), data)
        return checksum

    @cached_property
    def _run(self) -> str:
        return self.read_manifest().run

    def path(self, content: str, span: Span) -> Path:
        """Return where a part lies, or is to lie."""
        return self.folder / content / f"{span.name}.parquet"

    def read(self, columns: list[str] | None = None) -> Stored:
        """Return the manifest, the games (these columns) and the block sums, all of the same chunks."""
        frames = self._frames({"games": _wanted(columns), "blocks": BLOCK_COLUMNS})
        return Stored(self.read_manifest(), frames["games"], frames["blocks"])

    def games(self, columns: list[str] | None = None) -> pd.DataFrame:
        """Return the stored games in schedule order: by table, block, rotation."""
        return self._frames({"games": _wanted(columns)})["games"]

    def blocks(self) -> pd.DataFrame:
        """Return the stored block sums in schedule order: by table, block, scope, index."""
        return self._frames({"blocks": BLOCK_COLUMNS})["blocks"]

    def _frames(self, wanted: Mapping[str, Mapping[str, str]]) -> dict[str, pd.DataFrame]:
        """Return these columns (names and types) of each of these contents, all of the same chunks."""
        seals = [{part.label.content: part.seal for part in parts} for parts in self._parts(*wanted)]
        if len(wanted) > 1:  # else it is just being played again
            seals = [both for both in seals if both["games"].label.sums == both["blocks"].checksum]
        if not seals:
            raise ResultsError(f"{self.folder}: no game has been played here yet")
        manifest, frames = self.read_manifest(), {}
        for content, columns in wanted.items():
            own = [seal[content] for seal in seals]
            parts = (self._same(seal, manifest) for seal in own)
            frames[content] = frame_of(parts, sum(seal.label.rows for seal in own), columns)
        return frames

    def _same(self, seal: Seal, manifest: Manifest) -> Checked:
        """Return the part with this seal."""
        part = self.part(seal.label.content, seal.label.span, manifest)
        if part.seal != seal:
            raise ResultsError(f"{self.folder}: {seal.label.span.name} has changed while it was read; try again")
        return part

    def _parts(self, *contents: str) -> Iterator[list[Checked]]:
        """Yield the parts of each stored chunk, in order; raise ResultsError where one is not to be read."""
        spans = self.stored()
        refuse_overlaps(self.folder, spans)
        manifest = self.read_manifest()  # after the parts were listed: a run writes it before them
        for span in spans:
            yield [self.part(content, span, manifest) for content in contents]

    def part(self, content: str, span: Span, manifest: Manifest) -> Checked:
        """Return a part of this run with this manifest; raise ResultsError where it is damaged or of another run."""
        path = self.path(content, span)
        try:
            return self.checked(path, manifest)
        except DamagedError as error:
            raise ResultsError(f"{path}: {error}; run its config again, and it is set aside and played anew") from None

    def faulty_games(self, label: Label, columns: list[str]) -> pd.DataFrame:
        """Return columns of those games of a stored chunk that have a fault or a forfeit."""
        if not label.faulty:
            return pd.DataFrame(columns=columns)
        games = self.games_of(label, [*columns, "faults", "forfeits"])
        return games.loc[(games["faults"] > 0) | (games["forfeits"] > 0), columns]

    def games_of(self, label: Label, columns: list[str]) -> pd.DataFrame:
        """Return columns of the games of one stored chunk, with table, block and rotation."""
        part = self.part("games", label.span, self.read_manifest())
        return frame_of([part], label.rows, _wanted(columns))

    def digest(self) -> str:
        """Return the SHA-256 of all stored games, sorted by table, block and rotation, over all columns.

        It depends on nothing but the games: not on chunks, nor on the order or the place in which they were played.
        """
        digest = TableDigest()
        for (part,) in self._parts("games"):
            digest.add(part)
        return digest.hexdigest()

    def usage(self) -> dict[str, BotUsage]:
        """Return what the bots in processes of their own used in the stored chunks, as far as that is known."""
        found: dict[str, list[BotUsage]] = {}
        for span in self.stored():
            for bot, used in self.usage_of(span.name).items():
                found.setdefault(bot, []).append(used)
        return {bot: together(parts) for bot, parts in found.items()}

    def usage_of(self, name: str) -> dict[str, BotUsage]:
        """Return what bots used in one chunk, by their names; nothing where that is not known."""
        path = self._usage(name)
        if not path.is_file():
            return {}
        try:
            return {bot: BotUsage(**used) for bot, used in json.loads(path.read_text()).items()}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise ResultsError(f"{path}: cannot be read: {error}") from None

    def write_usage(self, name: str, usage: Mapping[str, BotUsage]) -> None:
        """Keep what bots used in one chunk."""
        if usage:
            write_json(self._usage(name), {bot: asdict(used) for bot, used in usage.items()})

    def _usage(self, name: str) -> Path:
        return self.folder / "usage" / f"{name}.json"


def _wanted(columns: list[str] | None) -> dict[str, str]:
    names = ["block", "rotation", *(GAME_COLUMNS if columns is None else columns)]
    return {name: GAME_COLUMNS[name] for name in names}


def _is_other(path: Path) -> bool:
    """Whether a file is none that a run leaves that was killed before it wrote its manifest."""
    is_sources = path.name == SOURCES and all(re.search(r"-[0-9a-f]{12}$", kept.name) for kept in path.glob("*"))
    return not ((is_sources and path.is_dir()) or path.name == LOCK or path.match(f".{MANIFEST}.*.tmp"))
