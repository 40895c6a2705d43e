"""Finding bots: built-in ones by name, a file's class by path, a package's class by module, plugins by entry point.

greedy                    a file of `bots/`, or an entry point of the group ``boss.bots``
my_bots/fox.py:Fox        a class in a file; on the command line ``:Fox`` may be left out if alone
my_package.fox:Fox        a class in an importable module
"""

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from os.path import isfile
from pathlib import Path
from typing import Any

from harness.errors import BotError, nearest
from harness.play.bot import BatchBot, Bot
from harness.play.classes import BotClass, blaming, checked, class_at, class_in, parts
from harness.play.sources import BUILT_IN, entry_points, refuse_absent_class, version_of


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

    def is_there(self) -> bool:
        """Whether its sources are where they were, as they were."""
        try:
            return version_of(self.reference, self.params) == self.version
        except (BotError, OSError):
            return False


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
    if level != "trusted":
        refuse_absent_class(where)
    usual = parts(where)[1].lower() or Path(where).stem
    if level == "trusted":
        bot = load_class(where)
        with blaming(f"bot {reference}: cannot be built with params {params}"):
            bot(**params)
        usual = reference if where == reference and ":" not in reference else bot.__name__.lower()
    return BotSpec(usual if name is None else name, where, version_of(where, params), params, level)


def _resolved(reference: str, folders: list[Path]) -> str:
    path, class_name = parts(reference)
    if not path.endswith(".py"):
        return reference
    for folder in folders:
        file = (folder / path).expanduser()
        if isfile(file):
            return f"{file.resolve()}:{class_name}" if class_name else str(file.resolve())
    raise BotError(f"bot {reference}: no such file; looked in {', '.join(dict.fromkeys(map(str, folders)))}")


def load_class(reference: str) -> BotClass:
    """Return the bot class of a reference whose path is absolute; raise BotError with what is wrong."""
    place, class_name = parts(reference)
    if class_name or place.endswith(".py"):
        return class_at(reference)
    if place in builtin_names():
        return class_in(importlib.import_module(f"bots.{place}"), "", reference)
    if place in plugin_names():
        with blaming(f"bot {reference}: cannot be loaded"):
            return checked(entry_points()[place].load(), reference)
    known = [*builtin_names(), *plugin_names()]
    raise BotError(
        f"bot {reference}: no bot has this name{nearest(reference, known)}; known: {' '.join(known)}; "
        "your own: path/to/file.py:Class or package.module:Class"
    )
