"""Gates: both bots get the same cards and the same others, and nothing but the games decides when they end."""

import json
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import replace
from itertools import islice, takewhile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ladder.test_run import config_of

from harness.errors import BossError, ConfigError, ResultsError, RunError
from harness.game.rules import usual_rules
from harness.ladder.chunk import Chunk, ChunkResult, play_chunk
from harness.ladder.config import Config
from harness.ladder.entries import BotEntry, GateEntry
from harness.ladder.executor import Executor, HereExecutor
from harness.ladder.gate import GateSilence, play_gate
from harness.ladder.gate_plan import GATE, plan_gate, stretches, turns
from harness.ladder.gate_reading import Reading, Verdict, mean_score, scores
from harness.ladder.local_pool import LocalExecutor
from harness.ladder.store import Store
from harness.stats.duels import normalized_ratio
from harness.stats.sequential import Decision, Look

CONFIG = """\
name: field
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, miser, patient]
tables: [{players: 4, blocks: 2}, {players: 2, blocks: 1}]
schedule: {fill: random}
gate: {elo0: 0, elo1: 40, step: 6, first: 24, most: 600}
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return config_of(tmp_path, CONFIG)


def bot(name: str) -> BotEntry:
    return BotEntry(bot=name, name=name)


class Looks(GateSilence):
    """Remembers the looks."""

    def __init__(self) -> None:
        self.seen: list[Look] = []

    def looked(self, look: Look, bounds: tuple[float, float]) -> None:
        self.seen.append(look)


def gate(
    config: Config, folder: Path, new: str = "capone", old: str = "bully", executor: Executor | None = None
) -> tuple[Verdict, list[Look]]:
    looks = Looks()
    verdict = play_gate(plan_gate(config, bot(new), bot(old), folder), executor or HereExecutor(), looks)
    return verdict, looks.seen


class Hurried:
    """Takes all chunks it can get, and returns those first in which the bot with this number did best."""

    def __init__(self, favourite: int, chunks: int | None = None) -> None:
        self.favourite, self.chunks = favourite, chunks

    def play(self, chunks: Iterable[Chunk | None]) -> Generator[tuple[Chunk, ChunkResult]]:
        source, held, given = iter(chunks), [], 0
        while True:
            while len(held) < 6 and (chunk := next(source, None)) is not None:
                held.append((chunk, play_chunk(chunk)))
            if not held:
                return
            if given == self.chunks:
                raise KeyboardInterrupt
            held.sort(key=lambda one: self.wins(one[1]))
            given += 1
            yield held.pop()

    def wins(self, result: ChunkResult) -> float:
        own = [result.games[f"rank{seat}"][result.games[f"bot{seat}"] == self.favourite] == 1 for seat in range(6)]
        return float(np.concatenate(own).mean()) if sum(map(len, own)) else 0.5


class Stopped(HereExecutor):
    """Is interrupted after some chunks."""

    def __init__(self, chunks: int) -> None:
        self.chunks = chunks

    def play(self, chunks: Iterable[Chunk | None]) -> Generator[tuple[Chunk, ChunkResult]]:
        with closing(super().play(chunks)) as games:
            yield from islice(games, self.chunks)
        raise KeyboardInterrupt


# What is read, and when


def test_order_and_place_of_play_decide_nothing(config: Config, tmp_path: Path) -> None:
    here, looks = gate(config, tmp_path / "here")
    assert here.decision is not Decision.OPEN
    assert [look.blocks for look in looks] == [*range(24, looks[-1].blocks + 1, 6)]
    assert here.look == looks[-1]
    for favourite in (4, 5):  # the new bot and the old one
        name = f"hurried {favourite}"
        other, seen = gate(config, tmp_path / name, executor=Hurried(favourite))
        assert (other.as_record(), seen) == (here.as_record(), looks)
    two, seen = gate(config, tmp_path / "two", executor=LocalExecutor(2))
    assert (two.as_record(), seen) == (here.as_record(), looks)
    assert json.loads((tmp_path / "two" / GATE).read_text()) == two.as_record()


def test_a_gate_that_was_stopped_goes_on(config: Config, tmp_path: Path) -> None:
    whole, looks = gate(config, tmp_path / "whole")
    for executor in (Hurried(4, 1), Stopped(7)):
        with pytest.raises(KeyboardInterrupt):
            gate(config, tmp_path / "broken", executor=executor)
    after, seen = gate(config, tmp_path / "broken")
    assert after.as_record() == whole.as_record()
    assert 0 < len(seen) < len(looks)  # those that were stored are read in silence
    before = sorted(path.name for path in (tmp_path / "broken").rglob("part-*"))
    again, _ = gate(config, tmp_path / "broken", executor=Hurried(4, 0))
    assert again.as_record() == whole.as_record()
    assert sorted(path.name for path in (tmp_path / "broken").rglob("part-*")) == before


def test_what_was_read_is_what_is_stored(config: Config, tmp_path: Path) -> None:
    """The last look, worked out anew from the two results folders."""
    verdict, _ = gate(config, tmp_path / "gate")
    assert verdict.look is not None
    names = [spec.name for spec in Store(tmp_path / "gate" / "new").read_manifest().bots]
    shares = {}
    for arm, hero in (("new", "capone"), ("old", "bully")):
        games = Store(tmp_path / "gate" / arm).games()
        for (table, block), own in games.groupby(["table", "block"]):
            won = []
            for _, game in own.iterrows():
                seats = [game[f"bot{seat}"] for seat in range(game["players"])]
                ranks = [game[f"rank{seat}"] for seat in range(game["players"])]
                assert seats.count(names.index(hero)) == 1
                won.append((ranks[seats.index(names.index(hero))] == 1) / ranks.count(1))
            shares[arm, table, block] = np.mean(won)
    order = [usual_rules(4).name if kind == 0 else usual_rules(2).name for kind in turns([2, 1], verdict.look.blocks)]
    counts = dict.fromkeys(order, 0)
    differences = []
    for table in order:
        differences.append(shares["new", table, counts[table]] - shares["old", table, counts[table]])
        counts[table] += 1
    assert verdict.look.mean == pytest.approx(np.mean(differences), abs=1e-4)
    assert verdict.look.sd == pytest.approx(np.std(differences), abs=1e-3)
    assert verdict.games == 2 * (4 * counts[usual_rules(4).name] + 2 * counts[usual_rules(2).name])


def test_both_meet_the_same_others_in_the_same_seats(config: Config, tmp_path: Path) -> None:
    gate(config, tmp_path / "gate")
    new, old = (Store(tmp_path / "gate" / arm).games() for arm in ("new", "old"))
    number = {spec.name: i for i, spec in enumerate(Store(tmp_path / "gate" / "new").read_manifest().bots)}
    both = new.merge(old, on=["table", "block", "rotation"], suffixes=("", "_old"))
    assert len(both) >= min(len(new), len(old)) > 0
    for seat in range(6):
        replaced = both[f"bot{seat}"].replace(number["capone"], number["bully"])
        assert (replaced == both[f"bot{seat}_old"]).all()
    assert {number["bully"], number["capone"]}.isdisjoint(set(old["bot0"]) & set(new["bot0"]))


def test_the_same_bot_under_two_names_differs_by_nothing(config: Config, tmp_path: Path) -> None:
    """Same cards, same others, same random numbers: also of a bot that draws some."""
    plan = plan_gate(config, replace_name(bot("random"), "twin"), bot("random"), tmp_path / "gate")
    looks = Looks()
    verdict = play_gate(plan, HereExecutor(), looks)
    assert verdict.decision is Decision.REJECTED
    assert all(abs(look.mean) < 1e-12 for look in looks.seen)


def replace_name(entry: BotEntry, name: str) -> BotEntry:
    return entry.model_copy(update={"name": name})


@pytest.mark.parametrize("old", ["greedy", "random"])
def test_alone_they_play_each_other_and_the_pentanomial_test_decides(tmp_path: Path, old: str) -> None:
    text = "name: duel\nbots: [greedy, random]\ntables: [{players: 2, blocks: 1}]\ngate: {elo1: 40}\n"
    config = config_of(tmp_path, text)
    new = "random" if old == "greedy" else "greedy"
    verdict, _ = gate(config, tmp_path / "gate", new, old)
    assert verdict.decision is (Decision.REJECTED if old == "greedy" else Decision.ACCEPTED)
    assert verdict.plan.old is None
    assert verdict.look is not None
    assert not (tmp_path / "gate" / "old").exists()
    games = Store(tmp_path / "gate" / "new").games()
    hero = [spec.name for spec in Store(tmp_path / "gate" / "new").read_manifest().bots].index(new)
    own = np.where(games["bot0"] == hero, games["rank0"], games["rank1"])
    other = np.where(games["bot0"] == hero, games["rank1"], games["rank0"])
    points = np.bincount(games["block"], (own < other) + (own == other) / 2)[: verdict.look.blocks]
    pairs = np.bincount((2 * points).astype(int), minlength=5)
    assert verdict.look.llr == pytest.approx(normalized_ratio(pairs, 0, 40), abs=0.02)


# Scores


def columns(bots: list[list[int]], ranks: list[list[int]]) -> dict[str, np.ndarray]:
    wide = [[*row, *[-1] * (6 - len(row))] for row in bots]
    places = [[*row, *[-1] * (6 - len(row))] for row in ranks]
    seats = {f"bot{seat}": np.array(wide)[:, seat] for seat in range(6)}
    return seats | {f"rated{seat}": np.array(places)[:, seat] for seat in range(6)}


def test_scores_by_hand() -> None:
    four = columns(
        [[7, 1, 2, 3], [1, 7, 2, 3], [1, 2, 7, 3], [1, 2, 3, 7]],
        [[1, 2, 3, 4], [1, 1, 3, 4], [1, 2, 3, 3], [1, 2, 2, 2]],
    )
    assert scores(usual_rules(4), four, 7, "win").tolist() == [1, 0.5, 0, 0]
    assert scores(usual_rules(4), four, 7, "finish") == pytest.approx([1, 2.5 / 3, 0.5 / 3, 1 / 3])
    teams = columns([[1, 2, 3, 4, 7, 5]], [[2, 1, 3, 2, 1, 3]])
    assert scores(usual_rules(6), teams, 7, "win").tolist() == [1]
    assert scores(usual_rules(6), teams, 4, "finish").tolist() == [0.5]


@given(st.lists(st.integers(1, 4), min_size=4, max_size=4))
def test_scores_of_a_table_have_a_fixed_mean(ranks: list[int]) -> None:
    ranks = [1 + sum(other < rank for other in ranks) for rank in ranks]
    for score in ("win", "finish"):
        own = [scores(usual_rules(4), columns([[0, 1, 2, 3]], [ranks]), bot, score)[0] for bot in range(4)]
        assert np.mean(own) == pytest.approx(mean_score(usual_rules(4), score))


# The schedule


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(1, 300))
def test_kinds_take_turns_in_proportion(shares: list[int], blocks: int) -> None:
    order = turns(shares, blocks)
    assert len(order) == blocks
    for kind, share in enumerate(shares):
        counts = np.cumsum(order == kind)
        assert np.abs(counts - np.arange(1, blocks + 1) * share / sum(shares)).max() <= len(shares) / 2 + 1
    assert turns(shares, blocks + 50)[:blocks].tolist() == order.tolist()


@given(st.integers(1, 40), st.integers(1, 200), st.integers(1, 60))
def test_stretches_hold_every_block_once_and_more_follow(step: int, first: int, times: int) -> None:
    terms = GateEntry(step=step, first=first, most=-(-first // step) * step * times)
    longer = GateEntry(step=step, first=first, most=2 * terms.most)
    shares = {"a": 3, "b": 1}
    found = stretches(shares, terms, (0, 1, 2), (2,), ())
    more = stretches(shares, longer, (0, 1, 2), (2,), found)
    assert more[: len(found)] == found
    for planned, own in ((found, terms), (more, longer)):
        total = own.most // step * step
        for kind, table in enumerate(shares):
            blocks = [index for one in planned if one.table == table for index in range(one.first, one.last)]
            assert blocks == list(range(np.count_nonzero(turns([3, 1], total) == kind)))
        assert all(one.offset == one.first for one in planned)


def test_little_is_played_ahead_but_all_that_the_next_look_needs(tmp_path: Path) -> None:
    config = config_of(tmp_path, "name: duel\nbots: [greedy, random]\ntables: [{players: 2, blocks: 1}]\n")
    for terms, handed_out in ((GateEntry(step=1500, first=1, most=90_000), 6000), (GateEntry(most=90_000), 320)):
        plan = plan_gate(replace(config, gate=terms), bot("greedy"), bot("random"), tmp_path / "gate")
        chunks = list(takewhile(lambda chunk: chunk is not None, Reading(plan).missing()))
        blocks = [block.index for chunk in chunks if chunk for block in chunk.blocks]
        assert blocks == list(range(len(blocks)))
        assert len(blocks) >= terms.step
        assert len(blocks) == pytest.approx(handed_out, rel=0.3)


# What is refused


def test_another_gate_is_refused_and_a_longer_one_goes_on(config: Config, tmp_path: Path) -> None:
    short = replace(config, gate=GateEntry(elo0=-1, elo1=1, step=6, first=24, most=24))
    verdict, _ = gate(short, tmp_path / "gate")
    assert verdict.decision is Decision.OPEN
    assert "cannot be said whether capone gains -1 or 1 on bully" in verdict.sentence
    longer = replace(config, gate=short.gate.model_copy(update={"most": 60}))
    after, looks = gate(longer, tmp_path / "gate")
    assert [look.blocks for look in looks] == [30, 36, 42, 48, 54, 60]
    assert after.as_record() == gate(longer, tmp_path / "at once")[0].as_record()
    for key, value in {"elo1": 2.0, "alpha": 0.1, "score": "finish", "step": 3}.items():
        other = replace(longer, gate=longer.gate.model_copy(update={key: value}))
        with pytest.raises(ResultsError, match=f"another gate .{key} "):
            gate(other, tmp_path / "gate")
    fewer = config_of(tmp_path, CONFIG.replace("patient]", "greedy_py]"))
    with pytest.raises(BossError, match="patient"):
        gate(replace(fewer, gate=longer.gate), tmp_path / "gate")


def test_a_folder_of_something_else_is_left_alone(config: Config, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.txt").write_text("precious")
    with pytest.raises(ResultsError, match="no gate"):
        gate(config, tmp_path / "thesis")
    assert [path.name for path in (tmp_path / "thesis").iterdir()] == ["chapter1.txt"]


def test_a_fresh_gate_leaves_nothing_of_the_one_before(tmp_path: Path) -> None:
    pair = "name: pair\nbots: [greedy, random, miser]\ntables: [{players: 2, blocks: 1}]\ngate: {elo1: 90}\n"
    gate(config_of(tmp_path, pair), tmp_path / "gate", "greedy", "random")
    assert (tmp_path / "gate" / "old" / "manifest.json").exists()
    alone = config_of(tmp_path, pair.replace(", miser", ""))
    with pytest.raises(ResultsError, match="another gate"):
        plan_gate(alone, bot("greedy"), bot("random"), tmp_path / "gate")
    plan = plan_gate(alone, bot("greedy"), bot("random"), tmp_path / "gate", fresh=True)
    verdict = play_gate(plan, HereExecutor(), GateSilence())
    assert verdict.plan.field == ("random-copy",)
    assert not (tmp_path / "gate" / "old" / "manifest.json").exists()


def test_empty_seats_need_somebody(tmp_path: Path) -> None:
    config = config_of(tmp_path, CONFIG.replace("schedule: {fill: random}\n", ""))
    with pytest.raises(ConfigError, match=r"too few others \(random, miser\) to fill 4 seats with patient"):
        gate(config, tmp_path / "gate", "patient", "greedy")
    assert not (tmp_path / "gate").exists()


def test_the_old_bot_may_fill_seats_too(config: Config, tmp_path: Path) -> None:
    """Its copies are others at the table, not what is compared."""
    pair = replace(config, bots=(bot("greedy"), bot("random"), bot("miser")))
    plan = plan_gate(pair, bot("greedy"), bot("random"), tmp_path / "gate")
    manifest = plan.new.plan.manifest
    assert [spec.name for spec in manifest.bots] == ["miser", "greedy", "random", "random-copy"]
    verdict = play_gate(plan, HereExecutor(), GateSilence())
    assert verdict.decision is Decision.ACCEPTED


# Bots that are out

FAULTY = """\
from harness import Bot

class Broken(Bot):
    def __init__(self):
        raise ValueError("no")
"""


@pytest.mark.parametrize("role", ["new", "old", "field"])
def test_a_bot_that_is_out_ends_the_gate(tmp_path: Path, role: str) -> None:
    (tmp_path / "broken.py").write_text(FAULTY)
    text = CONFIG.replace("patient", f"{{bot: '{tmp_path}/broken.py:Broken', name: broken, level: process}}")
    config = config_of(tmp_path, text.replace("first: 24", "first: 12"))
    broken = next(entry for entry in config.bots if entry.name == "broken")
    new, old = {
        "new": (broken, bot("greedy")),
        "old": (bot("greedy"), broken),
        "field": (bot("capone"), bot("greedy")),
    }[role]
    plan = plan_gate(config, new, old, tmp_path / "gate")
    if role == "new":
        verdict = play_gate(plan, HereExecutor(), GateSilence())
        assert verdict.decision is Decision.REJECTED
        assert verdict.sentence == "rejected: broken is out. It could not be loaded."
        assert verdict.look is None
    else:
        with pytest.raises(RunError, match=r"broken is out after 6 blocks.*could not be loaded"):
            play_gate(plan, HereExecutor(), GateSilence())
