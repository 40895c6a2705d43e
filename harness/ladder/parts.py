"""A part: one chunk's games, or its block sums, as a Parquet file that says whose it is and shows any damage.

Beside its columns a part holds a label in its footer, and a checksum: the SHA-256 of the whole file, with zeros where
the checksum itself stands. So no bit of a part can change unnoticed, and to check one takes no decoding.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from harness.ladder.columns import BLOCK_COLUMNS, GAME_COLUMNS
from harness.ladder.labels import Label

SCHEMAS = {"games": GAME_COLUMNS, "blocks": BLOCK_COLUMNS}
"""What parts can hold, each in a folder of its own."""

ORDERS = {"games": ("block", "rotation"), "blocks": ("block", "scope", "index")}
"""Columns by which their rows are sorted."""

TEXTS = {"string": pa.string(), "binary": pa.binary()}
"""Types of columns that are no numbers."""

LABEL = b"boss.label"
CHECKSUM = b"boss.sha256"
NO_CHECKSUM = b"0" * 64
MARK = re.compile(re.escape(CHECKSUM) + rb"..([0-9a-f]{64})", re.DOTALL)
"""Where the checksum stands: behind its key, and two bytes that say that a text of that length comes."""

PARQUET = b"PAR1"
"""How such files end."""


class DamagedError(Exception):
    """A part is not as it was written; the text says how that shows."""


class Seal(NamedTuple):
    """By which a part is known: its label and its checksum (64 hex digits)."""

    label: Label
    checksum: str


class Checked(NamedTuple):
    """A part found whole, and its open file."""

    seal: Seal
    file: pq.ParquetFile

    @property
    def label(self) -> Label:
        """What it says of itself."""
        return self.seal.label


def encode(label: Label, columns: Mapping[str, Any]) -> tuple[bytes, str]:
    """Return the file of a part, of columns as in its schema, and its checksum. Rows are put in their stored order."""
    order = np.lexsort([columns[name] for name in reversed(ORDERS[label.content])])
    table = pa.table(
        {
            "table": pa.DictionaryArray.from_arrays(pa.array([0] * label.rows, pa.int8()), [label.span.table]),
            **{name: _array(columns[name], kind) for name, kind in SCHEMAS[label.content].items()},
        }
    )
    return sealed(label, table.take(order))


def sealed(label: Label, table: pa.Table) -> tuple[bytes, str]:
    """Return the file of a part, of its table in its stored order, and its checksum."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, table.schema, compression="zstd", write_statistics=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({LABEL: label.to_json(), CHECKSUM: NO_CHECKSUM})
    data = sink.getvalue().to_pybytes()
    found = MARK.match(data, data.rindex(CHECKSUM))
    assert found, "the footer is written as the format says"
    at = found.start(1)
    checksum = _checksum(data, at)
    return data[:at] + checksum + data[at + len(NO_CHECKSUM) :], checksum.decode()


def _array(values: Any, kind: str) -> pa.Array:
    if kind == "binary":
        buffers = [None, pa.py_buffer(values.offsets), pa.py_buffer(values.data)]
        return pa.Array.from_buffers(pa.binary(), len(values.offsets) - 1, buffers)
    return pa.array(values, type=pa.type_for_alias(kind))


def _checksum(data: bytes, at: int) -> bytes:
    """Return the checksum of a file in which it stands, or is to stand, at this place."""
    view = memoryview(data)
    digest = hashlib.sha256(view[:at])
    digest.update(NO_CHECKSUM)
    digest.update(view[at + len(NO_CHECKSUM) :])
    return digest.hexdigest().encode()


def check(path: Path) -> Checked:
    """Read a part and return what it says of itself; raise DamagedError where it is not as it was written."""
    data = path.read_bytes()
    if data[-4:] != PARQUET:
        raise DamagedError("it is cut short, or no Parquet file")
    found = MARK.match(data, max(data.rfind(CHECKSUM), 0))
    if not found:
        raise DamagedError("it bears no checksum of this harness")
    if _checksum(data, found.start(1)) != found[1]:  # nothing is decoded before: the decoder is not made for damage
        raise DamagedError("it is not as it was written: its checksum does not fit")
    file = pq.ParquetFile(pa.BufferReader(data))
    return Checked(Seal(_label_of(path, file.metadata.metadata[LABEL]), found[1].decode()), file)


def _label_of(path: Path, text: bytes) -> Label:
    label = Label.from_json(text)
    if (label.content, label.span.name) != (path.parent.name, path.stem):
        raise DamagedError(f"it is the part {label.content}/{label.span.name} under another name")
    return label


def glance(path: Path) -> Seal:
    """Return what the end of a part says of it, without reading the rest; raise DamagedError where it says nothing.

    Only `check` shows whether the rest is as it was written.
    """
    try:
        said = pq.read_metadata(path).metadata or {}
        return Seal(_label_of(path, said[LABEL]), said[CHECKSUM].decode())
    except (pa.ArrowInvalid, KeyError, TypeError, ValueError) as error:
        raise DamagedError("it is cut short, or no part of this harness") from error


def decode(part: Checked, columns: Iterable[str]) -> pa.Table:
    """Return columns of a part, other than `table`, which its label tells."""
    return part.file.read(list(columns), use_threads=False)


def frame_of(parts: Iterable[Checked], rows: int, columns: Mapping[str, str]) -> pd.DataFrame:
    """Return columns (names and types) of parts with so many rows in all, in the order given.

    The first column, `table`, is a category. Numbers go straight to where they stay, so that none is held twice.
    """
    numbers = {name: np.empty(rows, kind) for name, kind in columns.items() if kind not in TEXTS}
    texts: dict[str, list[pa.Array]] = {name: [] for name, kind in columns.items() if kind in TEXTS}
    tables: dict[str, int] = {}
    table = np.empty(rows, np.int16)
    at = 0
    for part in parts:
        here = slice(at, at := at + part.label.rows)
        table[here] = tables.setdefault(part.label.span.table, len(tables))
        found = decode(part, columns)
        for name, own in numbers.items():
            own[here] = found[name].to_numpy()
        for name, chunks in texts.items():
            chunks += found[name].chunks
    assert at == rows, "the labels were read before"
    values = {
        name: numbers[name] if name in numbers else pa.chunked_array(texts[name], TEXTS[kind]).to_pandas()
        for name, kind in columns.items()
    }
    return pd.DataFrame({"table": pd.Categorical.from_codes(table, pd.Index(list(tables))), **values}, copy=False)


def _text(array: pa.Array) -> memoryview:
    """Return the bytes of all texts of an array, one after another."""
    _, offsets, data = array.buffers()
    starts = np.frombuffer(offsets, np.int32)
    return memoryview(data or b"")[starts[array.offset] : starts[array.offset + len(array)]]


class TableDigest:
    """The SHA-256 of the table of all games, added part by part in their order; the same however it is parted.

    It is taken of each column by itself, numbers as little-endian bytes, texts as their bytes and their lengths (-1 for
    none); then of the columns' names, types and digests.
    """

    def __init__(self) -> None:
        self._kinds = {"table": "string", **GAME_COLUMNS}
        self._values = {name: hashlib.sha256() for name in self._kinds}
        self._lengths = {name: hashlib.sha256() for name in self._kinds}

    def add(self, part: Checked) -> None:
        """Add the games of a part."""
        rows = decode(part, GAME_COLUMNS)
        columns = {"table": pa.chunked_array([pa.array([part.label.span.table] * len(rows))])}
        for name, column in (columns | dict(zip(rows.column_names, rows.columns, strict=True))).items():
            for array in column.chunks:
                if pa.types.is_integer(array.type):
                    numbers = array.to_numpy()
                    self._values[name].update(numbers.astype(numbers.dtype.newbyteorder("<"), copy=False))
                else:
                    lengths = pc.fill_null(pc.binary_length(array), -1).to_numpy()
                    self._lengths[name].update(lengths.astype("<i4", copy=False))
                    self._values[name].update(_text(array))

    def hexdigest(self) -> str:
        """Return the digest of what was added, 64 hex digits."""
        whole = hashlib.sha256()
        for name, kind in self._kinds.items():
            whole.update(f"{name} {kind} {self._values[name].hexdigest()} {self._lengths[name].hexdigest()}\n".encode())
        return whole.hexdigest()
