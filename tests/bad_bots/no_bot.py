"""Holds no bot at all."""

Nobody = 0
