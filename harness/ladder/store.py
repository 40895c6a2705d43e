"""A results folder: what lies in it, how it is written, and how it is read back.

    manifest.json             what the run is: seed, table kinds, chunk rule, bots, stretches of the schedule
    config.yaml               the config as last run
    bots/<name>-<version>/    the sources of each bot as played
    games/part-*.parquet      one row a game
    blocks/part-*.parquet     sums per block for the balance tables

A part holds one chunk and is written whole or not at all.
"""

import json
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import ResultsError
from harness.ladder.chunk import BLOCK_COLUMNS, GAME_COLUMNS, Chunk, ChunkResult
from harness.ladder.manifest import Manifest
from harness.play.registry import BotSpec
from harness.play.sources import files_of

MANIFEST = "manifest.json"


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
        except (ValueError, KeyError, TypeError) as error:
            raise ResultsError(f"{path}: cannot be read: {error}") from None

    def write_manifest(self, manifest: Manifest, config_text: str) -> None:
        """Write the manifest and the config, and keep the sources of the bots."""
        try:
            for folder in ("games", "blocks", "bots"):
                (self.folder / folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ResultsError(f"{self.folder}: cannot be written: {error.strerror}") from None
        for spec in manifest.bots:
            self._keep_sources(spec)
        write_whole(self.folder / "config.yaml", config_text.encode())
        write_whole(self.folder / MANIFEST, manifest.to_json().encode())

    def _keep_sources(self, spec: BotSpec) -> None:
        folder = self.folder / "bots" / f"{spec.name}-{spec.version}"
        files = files_of(spec.reference)
        for file in files:
            kept = folder / file.relative_to(files[0].parent)
            if not kept.exists():
                write_whole(kept, file.read_bytes())

    def remove(self) -> None:
        """Delete the whole folder; refuse one that holds other things than results."""
        if self.folder.exists() and not self.folder.is_dir():
            raise ResultsError(f"{self.folder}: is a file; the results folder needs another place")
        if self.folder.is_dir() and any(self.folder.iterdir()) and not self.has_run():
            raise ResultsError(f"{self.folder}: not empty, and no results folder; it is left alone")
        shutil.rmtree(self.folder, ignore_errors=True)

    # -- parts ----------------------------------------------------------------------------------------------------

    def stored(self) -> set[str]:
        """Return the names of the chunks that lie here whole."""
        games = {path.stem for path in (self.folder / "games").glob("part-*.parquet")}
        return games & {path.stem for path in (self.folder / "blocks").glob("part-*.parquet")}

    def write_chunk(self, chunk: Chunk, result: ChunkResult) -> None:
        """Write a played chunk: first its block sums, then its games, each whole or not at all."""
        for folder, columns, schema in (
            ("blocks", result.blocks, BLOCK_COLUMNS),
            ("games", result.games, GAME_COLUMNS),
        ):
            path = self.folder / folder / f"{chunk.name}.parquet"
            table = _table(chunk.table, columns, schema)
            write_whole(path, partial(_write_parquet, table))

    def games(self, columns: list[str] | None = None) -> pd.DataFrame:
        """Return the stored games in schedule order: by table, block, rotation."""
        return self._read("games", columns, ["table", "block", "rotation"])

    def blocks(self) -> pd.DataFrame:
        """Return the stored block sums in schedule order."""
        return self._read("blocks", None, ["table", "block", "scope", "index"])

    def part(self, name: str, columns: list[str]) -> pd.DataFrame:
        """Return columns of the games of one stored chunk."""
        games: pd.DataFrame = self._table(self.folder / "games" / f"{name}.parquet", columns).to_pandas()
        return games

    def _table(self, part: Path, columns: list[str] | None) -> pa.Table:
        try:
            return pq.read_table(part, columns=columns)
        except (pa.ArrowException, OSError) as error:
            raise ResultsError(f"{part}: cannot be read: {error}") from None

    def _read(self, folder: str, columns: list[str] | None, order: list[str]) -> pd.DataFrame:
        parts = [self.folder / folder / f"{name}.parquet" for name in sorted(self.stored())]
        if not parts:
            raise ResultsError(f"{self.folder}: no game has been played here yet")
        wanted = None if columns is None else list(dict.fromkeys([*order, *columns]))
        frame: pd.DataFrame = pa.concat_tables([self._table(part, wanted) for part in parts]).to_pandas()
        frame["table"] = frame["table"].astype(str)
        return frame.sort_values(order, kind="stable", ignore_index=True)


def _table(name: str, columns: dict[str, Any], schema: dict[str, str]) -> pa.Table:
    count = len(next(iter(columns.values())))
    arrays = {"table": pa.DictionaryArray.from_arrays(np.zeros(count, np.int8), [name])}
    for column, kind in schema.items():
        arrays[column] = _array(columns[column], kind)
    return pa.table(arrays)


def _write_parquet(table: pa.Table, file: Any) -> None:
    pq.write_table(table, file, compression="zstd")


def _array(values: Any, kind: str) -> pa.Array:
    if kind == "binary":
        buffers = [None, pa.py_buffer(values.offsets), pa.py_buffer(values.data)]
        return pa.Array.from_buffers(pa.binary(), len(values.offsets) - 1, buffers)
    return pa.array(values, type=pa.type_for_alias(kind))


def write_whole(path: Path, content: bytes | Callable[[Any], object]) -> None:
    """Write a file under a temporary name, sync it and rename it, so that `path` is whole or as before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            if callable(content):
                content(file)
            else:
                file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise ResultsError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_json(path: Path, value: Any) -> None:
    """Write plain values as readable JSON, whole or not at all."""
    write_whole(path, (json.dumps(value, indent=1) + "\n").encode())
