"""A YAML file read with its lines in mind, so that whatever is wrong in it can be named by file, line and key."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from harness.errors import ConfigError

Node = yaml.Node
Place = tuple[int | str, ...]
"""Where in the file: the keys and list positions that lead there."""


@dataclass(frozen=True)
class Problem:
    """What is wrong at one place, in words."""

    place: Place
    text: str


def read_text(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text") from None


class _Loader(yaml.SafeLoader):
    """YAML whose numbers are what people mean: 1e-3 is one; 010, 12:30 and dates stay text as written."""


NUMBERS = {
    "int": r"[-+]?(0|[1-9][0-9]*)$",
    "float": r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*)([eE][-+]?[0-9]+)?$|[-+]?[0-9]+[eE][-+]?[0-9]+$"
    r"|[-+]?\.(inf|Inf|INF)$|\.(nan|NaN|NAN)$",
}
_TAG = "tag:yaml.org,2002:"
_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in found if tag.removeprefix(_TAG) not in {*NUMBERS, "timestamp"}]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _kind, _regexp in NUMBERS.items():
    _Loader.add_implicit_resolver(_TAG + _kind, re.compile(_regexp), list("-+.0123456789"))


def compose(path: str | Path, text: str) -> yaml.MappingNode:
    """Parse into nodes, which know their lines; refuse what is no mapping and keys that hide each other."""
    try:
        root = yaml.compose(text, _Loader)
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigError(_not_yaml(path, error)) from None
    if not isinstance(root, yaml.MappingNode):
        raise ConfigError(f"{path}:1: must be a mapping of keys to values, as in name: my-ladder")
    problems = list(_key_problems(root, (), set()))
    if problems:
        raise ConfigError(listed(path, root, problems))
    return root


def construct(path: str | Path, root: yaml.MappingNode) -> Any:
    loader = _Loader("")
    try:
        return loader.construct_document(root)
    except (yaml.YAMLError, ValueError) as error:
        raise ConfigError(_not_yaml(path, error)) from None


def _not_yaml(path: str | Path, error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f"{path}:{mark.line + 1}" if mark else f"{path}"
    return f"{where}: is not readable as YAML: {getattr(error, 'problem', None) or error}"


def _key_problems(node: yaml.Node, place: Place, seen: set[int]) -> Iterator[Problem]:
    """Keys that are doubled (YAML would silently keep the last) or not text."""
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value):
            yield from _key_problems(item, (*place, i), seen)
    if isinstance(node, yaml.MappingNode):
        lines: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                yield Problem(place, f"the key in line {line} is a list or mapping; it must be text")
            elif key.tag not in (f"{_TAG}str", f"{_TAG}merge"):
                yield Problem((*place, key.value), "YAML reads this key as no text; put it in quotes")
            elif key.value in lines:
                yield Problem((*place, key.value), f"stands twice, in lines {lines[key.value]} and {line}; remove one")
            else:
                lines[key.value] = line
                yield from _key_problems(value, (*place, key.value), seen)


def walk(root: yaml.Node, place: Place) -> tuple[yaml.Node, int]:
    """The node a place leads to and its line, or the last one on the way there."""
    node, line = root, root.start_mark.line
    for key in place:
        if isinstance(node, yaml.SequenceNode) and isinstance(key, int):
            node = node.value[key]
            line = node.start_mark.line
        elif isinstance(node, yaml.MappingNode):
            pairs = [pair for pair in node.value if pair[0].value == key]
            if not pairs:
                break
            line, node = pairs[-1][0].start_mark.line, pairs[-1][1]
    return node, line + 1


def scalar_at(root: yaml.Node, place: Place) -> str:
    """The text of the value at a place as the file writes it; nothing for a list or mapping."""
    node, _ = walk(root, place)
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def spelt(root: yaml.Node, place: Place) -> str:
    """The place as a key path, ``tables[1].blocks``; what the file writes as one text ends it."""
    spelt = ""
    for depth, key in enumerate(place):
        if depth and isinstance(walk(root, place[:depth])[0], yaml.ScalarNode):
            break
        spelt += f"[{key}]" if isinstance(key, int) else f".{key}"
    return spelt.removeprefix(".")


def listed(path: str | Path, root: yaml.Node, problems: Iterable[Problem]) -> str:
    found = sorted((walk(root, one.place)[1], spelt(root, one.place), one.text) for one in problems)
    return "\n".join(": ".join(filter(None, (f"{path}:{line}", spelt, text))) for line, spelt, text in found)
