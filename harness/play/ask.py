"""Ask a bot what it would have done at one decision of a game that was played: for its author, in a debugger.

The bot is called directly, in this process and without any net under it: an exception or a breakpoint stays where it
is raised.
"""

from collections.abc import Iterator

import numpy as np

from harness.errors import ResultsError
from harness.game.layout import NONE
from harness.game.legal import LEGAL, WHY_ILLEGAL, why_illegal
from harness.game.moments import Moment
from harness.game.state import TURN, Array, table_of
from harness.play.asking import NO_TURN, BadAnswerError, numbers_of
from harness.play.bot import BatchBot, Bot
from harness.play.players import numbers_in
from harness.play.registry import BotSpec


def ask(told: Iterator[Moment], spec: BotSpec, seat: int, hand: int, turn: int) -> str:
    """Return what a bot answers in a seat's place at hand `hand`, turn `turn` (from 1; 0: the reckoning).

    It is asked about all earlier decisions of the seat first, so that it remembers what it would have; the game goes
    on as it was played.
    """
    bot = spec.maker()()
    for moment in told:
        if moment.seat == seat:
            answer = _answer(bot, moment)
            if (moment.hand, moment.turn_number) == (hand, turn):
                played = moment.turn or f"seat {moment.payer} bears the loss"
                return f"{spec.name} answers: {answer}\nplayed was:    {played}"
    raise ResultsError(f"seat {seat} takes no decision at hand {hand}, turn {turn} of this game")


def _answer(bot: Bot | BatchBot, moment: Moment) -> str:
    if not moment.turn:
        return f"seat {_payer(bot, moment)} bears the loss"
    lexicon, game = moment.lexicon, moment.game[0]
    turns = np.zeros(1, TURN)
    if isinstance(bot, Bot):
        view = moment.view()
        turn = bot.act(view)
        try:
            numbers_in(turns)[:] = numbers_of(turn, view, lexicon)
        except BadAnswerError as error:
            return f"no turn: it {error}"
    else:
        numbers_in(turns)[:] = NO_TURN
        bot.act_batch(*_shown(bot, moment), turns)
    code = why_illegal(game, table_of(lexicon.rules), moment.seat, game["hands"][moment.seat], turns[0])
    if code != LEGAL:
        return f"an illegal turn ({WHY_ILLEGAL[code]})"
    card, city, experts, occasionals, signal = numbers_in(turns)[0].tolist()
    return str(lexicon.turn_of((card, city, experts, occasionals, signal)))


def _payer(bot: Bot | BatchBot, moment: Moment) -> int:
    if isinstance(bot, Bot):
        return bot.choose_loss(moment.view(), moment.loss_seats)
    seats = np.full(1, NONE, np.int16)
    bot.choose_loss_batch(*_shown(bot, moment), seats)
    return int(seats[0])


def _shown(bot: BatchBot, moment: Moment) -> tuple[Array, Array]:
    """Return the observation and the history that a batch bot is handed, and tell it its table."""
    bot.rules, bot.table = moment.lexicon.rules, table_of(moment.lexicon.rules)
    observations = moment.observation()
    return observations, moment.histories[:, : int(observations["events"][0])]
