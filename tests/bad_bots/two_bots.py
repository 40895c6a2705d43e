"""Holds two bots; what it calls the third is none."""

from harness import Bot


class One(Bot): ...


class Two(Bot): ...


Three = One, Two
