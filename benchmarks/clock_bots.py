"""A bot that uses so much CPU time for each decision, and no more. Used by `clock.py`."""

import time
from typing import ClassVar

from harness import Bot, Turn, View


class Paced(Bot):
    """Uses `ms` of CPU time from the end of one decision to the end of the next, so all between the two is in it.

    From its `slow_at`-th decision in a game on, the first being 1, `slow_ms`. It measures the time of its whole
    process, as the harness does from outside.
    """

    ended: ClassVar[float] = 0.0

    def __init__(self, ms: float, slow_ms: float = 0.0, slow_at: int = 0) -> None:
        self.seconds, self.slow_seconds, self.slow_at = ms / 1000, slow_ms / 1000, slow_at
        self.decisions = 0

    def act(self, view: View) -> Turn:
        self.decisions += 1
        is_slow = 0 < self.slow_at <= self.decisions
        end = (Paced.ended or time.process_time()) + (self.slow_seconds if is_slow else self.seconds)
        while time.process_time() < end:
            pass
        Paced.ended = time.process_time()
        return Turn(view.hand[0])
