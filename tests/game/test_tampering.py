"""Records that were tampered with: replay says where and what, and the independent referee refuses them too."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import referee
from game.tables import games_of

from harness.errors import RecordError
from harness.game.record import Record
from harness.game.replay import replay

Tamper = Callable[[Record], str]


def placed(record: Record) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield (hand, the seat's turn, turn) of each turn that places gangsters; hand and turn from 1."""
    for number, hand in enumerate(record["hands"], 1):
        played: Counter[int] = Counter()
        for turn in hand["turns"]:
            played[turn["seat"]] += 1
            if turn["place"]:
                yield number, played[turn["seat"]], turn


def no_signal(record: Record) -> str:
    record["hands"][0]["turns"][3]["signal"] = 0
    return "hand 1, turn 1, seat 3: signal, where it is written, is 0; it must be a whole number from 1 to 255"


def a_signal_too_long(record: Record) -> str:
    record["hands"][1]["turns"][0]["signal"] = 256
    return "hand 2, turn 1, seat 1: signal, where it is written, is 256"


def an_unknown_card(record: Record) -> str:
    record["hands"][0]["turns"][7]["reveal"] = "boston:9"
    return "hand 1, turn 2, seat 1: reveals 'boston:9', which is not in its hand; it holds "


def anothers_card(record: Record) -> str:
    turns = record["hands"][0]["turns"]
    turns[0]["reveal"] = record["hands"][0]["dealt"][1][0]
    return f"hand 1, turn 1, seat 0: reveals {turns[0]['reveal']!r}, which is not in its hand"


def a_turn_out_of_order(record: Record) -> str:
    turns = record["hands"][0]["turns"]
    turns[2], turns[3] = turns[3], turns[2]
    return "hand 1, turn 1, seat 2: seat 3 plays here; it is the turn of seat 2"


def too_many_experts(record: Record) -> str:
    hand, number, turn = next(placed(record))
    turn["place"]["experts"] = 6
    return f"hand {hand}, turn {number}, seat {turn['seat']}: places 6 experts; there are 5 in its supply"


def a_placement_that_does_not_lead(record: Record) -> str:
    """Enter a city a rival already leads with fewer gangsters than that takes."""
    hand = record["hands"][0]
    first = next(turn for turn in hand["turns"] if turn["place"])
    number = hand["turns"].index(first) + 1
    victim = hand["turns"][number]
    for turn in hand["turns"][:number]:
        turn["place"] = None
    first["place"] = {"city": "memphis", "experts": 3, "occasionals": 0}
    victim["place"] = {"city": "memphis", "experts": 2, "occasionals": 0}
    turn = number // 6 + 1
    return (
        f"hand 1, turn {turn}, seat {victim['seat']}: plays place 2+0 memphis, reveal {victim['reveal']}: the side "
        "would not have strictly more gangsters there than every other side; it needs at least 4 there"
    )


def chicago_too_early(record: Record) -> str:
    record["hands"][0]["turns"][0]["place"] = {"city": "chicago", "experts": 1, "occasionals": 0}
    return "hand 1, turn 1, seat 0: plays place 1+0 chicago"


def a_city_nobody_knows(record: Record) -> str:
    record["hands"][0]["turns"][0]["place"] = {"city": "gotham", "experts": 1, "occasionals": 0}
    return "hand 1, turn 1, seat 0: places on 'gotham'; the cities here are new_york boston"


def money_paid(record: Record) -> str:
    result = record["hands"][1]["results"][3]
    result["money"] += 1
    return f"hand 2, turn 0: {result['city']}: money is {result['money']}; by the rules it is {result['money'] - 1}"


def money_after_a_hand(record: Record) -> str:
    record["hands"][0]["money"][2] += 1
    return "hand 1, turn 0: money[2] is "


def the_winner(record: Record) -> str:
    result = record["hands"][0]["results"][0]
    result["winner"] = 1 if result["winner"] != 1 else 0
    return f"hand 1, turn 0: new_york: winner is {result['winner']}; by the rules it is "


def losing(record: Record) -> tuple[int, dict[str, Any]]:
    """Return (hand, result) of the first city that cost an expert."""
    return next(
        (number, result)
        for number, hand in enumerate(record["hands"], 1)
        for result in hand["results"]
        if result["losses"]
    )


def a_loss_left_out(record: Record) -> str:
    hand, result = losing(record)
    result["losses"].pop()
    return rf"hand {hand}, turn 0, seat \d: {result['city']}: "


def a_loss_of_a_rival(record: Record) -> str:
    hand, result = losing(record)
    seat = result["losses"][0]["seat"]
    result["losses"][0]["seat"] = (seat + 1) % 6
    return rf"hand {hand}, turn 0, seat \d: {result['city']}: "


def a_loss_nobody_owes(record: Record) -> str:
    result = next(result for result in record["hands"][0]["results"] if result["card"] == "3" and not result["losses"])
    result["losses"].append({"seat": 2, "kind": "killed"})
    return f"hand 1, turn 0, seat 2: {result['city']}: it bears a loss that nobody owes"


def the_kind_of_a_loss(record: Record) -> str:
    hand, result = losing(record)
    loss = result["losses"][0]
    right, loss["kind"] = loss["kind"], "banished"
    where = f"hand {hand}, turn 0, seat {loss['seat']}: {result['city']}"
    return f"{where}: loss: kind is 'banished'; by the rules it is '{right}'"


def a_hidden_card(record: Record) -> str:
    record["hands"][2]["hidden"]["boston"] = "4"
    return "hand 3: hidden is 'boston:4', but there is no such card at this table"


def a_card_dealt_twice(record: Record) -> str:
    dealt = record["hands"][1]["dealt"]
    dealt[3][0] = next(card for card in dealt[0] if not card.startswith("boston"))
    return f"hand 2, seat 3: is dealt {dealt[3][0]!r}, but there is no card like it left"


def a_card_short(record: Record) -> str:
    record["hands"][0]["dealt"][5].pop()
    return "hand 1, seat 5: its cards has 3 entries; it must have 4"


def the_row(record: Record) -> str:
    row = record["hands"][0]["row"]
    row[1], row[2] = row[2], row[1]
    return "hand 1: row[1] is 'boston'; by the rules it is 'chicago'"


def the_start_marker(record: Record) -> str:
    record["hands"][1]["start"] = 0
    return "hand 2: start is 0; by the rules it is 1"


def the_police_card(record: Record) -> str:
    right = record["police"][0]
    record["hands"][0]["police"] = wrong = "gold" if right != "gold" else "silver"
    return f"hand 1: police is '{wrong}'; by the rules it is '{right}'"


def another_police_deck(record: Record) -> str:
    record["police"][0] = "gold" if record["police"][0] != "gold" else "silver"
    return r"police, sorted,\[\d\] is "


def an_extra_hand_too_early(record: Record) -> str:
    record["hands"][1]["extra"] = True
    return "hand 2: extra is written, but this is a regular hand"


def a_hand_left_out(record: Record) -> str:
    record["hands"].pop()
    return f"hand {len(record['hands']) + 1}: the hand is missing: the game is not over"


def a_hand_too_many(record: Record) -> str:
    count = len(record["hands"])
    record["hands"].append(record["hands"][0])
    return f"hand {count + 1}: there is no such hand: the game was over after hand {count}"


def final_ranks(record: Record) -> str:
    record["final"]["ranks"].reverse()
    return r"final: ranks\[\d\] is "


def what_decided(record: Record) -> str:
    record["final"]["decided_by"] = "gangsters"
    return "final: decided_by is 'gangsters'; by the rules it is 'money'"


def rated_otherwise(record: Record) -> str:
    record["rated_ranks"].reverse()
    return r"rated_ranks\[\d\] is "


def a_fault_in_no_hand(record: Record) -> str:
    record["faults"] = [{"hand": 9, "turn": 1, "seat": 2, "kind": "", "message": ""}]
    return "a fault's hand is 9; it must be a whole number from 1 to "


def a_seat_that_forfeits_twice(record: Record) -> str:
    record["forfeits"] = [3, 3]
    return "seat 3: forfeits twice"


def a_ruling(record: Record) -> str:
    record["rules"]["talk"] = "shout"
    return "rules: talk is 'shout'; it can be open or none"


def other_teams(record: Record) -> str:
    record["rules"]["teams"] = [[0, 1], [2, 3], [4, 5]]
    return "rules: teams"


def another_format(record: Record) -> str:
    record["format"] = "the-boss-game/2"
    return "format is 'the-boss-game/2'; by the rules it is 'the-boss-game/1'"


TAMPERINGS: list[Tamper] = [
    no_signal, a_signal_too_long, an_unknown_card, anothers_card, a_turn_out_of_order, too_many_experts,
    a_placement_that_does_not_lead, chicago_too_early, a_city_nobody_knows, money_paid, money_after_a_hand, the_winner,
    a_loss_left_out, a_loss_of_a_rival, a_loss_nobody_owes, the_kind_of_a_loss, a_hidden_card, a_card_dealt_twice,
    a_card_short, the_row, the_start_marker, the_police_card, another_police_deck, an_extra_hand_too_early,
    a_hand_left_out, a_hand_too_many, final_ranks, what_decided, rated_otherwise, a_fault_in_no_hand,
    a_seat_that_forfeits_twice, a_ruling, other_teams, another_format,
]  # fmt: skip


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_tampering_is_refused_where_it_happened(tamper: Tamper) -> None:
    record = json.loads(json.dumps(games_of("six").record(0)))
    expected = tamper(record)
    with pytest.raises(RecordError) as refusal:
        replay(record)
    found = str(refusal.value)
    assert found.startswith(expected) or re.match(expected, found), found
    with pytest.raises(referee.Refused):
        referee.check(record)
