"""Never finishes its import."""

from harness import Bot

while True:
    pass


class Hang(Bot): ...
