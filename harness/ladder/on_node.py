"""What a Ray worker runs. Ray carries these functions by value: a node need not have this harness.

So nothing here is imported from it before `find_house` has seen to it that it is the same as the sender's.
"""

import hashlib
import importlib.util
import os
import pickle
import sys
from contextlib import nullcontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.ladder.answer import Answer
    from harness.ladder.chunk import Chunk

SENT = "boss_sent"
"""The folder of what is sent along, in the working folder that Ray lays out on each node."""

HOUSE = "house"
"""The folder there that holds the packages `harness` and `bots`."""


def play(chunk: bytes, house: str | None, workers: int | None) -> bytes:
    """Play a pickled chunk and return its pickled answer.

    house: `house_hash` of the sender's harness, where files were sent along; None where this is the sender's machine.
    workers: how many play on this machine; None for one on each core.
    """
    workers = workers or len(os.sched_getaffinity(0))
    if house is None:
        return pickle.dumps(played(pickle.loads(chunk), workers))
    sent = find_sent()
    find_house(house, sent)
    from harness.ladder.shipping import unpacked

    return pickle.dumps(played(unpacked(pickle.loads(chunk), sent), workers))


def played(chunk: "Chunk", workers: int) -> "Answer":
    """Play a chunk, on a share of the cores where bots have processes."""
    from harness.ladder.answer import answer
    from harness.play.cores import own_cores

    with own_cores(workers) if chunk.asks_processes else nullcontext(1) as cores:
        return answer(chunk, cores)


def find_sent() -> str:
    """Return the folder of what was sent along; the working folder is on Python's path, and a bot may have left it."""
    return next(folder for path in sys.path if os.path.isdir(folder := os.path.join(path, SENT)))


def find_house(expected: str, sent: str) -> None:
    """Make `harness` the node's own where it has this very one, with its compiled kernels; else the one sent along."""
    if "harness" not in sys.modules:
        own = importlib.util.find_spec("harness")
        if own is None or own.origin is None or house_hash(os.path.dirname(os.path.dirname(own.origin))) != expected:
            sys.path.insert(0, os.path.join(sent, HOUSE))
            importlib.invalidate_caches()


def house_hash(folder: str) -> str:
    """Return the hash of all Python files of the packages `harness` and `bots` in a folder."""
    digest = hashlib.blake2b(digest_size=16)
    for package in ("harness", "bots"):
        for place, folders, files in os.walk(os.path.join(folder, package)):
            folders.sort()
            for name in sorted(files):
                if name.endswith(".py"):
                    path = os.path.join(place, name)
                    with open(path, "rb") as file:
                        digest.update(os.path.relpath(path, folder).encode() + b"\0" + file.read() + b"\0")
    return digest.hexdigest()
