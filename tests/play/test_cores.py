"""Workers keep to cores of their own: shares that part all cores, nobody's twice, given back at the end."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.play import cores
from harness.play.cores import own_cores


@pytest.fixture(autouse=True, scope="module")
def _alone() -> Iterator[None]:
    """Use names that no other test and no run of this machine uses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cores, "NAME", f"test-core-{os.getpid()}")
        yield


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[int]]:
    """A machine of so many cores as a test says."""
    state = {"allowed": {0, 1, 2, 3, 4}}
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(state["allowed"]))
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, own: state.update(allowed=set(own)))
    return state


@given(st.sets(st.integers(0, 40), min_size=1, max_size=9), st.integers(1, 12))
def test_workers_part_all_cores_among_them(allowed: set[int], workers: int) -> None:
    state = {"allowed": set(allowed)}
    held: list[set[int]] = []
    with pytest.MonkeyPatch.context() as patch, ExitStack() as working:
        patch.setattr(os, "sched_getaffinity", lambda _: set(allowed))
        patch.setattr(os, "sched_setaffinity", lambda _, own: state.update(allowed=set(own)))
        for _ in range(workers):
            state["allowed"] = set(allowed)
            count = working.enter_context(own_cores(workers))
            held.append(state["allowed"])
            assert count == len(held[-1]) >= max(1, len(allowed) // workers)
        own = Counter(core for cores in held for core in cores)
    assert own.keys() == allowed
    assert max(own.values()) - min(own.values()) <= 1
    assert state["allowed"] == allowed


def test_a_share_is_free_again_when_its_worker_is_done(machine: dict[str, set[int]]) -> None:
    for _ in range(3):
        with own_cores(5):
            assert machine["allowed"] == {0}
        assert machine["allowed"] == {0, 1, 2, 3, 4}


def test_a_share_that_another_process_has_is_not_taken(machine: dict[str, set[int]]) -> None:
    code = (
        f"import sys; from harness.play import cores\ncores.NAME = {cores.NAME!r}\n"
        "with cores.own_cores(1): print(flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin
    assert child.stdout
    child.stdout.readline()
    first = 0  # of those that the child may use
    machine["allowed"] = {first, 7}
    with own_cores(2) as count:
        assert (machine["allowed"], count) == ({7}, 1)
        machine["allowed"] = {first, 7}
        with own_cores(2):
            assert machine["allowed"] == {first}, "beside the other"
    child.communicate()
    with own_cores(2):
        assert machine["allowed"] == {first}
