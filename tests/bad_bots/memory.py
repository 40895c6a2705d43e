"""Bots that want all memory: at once, in many pieces, slowly, in threads' stacks, beyond Python's own."""

import ctypes
import itertools
import mmap
import os
import sys
import threading
import time

from harness import Bot, Turn, View


class Bytes(Bot):
    def act(self, view: View) -> Turn:
        bytearray(32 << 30)
        return Turn(view.hand[0])


class Numpy(Bot):
    def __init__(self) -> None:
        import numpy as np

        self.ones = np.ones

    def act(self, view: View) -> Turn:
        self.ones(1 << 32)
        return Turn(view.hand[0])


class List(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[0], signal=len([0] * 10**10))


class Doubling(Bot):
    def act(self, view: View) -> Turn:
        text = "x"
        while True:
            text += text


class Collect(Bot):
    """A sort whose list never ends."""

    def act(self, view: View) -> Turn:
        sorted(itertools.count())
        return Turn(view.hand[0])


class Map(Bot):
    """Maps memory and touches it, page by page, so that it counts however it is measured."""

    def act(self, view: View) -> Turn:
        held = []
        while True:
            held.append(mmap.mmap(-1, 16 << 20))
            held[-1].write(b"\x01" * (16 << 20))


class Malloc(Bot):
    """Takes memory behind Python's back, and goes on when there is none."""

    def act(self, view: View) -> Turn:
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        libc.memset.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t)
        for _ in range(4096):
            place = libc.malloc(16 << 20)
            if not place:
                raise MemoryError
            libc.memset(place, 1, 16 << 20)
        return Turn(view.hand[0])


class MemFd(Bot):
    """Hides memory in files that have no name."""

    def act(self, view: View) -> Turn:
        held = []
        for number in range(64):
            held.append(os.memfd_create(f"hoard{number}"))
            for _ in range(4):
                os.write(held[-1], b"\x01" * (16 << 20))
        raise MemoryError(f"{len(held) * 64} MB in files")


class Leak(Bot):
    """Keeps some more with every decision, over all its games.

    It does not touch what it keeps: that would take time, and time is not what it is to run out of.
    """

    kept: list[bytes] = []  # noqa: RUF012

    def act(self, view: View) -> Turn:
        self.kept.append(bytes(48 << 20))
        return Turn(view.hand[0])


class Catching(Bot):
    """Swallows the MemoryError, keeps everything, and goes on wanting more."""

    def act(self, view: View) -> Turn:
        held: list[object] = []
        while True:
            try:
                while True:
                    held = [held, bytearray(1 << 20)]
            except MemoryError:
                try:
                    while True:
                        held = [held]
                except MemoryError:
                    continue


class Raised(Bot):
    """Merely says that there is none."""

    def act(self, view: View) -> Turn:
        raise MemoryError("so to say")


class Recursion(Bot):
    """Plain recursion without a limit, until memory ends."""

    def act(self, view: View) -> Turn:
        sys.setrecursionlimit(10**9)
        return self.act(view)


class Threads(Bot):
    """Starts threads until it cannot."""

    def act(self, view: View) -> Turn:
        while True:
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()


class BigAnswer(Bot):
    """Takes a little for each decision, and gives it back. Honest."""

    def act(self, view: View) -> Turn:
        bytearray(4 << 20)
        return Turn(view.hand[0])
