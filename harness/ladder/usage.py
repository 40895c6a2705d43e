"""What the processes of bots used: for their authors and for the report, not for the results.

Times differ from run to run, so none of this stands among games or sums of blocks, which are the same bytes wherever
they are made.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.play.jailed import JailedPlayer
from harness.play.lockstep import Played
from harness.play.players import Player
from harness.play.usage import Usage

PRINTED = 2048
"""Bytes of what a bot printed that are kept for its author, from the end."""


@dataclass(frozen=True)
class BotUsage:
    """What the processes of one bot used.

    cpu_s: all their CPU seconds, loading included. wall_s: seconds from questions to answers, or to the ends of the
    processes that gave none. decisions: answers given, some of them twice where a process began anew. deciding_s: CPU
    seconds of those. peak_mb: the most memory of any process. printed: the end of what one printed: the one that
    failed first, where has_failed, else the last that printed anything. asked_again, differing: decisions asked about
    again, and those that came out differently.
    """

    cpu_s: float = 0.0
    wall_s: float = 0.0
    decisions: int = 0
    deciding_s: float = 0.0
    peak_mb: float = 0.0
    printed: str = ""
    has_failed: bool = False
    asked_again: int = 0
    differing: int = 0


def usage_by_bot(played: Played, seated: NDArray[np.int16], players: Sequence[Player]) -> dict[int, BotUsage]:
    """Return what the processes of each bot that has some used, by its number in ``played.seatings``.

    seated: (G, 6), the number of the player in each seat; the processes of `players` have ended.
    """
    first_to_fail: dict[int, int] = {}
    for fault in played.faults:
        bot, player = played.seatings[fault.game, fault.seat], seated[fault.game, fault.seat]
        first_to_fail.setdefault(int(bot), int(player))
    parts: dict[int, list[BotUsage]] = {}
    for number, player in enumerate(players):
        if isinstance(player, JailedPlayer):
            bot = int(played.seatings[seated == number][0])
            parts.setdefault(bot, []).append(usage_of_process(player.usage, first_to_fail.get(bot) == number))
    return {bot: together(own) for bot, own in parts.items()}


def usage_of_process(usage: Usage, has_failed: bool) -> BotUsage:
    """Return what the process of one player, and those that took its place, used."""
    return BotUsage(
        cpu_s=usage.whole_cpu_s,
        wall_s=usage.wall_s,
        decisions=sum(usage.rows),
        deciding_s=sum(usage.cpu_s),
        peak_mb=usage.peak_memory_mb,
        printed=_end(usage.first_output),
        has_failed=has_failed,
    )


def _end(text: str) -> str:
    """Return the last PRINTED bytes of a text at most, from the beginning of a line if it has several."""
    data = text.encode(errors="replace")
    if len(data) <= PRINTED:
        return data.decode()
    end = data[-PRINTED:].decode(errors="ignore")
    return end.partition("\n")[2] or end


def together(usages: Iterable[BotUsage]) -> BotUsage:
    """Return the sum of what several processes, or several chunks, used, given in the order of the schedule."""
    parts = list(usages)
    failed = [part for part in parts if part.has_failed and part.printed][:1]
    printing = failed or [part for part in parts if part.printed][-1:] or [BotUsage()]
    return BotUsage(
        cpu_s=sum(part.cpu_s for part in parts),
        wall_s=sum(part.wall_s for part in parts),
        decisions=sum(part.decisions for part in parts),
        deciding_s=sum(part.deciding_s for part in parts),
        peak_mb=max((part.peak_mb for part in parts), default=0.0),
        printed=printing[0].printed,
        has_failed=printing[0].has_failed,
        asked_again=sum(part.asked_again for part in parts),
        differing=sum(part.differing for part in parts),
    )
