"""Worker processes of this machine, each with one chunk at a time, so that a worker's death has one culprit."""

from collections.abc import Iterable
from multiprocessing.connection import Connection, wait

from harness.ladder.answer import result_of
from harness.ladder.backlog import Backlog, Played
from harness.ladder.child import Child
from harness.ladder.chunk import Chunk, ChunkResult
from harness.play.packing import packs
from harness.play.probe import probe
from harness.play.scratch import sweep


class Lane:
    """A place for one of so many workers: its process, started when first needed and after a death, and its chunk."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.worker: Child | None = None
        self.chunk: Chunk | None = None

    def give(self, chunk: Chunk) -> Child:
        """Let a chunk be played here; return the process that does."""
        self.chunk = chunk
        if not self.worker:
            self.worker = Child("harness.ladder.lane")
            self.worker.send((self.workers, probe.known, packs.known))
        self.worker.send(chunk)
        return self.worker

    def take(self) -> tuple[Chunk, ChunkResult | str]:
        """Return its chunk with the result, waiting for it, or with how the worker died instead; it is free again."""
        assert self.worker is not None
        assert self.chunk is not None
        chunk, self.chunk = self.chunk, None
        try:
            return chunk, result_of(self.worker.receive())
        except EOFError:
            how = self.worker.ending()
            self.worker = None
            return chunk, how

    def close(self) -> None:
        """End the process."""
        if self.worker:
            self.worker.end()


class LocalExecutor:
    """Plays in worker processes of this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def play(self, chunks: Iterable[Chunk | None]) -> Played:
        return self.clear(Backlog(chunks))

    def clear(self, backlog: Backlog) -> Played:
        """Play a backlog; results as from `play`."""
        lanes = [Lane(self.workers) for _ in range(self.workers)]
        try:
            while busy := _fill(lanes, backlog):
                done = wait(list(busy))
                for lane in [lane for pipe, lane in busy.items() if pipe in done]:
                    chunk, result = lane.take()
                    if isinstance(result, str):
                        backlog.died(chunk, result)
                    else:
                        _fill(lanes, backlog)  # so that no worker stands idle while the result is stored
                        yield chunk, result
        finally:
            for lane in lanes:
                lane.close()
            sweep()
        backlog.close()


def _fill(lanes: list[Lane], backlog: Backlog) -> dict[Connection, Lane]:
    """Give each free lane a chunk, as far as there are any; return the busy ones by what tells that they are done."""
    for lane in lanes:
        if lane.chunk is None:
            chunk = backlog.next()
            if chunk is None:
                break
            lane.give(chunk)
    return {lane.worker.pipe: lane for lane in lanes if lane.chunk is not None and lane.worker is not None}
