"""A cluster of two nodes on this machine that loses one again and again: is the table that of an undisturbed run?

    .venv/bin/python benchmarks/cluster.py [KILLS]

The ladder of `benchmarks/kills.py` is run over Ray. The second node has another harness, so that it plays with the one
that is sent along, and it is killed without grace (SIGKILL to its raylet) at random moments; each time another one
joins. Ends with status 1 where the tables differ or the run does not get through.
"""

import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import kills
from ladder.processes import PROJECT, UNRULY
from ladder.ray_cluster import Cluster, cluster_of, other_harness
from ladder.test_run import digest

LADDER = f"{kills.LADDER}executor: {{kind: ray, address: auto}}\n"


def lose_a_node(cluster: Cluster, run: "subprocess.Popen[bytes]", chance: random.Random) -> None:
    """Kill the youngest node at a random moment after it has begun to play."""
    youngest = len(cluster.nodes) - 1
    while not cluster.plays(youngest):
        if run.poll() is not None:
            raise SystemExit("the ladder came to its end before all nodes were killed: give it more blocks")
        time.sleep(0.05)
    time.sleep(chance.uniform(0, 6))
    os.kill(cluster.raylet(youngest), signal.SIGKILL)


def main() -> int:
    """Play, kill, compare, and return 1 when anything is wrong."""
    wanted, chance = int(sys.argv[1]) if len(sys.argv) > 1 else 5, random.Random(1)
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    with tempfile.TemporaryDirectory(prefix="cluster-") as home:
        config, folder, undisturbed = Path(home, "kills.yaml"), Path(home, "killed"), Path(home, "undisturbed")
        config.write_text(LADDER.replace("FILE", str(UNRULY)))
        kills.begin(config, folder)
        own, other = {"PYTHONPATH": str(PROJECT)}, {"PYTHONPATH": other_harness(Path(home))}
        with cluster_of(own, other) as cluster:
            os.environ["RAY_ADDRESS"] = cluster.address
            run = kills.start(config, folder, "ray")
            for number in range(1, wanted + 1):
                lose_a_node(cluster, run, chance)
                stored = len(list(folder.glob("games/part-*.parquet")))
                print(f"{number:3} node {number} killed, {stored} chunks stored", flush=True)
                cluster.add(other)
            status = run.wait()
        kills.begin(config, undisturbed)
        if kills.start(config, undisturbed, "local").wait():
            raise SystemExit("the undisturbed run failed")
        problems = [*kills.faulty_table(folder)]
        problems += [f"status {status}: {kills.log_of(folder).read_text()}"] if status else []
        problems += [] if digest(folder) == digest(undisturbed) else ["the tables differ"]
        print(f"SHA-256 of the table: {digest(folder)}")
    print(*problems or [f"{wanted} nodes killed; the table is that of an undisturbed run"], sep="\n")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
