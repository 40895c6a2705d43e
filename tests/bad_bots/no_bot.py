"""Holds no bot at all."""

NOTHING = 0
