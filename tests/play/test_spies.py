"""Spies learn nothing in their jails, and the same spies let out of them do: the quick form of benchmarks/spies.py."""

from types import ModuleType

import numpy as np
import pytest
from studies import study

from harness.play.probe import probe

BLOCKS = 12
SEED = "c0ffee11" * 4

pytestmark = pytest.mark.skipif(probe().level != "jailed", reason=probe().reason or "jailed")


@pytest.fixture(scope="module")
def spies() -> ModuleType:
    return study("spies")


@pytest.fixture(scope="module")
def plain(spies: ModuleType) -> np.ndarray:
    means: np.ndarray = spies.money("Plain", "jailed", BLOCKS, SEED)[0]
    return means


@pytest.mark.parametrize("name", ["Sharer", "Walker", "Neighbour", "Rememberer", "Guesser"])
def test_a_jailed_spy_plays_as_its_plain_twin(spies: ModuleType, plain: np.ndarray, name: str) -> None:
    means, faults = spies.money(name, "jailed", BLOCKS, SEED)
    assert faults == 0
    assert (means == plain).all()


@pytest.mark.parametrize("name", ["Sharer", "Walker"])
def test_out_of_the_jail_it_finds_the_hidden_cards(spies: ModuleType, plain: np.ndarray, name: str) -> None:
    means, faults = spies.money(name, "trusted", BLOCKS, SEED)
    gain, half = spies.gain(means, plain)
    assert faults == 0
    assert gain - half > 0


def test_a_short_seed_would_be_guessed(spies: ModuleType) -> None:
    assert spies.money("Guesser", "jailed", 2, f"{11:032x}")[1] > 0
