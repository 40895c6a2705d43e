"""The manifest: what a run is, and what of it may change when it is continued.

A run *is* its seed, its table kinds with their rules, its fill bot, its limits and its chunk rule. Bots and blocks may
be added, also those of other runs (`merge_fit`); the bots' levels, workers and executor may change; everything else is
another run.
"""

import json
import math
import platform
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from harness.game import rules as rules_module
from harness.game.rules import Rules, rules_from_record
from harness.ladder.entry_values import name_problem
from harness.ladder.schedule import Schedule, Stretch, Submission
from harness.play.limits import USUAL_LIMITS, Limits
from harness.play.registry import BotSpec
from harness.play.sources import is_fast

FORMAT = 3
"""Goes up with what a manifest holds, and with designs: no run goes on by other lineups than it began with."""

ENGINE = "engine"
"""Under which the versions name the sources of the game."""

CHUNK_GAMES = 2048
"""Games in a chunk: enough that a step of the lockstep costs little per game, few enough to lose little in a kill."""

OUTSIDE_CHUNK_GAMES = 8192
"""The most where bots have processes of their own, which are started anew for each chunk."""

BATCH_CHUNK_GAMES = 32_768
"""The most where all of those bots are asked in arrays: they play many times as fast."""

CHUNKS = 2
"""Such a run has a multiple of so many chunks, as far as they stay large enough: workers then share it evenly."""


class UnknownFormatError(ValueError):
    """A manifest is of another FORMAT."""


def chunk_games(bots: Iterable[BotSpec], games: int) -> int:
    """Return the games in a chunk of a run that begins with these bots, and about so many games."""
    outside = [bot for bot in bots if bot.level != "trusted"]
    if not outside:
        return CHUNK_GAMES
    most = BATCH_CHUNK_GAMES if all(is_fast(bot.reference) for bot in outside) else OUTSIDE_CHUNK_GAMES
    parts = CHUNKS * max(1, math.ceil(games / (CHUNKS * most)))
    return max(CHUNK_GAMES, math.ceil(games / parts))


@dataclass(frozen=True)
class Manifest:
    """What a run is and how far its schedule reaches.

    `run` is a hash of what the run is (`run_id`), which every stored part bears. `versions` are those it was last
    continued with, `history` those before, each with the number of parts that lay stored when it was left.
    `schedule` is what its config last asked to be played, `submissions` the bots that came by themselves, in order, and
    `retired` those that play no more.
    `isolation` is what the machine that last began or continued it can hold bots to: `level`, `holds` (protections
    tried, and whether each holds) and `reason` (why the level is lower than it could be); empty where all are trusted.
    """

    name: str
    seed: str
    kinds: dict[str, Rules]
    chunk_games: int
    bots: tuple[BotSpec, ...]
    fill: int | None
    stretches: tuple[Stretch, ...]
    anchor: str
    anchor_elo: float
    versions: dict[str, str]
    limits: Limits = USUAL_LIMITS
    isolation: dict[str, Any] = field(default_factory=dict)
    run: str = ""
    history: tuple[dict[str, Any], ...] = ()
    schedule: Schedule = field(default_factory=Schedule)
    submissions: tuple[Submission, ...] = ()
    retired: tuple[int, ...] = ()

    @property
    def anchor_number(self) -> int:
        """The number of the anchor; of the first bot where no bot has its name."""
        names = [spec.name for spec in self.bots]
        return names.index(self.anchor) if self.anchor in names else 0

    def deal_of(self, table: str, block: int) -> tuple[str, str, int]:
        """Return what the keys of a block are made of: seed, table kind, number under that seed."""
        for stretch in self.stretches:
            if stretch.seed and stretch.table == table and stretch.first <= block < stretch.last:
                return stretch.seed, table, block - stretch.shift
        return self.seed, table, block

    @property
    def joined(self) -> tuple[int, ...]:
        """The bots that came with games joined from other runs, and that nobody has asked for here."""
        own = {*self.schedule.bots, *self.guests, self.fill}
        own |= {bot for stretch in self.stretches if not stretch.seed for bot in stretch.bots}
        return tuple(sorted({bot for stretch in self.stretches for bot in stretch.bots} - own))

    @property
    def guests(self) -> tuple[int, ...]:
        """The bots that the config need not ask for: those submitted, and those retired."""
        return (*(submission.bot for submission in self.submissions), *self.retired)

    def to_json(self) -> str:
        """Return the manifest as JSON text."""
        value = {
            "format": FORMAT,
            "name": self.name,
            "run": self.run,
            "seed": self.seed,
            "kinds": {name: rules.as_record() for name, rules in self.kinds.items()},
            "rules_hash": {name: rules.digest for name, rules in self.kinds.items()},
            "chunk_games": self.chunk_games,
            "bots": [asdict(spec) for spec in self.bots],
            "fill": self.fill,
            "schedule": asdict(self.schedule),
            "submissions": [asdict(submission) for submission in self.submissions],
            "retired": self.retired,
            "stretches": [stretch.as_record() for stretch in self.stretches],
            "anchor": self.anchor,
            "anchor_elo": self.anchor_elo,
            "versions": self.versions,
            "history": self.history,
            "limits": asdict(self.limits),
            "isolation": self.isolation,
        }
        return json.dumps(value, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Read what `to_json` wrote."""
        value = json.loads(text)
        if value.pop("format") != FORMAT:
            raise UnknownFormatError("it was written by another version of this harness")
        del value["rules_hash"]  # for other programs; the rules say it themselves
        value["kinds"] = {name: rules_from_record(record) for name, record in value["kinds"].items()}
        value["bots"] = tuple(_within_a_folder(BotSpec(**spec)) for spec in value["bots"])
        value["stretches"] = tuple(map(Stretch.from_record, value["stretches"]))
        value["limits"] = Limits(**value.get("limits", {}))
        value["history"] = tuple(value["history"])
        lists = {key: tuple(value["schedule"][key]) for key in ("bots", "new")}
        value["schedule"] = Schedule(**{**value["schedule"], **lists})
        value["submissions"] = tuple(Submission(**submission) for submission in value["submissions"])
        value["retired"] = tuple(value["retired"])
        return cls(**value)


def _within_a_folder(spec: BotSpec) -> BotSpec:
    """Return a bot of a manifest from anywhere; raise ValueError where its sources would not lie in the folder."""
    name, at, number = spec.name.partition("@")
    if name_problem(name) or name_problem(spec.version) or (at and not number.isdecimal()):
        raise ValueError(f"bot {spec.name!r}, version {spec.version!r}, cannot name a folder")
    return spec


def run_id(seed: str, kinds: Mapping[str, Rules], fill: BotSpec | None, limits: Limits, chunk_games: int) -> str:
    """Return a hash of what a run is (16 hex digits): of everything that may not change when it is continued."""
    rules = {name: own.digest for name, own in sorted(kinds.items())}
    filling = [fill.name, fill.version] if fill else None
    text = json.dumps([FORMAT, seed, rules, filling, asdict(limits), chunk_games])
    return blake2b(text.encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=1)
def _engine() -> str:
    """Return a hash of the sources of the game itself: they may differ where the version is the same."""
    digest = blake2b(digest_size=8)
    for file in sorted(Path(rules_module.__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return f"source {digest.hexdigest()}"


def new_seed() -> str:
    """Return 128 fresh random bits as 32 hex digits."""
    return secrets.token_hex(16)


def library_versions() -> dict[str, str]:
    """Return the versions of this harness and of the libraries that results could depend on."""
    names = ("boss-harness", "numpy", "numba", "scipy", "pyarrow", "ray")
    found = {"python": platform.python_version(), ENGINE: _engine()}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found
