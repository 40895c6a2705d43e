"""A ladder's YAML file, read once into frozen values.

    config = load_config("configs/quick.yaml")
    config.kinds            # the table kinds to play, each with its number of blocks
    config.bots[0].name

The models below mirror the file key by key; `Config` is what the rest of the program uses. Nothing is guessed:
whatever is unknown, doubled or of the wrong type is refused, all problems at once, one line each, beginning
with the file, the line and the key. Bots stay plain names here; finding and loading them is the registry's job.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from harness.errors import CardsError, ConfigError, NotationError, nearest
from harness.game import cards as c
from harness.game.rules import Rules, changed, own_rules, rules_of_set, usual_rules

Place = tuple[int | str, ...]
"""Where in the file: the keys and list positions that lead there."""


@dataclass(frozen=True)
class Problem:
    """What is wrong at one place, in words."""

    place: Place
    text: str


def _refuse(problems: Iterable[Problem]) -> None:
    """Hand problems to pydantic, which adds its own and puts its place before theirs."""
    found = list(problems)
    if found:
        raise PydanticCustomError("problems", "several problems", {"problems": found})


def _fail(text: str) -> None:
    _refuse([Problem((), text)])


def _folder_safe(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}", name):
        _fail(f"{name!r} cannot name a folder; use letters, digits, - _ and . (not first)")
    return name


def _names_bot(text: str) -> bool:
    where, colon, cls = text.rpartition(":")
    if not colon:
        return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", text) is not None
    module = where.endswith(".py") or all(part.isidentifier() for part in where.split("."))
    return module and cls.isidentifier()


def _bot_text(text: str) -> str:
    if not _names_bot(text):
        _fail(f"{text!r} names no bot; write greedy, path/to/file.py:Class or package.module:Class")
    return text


def _bot_mapping(value: Any) -> Any:
    """Let a bot be written as its text alone, and name it after its class."""
    if isinstance(value, str):
        value = {"bot": value}
    if not isinstance(value, dict):
        _fail("must be a bot's text, as in greedy, or a mapping with the key bot")
    return {"name": _own_name(value.get("bot")), **value}


def _own_name(bot: Any) -> str:
    """The name of a bot that is given none; any will do for one that is refused."""
    if not isinstance(bot, str) or not _names_bot(bot):
        return "refused"
    _, path, cls = bot.rpartition(":")
    return cls.lower() if path else bot


def _seed(text: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{32}", text):
        _fail(f"{text!r} must be 32 hex digits (0-9, a-f); leave it out and one is drawn")
    return text.lower()


def _face(value: Any) -> Any:
    text = str(value) if type(value) is int else value
    if isinstance(text, str):
        try:
            c.check_face(text, "face")
        except CardsError as error:
            _fail(str(error).removeprefix("face: "))
    return text


def _set_list(value: Any) -> Any:
    """Let sets be one word or several, and digits that YAML reads as a number be digits."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return [str(one) if type(one) is int else one for one in values]


def _not_empty(entries: tuple[Any, ...]) -> tuple[Any, ...]:
    if not entries:
        _fail("must not be empty")
    return entries


def _workers(value: Any) -> Any:
    if value != "auto" and not (type(value) is int and value >= 1):
        _fail("must be auto or a whole number of at least 1")
    return value


FolderName = Annotated[str, AfterValidator(_folder_safe)]


class Section(BaseModel):
    """A mapping of the file: unknown keys refused, no type guessed from another."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_default=True)


class BotEntry(Section):
    """A bot of the ladder."""

    bot: Annotated[str, AfterValidator(_bot_text)] = Field(
        description="A built-in bot (`greedy`), `path/to/file.py:Class` or `package.module:Class`."
    )
    name: FolderName = Field(
        description="What tables and plots call it; left out: the built-in's name, else its class in lower case."
    )
    params: dict[str, Any] = Field(default={}, description="Parameters handed to the bot.")


Bot = Annotated[BotEntry, BeforeValidator(_bot_mapping)]


class TableEntry(Section):
    """One or more table kinds that are played alike."""

    players: int = Field(ge=2, le=c.MAX_PLAYERS, description="How many play at a table, 2 to 6.")
    sets: Annotated[tuple[str, ...], Field(strict=False), AfterValidator(_not_empty), BeforeValidator(_set_list)] = (
        Field(
            default=("default",),
            description="Card sets, one or a list: `default`, `official` (all published), `exact` (all that deal "
            "out) or city numbers as in `1234567`; a table kind each.",
        )
    )
    blocks: int = Field(ge=1, description="How many blocks of each of these table kinds to play.")
    rules: dict[str, Any] = Field(default={}, description="Rulings and pieces that are not as usual (below).")
    cards: dict[str, Annotated[tuple[Annotated[str, BeforeValidator(_face)], ...], Field(strict=False)]] | None = Field(
        default=None, description="A designer's own cards instead of `sets`: each city with its list of faces."
    )
    hand_size: int | None = Field(
        default=None, ge=c.MIN_HAND, le=c.MAX_HAND, description="Cards in a hand; only with `cards`, 3 to 10."
    )
    teams: bool | None = Field(
        default=None, description="May say `true` at six players, who always play as three teams of two."
    )

    @model_validator(mode="after")
    def _playable(self) -> Self:
        _refuse(_table_problems(self))
        return self


class ScheduleEntry(Section):
    """Who plays whom."""

    kind: Literal["round_robin"] = Field(
        default="round_robin", description="Every bot meets every other equally often."
    )
    fill: Bot | None = Field(default=None, description="The bot that sits in the empty seats when bots are too few.")


class RatingsEntry(Section):
    """What the ratings are measured from."""

    anchor: str | None = Field(
        default=None, description="Name of the bot whose rating stays fixed; left out: the first bot."
    )
    elo: float = Field(default=1000.0, allow_inf_nan=False, description="The anchor's rating.")


class ExecutorEntry(Section):
    """Where games are played; the results are the same anywhere."""

    kind: Literal["ray", "local"] = Field(default="ray", description="`ray`, or `local` for processes of this machine.")
    workers: Annotated[int | Literal["auto"], BeforeValidator(_workers)] = Field(
        default="auto", description="How many processes; `auto`: one for each core."
    )
    address: str | None = Field(
        default=None, description="A Ray cluster to join, or `auto` to find one; only with `ray`."
    )

    @model_validator(mode="after")
    def _address_of_ray(self) -> Self:
        if self.address is not None and self.kind != "ray":
            _refuse([Problem(("address",), "only a ray executor has an address; remove it or say kind: ray")])
        return self


class ConfigFile(Section):
    """The whole file."""

    name: FolderName = Field(description="The ladder's name; its results go to `results/<name>`.")
    seed: Annotated[str, AfterValidator(_seed)] | None = Field(
        default=None, description="32 hex digits that fix every deal; left out: drawn once and kept with the results."
    )
    bots: Annotated[tuple[Bot, ...], Field(strict=False), AfterValidator(_not_empty)] = Field(
        description="The bots, each a text or a mapping."
    )
    tables: Annotated[tuple[TableEntry, ...], Field(strict=False), AfterValidator(_not_empty)] = Field(
        description="What is played at: players, card sets and how much."
    )
    schedule: ScheduleEntry = Field(default=ScheduleEntry(), description="Who plays whom.")
    ratings: RatingsEntry = Field(default=RatingsEntry(), description="What the ratings are measured from.")
    executor: ExecutorEntry = Field(default=ExecutorEntry(), description="Where the games are played.")

    @field_validator("bots")
    @classmethod
    def _names_differ(cls, bots: tuple[BotEntry, ...]) -> tuple[BotEntry, ...]:
        names = [bot.name for bot in bots]
        _refuse(
            Problem((i,), f"{name!r} is already the name of bots[{names.index(name)}]; set another `name`")
            for i, name in enumerate(names)
            if names.index(name) < i
        )
        return bots

    @field_validator("tables")
    @classmethod
    def _kinds_differ(cls, tables: tuple[TableEntry, ...]) -> tuple[TableEntry, ...]:
        kinds = [(i, rules.name) for i, table in enumerate(tables) for rules in _table_kinds(table)]
        names = [name for _, name in kinds]
        _refuse(
            Problem(
                (i,), f"{name} is already played in tables[{kinds[names.index(name)][0]}]; give all its blocks there"
            )
            for n, (i, name) in enumerate(kinds)
            if names.index(name) < n
        )
        return tables

    @field_validator("schedule")
    @classmethod
    def _seats_filled(cls, schedule: ScheduleEntry, info: ValidationInfo) -> ScheduleEntry:
        _refuse(_fill_problems(schedule.fill, info.data.get("bots"), info.data.get("tables")))
        return schedule

    @field_validator("ratings")
    @classmethod
    def _anchor_plays(cls, ratings: RatingsEntry, info: ValidationInfo) -> RatingsEntry:
        names = [bot.name for bot in info.data.get("bots", ())]
        if names and ratings.anchor is not None and ratings.anchor not in names:
            hint = nearest(ratings.anchor, names)
            text = f"no bot is called {ratings.anchor!r}{hint}; bots: {' '.join(names)}"
            _refuse([Problem(("anchor",), text)])
        return ratings


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
    anchor: str
    anchor_elo: float
    executor: ExecutorEntry
    path: Path
    text: str

    @property
    def folder(self) -> Path:
        """The file's folder; paths of bots may be relative to it."""
        return self.path.parent


def load_config(path: str | Path) -> Config:
    """Read a config file; raise ConfigError with every problem found in it."""
    text = _read(path)
    root = _compose(path, text)
    try:
        file = ConfigFile.model_validate(_construct(path, root))
    except ValidationError as error:
        raise ConfigError(_listed(path, root, _problems(error, root))) from None
    return Config(
        name=file.name,
        seed=file.seed,
        bots=file.bots,
        kinds=tuple(TableKind(rules, table.blocks) for table in file.tables for rules in _table_kinds(table)),
        fill=file.schedule.fill,
        anchor=file.ratings.anchor or file.bots[0].name,
        anchor_elo=file.ratings.elo,
        executor=file.executor,
        path=Path(path).absolute(),
        text=text,
    )


def _table_kinds(table: TableEntry) -> list[Rules]:
    bases = (build() for _, build in _bases(table))
    return [changed(base, table.rules) for base in bases]


def _bases(table: TableEntry) -> Iterator[tuple[Place, Callable[[], Rules]]]:
    """Each set of cards the entry asks for: where it says so, and how to make its rules."""
    players, own = table.players, table.cards
    if own is not None:
        cards = {city: list(faces) for city, faces in own.items()}
        yield ("cards",), partial(own_rules, players, cards, table.hand_size)
        return
    for i, word in enumerate(table.sets):
        for digits in SETS[word](players) if word in SETS else (word,):
            yield ("sets", i), partial(_rules_of, players, digits)


SETS: dict[str, Callable[[int], Iterable[str]]] = {
    "default": lambda players: c.OFFICIAL_SETS[players][:1],
    "official": lambda players: c.OFFICIAL_SETS[players],
    "exact": c.exact_sets,
}


def _rules_of(players: int, digits: str) -> Rules:
    if not digits.isdecimal():
        raise CardsError(
            f"{digits!r} is no card set; write {', '.join(SETS)} or city numbers, as in 1234567{nearest(digits, SETS)}"
        )
    return rules_of_set(f"{players}p:{digits}")


def _table_problems(table: TableEntry) -> Iterator[Problem]:
    if table.cards is not None and "sets" in table.model_fields_set:
        yield Problem(("sets",), "a table has either sets or cards of its own; remove one of them")
    if table.cards is None and table.hand_size is not None:
        yield Problem(("hand_size",), "only a table with cards of its own sets it; remove it")
    if table.teams is False and table.players == 6:
        yield Problem(("teams",), "six play as three teams of two; say true or leave it out")
    if table.teams and table.players != 6:
        yield Problem(("teams",), "only six play in teams; leave it out")
    for place, build in _bases(table):
        yield from _refusals(place, build)
    for key, value in table.rules.items():
        yield from _refusals(("rules", key), partial(changed, usual_rules(table.players), {key: value}))


def _refusals(place: Place, build: Callable[[], Rules]) -> Iterator[Problem]:
    try:
        build()
    except (CardsError, NotationError) as error:
        text = str(error)
        for head in ("cards", "rules", str(place[-1])):
            text = text.removeprefix(f"{head}: ")
        yield Problem(place, text)


def _fill_problems(
    fill: BotEntry | None, bots: tuple[BotEntry, ...] | None, tables: tuple[TableEntry, ...] | None
) -> Iterator[Problem]:
    if fill is not None and any(bot.name == fill.name and bot != fill for bot in bots or ()):
        yield Problem(("fill",), f"{fill.name!r} is another bot's name; set another `name`")
    seats = max((table.players for table in tables or ()), default=0)
    if fill is None and bots and len(bots) < seats:
        yield Problem(("fill",), f"too few bots ({len(bots)}) for {seats} seats; name one that sits in the empty ones")


def _read(path: str | Path) -> str:
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
    "float": r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*)([eE][-+]?[0-9]+)?$|[-+]?[0-9]+[eE][-+]?[0-9]+$",
}
_TAG = "tag:yaml.org,2002:"
_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in found if tag.removeprefix(_TAG) not in {*NUMBERS, "timestamp"}]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _kind, _regexp in NUMBERS.items():
    _Loader.add_implicit_resolver(_TAG + _kind, re.compile(_regexp), list("-+.0123456789"))


def _compose(path: str | Path, text: str) -> yaml.MappingNode:
    """Parse into nodes, which know their lines; refuse what is no mapping and keys that hide each other."""
    try:
        root = yaml.compose(text, _Loader)
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigError(_not_yaml(path, error)) from None
    if not isinstance(root, yaml.MappingNode):
        raise ConfigError(f"{path}:1: must be a mapping of keys to values, as in name: my-ladder")
    problems = list(_key_problems(root, (), set()))
    if problems:
        raise ConfigError(_listed(path, root, problems))
    return root


def _construct(path: str | Path, root: yaml.MappingNode) -> Any:
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


def _problems(error: ValidationError, root: yaml.Node) -> Iterator[Problem]:
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
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
}
"""Pydantic's kinds of error in this program's words."""


def _sentence(found: ErrorDetails, root: yaml.Node) -> str:
    place, kind = tuple(found["loc"]), found["type"]
    keys = _section_at(place).model_fields
    if kind == "missing":
        return f"is missing: {keys[str(place[-1])].description}"
    if kind == "extra_forbidden":
        return f"no such key{nearest(str(place[-1]), keys)}; known: {' '.join(keys)}"
    node, _ = _walk(root, place)
    written = f"{node.value!r}: " if isinstance(node, yaml.ScalarNode) and node.value else ""
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


def _walk(root: yaml.Node, place: Place) -> tuple[yaml.Node, int]:
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


def _spelt(root: yaml.Node, place: Place) -> str:
    """The place as a key path, ``tables[1].blocks``; what the file writes as one text ends it."""
    spelt = ""
    for depth, key in enumerate(place):
        if depth and isinstance(_walk(root, place[:depth])[0], yaml.ScalarNode):
            break
        spelt += f"[{key}]" if isinstance(key, int) else f".{key}"
    return spelt.removeprefix(".")


def _listed(path: str | Path, root: yaml.Node, problems: Iterable[Problem]) -> str:
    found = sorted((_walk(root, one.place)[1], _spelt(root, one.place), one.text) for one in problems)
    return "\n".join(": ".join(filter(None, (f"{path}:{line}", spelt, text))) for line, spelt, text in found)
