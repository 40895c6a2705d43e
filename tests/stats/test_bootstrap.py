"""Draws spread as the errors say, and places follow from the draws."""

from dataclasses import replace

import numpy as np
import pytest
from stats.samples import joined, rotated, table

from harness.stats.bootstrap import draws, rank, refits
from harness.stats.ratings import fit
from harness.stats.uncertainty import BUNDLES

SPREAD = np.linspace(-0.6, 0.6, 6)


def test_draws_spread_as_the_covariance_says() -> None:
    ratings = fit(rotated(np.random.default_rng(1), 300, SPREAD, 4, fresh=0.7), 6, anchor=0)
    moved = draws(ratings)
    assert moved.mean(axis=0) == pytest.approx(0.0, abs=1.0)
    assert np.cov(moved.T) == pytest.approx(ratings.covariance, abs=0.12 * ratings.covariance.max())
    assert np.quantile(np.abs(moved), 0.95, axis=0) == pytest.approx(1.96 * ratings.se, rel=0.08)


def test_bundles_of_blocks_spread_as_blocks_do() -> None:
    ratings = fit(rotated(np.random.default_rng(2), 3 * BUNDLES, SPREAD, 3, fresh=0.7), 6, anchor=0)
    assert len(ratings.influence) == BUNDLES
    assert ratings.influence.sum(axis=0) == pytest.approx(0.0, abs=0.05)  # the score at the top is the prior's pull
    by_bundles = BUNDLES / (BUNDLES - 1) * ratings.influence.T @ ratings.influence
    assert by_bundles == pytest.approx(ratings.covariance, abs=0.08 * ratings.covariance.max())


def test_one_step_and_full_refit_agree() -> None:
    # 49 blocks are drawn and fitted again; the one step there spreads within a tenth of it
    ratings = fit(rotated(np.random.default_rng(3), 49, SPREAD, 4, fresh=0.7), 6, anchor=0)
    again = refits(ratings)
    assert again.mean(axis=0) == pytest.approx(0.0, abs=1e-9)
    one_step = np.sqrt(49 / 48 * (ratings.influence**2).sum(axis=0))
    assert again.std(axis=0) == pytest.approx(one_step, rel=0.2)
    assert np.sqrt(np.mean(again.var(axis=0) / one_step**2)) == pytest.approx(1.0, abs=0.1)


def test_few_blocks_have_the_tails_of_t() -> None:
    ratings = fit(rotated(np.random.default_rng(4), 9, SPREAD, 4, fresh=0.7), 6, anchor=0)
    half = (ratings.hi - ratings.lo) / 2
    outside = np.mean(np.abs(draws(ratings)) > half, axis=0)
    assert (outside > 0.02).all()
    assert (outside < 0.13).all()  # fits again spread a little wider than one step; normal tails would give 0.01


def test_places_of_bots_far_apart_are_certain() -> None:
    ratings = fit(rotated(np.random.default_rng(5), 600, 4 * SPREAD, 4), 6, anchor=0)
    ranks = rank(ratings)
    assert ranks.lo.tolist() == ranks.hi.tolist() == [6, 5, 4, 3, 2, 1]
    assert ranks.best.tolist() == [0, 0, 0, 0, 0, 1]
    assert ranks.top_three.tolist() == [0, 0, 0, 1, 1, 1]
    assert ranks.contender.tolist() == [False] * 5 + [True]


def test_equals_may_all_be_the_best() -> None:
    ranks = rank(fit(rotated(np.random.default_rng(6), 100, np.zeros(5), 4), 5, anchor=0))
    assert ranks.contender.all()
    assert ranks.best.sum() == pytest.approx(1.0)
    assert ranks.top_three.sum() == pytest.approx(3.0)
    assert (ranks.hi - ranks.lo >= 2).all()


def test_contenders_hold_the_best_in_19_of_20_ladders() -> None:
    rng = np.random.default_rng(7)
    theta = np.array([0.2, 0.15, 0.1, 0.0, -0.2, -0.5])
    held, sizes = [], []
    for _ in range(35):
        contender = rank(fit(rotated(rng, 120, theta, 4, fresh=0.7), 6, anchor=0)).contender
        held.append(contender[0])
        sizes.append(contender.sum())
    assert np.mean(held) >= 0.9
    assert np.mean(sizes) < 5


def test_the_order_of_games_and_the_names_of_bots_say_nothing() -> None:
    games = joined(
        rotated(np.random.default_rng(8), 80, SPREAD, 3, fresh=0.7),
        rotated(np.random.default_rng(9), 80, SPREAD, 5, coarse=0.7, first_block=500),
    )
    new_name = np.random.default_rng(0).permutation(6).astype(np.int16)
    shuffled = games.where(np.random.default_rng(1).permutation(len(games)))
    renamed = replace(shuffled, bots=np.where(shuffled.bots >= 0, new_name[shuffled.bots], -1).astype(np.int16))
    one, two = rank(fit(games, 6, anchor=3)), rank(fit(renamed, 6, anchor=int(new_name[3])))
    for name in ("lo", "hi", "contender", "best", "top_three"):
        assert getattr(one, name).tolist() == getattr(two, name)[new_name].tolist(), name


@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_hardly_any_blocks(blocks: int) -> None:
    ratings = fit(rotated(np.random.default_rng(10), blocks, np.zeros(4), 4), 5, anchor=0)
    ranks = rank(ratings)
    assert np.isfinite(draws(ratings)).all()
    if blocks:
        assert (ranks.lo[:4] == 1).all()
        assert (ranks.hi[:4] == 4).all()
        assert (ranks.lo[4], ranks.hi[4], ranks.best[4]) == (5, 5, 0)
    else:
        assert ranks.lo.tolist() == [1] * 5
        assert ranks.hi.tolist() == [5] * 5


def test_a_perfect_record_is_likely_but_not_surely_the_best() -> None:
    rows = [((0, 1), (1, 2)), ((1, 0), (1, 2)), ((2, 0), (1, 2)), ((2, 1), (1, 2))]
    ratings = fit(table(rows), 3, anchor=0)
    ranks = rank(ratings)
    assert ranks.best[:2].max() < ranks.best[2] < 1.0
    assert (ranks.lo[2], ranks.hi[2]) == (1, 3)
