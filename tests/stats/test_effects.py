"""Effects of table sizes and of partners: found where they are, tested where they are not."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from stats.samples import joined, rotated, table

from harness.stats.effects import interactions
from harness.stats.ratings import ELO
from harness.stats.results import Results

SPREAD = np.linspace(-0.5, 0.5, 8)


def two_sizes(rng: np.random.Generator, blocks: int, duels: npt.ArrayLike, fours: npt.ArrayLike) -> Results:
    return joined(rotated(rng, blocks, duels, 2, fresh=0.7), rotated(rng, blocks, fours, 4, 0.0, 0.0, 0.0, 10_000, 0.7))


def teams(rng: np.random.Generator, blocks: int, synergy: npt.NDArray[np.float64]) -> Results:
    """Teams of two in rotated seats; partners bring `synergy` (N, N) on top of their sum, which is 0."""
    rows, ids = [], []
    for block in range(blocks):
        lineup = rng.permutation(len(synergy))[:6]
        cards = rng.normal(0, 0.5, 3)
        for shift in range(6):
            who = np.roll(lineup, shift)
            worth = [synergy[who[side], who[side + 3]] + cards[side] + rng.gumbel() for side in range(3)]
            place = np.argsort(np.argsort(-np.array(worth))) + 1
            rows.append((who, np.tile(place, 2)))
            ids.append(block)
    return table(rows, ids, [(0, 1, 2, 0, 1, 2)] * len(rows))


def shifted(games: Results) -> Results:
    """The same games in blocks of their own."""
    return Results(games.bots, games.ranks, games.side, games.players, games.block + 50_000)


def test_a_duel_specialist_is_found() -> None:
    duels = SPREAD.copy()
    duels[2] += 1.0
    found = interactions(two_sizes(np.random.default_rng(1), 400, duels, SPREAD), 8).tables
    assert found.of.tolist() == [[bot, players] for bot in range(8) for players in (2, 4)]
    assert found.test.tested
    assert found.test.df == 7
    assert found.test.p < 1e-4
    special = np.flatnonzero(found.p < 0.05)
    assert found.of[special].tolist() == [[2, 2], [2, 4]]
    # 1.0 more at one of two sizes is half of it up there and down here, less 1/8 for all bots, less the ridge's pull
    assert found.elo[special] == pytest.approx(np.array([1, -1]) * 0.5 * 7 / 8 * ELO, rel=0.25)
    assert found.blocks.min() > 50


def test_effects_of_a_bot_and_of_a_size_sum_to_nothing() -> None:
    found = interactions(two_sizes(np.random.default_rng(2), 60, SPREAD, -SPREAD), 8).tables
    for column in range(2):
        for value in set(found.of[:, column]):
            assert found.elo[found.of[:, column] == value].sum() == pytest.approx(0.0, abs=1e-9)


def test_the_test_errs_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    p = [interactions(two_sizes(rng, 100, SPREAD, SPREAD), 8).tables.test.p for _ in range(40)]
    assert np.mean(np.array(p) < 0.05) < 0.18
    assert 0.35 < np.mean(p) < 0.65


def test_two_friends_are_found() -> None:
    synergy = np.zeros((8, 8))
    synergy[1, 4] = synergy[4, 1] = 0.8
    found = interactions(teams(np.random.default_rng(4), 400, synergy), 8).synergies
    assert found.of.tolist() == [list(pair) for pair in combinations(range(8), 2)]
    assert found.test.df == 28 - 8
    assert found.test.p < 1e-4
    assert found.of[np.argmax(found.elo)].tolist() == [1, 4]
    assert found.p[np.argmax(found.elo)] < 0.001
    assert 50 < found.elo.max() < 0.8 * ELO


def test_no_friends_no_synergy() -> None:
    found = interactions(teams(np.random.default_rng(5), 250, np.zeros((8, 8))), 8)
    assert found.synergies.test.tested
    assert found.synergies.test.p > 0.01
    assert (found.synergies.p > 0.01).all()
    assert len(found.tables.of) == 0
    assert not found.tables.test.tested


def test_a_team_player_is_told_from_good_partners() -> None:
    """What a bot brings to every partner is its strength at six players, and no synergy; pairs are still tested."""
    synergy = np.zeros((8, 8))
    synergy[3], synergy[:, 3] = 1.0, 1.0
    rng = np.random.default_rng(9)
    found = interactions(joined(rotated(rng, 300, np.zeros(8), 2, fresh=0.7), shifted(teams(rng, 200, synergy))), 8)
    assert found.tables.test.tested
    assert found.tables.test.df == 7
    assert found.tables.test.p < 1e-4
    special = np.flatnonzero(found.tables.p < 0.01)
    assert found.tables.of[special].tolist() == [[3, 2], [3, 6]]
    assert found.tables.elo[special[1]] == pytest.approx(0.5 * 7 / 8 * ELO, rel=0.3)
    assert found.synergies.test.p > 0.01


def test_no_effects_with_teams_beside_duels_are_none() -> None:
    rng = np.random.default_rng(10)
    p = []
    for _ in range(20):
        both = joined(rotated(rng, 120, np.zeros(8), 2, fresh=0.7), shifted(teams(rng, 80, np.zeros((8, 8)))))
        p.append(interactions(both, 8).tables.test.p)
    assert 0.3 < np.mean(p) < 0.7
    assert np.mean(np.array(p) < 0.05) <= 0.2


def test_duels_beside_few_team_games_make_no_synergies() -> None:
    rng = np.random.default_rng(12)
    p = []
    for _ in range(12):
        games = joined(rotated(rng, 300, np.zeros(8), 2, fresh=0.7), shifted(teams(rng, 50, np.zeros((8, 8)))))
        found = interactions(games, 8).synergies.test
        assert found.df_error == 50 - found.df
        p.append(found.p)
    assert np.mean(p) > 0.25


def test_a_bot_of_one_table_size_leaves_the_others_testable() -> None:
    games = two_sizes(np.random.default_rng(11), 200, SPREAD, SPREAD)
    games = games.where(~((games.bots == 0).any(axis=1) & (games.players == 2)))
    found = interactions(games, 8).tables
    assert found.test.tested
    assert found.test.df == 6
    assert found.elo[found.of[:, 0] == 0] == pytest.approx(0.0, abs=1e-6)


def test_copies_as_partners_are_a_pair_too() -> None:
    rng = np.random.default_rng(6)
    rows = [(rng.integers(0, 3, 6), np.tile(rng.permutation(3) + 1, 2)) for _ in range(300)]
    found = interactions(table(rows, sides=[(0, 1, 2, 0, 1, 2)] * 300), 3).synergies
    assert [0, 0] in found.of.tolist()
    assert found.test.df == 6 - 3


@pytest.mark.parametrize("blocks", [0, 1, 3])
def test_hardly_any_blocks_are_not_tested(blocks: int) -> None:
    games = joined(
        two_sizes(np.random.default_rng(7), blocks, SPREAD, SPREAD),
        rotated(np.random.default_rng(8), blocks, SPREAD, 6, first_block=50_000),
    )
    found = interactions(games, 9)
    for effects in (found.tables, found.synergies):
        assert not effects.test.tested
        assert np.isfinite(effects.elo).all()
        assert np.isfinite(effects.se).all()
        assert ((effects.p >= 0) & (effects.p <= 1)).all()
