"""Whether a bot is deterministic: some of its games are asked about again, in a fresh process, and compared.

A bot that looks at a clock, at addresses of objects or at chance of its own may do so. But nobody can play its games
again, and readers of a report ought to know that. A bot is asked about whole games at once, so that what it played lies
in reach of its process: one that would rather cheat than be found can.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.game.layout import NONE, SEATS
from harness.game.rules import Rules
from harness.game.state import TURN, Array
from harness.play.again import Keys, asked_again, turns_told
from harness.play.asking import NO_TURN
from harness.play.jailed import JailedPlayer
from harness.play.lockstep import Played
from harness.play.players import Rows, numbers_in
from harness.play.together import side_by_side
from harness.play.wire import LEAST_ROWS

PART = 100
"""Of so many blocks of a bot, one is asked about again."""


class Sample(NamedTuple):
    """What a bot is to be asked again: its moves as `seats`, (n,), of `games`, (n,), by a fresh `player` of one life.

    It serves no game, so one process may see all seats and rotations.
    """

    player: JailedPlayer
    games: Rows
    seats: NDArray[np.int16]


class Repeated(NamedTuple):
    """Decisions that a bot was asked about again, and those that came out differently."""

    asked: int = 0
    differing: int = 0


def to_repeat(played: Played, block_of: Rows, bot: int) -> tuple[Rows, NDArray[np.int16]]:
    """Return games, (n,), and in them seats, (n,), in which bot number `bot` is to be asked again.

    They are those of every PART-th block of it, from its first one on, in the order of the schedule. Those in which
    the seat forfeited are left out: there the bot did not decide.
    """
    forfeited = (played.forfeits[:, None] >> np.arange(SEATS)) & 1 == 1
    own = (played.seatings == bot) & ~forfeited
    blocks = np.unique(block_of[own.any(axis=1)])[::PART]
    games, seats = np.nonzero(own & np.isin(block_of, blocks)[:, None])
    return games, seats.astype(np.int16)


def repeated(
    samples: Sequence[Sample], rules: Rules, deal_keys: Keys, bot_keys: Keys, played: Played, cores: int
) -> list[Repeated]:
    """Ask the players of all samples what was asked in the `played` games, and compare their answers.

    deal_keys, bot_keys: (G, 2), of all games. Default turns in place of faults are no answers of the bot and are left
    out. Where a process ends, nothing more of it is compared: that may be the machine's doing.
    """
    players = [sample.player for sample in samples]
    games = np.concatenate([sample.games for sample in samples])
    seats = np.concatenate([sample.seats for sample in samples])
    owner = np.repeat(np.arange(len(samples)), [len(sample.games) for sample in samples])
    histories, events = played.histories[games], played.games["events"][games].astype(np.int64)
    faults = [_moment(fault.game, fault.seat, fault.hand, fault.turn) for fault in played.faults]
    counts = np.zeros((len(samples), 2), np.int64)
    again = asked_again(rules, deal_keys[games], bot_keys[games], histories, events, seats, LEAST_ROWS)
    for is_loss, together in again:
        own = [together.only(np.flatnonzero(owner[together.rows] == number)) for number in range(len(samples))]
        who = [number for number, player in enumerate(players) if len(own[number].rows) and not player.dead]
        outs = [_blank(is_loss, len(own[number].rows)) for number in who]
        asked = ((players[number], own[number], out) for number, out in zip(who, outs, strict=True))
        for number, out, _ in zip(who, outs, side_by_side(is_loss, asked, cores), strict=True):
            if not players[number].dead:
                rows, observations = own[number].rows, own[number].observations
                same = out == _played(is_loss, histories[rows, observations["events"]])
                decided = ~np.isin(_moments(is_loss, games[rows], observations), faults)
                counts[number] += decided.sum(), (decided & ~same).sum()
    return [Repeated(*counted) for counted in counts.tolist()]


def _blank(is_loss: bool, count: int) -> Array | NDArray[np.int16]:
    """Return where answers are to be written, (n,) TURN or int16 seats, with none in it yet."""
    if is_loss:
        return np.full(count, NONE, np.int16)
    turns = np.zeros(count, TURN)
    numbers_in(turns)[:] = NO_TURN
    return turns


def _played(is_loss: bool, told: Array) -> Array | NDArray[np.int16]:
    """Return what was played, as the events of it tell, in the form of `_blank`."""
    return told["who"].astype(np.int16) if is_loss else turns_told(told)


def _moments(is_loss: bool, games: Rows, observations: Array) -> Rows:
    """Return the moments, (n,), of questions: in the reckoning turn 0, as faults tell them."""
    turns = np.zeros(len(games), np.int64) if is_loss else observations["turn"].astype(np.int64) + 1
    moments: Rows = _moment(games, observations["seat"].astype(np.int64), observations["hand"] + np.int64(1), turns)
    return moments


def _moment(game: Any, seat: Any, hand: Any, turn: Any) -> Any:
    """Return one number for a seat's decision in a game, or numbers, (n,), for many; hands and turns count from 1."""
    return ((game * SEATS + seat) * 64 + hand) * 64 + turn
