"""One game on the engine, one choice at a time: for records, and for showing a game turn by turn.

The cards come from the deal's key, as they were dealt, or are laid as a record names them; the rest is the same.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from harness.errors import RecordError
from harness.game.choices import TURN_BYTES, Choices, pack_choices
from harness.game.deal import hand_out, police_order
from harness.game.engine import VERDICT, apply_losses, apply_turns, begin_games
from harness.game.layout import LOSS_EVENT, LOSS_PHASE, NONE, OVER_PHASE, TURN_EVENT
from harness.game.legal import LEGAL, WHY_ILLEGAL
from harness.game.lexicon import Numbers, lexicon_of
from harness.game.rules import Rules
from harness.game.state import GAME, TURN, Array, new_histories, table_of

Key = NDArray[np.uint64]
_ONLY = np.zeros(1, np.int64)  # row 0 of a batch of one game


class Deal(Protocol):
    """Where the cards of a game come from: a key, or a record that names them."""

    def keys(self) -> tuple[Key, Key]:
        """Return (deal key, bots' key), both (2,)."""

    def police(self, table: np.void) -> list[int]:
        """Return the whole police deck in the order it would be turned up."""

    def lay(self, game: np.void, table: np.void) -> None:
        """Put the cards of the hand that begins into a GAME record."""


class KeyedDeal(NamedTuple):
    """The deal of a key, as it was played; `bot_key` only matters to whoever looks at ``view.rng``."""

    deal_key: Key
    bot_key: Key = np.zeros(2, np.uint64)

    def keys(self) -> tuple[Key, Key]:
        return self.deal_key, self.bot_key

    def police(self, table: np.void) -> list[int]:
        return police_order(table, self.deal_key).tolist()  # type: ignore[no-any-return]

    def lay(self, game: np.void, table: np.void) -> None:
        """Nothing: the engine has dealt this hand from the key."""


class LaidHand(NamedTuple):
    """The cards of one hand, by number: the hidden one of each city, and those dealt, seat after seat."""

    hidden: tuple[int, ...]
    dealt: tuple[int, ...]


class LaidDeal(NamedTuple):
    """A deal as a record names it: the police deck by number, and the cards of each hand."""

    police_deck: tuple[int, ...]
    hands: Sequence[LaidHand]

    def keys(self) -> tuple[Key, Key]:
        return np.zeros(2, np.uint64), np.zeros(2, np.uint64)

    def police(self, table: np.void) -> list[int]:
        return list(self.police_deck)

    def lay(self, game: np.void, table: np.void) -> None:
        hand = self.hands[game["hand"]]
        game["hidden"][: len(hand.hidden)] = hand.hidden
        game["deck"][: len(hand.dealt)] = hand.dealt
        hand_out(game, table)


class Stepper:
    """One game. Call `open_hand` before each hand, then `take_turn` and `bear_loss` as the game asks for them."""

    def __init__(self, rules: Rules, deal: Deal) -> None:
        self.rules, self.deal = rules, deal
        self.lexicon = lexicon_of(rules)
        self.table = table_of(rules)
        self.games = np.zeros(1, GAME)
        self.game = self.games[0]
        self.histories = new_histories(rules, 1)
        self.police = deal.police(self.table)
        self._turns = np.zeros(1, TURN)
        self._numbers = self._turns.view(np.int16)
        self._seats, self._verdicts = np.zeros(1, np.int16), np.zeros((1, VERDICT), np.int16)
        self._asks = np.zeros(1, np.int8)
        deal_key, bot_key = deal.keys()
        begin_games(self.games, self.table, deal_key.reshape(1, 2), bot_key.reshape(1, 2), self._asks)
        shown = self.police[:5]
        self.game["police_order"] = shown + [NONE] * (5 - len(shown))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game["phase"] == OVER_PHASE)

    @property
    def asks_loss(self) -> bool:
        """Whether the game waits for partners to choose who bears a loss."""
        return bool(self.game["phase"] == LOSS_PHASE)

    @property
    def hand(self) -> int:
        """Number of this hand, from 0."""
        return int(self.game["hand"])

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return int(self.game["to_move"])

    def history(self, first: int = 0) -> Array:
        """Return the events so far, from number `first` on."""
        return self.histories[0, first : self.game["events"]]

    def where(self) -> str:
        """Return which decision the game stands at, for messages."""
        turn = 0 if self.asks_loss else int(self.game["turn"]) + 1
        return f"hand {self.hand + 1}, turn {turn}, seat {self.seat}"

    def where_last(self) -> str:
        """Return which turn was played last, for messages."""
        turns = self.history()
        turns = turns[turns["kind"] == TURN_EVENT]
        hand, seat = int(turns["hand"][-1]), int(turns["who"][-1])
        turn = int(((turns["hand"] == hand) & (turns["who"] == seat)).sum())
        return f"hand {hand + 1}, turn {turn}, seat {seat}"

    def open_hand(self) -> None:
        """Lay the cards of the hand that begins."""
        self.deal.lay(self.game, self.table)

    def take_turn(self, numbers: Sequence[int]) -> int:
        """Play a turn of the seat to move; return LEGAL, or its code in WHY_ILLEGAL and the default turn is played."""
        self._numbers[:] = numbers
        apply_turns(self.games, self.table, self.histories, _ONLY, self._turns, self._verdicts, self._asks)
        return int(self._verdicts[0, 0])

    def bear_loss(self, seat: int) -> int:
        """Let `seat` bear the loss the game waits for; return LEGAL or ILLEGAL_LOSS."""
        self._seats[0] = seat
        apply_losses(self.games, self.table, self.histories, _ONLY, self._seats, self._verdicts, self._asks)
        return int(self._verdicts[0, 0])

    def copy_of_game(self) -> Array:
        """Return a copy of the game as it stands, (1,) GAME; by bytes, since numpy copies records field by field."""
        return np.frombuffer(bytearray(self.games.tobytes()), GAME)

    def choices(self) -> Choices:
        """Return all choices so far, packed."""
        return pack_choices(self.games, self.histories, np.zeros(1, np.int64)).of(0)


class ChoiceReader:
    """Hands out the stored choices of a game in the order in which it asks for them."""

    def __init__(self, choices: Choices) -> None:
        if len(choices.turns) % TURN_BYTES:
            raise RecordError(f"choices: {len(choices.turns)} bytes of turns; a turn takes {TURN_BYTES}")
        self.choices = choices
        self.at = 0

    def turn(self, stepper: Stepper) -> Numbers:
        """Return the next stored turn."""
        if self.at >= len(self.choices.turns):
            raise RecordError(f"{stepper.where()}: the stored choices end here; the game is not over")
        card, city, experts, occasionals, signal = self.choices.turns[self.at : self.at + TURN_BYTES]
        self.at += TURN_BYTES
        return card, city - 1, experts, occasionals, signal

    def payer(self, stepper: Stepper) -> int:
        """Return who bears the loss the game waits for."""
        index = int((stepper.history()["kind"] == LOSS_EVENT).sum())
        if index >= len(self.choices.payers):
            raise RecordError(f"{stepper.where()}: the stored choices do not say who bears this loss")
        return self.choices.payers[index]

    def check_end(self, stepper: Stepper) -> None:
        """Refuse choices that go on after the game's end, or forced losses borne by another seat."""
        played = stepper.choices()
        if self.at < len(self.choices.turns) or len(played.payers) < len(self.choices.payers):
            raise RecordError(f"hand {stepper.hand + 1}: the game is over here, but stored choices are left")
        if played.payers != self.choices.payers:
            raise RecordError("choices: an expert is lost by another seat than the rules allow")


def play_hand(stepper: Stepper, reader: ChoiceReader) -> Iterator[Numbers | int]:
    """Play a hand to its end, yielding each choice before it is played: a turn's numbers, or who bears a loss."""
    stepper.open_hand()
    hand = stepper.hand
    while not stepper.over and stepper.hand == hand:
        if stepper.asks_loss:
            where, payer = stepper.where(), reader.payer(stepper)
            yield payer
            if stepper.bear_loss(payer) != LEGAL:
                raise RecordError(f"{where}: seat {payer} is stored to bear a loss, and cannot")
        else:
            numbers = reader.turn(stepper)
            yield numbers
            code = stepper.take_turn(numbers)
            if code != LEGAL:
                raise RecordError(f"{stepper.where_last()}: the stored turn is illegal: {WHY_ILLEGAL[code]}")
