"""A game decision by decision, as an onlooker and as any seat sees it: for showing games and debugging bots."""

from collections.abc import Iterator
from dataclasses import dataclass

from harness.game.choices import Choices
from harness.game.lexicon import Lexicon
from harness.game.observe import new_observations, observe_seat, words_of
from harness.game.rules import Rules
from harness.game.show import FaceDown
from harness.game.state import Array
from harness.game.stepper import ChoiceReader, Deal, Stepper, play_hand
from harness.game.turn import Turn
from harness.game.view import View, new_view


@dataclass(frozen=True)
class Moment:
    """A decision and what was answered: a turn, or (in a team game's reckoning) the seat that bears a loss.

    `game` is a copy, (1,) GAME, from before the answer. Hands and turns count from 1; turn 0 is the reckoning.
    """

    hand: int
    turn_number: int
    seat: int
    turn: Turn | None
    payer: int | None
    game: Array
    histories: Array
    lexicon: Lexicon

    def observation(self, seat: int | None = None) -> Array:
        """Return what a seat is shown of this moment, (1,) OBSERVATION (None: the seat that is asked)."""
        return observation_of(self.game, self.seat if seat is None else seat)

    def view(self, seat: int | None = None) -> View:
        """Return the view that a seat has of this moment (None: the seat that is asked)."""
        return view_of(self.game, self.histories, self.lexicon, self.seat if seat is None else seat)

    @property
    def loss_seats(self) -> tuple[int, ...]:
        """The seats that can bear the loss, where one is asked about."""
        return tuple(seat for seat in range(6) if int(self.game[0]["loss_seats"]) >> seat & 1)

    @property
    def face_down(self) -> FaceDown:
        """All cards that lie face down: what only an onlooker may see."""
        game, lexicon = self.game[0], self.lexicon
        hands = map(lexicon.hand, game["hands"][: lexicon.rules.players].tolist())
        hidden = [lexicon.cards[card] for card in game["hidden"][: len(lexicon.cities)]]
        return FaceDown(tuple(hands), dict(zip(lexicon.cities, hidden, strict=True)))


def moments(rules: Rules, deal: Deal, choices: Choices) -> Iterator[Moment]:
    """Yield the game of these choices, each decision before it is taken; RecordError when they are no game of it."""
    stepper, reader = Stepper(rules, deal), ChoiceReader(choices)
    while not stepper.over:
        for choice in play_hand(stepper, reader):
            is_loss = isinstance(choice, int)
            yield Moment(
                hand=stepper.hand + 1,
                turn_number=0 if is_loss else int(stepper.game["turn"]) + 1,
                seat=stepper.seat,
                turn=None if isinstance(choice, int) else stepper.lexicon.turn_of(choice),
                payer=choice if isinstance(choice, int) else None,
                game=stepper.copy_of_game(),
                histories=stepper.histories,
                lexicon=stepper.lexicon,
            )
    reader.check_end(stepper)


def observation_of(game: Array, seat: int) -> Array:
    """Return what a seat may know of a game, (1,) GAME, as (1,) OBSERVATION."""
    observations = new_observations(1)
    observe_seat(game[0], words_of(game)[0], seat, observations[0], words_of(observations)[0])
    return observations


def view_of(game: Array, histories: Array, lexicon: Lexicon, seat: int) -> View:
    """Return a seat's view of a game, (1,) GAME, with its history, (1, E) EVENT, that may run on behind it."""
    data = observation_of(game, seat).tobytes()
    return new_view(lexicon, data, lambda index, events: histories[index, :events].tobytes())
