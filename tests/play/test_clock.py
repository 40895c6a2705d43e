"""Who keeps to its time is never late, and who does not always is: the quick form of benchmarks/clock.py."""

from types import ModuleType

import pytest
from studies import study

from harness.play.probe import probe

TURN_MS = 60
"""A twentieth of it is several times what the harness itself takes of a decision, on a busy machine too."""

pytestmark = pytest.mark.skipif(probe().level != "jailed", reason=probe().reason or "jailed")


@pytest.fixture(scope="module")
def clock() -> ModuleType:
    return study("clock")


@pytest.mark.parametrize(("at_once", "decisions"), [(1, 20), (4, 60)])
def test_95_per_cent_of_its_time_are_never_too_much(clock: ModuleType, at_once: int, decisions: int) -> None:
    with clock.busy():
        told = clock.fair_bot(decisions, at_once, TURN_MS)
    assert told.faults == []
    assert told.decisions >= decisions
    assert told.mean_share == pytest.approx(clock.FAIR, abs=0.01), "or it was no test"


@pytest.mark.parametrize("at_once", [1, 3])
def test_150_per_cent_always_are(clock: ModuleType, at_once: int) -> None:
    """Three games at once: after a third process that had to be ended, a bot is asked no more in its chunk."""
    with clock.busy():
        told = clock.slow_bot(6, at_once, TURN_MS)
    assert told.caught == told.games == len(told.faults)
