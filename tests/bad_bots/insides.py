"""Bots that meddle with Python, the harness's modules or their own past in their process. They hurt only themselves."""

import builtins
import ctypes
import gc
import random
import sys
from typing import Any

from harness import Bot, Placement, Turn, View


class PatchBuiltins(Bot):
    """Breaks the words everybody uses."""

    def act(self, view: View) -> Turn:
        card = view.hand[0]
        turn = Turn(card)
        for name in ("len", "type", "isinstance", "range", "zip", "str", "getattr"):
            setattr(builtins, name, broken)
        return turn


def broken(*args: Any, **named: Any) -> Any:
    raise RuntimeError("broken on purpose")


class PatchRandom(Bot):
    """Seeds everybody's randomness."""

    def act(self, view: View) -> Turn:
        random.seed(0)
        random.random = lambda: 0.5  # type: ignore[method-assign]
        random.Random.random = lambda self: 0.5  # type: ignore[method-assign]
        return Turn(view.hand[0])


class PatchHarness(Bot):
    """Replaces every function of the harness it can find with one of its own."""

    def act(self, view: View) -> Turn:
        card = view.hand[0]
        for name, module in list(sys.modules.items()):
            if name.startswith("harness."):
                for key, value in list(vars(module).items()):
                    if callable(value) and not isinstance(value, type):
                        setattr(module, key, broken)
        return Turn(card)


class PatchTurn(Bot):
    """Makes every placement look twice as strong."""

    def act(self, view: View) -> Turn:
        for kind, name in ((Turn, "place"), (Placement, "experts"), (View, "hand")):
            try:
                setattr(kind, name, property(lambda self: 99))
            except (TypeError, AttributeError):
                pass
        return Turn(view.rules.cards[0])


class Vandal(Bot):
    """Breaks its view and what it reads words from."""

    def act(self, view: View) -> Turn:
        card = view.hand[0]
        for name in list(getattr(view, "__dict__", {})):
            view.__dict__[name] = None
        lexicon: Any = getattr(view, "_lexicon", None)
        if lexicon is not None:
            lexicon.cards = ()
        return Turn(card)


class Frozen(Bot):
    """Changes what is frozen, and gives the same turn again."""

    turn: Turn | None = None

    def act(self, view: View) -> Turn:
        turn = Turn(view.hand[0])
        for name, value in (("reveal", None), ("place", 17), ("signal", "x")):
            try:
                object.__setattr__(turn, name, value)
            except (AttributeError, TypeError):
                pass
        return Turn(view.hand[0])


class Garbage(Bot):
    """Rummages through all objects for cards of others, and clears every list and dict it finds of the harness's."""

    def act(self, view: View) -> Turn:
        card = view.hand[0]
        for thing in gc.get_objects():
            if isinstance(thing, list) and thing and isinstance(thing[0], (bytes, View, Bot)):
                thing.clear()
        return Turn(card)


class Frames(Bot):
    """Climbs to its callers and scribbles over their variables."""

    def act(self, view: View) -> Turn:
        frame = sys._getframe(1)
        while frame is not None:
            for name, value in list(frame.f_locals.items()):
                if isinstance(value, (list, dict)) and name not in ("modules",):
                    value.clear()
                elif isinstance(value, (bytearray, memoryview)):
                    try:
                        value[:] = b"\xff" * len(value)
                    except (TypeError, ValueError):
                        pass
            frame = frame.f_back
        return Turn(view.hand[0])


class Modules(Bot):
    """Empties the list of modules."""

    def act(self, view: View) -> Turn:
        sys.modules.clear()
        return Turn(view.hand[0])


class Collector(Bot):
    """Turns the garbage collector off, its thresholds to nothing, and frees what it should not."""

    def act(self, view: View) -> Turn:
        gc.set_threshold(1)
        gc.freeze()
        gc.disable()
        return Turn(view.hand[0])


class SmallInts(Bot):
    """Makes 1 a 9 for its whole process."""

    def act(self, view: View) -> Turn:
        card = view.hand[0]
        ctypes.memset(id(1) + 24, 9, 1)
        return Turn(card)


class Hook(Bot):
    """Watches every call of its process, the harness's side too."""

    def act(self, view: View) -> Turn:
        sys.setprofile(lambda *args: None)
        sys.addaudithook(lambda *args: None)
        return Turn(view.hand[0])


class Audit(Bot):
    """Refuses everything its process does from now on."""

    def act(self, view: View) -> Turn:
        sys.addaudithook(broken)
        return Turn(view.hand[0])


class StopWorld(Bot):
    """Puts a broken importer first."""

    def act(self, view: View) -> Turn:
        sys.meta_path.insert(0, broken)  # type: ignore[arg-type]
        sys.path[:] = []
        return Turn(view.hand[0])
