"""Ends its process at its import."""

import os

from harness import Bot

os._exit(0)


class Crash(Bot): ...
