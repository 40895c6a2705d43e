"""What there is to play with: bots known by name, and card sets."""

import pandas as pd

from harness.game.cards import OFFICIAL_SETS, arithmetic, exact_sets
from harness.play.registry import builtin_names, load_class, plugin_names, spec_of


def bots() -> pd.DataFrame:
    """Return the bots known by name: name, level (one decision at a time or batches), version, what it does."""
    rows = []
    for name in [*builtin_names(), *plugin_names()]:
        bot, spec = load_class(name), spec_of(name)
        level = "batch" if hasattr(bot, "act_batch") else "plain"
        rows.append((name, level, spec.version, (bot.__doc__ or "").strip().splitlines()[0]))
    return pd.DataFrame(rows, columns=["bot", "level", "version", "idea"])


def card_sets(players: int | None = None, exact: bool = False) -> pd.DataFrame:
    """Return card sets with their arithmetic: the official ones, or all that deal out exactly."""
    rows = []
    for count in [players] if players else list(OFFICIAL_SETS):
        for digits in exact_sets(count) if exact else OFFICIAL_SETS[count]:
            official = digits in OFFICIAL_SETS[count]
            rows.append((f"{count}p:{digits}", official, str(arithmetic(digits, count))))
    return pd.DataFrame(rows, columns=["set", "official", "arithmetic"])
