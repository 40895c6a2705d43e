"""What comes back from wherever a chunk was played: its result, or what it raised."""

import traceback
from dataclasses import dataclass

from harness.errors import BossError, RunError
from harness.ladder.chunk import Chunk, ChunkResult, play_chunk
from harness.play.nursery import Nurseries


@dataclass(frozen=True)
class Raised:
    """What a chunk raised instead of a result."""

    error: Exception


Answer = ChunkResult | Raised


def answer(chunk: Chunk, cores: int, nurseries: tuple[Nurseries, Nurseries] | None = None) -> Answer:
    """Play a chunk (see `play_chunk`); return what it raises, too."""
    try:
        return play_chunk(chunk, cores, nurseries)
    except (BossError, RunError) as error:
        return Raised(error)
    except Exception:  # a fault of ours: its own class, or what it holds, may not be fit to be sent
        return Raised(RuntimeError(f"chunk {chunk.name} failed in its worker:\n{traceback.format_exc()}"))


def result_of(answer: Answer) -> ChunkResult:
    """Return the result, or raise what was raised instead."""
    if isinstance(answer, Raised):
        raise answer.error
    return answer
