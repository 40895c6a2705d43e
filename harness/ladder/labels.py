"""What a stored part says of itself, and whether it belongs to a run."""

import json
from collections.abc import Container, Iterable
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path

from harness.errors import ResultsError
from harness.ladder.chunk import Span
from harness.ladder.manifest import Manifest
from harness.play.registry import BotSpec

GOES_ON = "boss run then plays what is missing"


@dataclass(frozen=True)
class Label:
    """What a part says of itself.

    content: ``games`` or ``blocks``. run: `Manifest.run`. span: its blocks. rows: in its table. bots: who sits in its
    games, by the number in the manifest, as ``name version``. faulty: games with a fault or a forfeit. sums: the
    checksum of the part with the block sums of these games; empty in that part itself.
    """

    content: str
    run: str
    span: Span
    rows: int
    bots: dict[int, str] = field(default_factory=dict)
    faulty: int = 0
    sums: str = ""

    def to_json(self) -> str:
        """Return the label as JSON text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: bytes) -> "Label":
        """Read what `to_json` wrote."""
        value = json.loads(text)
        value["span"] = Span(*value["span"])
        value["bots"] = {int(number): bot for number, bot in value["bots"].items()}
        return cls(**value)


def identity(spec: BotSpec) -> str:
    """Return what labels call a bot: its name and version."""
    return f"{spec.name} {spec.version}"


def refuse_foreign(path: Path, label: Label, manifest: Manifest) -> None:
    """Raise ResultsError where a part was played by another run, or by this one continued elsewhere."""
    if label.run != manifest.run:
        raise ResultsError(
            f"{path}: is of another run ({label.run}), and this folder holds run {manifest.run}; move it "
            f"elsewhere; {GOES_ON}"
        )
    bots = {number: identity(spec) for number, spec in enumerate(manifest.bots)}
    for number, bot in label.bots.items():
        if bots.get(number) != bot:
            raise ResultsError(
                f"{path}: bot {number} in it is {bot}, but {bots.get(number, 'none')} in the manifest: it is of this "
                f"run continued elsewhere; move it elsewhere; {GOES_ON}"
            )


def refuse_unscheduled(folder: Path, stored: Iterable[str], scheduled: Container[str]) -> None:
    """Raise ResultsError for a chunk (by its name) that is stored but not scheduled."""
    for name in stored:
        if name not in scheduled:
            raise ResultsError(
                f"{folder}: {name} is no part of the schedule in the manifest; move it elsewhere, out of games/ and "
                "blocks/, or put back the manifest it belongs to"
            )


def refuse_overlaps(folder: Path, spans: Iterable[Span]) -> None:
    """Raise ResultsError where two parts hold the same block."""
    for one, other in pairwise(sorted(spans)):
        if one.table == other.table and other.first < one.last:
            raise ResultsError(
                f"{folder}: {one.name} and {other.name} hold the same blocks; move one of them elsewhere, out of "
                f"games/ and blocks/; {GOES_ON}"
            )
