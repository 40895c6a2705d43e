"""A worker process of the local pool: plays the chunks it is sent, one after another."""

import sys

from harness.ladder.answer import answer
from harness.ladder.child import Parent


def main() -> None:
    """Play until the process that started this one ends it."""
    parent = Parent(sys.argv[1:])
    while True:
        parent.send(answer(parent.inbox.get()))


if __name__ == "__main__":
    main()
