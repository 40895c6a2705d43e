"""Cores for a worker.

A worker and a bot's process take turns: one asks, the other answers. Where each worker keeps such pairs together on
cores of its own, none of them waits for a core that another worker's bot has; where the system moves them about, two
workers on two cores play little faster than one.
"""

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

NAME = "boss-core"
"""How the names begin by which processes tell each other which cores they have."""


@contextmanager
def own_cores(workers: int) -> Iterator[int]:
    """Keep this thread, and the processes it starts, to one of `workers` equal shares of the cores that it may use.

    Yields how many cores that are. Where others have all shares, another harness or more workers than there are cores,
    it shares the one that fewest have.
    """
    allowed = sorted(os.sched_getaffinity(0))
    shares = [allowed[first::workers] for first in range(min(workers, len(allowed)))]
    with socket.socket(socket.AF_UNIX) as taken:
        own = next(share for others in count() for share in shares if _takes(taken, share, others))
        os.sched_setaffinity(0, own)
        try:
            yield len(own)
        finally:
            os.sched_setaffinity(0, allowed)


def _takes(taken: socket.socket, share: list[int], others: int) -> bool:
    """Take a share of the cores beside so many others if no more have it: by a name that goes when its holder ends."""
    try:
        taken.bind(f"\0{NAME}-{share[0]}-{others}")
    except OSError as error:
        return error.errno != errno.EADDRINUSE  # where no such name can be had, nobody keeps out of anybody's way
    return True
