"""Tables of the length of games and of what decided them.

How many regular hands a game lasts no bot can change, so all games count; what decided a game is told of those
without a forfeit.
"""

from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from harness.game.cards import BADGES_TO_END, POLICE_CARDS
from harness.game.layout import DECIDED_BY
from harness.report.frames import Frames, block_sums, spread
from harness.stats.balance import holm, length_test, share


@lru_cache(maxsize=64)
def length_law(deck: tuple[str, ...]) -> dict[int, float]:
    """Return the probability of each number of regular hands under this police deck, shuffled.

    The usual deck gives exactly 1/5, 3/5, 1/5 for 3, 4, 5 hands.
    """
    chances: Counter[int] = Counter()

    def turn_up(left: Counter[str], silver: int, gold: int, hands: int, chance: float) -> None:
        if max(silver, gold) >= BADGES_TO_END:
            chances[hands] += chance  # type: ignore[assignment]
            return
        for card, count in left.items():
            if count:
                more_silver, more_gold = POLICE_CARDS[card]
                rest = left - Counter([card])
                turn_up(rest, silver + more_silver, gold + more_gold, hands + 1, chance * count / left.total())

    turn_up(Counter(deck), 0, 0, 0, 1.0)
    return dict(sorted(chances.items()))


def length_table(frames: Frames) -> pd.DataFrame:
    """Return how many blocks had each number of regular hands, beside the police deck's law.

    All games of a block share the police order, so a block is one observation. Columns: group, hands, blocks, share,
    share_lo, share_hi, expected (blocks), law, all_blocks, chi2, df, p (of the group), p_holm (for all groups
    together).
    """
    rows: list[dict[str, Any]] = []
    for key, games in frames.games.groupby("group", observed=True):
        law = length_law(frames.rules_of(str(key)).police_deck)
        hands = regular_hands(games)
        test = length_test(hands, list(law), list(law.values()))
        for length in sorted({*law, *hands.tolist()}):
            seen = hands == length
            rows.append(
                {
                    "group": key,
                    "hands": length,
                    "blocks": int(seen.sum()),
                    **spread(share(seen, np.ones(len(hands))), "share"),
                    "expected": law.get(length, 0.0) * len(hands),
                    "law": law.get(length, 0.0),
                    "all_blocks": len(hands),
                    "chi2": test.statistic,
                    "df": test.df,
                    "p": test.p,
                }
            )
    table = pd.DataFrame(rows)
    first = table.drop_duplicates("group")
    return table.merge(first[["group"]].assign(p_holm=holm(first["p"])), on="group")


def regular_hands(games: pd.DataFrame) -> Any:
    """Return the number of regular hands of each block (D,); they must agree within it."""
    regular = (games["hands"] - games["extra"]).groupby(games["unit"])
    least, most = regular.min(), regular.max()
    if (least != most).any():
        raise ValueError(f"block {least.index[least != most][0]}: games of one deal differ in their regular hands")
    return least.to_numpy(np.int64)


def ending_table(frames: Frames) -> pd.DataFrame:
    """Return how the games that count were decided.

    Columns: group, decided_by (DECIDED_BY, and `any_extra`: games with an extra hand, however they ended), games,
    share, share_lo, share_hi, all_games, blocks.
    """
    rows = []
    for key, games in frames.counted().groupby("group", observed=True):
        unit = games["unit"].to_numpy()
        decided = games["decided_by"].to_numpy()
        marks = {name: decided == number for number, name in enumerate(DECIDED_BY)}
        marks["any_extra"] = (games["extra"] > 0).to_numpy()
        everything = block_sums(unit, np.ones(len(games)))
        for name, seen in marks.items():
            rows.append(
                {
                    "group": key,
                    "decided_by": name,
                    "games": int(seen.sum()),
                    **spread(share(block_sums(unit, seen), everything), "share"),
                    "all_games": len(games),
                    "blocks": len(everything),
                }
            )
    return pd.DataFrame(rows)
