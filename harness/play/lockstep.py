"""Many games of one kind of table at once: each step asks each bot once, about all games in which it is to move.

So a bot's fixed costs (a call, a message) are paid per step, not per decision. Games may come to stand at different
points (a team choosing who bears a loss); a step asks whatever is to be asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

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
from harness.play.jailed import JailedPlayer
from harness.play.players import Player, Questions, Rows, numbers_in
from harness.play.together import side_by_side

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
    rules: Rules,
    deal_keys: Keys,
    bot_keys: Keys,
    seatings: NDArray[np.int16],
    players: Sequence[Player],
    cores: int = 1,
) -> Played:
    """Play one game for each row of `deal_keys` and `bot_keys`, both (G, 2), and `seatings`, (G, 6).

    ``players[b]`` answers for bot number b in `seatings`. `cores` is how many processes of bots may run at a time:
    more than there are cores for would only push each other out of the caches.
    """
    lockstep = _Lockstep(rules, deal_keys, bot_keys, seatings, players, cores)
    while lockstep.step():
        pass
    lockstep.played.faults.sort(key=lambda fault: (fault.game, fault.hand, fault.turn or 99))
    return lockstep.played


class _Lockstep:
    def __init__(
        self,
        rules: Rules,
        deal_keys: Keys,
        bot_keys: Keys,
        seatings: NDArray[np.int16],
        players: Sequence[Player],
        cores: int,
    ) -> None:
        count = len(seatings)
        self.cores = cores
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
        self.turns = np.zeros(count, TURN)
        self.answers = numbers_in(self.turns)
        self.verdicts = np.zeros((count, VERDICT), np.int16)
        self.seats = np.zeros(count, np.int16)
        self.strikes = np.zeros((count, SEATS), np.int8)
        self.asks = np.zeros(count, np.int8)
        self.running = np.arange(count)
        self.rows = np.zeros(count, np.int64)
        self.bounds = np.zeros(2 * self.house + 3, np.int64)
        begin_games(self.played.games, self.table, deal_keys, bot_keys, self.asks)

    def step(self) -> bool:
        """Ask and apply once in every running game; return whether any is still running."""
        running = self.running
        going = sort_questions(self.asks, running, self.seatings, self.rows, self.bounds)
        self.running = running[:going]
        bounds = self.bounds.tolist()
        outside: dict[bool, list[tuple[JailedPlayer, int, slice]]] = {False: [], True: []}
        for question in range(2 * self.house + 2):
            span = slice(bounds[question], bounds[question + 1])
            if span.start < span.stop:
                bot, is_loss = question // 2, question % 2 == 1
                player = self.players[bot] if bot != self.house else None
                if isinstance(player, JailedPlayer):
                    outside[is_loss].append((player, bot, span))
                else:
                    self.ask_here(bot, is_loss, self.rows[span])
        for is_loss, asked in outside.items():  # one after the other: a bot may be asked both
            self.ask_outside(is_loss, asked)
        return bool(going)

    def ask_here(self, bot: int, is_loss: bool, rows: Rows) -> None:
        """Ask a bot of this process, or the house, and apply its answers."""
        first = slice(len(rows))  # always the same memory: it stays in the cache
        out = self.blank(is_loss, first)
        failures: list[Failure] = []
        if bot != self.house:
            player, asked = self.players[bot], self.questions(rows, self.observations[first])
            failures = player.choose_loss(asked, out) if is_loss else player.act(asked, out)
        self.apply(bot, is_loss, rows, out, failures)

    def ask_outside(self, is_loss: bool, asked: Sequence[tuple[JailedPlayer, int, slice]]) -> None:
        """Ask bots in processes of their own, as many at a time as there are cores, and apply their answers."""
        outs = [self.blank(is_loss, span) for _, _, span in asked]
        players = [player for player, _, _ in asked]
        rows = [self.rows[span] for _, _, span in asked]
        made = (self.questions(own, player.room(len(own))) for own, player in zip(rows, players, strict=True))
        answered = side_by_side(is_loss, zip(players, made, outs, strict=True), self.cores)
        for (_, bot, _), own, out, failures in zip(asked, rows, outs, answered, strict=True):
            self.apply(bot, is_loss, own, out, failures)

    def blank(self, is_loss: bool, span: slice) -> Any:
        """Return where answers are to be written, (n,) TURN or int16 seats, with none in it yet."""
        if is_loss:
            self.seats[span] = NONE
            return self.seats[span]
        self.answers[span] = NO_TURN
        return self.turns[span]

    def questions(self, rows: Rows, observations: Array) -> Questions:
        """Return what the seats to move in these games are asked, written into (n,) observations."""
        observe(self.played.games, self.words, rows, observations, words_of(observations))
        return Questions(observations, self.played.histories, rows, self.again)

    def again(self, rows: Rows, seats: NDArray[np.int16], room: int) -> Iterator[tuple[bool, Rows, Questions]]:
        """Ask the seats, (n,), of games `rows`, (n,), once more what they were asked in those that go on for them."""
        running = self.played.games["phase"][rows] != OVER_PHASE
        going = np.flatnonzero(running & (self.seatings[rows, seats] != self.house))
        rows = rows[going]
        events = self.played.games["events"][rows].astype(np.int64)
        deals, bots, histories = self.deal_keys[rows], self.bot_keys[rows], self.played.histories[rows]
        for is_loss, questions in asked_again(self.rules, deals, bots, histories, events, seats[going], room):
            yield is_loss, going[questions.rows], questions

    def apply(self, bot: int, is_loss: bool, rows: Rows, answers: Any, failures: list[Failure]) -> None:
        """Play what was answered, and put down what is illegal to the bot."""
        verdicts = self.verdicts[: len(rows)]
        play = apply_losses if is_loss else apply_turns
        illegal = play(self.played.games, self.table, self.played.histories, rows, answers, verdicts, self.asks)
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
