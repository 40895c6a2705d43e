"""Where chunks are played: in this process, in worker processes here, or over Ray.

Every executor takes an iterator of chunks and yields (chunk, result) as they are done, in any order, with only so
many in flight that memory stays bounded. Results do not depend on which of them plays. A chunk whose worker dies is
played again; one that no worker survives is left out, all others are played, and RunError names it.
"""

import os
from collections.abc import Callable, Iterable
from typing import Protocol

from harness.ladder.backlog import Played
from harness.ladder.chunk import Chunk, play_chunk
from harness.ladder.local_pool import LocalExecutor
from harness.ladder.over_ray import RayExecutor
from harness.play.nursery import Nurseries


class Executor(Protocol):
    """Plays chunks."""

    def play(self, chunks: Iterable[Chunk | None]) -> Played:
        """Yield each chunk with its result when it is done, in any order.

        None among `chunks` says that the next one waits for results of those that are being played.
        """


def executor_of(kind: str, workers: int | None, address: str | None, warn: Callable[[str], None]) -> Executor:
    """Return the executor a config asks for; `workers` None means one for each core.

    `warn` hears one sentence where Ray cannot be started here and processes of this machine play instead.
    """
    if kind == "ray":
        return RayExecutor(workers, address, warn)
    count = workers or len(os.sched_getaffinity(0))
    return HereExecutor() if count == 1 else LocalExecutor(count)


class HereExecutor:
    """Plays in this process, one chunk after another; bots' processes use the other cores."""

    def play(self, chunks: Iterable[Chunk | None]) -> Played:
        cores = len(os.sched_getaffinity(0))
        with Nurseries() as first, Nurseries() as fresh:
            for chunk in chunks:
                assert chunk is not None, "all before it are played"
                yield chunk, play_chunk(chunk, cores, (first, fresh))
