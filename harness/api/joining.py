"""Several ladders: which there are, and one made of several."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.api.running import Ladder, write_report
from harness.ladder.merge import merge as join
from harness.ladder.overview import Overview, overview, overviews
from harness.ladder.run import Progress, Silence
from harness.ladder.store import Store
from harness.report.history import take_entries


def ladders(folder: str | Path = "results") -> list[Overview]:
    """Return what ladders lie in a folder and all below it, with their size, bots and state; nothing is changed."""
    return list(overviews(Path(folder)))


@dataclass(frozen=True, eq=False)
class Merged:
    """Results joined: the ladder they now are, how many games were added, and how many planned ones are missing."""

    ladder: Ladder
    added: int
    missing: int


def merge(into: str | Path, folders: Sequence[str | Path], progress: Progress | None = None) -> Merged:
    """Join the results in `folders`, of the same rules, to those in `into`, and write its report anew.

    `into` may be a folder that is not there yet; all others stay as they are. The same run played on several machines
    becomes what one machine would have played; blocks of other seeds are added to it. Raises ResultsError, and changes
    nothing, where rules, limits, versions of bots or games of one deal differ.
    """
    store, others = Store(Path(into)), [Path(folder) for folder in folders]
    told = progress or Silence()
    added = join(store.folder, others, told)
    for other in others:
        if Store(other).read_manifest().seed == store.read_manifest().seed:
            take_entries(store.folder, other)
    whole = overview(store.folder)
    told.rating()
    return Merged(write_report(store.folder), added, whole.planned - whole.games)
