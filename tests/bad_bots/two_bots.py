"""Holds two bots, so that the file alone names none."""

from harness import Bot


class One(Bot): ...


class Two(Bot): ...
