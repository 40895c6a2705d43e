"""A Ray cluster of two nodes on this machine, each of which can be killed."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ladder.processes import command, descendants

from harness.ladder.child import end_session

START_S = 120.0

SETTINGS = {
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_health_check_initial_delay_ms": "0",
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_timeout_ms": "1000",
}
"""What the nodes are started with: a dead one is noticed within seconds."""


class Cluster:
    """Two nodes of one core each: `processes` holds the first, which keeps the books, and the second."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = f"127.0.0.1:{free_port()}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, options: list[str], environment: Mapping[str, str]) -> None:
        """Start the next node, and wait until it is there."""
        ray = Path(sys.executable).with_name("ray")
        log = self.folder / f"node-{len(self.processes)}.log"
        with log.open("wb") as output:
            node = subprocess.Popen(
                [ray, "start", *options, "--num-cpus=1", "--object-store-memory=100000000", "--block"],
                env={**os.environ, **SETTINGS, **environment},
                start_new_session=True,
                stdout=output,
                stderr=output,
            )
        self.processes.append(node)
        latest = time.monotonic() + START_S
        while b"Ray runtime started" not in log.read_bytes():
            assert node.poll() is None, log.read_text()
            assert time.monotonic() < latest, log.read_text()
            time.sleep(0.1)

    def raylet(self, number: int) -> int:
        """Return the process that runs a node."""
        return next(pid for pid in descendants(self.processes[number].pid) if b"/raylet/raylet" in command(pid))

    def end(self) -> None:
        """End everything."""
        for node in reversed(self.processes):
            node.kill()
            end_session(node.pid)
            node.wait()


def free_port() -> int:
    """Return the number of a port that nobody listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def two_nodes(first: Mapping[str, str], second: Mapping[str, str]) -> Iterator[Cluster]:
    """Yield a running cluster whose nodes have these variables in their environments, besides those of this process."""
    folder = Path(tempfile.mkdtemp(prefix="nodes-", dir="/tmp"))
    cluster = Cluster(folder)
    try:
        port = cluster.address.rpartition(":")[2]
        cluster.start(["--head", f"--port={port}", f"--temp-dir={folder}", "--include-dashboard=false"], first)
        cluster.start([f"--address={cluster.address}"], second)
        yield cluster
    finally:
        cluster.end()
        shutil.rmtree(folder, ignore_errors=True)
