"""How fast games are played, beside one fused loop on the same engine that asks no bot and makes no observation."""

import statistics
import time
from collections.abc import Callable

import numpy as np

from harness.compiled import kernel
from harness.game.chance import decision_words, derive_key, scaled
from harness.game.deal import begin_game
from harness.game.engine import move_on, play_turn
from harness.game.layout import CHICAGO, NONE, OVER_PHASE
from harness.game.legal import cheapest_placement, nth_card, popcount, write_turn
from harness.game.rules import Rules, usual_rules
from harness.game.state import GAME, TURN, new_histories, table_of
from harness.game.turn import Turn
from harness.game.view import View
from harness.play.bot import Bot
from harness.play.lockstep import play_games
from harness.play.players import BotMaker, player_of


class First(Bot):
    """The least a plain-Python bot can do: reveal its first card."""

    def act(self, view: View) -> Turn:
        """Reveal the first card."""
        return Turn(view.hand[0])


def games_per_second(make: BotMaker, rules: Rules | None = None, seconds: float = 3.0, games: int = 2048) -> float:
    """Return games a second of a bot in all seats, on this core: the median of chunks over about `seconds`."""
    rules = rules or usual_rules(4)
    seatings = np.full((games, 6), NONE, np.int16)
    seatings[:, : rules.players] = 0
    keys = np.stack([derive_key("bench", str(game)) for game in range(games)])

    def play() -> int:
        play_games(rules, keys, keys, seatings, [player_of(make, rules)])
        return games

    return _median_rate(play, seconds)


def fused_games_per_second(rules: Rules | None = None, seconds: float = 3.0) -> float:
    """Return games a second of the fused loop, on this core."""
    rules = rules or usual_rules(4)
    table = table_of(rules)
    game, history, turn = np.zeros(1, GAME), new_histories(rules, 1), np.zeros(1, TURN)
    keys = np.stack([derive_key("bench", str(number)) for number in range(2000)])

    def play() -> int:
        play_fused(game, history, turn, table, keys)
        return len(keys)

    return _median_rate(play, seconds)


def _median_rate(play: Callable[[], int], seconds: float) -> float:
    play()  # compiles and warms up
    rates: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(rates) < 3:
        begin = time.perf_counter()
        rates.append(play() / (time.perf_counter() - begin))
    return statistics.median(rates)


@kernel
def play_fused(games, histories, turns, table, keys):  # type: ignore[no-untyped-def]
    """Play one game after another from `keys`, (G, 2), with random cheap placements, nothing copied or checked."""
    game = games[0]
    for g in range(len(keys)):
        begin_game(game, table, keys[g], keys[g])
        while game["phase"] != OVER_PHASE:
            seat = int(game["to_move"])
            place, card, _, _ = decision_words(game["keys"][seat], game["decisions"][seat])
            choice = scaled(place, 2 * (table["cities"] + 1))
            city, experts, occasionals = NONE, 0, 0
            if choice <= table["cities"]:
                city = CHICAGO if choice == table["cities"] else choice
                experts, occasionals = cheapest_placement(game, table, seat, city)
            if experts + occasionals == 0:
                city = NONE
            own = game["hands"][seat]
            write_turn(turns[0], nth_card(own, scaled(card, popcount(own))), city, experts, occasionals)
            play_turn(game, table, histories, 0, turns[0])
            move_on(game, table, histories, 0)
