"""Ask a bot what it would have done at one decision of a game that was played: for its author, in a debugger.

The bot is called directly, in this process and without any net under it: an exception or a breakpoint stays where it
is raised.
"""

from collections.abc import Iterator

import numpy as np

from harness.errors import ResultsError
from harness.game.moments import Moment
from harness.game.observe import new_observations, observe_seat, words_of
from harness.game.state import TURN, table_of
from harness.game.turn import Turn
from harness.play.bot import BatchBot, Bot
from harness.play.players import NO_TURN, numbers_in
from harness.play.registry import BotSpec


def ask(told: Iterator[Moment], spec: BotSpec, seat: int, hand: int, turn: int) -> str:
    """Return what a bot answers in a seat's place at hand `hand`, turn `turn` (from 1; 0: the reckoning).

    It is asked about all earlier decisions of the seat first, so that it remembers what it would have; the game goes
    on as it was played.
    """
    bot = spec.make()
    for moment in told:
        if moment.seat == seat:
            answer = _answer(bot, moment)
            if (moment.hand, moment.turn_number) == (hand, turn):
                played = moment.turn or f"seat {moment.payer} bears the loss"
                return f"{spec.name} answers: {answer}\nplayed was:    {played}"
    raise ResultsError(f"seat {seat} takes no decision at hand {hand}, turn {turn} of this game")


def _answer(bot: Bot | BatchBot, moment: Moment) -> Turn | str:
    if isinstance(bot, Bot):
        view = moment.view()
        return bot.act(view) if moment.turn else f"seat {bot.choose_loss(view, moment.loss_seats)} bears the loss"
    rules = moment.lexicon.rules
    bot.rules, bot.table = rules, table_of(rules)
    observations = new_observations(1)
    observe_seat(moment.game[0], words_of(moment.game)[0], moment.seat, observations[0], words_of(observations)[0])
    histories = moment.histories[:, : int(observations["events"][0])]
    if not moment.turn:
        seats = np.full(1, -1, np.int16)
        bot.choose_loss_batch(observations, histories, seats)
        return f"seat {seats[0]} bears the loss"
    turns = np.zeros(1, TURN)
    numbers_in(turns)[:] = NO_TURN
    bot.act_batch(observations, histories, turns)
    card, city, experts, occasionals, signal = (int(number) for number in numbers_in(turns)[0])
    return moment.lexicon.turn_of((card, city, experts, occasionals, signal))
