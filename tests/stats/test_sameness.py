"""What a bot is called, which number a block has and in which row a game stands say nothing, whatever the games."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stats.samples import Row, beats, table

from harness.stats.bootstrap import Ranks, rank
from harness.stats.ratings import Ratings, fit
from harness.stats.results import Floats, Ints, Results
from harness.stats.sameness import kinds, order_of_bots

BOTS = 7

game = st.integers(2, 4).flatmap(
    lambda players: st.tuples(
        st.permutations(range(3)).map(lambda who: (*who, *who)[:players]),
        st.lists(st.integers(1, players), min_size=players, max_size=players),
    )
)


@st.composite
def leagues(draw: st.DrawFn) -> Results:
    """Two leagues of three bots and games of their own, often the very same ones, sometimes with games between them;
    the last bot never plays. Few blocks or, told many times, more than are fitted again.
    """
    one = draw(st.lists(game, min_size=1, max_size=6))
    two = one if draw(st.booleans()) else draw(st.lists(game, min_size=1, max_size=6))
    rows: list[Row] = [(who, ranks) for who, ranks in one] + [([bot + 3 for bot in who], ranks) for who, ranks in two]
    rows += [((0, 3), draw(st.sampled_from([(1, 2), (2, 1), (1, 1)]))) for _ in range(draw(st.integers(0, 2)))]
    rows *= draw(st.sampled_from([1, 2, 20]))
    blocks = draw(st.sampled_from([1, 2, 3]))
    return table(rows, [number // blocks for number in range(len(rows))])


def told_again(results: Results, new_name: Ints, rng: np.random.Generator) -> Results:
    """The same games of the same bots by other names, in another order, their blocks with other numbers."""
    shuffled = results.where(rng.permutation(len(results)))
    number = rng.permutation(int(shuffled.block.max()) + 1)
    bots = np.where(shuffled.bots >= 0, new_name[shuffled.bots], -1).astype(np.int16)
    return replace(shuffled, bots=bots, block=number[shuffled.block])


def shown(ratings: Ratings, ranks: Ranks) -> dict[str, Floats]:
    """All that is said of each bot (N,), ratings from the mean of all."""
    mean = ratings.elo.mean()
    return {
        **{name: getattr(ratings, name) - mean for name in ("elo", "lo", "hi")},
        **{name: getattr(ratings, name) for name in ("se", "games", "wins", "blocks")},
        **{name: getattr(ratings.doubts, name) for name in ("disconnected", "inseparable", "few_blocks")},
        "side": ratings.bounds.side,
        "bound": ratings.bounds.elo - mean,
        **{name: getattr(ranks, name) for name in ("best", "top_three", "contender")},
        "rank_lo": ranks.lo,
        "rank_hi": ranks.hi,
    }


@settings(max_examples=20, deadline=None)
@given(leagues(), st.permutations(range(BOTS)), st.integers(0, 2**32 - 1))
def test_names_numbers_and_rows_say_nothing(results: Results, names: list[int], seed: int) -> None:
    new_name = np.array(names)
    again = told_again(results, new_name, np.random.default_rng(seed))
    one, two = (fit(games, BOTS, None, seat_terms=False) for games in (results, again))
    before, after = shown(one, rank(one)), shown(two, rank(two))
    for name, values in before.items():
        assert after[name][new_name] == pytest.approx(values, abs=1e-6), name
    assert two.covariance[np.ix_(new_name, new_name)] == pytest.approx(one.covariance, rel=1e-8, abs=1e-6)


@pytest.mark.parametrize("anchor", [None, 0, 2])
def test_two_leagues_alike_come_out_alike(anchor: int | None) -> None:
    wins = np.zeros((4, 4), int)
    wins[0, 1], wins[1, 0], wins[2, 3], wins[3, 2] = 30, 20, 30, 20
    ratings = fit(beats(wins), 4, anchor, seat_terms=False)
    ranks = rank(ratings)
    assert ratings.elo[0] - ratings.elo[1] == pytest.approx(ratings.elo[2] - ratings.elo[3], abs=1e-6)
    if anchor is None:
        assert ratings.doubts.disconnected.all()
        assert ratings.se[:2] == pytest.approx(ratings.se[2:], abs=1e-6)
        assert (ratings.se > 150).all()
        assert ranks.best[:2].tolist() == ranks.best[2:].tolist()
        assert ranks.best.sum() == pytest.approx(1.0)
    else:
        assert np.flatnonzero(~ratings.doubts.disconnected).tolist() == [anchor, anchor + 1]
        assert (ratings.se < 60).tolist() == (~ratings.doubts.disconnected).tolist()


@pytest.mark.parametrize("bots", [2, 3, 5])
def test_equals_share_all_chances(bots: int) -> None:
    ratings = fit(beats(20 * (1 - np.eye(bots))), bots, None, seat_terms=False)
    ranks = rank(ratings)
    assert ranks.best == pytest.approx(1 / bots)
    assert ranks.top_three == pytest.approx(min(3 / bots, 1.0))
    assert len(set(ranks.lo)) == len(set(ranks.hi)) == 1


def test_bots_with_the_same_values_may_still_differ_by_their_links() -> None:
    links = np.array([[2.0, 1, 0, 0], [1, 2, 0, 0], [0, 0, 2, 1.5], [0, 0, 1.5, 2]])
    kind = kinds(np.zeros((4, 1)), links)
    assert kind[0] == kind[1] != kind[2] == kind[3]


@given(st.permutations(range(6)))
def test_the_order_of_bots_takes_a_ring_apart_the_same_way(names: list[int]) -> None:
    apart = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    ring = np.minimum(apart, 6 - apart).astype(float)
    named = ring[np.ix_(names, names)]
    order, other = order_of_bots(np.zeros(6, int), ring), order_of_bots(np.zeros(6, int), named)
    assert sorted(other) == list(range(6))
    assert named[np.ix_(other, other)].tolist() == ring[np.ix_(order, order)].tolist()
