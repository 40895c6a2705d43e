"""Sleeps at its import."""

import time

from harness import Bot

time.sleep(1000)


class Sleep(Bot): ...
