"""The plain count of pairs beside the model."""

from collections import Counter

import numpy as np
import pytest
from stats.samples import joined, rotated, table

from harness.stats.balance import share
from harness.stats.pairs import pairwise


def test_counts_by_hand() -> None:
    games = table([((0, 1, 2), (1, 2, 2)), ((2, 1, 0), (1, 3, 2)), ((0, 1), (2, 1))], blocks=[5, 5, 9])
    pairs = pairwise(games, 3)
    assert pairs.wins.tolist() == [[0, 2, 1], [1, 0, 0.5], [1, 1.5, 0]]
    assert pairs.count.tolist() == [[0, 3, 2], [3, 0, 2], [2, 2, 0]]
    assert pairs.share.blocks.tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]
    assert pairs.share.value[0, 1] == pytest.approx(2 / 3)


def test_teams_and_copies_are_not_compared() -> None:
    team = table([((0, 1, 2, 3, 4, 0), (1, 2, 3, 1, 2, 3))], sides=[(0, 1, 2, 0, 1, 2)])
    alone = table([((0, 1, 0), (1, 2, 3))], blocks=[9])
    pairs = pairwise(joined(team, alone), 5)
    assert pairs.count[0].tolist() == [0, 2, 0, 0, 0]
    assert pairs.wins[0, 1] == pairs.wins[1, 0] == 1
    assert pairs.share.blocks[0, 1] == 1
    assert not pairwise(team, 5).count.any()


def test_errors_are_those_of_a_ratio_of_block_sums() -> None:
    """Of games weighed so that each of the 15 line-ups counts alike."""
    games = rotated(np.random.default_rng(1), 120, np.linspace(-0.5, 0.5, 6), 4, luck=1.0, coarse=0.7)
    pairs = pairwise(games, 6)
    line_ups = [frozenset(bots) for bots in games.bots[:, :4].tolist()]
    played = Counter(line_ups)
    assert len(played) == 15
    assert len(set(played.values())) > 5
    wins, count = np.zeros(120), np.zeros(120)
    for game in range(len(games)):
        seats = {bot: seat for seat, bot in enumerate(games.bots[game, :4])}
        if 1 in seats and 4 in seats:
            one, two = games.ranks[game, seats[1]], games.ranks[game, seats[4]]
            weight = len(games) / 15 / played[line_ups[game]]
            wins[games.block[game]] += weight * (1.0 if one < two else 0.5 * (one == two))
            count[games.block[game]] += weight
    expected = share(wins, count)
    for name in ("value", "se", "lo", "hi", "count", "blocks"):
        assert getattr(pairs.share, name)[1, 4] == pytest.approx(getattr(expected, name)), name
    assert pairs.share.value[4, 1] == pytest.approx(1 - expected.value)
    assert pairs.count[1, 4] == sum({1, 4} <= line_up for line_up in line_ups)


def test_pairs_that_never_met_claim_nothing() -> None:
    pairs = pairwise(table([((0, 1), (1, 2))]), 3)
    assert np.isnan(pairs.share.value[0, 2])
    assert (pairs.share.lo[0, 2], pairs.share.hi[0, 2]) == (0.0, 1.0)
