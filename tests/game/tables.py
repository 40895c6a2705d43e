"""Tables of every kind for the engine's tests, a bot that tries everything the rules allow, and games it played."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from harness import Bot, Turn, View
from harness.game.chance import derive_key
from harness.game.choices import Choices, pack_choices
from harness.game.record import GameInfo, Record, record_of
from harness.game.rules import Rules, changed, own_rules, usual_rules
from harness.game.stepper import KeyedDeal
from harness.play.bot import BatchBot
from harness.play.lockstep import Played, play_games
from harness.play.players import player_of

FLIPPED = {
    "last_turn_order": "side",
    "chicago_after": "side",
    "shootout_per": "seat",
    "negative_money": False,
    "chicago_theft": -2,
    "chicago_shootout": 0,
    "tiebreak_counts_absent": True,
    "max_extra_hands": 1,
    "talk": "none",
}
"""Every ruling, other than usual."""

OTHER_POLICE = ["both", "both", "gold", "gold", "silver", "silver", "silver"]


def many_cities() -> dict[str, list[str]]:
    """Return twelve cities with 52 cards of all kinds, same faces among them, for four hands of ten."""
    plain = {f"town_{number}": ["0", "1", "2", "hospital"] for number in range(8)}
    return plain | {
        "twins": ["3", "1", "3", "1", "prison"],
        "docks": ["theft", "-3", "12", "revolver", "shootout"],
        "mint": ["100", "100", "7", "shootout", "banished"],
        "alley": ["shootout", "shootout", "revolver", "theft", "2"],
    }


def full_deck() -> dict[str, list[str]]:
    """Return four cities with 64 cards, the most there can be, for six hands of ten."""
    faces = ["0", "1", "2", "3", "4", "5", "6", "7", "hospital", "prison", "revolver", "banished", "shootout", "theft"]
    return {f"ward_{number}": [*faces, "2", "2"] for number in range(4)}


def poor_cards() -> dict[str, list[str]]:
    """Return cards with hardly any money, so that two players often stay level."""
    return {"alpha": ["0", "0", "1"], "beta": ["0", "0", "0"], "gamma": ["0", "0", "0"]}


def level_rules() -> Rules:
    """Return rules under which only money can tell two players apart, and there is little of it."""
    return changed(own_rules(2, poor_cards(), hand_size=3), {"experts": 2, "occasionals": 0})


KINDS: dict[str, Rules] = {
    "two": usual_rules(2),
    "two, four cities": usual_rules(2, "4567"),
    "three": usual_rules(3),
    "three, other set": usual_rules(3, "12367"),
    "four": usual_rules(4),
    "five": usual_rules(5),
    "five with St. Louis": usual_rules(5, "1245678"),
    "six": usual_rules(6),
    "four, flipped": changed(usual_rules(4), FLIPPED),
    "five, flipped": changed(usual_rules(5, "123568"), FLIPPED),
    "six, flipped": changed(usual_rules(6), FLIPPED),
    "six, losses by seat": changed(usual_rules(6), {"shootout_per": "seat", "experts": 2}),
    "four, other police": changed(usual_rules(4), {"police_deck": OTHER_POLICE}),
    "two, gold police": changed(usual_rules(2), {"police_deck": ["gold"] * 3}),
    "twelve cities": own_rules(4, many_cities(), hand_size=10),
    "sixty-four cards": own_rules(6, full_deck(), hand_size=10),
    "level": level_rules(),
    "level, no extra hand": changed(level_rules(), {"max_extra_hands": 0}),
}
"""Tables of 2 to 6 players: usual ones, every ruling flipped, a designer's cards, hands of 3 and 10, other police."""


class Wanderer(Bot):
    """Tries everything: no placement, the cheapest on some city, or any legal one; signals where it may."""

    def act(self, view: View) -> Turn:
        rng = view.rng
        place = None
        mood = rng.random()
        if mood < 0.15:
            legal = view.legal_placements()
            place = rng.choice(legal) if legal else None
        elif mood < 0.7:
            place = view.cheapest_placement(rng.choice(view.row))
        talks = view.rules.teams is not None and view.rules.rulings.talk == "open"
        signal = rng.randrange(256) if talks and rng.random() < 0.3 else 0
        return Turn(rng.choice(view.hand), place, signal)

    def choose_loss(self, view: View, seats: tuple[int, ...]) -> int:
        return view.rng.choice(seats)


class Idle(Bot):
    """Never places, so that everybody stays level."""

    def act(self, view: View) -> Turn:
        return Turn(view.hand[-1])


@dataclass(frozen=True)
class Sample:
    """Some games of one table kind, as played."""

    rules: Rules
    deal_keys: NDArray[np.uint64]
    bot_keys: NDArray[np.uint64]
    played: Played

    def __len__(self) -> int:
        return len(self.deal_keys)

    def deal(self, game: int) -> KeyedDeal:
        """Return the deal of a game."""
        return KeyedDeal(self.deal_keys[game], self.bot_keys[game])

    def choices(self, game: int) -> Choices:
        """Return the choices of a game."""
        return pack_choices(self.played.games, self.played.histories, np.array([game])).of(0)

    def record(self, game: int) -> Record:
        """Return the record of a game."""
        bots = [(f"bot{seat}", "abc") for seat in range(self.rules.players)]
        info = GameInfo(game=game, deal=game // 2, table=self.rules.name, bots=bots)
        return record_of(self.rules, self.deal_keys[game], self.choices(game), info)


def keys(label: str, count: int) -> NDArray[np.uint64]:
    """Return `count` keys, (count, 2)."""
    return np.stack([derive_key(label, str(number)) for number in range(count)])


def sample(rules: Rules, count: int, seed: str = "", bot: type[Bot] | type[BatchBot] = Wanderer) -> Sample:
    """Play `count` games of the same bot in all seats."""
    deals, bots = keys(f"deal {seed}", count), keys(f"bots {seed}", count)
    seatings = np.full((count, 6), -1, np.int16)
    seatings[:, : rules.players] = 0
    played = play_games(rules, deals, bots, seatings, [player_of(bot, rules)])
    assert not played.faults, played.faults[:3]
    return Sample(rules, deals, bots, played)


@cache
def games_of(kind: str, count: int = 6) -> Sample:
    """Return some games of one of KINDS, played once in each test process."""
    return sample(KINDS[kind], count, kind)
