"""Exits at its import."""

import sys

from harness import Bot

sys.exit(0)


class Exit(Bot): ...
