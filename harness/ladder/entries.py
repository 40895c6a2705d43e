"""The keys of a ladder's YAML file, as frozen models that mirror it section by section.

Nothing is guessed: unknown keys and values of another type are refused. Each key says in its `description` what it is
for; the reference in `configs/README.md` is tested against them.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator, model_validator

from harness.errors import nearest
from harness.ladder.entry_values import BotText, FolderName, Listed, Params, Section, Seed, Workers, bot_mapping, refuse
from harness.ladder.table_entry import TableEntry, table_kinds
from harness.ladder.yaml_file import Problem
from harness.play.limits import USUAL_LIMITS


class BotEntry(Section):
    """A bot of the ladder."""

    bot: BotText = Field(description="A built-in bot (`greedy`), `path/to/file.py:Class` or `package.module:Class`.")
    name: FolderName = Field(
        description="What tables and plots call it; left out: the built-in's name, else its class in lower case."
    )
    params: Params = Field(
        default={}, description="Parameters handed to the bot: texts, numbers, true, false, null, lists and mappings."
    )
    level: Literal["trusted", "process", "jailed"] | None = Field(
        default=None,
        description="Where it runs (above); left out: built-ins and installed plugins are trusted, all others jailed.",
    )


Bot = Annotated[BotEntry, BeforeValidator(bot_mapping)]


class ScheduleEntry(Section):
    """Who plays whom."""

    kind: Literal["round_robin", "gauntlet", "swiss", "adaptive"] = Field(
        default="round_robin", description="Who sits with whom (above)."
    )
    new: Listed[str] | None = Field(
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
        refuse(
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


class GateEntry(Section):
    """When `boss gate` accepts a bot."""

    elo0: float = Field(
        default=0.0, allow_inf_nan=False, description="H0: the new bot's normalized Elo over the old one (above)."
    )
    elo1: float = Field(default=5.0, allow_inf_nan=False, description="H1, more than `elo0`: then it is accepted.")
    alpha: float = Field(default=0.05, gt=0, lt=0.5, description="Chance of accepting it under H0.")
    beta: float = Field(default=0.05, gt=0, lt=0.5, description="Chance of rejecting it under H1.")
    score: Literal["win", "finish"] = Field(
        default="win",
        description="What counts: its share of the win, or of the others how many it finishes above, a tie half.",
    )
    step: int = Field(default=8, ge=1, le=1_000_000, description="Blocks between two looks at the results.")
    first: int = Field(default=64, ge=1, le=1_000_000, description="Blocks before the first look.")
    most: int = Field(
        default=100_000, ge=1, le=10_000_000, description="After so many blocks, all table kinds together, it is open."
    )

    @model_validator(mode="after")
    def _tells_apart(self) -> Self:
        if not self.elo0 < self.elo1:
            refuse([Problem(("elo1",), f"must be more than elo0 ({self.elo0:g})")])
        first_look = -(-self.first // self.step) * self.step
        if self.most < first_look:
            refuse([Problem(("most",), f"must reach the first look, after {first_look} blocks")])
        return self


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
    workers: Workers = Field(default="auto", description="How many processes; `auto`: one for each core.")
    address: str | None = Field(
        default=None, description="A Ray cluster to join, or `auto` to find one; only with `ray`."
    )

    @model_validator(mode="after")
    def _address_of_ray(self) -> Self:
        if self.address is not None and self.kind != "ray":
            refuse([Problem(("address",), "only a ray executor has an address; remove it or say kind: ray")])
        return self


class ConfigFile(Section):
    """The whole file."""

    name: FolderName = Field(description="The ladder's name; its results go to `results/<name>`.")
    seed: Seed | None = Field(
        default=None, description="32 hex digits that fix every deal; left out: drawn once and kept with the results."
    )
    bots: Listed[Bot] = Field(description="The bots, each a text or a mapping.")
    tables: Listed[TableEntry] = Field(description="What is played at: players, card sets and how much.")
    schedule: ScheduleEntry = Field(default=ScheduleEntry(), description="Who plays whom.")
    ratings: RatingsEntry = Field(default=RatingsEntry(), description="What the ratings are measured from.")
    submit: SubmitEntry = Field(default=SubmitEntry(), description="How far `boss submit` plays a bot.")
    gate: GateEntry = Field(default=GateEntry(), description="When `boss gate` accepts a bot.")
    executor: ExecutorEntry = Field(default=ExecutorEntry(), description="Where the games are played.")
    limits: LimitsEntry = Field(default=LimitsEntry(), description="What bots may use, and how often they may forfeit.")

    @field_validator("bots")
    @classmethod
    def _names_differ(cls, bots: tuple[BotEntry, ...]) -> tuple[BotEntry, ...]:
        names = [bot.name for bot in bots]
        refuse(
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
        refuse(
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
        refuse(_fill_problems(schedule.fill, bots, info.data.get("tables")))
        refuse(_new_problems(schedule.new or (), [bot.name for bot in bots or ()]))
        return schedule

    @field_validator("ratings")
    @classmethod
    def _anchor_plays(cls, ratings: RatingsEntry, info: ValidationInfo) -> RatingsEntry:
        names = [bot.name for bot in info.data.get("bots", ())]
        if names and ratings.anchor is not None and ratings.anchor not in names:
            hint = nearest(ratings.anchor, names)
            text = f"no bot is called {ratings.anchor!r}{hint}; bots: {' '.join(names)}"
            refuse([Problem(("anchor",), text)])
        return ratings


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
