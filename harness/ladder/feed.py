"""What an executor is fed: the chunks of a run that are not stored yet, round by round."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import pandas as pd

from harness.ladder.chunk import Chunk, ChunkResult, Span
from harness.ladder.exclusion import PLACE_COLUMNS, Exclusion
from harness.ladder.labels import Label
from harness.ladder.learnt import LEARNT_COLUMNS
from harness.ladder.manifest import Manifest
from harness.ladder.rounds import Games
from harness.ladder.schedule import Stretch, blocks, games_in_block
from harness.ladder.standing import STANDING_COLUMNS
from harness.ladder.store import Store

Decide = Callable[[Manifest, Games], tuple[Stretch, ...]]
"""Returns the stretches that a manifest is to have next, given the games stored so far: `rounds.next_round`."""


class Part(NamedTuple):
    """A chunk before its blocks are worked out: where it lies, and in which stretch."""

    span: Span
    stretch: Stretch


def parts_of(manifest: Manifest, stretches: Sequence[Stretch]) -> Iterator[Part]:
    """Yield the parts of stretches, in their order: a fixed grid of blocks, cut where stretches end."""
    for stretch in stretches:
        size = blocks_in_chunk(manifest, stretch.table)
        cuts = [*range(stretch.first // size * size + size, stretch.last, size), stretch.last]
        for first, last in zip([stretch.first, *cuts[:-1]], cuts, strict=True):
            yield Part(Span(stretch.table, first, last), stretch)


def blocks_in_chunk(manifest: Manifest, table: str) -> int:
    """Return the blocks of a chunk of this kind of table."""
    rules = manifest.kinds[table]
    return max(1, manifest.chunk_games // (6 if rules.teams else rules.players))


def chunk_of(manifest: Manifest, part: Part) -> Chunk:
    """Work out the blocks of a part."""
    rules = manifest.kinds[part.span.table]
    own = blocks(part.stretch, rules, manifest.fill, range(part.span.first, part.span.last))
    seed, shift = part.stretch.seed or manifest.seed, part.stretch.shift
    return Chunk(seed, part.span.table, rules, manifest.bots, tuple(own), manifest.limits, shift=shift)


def chunks_of(manifest: Manifest) -> Iterator[Chunk]:
    """Yield all chunks of a schedule, in its order."""
    return (chunk_of(manifest, part) for part in parts_of(manifest, manifest.stretches))


class Feed:
    """The chunks that an executor is to play, each until `note` hears that it is stored.

    What is decided next is written to the manifest before any of it is handed out.
    """

    def __init__(
        self, store: Store, manifest: Manifest, config_text: str, stored: Mapping[str, Label], decide: Decide | None
    ) -> None:
        """Feed what is missing of a manifest, then what is decided; `decide` None: nothing comes after it."""
        self.manifest = manifest
        self._store = store
        self._config_text = config_text
        self._stored = stored
        self._decide = decide
        self._exclusion = Exclusion(manifest)
        self._everybody_is_trusted = all(spec.level == "trusted" for spec in manifest.bots)
        self._numbers: dict[Span, int] = {}
        self._waiting: dict[Span, Part] = {}
        self._begin(manifest.stretches)

    @property
    def games(self) -> int:
        """How many games the schedule holds so far."""
        return sum(stretch.size * self._games_in_block(stretch) for stretch in self.manifest.stretches)

    @property
    def missing(self) -> int:
        """How many of these are not stored."""
        parts = self._waiting.values()
        return sum((part.span.last - part.span.first) * self._games_in_block(part.stretch) for part in parts)

    def _games_in_block(self, stretch: Stretch) -> int:
        return games_in_block(stretch, self.manifest.kinds[stretch.table], self.manifest.fill)

    def note(self, chunk: Chunk, result: ChunkResult) -> None:
        """Take in that a chunk is stored."""
        del self._waiting[chunk.span]
        self._exclusion.note(self._numbers[chunk.span], chunk.table, result.games)

    def __iter__(self) -> Iterator[Chunk | None]:
        """Yield what is to be played; None as long as it is not known what comes next, or who is out of it."""
        while True:
            for part in list(self._waiting.values()):
                while (out := self._out_of(part)) is None:
                    yield None
                yield replace(chunk_of(self.manifest, part), out=out)
            if self._decide is None:
                return
            while self._waiting:
                yield None
            more = self._decide(self.manifest, self._games)
            if not more:
                return
            self.manifest = replace(self.manifest, stretches=(*self.manifest.stretches, *more))
            self._store.write_manifest(self.manifest, self._config_text)
            self._begin(more)

    def _begin(self, stretches: Sequence[Stretch]) -> None:
        """Number the chunks of these stretches, and take in what is stored of them."""
        self._exclusion.manifest = self.manifest
        for part in parts_of(self.manifest, stretches):
            number = self._numbers[part.span] = len(self._numbers)
            if part.span.name not in self._stored:
                self._waiting[part.span] = part
            elif not self._everybody_is_trusted:
                label = self._stored[part.span.name]
                faulty = self._store.faulty_games(label, [*PLACE_COLUMNS, *STANDING_COLUMNS])
                self._exclusion.note(number, part.span.table, faulty)

    def _out_of(self, part: Part) -> tuple[int, ...] | None:
        """Return the bots that are out of a part; None while a chunk that decides it is still being played."""
        return () if self._everybody_is_trusted else self._exclusion.before(self._numbers[part.span])

    def _games(self) -> pd.DataFrame | None:
        return self._store.games(LEARNT_COLUMNS) if self._store.stored() else None
