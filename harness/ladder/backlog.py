"""Chunks still to be played: which is next, which is tried again, and which is left out.

A worker that dies takes its chunk with it, which is then played again: it is a function of its values alone, so that
nothing is counted twice. A chunk that no worker survives is left out in the end, and the run names it.
"""

from collections import Counter
from collections.abc import Generator, Iterable

from harness.errors import RunError
from harness.ladder.chunk import Chunk, ChunkResult
from harness.play.registry import BotSpec, builtin_names

Played = Generator[tuple[Chunk, ChunkResult]]
"""What an executor yields; whoever leaves it early closes it, which ends its workers."""

TRIES = 4
"""How often a chunk is given to a worker that then dies."""


class Backlog:
    """The chunks of a run, as they can be played."""

    def __init__(self, chunks: Iterable[Chunk | None]) -> None:
        self._source = iter(chunks)
        self._again: list[Chunk] = []
        self._deaths: Counter[str] = Counter()
        self._left_out: list[tuple[Chunk, str]] = []

    def next(self) -> Chunk | None:
        """Return a chunk to be played now; None when there is no more, or none before results of others are in."""
        return self._again.pop() if self._again else next(self._source, None)

    def give_back(self, chunk: Chunk) -> None:
        """Take back a chunk that has not been played."""
        self._again.append(chunk)

    def died(self, chunk: Chunk, how: str) -> None:
        """Note that a worker ended over a chunk, which is then tried again or left out; `how` says by what."""
        self._deaths[chunk.name] += 1
        if self._deaths[chunk.name] < TRIES:
            self._again.append(chunk)
        else:
            self.leave_out(chunk, how)

    def leave_out(self, chunk: Chunk, how: str) -> None:
        """Give up a chunk."""
        self._left_out.append((chunk, how))

    def close(self) -> None:
        """Raise RunError where a chunk was left out; all that could be played has been."""
        if self._left_out:
            told = "; ".join(_told(chunk, how) for chunk, how in self._left_out[:3])
            more = len(self._left_out) - 3
            others = f"; and so with {more} more" if more > 0 else ""
            raise RunError(
                f"{told}{others}. All other games that could be played are stored; the same command tries again"
            )


def _told(chunk: Chunk, how: str) -> str:
    blocks = f"{chunk.table}, blocks {chunk.blocks[0].index} to {chunk.blocks[-1].index}"
    text = f"chunk {chunk.name} ({blocks}) is left out, for its worker ended each time it was played ({how})"
    names = ", ".join(f"{spec.name} ({spec.reference})" for spec in suspects(chunk))
    if not names:
        return f"{text}; no bot runs in the worker itself, so look at the memory of this machine"
    return f"{text}; suspected, because they run in the worker itself: {names}: give them level: jailed, or mend them"


def suspects(chunk: Chunk) -> list[BotSpec]:
    """Return the bots that can end a worker: those without a process of their own, from outside if there are any."""
    seated = sorted({bot for block in chunk.blocks for bot in block.lineup} - set(chunk.out))
    inside = [chunk.bots[bot] for bot in seated if chunk.bots[bot].level == "trusted"]
    return [spec for spec in inside if spec.reference not in builtin_names()] or inside
