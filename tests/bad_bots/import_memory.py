"""Eats all memory at its import."""

from harness import Bot, Turn, View

MEAL = bytearray(64 << 30)


class Memory(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])
