"""Where chunks are played: in this process, in worker processes here, or over Ray.

Every executor takes an iterator of chunks and yields (chunk, result) as they are done, in any order, with only so
many in flight that memory stays bounded. Results do not depend on which of them plays.
"""

import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Protocol

from harness.errors import RunError
from harness.ladder.chunk import Chunk, ChunkResult, play_chunk

SPARE = 2
"""Chunks waiting beside those being played, so that no worker stands idle."""


class Executor(Protocol):
    """Plays chunks."""

    def play(self, chunks: Iterable[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        """Yield each chunk with its result when it is done, in any order.

        None among `chunks` says that the next one waits for results of those that are being played.
        """


def executor_of(kind: str, workers: int | None, address: str | None) -> Executor:
    """Return the executor a config asks for; `workers` None means one for each core."""
    if kind == "ray":
        return RayExecutor(workers, address)
    count = workers or len(os.sched_getaffinity(0))
    return HereExecutor() if count == 1 else LocalExecutor(count)


def ready(source: Iterator[Chunk | None], most: int) -> Iterator[Chunk]:
    """Yield at most so many chunks of a source, up to its next None."""
    for chunk in islice(source, most):
        if chunk is None:
            return
        yield chunk


class HereExecutor:
    """Plays in this process, one chunk after another."""

    def play(self, chunks: Iterable[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        for chunk in chunks:
            assert chunk is not None, "all before it are played"
            yield chunk, play_chunk(chunk)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which stops its workers in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class LocalExecutor:
    """Plays in worker processes of this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def play(self, chunks: Iterable[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        context = multiprocessing.get_context("spawn")  # a fork would copy the threads of numba and pyarrow halfway
        pool = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_ignore_interrupts)
        source = iter(chunks)
        running: dict[Future[ChunkResult], Chunk] = {}
        try:
            while True:
                for chunk in ready(source, self.workers + SPARE - len(running)):
                    running[pool.submit(play_chunk, chunk)] = chunk
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        except BrokenProcessPool:
            raise RunError("a worker process died; the same command goes on where the run stopped") from None
        finally:
            workers = list((pool._processes or {}).values())  # shutdown forgets them
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.terminate()


class RayExecutor:
    """Plays over Ray: on a cluster that runs at `address`, or on one started here."""

    def __init__(self, workers: int | None, address: str | None) -> None:
        self.workers = workers
        self.address = address

    def play(self, chunks: Iterable[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        import ray

        ours = not ray.is_initialized()  # a notebook may have started it for more than this
        if ours:
            self._connect(ray)
        try:
            yield from self._play(ray, iter(chunks))
        finally:
            if ours:
                ray.shutdown()

    def _connect(self, ray: Any) -> None:
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if self.address:
            options["address"] = self.address
        else:
            options |= {"num_cpus": self.workers, "include_dashboard": False}
        try:
            ray.init(**options)
        except (ConnectionError, RuntimeError, ValueError) as error:
            where = f"at {self.address}" if self.address else "here"
            raise RunError(f"Ray cannot be reached or started {where}: {error}") from None

    def _play(self, ray: Any, source: Iterator[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        in_flight = int(ray.cluster_resources().get("CPU", 1)) + SPARE
        if self.workers:  # a cluster has other cores, too: as many chunks as workers wanted keep to them
            in_flight = self.workers if self.address else self.workers + SPARE
        task = ray.remote(num_cpus=1)(play_chunk)
        running: dict[Any, Chunk] = {}
        while True:
            for chunk in ready(source, in_flight - len(running)):
                running[task.remote(chunk)] = chunk
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1)
            for reference in done:
                chunk = running.pop(reference)
                try:
                    result = ray.get(reference)
                except ray.exceptions.RayError as error:
                    raise RunError(f"chunk {chunk.name} failed on Ray: {error}") from None
                yield chunk, result
