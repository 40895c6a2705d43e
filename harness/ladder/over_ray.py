"""Plays over Ray: on a cluster that runs at an address, or on one that is started here and ends with the run."""

import os
import pickle
import secrets
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from types import TracebackType
from typing import Any, Self

from harness.errors import RunError
from harness.ladder.answer import result_of
from harness.ladder.backlog import Backlog, Played
from harness.ladder.child import Child
from harness.ladder.chunk import Chunk
from harness.ladder.local_pool import LocalExecutor
from harness.ladder.shipping import Parcel
from harness.play.registry import BotSpec
from harness.play.scratch import disk_folder, give_back, own_folder, sweep

START_S = 60.0
"""Seconds after which Ray counts as hung."""

SPARE = 2
"""Chunks waiting beside those being played, so that no worker stands idle."""

SETTINGS = {
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_task_oom_retries": "3",  # left out: without end
}
"""What Ray reads from its environment."""

JOINING = "`ray status` tells whether it runs; where it wants a token, set RAY_AUTH_MODE=token"
GOES_ON = "the same command goes on where the run stopped"


class RayExecutor:
    """Plays over Ray."""

    def __init__(self, workers: int | None, address: str | None, warn: Callable[[str], None]) -> None:
        """Let `workers` (None: one for each core) play, on the cluster at `address` or (None) on this machine alone."""
        self.workers = workers
        self.address = address or _in_use()
        self.warn = warn

    def play(self, chunks: Iterable[Chunk | None]) -> Played:
        backlog = Backlog(chunks)
        first = backlog.next()
        if first is None:
            return
        backlog.give_back(first)
        try:
            session = Session(first.bots, self.workers, self.address)
        except StartError as error:
            if self.address:
                raise RunError(f"the Ray cluster at {self.address} cannot be joined: {error}; {JOINING}") from None
            self.warn(f"Ray cannot be started here: {error}; processes of this machine play instead")
            yield from LocalExecutor(self.workers or _cores()).clear(backlog)
            return
        with session:
            yield from _clear(backlog, session)
        backlog.close()


def _clear(backlog: Backlog, session: "Session") -> Played:
    running: dict[int, Chunk] = {}
    numbers = count()
    while True:
        while len(running) < session.in_flight and (chunk := backlog.next()) is not None:
            number = next(numbers)
            running[number] = chunk
            session.give(number, chunk)
        if not running:
            return
        for number, kind, value in session.next_done():
            chunk = running.pop(number)
            if kind == "answer":
                yield chunk, result_of(pickle.loads(value))
            elif kind == "died":  # each time that Ray has tried it
                backlog.leave_out(chunk, value)
            elif kind == "lost":  # as often, but nodes go away for reasons of their own: Ray gets it anew
                backlog.died(chunk, value)
            else:
                raise RunError(f"Ray failed: {value}; {GOES_ON}")


class StartError(Exception):
    """Ray could not be started or joined."""


class Session:
    """Ray in use: the process that talks to it, its daemons where they were started here, and a folder for all that."""

    def __init__(self, bots: Sequence[BotSpec], workers: int | None, address: str | None) -> None:
        """Start or join Ray for games of these bots; raise StartError where it fails or takes too long."""
        folder = self.folder = own_folder(disk_folder())
        token = {} if address else {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        self.driver = Child("harness.ladder.ray_driver", folder, SETTINGS | token, quiet=True)
        try:
            self.parcel = Parcel(bots, folder / "parcel") if address else None
            options: dict[str, Any] = {"address": "local", "num_cpus": workers or _cores(), "_temp_dir": str(folder)}
            if self.parcel:
                options = {"address": address, "runtime_env": {"working_dir": str(self.parcel.folder)}}
            cores = self._start(options)
        except BaseException:
            self.end()
            raise
        self.in_flight = workers if address and workers else cores + SPARE

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    def end(self) -> None:
        """End the process and what was started here, and delete what it all left."""
        self.driver.end()
        give_back(self.folder)
        sweep()

    def _start(self, options: dict[str, Any]) -> int:
        self.driver.send((options, self.parcel.house if self.parcel else None, options.get("num_cpus")))
        if not self.driver.pipe.poll(START_S):
            raise StartError(f"it did not answer within {START_S:g} s")
        try:
            said, value = self.driver.receive()
        except EOFError:
            raise StartError(f"its process ended with {self.driver.ending()}") from None
        if said == "failed":
            raise StartError(value)
        return int(value)

    def give(self, number: int, chunk: Chunk) -> None:
        """Hand out a chunk."""
        packed = self.parcel.packed(chunk) if self.parcel else chunk
        self.driver.send((number, pickle.dumps(packed)))

    def next_done(self) -> list[tuple[int, str, Any]]:
        """Wait for what is done next and return it as `ray_driver` tells it."""
        self.driver.send(None)
        try:
            done: list[tuple[int, str, Any]] = self.driver.receive()
        except EOFError:
            raise RunError(f"Ray ended in the middle of the run ({self.driver.ending()}); {GOES_ON}") from None
        return done


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _in_use() -> str | None:
    """Return the address of the Ray that this process uses already, as a notebook may."""
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        return None
    return str(ray.get_runtime_context().gcs_address)
