"""Bots in processes of their own, several at a time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from harness.play.faults import Failure
from harness.play.jail import settle
from harness.play.jailed import JailedPlayer
from harness.play.open_files import heard
from harness.play.players import Questions

LOOK_S = 0.02
"""Seconds between looks at processes that are loading."""


def load_together(players: Sequence[JailedPlayer]) -> None:
    """Wait until all have processes that can answer, or have none: each is stopped as soon as it is loaded, or late."""
    waiting = list(players)
    while waiting:
        ready = [player for player in waiting if not player.jail.is_loading()]
        for player in ready:
            player.loaded()
        waiting = [player for player in waiting if player not in ready]
        pipes = [player.jail.cell.reader for player in waiting if player.jail.cell]
        heard(pipes, LOOK_S if pipes else 0)


def side_by_side(
    is_loss: bool, asked: Iterable[tuple[JailedPlayer, Questions, Any]], cores: int
) -> Iterator[list[Failure]]:
    """Ask bots, as many at a time as `cores`, each under its own clock; yield what `finish` of each returns.

    asked: who, what, and where its answers go (see `JailedPlayer.begin`). The next one's questions are made while the
    one before already answers.
    """
    left = iter(asked)
    while together := [_begun(is_loss, *one) for one in islice(left, cores)]:
        settle([player.jail for player in together if player.round.is_put])
        yield from (player.finish() for player in together)


def _begun(is_loss: bool, player: JailedPlayer, asked: Questions, answers: Any) -> JailedPlayer:
    player.begin(is_loss, asked, answers)
    return player
