"""numpy dtypes of the engine's records, and a table kind's numbers as one record for the kernels.

The fields and their meanings stand in `layout`; `TABLE` is here because only kernels read it. Card values, piece
counts and rulings reach kernels through it, so that other cards or rulings need no recompilation.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from harness.game import cards as c
from harness.game import layout
from harness.game.layout import CITIES, Field
from harness.game.rules import Rules

Array = NDArray[np.void]


def packed(fields: tuple[Field, ...]) -> np.dtype[np.void]:
    """Return the dtype of these fields without gaps, padded at its end to whole 8-byte words."""
    starts = layout.offsets(fields)
    return np.dtype(
        {
            "names": [field.name for field in fields],
            "formats": [(f"<{field.code}", field.shape) for field in fields],
            "offsets": [starts[field.name] for field in fields],
            "itemsize": -(-layout.size_of(fields) // 8) * 8,
        }
    )


GAME = packed(layout.GAME)
OBSERVATION = packed(layout.OBSERVATION)
EVENT = np.dtype([(field.name, f"<{field.code}") for field in layout.EVENT])
TURN = np.dtype([(field.name, f"<{field.code}") for field in layout.TURN])

PUBLIC_WORDS = layout.size_of(layout.PUBLIC) // 8
assert layout.size_of(layout.PUBLIC) % 8 == 0, "the public part is copied by whole words"

TABLE = np.dtype(
    [
        ("players", "i4"),
        ("sides", "i4"),
        ("hand_size", "i4"),
        ("experts", "i4"),
        ("occasionals", "i4"),
        ("cities", "i4"),
        ("cards", "i4"),
        ("teams", "i4"),  # 1 in the team game
        ("talk", "i4"),  # 1 where a turn may carry a signal
        ("order_by_side", "i4"),
        ("chicago_by_side", "i4"),
        ("shootout_by_seat", "i4"),
        ("negative_money", "i4"),
        ("counts_absent", "i4"),
        ("max_extra", "i4"),
        ("police_cards", "i4"),
        ("card_value", "i4", (c.MAX_CARDS,)),  # money paid to the winner
        ("chicago_value", "i4", (c.MAX_CARDS,)),  # what it counts in Chicago's sum
        ("city_mask", "u8", (CITIES,)),
        ("card_city", "i1", (c.MAX_CARDS,)),
        ("card_kind", "i1", (c.MAX_CARDS,)),
        ("city_first", "i1", (CITIES,)),
        ("city_cards", "i1", (CITIES,)),
        ("police_deck", "i1", (c.MAX_POLICE,)),
    ],
    align=True,
)


@lru_cache(maxsize=256)
def table_of(rules: Rules) -> np.void:
    """Return the `TABLE` record of these rules (read-only)."""
    table = np.zeros(1, TABLE)
    row = table[0]
    rulings = rules.rulings
    row["players"], row["sides"], row["hand_size"] = rules.players, rules.sides, rules.hand_size
    row["experts"], row["occasionals"] = rules.experts, rules.occasionals
    row["cities"], row["cards"] = len(rules.cities), len(rules.cards)
    row["teams"] = rules.teams is not None
    row["talk"] = rules.teams is not None and rulings.talk == "open"
    row["order_by_side"] = rulings.last_turn_order == "side"
    row["chicago_by_side"] = rulings.chicago_after == "side"
    row["shootout_by_seat"] = rulings.shootout_per == "seat"
    row["negative_money"] = rulings.negative_money
    row["counts_absent"] = rulings.tiebreak_counts_absent
    row["max_extra"] = rulings.max_extra_hands
    deck = [layout.POLICE_NAMES.index(card) for card in rules.police_deck]
    row["police_cards"] = len(deck)
    row["police_deck"][: len(deck)] = deck
    _fill_cards(row, rules)
    table.flags.writeable = False
    return table[0]  # type: ignore[no-any-return]


def _fill_cards(row: np.void, rules: Rules) -> None:
    first = 0
    for city, faces in enumerate(rules.card_faces):
        row["city_first"][city] = first
        row["city_cards"][city] = len(faces)
        row["city_mask"][city] = ((1 << len(faces)) - 1) << first
        row["card_city"][first : first + len(faces)] = city
        first += len(faces)
    row["card_kind"][:first] = [card.kind for card in rules.cards]
    row["card_value"][:first] = [card.money for card in rules.cards]
    row["chicago_value"][:first] = rules.chicago_values


def max_events(rules: Rules) -> int:
    """Return how many events the history of one game can hold at most."""
    losses = sum(_most_losses(rules, faces) for faces in rules.card_faces)
    per_hand = rules.players * rules.hand_size + len(rules.cities) + 1 + losses
    return max_hands(rules) * per_hand


def new_histories(rules: Rules, games: int) -> Array:
    """Return empty histories of `games` games, (G, E) EVENT.

    Events of one number lie side by side in memory, whatever game they belong to: games of a lockstep stand at about
    the same event, so that each step writes in one place. One game more than asked for lies behind them, which keeps
    the layout, and so the kernels compiled for it, the same for a single game.
    """
    return np.zeros((max_events(rules), games + 1), EVENT)[:, :games].T


def _most_losses(rules: Rules, faces: tuple[str, ...]) -> int:
    kinds = {c.FACE_KINDS.get(face) for face in faces}
    if c.Kind.SHOOTOUT in kinds:
        return rules.players - 1
    return 1 if kinds & {c.Kind.HOSPITAL, c.Kind.PRISON, c.Kind.REVOLVER} else 0


def max_hands(rules: Rules) -> int:
    """Return the most hands, extra ones included, that one game can last."""
    return rules.max_hands + rules.rulings.max_extra_hands
