"""The class of a bot, from its file or its module: what the harness and a bot's own process both do.

Imports little: a bot's own process starts with this, thousands of times in a run.
"""

import importlib
import importlib.util
import itertools
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import ModuleType
from typing import Any

from harness.errors import BossError, BotError, nearest
from harness.play.bot import BatchBot, Bot
from harness.play.faults import brief

BotClass = type[Bot] | type[BatchBot]

_NUMBERS = itertools.count(1)


def parts(reference: str) -> tuple[str, str]:
    """Return (place, class name or nothing): a path may hold colons of its own."""
    place, colon, class_name = reference.rpartition(":")
    return (reference, "") if not colon or class_name.endswith(".py") else (place, class_name)


def class_at(reference: str) -> BotClass:
    """Return the bot class of an absolute path or a module; raise BotError with what is wrong.

    A file edited since it was loaded is loaded anew.
    """
    place, class_name = parts(reference)
    if place.endswith(".py"):
        try:
            with open(place, "rb") as file:
                source = file.read()
        except OSError as error:
            raise BotError(f"bot {reference}: cannot be read: {error.strerror}") from None
        return class_in(_module_of_file(place, source), class_name, reference)
    with blaming(f"bot {reference}: module {place} cannot be imported"):
        return class_in(importlib.import_module(place), class_name, reference)


@contextmanager
def blaming(what: str) -> Iterator[None]:
    """Turn whatever the bot's own code raises into a BotError that begins with `what`; Ctrl-C stays the user's."""
    try:
        yield
    except (KeyboardInterrupt, BossError):
        raise
    except BaseException as error:
        raise BotError(f"{what}: {brief(error)}") from None


@lru_cache(maxsize=256)
def _module_of_file(file: str, source: bytes) -> ModuleType:
    """Run a bot's file as a module of its own; `source`, what it holds, only tells edits apart."""
    name = f"boss_bot_{os.path.basename(file).removesuffix('.py')}_{next(_NUMBERS)}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with blaming(f"bot {file}: cannot be loaded"):
            spec.loader.exec_module(module)
    except BotError:
        del sys.modules[name]
        raise
    return module


def class_in(module: ModuleType, class_name: str, reference: str) -> BotClass:
    """Return the bot class of a name in a module, or without a name the only one; raise BotError."""
    own = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, (Bot, BatchBot)) and value.__module__ == module.__name__
    }
    if class_name:
        if class_name not in vars(module):
            raise BotError(
                f"bot {reference}: the file has no class {class_name!r}{nearest(class_name, own)}; "
                f"bots in it: {' '.join(own) or 'none'}"
            )
        return checked(vars(module)[class_name], reference)
    if len(own) != 1:
        raise BotError(
            f"bot {reference}: the file holds {len(own)} bots ({' '.join(own) or 'none'}); name one: file.py:Class"
        )
    return next(iter(own.values()))


def checked(value: Any, reference: str) -> BotClass:
    """Return a value that is a bot's class; raise BotError for any other."""
    if not (isinstance(value, type) and issubclass(value, (Bot, BatchBot)) and value not in (Bot, BatchBot)):
        raise BotError(f"bot {reference}: is no subclass of harness.Bot or harness.BatchBot")
    return value
