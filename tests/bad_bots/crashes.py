"""Bots whose process ends: by their own hand, by a signal, by a broken interpreter."""

import ctypes
import faulthandler
import os
import resource
import signal
import sys
import threading
from types import CodeType

from harness import Bot, Turn, View


class Exit0(Bot):
    def act(self, view: View) -> Turn:
        os._exit(0)


class Exit7(Bot):
    def act(self, view: View) -> Turn:
        os._exit(7)


class Abort(Bot):
    def act(self, view: View) -> Turn:
        os.abort()


class Segfault(Bot):
    def act(self, view: View) -> Turn:
        ctypes.string_at(0)
        return Turn(view.hand[0])


class FaultHandler(Bot):
    def act(self, view: View) -> Turn:
        faulthandler._sigsegv()
        return Turn(view.hand[0])


class KillSelf(Bot):
    def act(self, view: View) -> Turn:
        os.kill(os.getpid(), signal.SIGKILL)
        return Turn(view.hand[0])


class RaiseSignal(Bot):
    """Terminates itself by a signal sent to its own thread, which needs no right to kill."""

    def act(self, view: View) -> Turn:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)
        return Turn(view.hand[0])


class RealTime(Bot):
    """Ends itself by a signal that has a number and no name."""

    def act(self, view: View) -> Turn:
        signal.raise_signal(signal.SIGRTMIN + 6)
        return Turn(view.hand[0])


class StopSelf(Bot):
    def act(self, view: View) -> Turn:
        os.kill(os.getpid(), signal.SIGSTOP)
        return Turn(view.hand[0])


class StopThread(Bot):
    """Stops itself by a signal to its own thread."""

    def act(self, view: View) -> Turn:
        signal.raise_signal(signal.SIGSTOP)
        return Turn(view.hand[0])


class BadCode(Bot):
    """Runs byte code that no compiler wrote."""

    def act(self, view: View) -> Turn:
        code = (lambda: None).__code__
        broken: CodeType = code.replace(co_code=b"\x64\xff" * 40, co_consts=(), co_stacksize=1)
        eval(broken)
        ctypes.string_at(8)
        return Turn(view.hand[0])


class NoneGone(Bot):
    """Frees what Python itself stands on."""

    def act(self, view: View) -> Turn:
        for _ in range(10**6):
            ctypes.pythonapi.Py_DecRef(ctypes.py_object(None))
        ctypes.string_at(16)
        return Turn(view.hand[0])


class DeepC(Bot):
    """Overruns the C stack."""

    def act(self, view: View) -> Turn:
        sys.setrecursionlimit(10**9)
        nest: list[object] = []
        for _ in range(10**5):
            nest = [nest]
        repr(nest)
        return Turn(view.hand[0])


class FromThread(Bot):
    """Ends the process from another thread a little later."""

    def act(self, view: View) -> Turn:
        threading.Timer(0.01, os._exit, (3,)).start()
        while True:
            pass


class AfterAnswer(Bot):
    """Answers, and ends the process when the next answer is due."""

    asked = 0

    def act(self, view: View) -> Turn:
        self.asked += 1
        if self.asked == 3:
            os._exit(1)
        return Turn(view.hand[0])


class CloseAll(Bot):
    """Closes every file there is, those of the conversation with the harness included."""

    def act(self, view: View) -> Turn:
        os.closerange(0, 4096)
        return Turn(view.hand[0])


class OwnLimit(Bot):
    """Wants to set its own limit of CPU time, and then to loop.

    The jail denies it. Python tells of that by a ValueError without the error's number, so it can be told from no other
    exception, and costs what every exception does.
    """

    def act(self, view: View) -> Turn:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
        while True:
            pass
