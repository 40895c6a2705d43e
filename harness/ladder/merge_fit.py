"""Whether two runs can be joined, and where the games of one then stand in the other.

A block is known by its seed, its table kind and its number under that seed: no two runs play one deal differently, or
they are refused. So the same run played in shares on two machines falls into place, and what was played under another
seed is added behind, as stretches that say whose deals they are. The bots of both are known by name and version.

What is joined stays a ladder as any other: what is still missing of it can be played here, deals of other seeds too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from harness.errors import ResultsError
from harness.ladder.chunk import Span
from harness.ladder.feed import blocks_in_chunk
from harness.ladder.labels import identity
from harness.ladder.manifest import Manifest
from harness.ladder.roster import base_name
from harness.ladder.schedule import Stretch, block_at
from harness.play.registry import BotSpec, builtin_names, plugin_names

Range = tuple[int, int]
"""From one number up to but not another."""

BETWEEN = " + "
"""Between the names of ladders in that of one that was made of them."""


class Place(NamedTuple):
    """Blocks of a run that is joined, by their numbers in it, and what is added to these to get their numbers here."""

    span: Span
    shift: int


@dataclass(frozen=True)
class Fit:
    """How one run fits into another: `manifest` is that of both together.

    numbers: of its bots, from there to here. places: of all its blocks.
    """

    manifest: Manifest
    numbers: Mapping[int, int]
    places: tuple[Place, ...]


def fit(ours: Manifest, theirs: Manifest, here: str, there: str) -> Fit:
    """Return how their run fits into ours; `here` and `there` are what messages call the two.

    Raises ResultsError where they are not of the same rules, bots of one name differ, or one deal is scheduled for
    other seatings.
    """
    bots, numbers = _numbered(ours.bots, theirs.bots)
    if differences := [*_differences(ours, theirs), *_changed_bots(ours, theirs, numbers)]:
        raise ResultsError(f"{there}: cannot be joined to {here}: {'; '.join(differences)}")
    manifest = replace(
        _with_plans(ours, bots, theirs, numbers), name=_name(ours, theirs), history=_history(ours, theirs)
    )
    places: list[Place] = []
    for stretch in theirs.stretches:
        manifest, own = _fitted(manifest, theirs, renumbered(stretch, numbers), here, there)
        places += own
    return Fit(manifest, numbers, tuple(places))


# -- bots -------------------------------------------------------------------------------------------------------------


def _numbered(ours: tuple[BotSpec, ...], theirs: tuple[BotSpec, ...]) -> tuple[tuple[BotSpec, ...], dict[int, int]]:
    """Return the bots of both, ours first, and the numbers that theirs get; none for one whose name is taken."""
    bots, numbers = list(ours), {}
    for number, spec in enumerate(theirs):
        same = [own for own, known in enumerate(bots) if _is_same(known, spec)]
        if same:
            numbers[number] = next((own for own in same if bots[own].name == spec.name), same[0])
        elif all(known.name != spec.name for known in bots):
            numbers[number] = len(bots)
            bots.append(_as_guest(spec))
    return tuple(bots), numbers


def _is_same(one: BotSpec, other: BotSpec) -> bool:
    return (base_name(one.name), one.version) == (base_name(other.name), other.version)


def _as_guest(spec: BotSpec) -> BotSpec:
    """Return a bot from elsewhere at the level at which it may run here: another's word is not taken for trust."""
    is_known = spec.reference in (*builtin_names(), *plugin_names())
    return spec if is_known else replace(spec, level="jailed")


# -- what may not differ ----------------------------------------------------------------------------------------------


def _differences(ours: Manifest, theirs: Manifest) -> Iterator[str]:
    missing, more = ours.kinds.keys() - theirs.kinds.keys(), theirs.kinds.keys() - ours.kinds.keys()
    if missing or more:
        what = [f"without {', '.join(sorted(missing))}"] if missing else []
        what += [f"with {', '.join(sorted(more))}"] if more else []
        yield f"it is played at other tables ({'; '.join(what)})"
    changed = [name for name in ours.kinds.keys() & theirs.kinds.keys() if ours.kinds[name] != theirs.kinds[name]]
    if changed:
        yield f"the rules of {', '.join(sorted(changed))} differ"
    if ours.limits != theirs.limits:
        mine, other = asdict(ours.limits), asdict(theirs.limits)
        changed = [f"{key} {other[key]}, not {mine[key]}" for key in mine if mine[key] != other[key]]
        yield f"it has other limits ({', '.join(changed)})"
    fills = [manifest.bots[manifest.fill] if manifest.fill is not None else None for manifest in (theirs, ours)]
    names = [identity(spec) if spec else "no bot" for spec in fills]
    if names[0] != names[1]:
        yield f"{names[0]} fills its empty seats, not {names[1]}"


def _changed_bots(ours: Manifest, theirs: Manifest, numbers: Mapping[int, int]) -> Iterator[str]:
    for number, spec in enumerate(theirs.bots):
        if number not in numbers:
            own = next(known for known in ours.bots if known.name == spec.name)
            yield f"bot {spec.name!r} has version {spec.version}, not {own.version}, so it must have another name"


# -- where blocks stand -----------------------------------------------------------------------------------------------


def renumbered(stretch: Stretch, numbers: Mapping[int, int]) -> Stretch:
    """Return a stretch with other numbers for its bots."""
    return replace(
        stretch,
        bots=tuple(numbers[bot] for bot in stretch.bots),
        new=tuple(numbers[bot] for bot in stretch.new),
        lineups=tuple(tuple(numbers[bot] for bot in lineup) for lineup in stretch.lineups),
        submitted=None if stretch.submitted is None else numbers[stretch.submitted],
    )


def _fitted(
    manifest: Manifest, theirs: Manifest, stretch: Stretch, here: str, there: str
) -> tuple[Manifest, list[Place]]:
    """Return the manifest with one of their stretches, and the places of its blocks."""
    seed = stretch.seed or theirs.seed
    rest, places = [_under_seed(stretch)], []
    for own in manifest.stretches:
        if (own.table, own.seed or manifest.seed) != (stretch.table, seed):
            continue
        first, last = _common(_under_seed(own), _under_seed(stretch))
        if first < last:
            _refuse_other_seatings(manifest, own, stretch, (first, last), f"{here} and {there}")
            places.append(_place(stretch, (first, last), own.shift))
            rest = [part for left in rest for part in _without(left, (first, last))]
    for part in rest:
        added = _added(manifest, stretch, part, seed)
        manifest = replace(manifest, stretches=(*manifest.stretches, added))
        places.append(_place(stretch, part, added.shift))
    return manifest, places


def _under_seed(stretch: Stretch) -> Range:
    """Return the numbers of its blocks under their seed."""
    return stretch.first - stretch.shift, stretch.last - stretch.shift


def _common(one: Range, other: Range) -> Range:
    return max(one[0], other[0]), min(one[1], other[1])


def _without(whole: Range, part: Range) -> list[Range]:
    """Return what is left of a range without another."""
    ends = [(whole[0], min(whole[1], part[0])), (max(whole[0], part[1]), whole[1])]
    return [end for end in ends if end[0] < end[1]]


def _place(stretch: Stretch, part: Range, shift: int) -> Place:
    span = Span(stretch.table, part[0] + stretch.shift, part[1] + stretch.shift)
    return Place(span, shift - stretch.shift)


def _added(manifest: Manifest, stretch: Stretch, part: Range, seed: str) -> Stretch:
    """Return a part of their stretch as it stands here: under our own seed in its place if that is free, else behind.

    What stands behind is moved by whole chunks, so that it falls into the same ones as there.
    """
    first, last = part
    free = max((own.last for own in manifest.stretches if own.table == stretch.table), default=0)
    is_own = seed == manifest.seed and first >= free
    size = blocks_in_chunk(manifest, stretch.table)
    shift = 0 if is_own else max(0, -(-(free - first) // size) * size)
    into = first - _under_seed(stretch)[0]
    return replace(
        stretch,
        first=first + shift,
        last=last + shift,
        offset=stretch.offset if stretch.lineups else stretch.offset + into,
        lineups=stretch.lineups[into : into + last - first],
        seed="" if is_own else seed,
        shift=shift,
    )


def _refuse_other_seatings(manifest: Manifest, ours: Stretch, theirs: Stretch, part: Range, both: str) -> None:
    """Raise ResultsError where blocks of one deal have other lineups in the two stretches."""
    if _is_one_design(ours, theirs):
        return
    rules = manifest.kinds[ours.table]
    for block in range(*part):
        one, other = (block_at(own, rules, block + own.shift, manifest.fill) for own in (ours, theirs))
        if (one.lineup, one.williams) != (other.lineup, other.williams):
            seated = [" ".join(manifest.bots[bot].name for bot in own.lineup) for own in (one, other)]
            raise ResultsError(
                f"{both}: have one seed, and differ in who plays its blocks: at {ours.table}, block {block}, "
                f"{seated[0]} and {seated[1]}; a run that was continued in two ways cannot be joined again"
            )


def _is_one_design(one: Stretch, other: Stretch) -> bool:
    kinds = [(own.bots, own.new, own.williams, own.offset - _under_seed(own)[0], own.lineups) for own in (one, other)]
    return kinds[0] == kinds[1] and not one.lineups


# -- what else a manifest keeps ---------------------------------------------------------------------------------------


def is_further(ours: Manifest, theirs: Manifest, numbers: Mapping[int, int]) -> bool:
    """Whether theirs is this very run, gone further than here."""
    begun = tuple(renumbered(stretch, numbers) for stretch in theirs.stretches[: len(ours.stretches)])
    is_longer = len(theirs.stretches) > len(ours.stretches)
    return ours.seed == theirs.seed and is_longer and begun == ours.stretches


def _with_plans(ours: Manifest, bots: tuple[BotSpec, ...], theirs: Manifest, numbers: Mapping[int, int]) -> Manifest:
    """Return our manifest with the bots of both, and what theirs asks of new ones, or of all where it is further."""
    submissions = tuple(replace(one, bot=numbers[one.bot]) for one in theirs.submissions)
    retired = tuple(numbers[bot] for bot in theirs.retired)
    if is_further(ours, theirs, numbers):
        asked, new = ([numbers[bot] for bot in bots] for bots in (theirs.schedule.bots, theirs.schedule.new))
        schedule = replace(theirs.schedule, bots=tuple(asked), new=tuple(new))
        return replace(ours, bots=bots, schedule=schedule, submissions=submissions, retired=retired)
    known = range(len(ours.bots))
    return replace(
        ours,
        bots=bots,
        submissions=(*ours.submissions, *(one for one in submissions if one.bot not in known)),
        retired=(*ours.retired, *(bot for bot in retired if bot not in known)),
    )


def _name(ours: Manifest, theirs: Manifest) -> str:
    """Return the names of all that is joined, each once; no ladder is called by what stands between them."""
    return BETWEEN.join(dict.fromkeys([*ours.name.split(BETWEEN), *theirs.name.split(BETWEEN)]))


def _history(ours: Manifest, theirs: Manifest) -> tuple[dict[str, Any], ...]:
    """Return by which versions games of both were played, but those of now."""
    if (theirs.run, theirs.versions) == (ours.run, ours.versions):
        own: dict[str, Any] = {}
    else:
        own = {"joined": theirs.run, "name": theirs.name, "versions": theirs.versions}
    more = (entry for entry in (*theirs.history, own) if entry and entry not in ours.history)
    return (*ours.history, *more)
