"""Records of every kind of table: replay and the independent referee accept them, and they hold the whole game."""

import json
import re
from collections import Counter

import numpy as np
import pytest
import referee
from game.tables import KINDS, Idle, Sample, games_of, level_rules, sample
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bots.random import Random
from harness.errors import RecordError
from harness.game.choices import Choices, pack_choices
from harness.game.record import FaultNote, GameInfo, Record, rated_ranks, record_of
from harness.game.replay import replay
from harness.game.rules import usual_rules
from harness.game.stepper import LaidDeal, LaidHand


def through_json(record: Record) -> Record:
    return json.loads(json.dumps(record))


# -- records of every kind are accepted ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_records_are_accepted_by_replay_and_by_the_referee(kind: str) -> None:
    games = games_of(kind)
    for game in range(len(games)):
        record = games.record(game)
        assert through_json(record) == record
        again = replay(through_json(record))
        referee.check(through_json(record))
        assert again.rules == KINDS[kind]
        assert record_of(again.rules, again.deal, again.choices, again.info) == record


def test_every_way_to_end_and_every_loss_comes_up() -> None:
    records = [games_of(kind).record(game) for kind in KINDS for game in range(6)]
    records += [games.record(game) for games in [sample(level_rules(), 30, "ends")] for game in range(30)]
    endings = Counter(record["final"]["decided_by"] for record in records)
    assert set(endings) == {"money", "last_hand", "gangsters", "extra_hand", "shared"}
    hands = [hand for record in records for hand in record["hands"]]
    losses = {loss["kind"] for hand in hands for result in hand["results"] for loss in result["losses"]}
    assert losses == {"hospital", "prison", "killed"}
    assert any("signal" in turn for hand in hands for turn in hand["turns"])
    assert any(hand.get("extra") for hand in hands)
    assert any(money < 0 for record in records for money in record["final"]["money"])


def test_a_game_in_which_nobody_places_is_shared_after_three_extra_hands() -> None:
    games = sample(usual_rules(6), 3, "idle", Idle)
    for game in range(3):
        record = games.record(game)
        replay(through_json(record))
        referee.check(through_json(record))
        extra = [hand for hand in record["hands"] if "extra" in hand]
        assert len(extra) == 3
        assert all(hand["police"] is None and hand["extra"] is True for hand in extra)
        assert record["final"]["decided_by"] == "shared"
        assert record["final"]["winners"] == [0, 1, 2]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(list(KINDS)), st.integers(0, 2**32))
def test_any_game_replays(kind: str, seed: int) -> None:
    games = sample(KINDS[kind], 1, str(seed), Random)
    record = games.record(0)
    again = replay(record)
    assert record_of(again.rules, again.deal, again.choices, again.info) == record
    referee.check(through_json(record))


def test_cards_with_the_same_face_may_change_places() -> None:
    """A record cannot tell Boston's two threes apart, so a replay may number them otherwise and must not mind."""
    games = games_of("four")
    renumbered = 0
    for game in range(len(games)):
        record = games.record(game)
        again = replay(record)
        renumbered += again.choices != games.choices(game)
        swapped = swap_twins(again.deal, again.rules.cards.index(("boston", "3")))
        turns = swap_revealed(again.choices, again.rules.cards.index(("boston", "3")))
        assert record_of(again.rules, swapped, turns, again.info) == record
        assert replay(record_of(again.rules, swapped, turns, again.info)).choices == again.choices
    assert renumbered > 0


def swap_twins(deal: LaidDeal, first: int) -> LaidDeal:
    """Return the deal with cards `first` and `first + 1` in each other's places."""
    other = {first: first + 1, first + 1: first}
    hands = [LaidHand(*(tuple(other.get(card, card) for card in cards) for cards in hand)) for hand in deal.hands]
    return LaidDeal(deal.police_deck, hands)


def swap_revealed(choices: Choices, first: int) -> Choices:
    turns = np.frombuffer(choices.turns, np.uint8).reshape(-1, 5).copy()
    at = {card: turns[:, 0] == card for card in (first, first + 1)}
    turns[at[first], 0], turns[at[first + 1], 0] = first + 1, first
    return choices._replace(turns=turns.tobytes())


# -- what is the bots' and not the game's ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "forfeiting", "rated"),
    [
        ([1, 2, 3, 4], [], [1, 2, 3, 4]),
        ([1, 2, 3, 4], [0], [4, 1, 2, 3]),
        ([1, 2, 3, 4], [0, 2], [3, 1, 3, 2]),
        ([1, 1, 3, 4], [3], [1, 1, 3, 4]),
        ([1, 2, 2, 4], [0], [4, 1, 1, 3]),
        ([2, 1], [0, 1], [1, 1]),
        ([4, 3, 2, 1], [1, 0], [3, 3, 2, 1]),
    ],
)
def test_rated_ranks(ranks: list[int], forfeiting: list[int], rated: list[int]) -> None:
    assert rated_ranks(ranks, forfeiting) == rated
    assert referee.rated_ranks(ranks, set(forfeiting)) == rated


def test_faults_and_forfeits_stand_in_the_record() -> None:
    games = games_of("six")
    faults = [FaultNote(1, 2, 4, "exception", "ValueError: no"), FaultNote(2, 0, 4, "illegal loss", "")]
    info = GameInfo(7, 3, "6p:12345678", [("a", "1")] * 6, faults, forfeits=(4,), rated=False)
    record = record_of(games.rules, games.deal_keys[0], games.choices(0), info)
    referee.check(through_json(record))
    again = replay(through_json(record)).info
    assert (list(again.faults), again.forfeits, again.rated) == (faults, (4,), False)
    assert record["rated_ranks"][1] == 3
    assert sorted(record["rated_ranks"])[:2] == [1, 2]


def test_choices_are_packed_game_by_game() -> None:
    games = games_of("six")
    played, order = games.played, np.arange(len(games))[::-1].copy()
    packed = pack_choices(played.games, played.histories, order)
    assert packed.turns.data.dtype == packed.payers.data.dtype == np.uint8
    assert packed.turns.offsets.dtype == packed.payers.offsets.dtype == np.int32
    for place, game in enumerate(order.tolist()):
        alone = pack_choices(played.games, played.histories, order[place : place + 1])
        assert alone.of(0) == packed.of(place)
        hands = games.record(game)["hands"]
        assert len(packed.turns.of(place)) == 5 * sum(len(hand["turns"]) for hand in hands)
        payers = [loss["seat"] for hand in hands for result in hand["results"] for loss in result["losses"]]
        assert list(packed.payers.of(place)) == payers


def damaged(games: Sample, game: int, turns: bytes | None = None, payers: bytes | None = None) -> str:
    """Return how a game is refused when its stored choices are these."""
    right = games.choices(game)
    choices = Choices(right.turns if turns is None else turns, right.payers if payers is None else payers)
    with pytest.raises(RecordError) as refusal:
        record_of(games.rules, games.deal_keys[game], choices, GameInfo(0, 0, "", [("", "")] * 6))
    return str(refusal.value)


def test_damaged_choices_are_refused() -> None:
    games = games_of("six")
    turns, payers = games.choices(0)
    assert "52 bytes" in damaged(games, 0, turns[:52])
    assert damaged(games, 0, turns[:50]).startswith("hand 1, turn 2, seat 4: ")
    assert "choices are left" in damaged(games, 0, turns + turns[:5])
    assert "do not say who bears this loss" in damaged(games, 0, payers=b"")
    assert "choices are left" in damaged(games, 0, payers=payers + b"\0")
    assert damaged(games, 0, turns[:10] + bytes([99]) + turns[11:]).startswith("hand 1, turn 1, seat 2: ")
    assert damaged(games, 0, turns[:12] + bytes([0, 99]) + turns[14:]).startswith("hand 1, turn 1, seat 2: ")
    wrong = bytes((payer + 1) % 6 for payer in payers)
    assert re.match(r"hand \d, turn 0, seat \d: seat \d is stored to bear|choices: ", damaged(games, 0, payers=wrong))
