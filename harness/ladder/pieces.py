"""Stored games cut out of the parts of one run and put into another: other numbers of bots and blocks, nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from harness.game.layout import SEATS
from harness.ladder.chunk import Span
from harness.ladder.columns import BLOCK_COLUMNS, GAME_COLUMNS
from harness.ladder.labels import Label
from harness.ladder.parts import ORDERS, SCHEMAS, TEXTS, Checked, decode, sealed
from harness.stats.results import Ints


class Rows(NamedTuple):
    """The games of some blocks and their block sums, tables with the columns of parts but `table`, in stored order."""

    games: pa.Table
    blocks: pa.Table


def rows_of(parts: Mapping[str, Checked], span: Span, numbers: Mapping[int, int], shift: int) -> Rows:
    """Return the rows of the blocks of `span` from the two parts of a chunk.

    parts: by what they hold. numbers: of bots, from theirs to ours. shift: what is added to the numbers of blocks.
    """
    cut = {content: _cut(decode(parts[content], SCHEMAS[content]), span) for content in SCHEMAS}
    moved = {content: _with(table, "block", _column(table, "block") + shift) for content, table in cut.items()}
    games = moved["games"]
    known = np.full(max(numbers, default=-1) + 2, -1)  # the last place is that of no seat, -1
    for theirs, ours in numbers.items():
        known[theirs] = ours
    for name in BOT_COLUMNS:
        games = _with(games, name, known[_column(games, name)])
    return Rows(games, moved["blocks"])


BOT_COLUMNS = [f"bot{seat}" for seat in range(SEATS)]


def _cut(table: pa.Table, span: Span) -> pa.Table:
    first, last = np.searchsorted(_column(table, "block"), (span.first, span.last)).tolist()
    return table.slice(first, last - first)


def _column(table: pa.Table, name: str) -> Ints:
    return np.asarray(table[name].to_numpy())


def _with(table: pa.Table, name: str, values: Ints) -> pa.Table:
    kind = table.schema.field(name).type
    return table.set_column(table.schema.get_field_index(name), name, pa.array(values, kind))


def together(rows: Sequence[Rows]) -> Rows:
    """Return the rows of several ranges of blocks, given in their order."""
    return Rows(pa.concat_tables([own.games for own in rows]), pa.concat_tables([own.blocks for own in rows]))


def between(rows: Rows, first: int, last: int) -> Rows:
    """Return the rows of blocks `first` up to but not `last`."""
    return Rows(*(_cut(table, Span("", first, last)) for table in rows))


def departure(ours: Rows, theirs: Rows) -> str:
    """Return where two rows of the same blocks first differ and in what, empty where they are equal."""
    for content, one, other in zip(SCHEMAS, ours, theirs, strict=True):
        if not one.equals(other):
            return f"{content}: {next(_differences(content, one, other), 'not the same rows')}"
    return ""


def _differences(content: str, one: pa.Table, other: pa.Table) -> Iterator[str]:
    keys = [
        list(zip(*(_column(table, name).tolist() for name in ORDERS[content]), strict=True)) for table in (one, other)
    ]
    if keys[0] != keys[1]:
        return
    kinds = GAME_COLUMNS | BLOCK_COLUMNS
    for row, key in enumerate(keys[0]):
        for name in SCHEMAS[content]:
            mine, theirs = one[name][row].as_py(), other[name][row].as_py()
            if mine != theirs:
                where = ", ".join(f"{name} {value}" for name, value in zip(ORDERS[content], key, strict=True))
                what = "" if kinds[name] in TEXTS else f" {mine} and {theirs}"
                yield f"{where}, {name}{what}"


def files_of(rows: Rows, span: Span, run: str, bots: Mapping[int, str]) -> dict[str, bytes]:
    """Return the two parts of a chunk of a run as files, block sums first; `bots` are what its labels call them."""
    sums, checksum = sealed(Label("blocks", run, span, len(rows.blocks)), _stored(rows.blocks, span))
    seats = np.unique([_column(rows.games, name) for name in BOT_COLUMNS])
    faulty = (_column(rows.games, "faults") > 0) | (_column(rows.games, "forfeits") > 0)
    label = Label(
        "games",
        run,
        span,
        len(rows.games),
        bots={bot: bots[bot] for bot in seats[seats >= 0].tolist()},
        faulty=int(np.count_nonzero(faulty)),
        sums=checksum,
    )
    games, _ = sealed(label, _stored(rows.games, span))
    return {"blocks": sums, "games": games}


def _stored(table: pa.Table, span: Span) -> pa.Table:
    """Return a table with its column `table` before the others, in one piece."""
    kind = pa.DictionaryArray.from_arrays(pa.array([0] * len(table), pa.int8()), [span.table])
    return table.add_column(0, "table", kind).combine_chunks()
