"""Forks at its import."""

import os

from harness import Bot, Turn, View

while True:
    os.fork()


class Fork(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])
