"""Finding bots: built-in ones by name, a file's class by path, a package's class by module, plugins by entry point.

greedy                    a file of `bots/`, or an entry point of the group ``boss.bots``
my_bots/fox.py:Fox        a class in a file; on the command line ``:Fox`` may be left out if alone
my_package.fox:Fox        a class in an importable module
"""

import ast
import hashlib
import importlib
import importlib.util
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.errors import BossError, BotError, nearest
from harness.play.bot import BatchBot, Bot
from harness.play.faults import brief

GROUP = "boss.bots"
BotClass = type[Bot] | type[BatchBot]


@dataclass(frozen=True)
class BotSpec:
    """One bot of a run: its name there, where its class is found, its parameters, the hash of all that, its level (LEVELS)."""

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
    folder = Path(__file__).resolve().parent.parent.parent / "bots"
    return sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_"))


def plugin_names() -> list[str]:
    """Return the names of bots that installed packages register."""
    return sorted(point.name for point in entry_points(group=GROUP))


def spec_of(
    reference: str, name: str | None = None, params: dict[str, Any] | None = None, folders: Iterable[Path] = ()
) -> BotSpec:
    """Find and try out a bot; raise BotError when it cannot be found, loaded or built.

    A relative path is looked for in the working folder, then in `folders`.
    """
    where = _resolved(reference, [Path.cwd(), *folders])
    bot = load_class(where)
    params = dict(params or {})
    with _blaming(f"bot {reference}: cannot be built with params {params}"):
        bot(**params)
    usual = reference if where == reference and ":" not in reference else bot.__name__.lower()
    return BotSpec(name or usual, where, version_of(bot, params), params)


@contextmanager
def _blaming(what: str) -> Iterator[None]:
    """Turn whatever the bot's own code raises into a BotError that begins with `what`; Ctrl-C stays the user's."""
    try:
        yield
    except (KeyboardInterrupt, BossError):
        raise
    except BaseException as error:
        raise BotError(f"{what}: {brief(error)}") from None


def _parts(reference: str) -> tuple[str, str]:
    """Return (place, class name or nothing): a path may hold colons of its own."""
    place, colon, class_name = reference.rpartition(":")
    return (reference, "") if not colon or class_name.endswith(".py") else (place, class_name)


def _resolved(reference: str, folders: list[Path]) -> str:
    path, class_name = _parts(reference)
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
    place, class_name = _parts(reference)
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
            return _checked(entry_points(group=GROUP)[place].load(), reference)
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


def version_of(bot: BotClass, params: dict[str, Any]) -> str:
    """Return the hash of a bot's files and parameters."""
    digest = hashlib.blake2b(digest_size=6)
    for file in files_of(bot):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(bot.__name__.encode() + b"\0")
    digest.update(json.dumps(params, sort_keys=True, default=str).encode())
    return digest.hexdigest()


def files_of(bot: BotClass) -> list[Path]:
    """Return the files a bot is made of: its source, what that imports from beside it, and its class's `files`."""
    source = Path(inspect.getfile(bot))
    named: tuple[str, ...] = getattr(bot, "files", ())
    files = list(dict.fromkeys([source, *_imported_beside(source), *(source.parent / name for name in named)]))
    for file in files:
        if not file.is_file():
            raise BotError(f"bot {bot.__name__}: its file {file} is missing")
    return files


def _imported_beside(source: Path) -> list[Path]:
    """Return the modules of the same folder that a source imports, those that they import included."""
    found: list[Path] = [source]
    for file in found:
        for node in ast.walk(ast.parse(file.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(alias.name for alias in node.names)]
            beside = [source.parent / f"{name.rpartition('.')[2]}.py" for name in names if name]
            found += [path for path in beside if path.is_file() and path not in found]
    return sorted(found[1:])
