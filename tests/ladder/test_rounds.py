"""Which blocks come next: as many as asked for, by whom they should be, the same however a run is broken off."""

import itertools
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from ladder.plans import NAMES, manifest, planned, wanting

from harness.ladder.manifest import Manifest
from harness.ladder.rounds import planned_ahead
from harness.ladder.schedule import Stretch

FOUR = NAMES[4]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=5), st.integers(4, 9))
@settings(deadline=None)
def test_a_run_continued_has_the_lineups_of_one_run_at_once(steps: list[int], bots: int) -> None:
    grown = manifest(bots, {4: 0})
    for wanted in itertools.accumulate(steps):
        grown = planned_ahead(wanting(grown, {4: wanted}))
    assert planned(grown, 4) == planned(planned_ahead(manifest(bots, {4: sum(steps)})), 4)


def test_fewer_or_equal_blocks_append_nothing() -> None:
    once = planned_ahead(manifest(4, {4: 10}))
    assert planned_ahead(once) == once
    assert planned_ahead(wanting(once, {4: 4})).stretches == once.stretches


def test_other_bots_begin_anew_after_what_was_played() -> None:
    once = planned_ahead(manifest(5, {4: 10}, None, bots=(0, 1, 2, 3)))
    more = planned_ahead(wanting(once, {4: 10}, bots=(0, 1, 2, 3, 4)))
    assert more.stretches == (*once.stretches, Stretch(FOUR, (0, 1, 2, 3, 4), 10, 20, 0))
    assert planned_ahead(more) == more
    assert planned_ahead(wanting(more, {4: 12})).stretches[-1] == Stretch(FOUR, (0, 1, 2, 3, 4), 20, 22, 10)


def test_tables_do_not_touch_each_other() -> None:
    both = planned_ahead(manifest(4, {4: 10, 2: 5}))
    more = planned_ahead(wanting(both, {4: 12, 2: 5}))
    assert more.stretches == (*both.stretches, Stretch(FOUR, (0, 1, 2, 3), 10, 12, 10))


def test_a_manifest_is_read_back_as_it_was_written() -> None:
    spelt = Stretch(FOUR, (0, 1, 2, 3, 4), 0, 2, 3, (4,), ((0, 4, 1, 2), (3, 1, 2, 4)), williams=True, submitted=4)
    before = replace(manifest(5, {4: 10}, new=(4,), kind="gauntlet"), stretches=(spelt,))
    assert Manifest.from_json(before.to_json()) == before
