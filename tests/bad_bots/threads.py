"""Bots that leave threads behind."""

import ctypes
import platform
import sys
import threading
import time

from harness import Bot, Turn, View


def spin() -> None:
    while True:
        pass


class Spin(Bot):
    """Thinks on in others' time, in a thread for each game."""

    def __init__(self) -> None:
        self.thread = threading.Thread(target=spin, daemon=True)

    def act(self, view: View) -> Turn:
        if not self.thread.is_alive():
            self.thread.start()
        return Turn(view.hand[0])


class Stay(Bot):
    """A thread that Python would wait for at its end."""

    def __init__(self) -> None:
        self.started = False

    def act(self, view: View) -> Turn:
        if not self.started:
            threading.Thread(target=time.sleep, args=(1000,), daemon=False).start()
            self.started = True
        return Turn(view.hand[0])


class Exiting(Bot):
    """Raises in a thread; that is nobody's fault but the thread's."""

    def act(self, view: View) -> Turn:
        threading.excepthook = lambda args: None
        thread = threading.Thread(target=sys.exit)
        thread.start()
        thread.join()
        return Turn(view.hand[0])


class Headless(Bot):
    """Ends its main thread alone: the process looks as if it had ended, and has not."""

    def act(self, view: View) -> Turn:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
        ctypes.CDLL(None).syscall(93 if platform.machine() == "aarch64" else 60, 0)
        return Turn(view.hand[0])


class Switch(Bot):
    """Never lets go of the interpreter, while a thread of its own spins."""

    def act(self, view: View) -> Turn:
        sys.setswitchinterval(1000)
        threading.Thread(target=spin, daemon=True).start()
        return Turn(view.hand[0])
