"""A quick form of `benchmarks/schedules.py`: bots of known strength, found with fewer games where results decide."""

import numpy as np
from studies import study

schedules = study("schedules")


def test_a_submitted_bot_is_known_after_fewer_games_than_in_a_gauntlet() -> None:
    """Far from the middle of the field, where it matters whom it meets."""
    games = {
        kind: [schedules.games_submitted(212.5, 4, kind, seed) for seed in range(4)]
        for kind in ("gauntlet", "adaptive")
    }
    assert np.mean(games["adaptive"]) < 0.95 * np.mean(games["gauntlet"])


def test_adaptive_ladders_find_the_best_three_with_three_fifths_of_the_games() -> None:
    found = {
        kind: [schedules.top_three("even, 50 Elo apart", {4: 100}, kind, seed) for seed in range(10)]
        for kind in ("round_robin", "adaptive")
    }
    assert [games for _, _, games in found["adaptive"]] == [240] * 10
    right = {kind: sum(right for right, _, _ in ladders) for kind, ladders in found.items()}
    assert right["adaptive"] >= right["round_robin"] - 2
