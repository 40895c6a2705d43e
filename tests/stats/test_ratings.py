"""Ratings: what must not change them, what they recover, and what they say when there is little to go by."""

import os
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr
from stats.samples import beats, joined, rotated, table

from harness.stats import maximum
from harness.stats.ratings import ELO, Ratings, fit, per_size
from harness.stats.results import Results
from harness.stats.uncertainty import difference_variance

SPREAD = np.linspace(-1.0, 1.0, 8)


def mixed(coarse: float = 0.0, blocks: int = 60) -> Results:
    rng = np.random.default_rng(21)
    return joined(
        *(
            rotated(rng, blocks, SPREAD, players, luck=0.7, coarse=coarse, first_block=1000 * players)
            for players in (2, 3, 4, 5, 6)
        )
    )


def assert_finite(ratings: Ratings) -> None:
    for part in (ratings, ratings.seat_effects, ratings.tie_effects):
        for field in fields(part):
            value = getattr(part, field.name)
            if isinstance(value, np.ndarray):
                assert np.isfinite(value).all(), field.name
    assert (ratings.se > 0).all()


def assert_same(one: Ratings, two: Ratings) -> None:
    for name in ("elo", "se", "lo", "hi", "wins", "games", "los", "covariance"):
        assert getattr(one, name) == pytest.approx(getattr(two, name), abs=1e-6), name
    assert one.seat_effects.elo == pytest.approx(two.seat_effects.elo, abs=1e-6)


# what must not change them


@pytest.mark.parametrize("coarse", [0.0, 0.8])
def test_the_order_of_games_and_the_numbers_of_blocks_and_sides_say_nothing(coarse: float) -> None:
    games = mixed(coarse)
    shuffled = games.where(np.random.default_rng(0).permutation(len(games)))
    relabelled = replace(
        shuffled,
        block=7 - 3 * shuffled.block,
        side=np.where(shuffled.side >= 0, 9 - shuffled.side, -1).astype(np.int8),
        ranks=np.where(shuffled.ranks >= 0, shuffled.ranks**2, -1).astype(np.int16),
    )
    assert_same(fit(games, 8, anchor=3), fit(relabelled, 8, anchor=3))


@pytest.mark.parametrize("coarse", [0.0, 0.8])
def test_names_say_nothing(coarse: float) -> None:
    games = mixed(coarse)
    new_name = np.random.default_rng(1).permutation(8).astype(np.int16)
    renamed = replace(games, bots=np.where(games.bots >= 0, new_name[games.bots], -1).astype(np.int16))
    one, two = fit(games, 8, anchor=3), fit(renamed, 8, anchor=int(new_name[3]))
    assert one.elo == pytest.approx(two.elo[new_name], abs=1e-6)
    assert one.se == pytest.approx(two.se[new_name], abs=1e-6)
    assert one.los == pytest.approx(two.los[np.ix_(new_name, new_name)], abs=1e-6)


def test_the_anchor_shifts_the_display_and_keeps_its_noise() -> None:
    games = mixed()
    one, two = fit(games, 8, anchor=0), fit(games, 8, anchor=5, anchor_elo=1500.0)
    assert one.elo[0] == 1000.0
    assert two.elo[5] == 1500.0
    assert np.ptp(one.elo - two.elo) < 1e-9
    assert one.se == pytest.approx(two.se)
    assert one.se[0] > 0


def test_a_game_told_four_times_in_its_block_is_no_news() -> None:
    games = mixed(blocks=80)
    fourfold = games.where(np.repeat(np.arange(len(games)), 4))
    apart = replace(fourfold, block=4 * fourfold.block + np.arange(len(fourfold)) % 4)
    once, again, pretended = (fit(table, 8, anchor=0, prior=1e-9).se for table in (games, fourfold, apart))
    assert again == pytest.approx(once, rel=0.01)
    assert pretended == pytest.approx(once / 2, rel=0.02)


# what they recover


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_known_strengths_are_recovered(players: int) -> None:
    games = rotated(np.random.default_rng(players), 1500, SPREAD, players)
    ratings = fit(games, 8, anchor=0)
    error = ratings.theta - SPREAD
    assert np.abs(error * ELO / ratings.se).max() < 3.5
    assert np.corrcoef(ratings.theta, SPREAD)[0, 1] > 0.995
    assert not (ratings.doubts.disconnected | ratings.doubts.inseparable | ratings.doubts.few_blocks).any()


def test_a_changed_partner_moves_the_team_by_the_partners_difference() -> None:
    theta = np.array([0.9, 0.0, 0.0, 0.0, 0.0, -0.9])
    ratings = fit(rotated(np.random.default_rng(8), 3000, theta, 6), 6, anchor=1)
    assert ratings.elo[0] - ratings.elo[5] == pytest.approx(1.8 * ELO, abs=15)
    assert ratings.elo[1:5] == pytest.approx(1000.0, abs=12)
    assert ratings.seat_effects.seat.tolist() == [0, 1, 2]


def test_a_planted_seat_advantage_is_found_and_kept_from_the_bots() -> None:
    seat = np.array([0.4, 0.0, -0.1, -0.3])
    ratings = fit(rotated(np.random.default_rng(9), 1500, SPREAD, 4, seat=seat), 8, anchor=0)
    effects = ratings.seat_effects
    assert effects.players.tolist() == [4, 4, 4, 4]
    assert effects.elo.sum() == pytest.approx(0.0, abs=1e-8)
    assert np.abs((effects.elo - ELO * seat) / effects.se).max() < 3.5
    assert not effects.inseparable.any()
    assert (effects.games == 6000).all()
    assert (effects.blocks == 1500).all()
    assert np.abs((ratings.theta - SPREAD) * ELO / ratings.se).max() < 3.5


def test_tie_frequency_of_equals() -> None:
    rng = np.random.default_rng(10)
    level = rng.random(4000) < 0.3
    first = np.where(level, 1, rng.integers(1, 3, 4000))
    second = np.where(level, 1, 3 - first)
    ratings = fit(table([((0, 1), pair) for pair in zip(first, second, strict=True)]), 2, anchor=0)
    tie = np.exp(ratings.tie_effects.log_worth[0])
    assert ratings.tie_effects.order.tolist() == [2]
    assert ratings.tie_effects.count[0] == level.sum()
    assert tie / (2 + tie) == pytest.approx(level.mean(), abs=1e-3)
    assert ratings.wins.sum() == pytest.approx(4000)


def test_missing_tie_orders_are_left_out() -> None:
    rows = [((0, 1, 2), (1, 1, 1)), ((0, 1, 2), (1, 2, 3)), ((2, 1, 0), (1, 2, 3)), ((1, 0, 2), (1, 2, 3))]
    ratings = fit(table(rows), 3, anchor=0)
    assert ratings.tie_effects.order.tolist() == [3]
    assert_finite(ratings)


def test_each_table_size_by_itself_finds_the_duel_specialist() -> None:
    duels, fours = np.zeros(6), np.zeros(6)
    duels[2] = 1.0
    rng = np.random.default_rng(12)
    games = joined(rotated(rng, 600, duels, 2), rotated(rng, 400, fours, 4, first_block=10_000))
    by_size = per_size(games, 6, anchor=0)
    assert list(by_size) == [2, 4]
    assert by_size[2].elo[2] - 1000 == pytest.approx(ELO, abs=40)
    assert by_size[4].elo[2] - 1000 == pytest.approx(0, abs=40)
    assert [ratings.game_count for ratings in by_size.values()] == [1200, 1600]


def test_an_anchor_without_games_of_a_size_is_told() -> None:
    rng = np.random.default_rng(13)
    games = joined(rotated(rng, 60, np.zeros(6), 2), rotated(rng, 60, np.zeros(5), 4, first_block=1000))
    by_size = per_size(games, 6, anchor=5)
    assert by_size[2].anchored
    assert not by_size[4].anchored
    assert by_size[4].elo[:5].mean() == pytest.approx(1000.0)


def test_win_rating_of_a_gambler_differs_from_its_finish_rating() -> None:
    # bot 0 is first or last, evenly; the others fill the middle
    rows = []
    for game in range(400):
        others = np.random.default_rng(game).permutation([1, 2, 3])
        ranks = {0: 1 if game % 2 else 4, **dict(zip(others, (2, 3, 4), strict=True))}
        if game % 2 == 0:
            ranks = {bot: rank - 1 if bot else 4 for bot, rank in ranks.items()}
        seats = np.roll(range(4), game // 2)
        rows.append((seats, [ranks[bot] for bot in seats]))
    finish = fit(table(rows), 4, anchor=1)
    win = fit(table(rows), 4, anchor=1, win_only=True)
    assert win.elo[0] - win.elo[1:].mean() == pytest.approx(ELO * np.log(3), abs=5)
    assert finish.elo[0] - finish.elo[1:].mean() < 60


# their uncertainty


def test_intervals_of_few_blocks_cover() -> None:
    rng = np.random.default_rng(32)
    covered = []
    for _ in range(60):
        ratings = fit(rotated(rng, 12, np.zeros(8), 4, luck=1.0), 8, anchor=0)
        assert ratings.doubts.few_blocks.all()
        covered.append(np.abs(ratings.theta * ELO) < (ratings.hi - ratings.lo) / 2)
    assert 0.88 < np.mean(covered) < 0.99


def test_two_bots_by_hand() -> None:
    # blocks of two games, won by bot 0: 50 times both, 30 times one, 20 times none
    wins = np.repeat([2, 1, 0], [50, 30, 20])
    rows = [((0, 1), (1, 2) if game < won else (2, 1)) for won in wins for game in range(2)]
    ratings = fit(table(rows, np.repeat(np.arange(100), 2)), 2, anchor=1, prior=1e-9, seat_terms=False)
    p = wins.sum() / 200
    sandwich = 100 / 99 * ((wins - 2 * p) ** 2).sum() / (200 * p * (1 - p)) ** 2
    own = 1 / (200 * p * (1 - p))
    assert ratings.elo[0] - 1000 == pytest.approx(ELO * np.log(p / (1 - p)), abs=1e-4)
    # the variance is that of the difference; each bot's is its distance from the middle
    variance = ELO**2 * (sandwich + own / 101)
    assert 4 * ratings.covariance[0, 0] == pytest.approx(variance, rel=1e-6)
    assert ratings.se == pytest.approx(np.sqrt(variance) / 2, rel=1e-6)
    assert ratings.hi - ratings.elo == pytest.approx(1.959964 * ratings.se, rel=1e-6)
    assert 1 - ratings.los[1, 0] == pytest.approx(ndtr(ELO * np.log(p / (1 - p)) / np.sqrt(variance)), rel=1e-6)


def test_a_few_blocks_that_agree_are_no_certainty() -> None:
    split = [((0, 1), (1, 2)), ((1, 0), (1, 2)), ((0, 1), (2, 1)), ((1, 0), (2, 1))]
    ratings = fit(table(split, [0, 0, 1, 1]), 2, anchor=0)
    assert ratings.elo == pytest.approx(1000.0)
    assert (ratings.hi - ratings.lo > 400).all()
    assert ratings.los[0, 1] == pytest.approx(0.5)


def test_rotating_a_deal_narrows_and_repeating_it_widens() -> None:
    rng = np.random.default_rng(33)
    rotation = rotated(rng, 1000, np.zeros(8), 4, luck=1.5)
    naive = replace(rotation, block=np.arange(len(rotation)))
    assert (fit(rotation, 8, 0).se < 0.9 * fit(naive, 8, 0).se).all()
    repeated = rotated(rng, 4000, np.zeros(8), 4).where(np.arange(16_000) % 4 == 0)
    clustered = replace(repeated.where(np.repeat(np.arange(4000), 2)), block=np.repeat(np.arange(4000), 2))
    naive = replace(clustered, block=np.arange(8000))
    assert (fit(clustered, 8, 0).se > 1.3 * fit(naive, 8, 0).se).all()


def test_the_design_effect_is_the_ratio_of_the_two_variances() -> None:
    ratings = fit(rotated(np.random.default_rng(34), 2000, np.zeros(6), 4, luck=1.5), 6, 0)
    assert ratings.design_effect == pytest.approx(ratings.design_effect.T)
    assert np.diag(ratings.design_effect) == pytest.approx(1.0)
    by_blocks = difference_variance(ratings.covariance / ELO**2)
    naive = difference_variance(ratings.model_covariance)
    assert ratings.design_effect[0, 1:] == pytest.approx(by_blocks[0, 1:] / naive[0, 1:], rel=0.01)
    assert (ratings.design_effect[0, 1:] < 0.75).all()


def test_superiority() -> None:
    ratings = fit(mixed(), 8, anchor=0)
    assert ratings.los + ratings.los.T == pytest.approx(np.ones((8, 8)))
    assert np.diag(ratings.los) == pytest.approx(0.5)
    assert ratings.los[7, 0] > 0.999
    spread = np.sqrt(ratings.covariance[7, 7] + ratings.covariance[6, 6] - 2 * ratings.covariance[7, 6])
    z = (ratings.elo[7] - ratings.elo[6]) / spread
    assert (ratings.los[7, 6] > 0.975) == (z > 1.96)


# little to go by


def test_no_games_at_all() -> None:
    nothing = rotated(np.random.default_rng(0), 0, np.zeros(4), 4)
    ratings = fit(nothing, 3, anchor=1)
    assert_finite(ratings)
    assert ratings.elo == pytest.approx(1000.0)
    assert ratings.doubts.unplayed.all()
    assert ratings.doubts.disconnected.all()
    assert not ratings.anchored
    assert (ratings.hi - ratings.lo > 2000).all()
    assert per_size(nothing, 3, anchor=1) == {}
    alone = fit(nothing, 1, anchor=0)
    assert (alone.elo[0], alone.se[0]) == (1000.0, 0.0)  # it is its own mean


def test_one_block() -> None:
    ratings = fit(rotated(np.random.default_rng(2), 1, np.zeros(4), 4), 4, anchor=0)
    assert_finite(ratings)
    assert ratings.doubts.few_blocks.all()
    assert ratings.block_count == 1
    assert (ratings.hi - ratings.lo > 1000).all()


@pytest.mark.parametrize("blocks", [1, 100])
def test_nothing_but_ties(blocks: int) -> None:
    ratings = fit(table([((0, 1, 2), (1, 1, 1))] * blocks), 3, anchor=0)
    assert_finite(ratings)
    assert ratings.elo == pytest.approx(1000.0)
    assert ratings.doubts.disconnected.all()
    assert ratings.wins == pytest.approx(blocks / 3)


def test_a_perfect_record_is_finite_flagged_and_uncertain() -> None:
    games = rotated(np.random.default_rng(3), 200, [0, 0, 0, 60.0], 2)
    ratings = fit(games, 4, anchor=0)
    assert_finite(ratings)
    assert ratings.doubts.disconnected.tolist() == [False, False, False, True]
    assert not ratings.doubts.few_blocks.any()
    assert ratings.elo[3] > 1400
    assert ratings.se[3] > 150
    assert (ratings.se[:3] < 60).all()
    assert ratings.los[3, 0] > 0.95


@pytest.mark.parametrize("win_only", [False, True])
def test_without_a_prior_a_perfect_record_runs_far_off_and_the_others_stay(win_only: bool) -> None:
    games = rotated(np.random.default_rng(3), 200, [0, 0.3, 0.6, 60.0], 2)
    ratings = fit(games, 4, anchor=0, prior=0.0, win_only=win_only)
    assert_finite(ratings)
    assert ratings.components == 2
    assert ratings.doubts.disconnected.tolist() == [False, False, False, True]
    assert ratings.elo[3] > 4000
    assert ratings.se[3] > 10_000
    among = games.where(~(games.bots == 3).any(axis=1))
    assert ratings.elo[:3] == pytest.approx(fit(among, 3, anchor=0, prior=0.0, seat_terms=False).elo, abs=15)
    assert ratings.bounds.side.tolist() == [0, 0, 0, 1]
    assert ratings.elo[:3].max() < ratings.bounds.elo[3] < ratings.elo[3]


def test_a_bot_without_games_leaves_the_others_alone() -> None:
    games = rotated(np.random.default_rng(4), 100, np.zeros(4), 4)
    with_it, without = fit(games, 5, anchor=0), fit(games, 4, anchor=0)
    assert_finite(with_it)
    assert with_it.doubts.unplayed.tolist() == [False] * 4 + [True]
    assert with_it.elo[:4] == pytest.approx(without.elo, abs=0.01)
    assert with_it.se[:4] == pytest.approx(without.se, abs=0.01)
    assert with_it.se[4] > 300
    assert with_it.theta[:4].mean() == pytest.approx(0.0, abs=1e-12)


def test_two_leagues_that_never_met() -> None:
    rng = np.random.default_rng(5)
    big, small = rotated(rng, 100, np.zeros(4), 4), rotated(rng, 100, np.zeros(3), 3, first_block=500)
    small = replace(small, bots=np.where(small.bots >= 0, small.bots + 4, -1).astype(np.int16))
    ratings = fit(joined(big, small), 7, anchor=0)
    assert_finite(ratings)
    assert ratings.doubts.disconnected.tolist() == [False] * 4 + [True] * 3
    assert ratings.doubts.inseparable.tolist() == [False] * 4 + [True] * 3
    assert (ratings.se[4:] > 150).all()
    assert (ratings.se[:4] < 60).all()


def test_without_a_prior_leagues_that_never_met_are_each_rated_as_if_alone() -> None:
    wins = np.random.default_rng(0).integers(1, 20, (2, 3, 3))
    both = np.zeros((7, 7), int)
    both[:3, :3], both[3:6, 3:6] = wins
    ratings = fit(beats(both), 7, None, 0.0, prior=0.0, seat_terms=False)
    assert_finite(ratings)
    for league, own in enumerate(wins):
        alone = fit(beats(own), 3, None, 0.0, prior=0.0, seat_terms=False)
        bots = slice(3 * league, 3 * league + 3)
        assert np.diff(ratings.theta[bots]) == pytest.approx(np.diff(alone.theta), abs=1e-8)
        assert ratings.fitted.maximum.params[bots].sum() == pytest.approx(0.0, abs=1e-9)


def test_partners_never_parted_cannot_be_told_apart() -> None:
    rng = np.random.default_rng(6)
    rows = [((0, 2, 4, 1, 3, 5), np.tile(rng.permutation(3) + 1, 2)) for _ in range(200)]
    ratings = fit(table(rows, sides=[(0, 1, 2, 0, 1, 2)] * 200), 6, anchor=0)
    assert_finite(ratings)
    assert ratings.doubts.inseparable.all()
    assert (ratings.se > 100).all()


def test_without_rotation_seats_and_bots_cannot_be_told_apart() -> None:
    rng = np.random.default_rng(7)
    fixed = table([((0, 1), rng.permutation(2) + 1) for _ in range(200)])
    ratings = fit(fixed, 2, anchor=0)
    assert ratings.doubts.inseparable.all()
    assert ratings.seat_effects.inseparable.all()
    without = fit(fixed, 2, anchor=0, seat_terms=False)
    assert not without.doubts.inseparable.any()
    assert len(without.seat_effects.seat) == 0


def test_self_play_tells_seats_and_no_strengths() -> None:
    games = rotated(np.random.default_rng(8), 400, np.zeros(4), 4, seat=[0.5, 0, 0, -0.5])
    alone = replace(games, bots=np.where(games.bots >= 0, 0, -1).astype(np.int16))
    ratings = fit(alone, 2, anchor=0)
    assert_finite(ratings)
    assert ratings.elo == pytest.approx(1000.0)
    assert ratings.doubts.disconnected.all()
    assert ratings.seats[0] == 4 * ratings.games[0]
    assert ratings.wins[0] == ratings.games[0]
    effects = ratings.seat_effects
    assert np.abs((effects.elo - ELO * np.array([0.5, 0, 0, -0.5])) / effects.se).max() < 3.5


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4)), min_size=2, max_size=6), min_size=1, max_size=12
    ),
    st.integers(1, 5),
    st.booleans(),
)
def test_any_few_games_give_finite_ratings(games, blocks: int, win_only: bool) -> None:
    rows = [([bot for bot, _ in seats], [rank for _, rank in seats]) for seats in games]
    ratings = fit(table(rows, [game % blocks for game in range(len(rows))]), 5, anchor=1, win_only=win_only)
    assert_finite(ratings)
    assert ratings.doubts.unplayed[4]
    assert ((ratings.los >= 0) & (ratings.los <= 1)).all()


# refusals and faults


@pytest.mark.parametrize(
    ("change", "why"),
    [({"anchor": 8}, "outside 0 to 7"), ({"bot_count": 7}, "outside 0 to 6"), ({"prior": -0.5}, "should be 0 or more")],
)
def test_bad_calls_are_refused(change: dict[str, float], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        fit(**{"results": mixed(blocks=8), "bot_count": 8, "anchor": 0, **change})


def test_failure_to_converge_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maximum, "_STEPS", 2)
    with pytest.raises(RuntimeError, match="did not converge in 2 Newton steps"):
        fit(mixed(), 8, anchor=0)


def test_the_long_way_and_the_short_way_end_at_the_same_place(monkeypatch: pytest.MonkeyPatch) -> None:
    games = rotated(np.random.default_rng(40), 300, SPREAD, 3, coarse=0.5)
    whole = fit(games, 8, anchor=0)
    monkeypatch.setattr(maximum, "_THINNING", 2)
    assert_same(fit(games, 8, anchor=0), whole)


def test_the_same_source_runs_uncompiled() -> None:
    script = (
        "import numpy as np\n"
        "from stats.samples import rotated\n"
        "from harness.stats.ratings import fit\n"
        "r = fit(rotated(np.random.default_rng(1), 12, np.zeros(5), 4, coarse=0.5), 5, 0)\n"
        "print(*r.elo, *r.se)"
    )
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(root / "tests"), str(root)])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    plain = subprocess.run(
        [sys.executable, "-c", script], env=environment, check=True, capture_output=True, text=True
    ).stdout
    ratings = fit(rotated(np.random.default_rng(1), 12, np.zeros(5), 4, coarse=0.5), 5, 0)
    assert [float(word) for word in plain.split()] == pytest.approx([*ratings.elo, *ratings.se], abs=1e-6)
