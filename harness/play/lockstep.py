"""Many games of one kind of table at once: each step asks each bot once, about all games in which it is to move.

So a bot's fixed costs (a call, a message) are paid per step, not per decision. Games may come to stand at different
points (a team choosing who bears a loss); a step asks whatever is to be asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from harness.game.engine import ILLEGAL_LOSS, VERDICT, apply_losses, apply_turns, begin_games, sort_questions
from harness.game.layout import NONE, OVER_PHASE, SEATS
from harness.game.legal import WHY_ILLEGAL
from harness.game.observe import new_observations, observe, words_of
from harness.game.rules import Rules
from harness.game.state import GAME, TURN, Array, new_histories, table_of
from harness.play.again import asked_again
from harness.play.asking import NO_TURN
from harness.play.faults import STRIKES, Failure, Fault, FaultKind, Price
from harness.play.players import Player, Questions, Rows, numbers_in

Keys = NDArray[np.uint64]


@dataclass
class Played:
    """Games played to their end.

    games: (G,) GAME. histories: (G, E) EVENT. seatings: (G, 6) int16, the bot in each seat, -1 where there is none.
    forfeits: (G,) uint8 mask of seats that forfeited. faults: in the order in which games and moves come.
    """

    games: Array
    histories: Array
    seatings: NDArray[np.int16]
    forfeits: NDArray[np.uint8]
    faults: list[Fault] = field(default_factory=list)


def play_games(
    rules: Rules, deal_keys: Keys, bot_keys: Keys, seatings: NDArray[np.int16], players: Sequence[Player]
) -> Played:
    """Play one game for each row of `deal_keys` and `bot_keys`, both (G, 2), and `seatings`, (G, 6).

    ``players[b]`` answers for bot number b in `seatings`.
    """
    lockstep = _Lockstep(rules, deal_keys, bot_keys, seatings, players)
    while lockstep.step():
        pass
    lockstep.played.faults.sort(key=lambda fault: (fault.game, fault.hand, fault.turn or 99))
    return lockstep.played


class _Lockstep:
    def __init__(
        self, rules: Rules, deal_keys: Keys, bot_keys: Keys, seatings: NDArray[np.int16], players: Sequence[Player]
    ) -> None:
        count = len(seatings)
        self.rules = rules
        self.deal_keys, self.bot_keys = deal_keys, bot_keys
        self.table = table_of(rules)
        self.players = players
        self.house = len(players)  # answers for seats that have forfeited, always with the default turn
        self.seatings = seatings.copy()
        self.played = Played(
            np.zeros(count, GAME),
            new_histories(rules, count),
            seatings,
            np.zeros(count, np.uint8),
        )
        self.words = words_of(self.played.games)
        self.observations = new_observations(count)
        self.observation_words = words_of(self.observations)
        self.turns = np.zeros(count, TURN)
        self.answers = numbers_in(self.turns)
        self.verdicts = np.zeros((count, VERDICT), np.int16)
        self.seats = np.zeros(count, np.int16)
        self.strikes = np.zeros((count, SEATS), np.int8)
        self.running = np.arange(count)
        self.rows = np.zeros(count, np.int64)
        self.bounds = np.zeros(2 * self.house + 3, np.int64)
        begin_games(self.played.games, self.table, deal_keys, bot_keys)

    def step(self) -> bool:
        """Ask and apply once in every running game; return whether any is still running."""
        running = self.running
        going = sort_questions(self.played.games, running, self.seatings, self.rows, self.bounds)
        self.running = running[:going]
        bounds = self.bounds.tolist()
        for question in range(2 * self.house + 2):
            if bounds[question] < bounds[question + 1]:
                rows = self.rows[bounds[question] : bounds[question + 1]]
                bot, is_loss = divmod(question, 2)
                if is_loss:
                    self.ask_losses(bot, rows)
                else:
                    self.ask_turns(bot, rows)
        return bool(going)

    def questions(self, rows: Rows) -> Questions:
        """Return what the seats to move in these games are asked."""
        observations = self.observations[: len(rows)]
        observe(self.played.games, self.words, rows, observations, self.observation_words)
        return Questions(observations, self.played.histories, rows, self.again)

    def again(self, rows: Rows, seats: NDArray[np.int16]) -> Iterator[tuple[bool, Rows, Questions]]:
        """Ask the seats, (n,), of games `rows`, (n,), once more what they were asked in those of them still running."""
        going = np.flatnonzero(self.played.games["phase"][rows] != OVER_PHASE)
        rows = rows[going]
        events = self.played.games["events"][rows].astype(np.int64)
        told = asked_again(
            self.rules, self.deal_keys[rows], self.bot_keys[rows], self.played.histories[rows], events, seats[going]
        )
        for is_loss, places, questions in told:
            yield is_loss, going[places], questions

    def ask_turns(self, bot: int, rows: Rows) -> None:
        turns, verdicts = self.turns[: len(rows)], self.verdicts[: len(rows)]
        self.answers[: len(rows)] = NO_TURN
        failures: list[Failure] = []
        if bot != self.house:
            failures = self.players[bot].act(self.questions(rows), turns)
        illegal = apply_turns(self.played.games, self.table, self.played.histories, rows, turns, verdicts)
        if illegal and bot != self.house:
            self.blame(rows, verdicts, failures)

    def ask_losses(self, bot: int, rows: Rows) -> None:
        seats, verdicts = self.seats[: len(rows)], self.verdicts[: len(rows)]
        seats[:] = NONE
        failures: list[Failure] = []
        if bot != self.house:
            failures = self.players[bot].choose_loss(self.questions(rows), seats)
        illegal = apply_losses(self.played.games, self.table, self.played.histories, rows, seats, verdicts)
        if illegal and bot != self.house:
            self.blame(rows, verdicts, failures)

    def blame(self, rows: Rows, verdicts: NDArray[np.int16], failures: list[Failure]) -> None:
        """Write down a fault for each answer that was replaced; the third of a seat in a game forfeits it."""
        told = {failure.row: failure for failure in failures}
        for row in np.flatnonzero(verdicts[:, 0]).tolist():
            code, hand, turn, seat = verdicts[row].tolist()
            if row in told:
                kind, message = told[row].kind, told[row].message
            elif code == ILLEGAL_LOSS:
                kind, message = FaultKind.BAD_LOSS, "named a seat that cannot bear the loss"
            else:
                kind, message = FaultKind.ILLEGAL, WHY_ILLEGAL[code]
            game = int(rows[row])
            self.played.faults.append(Fault(game, hand, turn, seat, kind, message))
            self.strikes[game, seat] += 1
            if self.strikes[game, seat] >= STRIKES or kind.price is not Price.MOVE:
                self.played.forfeits[game] |= 1 << seat
                self.seatings[game, seat] = self.house
