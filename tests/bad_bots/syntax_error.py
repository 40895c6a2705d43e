"""No Python."""

from harness import Bot, Turn


class Broken(Bot)
    def act(self, view)
        return Turn(view.hand[0]
