"""What the nodes of a cluster need and may not have: this harness, and the files of bots that are not installed.

It is laid into one folder, which Ray carries to each node as the working folder of the run.
"""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.ladder.chunk import Chunk
from harness.ladder.on_node import HOUSE, SENT, house_hash
from harness.play.classes import parts
from harness.play.isolation import packages
from harness.play.registry import BotSpec
from harness.play.sources import BUILT_IN, files_in_jail, files_of, source_of

PROJECT = BUILT_IN.parent
INSTALLED = (*packages(), str(PROJECT / "harness"), str(PROJECT / "bots"))
"""Where bots lie that every node has that has this harness with its plugins."""

CODE_ONLY = shutil.ignore_patterns("__pycache__", ".*")


class Parcel:
    """A folder laid out for a cluster: `folder` for Ray, `house` for `on_node.play`, `packed` for each chunk."""

    def __init__(self, bots: Sequence[BotSpec], folder: Path) -> None:
        """Lay out the harness and the files of these bots in a new folder."""
        self.folder = folder
        self.house = house_hash(str(PROJECT))
        for package in ("harness", "bots"):
            shutil.copytree(PROJECT / package, folder / SENT / HOUSE / package, ignore=CODE_ONLY)
        self._references = {spec.reference: _laid(spec, folder) for spec in bots}

    def packed(self, chunk: Chunk) -> Chunk:
        """Return a chunk whose bots are named by where they lie in the folder."""
        return replace(
            chunk, bots=tuple(replace(spec, reference=self._references[spec.reference]) for spec in chunk.bots)
        )


def unpacked(chunk: Chunk, sent: str) -> Chunk:
    """Return a packed chunk whose bots are named by where they lie on this node, below the folder SENT."""
    return replace(chunk, bots=tuple(replace(spec, reference=_unpacked(spec.reference, sent)) for spec in chunk.bots))


def _unpacked(reference: str, sent: str) -> str:
    return f"{sent}{reference.removeprefix(SENT)}" if reference.startswith(f"{SENT}/") else reference


def _laid(spec: BotSpec, folder: Path) -> str:
    """Lay out the files of a bot; return its reference there: that of an installed one does not change."""
    place, class_name = parts(spec.reference)
    if place.endswith(".py"):
        home = folder / SENT / f"{spec.name}-{spec.version}"
        loaded, _ = files_in_jail(spec.reference, home)
        return str(Path(loaded).relative_to(folder))
    source = source_of(spec.reference)
    if class_name and not any(source.is_relative_to(installed) for installed in INSTALLED):
        _lay_module(spec.reference, place, source, folder)
    return spec.reference


def _lay_module(reference: str, module: str, source: Path, folder: Path) -> None:
    """Lay out the whole package that a module belongs to, or the module with what it imports from beside it."""
    above = module.count(".") - (source.stem != "__init__")
    if above < 0:
        for file in files_of(reference):
            shutil.copyfile(file, folder / file.name)
    else:
        package = source.parents[above]
        shutil.copytree(package, folder / package.name, ignore=CODE_ONLY, dirs_exist_ok=True)
