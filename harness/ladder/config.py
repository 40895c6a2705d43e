"""A ladder's YAML file, read once into frozen values.

    config = load_config("configs/quick.yaml")
    config.kinds            # the table kinds to play, each with its number of blocks
    config.bots[0].name

Whatever is unknown, doubled or of the wrong type is refused, all problems at once, one line each, beginning with the
file, the line and the key. Bots stay plain names here; finding and loading them is the registry's job.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from harness.errors import ConfigError, nearest
from harness.game.rules import Rules
from harness.ladder.entries import BotEntry, ConfigFile, ExecutorEntry, GateEntry, ScheduleEntry, SubmitEntry
from harness.ladder.entry_values import Section
from harness.ladder.table_entry import table_kinds
from harness.ladder.yaml_file import Node, Place, Problem, compose, construct, listed, read_text, scalar_at
from harness.play.limits import USUAL_LIMITS, Limits


@dataclass(frozen=True)
class TableKind:
    """The rules of a table and how many blocks are played by them."""

    rules: Rules
    blocks: int

    @property
    def name(self) -> str:
        """The table kind's name, as in ``4p:1234567``."""
        return self.rules.name


@dataclass(frozen=True)
class Config:
    """A ladder's config, checked and complete but for the seed, which is drawn by the run when left out."""

    name: str
    seed: str | None
    bots: tuple[BotEntry, ...]
    kinds: tuple[TableKind, ...]
    fill: BotEntry | None
    anchor: str | None
    anchor_elo: float
    executor: ExecutorEntry
    path: Path
    text: str
    limits: Limits = USUAL_LIMITS
    schedule: ScheduleEntry = field(default_factory=ScheduleEntry)
    submit: SubmitEntry = field(default_factory=SubmitEntry)
    gate: GateEntry = field(default_factory=GateEntry)

    @property
    def folder(self) -> Path:
        """The file's folder; paths of bots may be relative to it."""
        return self.path.parent


def load_config(path: str | Path) -> Config:
    """Read a config file; raise ConfigError with every problem found in it."""
    text = read_text(path)
    root = compose(path, text)
    try:
        file = ConfigFile.model_validate(construct(path, root))
    except ValidationError as error:
        raise ConfigError(listed(path, root, _problems(error, root))) from None
    return Config(
        name=file.name,
        seed=file.seed,
        bots=file.bots,
        kinds=tuple(TableKind(rules, table.blocks) for table in file.tables for rules in table_kinds(table)),
        fill=file.schedule.fill,
        anchor=file.ratings.anchor,
        anchor_elo=file.ratings.elo,
        executor=file.executor,
        path=Path(path).absolute(),
        text=text,
        limits=Limits(**file.limits.model_dump()),
        schedule=file.schedule,
        submit=file.submit,
        gate=file.gate,
    )


def _problems(error: ValidationError, root: Node) -> Iterator[Problem]:
    for found in error.errors():
        place = tuple(found["loc"])
        if found["type"] == "problems":
            for problem in found["ctx"]["problems"]:
                yield Problem((*place, *problem.place), problem.text)
        else:
            yield Problem(place, _sentence(found, root))


SENTENCES = {
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list",
    "dict_type": "must be a mapping of keys to values",
    "model_type": "must be a mapping of keys to values",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "literal_error": "must be {expected}",
}
"""Pydantic's kinds of error in this program's words."""


def _sentence(found: ErrorDetails, root: Node) -> str:
    place, kind = tuple(found["loc"]), found["type"]
    keys = _section_at(place).model_fields
    if kind == "missing":
        return f"is missing: {keys[str(place[-1])].description}"
    if kind == "extra_forbidden":
        return f"no such key{nearest(str(place[-1]), keys)}; known: {' '.join(keys)}"
    text = scalar_at(root, place)
    written = f"{text!r}: " if text else ""
    if kind == "string_type":
        return written + ("must be text; put it in quotes" if written else "must be text")
    sentence = SENTENCES[kind].format(**found.get("ctx", {})) if kind in SENTENCES else found["msg"]
    return written + sentence


def _section_at(place: Place) -> type[Section]:
    """The model whose key the place ends in."""
    section: type[Section] = ConfigFile
    for key in place[:-1]:
        if isinstance(key, str) and key in section.model_fields:
            section = next(_sections(section.model_fields[key].annotation), section)
    return section


def _sections(annotation: Any) -> Iterator[type[Section]]:
    if isinstance(annotation, type) and issubclass(annotation, Section):
        yield annotation
    for part in get_args(annotation):
        yield from _sections(part)
