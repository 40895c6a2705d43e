"""The process that talks to Ray for a run: starts or joins it, hands out chunks, and sends back answers.

It is a process of its own because Ray can hang when it starts, ends its driver when its daemons die, and leaves
daemons behind: all of that ends with this process and its session.

    is sent                          sends back
    options of `ray.init`, house,    ("ready", cores) or ("failed", why)
      workers on each machine
    (number, pickled chunk)          nothing: the chunk is handed out
    None                             (number, "answer", pickled answer), (number, "died", how) of its worker,
                                     (number, "lost", how) with its node or (number, "failed", why), a list of those
                                     that are done next
"""

import logging
import sys
from typing import Any

import ray
from ray.exceptions import NodeDiedError, ObjectLostError, OutOfMemoryError, RayError, WorkerCrashedError

from harness.ladder import on_node
from harness.ladder.child import Parent

RETRIES = 3
"""How often Ray gives a chunk to another worker when one has died."""

DEATHS = {
    WorkerCrashedError: "its process ended",
    OutOfMemoryError: "its machine was short of memory",
}
"""How a worker can end over a chunk."""

LOSSES = {
    NodeDiedError: "its node went away",
    ObjectLostError: "its node went away with the result",
}
"""How a chunk can be lost for no fault of its own; any other error is one of Ray as a whole."""


def main() -> None:
    """Start or join Ray and play until the process that started this one ends it."""
    parent = Parent(sys.argv[1:])
    options, house, workers = parent.inbox.get()
    try:
        cores = connect(options)
    except Exception as error:
        parent.send(("failed", in_short(error)))
        return
    parent.send(("ready", cores))
    ray.cloudpickle.register_pickle_by_value(on_node)  # type: ignore[no-untyped-call]
    task = ray.remote(num_cpus=1, max_retries=RETRIES, scheduling_strategy="SPREAD")(on_node.play)
    running: dict[Any, int] = {}
    while True:
        message = parent.inbox.get()
        if message is None:
            done, _ = ray.wait(list(running), num_returns=1)
            parent.send([outcome(running.pop(reference), reference) for reference in done])
        else:
            number, chunk = message
            running[task.remote(chunk, house, workers)] = number


def connect(options: dict[str, Any]) -> int:
    """Start or join Ray; return how many cores it has."""
    ray.init(**options, log_to_driver=False, logging_level=logging.ERROR)
    return int(ray.cluster_resources().get("CPU", 1))  # type: ignore[no-untyped-call]


def outcome(number: int, reference: Any) -> tuple[int, str, Any]:
    """Return what came of a chunk."""
    try:
        return number, "answer", ray.get(reference)
    except RayError as error:
        for ending, kinds in (("died", DEATHS), ("lost", LOSSES)):
            for kind, how in kinds.items():
                if isinstance(error, kind):
                    return number, ending, how
        return number, "failed", in_short(error)


def in_short(error: Exception) -> str:
    """Return the first line of an error that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


if __name__ == "__main__":
    main()
