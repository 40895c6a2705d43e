"""Which blocks come next: as many as asked for, by whom they should be, the same however a run is broken off."""

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ladder.plans import NAMES, manifest, planned, played, run_through, wanting

from harness.errors import ConfigError
from harness.ladder.adaptive import FLOOR
from harness.ladder.feed import chunks_of
from harness.ladder.games import seat_values
from harness.ladder.manifest import Manifest
from harness.ladder.meetings import Meetings
from harness.ladder.rounds import games_to_come, next_round, planned_ahead
from harness.ladder.schedule import Block, Kind, Stretch

FOUR = NAMES[4]
KINDS: tuple[Kind, ...] = ("round_robin", "gauntlet", "swiss", "adaptive")
SIZES = range(2, 7)
FILL = 12

kinds = st.sampled_from(KINDS)
bots = st.integers(1, 12)
sizes = st.sampled_from(SIZES)


def strengths(count: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.linspace(1.0, -1.0, max(count, FILL + 1))


def blocks_by_bot(blocks: Iterable[Block], count: int) -> list[int]:
    seen = Counter(bot for block in blocks for bot in set(block.lineup))
    return [seen[bot] for bot in range(count)]


# Every kind


@given(kinds, bots, sizes, st.integers(1, 60), st.booleans())
@settings(deadline=None, max_examples=40)
def test_as_many_blocks_as_asked_for_and_everybody_in_every_seat(
    kind: Kind, count: int, size: int, wanted: int, williams: bool
) -> None:
    new = (count - 1,) if kind == "gauntlet" and count > 1 else ()
    begun = manifest(count, {size: wanted}, FILL, kind=kind, new=new, williams=williams)
    expected = games_to_come(begun)
    after = run_through(begun, strengths(count))[-1]
    blocks = planned(after, size)
    assert [block.index for block in blocks] == list(range(wanted))
    assert [block for chunk in chunks_of(after) for block in chunk.blocks] == blocks
    games = played(after, strengths(count))
    assert games is not None
    assert len(games) == expected == sum(chunk.games for chunk in chunks_of(after))
    assert games_to_come(after) == 0
    seated = seat_values(games, "bot")[:, :size]
    for bot in range(count):
        seats = (seated == bot).sum(axis=0)
        assert len(set(seats.tolist())) == 1
    for block in blocks:
        own = [bot for bot in block.lineup if bot != FILL]
        assert len(own) == len(set(own)) == min(count, size)


@given(kinds, st.integers(4, 12), st.integers(2, 6), st.lists(st.integers(1, 30), min_size=2, max_size=3))
@settings(deadline=None, max_examples=12)
def test_asked_for_more_a_run_goes_on_where_it_stands(kind: Kind, count: int, size: int, steps: list[int]) -> None:
    begun = manifest(count, {size: 0}, FILL, kind=kind)
    for wanted in itertools.accumulate(steps):
        after = run_through(wanting(begun, {size: wanted}), strengths(count))[-1]
        assert after.stretches[: len(begun.stretches)] == begun.stretches
        assert len(planned(after, size)) == wanted
        begun = after
    assert next_round(begun, lambda: None) == ()


@given(st.sampled_from(["swiss", "adaptive"]), st.integers(5, 9), st.data())
@settings(deadline=None, max_examples=8)
def test_a_run_broken_off_after_any_round_decides_the_same(kind: Kind, count: int, data: st.DataObject) -> None:
    begun = manifest(count, {2: 20, 4: 15, 6: 10}, FILL, kind=kind)
    whole = run_through(begun, strengths(count))
    after = data.draw(st.integers(0, len(whole) - 1))
    again = run_through(Manifest.from_json(whole[after].to_json()), strengths(count))
    assert (again[-1] if again else whole[after]) == whole[-1]


@pytest.mark.parametrize("kind", KINDS)
def test_other_bots_begin_anew_after_what_was_played(kind: Kind) -> None:
    once = run_through(manifest(6, {4: 10}, None, kind=kind, bots=(0, 1, 2, 3, 4)), strengths(6))[-1]
    more = run_through(wanting(once, {4: 12}, bots=tuple(range(6))), strengths(6))[-1]
    assert more.stretches[: len(once.stretches)] == once.stretches
    late = [block for block in planned(more, 4) if block.index >= 10]
    assert len(late) == 12
    assert blocks_by_bot(late, 6)[5] > 0


@pytest.mark.parametrize("kind", KINDS)
def test_too_few_bots_without_one_to_fill_are_refused(kind: Kind) -> None:
    with pytest.raises(ConfigError, match=r"too few bots \(3\) for 4 seats"):
        run_through(manifest(3, {4: 10}, kind=kind), strengths(3))


def test_a_manifest_is_read_back_as_it_was_written() -> None:
    spelt = Stretch(FOUR, (0, 1, 2, 3, 4), 0, 2, 3, (4,), ((0, 4, 1, 2), (3, 1, 2, 4)), williams=True, submitted=4)
    before = replace(manifest(5, {4: 10}, new=(4,), kind="gauntlet"), stretches=(spelt,))
    assert Manifest.from_json(before.to_json()) == before


# Round robin


@given(st.lists(st.integers(1, 40), min_size=1, max_size=5), st.integers(4, 9))
@settings(deadline=None)
def test_a_round_robin_continued_has_the_lineups_of_one_at_once(steps: list[int], count: int) -> None:
    grown = manifest(count, {4: 0})
    for wanted in itertools.accumulate(steps):
        grown = planned_ahead(wanting(grown, {4: wanted}))
    assert planned(grown, 4) == planned(planned_ahead(manifest(count, {4: sum(steps)})), 4)


def test_fewer_or_equal_blocks_append_nothing() -> None:
    once = planned_ahead(manifest(4, {4: 10}))
    assert planned_ahead(once) == once
    assert planned_ahead(wanting(once, {4: 4})).stretches == once.stretches


def test_the_design_of_added_bots_goes_on_by_itself() -> None:
    once = planned_ahead(manifest(5, {4: 10}, None, bots=(0, 1, 2, 3)))
    more = planned_ahead(wanting(once, {4: 10}, bots=(0, 1, 2, 3, 4)))
    assert more.stretches == (*once.stretches, Stretch(FOUR, (0, 1, 2, 3, 4), 10, 20, 0))
    assert planned_ahead(wanting(more, {4: 12})).stretches[-1] == Stretch(FOUR, (0, 1, 2, 3, 4), 20, 22, 10)


def test_tables_do_not_touch_each_other() -> None:
    both = planned_ahead(manifest(4, {4: 10, 2: 5}))
    more = planned_ahead(wanting(both, {4: 12, 2: 5}))
    assert more.stretches == (*both.stretches, Stretch(FOUR, (0, 1, 2, 3), 10, 12, 10))


def test_one_kind_goes_on_after_another() -> None:
    """Blocks of the same bots count together, whichever kind of schedule played them."""
    now = run_through(manifest(6, {4: 12}), strengths(6))[-1]
    for kind, wanted in (("adaptive", 30), ("swiss", 42), ("round_robin", 50)):
        now = run_through(wanting(now, {4: wanted}, kind=kind), strengths(6))[-1]
        assert len(planned(now, 4)) == wanted
    assert now.stretches[-1].offset == sum(one.size for one in now.stretches[:-1] if not one.lineups)


# Gauntlet


@given(st.integers(1, 11), st.integers(1, 3), sizes, st.integers(1, 80))
@settings(deadline=None, max_examples=40)
def test_in_a_gauntlet_one_new_bot_a_table_meets_the_pool_evenly(pool: int, new: int, size: int, wanted: int) -> None:
    guests = tuple(range(pool, pool + new))
    begun = manifest(pool + new, {size: wanted}, 20, kind="gauntlet", new=guests)
    blocks = planned(planned_ahead(begun), size)
    met: Counter[tuple[int, int]] = Counter()
    for block in blocks:
        (guest,) = [bot for bot in block.lineup if bot in guests]
        met.update((guest, bot) for bot in block.lineup if bot < pool)
    for guest in guests:
        counts = [met[guest, bot] for bot in range(pool)]
        assert max(counts) - min(counts) <= 1
    counts = blocks_by_bot(blocks, pool + new)
    assert max(counts[pool:]) - min(counts[pool:]) <= 1
    assert max(counts[:pool]) - min(counts[:pool]) <= new


def test_without_names_those_are_new_that_never_played_and_stay_so() -> None:
    once = planned_ahead(manifest(6, {4: 10}, None, kind="gauntlet", bots=(0, 1, 2, 3, 4)))
    assert once.stretches[-1].new == ()  # nobody to run it against: all meet all
    more = planned_ahead(wanting(once, {4: 8}, bots=tuple(range(6))))
    assert more.stretches[-1] == Stretch(FOUR, tuple(range(6)), 10, 18, 0, (5,))
    assert planned_ahead(wanting(more, {4: 9})).stretches[-1] == Stretch(FOUR, tuple(range(6)), 18, 19, 8, (5,))


# Swiss


@given(bots, sizes, st.integers(1, 60), st.integers(1, 6))
@settings(deadline=None, max_examples=40)
def test_in_a_swiss_blocks_of_bots_are_within_one_at_any_moment(
    count: int, size: int, wanted: int, rounds: int
) -> None:
    begun = manifest(count, {size: wanted}, FILL, kind="swiss", rounds=rounds)
    blocks = planned(run_through(begun, strengths(count))[-1], size)
    for end in range(1, wanted + 1):
        counts = blocks_by_bot(blocks[:end], count)
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (3, 2), (8, 3), (9, 4), (12, 4)])
def test_a_swiss_has_as_many_rounds_as_a_knock_out(count: int, rounds: int) -> None:
    assert len(run_through(manifest(count, {2: 60}, kind="swiss"), strengths(count))) == rounds


def test_in_a_swiss_the_best_end_up_together() -> None:
    theta = np.linspace(4.0, -4.0, 16)
    begun = manifest(16, {4: 80}, kind="swiss", rounds=4)
    last = run_through(begun, theta)[-1].stretches[-1]
    tables = {frozenset(lineup) for lineup in last.lineups}
    spread = [max(table) - min(table) for table in tables]
    assert np.mean(spread) < 8  # tables drawn at random spread over 10.2 places


# Adaptive


@given(st.integers(3, 12), sizes, st.integers(20, 80))
@settings(deadline=None, max_examples=8)
def test_in_an_adaptive_schedule_everybody_keeps_playing_everybody(count: int, size: int, wanted: int) -> None:
    begun = manifest(count, {size: wanted, 3: 16}, FILL, kind="adaptive")
    after = run_through(begun, strengths(count))[-1]
    for table, blocks in ((size, wanted), (3, 16 if size != 3 else wanted)):
        level = [own for own in after.stretches if own.table == NAMES[table] and not own.lineups]
        assert sum(own.size for own in level) >= FLOOR * len(planned(after, table))
        share = min(count, table) / count * FLOOR * len(planned(after, table))
        assert min(blocks_by_bot(planned(after, table), count)) >= int(share)
        assert blocks == len(planned(after, table)) or size == 3


def test_it_plays_the_best_more_and_those_near_each_other_together() -> None:
    theta = np.linspace(2.0, -2.0, 12)
    ends = [run_through(manifest(12, {4: 200}, kind="adaptive"), theta, seed)[-1] for seed in range(4)]
    told = [lineup for after in ends for stretch in after.stretches for lineup in stretch.lineups]
    counts = Counter(bot for lineup in told for bot in lineup)
    assert sum(counts[bot] for bot in range(4)) > 1.5 * sum(counts[bot] for bot in range(8, 12))  # one run: 1.2 to 2.7
    met = np.array(Meetings.of(12, False, told).met)
    near = [met[bot, bot + 1] for bot in range(11)]
    far = [met[bot, bot + 6] for bot in range(6)]
    assert np.mean(near) > 5 * np.mean(far)


def test_partners_stay_even_where_results_decide() -> None:
    for kind in ("swiss", "adaptive"):
        after = run_through(manifest(6, {6: 60}, kind=kind), strengths(6))[-1]
        paired = np.array(Meetings.of(6, True, [block.lineup for block in planned(after, 6)]).paired)
        counts = paired[np.triu_indices(6, 1)]
        assert counts.sum() == 180
        assert np.ptp(counts) <= 3


def test_a_bot_that_is_out_is_no_longer_chosen() -> None:
    theta = strengths(8)

    def decide(now: Manifest, wrecked: bool) -> tuple[Stretch, ...]:
        games = played(now, theta)
        if games is not None and wrecked:
            log = '[{"hand": 1, "turn": 1, "seat": %d, "kind": "protocol", "message": ""}]'
            seat = np.argmax(seat_values(games, "bot") == 0, axis=1)
            sits = (seat_values(games, "bot") == 0).any(axis=1)
            games["fault_log"] = [log % own if there else None for own, there in zip(seat, sits, strict=True)]
        return next_round(now, lambda: games)

    for kind in ("swiss", "adaptive"):
        begun = manifest(8, {4: 40}, kind=kind)
        first = replace(begun, stretches=decide(begun, False))
        assert any(0 in lineup for own in decide(first, False) for lineup in own.lineups)
        assert not any(0 in lineup for own in decide(first, True) for lineup in own.lineups)
