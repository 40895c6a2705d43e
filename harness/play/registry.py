"""Finding bots: built-in ones by name, a file's class by path, a package's class by module, plugins by entry point.

greedy                    a file of `bots/`, or an entry point of the group ``boss.bots``
my_bots/fox.py:Fox        a class in a file; on the command line ``:Fox`` may be left out if alone
my_package.fox:Fox        a class in an importable module
"""

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.errors import BossError, BotError, nearest
from harness.play.bot import BatchBot, Bot
from harness.play.faults import brief
from harness.play.sources import BUILT_IN, entry_points, parts, version_of

BotClass = type[Bot] | type[BatchBot]


@dataclass(frozen=True)
class BotSpec:
    """One bot of a run: its name there, where its class is found, the hash of it all, its parameters, its level.

    `level` is one of LEVELS.
    """

    name: str
    reference: str
    version: str
    params: dict[str, Any] = field(default_factory=dict)
    level: str = "trusted"

    def maker(self) -> Callable[[], Bot | BatchBot]:
        """Return what builds fresh bots, all of the source as it is now."""
        return partial(load_class(self.reference), **self.params)


def builtin_names() -> list[str]:
    """Return the names of the bots in `bots/`."""
    return sorted(file.stem for file in BUILT_IN.glob("*.py") if not file.stem.startswith("_"))


def plugin_names() -> list[str]:
    """Return the names of bots that installed packages register."""
    return sorted(point.name for point in entry_points())


def spec_of(
    reference: str,
    name: str | None = None,
    params: dict[str, Any] | None = None,
    folders: Iterable[Path] = (),
    level: str | None = None,
) -> BotSpec:
    """Find a bot, and try out one that is trusted; raise BotError when it cannot be found, loaded or built.

    A relative path is looked for in the working folder, then in `folders`. Level None: a bot by path or module is
    jailed, so nothing of it runs here; built-in and installed ones are trusted.
    """
    where = _resolved(reference, [Path.cwd(), *folders])
    params = dict(params or {})
    level = level or ("jailed" if ":" in where or where.endswith(".py") else "trusted")
    usual = parts(where)[1].lower() or Path(where).stem
    if level == "trusted":
        bot = load_class(where)
        with _blaming(f"bot {reference}: cannot be built with params {params}"):
            bot(**params)
        usual = reference if where == reference and ":" not in reference else bot.__name__.lower()
    return BotSpec(name or usual, where, version_of(where, params), params, level)


@contextmanager
def _blaming(what: str) -> Iterator[None]:
    """Turn whatever the bot's own code raises into a BotError that begins with `what`; Ctrl-C stays the user's."""
    try:
        yield
    except (KeyboardInterrupt, BossError):
        raise
    except BaseException as error:
        raise BotError(f"{what}: {brief(error)}") from None


def _resolved(reference: str, folders: list[Path]) -> str:
    path, class_name = parts(reference)
    if not path.endswith(".py"):
        return reference
    for folder in folders:
        file = (folder / path).expanduser()
        if file.is_file():
            return f"{file.resolve()}:{class_name}" if class_name else str(file.resolve())
    raise BotError(f"bot {reference}: no such file; looked in {', '.join(dict.fromkeys(map(str, folders)))}")


def load_class(reference: str) -> BotClass:
    """Return the bot class of a reference whose path is absolute; raise BotError with what is wrong.

    A file edited since it was loaded is loaded anew.
    """
    place, class_name = parts(reference)
    if place.endswith(".py"):
        try:
            source = Path(place).read_bytes()
        except OSError as error:
            raise BotError(f"bot {reference}: cannot be read: {error.strerror}") from None
        return _class_in(_module_of_file(place, source), class_name, reference)
    return _class_by_name(place, class_name, reference)


def _class_by_name(place: str, class_name: str, reference: str) -> BotClass:
    if not class_name and place in builtin_names():
        return _class_in(importlib.import_module(f"bots.{place}"), "", reference)
    if not class_name and place in plugin_names():
        with _blaming(f"bot {reference}: cannot be loaded"):
            return _checked(entry_points()[place].load(), reference)
    if not class_name:
        known = [*builtin_names(), *plugin_names()]
        raise BotError(
            f"bot {reference}: no bot has this name{nearest(reference, known)}; known: {' '.join(known)}; "
            "your own: path/to/file.py:Class or package.module:Class"
        )
    with _blaming(f"bot {reference}: module {place} cannot be imported"):
        return _class_in(importlib.import_module(place), class_name, reference)


@lru_cache(maxsize=256)
def _module_of_file(file: str, source: bytes) -> ModuleType:
    """Run a bot's file as a module of its own; `source`, what it holds, only tells edits apart."""
    name = "boss_bot_" + hashlib.blake2b(file.encode() + source, digest_size=8).hexdigest()
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _blaming(f"bot {file}: cannot be loaded"):
            spec.loader.exec_module(module)
    except BotError:
        del sys.modules[name]
        raise
    return module


def _class_in(module: ModuleType, class_name: str, reference: str) -> BotClass:
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
        return _checked(vars(module)[class_name], reference)
    if len(own) != 1:
        raise BotError(
            f"bot {reference}: the file holds {len(own)} bots ({' '.join(own) or 'none'}); name one: file.py:Class"
        )
    return next(iter(own.values()))


def _checked(value: Any, reference: str) -> BotClass:
    if not (isinstance(value, type) and issubclass(value, (Bot, BatchBot)) and value not in (Bot, BatchBot)):
        raise BotError(f"bot {reference}: is no subclass of harness.Bot or harness.BatchBot")
    return value
