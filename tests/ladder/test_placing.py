"""How a submitted bot is placed: with everybody, at every table, until its rating is exact enough, and no further."""

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ladder.plans import NAMES, manifest, planned, played, run_through

from harness.ladder.adaptive import FLOOR
from harness.ladder.learnt import learn
from harness.ladder.manifest import Manifest
from harness.ladder.placing import PLACEMENT, apportioned, half_width, next_placing, pool_of
from harness.ladder.rounds import planned_ahead
from harness.ladder.schedule import Submission, course_of

THETA = np.linspace(1.0, -1.0, 9)
GUEST = 8


def ladder(wanted: dict[int, int], precision: float = 30.0, cap: int = 1000) -> tuple[Manifest, Submission]:
    """A round robin of bots 0 to 7, and bot 8 submitted to it."""
    before = planned_ahead(manifest(GUEST + 1, wanted, bots=tuple(range(GUEST))))
    submission = Submission(GUEST, precision, cap, "trusted")
    return replace(before, submissions=(submission,)), submission


def placed(before: Manifest, submission: Submission) -> list[Manifest]:
    return run_through(before, THETA, decide=lambda now, games: next_placing(now, submission, games))


def own_blocks(now: Manifest) -> dict[str, int]:
    sizes: Counter[str] = Counter()
    for stretch in now.stretches:
        sizes[stretch.table] += stretch.size if stretch.submitted == GUEST else 0
    return dict(sizes)


def test_it_plays_until_it_is_known_as_well_as_asked() -> None:
    before, submission = ladder({4: 120})
    rounds = placed(before, submission)
    halves = [half_width(learn(now, played(now, THETA)), GUEST) for now in rounds]
    assert halves[-1] <= 30.0 < min(halves[:-1])
    assert own_blocks(rounds[0]) == {NAMES[4]: PLACEMENT}
    assert next_placing(rounds[-1], submission, lambda: played(rounds[-1], THETA)) == ()
    narrower = replace(submission, precision=25.0)
    assert next_placing(rounds[-1], narrower, lambda: played(rounds[-1], THETA)) != ()


@given(st.integers(1, 60))
@settings(deadline=None, max_examples=3)
def test_it_plays_no_more_than_it_may(cap: int) -> None:
    before, submission = ladder({2: 30, 4: 30}, precision=1.0, cap=cap)
    assert sum(own_blocks(placed(before, submission)[-1]).values()) == cap


def test_each_table_kind_has_its_share_of_every_round() -> None:
    before, submission = ladder({2: 60, 4: 30, 6: 30}, precision=1.0, cap=80)
    for now in placed(before, submission):
        sizes = own_blocks(now)
        total = sum(sizes.values())
        for size, share in ((2, 0.5), (4, 0.25), (6, 0.25)):
            assert abs(sizes[NAMES[size]] - share * total) < 2


def test_it_sits_at_every_table_and_goes_on_meeting_everybody() -> None:
    before, submission = ladder({4: 60}, precision=1.0, cap=120)
    after = placed(before, submission)[-1]
    own = [block for block in planned(after, 4) if block.index >= 60]
    assert len(own) == 120
    met = Counter(bot for block in own for bot in block.lineup)
    assert met.pop(GUEST) == 120
    floor = FLOOR * 120 * 3 / GUEST
    assert sorted(met) == list(range(GUEST))
    assert min(met.values()) >= int(floor)
    level = sum(one.size for one in after.stretches if one.submitted == GUEST and not one.lineups)
    assert level >= FLOOR * 120


def test_it_meets_above_all_those_near_it() -> None:
    theta = np.append(np.linspace(2.5, -2.5, 8), 2.2)
    before, submission = ladder({4: 120}, precision=1.0, cap=200)
    after = run_through(before, theta, decide=lambda now, games: next_placing(now, submission, games))[-1]
    told = Counter(bot for stretch in after.stretches for lineup in stretch.lineups for bot in lineup)
    assert told[0] + told[1] + told[2] > 2 * (told[5] + told[6] + told[7])


def test_a_run_of_the_config_does_not_count_what_was_submitted() -> None:
    before, submission = ladder({4: 60})
    after = placed(before, submission)[-1]
    course = course_of(after.stretches, NAMES[4], tuple(range(GUEST + 1)), after.guests)
    assert course.stretches == before.stretches
    assert course.first == after.stretches[-1].last
    now = replace(after, schedule=replace(after.schedule, bots=tuple(range(GUEST + 1))))
    assert planned_ahead(now) == now


def test_those_retired_are_not_met() -> None:
    before, submission = ladder({4: 30}, precision=1.0, cap=40)
    before = replace(before, retired=(0, 3))
    assert pool_of(before, GUEST) == [1, 2, 4, 5, 6, 7]
    late = [block for block in planned(placed(before, submission)[-1], 4) if block.index >= 30]
    assert not {0, 3} & {bot for block in late for bot in block.lineup}


def test_a_bot_that_is_out_plays_no_further() -> None:
    before, submission = ladder({4: 30}, precision=1.0)
    first = replace(before, stretches=(*before.stretches, *next_placing(before, submission, lambda: None)))
    games = played(first, THETA)
    assert games is not None
    assert next_placing(first, submission, lambda: games) != ()
    row = int(np.argmax((games["bot2"] == GUEST).to_numpy()))
    games.loc[row, "fault_log"] = '[{"hand": 1, "turn": 1, "seat": 2, "kind": "protocol", "message": ""}]'
    assert next_placing(first, submission, lambda: games) == ()


@given(st.integers(0, 200), st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_parts_are_whole_and_within_one_of_their_share(total: int, weights: list[int]) -> None:
    parts = apportioned(total, weights)
    assert sum(parts) == total
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - total * weight / sum(weights)) < 1


def test_of_equal_remainders_the_first_is_taken() -> None:
    assert apportioned(5, [1, 1, 1, 1]) == [2, 1, 1, 1]
    assert apportioned(2, [3, 3, 3]) == [1, 1, 0]


@pytest.mark.parametrize("size", [2, 6])
def test_a_lone_pool_bot_is_joined_by_the_fill_bot(size: int) -> None:
    before = manifest(2, {size: 4}, 2, bots=(0,))
    submission = Submission(1, 1.0, 20, "trusted")
    before = replace(planned_ahead(before), submissions=(submission,))
    after = run_through(before, THETA, decide=lambda now, games: next_placing(now, submission, games))[-1]
    for block in itertools.islice(planned(after, size), 4, None):
        assert sorted(set(block.lineup)) == ([0, 1] if size == 2 else [0, 1, 2])
