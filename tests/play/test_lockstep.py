"""Playing many games at once: blame, default turns, forfeits, and that nobody else's game changes."""

import gc
from collections.abc import Callable

import numpy as np
import pytest

from harness import BatchBot, Bot, Card, Placement, Turn, View
from harness.game.chance import derive_key
from harness.game.rules import usual_rules
from harness.game.state import table_of
from harness.game.tally import CITY_SUMS, PLACE_SUMS, new_sums, tally
from harness.play.faults import FaultKind, Price
from harness.play.lockstep import Played, play_games
from harness.play.players import player_of
from harness.play.registry import load_class

GAMES = 24


class Plain(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[-1])


class Mute(BatchBot):
    """Writes nothing at all."""

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        pass


class Framer(BatchBot):
    """Answers nothing, and scribbles over what it was shown."""

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        observations["seat"] = 1 - observations["seat"]
        observations["hand"] = 9


class Keeper(Bot):
    """Keeps its first view and asks it again later."""

    def __init__(self) -> None:
        self.first: View | None = None
        self.seen: list[object] = []

    def act(self, view: View) -> Turn:
        if self.first is None:
            self.first = view
        elif view.turn_number == 4:
            assert self.first.history == view.history[: len(self.first.history)]
            self.first.__dict__.pop("history")
        return Turn(view.hand[0])


class Vandal(Bot):
    """Breaks what its view reads words from."""

    def act(self, view: View) -> Turn:
        card = view.hand[0]
        view._lexicon.cards = ()
        return Turn(card)


class Wild(Bot):
    """Raises what is no Exception."""

    def act(self, view: View) -> Turn:
        raise WildError


class WildError(BaseException):
    def __str__(self) -> str:
        raise SystemExit


class Moody(BatchBot):
    """Raises as soon as it is asked about an odd seat; else reveals its lowest card."""

    def act_batch(self, observations, histories, turns):  # type: ignore[no-untyped-def]
        if (observations["seat"] % 2).any():
            raise RuntimeError("odd seats make me sad")
        own = observations["own"]
        turns["card"] = [(int(mask) & -int(mask)).bit_length() - 1 for mask in own]


class Answers(Bot):
    """Gives a wrong answer in its second turn of each hand."""

    wrong: object = None

    def act(self, view: View) -> Turn:
        if view.turn_number == 2:
            return self.answer(view)  # type: ignore[return-value]
        return Turn(view.hand[0])

    def answer(self, view: View) -> object:
        raise NotImplementedError


def answering(answer: Callable[[View], object]) -> type[Bot]:
    return type("Wrong", (Answers,), {"answer": lambda self, view: answer(view)})


class Liar(int):
    """Looks like 1 to a check that allows subclasses."""


def keys(games: int = GAMES) -> np.ndarray:
    return np.stack([derive_key("test", str(game)) for game in range(games)])


def play(bots: list[type], players: int, games: int = GAMES) -> Played:
    rules = usual_rules(players)
    seatings = np.full((games, 6), -1, np.int16)
    seatings[:, :players] = [seat % len(bots) for seat in range(players)]
    return play_games(rules, keys(games), keys(games), seatings, [player_of(bot, rules) for bot in bots])


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (lambda view: None, FaultKind.BAD_TYPE, "None"),
        (lambda view: "reveal", FaultKind.BAD_TYPE, "'reveal'"),
        (lambda view: view.hand[0], FaultKind.BAD_TYPE, "Card"),
        (lambda view: Turn(tuple(view.hand[0])), FaultKind.BAD_TYPE, "not a Card"),
        (lambda view: Turn(view.hand[0], ("boston", 1, 0)), FaultKind.BAD_TYPE, "not a Placement"),
        (lambda view: Turn(view.hand[0], Placement("boston", 1.0, 0)), FaultKind.BAD_TYPE, "whole number"),
        (lambda view: Turn(view.hand[0], Placement("boston", True, 0)), FaultKind.BAD_TYPE, "True"),
        (lambda view: Turn(view.hand[0], Placement("boston", Liar(1), 0)), FaultKind.BAD_TYPE, "Liar"),
        (lambda view: Turn(view.hand[0], Placement("boston", 10**5000, 0)), FaultKind.BAD_TYPE, "out of range"),
        (lambda view: Turn(view.hand[0], Placement([], 1, 0)), FaultKind.BAD_TYPE, "no text"),
        (lambda view: Turn(view.hand[0], signal=None), FaultKind.BAD_TYPE, "None"),
        (lambda view: Turn(Card("boston", "royal")), FaultKind.ILLEGAL, "not in the hand"),
        (lambda view: Turn(view.hand[0], Placement("gotham", 1, 0)), FaultKind.ILLEGAL, "no such city"),
        (lambda view: Turn(view.hand[0], Placement("boston", 7, 0)), FaultKind.ILLEGAL, "more experts"),
        (lambda view: Turn(view.hand[0], Placement("boston", 0, 1)), FaultKind.ILLEGAL, "needs an expert"),
        (lambda view: Turn(view.hand[0], Placement("boston", -1, 2)), FaultKind.ILLEGAL, "no fewer than zero"),
        (lambda view: Turn(view.hand[0], Placement("chicago", 1, 0)), FaultKind.ILLEGAL, "Chicago needs"),
        (lambda view: Turn(view.hand[0], signal=3), FaultKind.ILLEGAL, "team game"),
        (lambda view: 1 // 0, FaultKind.EXCEPTION, "ZeroDivisionError"),
        (lambda view: exit(3), FaultKind.EXIT, "SystemExit"),
        (lambda view: exec("raise GeneratorExit"), FaultKind.EXIT, "GeneratorExit"),
        (lambda view: bytearray(1 << 62), FaultKind.MEMORY, "MemoryError"),
    ],
)
def test_a_wrong_answer_is_named_and_replaced(answer: Callable[[View], object], kind: FaultKind, words: str) -> None:
    played = play([answering(answer), Plain, Plain, Plain], 4)
    assert {(fault.seat, fault.turn, fault.kind) for fault in played.faults} == {(0, 2, kind)}
    assert all(words in fault.message for fault in played.faults)
    assert all(len(fault.message) <= 300 and fault.message.isprintable() for fault in played.faults)
    assert set(played.forfeits) == {1}, "seat 0 forfeits the game, and nobody else"
    per_game = np.bincount([fault.game for fault in played.faults])
    strikes = 3 if kind.price is Price.MOVE else 1
    assert set(per_game) == {strikes}, "after a forfeit the bot is not asked again"


def default_turn(view: View) -> Card:
    """The default turn's card, by the words of the rule."""
    left = {
        city: len([card for card in view.rules.cards if card.city == city]) - len(view.shown[city])
        for city in view.rules.cities
    }
    held = {card.city for card in view.hand}
    city = max((c for c in view.rules.cities if c in held), key=lambda c: left[c])
    return next(card for card in view.rules.cards if card.city == city and card in view.hand)


class Default(Bot):
    def act(self, view: View) -> Turn:
        return Turn(default_turn(view))

    def choose_loss(self, view: View, seats: tuple[int, ...]) -> int:
        return seats[0]


class Broken(Bot):
    def act(self, view: View) -> Turn:
        raise ValueError("broken")

    def choose_loss(self, view: View, seats: tuple[int, ...]) -> int:
        raise ValueError("broken")


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_faulty_seats_play_the_default_turn(players: int) -> None:
    greedy = load_class("greedy")
    others = [greedy] * (players - 1)
    broken, by_the_book = play([Broken, *others], players), play([Default, *others], players)
    assert broken.histories.tobytes() == by_the_book.histories.tobytes()
    assert set(broken.forfeits) == {1}
    assert not by_the_book.faults


def test_a_batch_bot_that_raises_is_blamed_only_where_it_does() -> None:
    played = play([Moody], 4)
    assert {fault.seat for fault in played.faults} == {1, 3}
    assert set(played.forfeits) == {0b1010}
    assert all("odd seats" in fault.message for fault in played.faults)


def test_scribbling_over_an_observation_frames_nobody() -> None:
    played = play([Framer, Plain], 2)
    assert {(fault.seat, fault.hand) for fault in played.faults} == {(0, 1)}
    assert set(played.forfeits) == {1}


def test_a_view_that_is_kept_goes_on_showing_its_own_game() -> None:
    assert not play([Keeper, Plain, Plain], 3).faults


def test_breaking_its_own_words_breaks_nobody_elses_game() -> None:
    played = play([Vandal, load_class("greedy_py")], 4)
    assert {fault.seat % 2 for fault in played.faults} <= {0}


def test_whatever_a_bot_raises_is_its_own_fault() -> None:
    played = play([Wild, Plain], 2)
    assert {(fault.seat, fault.kind) for fault in played.faults} == {(0, FaultKind.EXIT)}


class Copier(Bot):
    """Reveals its first card by one that is equal to it: made anew, or lying elsewhere at the table."""

    def act(self, view: View) -> Turn:
        card = view.hand[0]
        twins = [other for other in view.rules.cards if other == card]
        return Turn([Card(*card), twins[0], twins[-1]][view.turn_number % 3])


class First(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])


@pytest.mark.parametrize("players", [2, 4, 6])
def test_equal_cards_are_one_whichever_object_names_them(players: int) -> None:
    copied, first = play([Copier], players), play([First], players)
    assert not copied.faults
    assert copied.histories.tobytes() == first.histories.tobytes()


def test_python_looks_for_garbage_again_after_a_step() -> None:
    seen: list[bool] = []

    class Collector(Bot):
        def act(self, view: View) -> Turn:
            seen.append(gc.isenabled())
            raise ValueError

    assert gc.isenabled()
    play([Collector], 4, games=2)
    assert gc.isenabled()
    assert not any(seen)


def test_a_batch_bot_that_writes_nothing_plays_no_turn() -> None:
    played = play([Mute, Plain], 2)
    assert {(fault.seat, fault.kind) for fault in played.faults} == {(0, FaultKind.ILLEGAL)}


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_games_do_not_depend_on_who_else_plays_in_the_chunk(players: int) -> None:
    """Each game alone gives the bytes it gives among others."""
    bots = [load_class(name) for name in ("random", "greedy", "bully")]
    together = play(bots, players, 8)
    rules = usual_rules(players)
    for game in range(8):
        one = slice(game, game + 1)
        seatings = together.seatings[one]
        alone = play_games(rules, keys(8)[one], keys(8)[one], seatings, [player_of(bot, rules) for bot in bots])
        assert alone.histories.tobytes() == together.histories[one].tobytes()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_same_bot_in_all_seats_plays_the_same_game_in_every_rotation(players: int) -> None:
    bot, rules = load_class("random"), usual_rules(players)
    deal = keys(1).repeat(players, axis=0)
    seatings = np.full((players, 6), -1, np.int16)
    for rotation in range(players):
        seatings[rotation, :players] = [(seat + rotation) % players for seat in range(players)]
    played = play_games(rules, deal, deal, seatings, [player_of(bot, rules) for _ in range(players)])
    assert len({history.tobytes() for history in played.histories}) == 1
    money = np.zeros(players)
    for rotation in range(players):
        for seat in range(players):
            money[seatings[rotation, seat]] += played.games[rotation]["final_money"][seat % rules.sides]
    assert np.ptp(money) == 0


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_tally_counts_what_histories_tell(players: int) -> None:
    rules = usual_rules(players)
    played = play([load_class("random"), load_class("greedy")], players, 30)
    blocks = np.arange(30) // 3
    counted = np.arange(30) % 7 != 0
    cities, chicago, places = new_sums(rules, 10)
    tally(played.games, played.histories, counted, blocks, table_of(rules), cities, chicago, places)
    for block in range(10):
        games = [g for g in range(30) if blocks[g] == block and counted[g]]
        events = [e for g in games for e in played.histories[g][: played.games[g]["events"]]]
        paid = sum(int(e["amount"]) for e in events if e["kind"] == 1)
        losses = sum(e["kind"] == 2 for e in events)
        placed = sum(int(e["experts"]) + int(e["occasionals"]) for e in events if e["kind"] == 0)
        column = {name: cities[block, :, CITY_SUMS.index(name)].sum() for name in CITY_SUMS}
        assert column["paid"] == paid == places[block, :, PLACE_SUMS.index("paid")].sum()
        assert column["hospital"] + column["prison"] + column["killed"] == losses
        assert column["spent_won"] + column["spent_lost"] == placed
        assert places[block, :, PLACE_SUMS.index("spent")].sum() == placed
        hands = sum(int(played.games[g]["hand"]) + 1 for g in games)
        assert cities[block, 12, 0] == hands == chicago[block, :, 0].sum()
        assert places[block, :, PLACE_SUMS.index("best")].sum() == 60 * hands
        assert (chicago[block].sum(0)[:6] == cities[block, 12, :6]).all()
