"""Who plays in a ladder besides the bots of its config: those submitted, in several versions, and those retired.

A player has its name for good. A submitted bot of a name that is taken is a new player: ``fox`` stays what it was, and
the next versions are ``fox@2``, ``fox@3`` and so on. Older ones play on from the sources kept with the results.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.errors import ResultsError
from harness.ladder.manifest import Manifest
from harness.ladder.store import Store
from harness.play.classes import parts
from harness.play.registry import BotSpec


def base_name(name: str) -> str:
    """Return the name that all versions of a bot share."""
    return name.partition("@")[0]


def versions_of(bots: Sequence[BotSpec], name: str) -> list[int]:
    """Return the numbers of all versions of a bot, oldest first."""
    return [number for number, spec in enumerate(bots) if base_name(spec.name) == name]


def enlisted(bots: tuple[BotSpec, ...], spec: BotSpec) -> tuple[tuple[BotSpec, ...], int]:
    """Return the bots with one that is submitted, and its number: a new one if it is not there in this version."""
    versions = versions_of(bots, spec.name)
    for number in versions:
        if bots[number].version == spec.version:
            return (*bots[:number], replace(spec, name=bots[number].name), *bots[number + 1 :]), number
    name = f"{spec.name}@{len(versions) + 1}" if versions else spec.name
    return (*bots, replace(spec, name=name)), len(bots)


def refuse_changed(old: Manifest, specs: Sequence[BotSpec], newcomer: BotSpec | None, folder: str, mend: str) -> None:
    """Raise ResultsError where a config leaves out a bot of a run, or has it in a version that never played.

    The version of the newcomer is about to play.
    """
    asked = {spec.name: spec for spec in specs}
    known = (*old.bots, *([newcomer] if newcomer else []))
    for number, spec in enumerate(old.bots):
        now = asked.get(spec.name)
        if now is None and number not in (*old.guests, *old.joined, old.fill):
            raise ResultsError(f"{folder}: holds games of bot {spec.name!r}, which the config leaves out; {mend}")
        if now is not None and now.version not in {known[own].version for own in versions_of(known, spec.name)}:
            raise ResultsError(
                f"{folder}: bot {spec.name!r} has changed since it played (version {spec.version}, now {now.version}); "
                f"let the new version in with boss submit, give it another name to add it as a new bot, or {mend}"
            )


def guests_of(manifest: Manifest) -> list[BotSpec]:
    """Return the bots that were submitted, at the levels asked for, and those that came with games joined."""
    submitted = [replace(manifest.bots[one.bot], level=one.level) for one in manifest.submissions]
    return [*submitted, *(manifest.bots[bot] for bot in manifest.joined)]


def playing(manifest: Manifest, asked: Sequence[int]) -> tuple[int, ...]:
    """Return the bots that play what a config asks for: its own, and those submitted, without the retired."""
    guests = {submission.bot for submission in manifest.submissions}
    return tuple(sorted({*asked, *guests} - {*manifest.retired}))


def with_sources(manifest: Manifest, store: Store) -> Manifest:
    """Return a manifest whose bots' sources are as they played, those kept with the results if need be.

    Raises ResultsError where those of a bot that may play again are nowhere.
    """
    bots = enumerate(manifest.bots)
    found = tuple(spec if number in manifest.retired else _with_sources(spec, store) for number, spec in bots)
    return replace(manifest, bots=found)


def _with_sources(spec: BotSpec, store: Store) -> BotSpec:
    if spec.is_there():
        return spec
    kept = replace(spec, reference=_kept_reference(spec.reference, store.sources(spec)))
    if kept.is_there():
        return kept
    raise ResultsError(
        f"{store.folder}: the sources of {spec.name} (version {spec.version}) are neither at {spec.reference} nor at "
        f"{kept.reference}; bring them back, or retire it"
    )


def _kept_reference(reference: str, sources: Path) -> str:
    """Return where a bot's class is in the folder of its kept sources."""
    place, class_name = parts(reference)
    name = Path(place).stem if place.endswith(".py") else place.rpartition(".")[2]
    file = str(sources.absolute() / f"{name}.py")
    return f"{file}:{class_name}" if class_name else file
