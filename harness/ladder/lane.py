"""A worker process of the local pool: plays the chunks it is sent, one after another."""

import sys

from harness.ladder.answer import answer
from harness.ladder.child import Parent
from harness.play.nursery import Nurseries
from harness.play.packing import packs
from harness.play.probe import probe


def main() -> None:
    """Play until the process that started this one ends it."""
    parent = Parent(sys.argv[1:])
    workers, probe.known, packs.known = parent.inbox.get()
    with Nurseries() as first, Nurseries() as fresh:
        while True:
            parent.send(answer(parent.inbox.get(), workers, (first, fresh)))


if __name__ == "__main__":
    main()
