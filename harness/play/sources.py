"""The files a bot is made of, found without running any of them.

A bot is named by a built-in name, ``path/to/file.py:Class`` or ``package.module:Class``. What it consists of is its
source, what that imports from beside it, and what its class lists as `files`; the hash of all that is its version.
"""

import ast
import hashlib
import json
import shutil
from functools import lru_cache
from importlib.machinery import PathFinder
from os.path import isfile
from pathlib import Path
from typing import Any

from harness.errors import BotError, nearest
from harness.play.classes import parts
from harness.play.faults import printable

GROUP = "boss.bots"
"""Entry points by which an installed package registers bots."""

BUILT_IN = Path(__file__).resolve().parent.parent.parent / "bots"
"""Where the built-in bots lie."""


MAKES_NAMES = ("*", "globals", "locals", "vars", "__dict__", "setattr", "exec", "eval")
"""By these a module may come to names that do not stand in its source, `*` of an import among them."""


def source_of(reference: str) -> Path:
    """Return the file that holds a bot's class; raise BotError when there is none."""
    place, class_name = parts(reference)
    if place.endswith(".py"):
        return Path(place)
    if not class_name:
        built_in = BUILT_IN / f"{place}.py"
        return built_in if isfile(built_in) else source_of(plugin_value(place))
    found = _module_file(place)
    if found is None:
        raise BotError(f"bot {reference}: there is no module {place} to import")
    return found


def plugin_value(name: str) -> str:
    """Return where the bot lies that an installed package registers under a name."""
    for point in entry_points():
        if point.name == name:
            return str(point.value)
    raise BotError(f"bot {name}: no bot has this name")


def entry_points() -> Any:
    """Return the bots that installed packages register."""
    from importlib import metadata  # slow to import, and of no use in a bot's own process

    return metadata.entry_points(group=GROUP)


def _module_file(module: str) -> Path | None:
    """Return the file of an importable module, without importing the packages it stands in."""
    where: Any = None
    name = ""
    for part in module.split("."):
        name = f"{name}.{part}" if name else part
        spec = PathFinder.find_spec(name, where)
        if spec is None:
            return None
        where = spec.submodule_search_locations or []
    return Path(spec.origin) if spec is not None and spec.origin else None


def files_of(reference: str) -> list[Path]:
    """Return the files of a bot, its source first."""
    source = source_of(reference)
    return list(_files_of(reference, source, _stamp(source)))


def _stamp(file: Path) -> tuple[int, int] | None:
    """Return what tells a file's states apart; None where there is none."""
    state = file.stat() if isfile(file) else None
    return (state.st_mtime_ns, state.st_size) if state else None


@lru_cache(maxsize=256)
def _files_of(reference: str, source: Path, stamp: tuple[int, int] | None) -> list[Path]:
    """Find them once for each state of the source, `stamp`: reading what it imports takes a while."""
    files = list(dict.fromkeys([source, *_imported_beside(source), *_listed(source, parts(reference)[1])]))
    for file in files:
        if not isfile(file):
            raise BotError(f"bot {reference}: its file {printable(str(file))} is missing")
        if file != source and not file.resolve().is_relative_to(source.resolve().parent):
            raise BotError(f"bot {reference}: its file {file} lies outside its folder; put a copy beside the bot")
    return files


def version_of(reference: str, params: dict[str, Any]) -> str:
    """Return the hash of a bot's files, class and parameters."""
    digest = hashlib.blake2b(digest_size=6)
    for file in files_of(reference):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(parts(reference)[1].encode() + b"\0")
    digest.update(json.dumps(params, sort_keys=True, default=str).encode())
    return digest.hexdigest()


def files_in_jail(reference: str, home: Path) -> tuple[str, str | None]:
    """Lay copies of a bot's files into the folder `home`; return what to load there, and of which package.

    A module of a package is loaded from its package, which it may read; all else from the copies.
    """
    source = source_of(reference)
    place, class_name = parts(reference)
    if not place.endswith(".py") and "." in place:
        return reference, str(source.parents[place.count(".") - (source.stem != "__init__")])
    if source.parent == BUILT_IN:
        home /= BUILT_IN.name  # its neighbours it imports from there
    for file in files_of(reference):
        copy = home / file.relative_to(source.parent)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    loaded = str(home / source.name)
    return (f"{loaded}:{class_name}" if class_name else loaded), None


def is_fast(reference: str) -> bool:
    """Return whether a bot is of the fast level, as its files say: its class, or one of its source where none is named,
    derives from `BatchBot`, be it by way of classes of those files. It is only told apart to start it faster."""
    source, *others = files_of(reference)
    own = _bases(source, _stamp(source))
    class_name = parts(reference)[1]
    classes = [own, *(_bases(file, _stamp(file)) for file in others if file.suffix == ".py")]
    found = [class_name] if any(class_name in bases for bases in classes) else [*own]
    for name in found:
        found += set().union(*(bases.get(name, ()) for bases in classes)) - {*found}
    return "BatchBot" in found


@lru_cache(maxsize=256)
def _bases(file: Path, stamp: tuple[int, int] | None) -> dict[str, set[str]]:
    """Return the classes of a file with the names that stand in their bases, for each state of the file, `stamp`."""
    classes = [node for node in _parsed(file).body if isinstance(node, ast.ClassDef)]
    return {node.name: {name for base in node.bases for name in _names(base)} for node in classes}


def has_kernels(reference: str) -> bool:
    """Return whether a bot compiles kernels, as the imports of its files say."""
    nodes = [node for file in files_of(reference) if file.suffix == ".py" for node in ast.walk(_parsed(file))]
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return not modules.isdisjoint(("numba", "harness.compiled"))


def refuse_absent_class(reference: str) -> None:
    """Raise BotError where a bot's source plainly has no such class: its name stands nowhere, and nothing makes one."""
    class_name = parts(reference)[1]
    module = _parsed(source_of(reference))
    if class_name and module.body and _names(module).isdisjoint({class_name, *MAKES_NAMES}):
        classes = [node.name for node in module.body if isinstance(node, ast.ClassDef)]
        raise BotError(
            f"bot {reference}: the file has no class {class_name!r}{nearest(class_name, classes)}; "
            f"classes in it: {' '.join(classes) or 'none'}"
        )


def _names(tree: ast.AST) -> set[str]:
    """Return every name and text in a part of a source."""
    fields = [value for node in ast.walk(tree) for _, value in ast.iter_fields(node)]
    listed = [item for value in fields if isinstance(value, list) for item in value]
    return {value for value in (*fields, *listed) if isinstance(value, str)}


def _parsed(source: Path) -> ast.Module:
    try:
        return ast.parse(source.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])  # whoever loads it says so


def _imported_beside(source: Path) -> list[Path]:
    """Return the modules of the same folder that a source imports, those that they import included."""
    found: list[Path] = [source]
    for file in found:
        for node in ast.walk(_parsed(file)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(alias.name for alias in node.names)]
            beside = [source.parent / f"{name.rpartition('.')[2]}.py" for name in names if name]
            found += [path for path in beside if isfile(path) and path not in found]
    return sorted(found[1:])


def _listed(source: Path, class_name: str) -> list[Path]:
    """Return the files that a class lists as `files`, a tuple of texts."""
    for node in _parsed(source).body:
        if isinstance(node, ast.ClassDef) and class_name in ("", node.name):
            for line in node.body:
                if isinstance(line, ast.Assign) and any(
                    isinstance(t, ast.Name) and t.id == "files" for t in line.targets
                ):
                    return [source.parent / name for name in _texts(line.value)]
    return []


def _texts(node: ast.expr) -> list[str]:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):  # it is no tuple of texts
        return []
    names = [value] if isinstance(value, str) else value
    return [name for name in names if isinstance(name, str)] if isinstance(names, (list, tuple)) else []
