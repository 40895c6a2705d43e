"""Nash averaging and alpha-rank against published figures, closed forms and other solvers."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize
from stats.gate_samples import philox

from harness.stats.nash import alpha_rank, alpha_sweep, nash_average, nash_spread

Floats = npt.NDArray[np.float64]

CIRCLE = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], np.float64)


def skewed(seed: int, bots: int) -> Floats:
    values = philox(21, seed).normal(size=(bots, bots))
    return np.asarray(values - values.T)


@pytest.mark.parametrize(
    ("table", "weights", "skill"),
    [
        ([[0, -1, -1], [1, 0, -1], [1, 1, 0]], [0, 0, 1], [-1, -1, 0]),
        (CIRCLE, [1 / 3, 1 / 3, 1 / 3], [0, 0, 0]),
        (
            [[0, 234, 34, -270], [-234, 0, -38, -464], [-34, 38, 0, -270], [270, 464, 270, 0]],
            [0, 0, 0, 1],
            [-270, -464, -270, 0],
        ),
        (np.zeros((4, 4)), [0.25] * 4, [0] * 4),
        ([[0]], [1], [0]),
    ],
)
def test_cases_of_open_spiel(table: list[list[float]], weights: list[float], skill: list[float]) -> None:
    found = nash_average(table)
    assert found.weights == pytest.approx(weights, abs=1e-9)
    assert found.skill == pytest.approx(skill, abs=1e-7)


def test_an_uneven_circle_in_closed_form() -> None:
    # rock beats scissors by 2, scissors beat paper by 5, paper beats rock by 3: each is played as the other two are far
    # apart from each other
    table = np.array([[0, -3, 2], [3, 0, -5], [-2, 5, 0]], np.float64)
    assert nash_average(table).weights == pytest.approx(np.array([5, 2, 3]) / 10, abs=1e-9)


@pytest.mark.parametrize("bots", [4, 9, 30])
def test_a_linear_program_finds_no_gain(bots: int) -> None:
    """No bot gains against it; and where the equilibrium is the only one, it is that of the linear program."""
    table = skewed(bots, bots)
    found = nash_average(table)
    assert found.weights.sum() == pytest.approx(1)
    assert (found.weights >= 0).all()
    assert found.skill.max() <= 1e-7
    # the least that some bot gains against the best weights is 0: max v with weights @ table >= v
    value = linprog(
        np.append(np.zeros(bots), -1),
        A_ub=np.column_stack([-table.T, np.ones(bots)]),
        b_ub=np.zeros(bots),
        A_eq=[np.append(np.ones(bots), 0)],
        b_eq=[1],
        bounds=[*[(0, None)] * bots, (None, None)],
    )
    assert value.x[-1] == pytest.approx(0, abs=1e-9)
    assert found.weights == pytest.approx(value.x[:-1], abs=1e-6)  # of random tables the equilibrium is unique


def test_of_many_equilibria_the_most_even_is_taken() -> None:
    """Two circles that are level with each other, one of them uneven; checked by a general optimiser."""
    table = np.zeros((6, 6))
    table[:3, :3] = CIRCLE
    table[3:, 3:] = [[0, -3, 2], [3, 0, -5], [-2, 5, 0]]
    found = nash_average(table)
    best = minimize(
        lambda p: float(p @ np.log(p)),
        np.full(6, 1 / 6),
        bounds=[(1e-9, 1)] * 6,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: -table @ p},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.weights == pytest.approx(best.x, abs=1e-5)


def test_five_clones_leave_the_order_alone() -> None:
    for seed in range(3):
        table = skewed(seed, 7)
        alone = nash_average(table)
        for cloned in range(7):
            pool = [*range(7), *[cloned] * 5]
            crowded = nash_average(table[np.ix_(pool, pool)])
            assert crowded.skill[:7] == pytest.approx(alone.skill, abs=1e-6)
            assert crowded.skill[7:] == pytest.approx(alone.skill[cloned], abs=1e-6)
            shared = crowded.weights[[cloned, *range(7, 12)]]
            assert shared == pytest.approx(alone.weights[cloned] / 6, abs=1e-6)


def test_clones_do_change_the_order_by_the_mean() -> None:
    table = np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], np.float64)
    pool = [0, 1, 2, 2, 2, 2, 2, 2]
    assert np.argsort(table.mean(axis=1)).tolist() == [2, 1, 0]
    assert np.argsort(table[np.ix_(pool, pool)].mean(axis=1)[:3]).tolist() == [1, 2, 0]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 8), st.floats(0.01, 100))
def test_names_and_units_do_not_matter(seed: int, bots: int, unit: float) -> None:
    table = skewed(seed, bots)
    order = philox(22, seed).permutation(bots)
    found, other = nash_average(table), nash_average(unit * table[np.ix_(order, order)])
    assert other.weights == pytest.approx(found.weights[order], abs=1e-6)
    assert other.skill == pytest.approx(unit * found.skill[order], abs=1e-5 * unit)
    assert found.skill.max() <= 1e-6


def test_chance_moves_the_average() -> None:
    table = np.array([[0.0, 1.0, 1.0], [-1.0, 0.0, 0.05], [-1.0, -0.05, 0.0]])
    values = philox(24).normal(0, 0.1, (200, 3, 3))
    spread = nash_spread(table, values - values.transpose(0, 2, 1))
    assert spread.played.tolist() == [1, 0, 0]  # the best is never in doubt
    drawn = table[1, 0] + (values[:, 1, 0] - values[:, 0, 1])
    assert (spread.skill_lo[1], spread.skill_hi[1]) == pytest.approx(
        tuple(np.quantile(drawn, (0.025, 0.975))), abs=1e-6
    )
    assert nash_spread(table, np.zeros((2, 3, 3))).skill_hi == pytest.approx(nash_average(table).skill)


def test_an_advantage_is_what_the_other_lacks() -> None:
    with pytest.raises(ValueError, match="antisymmetric"):
        nash_average([[0, 1], [1, 0]])


HAN = [[0.875, 0.75, 0, 2.75, 0.75], [1, 1, -1, -1, -1], [0, 2, 0, 0, 0], [-2, 2, 0, 0, 0], [1, 2, 0, 0, 0]]
"""A game with commitments (Han and others 2013)."""


def test_the_published_game() -> None:
    expected = [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.22060390]
    assert alpha_rank(HAN, 0.1, population=20) == pytest.approx(expected, abs=5e-9)


def test_a_circle_is_played_evenly() -> None:
    for intensity in (0.0, 0.1, 1.0, 100.0, 1e4):
        assert alpha_rank(CIRCLE, intensity) == pytest.approx([1 / 3] * 3)


def by_simulation_of_the_chain(payoffs: Floats, intensity: float, population: int) -> Floats:
    """Fixation by solving for the chance of absorption, the stationary shares by powers of the chain."""
    size = len(payoffs)
    chain = np.zeros((size, size))
    for resident in range(size):
        for mutant in range(size):
            if resident == mutant:
                continue
            steps = np.zeros((population - 1, population - 1))
            ends = np.zeros(population - 1)
            for count in range(1, population):
                gain = (
                    (count - 1) * payoffs[mutant, mutant]
                    + (population - count) * payoffs[mutant, resident]
                    - count * payoffs[resident, mutant]
                    - (population - count - 1) * payoffs[resident, resident]
                ) / (population - 1)
                up = 1 / (1 + np.exp(-intensity * gain))
                if count + 1 < population:
                    steps[count - 1, count] = up
                else:
                    ends[count - 1] = up
                if count > 1:
                    steps[count - 1, count - 2] = 1 - up
            chain[resident, mutant] = np.linalg.solve(np.eye(population - 1) - steps, ends)[0] / (size - 1)
    chain += np.diag(1 - chain.sum(axis=1))
    return np.asarray(np.linalg.matrix_power(chain, 2**30)[0])


def test_absorption_solved_directly_gives_the_same() -> None:
    payoffs = philox(23).normal(size=(4, 4))
    assert alpha_rank(payoffs, 0.7, population=8) == pytest.approx(
        by_simulation_of_the_chain(payoffs, 0.7, 8), abs=1e-8
    )


def test_strong_imitation_leaves_the_dominant_one() -> None:
    strengths = np.array([0.0, 1.0, 3.0])
    table = strengths[:, None] - strengths
    swept = alpha_sweep(table, [0.0, 0.01, 0.1, 1.0, 1e3, 1e6])
    assert swept[0] == pytest.approx([1 / 3] * 3)
    assert (np.diff(swept[:, 2]) >= -1e-12).all()
    assert swept[-1] == pytest.approx([0, 0, 1])
