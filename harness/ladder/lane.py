"""A worker process of the local pool: plays the chunks it is sent, one after another."""

import sys
from contextlib import ExitStack

from harness.ladder.answer import answer
from harness.ladder.child import Parent
from harness.play.cores import own_cores
from harness.play.nursery import Nurseries
from harness.play.packing import packs
from harness.play.probe import probe


def main() -> None:
    """Play until the process that started this one ends it."""
    parent = Parent(sys.argv[1:])
    workers, probe.known, packs.known = parent.inbox.get()
    cores = 0
    with Nurseries() as first, Nurseries() as fresh, ExitStack() as kept:
        while True:
            chunk = parent.inbox.get()
            if chunk.asks_processes and not cores:  # before the first of them starts: they stay where it was started
                cores = kept.enter_context(own_cores(workers))
            parent.send(answer(chunk, cores or 1, (first, fresh)))


if __name__ == "__main__":
    main()
