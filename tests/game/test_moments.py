"""Moments: a stored game, decision by decision, is what its bots saw; and the table in words shows no more."""

from typing import Any

import pytest
from game.tables import KINDS, Wanderer, games_of, sample

from harness import Turn, View
from harness.errors import RecordError
from harness.game import layout
from harness.game.choices import Choices
from harness.game.moments import moments
from harness.game.replay import replay
from harness.game.show import describe

SEEN: list[tuple[int, bytes, bytes, Any]] = []


class Witness(Wanderer):
    """A Wanderer that writes down everything it is shown, and its answers."""

    def act(self, view: View) -> Turn:
        return self.noted(view, super().act(view))

    def choose_loss(self, view: View, seats: tuple[int, ...]) -> int:
        return self.noted(view, super().choose_loss(view, seats))

    def noted(self, view: View, answer: Any) -> Any:
        SEEN.append((view.seat, view._data, history_of(view), answer))
        return answer


def history_of(view: View) -> bytes:
    """Return the bytes of all events a view can read."""
    at = layout.offsets(layout.OBSERVATION)["events"]
    return view._read_history(view._index, int.from_bytes(view._data[at : at + 2], "little"))


@pytest.mark.parametrize("kind", ["two", "four", "six", "six, losses by seat", "sixty-four cards", "level"])
def test_moments_show_what_the_bots_saw(kind: str) -> None:
    SEEN.clear()
    games = sample(KINDS[kind], 1, "witness", Witness)
    told = list(moments(games.rules, games.deal(0), games.choices(0)))
    assert len(told) == len(SEEN)
    for moment, (seat, data, history, answer) in zip(told, SEEN, strict=True):
        view = moment.view()
        assert moment.seat == view.seat == seat
        assert view._data == data == moment.observation().tobytes()
        assert history_of(view) == history
        assert answer == (moment.payer if moment.turn is None else moment.turn)
        assert moment.hand == view.hand_number
        assert moment.turn_number == (0 if moment.turn is None else view.turn_number)
        assert moment.payer is None or moment.payer in moment.loss_seats


def test_moments_of_a_record_are_those_of_the_game() -> None:
    games = games_of("six")
    told = moments(games.rules, games.deal(1), games.choices(1))
    retold = replay(games.record(1)).moments()
    for moment, again in zip(told, retold, strict=True):
        assert (moment.hand, moment.turn_number, moment.seat, moment.payer) == (
            again.hand, again.turn_number, again.seat, again.payer
        )  # fmt: skip
        assert moment.turn == again.turn
        assert describe(moment.view(), moment.face_down) == describe(again.view(), again.face_down)


def test_moments_stand_still_when_the_game_goes_on() -> None:
    games = games_of("four")
    told = list(moments(games.rules, games.deal(0), games.choices(0)))
    first = next(moments(games.rules, games.deal(0), games.choices(0)))
    assert told[0].game.tobytes() == first.game.tobytes()
    assert told[0].view().history == []


def test_an_onlooker_sees_every_card() -> None:
    games = games_of("twelve cities")
    for moment in list(moments(games.rules, games.deal(0), games.choices(0)))[::17]:
        face_down = moment.face_down
        shown = [card for cards in moment.view().shown.values() for card in cards]
        held = [card for hand in face_down.hands for card in hand]
        assert sorted([*shown, *held, *face_down.hidden.values()]) == sorted(games.rules.cards)


# -- in words ---------------------------------------------------------------------------------------------------------


def opening_of(kind: str, at: int) -> tuple[str, str]:
    """Return decision number `at` of a game in words: as its seat saw it, and with all faces."""
    games = games_of(kind)
    moment = list(moments(games.rules, games.deal(0), games.choices(0)))[at]
    return describe(moment.view()), describe(moment.view(), moment.face_down)


def test_the_table_in_words() -> None:
    seen, open_cards = opening_of("four", 26)
    games = games_of("four")
    moment = list(moments(games.rules, games.deal(0), games.choices(0)))[26]
    view = moment.view()
    assert seen.splitlines()[0] == "Hand 2; turn 2 of 5, order 1 2 3 0, seat 3 to play; start marker at seat 1"
    assert seen.splitlines()[1].startswith(f"Police: {' '.join(view.police)} (badges: ")
    cities = [line.split()[0] for line in seen.splitlines()[4:12]]
    assert tuple(cities) == view.row
    for line, city in zip(seen.splitlines()[4:12], view.row, strict=True):
        for card in () if city == "chicago" else view.shown[city]:
            assert card.face in line.split()
        counts = [f"{on.experts}+{on.occasionals}" if on.total else "." for on in view.on[city]]
        assert " ".join(counts) in " ".join(line.split())
    seats = seen.splitlines()[14:]
    assert [line.split()[1] for line in seats] == ["0", "1", "2", "3"]
    for seat, line in enumerate(seats):
        assert str(view.money[seat]) in line.split()
        assert f"{view.supply[seat].experts}+{view.supply[seat].occasionals}" in line.split()
    assert " ".join(map(str, view.hand)) in seats[view.seat]
    for seat, cards in enumerate(moment.face_down.hands):
        assert " ".join(map(str, cards)) in open_cards.splitlines()[14 + seat]
        if seat != view.seat:
            assert not any(str(card) in seen for card in cards)
            assert " ".join(f"{count} {city}" for city, count in view.backs[seat].items()) in seats[seat]


def test_the_reckoning_in_words() -> None:
    games = games_of("six")
    moment = next(m for m in moments(games.rules, games.deal(0), games.choices(0)) if m.turn is None)
    city, kind = moment.view().loss
    seen = describe(moment.view())
    assert f"reckoning: {city} takes an expert ({kind.name.lower()})" in seen.splitlines()[0]
    assert "can lose" in seen
    assert "(turned up)" in seen


def test_no_choices_show_no_moment() -> None:
    games = games_of("two")
    with pytest.raises(RecordError, match="hand 1, turn 1, seat 0"):
        list(moments(games.rules, games.deal(0), Choices(b"", b"")))
