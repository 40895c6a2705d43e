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
from harness.stats.pairs import pairwise
from harness.stats.ratings import fit
from harness.stats.results import Results

WARM = "warm"
"""File in the cache folder that says that a warm-up once came to its end there."""


def is_cold() -> bool:
    """Return whether these sources have not been compiled on this machine yet."""
    return not (cache_folder() / WARM).exists()


def warm_up(specs: Sequence[BotSpec]) -> None:
    """Compile all kernels that games of these bots, and the rating of them, need."""
    compiled = [spec for spec in specs if spec.level == "trusted" and isinstance(spec.maker()(), BatchBot)]
    for spec in [BotSpec("random", "random", ""), *compiled]:
        play_one_game(spec)
    rate_three_games()
    cache_folder().mkdir(parents=True, exist_ok=True)
    (cache_folder() / WARM).touch()


def play_one_game(spec: BotSpec) -> None:
    """Play, pack and count one game of six, which asks for losses too."""
    rules = usual_rules(6)
    keys = np.stack([derive_key("warm-up", spec.name)])
    played = play_games(rules, keys, keys, np.zeros((1, 6), np.int16), [player_of(spec.maker(), rules)])
    pack_choices(played.games, played.histories, np.arange(len(played.games)))
    counted, blocks = np.ones(1, np.bool_), np.zeros(1, np.int64)
    tally(played.games, played.histories, counted, blocks, table_of(rules), *new_sums(rules, 1))


def rate_three_games() -> None:
    """Rate a game that was won, one that was shared, and one with a bot that only lost."""
    empty = [-1] * 4
    results = Results(
        bots=np.array([[0, 1, *empty], [1, 0, *empty], [0, 2, *empty]], np.int16),
        ranks=np.array([[1, 2, *empty], [1, 1, *empty], [1, 2, *empty]], np.int16),
        side=np.array([[0, 1, *empty]] * 3, np.int8),
        players=np.array([2, 2, 2], np.int8),
        block=np.array([0, 1, 2]),
    )
    fit(results, 3, 0)
    fit(results, 3, 0, win_only=True)
    pairwise(results, 3)
