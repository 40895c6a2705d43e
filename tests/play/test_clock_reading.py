"""What the clock makes of what it reads, on a machine that a test plays: no process and no waiting."""

from types import SimpleNamespace

import pytest

from harness.play import clock
from harness.play.clock import CPU, GRACE_S, IDLE, PATIENCE, Clock, full_banks
from harness.play.limits import Limits

PID = 7
TURN_S = 0.1


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What a machine's clocks show of one process, in seconds, and what that process does."""
    shown = SimpleNamespace(cpu=3.0, wall=50.0, state="S")
    monkeypatch.setattr(clock, "cpu_of", lambda _: shown.cpu)
    monkeypatch.setattr(clock, "state_of", lambda _: shown.state)
    monkeypatch.setattr(clock.time, "monotonic", lambda: shown.wall)
    return shown


def started(bank_s: float = 0.0, rows: int = 1, began: float = 3.0) -> Clock:
    limits = Limits(turn_ms=round(1000 * TURN_S), bank_ms=round(1000 * bank_s))
    return Clock(PID, limits, full_banks(limits, rows), began=began)


def idle_until_late(machine: SimpleNamespace, watch: Clock, step: float) -> float:
    """Return how long a process must idle until it is late, looked at every `step` seconds."""
    begin = machine.wall
    while not watch.late(0):
        machine.wall += step
        assert machine.wall - begin < 1000
    return float(machine.wall - begin)


def test_idling_is_late_at_its_time(machine: SimpleNamespace) -> None:
    watch = started(bank_s=0.5)
    assert idle_until_late(machine, watch, 0.01) == pytest.approx(TURN_S + PATIENCE * 0.5 + GRACE_S, abs=0.1)


def test_waiting_for_a_core_is_never_late(machine: SimpleNamespace) -> None:
    machine.state = "R"
    watch = started()
    for _ in range(10_000):
        machine.wall += 0.01
        assert not watch.late(0)


def test_a_time_in_which_nobody_looked_is_not_idle(machine: SimpleNamespace) -> None:
    """A machine that stood still for a minute, with all that runs on it."""
    watch = started()
    assert not watch.late(0)
    machine.wall += 60
    assert not watch.late(0)
    assert idle_until_late(machine, watch, 0.01) == pytest.approx(TURN_S + GRACE_S, abs=0.3)


@pytest.mark.parametrize(("used", "is_late"), [(0.95, False), (1.06, False), (1.2, True), (1.5, True)])
def test_a_host_may_charge_a_few_milliseconds_of_its_own(machine: SimpleNamespace, used: float, is_late: bool) -> None:
    watch = started()
    machine.cpu += used * TURN_S
    machine.wall += used * TURN_S
    assert bool(watch.late(0)) == is_late


def test_what_is_used_beyond_a_decision_comes_from_the_bank(machine: SimpleNamespace) -> None:
    watch = started(bank_s=0.5)
    for used in (0.05, 0.4):
        machine.cpu += used
        assert not watch.late(0)
    watch.stop()
    assert watch.banks[0, CPU] == pytest.approx(0.5 - (0.45 - TURN_S))
    machine.cpu += 0.2
    assert watch.late(0) == "it used up its time: 100 ms of CPU time for a decision, and a bank of 500 ms a game"


def test_who_idles_at_each_decision_empties_the_other_bank(machine: SimpleNamespace) -> None:
    """Half a second a decision, of which it has a fifth: a game of forty decisions cannot be slept through."""
    banks, limits, decisions = full_banks(Limits(bank_ms=1000), 1), Limits(turn_ms=round(1000 * TURN_S)), 0
    late = None
    while not late and decisions < 40:
        watch = Clock(PID, limits, banks, began=machine.cpu)
        for _ in range(50):
            machine.wall += 0.01
            late = late or watch.late(0)
        watch.stop()
        decisions += 1
    assert decisions == pytest.approx((PATIENCE * 1.0 + GRACE_S) / (0.5 - TURN_S), abs=2)
    assert banks[0, CPU] == 1.0
    assert banks[0, IDLE] == pytest.approx(0, abs=0.5)


def test_rows_of_one_question_idle_each_for_itself(machine: SimpleNamespace) -> None:
    watch = started(rows=30)
    for row in range(30):
        for _ in range(8):
            machine.wall += 0.01
            assert not watch.late(row)
    assert (watch.banks[:, IDLE] > GRACE_S - 0.05).all(), "a look now and then takes a moment for the next row's"


def test_what_was_computed_since_the_last_answer_counts(machine: SimpleNamespace) -> None:
    """A process that wakes up while it should rest gains nothing."""
    machine.cpu = 10.0
    assert started(began=10.0).late(0) is None
    assert "used up its time" in str(started(began=9.5).late(0))
