"""Bots that never answer: in Python, in C, asleep, or waiting for what never comes."""

import itertools
import os
import re
import select
import signal
import threading
import time

from harness import Bot, Turn, View


class Loop(Bot):
    def act(self, view: View) -> Turn:
        while True:
            pass


class Sleep(Bot):
    def act(self, view: View) -> Turn:
        time.sleep(100)
        return Turn(view.hand[0])


class Lock(Bot):
    def act(self, view: View) -> Turn:
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()
        return Turn(view.hand[0])


class Regex(Bot):
    """Backtracks in C for longer than the sun will shine."""

    def act(self, view: View) -> Turn:
        re.match(r"(a+)+$", "a" * 64 + "b")
        return Turn(view.hand[0])


class HugePower(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[0], signal=10 ** (10**9))


class Exhaust(Bot):
    """An endless loop that runs in C alone and never looks at signals."""

    def act(self, view: View) -> Turn:
        for _ in zip(itertools.repeat(0), filter(None, itertools.repeat(0)), strict=False):
            pass
        return Turn(view.hand[0])


class Deaf(Bot):
    """Ignores every signal that can be ignored, then loops."""

    def act(self, view: View) -> Turn:
        for number in signal.valid_signals():
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True:
            pass


class Swallow(Bot):
    """Loops, and swallows whatever is thrown into the loop."""

    def act(self, view: View) -> Turn:
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue


class Join(Bot):
    """Waits for a thread that sleeps."""

    def act(self, view: View) -> Turn:
        thread = threading.Thread(target=time.sleep, args=(100,))
        thread.start()
        thread.join()
        return Turn(view.hand[0])


class Poll(Bot):
    """Waits for a pipe of its own that nobody writes to."""

    def act(self, view: View) -> Turn:
        reader, _ = os.pipe()
        select.select([reader], [], [])
        return Turn(view.hand[0])


class Pause(Bot):
    def act(self, view: View) -> Turn:
        signal.pause()
        return Turn(view.hand[0])


class Busy(Bot):
    """Never hangs, but takes several times its limit for each decision: its bank runs dry."""

    def act(self, view: View) -> Turn:
        end = time.process_time() + 0.15
        while time.process_time() < end:
            pass
        return Turn(view.hand[0])


class Dozes(Bot):
    """Answers each time, and well within the time to hang: but it has slept before."""

    def act(self, view: View) -> Turn:
        time.sleep(0.3)
        return Turn(view.hand[0])


class Late(Bot):
    """Fast in the first hand; stalls in the second."""

    def act(self, view: View) -> Turn:
        while view.hand_number >= 2:
            pass
        return Turn(view.hand[0])


class Losing(Bot):
    """Stalls as soon as somebody else has more money."""

    def act(self, view: View) -> Turn:
        while view.money[view.side] < max(view.money):
            pass
        return Turn(view.hand[0])


class Last(Bot):
    """Hangs in the last turn of a hand, when its placement would have mattered most."""

    def act(self, view: View) -> Turn:
        if view.is_last_turn:
            time.sleep(100)
        return Turn(view.hand[0])


class Brink(Bot):
    """Stays within its limits always, though not by much: honest."""

    def act(self, view: View) -> Turn:
        end = time.process_time() + 0.005
        while time.process_time() < end:
            pass
        return Turn(view.hand[0])


class AnswerThenHang(Bot):
    """Answers well, and leaves a destructor that never ends."""

    def act(self, view: View) -> Turn:
        self.__class__.grave = Endless()
        del self.__class__.grave
        return Turn(view.hand[0])


class Endless:
    def __del__(self) -> None:
        while True:
            pass


class Partner(Bot):
    """A good partner until it comes to who loses an expert."""

    def act(self, view: View) -> Turn:
        place = next(iter(view.ways_to_lead()), None)
        return Turn(view.hand[0], place)

    def choose_loss(self, view: View, seats: tuple[int, ...]) -> int:
        while True:
            pass
