"""The keys of a ladder's YAML file, as frozen models that mirror it section by section.

Nothing is guessed: unknown keys and values of another type are refused. Each key says in its `description` what it is
for; the reference in `configs/README.md` is tested against them.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from harness.errors import CardsError, NotationError, nearest
from harness.game import cards as c
from harness.game.rules import Rules, changed, own_rules, rules_of_set, usual_rules
from harness.ladder.yaml_file import Place, Problem
from harness.play.limits import USUAL_LIMITS


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
    level: Literal["trusted", "process", "jailed"] | None = Field(
        default=None,
        description="Where it runs (above); left out: built-ins and installed plugins are trusted, all others jailed.",
    )


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
    blocks: int = Field(ge=1, le=1_000_000, description="How many blocks of each of these table kinds to play.")
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

    kind: Literal["round_robin", "gauntlet", "swiss", "adaptive"] = Field(
        default="round_robin", description="Who sits with whom (above)."
    )
    new: Annotated[tuple[str, ...], Field(strict=False), AfterValidator(_not_empty)] | None = Field(
        default=None,
        description="Names of the bots that run a gauntlet; left out: those without games at that table kind.",
    )
    rounds: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="How often results decide who sits with whom; left out: 8 times if adaptive, log2 of the number "
        "of bots (rounded up) if swiss.",
    )
    neighbours: Literal["rotated", "williams"] = Field(
        default="rotated",
        description="Whether a block keeps its order round the table, or is played in the orders of a Williams square.",
    )
    fill: Bot | None = Field(default=None, description="The bot that sits in the empty seats when bots are too few.")

    @model_validator(mode="after")
    def _keys_fit_the_kind(self) -> Self:
        fits = {"new": ("gauntlet",), "rounds": ("swiss", "adaptive")}
        _refuse(
            Problem((key,), f"only a {' or '.join(kinds)} schedule has {key}; remove it, or set the kind")
            for key, kinds in fits.items()
            if getattr(self, key) is not None and self.kind not in kinds
        )
        return self


class SubmitEntry(Section):
    """How far `boss submit` plays a bot."""

    precision: float = Field(
        default=25.0,
        gt=0,
        allow_inf_nan=False,
        description="A submitted bot plays until half its 95 % interval is no wider, in Elo.",
    )
    cap: int = Field(
        default=1000, ge=1, le=1_000_000, description="It plays no more blocks than this, all table kinds together."
    )


class RatingsEntry(Section):
    """What the ratings are measured from."""

    anchor: str | None = Field(
        default=None, description="Name of the bot whose rating stays fixed; left out: the first bot."
    )
    elo: float = Field(default=1000.0, allow_inf_nan=False, description="The anchor's rating.")


class LimitsEntry(Section):
    """What bots may use, and how often they may forfeit."""

    turn_ms: int = Field(
        default=USUAL_LIMITS.turn_ms,
        ge=1,
        le=3_600_000,
        description="CPU time for one decision, in milliseconds; what goes beyond is taken from the bank.",
    )
    bank_ms: int = Field(
        default=USUAL_LIMITS.bank_ms,
        ge=0,
        le=3_600_000,
        description="CPU time in the bank for a whole game, in milliseconds.",
    )
    load_s: float = Field(
        default=USUAL_LIMITS.load_s,
        gt=0,
        le=3600,
        allow_inf_nan=False,
        description="Seconds to start and load a bot.",
    )
    memory_mb: int = Field(
        default=USUAL_LIMITS.memory_mb, ge=64, le=1_048_576, description="Memory of a bot's process, in megabytes."
    )
    forfeits: int = Field(
        default=USUAL_LIMITS.forfeits,
        ge=1,
        le=1_000_000_000,
        description="Forfeited games after which a bot is out of the run, at any level.",
    )


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
    submit: SubmitEntry = Field(default=SubmitEntry(), description="How far `boss submit` plays a bot.")
    executor: ExecutorEntry = Field(default=ExecutorEntry(), description="Where the games are played.")
    limits: LimitsEntry = Field(default=LimitsEntry(), description="What bots may use, and how often they may forfeit.")

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
        kinds = [(i, rules.name) for i, table in enumerate(tables) for rules in table_kinds(table)]
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
        bots = info.data.get("bots")
        _refuse(_fill_problems(schedule.fill, bots, info.data.get("tables")))
        _refuse(_new_problems(schedule.new or (), [bot.name for bot in bots or ()]))
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


def table_kinds(table: TableEntry) -> list[Rules]:
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


def _new_problems(new: Iterable[str], bots: list[str]) -> Iterator[Problem]:
    for i, name in enumerate(new):
        if bots and name not in bots:
            yield Problem(("new", i), f"no bot is called {name!r}{nearest(name, bots)}; bots: {' '.join(bots)}")
    if bots and set(bots) <= set(new):
        yield Problem(("new",), "all bots are new; leave out those that are the pool")


def _fill_problems(
    fill: BotEntry | None, bots: tuple[BotEntry, ...] | None, tables: tuple[TableEntry, ...] | None
) -> Iterator[Problem]:
    if fill is not None and any(bot.name == fill.name and bot != fill for bot in bots or ()):
        yield Problem(("fill",), f"{fill.name!r} is another bot's name; set another `name`")
    seats = max((table.players for table in tables or ()), default=0)
    if fill is None and bots and len(bots) < seats:
        yield Problem(("fill",), f"too few bots ({len(bots)}) for {seats} seats; name one that sits in the empty ones")
