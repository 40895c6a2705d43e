"""Circles among bots: split by hand, planted, and not seen where there are none."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import expit
from scipy.special import logit as log_odds
from stats.cycle_samples import circle, matched, played
from stats.gate_samples import philox
from stats.samples import beats, joined, table

from harness.stats.advantages import Advantages, advantages
from harness.stats.cycles import find_cycles, split
from harness.stats.lineups import line_ups
from harness.stats.nash import nash_average, nash_spread
from harness.stats.results import Results

Floats = npt.NDArray[np.float64]


@pytest.mark.parametrize(
    ("values", "index", "rating"),
    [
        ([[0, -1, -1], [1, 0, -1], [1, 1, 0]], 8 / 9, [-2 / 3, 0, 2 / 3]),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0.0, [0, 0, 0]),
        (
            [[0, 234, 34, -270], [-234, 0, -38, -464], [-34, 38, 0, -270], [270, 464, 270, 0]],
            0.968135,
            [-0.5, -184, -66.5, 251],
        ),
        ([[0, -100, -250], [100, 0, -150], [250, 150, 0]], 1.0, [-116.667, -16.667, 133.333]),
        (np.zeros((3, 3)), 1.0, [0, 0, 0]),
    ],
)
def test_split_by_hand(values: list[list[float]], index: float, rating: list[float]) -> None:
    found = split(np.asarray(values, np.float64))
    assert found.index == pytest.approx(index, abs=5e-7)
    assert found.rating == pytest.approx(rating, abs=5e-4)
    assert found.transitive + found.cyclic == pytest.approx(np.asarray(values, np.float64))
    assert found.cyclic.sum(axis=1) == pytest.approx(np.zeros(len(values)), abs=1e-9)


def test_split_of_a_table_with_gaps_is_least_squares() -> None:
    values = philox(41).normal(size=(6, 6))
    values -= values.T
    met = np.ones((6, 6), bool)
    for one, other in ((0, 3), (1, 2), (4, 5)):
        met[one, other] = met[other, one] = False
    found = split(values, met)
    rows, sides = [], []
    for one in range(6):
        for other in range(one):
            if met[one, other]:
                rows.append(np.eye(6)[one] - np.eye(6)[other])
                sides.append(values[one, other])
    expected = np.linalg.lstsq(np.array(rows), np.array(sides), rcond=None)[0]
    assert found.rating == pytest.approx(expected)
    assert found.transitive[0, 3] == found.cyclic[0, 3] == 0


def test_advantages_by_hand() -> None:
    seen = advantages(beats([[0, 7, 0], [2, 0, 0], [0, 0, 0]]), 3)
    assert seen.logit[0, 1] == pytest.approx(np.log(7.5 / 2.5))
    assert (seen.logit + seen.logit.T == 0).all()
    assert not seen.met[0, 2]
    assert seen.se[0, 2] == 0
    assert seen.los[0, 2] == 0.5
    binomial = 1 / 7.5 + 1 / 2.5  # blocks are games here: the error is that of independent games, and one more
    assert seen.se[0, 1] ** 2 == pytest.approx(binomial * (1 + 1 / 10), rel=0.12)


@pytest.mark.parametrize("games", [beats([[0, 9], [0, 0]]), table([((0, 1), (1, 2))] * 8, blocks=[3] * 8)])
def test_a_perfect_record_or_one_block_is_no_certainty(games) -> None:  # type: ignore[no-untyped-def]
    seen = advantages(games, 2)
    wins = seen.logit[0, 1]
    assert seen.se[0, 1] >= 1.4
    assert 0.9 < seen.los[0, 1] < 0.99
    assert wins > 2


def test_noise_is_that_of_blocks() -> None:
    """Against fresh draws of the same tournament; pairs that share their games hang together."""
    drawn = []
    for number in range(200):
        games = matched(philox(42, number), 120, np.linspace(-0.5, 0.5, 4), np.zeros((4, 4)), 4, luck=1.3)
        drawn.append(advantages(games, 4, 2).logit)
    truth = np.std(drawn, axis=0)
    seen = advantages(matched(philox(43), 120, np.linspace(-0.5, 0.5, 4), np.zeros((4, 4)), 4, luck=1.3), 4)
    off = ~np.eye(4, dtype=bool)
    assert seen.se[off] == pytest.approx(truth[off], rel=0.25)
    noise = seen.noise(4000)
    assert (noise + noise.transpose(0, 2, 1) == 0).all()
    assert noise.std(axis=0)[off] == pytest.approx(seen.se[off], rel=0.05)
    together = np.corrcoef(noise[:, 0, 3], noise[:, 1, 3])[0, 1]
    assert together == pytest.approx(np.corrcoef(np.array(drawn)[:, 0, 3], np.array(drawn)[:, 1, 3])[0, 1], abs=0.2)
    assert together > 0.1


def test_a_planted_triple_is_called_cyclic_by_name() -> None:
    games = matched(philox(44), 600, np.array([0.0, 0.2, 0.3, 0.1, 1.0, -1.0]), circle(6, 1.5, (1, 3, 2)), 3)
    found = find_cycles(advantages(games, 6), 300)
    assert found.is_cyclic
    assert found.p == pytest.approx(1 / 301)
    assert found.index_lo <= found.index <= found.index_hi < 1
    assert found.count >= 1
    assert found.worst[0].named(["ape", "bee", "cat", "dog", "eel", "fox"]) == "bee > dog > cat > bee"
    assert min(found.worst[0].links) > 0
    assert found.worst[0].los > 0.99
    assert found.cyclic_elo > 30


def test_three_bots_in_a_circle() -> None:
    found = find_cycles(advantages(matched(philox(45), 300, np.zeros(3), circle(3, 1.0), 2), 3), 300)
    assert found.is_cyclic
    assert found.index < 0.1
    assert [cycle.bots for cycle in found.worst] == [(0, 1, 2)]


@pytest.mark.parametrize("luck", [0.0, 2.0])
def test_a_transitive_pool_is_not_called_cyclic(luck: float) -> None:
    """Also where luck bends the log-odds so much that they are no differences of ratings any more."""
    calls = 0
    for number in range(10):
        games = matched(philox(46, number), 1000, np.linspace(-2, 2, 6), np.zeros((6, 6)), 3, luck)
        found = find_cycles(advantages(games, 6, 60), 200)
        calls += found.is_cyclic
        assert found.count == 0
        assert found.index > 0.98
    assert calls <= 2  # by chance 3 or more in one of 80 tries


def exact(logit: Floats) -> Advantages:
    """Log-odds known to 3 thousandths."""
    size = len(logit)
    own = np.where(np.eye(size, dtype=bool), 0.0, 3e-3)
    return Advantages(logit, ~np.eye(size, dtype=bool), np.zeros((0, size, size)), own, 1000)


@pytest.mark.parametrize("luck", [0.5, 1.3, 2.0, 4.0])
def test_luck_of_the_cards_makes_no_circles(luck: float) -> None:
    """Log-odds of bots that differ by strength and the luck of normal cards, integrated out by Gauss and Hermite."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    strength = np.linspace(-1, 1, 8) * np.sqrt(1 + luck**2 / 1.6)
    chance = expit(strength[:, None, None] - strength[:, None] + luck * np.sqrt(2) * nodes) @ weights / weights.sum()
    stretched = log_odds(chance)
    stretched = (stretched - stretched.T) / 2
    found = find_cycles(exact(stretched))
    assert found.split.index < 0.99998
    assert not found.is_cyclic
    assert found.bend > 0.1
    left = find_cycles(exact(stretched + circle(8, 0.05, (1, 2, 5))))
    assert left.is_cyclic


def test_two_bots_no_bots_and_strangers() -> None:
    two = find_cycles(advantages(beats([[0, 5], [3, 0]]), 2), 50)
    assert (two.p, two.count, two.pairs) == (1.0, 0, 1)
    strangers = find_cycles(advantages(beats([[0, 5, 0, 0], [3, 0, 0, 0], [0, 0, 0, 2], [0, 0, 4, 0]]), 4), 50)
    assert strangers.p == 1.0
    assert strangers.pairs == 2
    nobody = find_cycles(advantages(table([((0, 1), (1, 2))]).where(np.zeros(1, bool)), 2), 50)
    assert (nobody.index, nobody.p, nobody.pairs, nobody.blocks) == (1.0, 1.0, 0, 0)


def test_clones_that_played_leave_the_nash_order_alone() -> None:
    """Five more copies of one bot, met in play and not only in the table."""
    strength, suits = np.array([0.0, 0.3, -0.2, 1.0]), circle(4, 1.5)
    alone = advantages(matched(philox(47), 3000, strength, suits, 2), 4)
    pool = [0, 1, 2, 3, *[2] * 5]
    crowded = advantages(matched(philox(48), 12_000, strength[pool], suits[np.ix_(pool, pool)], 2), 9)
    one, other = nash_average(alone.logit), nash_average(crowded.logit)
    assert np.argsort(one.skill).tolist() == np.argsort(other.skill[:4]).tolist()
    assert other.skill[:4] == pytest.approx(one.skill, abs=0.15)


TWINS = (0, 1)
RIVAL, SPOILER, QUIET = 2, 3, 4


def in_uneven_company(rng: np.random.Generator) -> Results:
    """Threes of five bots: a spoiler, who harms the rival alone, sits three times as often with one twin and the rival
    as with the other; pairs meet equally often.
    """
    company = {SPOILER: (3, 1), QUIET: (1, 3)}
    lineups = [(twin, RIVAL, third) for third, times in company.items() for twin in TWINS for _ in range(times[twin])]
    lineups += [(twin, SPOILER, QUIET) for twin in TWINS for _ in range(2)]
    lineups += [(*TWINS, third) for third in (RIVAL, SPOILER, QUIET) for _ in range(2)]
    lineups += [(RIVAL, SPOILER, QUIET)] * 2
    suits = np.zeros((5, 5))
    suits[RIVAL, SPOILER] = -3.0
    return played(rng, np.tile(lineups, (150, 1)), np.zeros(5), suits)


def of_teams() -> Results:
    """Teams in which one twin has the partner who wins and the other the one who loses."""
    seats = (TWINS[0], TWINS[1], RIVAL, SPOILER, QUIET, RIVAL)
    return table([(seats, (1, 3, 2, 1, 3, 2))] * 600, range(10**6, 10**6 + 600), [(0, 1, 2, 0, 1, 2)] * 600)


def test_twins_have_one_skill_whoever_sits_with_them() -> None:
    alone = in_uneven_company(philox(49))
    one, other = (share_above_rival(alone, twin) for twin in TWINS)
    assert one[0] - other[0] > 8 * np.hypot(one[1], other[1])  # what a plain count would make of it
    seen = advantages(joined(alone, of_teams()), 5)
    assert abs(seen.logit[0, RIVAL] - seen.logit[1, RIVAL]) < 2 * np.hypot(seen.se[0, RIVAL], seen.se[1, RIVAL])
    skill, spread = nash_average(seen.logit).skill, nash_spread(seen.logit, seen.noise(40))
    assert max(spread.skill_lo[:2]) <= min(skill[:2])
    assert max(skill[:2]) <= min(spread.skill_hi[:2])
    assert seen.blocks == len(np.unique(alone.block))


def share_above_rival(games: Results, twin: int) -> tuple[float, float]:
    """Return the plain share of games in which a twin finished above the rival, and its error."""
    shared = games.where((games.bots == twin).any(axis=1) & (games.bots == RIVAL).any(axis=1))
    own, against = (np.where(shared.bots == bot, shared.ranks, 0).sum(axis=1) for bot in (twin, RIVAL))
    above = own < against
    return float(above.mean()), float(above.std() / np.sqrt(len(above)))


@pytest.mark.parametrize(
    ("times", "level"),
    [((4, 4, 4, 4), True), ((9, 3, 3, 3), True), ((90, 3, 3, 3), False), ((9, 9, 9, 0), False)],
)
def test_line_ups_are_evened_out_where_that_costs_at_most_half_of_the_games(
    times: tuple[int, ...], level: bool
) -> None:
    lineups = [who for who, often in zip(combinations(range(4), 3), times, strict=True) for _ in range(often)]
    found = line_ups(table([(who, (1, 2, 3)) for who in lineups]).finishes)
    assert (found.level, found.uneven) == (((3,), ()) if level else ((), (3,)))
    expected = np.repeat(len(lineups) / 4 / np.array(times), times) if level else np.ones(len(lineups))
    assert found.weight == pytest.approx(expected)
