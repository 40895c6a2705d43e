"""Whether a bot is deterministic: some of its games are asked about again, in a fresh process, and compared.

A bot that looks at a clock, at addresses of objects or at chance of its own may do so. But nobody can play its games
again, and readers of a report ought to know that.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.game.layout import NONE, SEATS
from harness.game.rules import Rules
from harness.game.state import TURN, Array
from harness.play.again import Keys, asked_again, turns_told
from harness.play.asking import NO_TURN
from harness.play.jailed import JailedPlayer
from harness.play.lockstep import Played
from harness.play.players import Questions, Rows, numbers_in

PART = 100
"""Of so many blocks of a bot, one is asked about again."""


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
    player: JailedPlayer,
    rules: Rules,
    deal_keys: Keys,
    bot_keys: Keys,
    played: Played,
    games: Rows,
    seats: NDArray[np.int16],
) -> Repeated:
    """Ask a fresh `player` all that `seats`, (n,), of the `played` games, (n,), were asked, and compare its answers.

    deal_keys, bot_keys: (G, 2), of all games. It serves no game, so one process may see all seats and rotations.
    Default turns in place of faults are no answers of the bot and are left out. Where its process ends, nothing more
    is compared: that may be the machine's doing.
    """
    histories, events = played.histories[games], played.games["events"][games].astype(np.int64)
    faults = {(fault.game, fault.seat, fault.hand, fault.turn) for fault in played.faults}
    player.lives = 1
    asked = differing = 0
    for is_loss, places, questions in asked_again(rules, deal_keys[games], bot_keys[games], histories, events, seats):
        answers = _answers(player, is_loss, questions)
        if player.dead:
            break
        then = _played(is_loss, histories[places, questions.observations["events"]])
        moments = _moments(is_loss, games[places], questions.observations)
        own = np.array([moment not in faults for moment in moments])
        asked += int(own.sum())
        differing += int((own & (answers != then).any(axis=1)).sum())
    return Repeated(asked, differing)


def _answers(player: JailedPlayer, is_loss: bool, questions: Questions) -> NDArray[np.int16]:
    """Return the player's answers as rows of numbers, with blanks where its bot fails."""
    if is_loss:
        payers = np.full(len(questions.rows), NONE, np.int16)
        player.choose_loss(questions, payers)
        return payers[:, None]
    turns = np.zeros(len(questions.rows), TURN)
    numbers_in(turns)[:] = NO_TURN
    player.act(questions, turns)
    return numbers_in(turns)


def _played(is_loss: bool, told: Array) -> NDArray[np.int16]:
    """Return what was played, as the events of it tell, in the form of `_answers`."""
    return told["who"].astype(np.int16)[:, None] if is_loss else numbers_in(turns_told(told))


def _moments(is_loss: bool, games: Rows, observations: Array) -> Iterator[tuple[int, int, int, int]]:
    """Yield game, seat, hand and turn of each question as faults tell them: from 1, and turn 0 in the reckoning."""
    turns = np.zeros(len(games), np.int64) if is_loss else observations["turn"].astype(np.int64) + 1
    hands = observations["hand"].astype(np.int64) + 1
    return zip(games.tolist(), observations["seat"].tolist(), hands.tolist(), turns.tolist(), strict=True)
