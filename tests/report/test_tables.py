"""The tables of the bots on ladders small enough to reckon by hand."""

import numpy as np
import pytest
from report.samples import FOUR, SIX, TWO, frames, game, games_frame, manifest_of, whole_block

from harness.ladder.games import results_of
from harness.report import fault_tables, tables
from harness.report.frames import frames_of, win_shares


def test_ids_of_blocks_differ_between_table_kinds():
    ladder = frames("ab", [TWO, FOUR], [game(TWO, 0, (0, 1), (1, 2)), game(FOUR, 0, (0, 1, 0, 1), (1, 2, 3, 4))])
    assert ladder.games["unit"].nunique() == 2
    assert ladder.games["block"].nunique() == 1
    assert list(ladder.games["group"].astype(str)) == ["2 players", "4 players"]


def test_a_table_kind_the_manifest_does_not_know_is_refused():
    with pytest.raises(ValueError, match="does not know"):
        frames("ab", [FOUR], [game(TWO, 0, (0, 1), (1, 2))])


def test_a_shared_win_is_divided_between_sides():
    rows = [game(FOUR, 0, (0, 1, 2, 3), (1, 1, 3, 4)), game(SIX, 0, (0, 1, 2, 3, 4, 5), (1, 1, 3, 1, 1, 3))]
    ladder = frames("abcdef", [FOUR, SIX], rows)
    assert win_shares(ladder.games, "rank").tolist() == [[0.5, 0.5, 0, 0, 0, 0], [0.5, 0.5, 0, 0.5, 0.5, 0]]


def test_six_seats_are_three_sides_for_the_statistics():
    ladder = frames("abcdef", [SIX], [game(SIX, 0, (0, 1, 2, 3, 4, 5), (2, 1, 3, 2, 1, 3))])
    results = results_of(ladder.games)
    assert results.side.tolist() == [[0, 1, 2, 0, 1, 2]]
    assert results.players.tolist() == [6]


def test_share_of_wins_is_of_the_bots_own_seats():
    """Bot a wins 3 of its 4 duels, and its one seat at the table of four is last."""
    duels = [game(TWO, b, (0, 1), (1, 2) if b < 3 else (2, 1)) for b in range(4)]
    ladder = frames("abcd", [TWO, FOUR], [*duels, game(FOUR, 0, (3, 2, 1, 0), (1, 2, 3, 4))])
    sizes = tables.size_table(ladder, tables.rate(ladder)).set_index(["players", "bot"])
    assert sizes.loc[(2, "a"), "wins"] == 0.75
    assert sizes.loc[(2, "a"), ["games", "blocks"]].tolist() == [4, 4]
    assert 0 < sizes.loc[(2, "a"), "wins_lo"] < 0.75 < sizes.loc[(2, "a"), "wins_hi"] < 1
    assert sizes.loc[(4, "a"), "wins"] == 0
    assert (2, "c") not in sizes.index
    assert sizes.loc[(4, "a"), "even"] == 0.25


def test_the_ladder_is_in_order_with_the_anchor_at_its_number():
    rows = [row for b in range(60) for row in whole_block(TWO, b, (b % 2, 2), 2 if b % 5 else b % 2)]
    rows += [row for b in range(60, 90) for row in whole_block(TWO, b, (0, 1), b % 2)]
    ladder = frames(["anchor", "other", "best", "idle"], [TWO], rows)
    ratings = tables.rating_table(ladder, tables.rate(ladder))
    assert ratings["bot"].iloc[0] == "best"
    assert ratings["bot"].iloc[-1] == "idle"
    assert ratings["rank"].tolist() == [1, 2, 3, 4]
    assert ratings.set_index("bot").loc["anchor", "elo"] == pytest.approx(1000)
    assert ratings["flags"].iloc[-1] == "unplayed"
    best = ratings.iloc[0]
    assert best["lo"] < best["elo"] < best["hi"]
    assert best["half"] == pytest.approx((best["hi"] - best["lo"]) / 2)
    assert (best["games"], best["blocks"]) == (120, 60)
    assert best["wins_2p"] == pytest.approx(48 / 60)
    assert best["above_next"] > 0.99
    assert (best["rank_best"], best["rank_worst"]) == (1, 1)


def test_places_stay_open_where_bots_are_not_surely_apart():
    los = np.array([[0.5, 0.6, 0.99], [0.4, 0.5, 0.98], [0.01, 0.02, 0.5]])
    best, worst = tables.rank_ranges(los, np.array([True, True, True]))
    assert best.tolist() == [1, 1, 3]
    assert worst.tolist() == [2, 2, 3]


def test_pairs_count_games_of_both_in_both_directions():
    rows = [game(TWO, b, (0, 1), (1, 2) if b < 3 else (2, 1)) for b in range(4)] + [game(TWO, 9, (0, 1), (1, 1))]
    ladder = frames("abc", [TWO], rows)
    pairs = tables.pair_table(ladder, tables.rate(ladder)).set_index(["bot", "other"])
    assert pairs.loc[("a", "b"), "share"] == pytest.approx(3.5 / 5)
    assert pairs.loc[("b", "a"), "share"] == pytest.approx(1.5 / 5)
    assert pairs.loc[("a", "b"), ["count", "blocks"]].tolist() == [5, 5]
    assert pairs.loc[("a", "b"), "los"] + pairs.loc[("b", "a"), "los"] == pytest.approx(1)
    assert len(pairs) == 2


def test_a_forfeit_is_rated_last_and_left_out_of_balance():
    rows = [
        game(TWO, 0, (0, 1), (1, 2), rated=(2, 1), forfeits=1, faults=[(0, "exception")] * 3),
        game(TWO, 1, (1, 0), (1, 2), faults=[(1, "illegal turn")]),
        game(TWO, 2, (1, 0), (2, 1)),
    ]
    ladder = frames("ab", [TWO], rows)
    assert len(ladder.counted()) == 2
    counts = tables.count_table(ladder).iloc[0]
    assert counts[["games", "left_out", "counted", "blocks"]].tolist() == [3, 1, 2, 3]
    fits = tables.rate(ladder)
    assert tables.size_table(ladder, fits).set_index("bot").loc["a", "wins"] == pytest.approx(1 / 3)
    faults = fault_tables.fault_table(ladder).set_index("bot")
    assert faults.index[0] == "a"
    assert faults.loc["a", ["faults", "exception", "illegal", "faulty_games", "forfeits"]].tolist() == [4, 3, 1, 2, 1]
    assert faults.loc["a", "forfeit_share"] == pytest.approx(1 / 3)
    assert faults.loc["a", "example"] == "of seat 0"
    assert faults.loc["b", "faults"] == 0
    assert faults.loc["b", "forfeit_share_hi"] > 0


def test_the_lead_is_a_difference_with_its_own_interval():
    rows = [row for b in range(80) for row in whole_block(TWO, b, (0, 1), 0 if b % 4 else 1)]
    ladder = frames("ab", [TWO], rows)
    fits = tables.rate(ladder)
    gap, lo, hi, sure = tables.lead(fits.finish, 0, 1)
    assert gap == pytest.approx(400 * np.log10(3), rel=0.05)
    assert lo < gap < hi
    assert sure > 0.999


def test_frames_can_be_read_without_block_sums():
    manifest = manifest_of("ab", [TWO])
    assert len(frames_of(manifest, games_frame([game(TWO, 0, (0, 1), (1, 2))])).blocks) == 0
