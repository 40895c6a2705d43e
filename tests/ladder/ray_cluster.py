"""Ray clusters of several nodes on this machine, each of which can be killed."""

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

from bad_bots.arena import command
from ladder.processes import descendants

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
    """Nodes of one core each, of which the first keeps the books; `nodes` are the processes that lead them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = f"127.0.0.1:{free_port()}"
        self.nodes: list[subprocess.Popen[bytes]] = []

    def begin(self, environment: Mapping[str, str]) -> None:
        """Start the first node, with these variables besides those of this process."""
        port = self.address.rpartition(":")[2]
        self._start(["--head", f"--port={port}", f"--temp-dir={self.folder}", "--include-dashboard=false"], environment)

    def add(self, environment: Mapping[str, str]) -> None:
        """Start one more node."""
        self._start([f"--address={self.address}"], environment)

    def _start(self, options: list[str], environment: Mapping[str, str]) -> None:
        ray = Path(sys.executable).with_name("ray")
        log = self.folder / f"node-{len(self.nodes)}.log"
        with log.open("wb") as output:
            node = subprocess.Popen(
                [ray, "start", *options, "--num-cpus=1", "--object-store-memory=100000000", "--block"],
                env={**os.environ, **SETTINGS, **environment},
                start_new_session=True,
                stdout=output,
                stderr=output,
            )
        self.nodes.append(node)
        latest = time.monotonic() + START_S
        while b"Ray runtime started" not in log.read_bytes():
            assert node.poll() is None, log.read_text()
            assert time.monotonic() < latest, log.read_text()
            time.sleep(0.1)

    def raylet(self, number: int) -> int:
        """Return the process that runs a node."""
        return next(pid for pid in descendants(self.nodes[number].pid) if b"/raylet/raylet" in command(pid))

    def plays(self, number: int) -> bool:
        """Return whether a chunk is being played on a node."""
        return any(b"ray::play" in command(pid) for pid in descendants(self.nodes[number].pid))

    def end(self) -> None:
        """End everything."""
        for node in reversed(self.nodes):
            node.kill()
            end_session(node.pid)
            node.wait()


def free_port() -> int:
    """Return the number of a port that nobody listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def other_harness(folder: Path) -> str:
    """Return a folder with a package `harness` that is another; a node that has it on its path cannot play by it."""
    package = folder / "other" / "harness"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise AssertionError('not the one that was sent along')")
    return str(package.parent)


@contextmanager
def cluster_of(*environments: Mapping[str, str]) -> Iterator[Cluster]:
    """Yield a running cluster with a node for each of these environments."""
    folder = Path(tempfile.mkdtemp(prefix="nodes-", dir="/tmp"))
    cluster = Cluster(folder)
    try:
        cluster.begin(environments[0])
        for environment in environments[1:]:
            cluster.add(environment)
        yield cluster
    finally:
        cluster.end()
        shutil.rmtree(folder, ignore_errors=True)
