"""A chunk: a fixed range of blocks of one table kind, played together and stored as one part.

Everything that goes to a worker and comes back is plain values, so that any executor can carry it.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.game.chance import derive_key
from harness.game.layout import NONE, SEATS
from harness.game.rules import Rules
from harness.ladder.columns import block_columns, game_columns
from harness.ladder.schedule import Block
from harness.ladder.seating import Lineup, block_seatings
from harness.ladder.usage import BotUsage, usage_by_bot
from harness.play.again import Keys
from harness.play.determinism import Repeated, Sample, repeated, to_repeat
from harness.play.jail import nursery_of
from harness.play.jailed import Delays, JailedPlayer
from harness.play.limits import USUAL_LIMITS, Limits
from harness.play.lockstep import Played, play_games
from harness.play.nursery import Nurseries
from harness.play.players import OutPlayer, Player, player_of
from harness.play.registry import BotSpec
from harness.play.together import load_together


class Span(NamedTuple):
    """Where a chunk lies: blocks `first` up to but not `last` of a table kind. Spans sort as stored games do."""

    table: str
    first: int
    last: int

    @property
    def name(self) -> str:
        """The name of its parts."""
        return f"part-{self.table}-{self.first:08d}-{self.last:08d}"

    @classmethod
    def of_name(cls, name: str) -> "Span":
        """Read a name; raise ValueError for one that `name` would not give."""
        table, first, last = [*name.removeprefix("part-").rsplit("-", 2), "", ""][:3]
        if not (first.isdecimal() and last.isdecimal()) or name != (span := cls(table, int(first), int(last))).name:
            raise ValueError(f"{name!r} is no name of a part")
        return span


@dataclass(frozen=True)
class Chunk:
    """What a worker needs to play a chunk; `out` are the bots that are not asked, for they are disqualified.

    shift: its blocks' numbers less those that their deals have under the seed.
    """

    seed: str
    table: str
    rules: Rules
    bots: tuple[BotSpec, ...]
    blocks: tuple[Block, ...]
    limits: Limits = USUAL_LIMITS
    out: tuple[int, ...] = ()
    shift: int = 0

    @property
    def deals(self) -> list[tuple[str, str, int]]:
        """What the keys of its blocks are made of: seed, table kind, number under that seed."""
        return [(self.seed, self.table, block.index - self.shift) for block in self.blocks]

    @property
    def span(self) -> Span:
        """Where it lies."""
        return Span(self.table, self.blocks[0].index, self.blocks[-1].index + 1)

    @property
    def name(self) -> str:
        """The name of its parts."""
        return self.span.name

    @property
    def asks_processes(self) -> bool:
        """Whether any bot has processes of its own."""
        return any(bot.level != "trusted" for bot in self.bots)

    @property
    def games(self) -> int:
        """How many games it holds."""
        teams = self.rules.teams is not None
        return sum(len(block_seatings(block.lineup, teams, block.williams)) for block in self.blocks)


@dataclass(frozen=True)
class ChunkResult:
    """The played chunk as columns, GAME_COLUMNS and BLOCK_COLUMNS, its faults by bot, and what is no part of it: what
    the processes of each bot used that has some.
    """

    games: dict[str, Any]
    blocks: dict[str, Any]
    faults: dict[str, int]
    usage: dict[str, BotUsage] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many games were played."""
        return len(self.games["block"])


def deal_key(seed: str, table: str, block: int) -> NDArray[np.uint64]:
    """Return the key of a block's cards and police order, (2,) uint64."""
    return derive_key("deal", seed, table, str(block))


def bot_key(seed: str, table: str, block: int) -> NDArray[np.uint64]:
    """Return the key of the bots' own randomness in a block, (2,) uint64; it says nothing of the cards."""
    return derive_key("bots", seed, table, str(block))


def play_chunk(chunk: Chunk, cores: int = 1, nurseries: tuple[Nurseries, Nurseries] | None = None) -> ChunkResult:
    """Play all games of a chunk, with up to `cores` processes of bots running at a time.

    nurseries: those that play, and those that are asked again; who plays many chunks keeps them for all.
    """
    if nurseries is None:
        with Nurseries() as first, Nurseries() as fresh:
            return play_chunk(chunk, cores, (first, fresh))
    first, fresh = nurseries
    seatings, block_of, rotation_of = seat_bots(chunk.blocks, chunk.rules)
    deals = np.stack([deal_key(*deal) for deal in chunk.deals])[block_of]
    bots = np.stack([bot_key(*deal) for deal in chunk.deals])[block_of]
    start_nurseries(chunk, seatings, nurseries)
    with ExitStack() as ending:
        seated, players = seat_players(chunk, seatings, block_of, rotation_of, ending, first)
        played = replace(play_games(chunk.rules, deals, bots, seated, players, cores), seatings=seatings)
    again = ask_again(chunk, played, block_of, deals, bots, fresh, cores)
    blocks = np.array([block.index for block in chunk.blocks])
    stored = np.lexsort((rotation_of, block_of))
    games = {
        "block": blocks[block_of[stored]].astype(np.int32),
        "rotation": rotation_of[stored].astype(np.int8),
        **game_columns(chunk.rules, played, stored),
    }
    faults = {chunk.bots[seatings[fault.game, fault.seat]].name: 0 for fault in played.faults}
    for fault in played.faults:
        faults[chunk.bots[seatings[fault.game, fault.seat]].name] += 1
    usage = usage_by_bot(played, seated, players)
    for bot, told in again.items():
        usage[bot] = replace(usage[bot], asked_again=told.asked, differing=told.differing)
    used = {chunk.bots[bot].name: own for bot, own in usage.items()}
    return ChunkResult(games, block_columns(chunk.rules, played, block_of, blocks), faults, used)


def start_nurseries(chunk: Chunk, seatings: NDArray[np.int16], of_each: Sequence[Nurseries]) -> None:
    """Start all nurseries that the bots of a chunk will need: side by side they are ready about as soon as one."""
    for bot, spec in enumerate(chunk.bots):
        if spec.level != "trusted" and bot not in chunk.out and (seatings == bot).any():
            for nurseries in of_each:
                nursery_of(spec, nurseries)


def seat_players(
    chunk: Chunk,
    seatings: NDArray[np.int16],
    block_of: NDArray[np.int64],
    rotation_of: NDArray[np.int64],
    ending: ExitStack,
    nurseries: Nurseries,
) -> tuple[NDArray[np.int16], list[Player]]:
    """Return the players of a chunk, and who of them sits where, (G, 6) int16; `ending` closes their processes.

    A trusted bot is one player. Any other is one for each seat that it takes in the games of a block, so that no
    process ever sees two seats of one game, nor one deal twice.
    """
    players: list[Player] = []
    seated = np.full_like(seatings, NONE)
    for bot, spec in enumerate(chunk.bots):
        sits = seatings == bot
        if not sits.any():
            continue
        if bot in chunk.out:
            seated[sits] = len(players)
            players.append(OutPlayer())
            continue
        if spec.level == "trusted":
            seated[sits] = len(players)
            players.append(player_of(spec.maker(), chunk.rules))
            continue
        own_process, delays = processes_of(sits, block_of, rotation_of), Delays()
        for process in range(own_process.max() + 1):
            own = own_process == process
            seated[own] = len(players)
            jailed = JailedPlayer(spec, chunk.rules, chunk.limits, int(own.sum()), nurseries, delays=delays)
            players.append(ending.enter_context(jailed))
    load_together([player for player in players if isinstance(player, JailedPlayer)])
    return seated, players


def processes_of(
    sits: NDArray[np.bool_], block_of: NDArray[np.int64], rotation_of: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return which of a bot's processes plays where it sits, (G, 6) bool: another for each of its seats in a block.

    (G, 6), from 0, NONE where it does not sit. They are numbered by seat first: most games of a step are at the same
    seat, so that few processes are asked at a time, each about many games.
    """
    games, seats = np.nonzero(sits)
    order = np.lexsort((rotation_of[games], seats, block_of[games]))
    games, seats = games[order], seats[order]
    _, first, count = np.unique(block_of[games], return_index=True, return_counts=True)
    own = np.full(sits.shape, NONE)
    own[games, seats] = np.arange(len(games)) - np.repeat(first, count)
    return own


def ask_again(
    chunk: Chunk,
    played: Played,
    block_of: NDArray[np.int64],
    deal_keys: Keys,
    bot_keys: Keys,
    fresh: Nurseries,
    cores: int,
) -> dict[int, Repeated]:
    """Ask each bot that has processes once more, in a fresh one, about some of its games, to see if it differs.

    The nurseries are others: what one forks has everything at the same addresses.
    """
    samples: dict[int, Sample] = {}
    with ExitStack() as ending:
        for bot, spec in enumerate(chunk.bots):
            if spec.level == "trusted" or bot in chunk.out:
                continue
            games, seats = to_repeat(played, block_of, bot)
            if len(games):
                player = JailedPlayer(spec, chunk.rules, chunk.limits, len(games), fresh, lives=1)
                samples[bot] = Sample(ending.enter_context(player), games, seats)
        load_together([sample.player for sample in samples.values()])
        counted = repeated(list(samples.values()), chunk.rules, deal_keys, bot_keys, played, cores) if samples else []
    return dict(zip(samples, counted, strict=True))


def seat_bots(blocks: Sequence[Block], rules: Rules) -> tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.int64]]:
    """Return seatings (G, 6) of all rotations of the blocks, and of each game the block's place and the rotation.

    Games with the same bots in the same seats stand together: those in which the same bot is to move then lie
    together in memory, which halves the engine's time for thousands of them.
    """
    rows: list[Lineup] = []
    block_of: list[int] = []
    rotation_of: list[int] = []
    for place, block in enumerate(blocks):
        seatings = block_seatings(block.lineup, rules.teams is not None, block.williams)
        rows += seatings
        block_of += [place] * len(seatings)
        rotation_of += range(len(seatings))
    seated = np.full((len(rows), SEATS), NONE, np.int16)
    seated[:, : rules.players] = rows
    order = np.lexsort(seated.T[::-1])
    return seated[order], np.array(block_of)[order], np.array(rotation_of)[order]
