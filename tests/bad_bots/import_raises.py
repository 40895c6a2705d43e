"""Raises at its import."""

from harness import Bot

raise RuntimeError("\x1b[31mnot importable\x1b[0m " * 1000)


class Raises(Bot): ...
