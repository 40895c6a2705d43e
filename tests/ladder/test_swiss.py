"""Swiss pairings against all pairings there are, and their promises: nearness in rank, few repeated meetings."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.ladder.meetings import Meetings
from harness.ladder.swiss import Met, Pairing, met_in_rounds, swiss_round

Duels = list[tuple[int, int]]


def all_pairings(bots: list[int]) -> Iterator[Duels]:
    if not bots:
        yield []
    for place in range(1, len(bots)):
        for more in all_pairings(bots[1:place] + bots[place + 1 :]):
            yield [(bots[0], bots[place]), *more]


def cost(duels: Duels, ranking: list[int], met: Met) -> tuple[int, int]:
    """Repeated meetings, and how far apart in rank the pairs stand."""
    repeats = sum(met.get((min(duel), max(duel)), 0) for duel in duels)
    return repeats, sum(abs(ranking.index(one) - ranking.index(other)) for one, other in duels)


@given(st.sampled_from([4, 6, 8]), st.integers(0, 10_000))
@settings(deadline=None, max_examples=40)
def test_duels_repeat_no_more_meetings_than_they_must(count: int, seed: int) -> None:
    """Through as many rounds as a Swiss has, with rankings at random; of all pairings none repeats less."""
    rng = np.random.default_rng(seed)
    rounds: list[Duels] = []
    for _ in range((count - 1).bit_length()):
        ranking, met = rng.permutation(count).tolist(), met_in_rounds(rounds)
        tables = Pairing(ranking, 2, met).tables([0] * count, count)
        duels: Duels = [(one, other) for one, other in tables]
        best = min(cost(pairing, ranking, met) for pairing in all_pairings(list(range(count))))
        assert cost(duels, ranking, met)[0] == best[0]
        assert cost(duels, ranking, met)[1] <= best[1] + 4
        rounds.append(duels)


def test_before_anybody_has_met_neighbours_sit_together() -> None:
    ranking = [5, 2, 7, 0, 3, 6, 1, 4]
    assert Pairing(ranking, 4, {}).tables([0] * 8, 9) == [[5, 2, 7, 0], [3, 6, 1, 4]]
    assert Pairing(ranking, 2, {}).tables([0] * 8, 2) == [[5, 2], [7, 0]]


def test_who_is_left_over_sits_first_with_those_next_to_it() -> None:
    lineups = swiss_round([4, 3, 2, 1, 0], 2, 5, {}, Meetings.of(5, False), None)
    assert [set(lineup) for lineup in lineups] == [{4, 3}, {2, 1}, {0, 1}, {4, 3}, {2, 0}]


def test_meetings_count_once_a_round() -> None:
    assert met_in_rounds([[(0, 1), (1, 0), (2, 3)], [(0, 1)], []]) == {(0, 1): 2, (2, 3): 1}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_at_larger_tables_a_repeat_weighs_against_rank(seats: int) -> None:
    """Those of the top table part for others who are near; when all have met all, rank alone counts."""
    ranking = list(range(3 * seats))
    met = met_in_rounds([[tuple(ranking[:seats])]])
    top = Pairing(ranking, seats, met).tables([0] * len(ranking), 9)[0]
    assert len(set(top) & set(ranking[:seats])) < seats
    assert max(top) < 3 * seats - 1
    alone = Pairing(ranking, seats, dict.fromkeys(itertools.combinations(ranking, 2), 1))
    assert alone.tables([0] * len(ranking), 9)[0] == ranking[:seats]
