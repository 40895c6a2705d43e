"""The sequential test: its bounds, its lengths, and how it ends when played out."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from stats.gate_samples import FIRST, STEP, World, philox, play_out

from harness.stats.duels import normalized_ratio
from harness.stats.sequential import (
    NELO,
    Decision,
    Hypotheses,
    acceptance,
    confidence_half_width,
    expected_blocks,
    fixed_blocks,
    look,
)

FIVE = (-1.0, -0.5, 0.0, 0.5, 1.0)


def wide(elo1: float = 20.0, games: float = 4.0) -> Hypotheses:
    return Hypotheses(0.0, elo1, 0.05, 0.05, games)


def test_bounds_of_wald() -> None:
    assert wide().bounds == pytest.approx((-2.944, 2.944), abs=5e-4)
    lower, upper = Hypotheses(0, 5, 0.01, 0.1, 4).bounds
    assert (lower, upper) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_units() -> None:
    assert pytest.approx(347.4356, abs=5e-5) == NELO
    assert Hypotheses(0, 5, 0.05, 0.05, 4).effect(5) == pytest.approx(0.0288, abs=5e-5)
    assert wide().elo(wide().effect(7.3)) == pytest.approx(7.3)


@pytest.mark.parametrize(
    ("effect", "least", "most", "fixed"),
    [(0.1, 530, 867, 1082), (0.05, 2120, 3468, 4329), (0.02, 13_250, 21_674, 27_055)],
)
def test_lengths_that_the_brownian_formulae_give(effect: float, least: int, most: int, fixed: int) -> None:
    gate = wide(effect * NELO / 2)
    assert expected_blocks(gate, gate.elo0) == pytest.approx(least, abs=0.51)
    assert expected_blocks(gate, gate.elo1) == pytest.approx(least, abs=0.51)
    assert expected_blocks(gate, gate.elo1 / 2) == pytest.approx(most, abs=0.51)
    assert fixed_blocks(gate) == pytest.approx(fixed, abs=0.51)


def test_five_points_at_four_players() -> None:
    assert expected_blocks(Hypotheses(0, 5, 0.05, 0.05, 4), 5) == pytest.approx(6400, rel=0.01)


def test_errors_are_those_asked_for_and_half_way_is_even() -> None:
    gate = Hypotheses(-3.0, 4.0, 0.02, 0.1, 6)
    assert acceptance(gate, -3.0) == pytest.approx(0.02)
    assert acceptance(gate, 4.0) == pytest.approx(0.9)
    even = wide()
    assert acceptance(even, 10.0) == pytest.approx(0.5)
    assert expected_blocks(even, 10.0 + 1e-6) == pytest.approx(expected_blocks(even, 10.0))
    assert expected_blocks(even, 10.0) > expected_blocks(even, 9.0) > expected_blocks(even, 0.0)


def test_lengths_and_chances_solve_their_equations() -> None:
    """The chance u of a motion with drift m and variance v solves m u' + v u'' / 2 = 0, its mean time ... = -1."""
    gate = Hypotheses(0.0, 5.0, 0.05, 0.1, 3)
    lower, upper = gate.bounds
    variance = gate.effect(5.0) ** 2
    for elo in (-2.0, 1.0, 3.7, 9.0):
        pull = 2 * (elo - 2.5) / 5.0

        def scale(x: float, pull: float = pull) -> float:
            return math.exp(-pull * x)

        chance = quad(scale, lower, 0)[0] / quad(scale, lower, upper)[0]
        assert acceptance(gate, elo) == pytest.approx(chance, rel=1e-9)

        def green(x: float, pull: float = pull) -> float:
            before, after = quad(scale, lower, min(x, 0))[0], quad(scale, max(x, 0), upper)[0]
            whole = quad(scale, lower, upper)[0]
            return 2 * before * after / (whole * variance * scale(x))

        time = quad(green, lower, 0)[0] + quad(green, 0, upper)[0]
        assert expected_blocks(gate, elo) == pytest.approx(time, rel=1e-6)


def test_looks_at_steps_stop_later_as_a_random_walk_does() -> None:
    """Walks with normal steps, looked at after every 8 of them."""
    gate = wide()
    step, looks = gate.effect(20.0) * math.sqrt(8), 800
    drift = gate.effect(20.0) ** 2 * 8 / 2
    walk = (philox(6).normal(drift, step, (4000, looks))).cumsum(axis=1)
    lower, upper = gate.bounds
    over = (walk >= upper) | (walk <= lower)
    end = over.argmax(axis=1)
    assert over.any(axis=1).all()
    assert 8 * (end.mean() + 1) == pytest.approx(expected_blocks(gate, 20.0, 8), rel=0.03)
    assert expected_blocks(gate, 20.0, 8) > 1.05 * expected_blocks(gate, 20.0)
    accepted = (walk[np.arange(4000), end] > 0).mean()
    assert accepted == pytest.approx(acceptance(gate, 20.0, 8), abs=0.007)


def test_two_players_give_the_pentanomial_test() -> None:
    counts = [13, 37, 50, 25, 3]
    gate = Hypotheses(0.0, 4.0, 0.05, 0.05, 2)
    seen = look(np.linspace(-0.5, 0.5, 5), counts, gate)
    assert seen.llr == pytest.approx(-0.54912, abs=5e-6)
    assert seen.llr == pytest.approx(normalized_ratio(counts, 0, 4))
    assert seen.elo == pytest.approx(-63.97, abs=5e-3)
    assert seen.decision is Decision.OPEN


def test_no_win_in_sixty_blocks_is_finite() -> None:
    seen = look(FIVE, [60, 0, 0, 0, 0], wide(40.0))
    assert all(math.isfinite(value) for value in vars(seen).values() if not isinstance(value, Decision))
    assert seen.decision is Decision.REJECTED
    assert seen.hi < 0
    alike = look(FIVE, [0, 0, 60, 0, 0], wide(40.0))
    assert alike.lo < 0 < alike.hi
    assert look(FIVE, [0, 0, 0, 0, 60], wide(40.0)).decision is Decision.ACCEPTED


def test_the_same_bot_is_rejected_in_the_end() -> None:
    """Differences of exactly 0 fit H0 better than H1, block by block."""
    counts = np.zeros(5)
    ratios = []
    for blocks in (64, 400, 1000):
        counts[2] = blocks
        ratios.append(look(FIVE, counts, wide(40.0)).llr)
    assert ratios == sorted(ratios, reverse=True)
    assert look(FIVE, counts, wide(40.0)).decision is Decision.REJECTED


def test_a_new_look_at_the_other_side() -> None:
    one = look(FIVE, [3, 9, 30, 14, 6], Hypotheses(-5, 2, 0.05, 0.05, 4))
    other = look(FIVE, [6, 14, 30, 9, 3], Hypotheses(-2, 5, 0.05, 0.05, 4))
    assert (one.mean, one.lo, one.elo_hi) == pytest.approx((-other.mean, -other.hi, -other.elo_lo))
    assert one.llr == pytest.approx(-other.llr)


@pytest.mark.parametrize(
    "values", [(0, 0, 0.05, 0.05, 4), (5, 0, 0.05, 0.05, 4), (0, 5, 0.6, 0.05, 4), (0, 5, 0.05, 0, 4)]
)
def test_no_test_is_no_test(values: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="should lie"):
        Hypotheses(*values)


def test_a_look_needs_a_block_and_both_signs() -> None:
    with pytest.raises(ValueError, match="counts"):
        look(FIVE, [0, 0, 0, 0, 0], wide())
    with pytest.raises(ValueError, match="between the values"):
        look([0.0, 0.5], [1, 2], wide())


def test_the_confidence_sequence_holds_at_all_looks_together() -> None:
    rng = philox(3)
    values = rng.exponential(1.0, (400, 3000)) - 1.0  # skewed, mean 0
    blocks = np.arange(1, 3001)
    means = values.cumsum(axis=1) / blocks
    sd = np.sqrt((values**2).cumsum(axis=1) / blocks - means**2)
    width = np.array([confidence_half_width(int(count), 500) for count in blocks])
    missed = (np.abs(means) > width * sd)[:, FIRST:].any(axis=1).mean()
    fixed = (np.abs(means) > 1.96 * sd / np.sqrt(blocks))[:, FIRST:].any(axis=1).mean()
    assert missed <= 0.05
    assert fixed > 0.25  # an interval for one look, looked at all the time, is worth nothing
    assert confidence_half_width(500, 500) * math.sqrt(500) == pytest.approx(3.0, abs=0.1)


WORLD = World(players=4, luck=1.0)
GATES = 100


@pytest.mark.parametrize("true_elo", [0.0, 20.0])
def test_gates_looked_at_after_every_step(true_elo: float) -> None:
    """The long form, with narrower hypotheses, more gates and other tables, is `benchmarks/gates.py`."""
    gate = wide(20.0)
    edge = WORLD.edge_for(gate.effect(true_elo), philox(4), 150_000) if true_elo else 0.0
    ends = [play_out(WORLD, gate, edge, philox(5, number), 20_000)[-1] for number in range(GATES)]
    accepted = sum(end.decision is Decision.ACCEPTED for end in ends)
    assert all(end.decision is not Decision.OPEN for end in ends)
    if true_elo:
        assert accepted >= 0.95 * GATES - 2 * math.sqrt(0.95 * 0.05 * GATES)
    else:
        assert accepted <= 0.05 * GATES
    assert np.mean([end.blocks for end in ends]) == pytest.approx(expected_blocks(gate, true_elo, STEP), rel=0.15)
