"""The tables of balance on sums small enough to reckon by hand."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from report.samples import FOUR, SIX, TWO, frames, game, sums, whole_block

from harness.game.layout import CHICAGO
from harness.game.rules import changed, usual_rules
from harness.report import balance_tables as balance
from harness.report import length_tables as lengths
from harness.stats.balance import judge, share


def test_seats_win_what_their_sides_win():
    """Seat 0 wins one game alone and half of another; the forfeited game is not counted."""
    rows = [
        game(FOUR, 0, (0, 1, 2, 3), (1, 2, 3, 4)),
        game(FOUR, 1, (0, 1, 2, 3), (1, 1, 3, 4)),
        game(FOUR, 2, (0, 1, 2, 3), (4, 3, 2, 1)),
        game(FOUR, 3, (0, 1, 2, 3), (1, 2, 3, 4), forfeits=2),
    ]
    table = balance.seat_table(frames("abcd", [FOUR], rows), "group")
    assert table["share"].tolist() == pytest.approx([1.5 / 3, 0.5 / 3, 0, 1 / 3])
    assert table["seats"].tolist() == ["0", "1", "2", "3"]
    assert (table["games"] == 3).all()
    assert (table["blocks"] == 3).all()
    assert (table["target"] == 0.25).all()
    assert (table["verdict"] == "more").all()


def test_the_seats_of_a_team_share_a_row():
    rows = [game(SIX, block, range(6), (1, 2, 3, 1, 2, 3)) for block in range(3)]
    table = balance.seat_table(frames("abcdef", [SIX], rows), "group")
    assert table["seats"].tolist() == ["0+3", "1+4", "2+5"]
    assert table["share"].tolist() == [1, 0, 0]
    assert table["target"].tolist() == pytest.approx([1 / 3] * 3)


def test_seats_with_many_games_get_a_verdict():
    even = [row for b in range(6000) for row in (game(TWO, b, (0, 1), (1, 2)), game(TWO, b, (1, 0), (2, 1)))]
    table = balance.seat_table(frames("ab", [TWO], even), "table")
    assert table["verdict"].tolist() == ["pass", "pass"]
    uneven = [game(TWO, b, (0, 1), (1, 2) if b % 5 else (2, 1)) for b in range(400)]
    table = balance.seat_table(frames("ab", [TWO], uneven), "table")
    assert table["verdict"].tolist() == ["fail", "fail"]


def test_among_many_seats_one_far_off_by_chance_does_not_fail():
    """At 2.2 standard errors outside the margin one of a single pair fails, one of two hundred does not."""
    successes = np.r_[np.ones(565), np.zeros(435)]
    estimate = share(successes, np.ones(1000))
    assert judge(estimate, 0.49, 0.53, family=1) == "fail"
    assert judge(estimate, 0.49, 0.53, family=200) == "more"


def test_the_effect_of_seats_is_beside_their_share():
    from harness.report.tables import rate

    rows = [row for b in range(60) for row in whole_block(TWO, b, (0, 1), b % 2)]
    ladder = frames("ab", [TWO], rows)
    table = balance.seat_table(ladder, "group", rate(ladder).finish.seat_effects)
    assert table["elo"].to_list() == pytest.approx([0, 0], abs=1e-6)
    assert table["elo_verdict"].isin(["pass", "more"]).all()


def test_money_for_a_gangster_is_a_ratio_of_sums():
    rows = [
        sums(FOUR, 0, "city", 0, hands=4, captured=2, paid=3, spent_won=4, spent_lost=1, bidders=3, hospital=1),
        sums(FOUR, 1, "city", 0, hands=4, captured=4, paid=9, spent_won=4, spent_lost=3, bidders=6, hospital=1),
        sums(FOUR, 0, "city", CHICAGO, hands=4, captured=1, paid=1, spent_won=8),
        sums(FOUR, 1, "city", CHICAGO, hands=4, captured=1, paid=1, spent_won=8),
    ]
    table = balance.city_table(frames("abcd", [FOUR], [], rows), "table").set_index("city")
    new_york = table.loc["new_york"]
    assert new_york["capture"] == pytest.approx(6 / 8)
    assert new_york["reward"] == pytest.approx(12 / 6)
    assert new_york["winner_spent"] == pytest.approx(8 / 6)
    assert new_york["losers_spent"] == pytest.approx(4 / 6)
    assert new_york["lost_share"] == pytest.approx(4 / 12)
    assert new_york["price"] == pytest.approx(12 / 8)
    assert new_york["bidders"] == pytest.approx(9 / 6)
    assert new_york["hospital"] == pytest.approx(2 / 8)
    assert new_york[["hands", "captured", "blocks"]].tolist() == [8, 6, 2]
    assert table.loc["chicago", "price"] == pytest.approx(2 / 16)
    assert table["price_mean"].tolist() == pytest.approx([14 / 24] * 2)
    # the linearised ratio: residuals 3 - 1.5 * 4 and 9 - 1.5 * 4, so se = sqrt(2 * 18) / 8; t with 1 degree of freedom
    assert new_york["price_hi"] - new_york["price"] == pytest.approx(12.7062 * 0.75, rel=1e-4)
    assert list(table.index) == ["new_york", "chicago"]


def test_a_city_nobody_won_has_no_price():
    rows = [sums(FOUR, block, "city", 3, hands=4) for block in range(3)]
    table = balance.city_table(frames("abcd", [FOUR], [], rows), "group")
    assert table["capture"].tolist() == [0]
    assert np.isnan(table["price"].iloc[0])
    assert table["price_verdict"].tolist() == ["more"]


def test_a_city_surely_off_the_mean_price_fails():
    rows = []
    for block in range(60):
        for city, paid in ((0, 40 + block % 2), (1, 10 + block % 2), (2, 20 + block % 2)):
            rows.append(sums(FOUR, block, "city", city, hands=20, captured=20, paid=paid, spent_won=20))
    table = balance.city_table(frames("abcd", [FOUR], [], rows), "group")
    assert table["price_verdict"].tolist() == ["fail", "fail", "pass"]


def test_places_count_money_and_best_hands():
    rows = [
        sums(TWO, 0, "place", 0, hands=4, paid=8, best=150, spent=12),
        sums(TWO, 0, "place", 1, hands=4, paid=6, best=90, spent=8),
        sums(TWO, 1, "place", 0, hands=4, paid=4, best=90, spent=8),
        sums(TWO, 1, "place", 1, hands=4, paid=6, best=150, spent=12),
    ]
    table = balance.place_table(frames("ab", [TWO], [], rows), "group")
    assert table["money"].tolist() == [1.5, 1.5]
    assert table["best"].tolist() == [0.5, 0.5]
    assert table["spent"].tolist() == [2.5, 2.5]
    assert table["target"].tolist() == [0.5, 0.5]


def test_chicago_is_told_by_hand_and_extra_hands_apart():
    rows = [
        sums(TWO, block, "chicago", hand, hands=2, captured=1, paid=hand, spent_won=1)
        for block in range(2)
        for hand in (0, 2, 6)
    ]
    table = balance.chicago_table(frames("ab", [TWO], [], rows), "group")
    assert table["hand"].tolist() == [1, 3, 7]
    assert table["regular"].tolist() == [True, True, False]
    assert table["reward"].tolist() == [0, 2, 6]


def test_usual_kinds_of_a_size_are_pooled_and_others_stand_alone():
    other = changed(usual_rules(2), {"experts": 5})
    kinds = [TWO, usual_rules(2, "235"), other]
    rows = [sums(rules, 0, "city", 0, hands=1, captured=1, paid=1, spent_won=1) for rules in kinds]
    table = balance.city_table(frames("ab", kinds, [], rows), "group")
    assert table["group"].tolist() == ["2 players", "2 players", f"2 players, {other.name}"]
    assert table["city"].tolist() == ["new_york", "boston", "new_york"]


def test_cities_that_rank_alike_correlate():
    table = pd.DataFrame(
        {"group": ["x"] * 4 + ["y"] * 4, "city": list("abcd") * 2, "price": [1, 2, 3, 4, 10, 20, 30, 40]}
    )
    assert balance.size_correlation(table) == pytest.approx(1)
    assert np.isnan(balance.size_correlation(table[table["group"] == "x"]))
    assert np.isnan(balance.size_correlation(pd.DataFrame()))


def test_the_police_deck_gives_its_law():
    law = lengths.length_law(usual_rules(4).police_deck)
    assert {hands: Fraction(chance).limit_denominator(1000) for hands, chance in law.items()} == {
        3: Fraction(1, 5),
        4: Fraction(3, 5),
        5: Fraction(1, 5),
    }
    assert lengths.length_law(("both", "both", "both")) == {3: 1.0}


def test_length_is_one_observation_a_block_without_extra_hands():
    """Five blocks of 3, 4, 4, 4, 5 regular hands fit 1/5, 3/5, 1/5 exactly; one game of them had an extra hand."""
    rows = [
        row for block, hands in enumerate((3, 4, 4, 4, 5)) for row in whole_block(TWO, block, (0, 1), 0, hands=hands)
    ]
    rows[0] |= {"hands": 4, "extra": 1}
    table = lengths.length_table(frames("ab", [TWO], rows)).set_index("hands")
    assert table["blocks"].to_dict() == {3: 1, 4: 3, 5: 1}
    assert table["expected"].tolist() == pytest.approx([1, 3, 1])
    assert table["chi2"].iloc[0] == pytest.approx(0)
    assert table["p"].iloc[0] == pytest.approx(1)
    assert table["share"].tolist() == pytest.approx([0.2, 0.6, 0.2])


def test_length_test_against_a_sum_by_hand():
    """Ten blocks: 6, 2, 2 against 2, 6, 2: chi-square 16/2 + 16/6 = 10.667 with 2 degrees of freedom."""
    rows = [game(TWO, block, (0, 1), (1, 2), hands=3 if block < 6 else 4 if block < 8 else 5) for block in range(10)]
    table = lengths.length_table(frames("ab", [TWO], rows))
    assert table["chi2"].iloc[0] == pytest.approx(16 / 2 + 16 / 6)
    assert table["p"].iloc[0] == pytest.approx(np.exp(-(16 / 2 + 16 / 6) / 2))
    assert table["p_holm"].iloc[0] == table["p"].iloc[0]


def test_a_length_the_deck_cannot_give_is_shown_and_condemned():
    table = lengths.length_table(frames("ab", [TWO], [game(TWO, 0, (0, 1), (1, 2), hands=2)]))
    assert table["hands"].tolist() == [2, 3, 4, 5]
    assert table["p"].iloc[0] == 0


def test_games_of_one_deal_that_differ_in_length_are_an_error():
    rows = [game(TWO, 0, (0, 1), (1, 2), hands=3), game(TWO, 0, (1, 0), (1, 2), hands=4)]
    with pytest.raises(ValueError, match="block 0"):
        lengths.length_table(frames("ab", [TWO], rows))


def test_endings_are_shares_of_counted_games():
    rows = [
        game(TWO, 0, (0, 1), (1, 2)),
        game(TWO, 1, (0, 1), (1, 2), decided_by=3, extra=1, hands=5),
        game(TWO, 2, (0, 1), (1, 1), decided_by=4, extra=3, hands=7),
        game(TWO, 3, (0, 1), (1, 2), decided_by=2),
        game(TWO, 4, (0, 1), (1, 2), forfeits=1),
    ]
    table = lengths.ending_table(frames("ab", [TWO], rows)).set_index("decided_by")
    assert table["games"].to_dict() == {
        "money": 1, "last_hand": 0, "gangsters": 1, "extra_hand": 1, "shared": 1, "any_extra": 2
    }  # fmt: skip
    assert table.loc["any_extra", "share"] == 0.5
    assert (table["all_games"] == 4).all()
