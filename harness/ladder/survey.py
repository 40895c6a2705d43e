"""Which games of a results folder are stored whole, and which of its parts are damaged; these are set aside."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from harness.ladder.disk import cannot_write
from harness.ladder.labels import Label, refuse_overlaps
from harness.ladder.parts import SCHEMAS, DamagedError
from harness.ladder.store import Store

MOST_NAMED = 5
"""Damaged parts that are named in one warning."""


class Survey(NamedTuple):
    """The labels of the games stored whole, by the names of their chunks, and damaged parts with what shows it."""

    whole: dict[str, Label]
    damaged: dict[Path, str]

    @property
    def damage(self) -> str:
        """Damaged parts in words, the first of them by name."""
        named = [f"{path.parent.name}/{path.name}: {why}" for path, why in self.damaged.items()]
        more = [f"and {len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
        return "; ".join(named[:MOST_NAMED] + more)


def survey(store: Store) -> Survey:
    """Check all parts and return what is whole and what is damaged; raise ResultsError for one of another run."""
    manifest, labels, sums, damaged = store.read_manifest(), {}, {}, {}
    for path in sorted(path for content in SCHEMAS for path in (store.folder / content).glob("part-*.parquet")):
        try:
            part = store.checked(path, manifest)
        except DamagedError as error:
            damaged[path] = str(error)
            continue
        if part.label.content == "games":
            labels[path.stem] = part.label
        else:
            sums[path.stem] = part.seal.checksum
    whole = {name: label for name, label in labels.items() if sums.get(name) == label.sums}
    refuse_overlaps(store.folder, [label.span for label in whole.values()])
    return Survey(whole, damaged)


def resume(store: Store, warn: Callable[[str], None]) -> dict[str, Label]:
    """Check all parts, and return the labels of the games stored whole, by the names of their chunks.

    Parts that are damaged are set aside, which `warn` is told in one sentence. Raises ResultsError for a part of
    another run. To be called by the one who writes.
    """
    found = survey(store)
    if found.damaged:
        warn(_set_aside(store.folder, found))
    return found.whole


def _set_aside(folder: Path, found: Survey) -> str:
    """Move damaged parts out of the way, and return what is said of it."""
    for path in found.damaged:
        aside = folder / "damaged" / f"{path.parent.name}-{path.name}"
        try:
            aside.parent.mkdir(exist_ok=True)
            path.replace(aside)
        except OSError as error:
            raise cannot_write(aside, error) from None
    return f"damaged files are set aside in {folder / 'damaged'}, and what they held is played again: {found.damage}"
