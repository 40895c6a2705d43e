"""Bots that print, or break what one prints to."""

import ctypes
import logging
import os
import sys
import warnings

from harness import Bot, Turn, View


class Names(Bot):
    """Calls its process by what is no text: a name cut off within a letter."""

    def act(self, view: View) -> Turn:
        ctypes.CDLL(None).prctl(15, "penseur rusé é".encode()[:15], 0, 0, 0)
        return Turn(view.hand[0])


class Prints(Bot):
    """Prints a hundred megabytes in its first decision. Harmless where nobody keeps it."""

    printed = False

    def act(self, view: View) -> Turn:
        if not Prints.printed:
            Prints.printed = True
            for _ in range(10):
                print("x" * 10_000_000)
        return Turn(view.hand[0])


class Raw(Bot):
    """Writes to standard error's descriptor itself."""

    written = False

    def act(self, view: View) -> Turn:
        if not Raw.written:
            Raw.written = True
            for _ in range(131):
                os.write(2, b"y" * 1_000_000)
        return Turn(view.hand[0])


class Logs(Bot):
    def act(self, view: View) -> Turn:
        logging.basicConfig(level=logging.DEBUG, force=True)
        logging.getLogger().debug("\x1b[2J %s", view.hand)
        warnings.warn("careful", stacklevel=1)
        return Turn(view.hand[0])


class Closes(Bot):
    """Closes Python's own streams and puts others in their place."""

    def act(self, view: View) -> Turn:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            if stream is not None:
                stream.close()
        sys.stdin = sys.stdout = sys.stderr = None  # type: ignore[assignment]
        return Turn(view.hand[0])


class Reads(Bot):
    """Asks the user."""

    def act(self, view: View) -> Turn:
        try:
            input("your card? ")
        except (EOFError, RuntimeError, OSError):
            pass
        return Turn(view.hand[0])
