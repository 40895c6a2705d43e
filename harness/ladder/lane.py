"""A worker process of the local pool: plays the chunks it is sent, one after another."""

import sys

from harness.ladder.answer import answer
from harness.ladder.child import Parent
from harness.play.packing import packs
from harness.play.probe import probe


def main() -> None:
    """Play until the process that started this one ends it."""
    parent = Parent(sys.argv[1:])
    workers, probe.known, packs.known = parent.inbox.get()
    while True:
        parent.send(answer(parent.inbox.get(), workers))


if __name__ == "__main__":
    main()
