"""The second referee: hand-made games with results worked out on paper, worked examples, tampering."""

import copy
import gzip
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from referee import (
    CHICAGO,
    Json,
    Refused,
    Table,
    check,
    check_file,
    chicago_payment,
    payment,
    rated_ranks,
    regular_hands,
    row_in,
)
from referee_play import RULINGS, designed_rules, many, play_random, record_of, rules_for

FLIPS: dict[str, list[Any]] = {
    "last_turn_order": ["side"],
    "chicago_after": ["side"],
    "shootout_per": ["seat"],
    "talk": ["none"],
    "negative_money": [False],
    "tiebreak_counts_absent": [True],
    "chicago_theft": [-2],
    "chicago_shootout": [0],
    "max_extra_hands": [0, 1],
}


# --- writing games by hand ---


def turn(text: str) -> Json:
    """`seat place card`; the place is `-` or `city/experts+occasionals`."""
    seat, place, card = text.split()
    if place == "-":
        return {"seat": int(seat), "place": None, "reveal": card}
    city, gangsters = place.split("/")
    experts, occasionals = map(int, gangsters.split("+"))
    where = {"city": city, "experts": experts, "occasionals": occasionals}
    return {"seat": int(seat), "place": where, "reveal": card}


def result(text: str) -> Json:
    """`city card winner money`, then `seat:kind` a loss; `-` for none."""
    city, card, winner, money, *losses = text.split()
    return {
        "city": city,
        "card": None if card == "-" else card,
        "winner": None if winner == "-" else int(winner),
        "money": int(money),
        "losses": [{"seat": int(loss[0]), "kind": loss[2:]} for loss in losses],
    }


def hand(start: int, dealt: list[str], turns: list[str], results: list[str], money: list[int]) -> Json:
    """A hand; its row and hidden cards are read off the results."""
    reckoned = [result(text) for text in results]
    return {
        "start": start,
        "row": [each["city"] for each in reckoned],
        "hidden": {each["city"]: each["card"] for each in reckoned if each["city"] != CHICAGO},
        "dealt": [cards.split() for cards in dealt],
        "police": "gold",
        "turns": [turn(text) for text in turns],
        "results": reckoned,
        "money": money,
    }


def extra(regular: Json) -> Json:
    """The same hand as an extra one."""
    return regular | {"police": None, "extra": True}


def game(rules: Json, hands: list[Json], final: str, money: list[int], ranks: list[int]) -> Json:
    """A game whose police card is always gold: three regular hands."""
    winners = [side for side, rank in enumerate(ranks) if rank == 1]
    ending = {"money": money, "ranks": ranks, "winners": winners, "hands": len(hands), "decided_by": final}
    return copy.deepcopy(record_of(rules, ["gold"] * 3, hands, ending))


def small_rules(players: int, faces: dict[str, list[str]], **changes: Any) -> Json:
    """Hands of three, three experts and one occasional each, a police deck of gold cards."""
    sizes = {"hand_size": 3, "experts": 3, "occasionals": 1, "police_deck": ["gold"] * 3}
    return rules_for(players) | sizes | {"cities": list(faces), "card_faces": faces} | changes


def duel(**changes: Any) -> Json:
    """Two players and two cities: last turns by supply, a hospital stay, a debt, a dead expert."""
    faces = {"alpha": ["1", "2", "3", "5"], "beta": ["2", "hospital", "revolver", "-4"]}
    one = hand(
        0,
        ["alpha:1 alpha:2 beta:2", "alpha:3 beta:revolver beta:-4"],
        [
            "0 alpha/2+1 alpha:1",
            "1 beta/1+0 beta:revolver",
            "0 - beta:2",
            "1 chicago/1+0 alpha:3",
            "1 - beta:-4",  # two gangsters in supply against one
            "0 - alpha:2",
        ],
        ["alpha 5 0 5", "chicago - 1 1", "beta hospital 1 0 1:hospital"],
        [5, 1],
    )
    two = hand(
        1,
        ["alpha:2 alpha:3 alpha:5", "beta:2 beta:hospital beta:revolver"],
        [
            "1 beta/1+1 beta:2",
            "0 alpha/1+0 alpha:5",
            "1 - beta:hospital",
            "0 chicago/1+0 alpha:2",
            "1 - beta:revolver",
            "0 - alpha:3",
        ],
        ["alpha 1 0 1", "beta -4 1 -4", "chicago - 0 1"],
        [7, -3],
    )
    three = hand(
        0,
        ["alpha:1 alpha:3 beta:2", "alpha:5 beta:hospital beta:-4"],
        [
            "0 alpha/1+0 alpha:1",
            "1 beta/1+0 alpha:5",
            "0 beta/2+0 alpha:3",
            "1 alpha/2+0 beta:hospital",  # the third expert is out of hospital
            "0 - beta:2",
            "1 - beta:-4",
        ],
        ["alpha 2 1 2", "beta revolver 0 0 0:killed", "chicago - - 0"],
        [7, -1],
    )
    return game(small_rules(2, faces, **changes), [one, two, three], "money", [7, -1], [1, 2])


def town(number: int, players: int, places: dict[tuple[int, int], str], results: list[str], money: list[int],
         last: list[int] | None = None) -> Json:  # fmt: skip
    """A hand in a game of one city where every card dealt shows 4; `places` by (turn, seat)."""
    start = (number - 1) % players
    usual = [(start + step) % players for step in range(players)]
    orders = [usual, usual, last or usual]
    moves = [(at, seat) for at, order in enumerate(orders, 1) for seat in order]
    turns = [f"{seat} {places.get((at, seat), '-')} town:4" for at, seat in moves]
    return hand(start, ["town:4 town:4 town:4"] * players, turns, results, money)


def town_rules(players: int, *special: str, **changes: Any) -> Json:
    """One city; it has a card for everybody three times, and the one hidden."""
    fours = ["4"] * (3 * players + 1 - len(special))
    return small_rules(players, {"town": [*fours, *special]}, **changes)


def idle(number: int, players: int, money: list[int]) -> Json:
    """A hand of `town` in which nobody places."""
    return town(number, players, {}, ["town 4 - 0", "chicago - - 0"], money)


def taken(number: int, players: int, seat: int, gangsters: str, money: list[int]) -> Json:
    """A hand of `town` in which one seat wins the 4 alone, placing in its first turn."""
    usual = [(number - 1 + step) % players for step in range(players)]
    last = [*[other for other in usual if other != seat], seat]
    side = seat % 3
    results = [f"town 4 {side} 4", "chicago - - 0"]
    return town(number, players, {(1, seat): f"town/{gangsters}"}, results, money, last)


def refusal(record: Json) -> Refused:
    """The refusal of a record that has to be refused."""
    with pytest.raises(Refused) as caught:
        check(record)
    return caught.value


# --- worked examples ---


@pytest.mark.parametrize(
    ("shown", "pays"),
    [
        (["2"], 1),
        (["2", "prison", "3"], 2),
        (["3", "prison"], 1),
        (["3", "4"], 3),
        (["0"], 0),
        ([], 0),
        (["shootout"], 2),
        (["3", "theft"], 1),
        (["-3"], 0),
        (["-3", "4"], 0),
        (["banished", "hospital", "revolver", "3"], 1),
    ],
)
def test_chicago_pays_half_of_what_is_shown(shown: list[str], pays: int) -> None:
    assert chicago_payment(RULINGS, shown) == pays


def test_what_a_city_pays() -> None:
    paid = {"0": 0, "4": 4, "-3": -3, "12": 12, "shootout": 4, "theft": -2}
    paid |= dict.fromkeys(["hospital", "prison", "revolver", "banished"], 0)
    assert {face: payment(face) for face in paid} == paid


def test_chicago_counts_shootout_and_theft_by_the_ruling() -> None:
    assert chicago_payment(RULINGS | {"chicago_theft": -2}, ["4", "theft"]) == 1
    assert chicago_payment(RULINGS | {"chicago_theft": -2}, ["1", "theft"]) == 0
    assert chicago_payment(RULINGS | {"chicago_shootout": 0}, ["3", "shootout"]) == 1


@pytest.mark.parametrize(
    ("police", "hands"),
    [
        ("gold both gold silver silver", 3),
        ("silver gold silver both gold", 4),
        ("silver gold silver gold both", 5),
        ("both both both", 3),
    ],
)
def test_police_end_the_game(police: str, hands: int) -> None:
    assert regular_hands(police.split()) == hands


def test_chicago_moves_right_and_stays_at_the_end() -> None:
    rows = ["a x b c", "a b x c", "a b c x", "a b c x"]
    assert [" ".join(row_in(["a", "b", "c"], hand)).replace(CHICAGO, "x") for hand in (1, 2, 3, 4)] == rows


def placed(table: Table, *placements: str) -> Table:
    """Put gangsters down without asking: `seat city experts+occasionals`."""
    for text in placements:
        seat, city, gangsters = text.split()
        table.place(int(seat), city, *map(int, gangsters.split("+")))
    return table


def opened(rules: Json) -> Table:
    """A table at the start of its first hand."""
    table = Table(rules)
    table.open_hand()
    return table


def test_last_turn_goes_by_supply() -> None:
    black, blue, yellow, red = range(4)
    supplies = {black: 5, red: 4, blue: 3, yellow: 3}
    table = opened(rules_for(4))
    for seat, supply in supplies.items():
        table.place(seat, "detroit", 9 - supply, 0)
    assert table.order(4) == [black, blue, yellow, red]
    assert table.order(5) == [black, red, blue, yellow]


def test_last_turn_by_side_sums_the_partners() -> None:
    puts = ["0 boston 5+0", "1 boston 2+0", "2 boston 1+0", "4 boston 2+0"]
    by_seat = placed(opened(rules_for(6)), *puts)
    assert by_seat.order(3) == [0, 1, 2, 3, 4, 5]
    assert by_seat.order(4) == [3, 5, 2, 1, 4, 0]
    by_side = placed(opened(rules_for(6, last_turn_order="side")), *puts)
    assert by_side.order(4) == [2, 5, 1, 4, 0, 3]


@pytest.mark.parametrize(
    ("own", "rival", "add", "legal"),
    [
        (2, 4, "2+0", False),
        (2, 4, "3+0", True),
        (1, 2, "1+0", False),
        (1, 2, "2+0", True),
        (0, 4, "4+0", False),
        (0, 4, "2+3", True),
        (0, 4, "1+4", False),
        (0, 0, "0+1", False),
        (1, 0, "0+3", True),
        (0, 0, "7+0", False),
    ],
)
def test_majority_and_supply(own: int, rival: int, add: str, legal: bool) -> None:
    table = placed(opened(rules_for(2)), f"0 boston {own}+0", f"1 boston {rival}+0")
    fault = table.placement_fault(0, "boston", *map(int, add.split("+")))
    assert (fault is None) == legal, fault


def test_partners_share_majority_experts_and_banishment_but_not_supply() -> None:
    table = placed(opened(rules_for(6)), "0 boston 2+0", "1 boston 3+0")
    assert table.placement_fault(3, "boston", 1, 0) is not None
    assert table.placement_fault(3, "boston", 0, 2) is None
    assert table.placement_fault(3, "boston", 6, 0) is not None
    table.banished.add((0, "boston"))
    assert "banished" in str(table.placement_fault(3, "boston", 2, 0))


def test_chicago_after_the_seat_or_its_side() -> None:
    for ruling, partner_legal in (("seat", False), ("side", True)):
        table = placed(opened(rules_for(6, chicago_after=ruling)), "0 boston 1+0")
        assert table.placement_fault(0, CHICAGO, 1, 0) is None
        assert (table.placement_fault(3, CHICAGO, 1, 0) is None) == partner_legal
        assert table.placement_fault(1, CHICAGO, 1, 0) is not None
        assert table.placement_fault(1, "new_york", 1, 0) is None


# --- losses in teams ---


def first_able(able: list[int], _kind: str) -> int:
    return able[0]


def last_able(able: list[int], _kind: str) -> int:
    return able[-1]


SHOOTOUT = ["0 st_louis 1+0", "3 st_louis 1+0", "1 st_louis 1+0", "2 st_louis 3+0", "5 st_louis 1+0"]


def test_shootout_by_side_costs_each_other_side_one() -> None:
    table = placed(opened(rules_for(6)), *SHOOTOUT)
    done = table.reckon("st_louis", "shootout", last_able)
    assert (done["winner"], done["money"]) == (2, 4)
    assert done["losses"] == [{"seat": 3, "kind": "killed"}, {"seat": 4, "kind": "killed"}]
    table = placed(opened(rules_for(6)), "0 st_louis 1+0", "2 st_louis 2+0")
    assert table.reckon("st_louis", "shootout", first_able)["losses"] == [{"seat": 0, "kind": "killed"}]
    table = opened(rules_for(6))
    assert table.reckon("st_louis", "shootout", first_able)["money"] == 0


def test_shootout_by_seat_costs_each_other_seat_there_one() -> None:
    table = placed(opened(rules_for(6, shootout_per="seat")), *SHOOTOUT)
    assert [loss["seat"] for loss in table.reckon("st_louis", "shootout", last_able)["losses"]] == [0, 1, 3]
    table = placed(opened(rules_for(6, shootout_per="seat")), *SHOOTOUT)
    table.alive[0], table.alive[1], table.alive[4] = 0, 0, 0
    assert [loss["seat"] for loss in table.reckon("st_louis", "shootout", first_able)["losses"]] == [3, 3]


def test_absent_experts_do_not_pay_and_a_loss_nobody_can_pay_lapses() -> None:
    table = placed(opened(rules_for(6, experts=1)), "0 boston 1+0", "3 detroit 1+0")
    assert table.reckon("boston", "prison", first_able)["losses"] == [{"seat": 0, "kind": "prison"}]
    assert table.reckon("detroit", "revolver", first_able)["losses"] == [{"seat": 3, "kind": "killed"}]
    assert table.reckon("detroit", "hospital", first_able)["losses"] == []
    table.close_hand()
    for present in (0, 0, 1):
        table.open_hand()
        assert table.present(0) == present
        table.close_hand()


def test_gangsters_left_count_who_can_play_next() -> None:
    for ruling, left in ((False, 6), (True, 8)):
        table = placed(opened(rules_for(2, tiebreak_counts_absent=ruling)), "0 boston 2+1")
        table.lose(0, "hospital")
        table.lose(0, "prison")
        table.close_hand()
        assert table.gangsters_left(0) == left
        table.open_hand()
        table.close_hand()
        assert table.gangsters_left(0) == (8 if ruling else 7)


# --- games worked out on paper ---


def test_a_duel() -> None:
    check(duel())


def test_a_duel_without_debts() -> None:
    record = duel(negative_money=False)
    assert refusal(record).hand == 2
    record["hands"][1]["money"], record["hands"][2]["money"] = [7, 0], [7, 2]
    record["final"]["money"] = [7, 2]
    check(record)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_money_decides(players: int) -> None:
    nothing = [0] * (players - 1)
    hands = [taken(1, players, 0, "2+1", [4, *nothing])]
    for number in (2, 3):
        later = idle(number, players, [4, *nothing])
        usual = [(number - 1 + step) % players for step in range(players)]
        last = [*[seat for seat in usual if seat != 0], 0]  # it has spent an occasional
        later["turns"][2 * players :] = [turn(f"{seat} - town:4") for seat in last]
        hands.append(later)
    check(game(town_rules(players), hands, "money", [4, *nothing], [1] + [2] * (players - 1)))


def test_last_hand_decides() -> None:
    hands = [taken(1, 3, 0, "1+0", [4, 0, 0]), idle(2, 3, [4, 0, 0]), taken(3, 3, 1, "1+0", [4, 4, 0])]
    check(game(town_rules(3), hands, "last_hand", [4, 4, 0], [2, 1, 3]))


def test_gangsters_decide() -> None:
    first = taken(1, 3, 0, "1+1", [4, 0, 0])
    won = ["town 4 1 4", "chicago - - 0"]
    second = town(2, 3, {(1, 1): "town/1+0"}, won, [4, 4, 0], [2, 1, 0])
    last = town(3, 3, {}, ["town 4 - 0", "chicago - - 0"], [4, 4, 0], [2, 1, 0])
    check(game(town_rules(3), [first, second, last], "gangsters", [4, 4, 0], [2, 1, 3]))


def test_the_absent_count_by_the_ruling() -> None:
    hands = [taken(1, 3, 0, "1+0", [4, 0, 0]), taken(2, 3, 1, "1+0", [4, 4, 0])]
    ill_results = ["town hospital 0 0 0:hospital", "chicago - - 0"]
    ill = town(3, 3, {(1, 0): "town/1+0"}, ill_results, [4, 4, 0], [2, 1, 0])
    hands = [showing(each, "hospital", 2) for each in hands] + [ill]
    rules = town_rules(3, "hospital", max_extra_hands=0)
    check(game(rules, hands, "gangsters", [4, 4, 0], [2, 1, 3]))
    check(game(rules | {"tiebreak_counts_absent": True}, hands, "shared", [4, 4, 0], [1, 1, 3]))


def showing(one: Json, face: str, seat: int) -> Json:
    """The same hand of `town`, the seat having a special card and showing it in its first turn."""
    one = copy.deepcopy(one)
    one["dealt"][seat][0] = f"town:{face}"
    next(each for each in one["turns"] if each["seat"] == seat)["reveal"] = f"town:{face}"
    return one


def overtime() -> Json:
    """0 and 1 level; 2 wins the first extra hand without contending, 0 the second."""
    hands = [taken(1, 3, 0, "1+0", [4, 0, 0]), taken(2, 3, 1, "1+0", [4, 4, 0]), idle(3, 3, [4, 4, 0])]
    fourth = extra(taken(4, 3, 2, "1+0", [4, 4, 4]))
    places = {(1, 1): "town/1+0", (1, 0): "town/2+0", (2, 0): "chicago/1+0"}
    fifth = extra(town(5, 3, places, ["town 4 0 4", "chicago - 0 2"], [10, 4, 4], [2, 1, 0]))
    return game(town_rules(3), [*hands, fourth, fifth], "extra_hand", [4, 4, 0], [1, 2, 3])


def test_extra_hands_decide_among_the_level_sides() -> None:
    check(overtime())


def test_who_falls_behind_first_stands_last() -> None:
    calm = [showing(idle(number, 3, [0, 0, 0]), "-4", 2) for number in (1, 2, 3)]
    debt = ["town -4 0 -4", "chicago - - 0"]
    fourth = extra(town(4, 3, {(1, 0): "town/1+0"}, debt, [-4, 0, 0], [1, 2, 0]))
    fifth = extra(showing(taken(5, 3, 2, "1+0", [-4, 0, 4]), "-4", 2))
    check(game(town_rules(3, "-4"), [*calm, fourth, fifth], "extra_hand", [0, 0, 0], [3, 2, 1]))


def test_who_does_not_contend_keeps_a_shared_place() -> None:
    hands = [taken(1, 4, 0, "1+0", [4, 0, 0, 0]), taken(2, 4, 1, "1+0", [4, 4, 0, 0])]
    hands += [idle(3, 4, [4, 4, 0, 0]), extra(taken(4, 4, 2, "1+0", [4, 4, 4, 0]))]
    check(game(town_rules(4, max_extra_hands=1), hands, "shared", [4, 4, 0, 0], [1, 1, 3, 3]))


@pytest.mark.parametrize("allowed", [0, 1])
def test_the_win_is_shared_when_extra_hands_run_out(allowed: int) -> None:
    record = overtime()
    record["rules"]["max_extra_hands"] = allowed
    assert refusal(record).hand == 4 + allowed
    record["hands"] = record["hands"][: 3 + allowed]
    record["final"] |= {"ranks": [1, 1, 3], "winners": [0, 1], "hands": 3 + allowed, "decided_by": "shared"}
    record["rated_ranks"] = [1, 1, 3]
    check(record)


def teams_in_town(payer: int) -> Json:
    """Six players: side 0 wins a prison card together, later its seat 3 uses every expert."""
    places = {(1, 0): "town/1+0", (1, 3): "town/2+0"}
    results = [f"town prison 0 0 {payer}:prison", "chicago - - 0"]
    first = town(1, 6, places, results, [0, 0, 0], [1, 2, 4, 5, 0, 3])
    second = taken(2, 6, 3, "3+0", [4, 0, 0])
    second["turns"][12:] = [turn(f"{seat} - town:4") for seat in (1, 2, 4, 5, 0, 3)]
    last = idle(3, 6, [4, 0, 0])
    last["turns"][12:] = [turn(f"{seat} - town:4") for seat in (2, 3, 4, 5, 1, 0)]
    hands = [first, showing(second, "prison", 5), showing(last, "prison", 5)]
    return game(town_rules(6, "prison"), hands, "money", [4, 0, 0], [1, 2, 2])


def test_partners_choose_who_pays() -> None:
    check(teams_in_town(0))
    # had seat 3 paid, it could not place three experts in the next hand
    refused = refusal(teams_in_town(3))
    assert (refused.hand, refused.turn, refused.seat) == (2, 1, 3)
    refused = refusal(teams_in_town(4))
    assert (refused.hand, refused.turn, refused.seat) == (1, 0, 4)


def test_banishment_lasts_for_the_whole_game() -> None:
    rules = town_rules(2, "banished")
    out = town(1, 2, {(1, 1): "town/1+0"}, ["town banished 1 0", "chicago - - 0"], [0, 0], [0, 1])
    calm = showing(idle(2, 2, [0, 0]), "banished", 0)
    other = showing(taken(3, 2, 0, "1+0", [4, 0]), "banished", 0)
    check(game(rules, [out, calm, other], "money", [4, 0], [1, 2]))
    again = showing(taken(3, 2, 1, "1+0", [0, 4]), "banished", 0)
    refused = refusal(game(rules, [out, calm, again], "money", [0, 4], [2, 1]))
    assert (refused.hand, refused.turn, refused.seat) == (3, 1, 1)


# --- random games ---


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_random_games_are_accepted_whatever_the_rulings(players: int) -> None:
    changes = [{}, *({name: value} for name, values in FLIPS.items() for value in values)]
    changes.append({name: values[0] for name, values in FLIPS.items()})
    for number, change in enumerate(changes):
        rng = random.Random(f"{players} {number}")
        for rules in (rules_for(players, **change), designed_rules(rng, players, **change)):
            for boldness in (0.2, 0.7):
                check(json.loads(json.dumps(play_random(rules, rng, boldness))))


@pytest.mark.parametrize(
    ("players", "numbers"),
    [(2, "4567"), (2, "1457"), (3, "13567"), (4, "1234567"), (5, "1245678"), (5, "123568"), (2, "356")],
)
def test_other_sets_are_accepted(players: int, numbers: str) -> None:
    for record in many(rules_for(players, numbers), range(5)):
        check(record)


def test_every_way_to_decide_comes_up() -> None:
    records = [*many(rules_for(2), range(40), 0.05), *many(rules_for(4), range(2), 0.0)]
    for record in records:
        check(record)
    found = {record["final"]["decided_by"] for record in records}
    assert found == {"money", "last_hand", "gangsters", "extra_hand", "shared"}


@pytest.mark.parametrize(
    ("name", "made", "judged"),
    [
        ("last_turn_order", "side", "seat"),
        ("last_turn_order", "seat", "side"),
        ("chicago_after", "side", "seat"),
        ("shootout_per", "seat", "side"),
        ("shootout_per", "side", "seat"),
        ("talk", "open", "none"),
        ("negative_money", True, False),
        ("negative_money", False, True),
        ("chicago_theft", -2, 0),
        ("chicago_theft", 0, -2),
        ("chicago_shootout", 4, 0),
        ("chicago_shootout", 0, 4),
        ("max_extra_hands", 3, 0),
        ("max_extra_hands", 0, 3),
    ],
)
def test_each_ruling_is_applied(name: str, made: Any, judged: Any) -> None:
    idle_games = name == "max_extra_hands"
    faces = {
        "boston": ["0", "1", "theft", "theft", "shootout", "shootout", "4", "-3", "3"],
        "detroit": ["0", "4", "theft", "theft", "shootout", "shootout", "2", "-3", "3"],
        "memphis": ["0", "2", "hospital", "theft", "shootout", "shootout", "4", "3", "1"],
    }
    rules = rules_for(6) | {"cities": list(faces), "card_faces": faces, name: made}
    records = many(rules, range(8), 0.0 if idle_games else 0.7)
    for record in records:
        check(record)
        record["rules"][name] = judged
    accepted = []
    for record in records:
        try:
            check(record)
        except Refused:
            continue
        accepted.append(record)
    assert len(accepted) < len(records)


# --- tampering ---

Tamper = Callable[[Json], None]
TAMPERED: dict[str, tuple[Tamper, tuple[int | None, int | None, int | None]]] = {}


def tampering(*spot: int | None) -> Callable[[Tamper], Tamper]:
    """Register a way to spoil the duel, and the hand, turn and seat where the referee has to find it."""

    def register(spoil: Tamper) -> Tamper:
        hand, turn, seat = (*spot, None, None)[:3]
        TAMPERED[spoil.__name__] = (spoil, (hand, turn, seat))
        return spoil

    return register


@tampering(1, 0)
def another_winner(record: Json) -> None:
    record["hands"][0]["results"][0]["winner"] = 1


@tampering(3, 0)
def a_winner_on_an_empty_city(record: Json) -> None:
    record["hands"][2]["results"][2]["winner"] = 0


@tampering(1, 0)
def one_more_bag(record: Json) -> None:
    record["hands"][0]["results"][0]["money"] += 1


@tampering(2, 0)
def chicago_rounded_up(record: Json) -> None:
    record["hands"][1]["results"][2]["money"] = 2


@tampering(1, 0)
def another_hidden_card_reckoned(record: Json) -> None:
    record["hands"][0]["results"][0]["card"] = "3"


@tampering(1, None, 1)
def a_card_dealt_twice(record: Json) -> None:
    record["hands"][0]["dealt"][1][0] = "alpha:1"


@tampering(1, None, 0)
def a_hidden_card_dealt(record: Json) -> None:
    record["hands"][0]["hidden"]["alpha"] = "1"


@tampering(2, None, 0)
def a_hand_too_small(record: Json) -> None:
    record["hands"][1]["dealt"][0].pop()


@tampering(2)
def an_unknown_hidden_card(record: Json) -> None:
    record["hands"][1]["hidden"]["alpha"] = "9"


@tampering(2, 1, 1)
def an_absent_expert_placed(record: Json) -> None:
    record["hands"][1]["turns"][0]["place"]["experts"] = 3


@tampering(2, 1, 0)
def a_spent_occasional_placed(record: Json) -> None:
    record["hands"][1]["turns"][1]["place"]["occasionals"] = 1


@tampering(1, 1, 1)
def an_occasional_without_expert(record: Json) -> None:
    record["hands"][0]["turns"][1]["place"] = {"city": "beta", "experts": 0, "occasionals": 1}


@tampering(1, 1, 1)
def chicago_first(record: Json) -> None:
    record["hands"][0]["turns"][1]["place"]["city"] = "chicago"


@tampering(3, 2, 0)
def no_majority(record: Json) -> None:
    record["hands"][2]["turns"][2]["place"]["experts"] = 1


@tampering(1, 1, 0)
def nobody_placed(record: Json) -> None:
    record["hands"][0]["turns"][0]["place"] |= {"experts": 0, "occasionals": 0}


@tampering(1, 1, 0)
def fewer_than_nobody_placed(record: Json) -> None:
    record["hands"][0]["turns"][0]["place"] |= {"experts": 3, "occasionals": -1}


@tampering(1, 1, 0)
def a_city_that_is_not_there(record: Json) -> None:
    record["hands"][0]["turns"][0]["place"]["city"] = "boston"


@tampering(1, 1, 0)
def half_an_expert(record: Json) -> None:
    record["hands"][0]["turns"][0]["place"]["experts"] = 2.0


@tampering(1, 1, 1)
def true_experts(record: Json) -> None:
    record["hands"][0]["turns"][1]["place"]["experts"] = True


@tampering(1, 3, 0)
def usual_order_in_the_last_turn(record: Json) -> None:
    turns = record["hands"][0]["turns"]
    turns[4], turns[5] = turns[5], turns[4]


@tampering(2, 1, 0)
def marker_holder_second(record: Json) -> None:
    turns = record["hands"][1]["turns"]
    turns[0], turns[1] = turns[1], turns[0]


@tampering(2)
def a_turn_too_few(record: Json) -> None:
    record["hands"][1]["turns"].pop()


@tampering(1, 2, 0)
def another_seat_s_card(record: Json) -> None:
    record["hands"][0]["turns"][2]["reveal"] = "alpha:3"


@tampering(1, 3, 0)
def a_card_revealed_twice(record: Json) -> None:
    record["hands"][0]["turns"][5]["reveal"] = "alpha:1"


@tampering(1, 2, 1)
def a_signal_without_teams(record: Json) -> None:
    record["hands"][0]["turns"][3]["signal"] = 7


@tampering(1, 0, 1)
def a_loss_left_out(record: Json) -> None:
    record["hands"][0]["results"][2]["losses"] = []


@tampering(1, 0, 0)
def a_loss_too_many(record: Json) -> None:
    record["hands"][0]["results"][0]["losses"] = [{"seat": 0, "kind": "killed"}]


@tampering(3, 0, 1)
def the_wrong_payer(record: Json) -> None:
    record["hands"][2]["results"][1]["losses"][0]["seat"] = 1


@tampering(1, 0)
def the_wrong_kind_of_loss(record: Json) -> None:
    record["hands"][0]["results"][2]["losses"][0]["kind"] = "prison"


@tampering(2, 0)
def running_money(record: Json) -> None:
    record["hands"][1]["money"][0] += 1


@tampering(1)
def the_wrong_marker(record: Json) -> None:
    record["hands"][0]["start"] = 1


@tampering(2)
def chicago_left_behind(record: Json) -> None:
    record["hands"][1]["row"] = ["alpha", "chicago", "beta"]


@tampering(2)
def another_police_card(record: Json) -> None:
    record["hands"][1]["police"] = "silver"


@tampering(4)
def no_police_stop(record: Json) -> None:
    record["hands"].append(copy.deepcopy(record["hands"][1]))


@tampering(3)
def an_early_end(record: Json) -> None:
    record["hands"].pop()


@tampering(3)
def a_regular_hand_called_extra(record: Json) -> None:
    record["hands"][2]["extra"] = True


@tampering(3)
def a_regular_hand_called_not_extra(record: Json) -> None:
    record["hands"][2]["extra"] = False


@tampering(1, 2, 0)
def an_unknown_key_in_a_turn(record: Json) -> None:
    record["hands"][0]["turns"][2]["note"] = "?"


@tampering(2)
def a_key_missing_in_a_hand(record: Json) -> None:
    del record["hands"][1]["money"]


@tampering(1, 1)
def a_fault_of_seat_2(record: Json) -> None:
    record["faults"] = [{"hand": 1, "turn": 1, "seat": 2, "kind": "slow", "message": ""}]


@tampering(None, None, 1)
def a_forfeit_twice(record: Json) -> None:
    record["forfeits"] = [1, 1]


def plain(name: str, spoil: Tamper) -> None:
    """Register a spoiling found outside the hands."""
    TAMPERED[name] = (spoil, (None, None, None))


plain("another format", lambda record: record.update(format="the-boss-game/2"))
plain("unknown key", lambda record: record.update(seed=1))
plain("missing key", lambda record: record.pop("rated"))
plain("rated 1", lambda record: record.update(rated=1))
plain("game true", lambda record: record.update(game=True))
plain("a bot too few", lambda record: record["bots"].pop())
plain("wrong ranks", lambda record: record["final"].update(ranks=[2, 1]))
plain("float ranks", lambda record: record["final"].update(ranks=[1.0, 2]))
plain("wrong winners", lambda record: record["final"].update(winners=[1]))
plain("wrong final money", lambda record: record["final"].update(money=[7, 0]))
plain("wrong number of hands", lambda record: record["final"].update(hands=4))
plain("wrong key decides", lambda record: record["final"].update(decided_by="last_hand"))
plain("wrong rated ranks", lambda record: record.update(rated_ranks=[1, 1]))
plain("unrated forfeit", lambda record: record.update(forfeits=[0]))
plain("police not of the deck", lambda record: record.update(police=["gold", "gold", "both"]))
plain("police too few", lambda record: record["police"].pop())
plain("deck without an end", lambda record: record["rules"].update(police_deck=["gold", "gold", "silver"]))
plain("a card too many", lambda record: record["rules"]["card_faces"]["alpha"].append("1"))
plain("an unknown face", lambda record: record["rules"]["card_faces"]["alpha"].__setitem__(0, "01"))
plain("cards of no city", lambda record: record["rules"]["card_faces"].update(gamma=["1"]))
plain("teams for two", lambda record: record["rules"].update(teams=[[0], [1]]))
plain("an unknown ruling", lambda record: record["rules"].update(talk="loud"))
plain("a ruling as number", lambda record: record["rules"].update(negative_money=1))
plain("hands of two", lambda record: record["rules"].update(hand_size=2))


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_refused_where_it_happened(name: str) -> None:
    spoil, spot = TAMPERED[name]
    record = duel()
    spoil(record)
    refused = refusal(record)
    assert (refused.hand, refused.turn, refused.seat) == spot, str(refused)
    named = zip(("hand", "turn", "seat"), spot, strict=True)
    assert all(f"{word} {value}" in str(refused) for word, value in named if value is not None)


@pytest.mark.parametrize("signal", [0, 256, -1, True, "7", 1.0])
def test_signals_that_are_no_signals(signal: Any) -> None:
    record = teams_in_town(0)
    record["hands"][1]["turns"][2]["signal"] = 255
    check(record)
    record["hands"][1]["turns"][2]["signal"] = signal
    refused = refusal(record)
    assert (refused.hand, refused.turn, refused.seat) == (2, 1, 3)


def test_six_without_teams_are_refused() -> None:
    record = teams_in_town(0)
    record["rules"]["teams"] = None
    assert "teams" in str(refusal(record))


def test_official_cities_stand_by_number() -> None:
    record = play_random(rules_for(2, "132"), random.Random(1))
    assert "number" in str(refusal(record))


@pytest.mark.parametrize("junk", [None, [], "game", 7, {}, {"format": 1}])
def test_junk_is_refused(junk: Any) -> None:
    refusal(junk)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(way for key, item in inside for way in leaves(item, (*path, key)))]


def test_any_value_of_another_type_is_refused() -> None:
    """The referee never trips over what it reads, whatever stands there."""
    original = teams_in_town(0)
    junks: list[Any] = [{}, [], "?", None, True, 0.5]
    for path in leaves(original)[1:]:
        for junk in junks:
            record = copy.deepcopy(original)
            inner: Any = record
            for key in path[:-1]:
                inner = inner[key]
            legal = path[-1] == "place" and junk is None
            if type(inner[path[-1]]) is not type(junk) and not legal:
                inner[path[-1]] = junk
                refusal(record)


# --- ratings and files ---


@pytest.mark.parametrize(
    ("ranks", "forfeited", "rated"),
    [
        ([1, 2, 3, 4], set(), [1, 2, 3, 4]),
        ([1, 2, 3, 4], {0, 2}, [3, 1, 3, 2]),
        ([1, 1, 3], {2}, [1, 1, 3]),
        ([2, 1, 2], {1}, [1, 3, 1]),
        ([1, 2], {0, 1}, [1, 1]),
    ],
)
def test_forfeits_share_the_place_behind(ranks: list[int], forfeited: set[int], rated: list[int]) -> None:
    assert rated_ranks(ranks, forfeited) == rated


def test_a_forfeit_moves_the_whole_side() -> None:
    record = teams_in_town(0)
    record["forfeits"] = [3]
    record["faults"] = [{"hand": 1, "turn": 0, "seat": 3, "kind": "slow", "message": "took too long"}]
    assert refusal(record).message.startswith("rated_ranks")
    record["rated_ranks"] = [3, 1, 1]
    record["rated"] = False
    check(record)


def test_files(tmp_path: Any) -> None:
    records = [duel() | {"game": 0}, overtime() | {"game": 1, "deal": 1}]
    text = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "games.jsonl").write_text(text)
    (tmp_path / "games.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    assert check_file(tmp_path / "games.jsonl") == 2
    assert check_file(str(tmp_path / "games.jsonl.gz")) == 2
    records[1]["hands"][4]["money"][0] += 1
    (tmp_path / "bad.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    with pytest.raises(Refused, match="line 2") as caught:
        check_file(tmp_path / "bad.jsonl")
    assert (caught.value.hand, caught.value.turn, caught.value.seat) == (5, 0, None)


def test_broken_files(tmp_path: Any) -> None:
    line = json.dumps(duel())
    (tmp_path / "torn.jsonl").write_text(f"{line}\n{line[:-9]}")
    (tmp_path / "blank.jsonl").write_text(f"{line}\n\n{line}\n")
    (tmp_path / "twice.jsonl").write_text(line[:-1] + ', "rated": true}\n')
    (tmp_path / "torn.jsonl.gz").write_bytes(gzip.compress(line.encode())[:-12])
    (tmp_path / "plain.jsonl.gz").write_text(line)
    for path in tmp_path.iterdir():
        with pytest.raises(Refused, match="not a game"):
            check_file(path)
    with pytest.raises(ValueError, match="neither"):
        check_file(tmp_path / "games.json")


def test_games_of_one_deal_share_their_cards(tmp_path: Any) -> None:
    path = tmp_path / "games.jsonl"
    first, second = many(rules_for(3), range(2))
    path.write_text(f"{json.dumps(first)}\n{json.dumps(first)}\n")
    assert check_file(path) == 2
    path.write_text(f"{json.dumps(first)}\n{json.dumps(second | {'deal': 1})}\n")
    assert check_file(path) == 2
    path.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")
    with pytest.raises(Refused, match="other cards"):
        check_file(path)
