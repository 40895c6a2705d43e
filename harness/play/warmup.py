"""Compile every kernel once, before workers start, so that they all load machine code from the cache."""

from collections.abc import Sequence

import numpy as np

from harness.compiled import cache_folder
from harness.game.chance import derive_key
from harness.game.choices import pack_choices
from harness.game.rules import usual_rules
from harness.game.state import table_of
from harness.game.tally import new_sums, tally
from harness.play.bot import BatchBot
from harness.play.lockstep import play_games
from harness.play.players import player_of
from harness.play.registry import BotSpec


def is_cold() -> bool:
    """Return whether no kernel of these sources has been compiled on this machine yet."""
    folder = cache_folder()
    return not folder.is_dir() or not any(folder.rglob("*.nbi"))


def warm_up(specs: Sequence[BotSpec]) -> None:
    """Play one game of six with the compiled bots among `specs`, which compiles all kernels they need."""
    rules = usual_rules(6)
    table = table_of(rules)
    compiled = [spec for spec in specs if isinstance(spec.make(), BatchBot)]
    for spec in compiled or [BotSpec("random", "random", "")]:
        keys = np.stack([derive_key("warm-up", spec.name)])
        seating = np.zeros((1, 6), np.int16)
        played = play_games(rules, keys, keys, seating, [player_of(spec.make, rules)])
    pack_choices(played.games, played.histories)
    tally(played.games, played.histories, np.ones(1, np.bool_), np.zeros(1, np.int64), table, *new_sums(rules, 1))
