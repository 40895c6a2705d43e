"""Results joined: shares of one run are the run, other seeds are more blocks, and what disagrees changes nothing."""

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from ladder.stores import CONFIG, Heard, contents, digests, parts, run
from ladder.test_continuing import alter

from harness import api
from harness.errors import BossError, ResultsError
from harness.ladder import merge as merging
from harness.ladder.chunk import Chunk, ChunkResult
from harness.ladder.continuing import departure
from harness.ladder.disk import write_whole
from harness.ladder.executor import HereExecutor
from harness.ladder.lock import locked
from harness.ladder.merge import merge
from harness.ladder.overview import overview
from harness.ladder.store import Store
from harness.ladder.usage import BotUsage

OTHER = CONFIG.replace("0011", "ff11").replace("blocks: 30", "blocks: 12").replace("bully", "miser")
"""Another seed, and one other bot, in another place."""


FOX = """\
from harness import Bot, Turn

class Fox(Bot):
    def act(self, view):
        return Turn(view.hand[0])
"""


class Share:
    """Plays some chunks of a run, by their numbers."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers

    def play(self, chunks: Iterable[Chunk | None]) -> Iterator[tuple[Chunk, ChunkResult]]:
        return HereExecutor().play([chunk for number, chunk in enumerate(chunks) if number in self.numbers])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run played at once, of five chunks; no test changes it."""
    folder = tmp_path_factory.mktemp("merge") / "whole"
    run(folder)
    assert len(parts(folder)) == 5
    return folder


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of another seed; no test changes it."""
    folder = tmp_path_factory.mktemp("merge") / "other"
    run(folder, OTHER)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def share(folder: Path, *numbers: int) -> Path:
    run(folder, executor=Share(*numbers))
    assert len(parts(folder)) == len(numbers)
    return folder


def joined(into: Path, *folders: Path) -> Heard:
    """Join the folders, which must stay as they are, and return what was heard of it."""
    heard = Heard()
    before = [contents(folder) for folder in folders]
    added = merge(into, folders, heard)
    assert [contents(folder) for folder in folders] == before
    assert heard.games == added
    return heard


def refused(into: Path, *folders: Path) -> str:
    """Be refused, with all folders left as they are, and return what is said."""
    before = [contents(folder) for folder in (into, *folders)]
    with pytest.raises(ResultsError) as error:
        merge(into, folders, Heard())
    assert [contents(folder) for folder in (into, *folders)] == before
    return str(error.value)


# One run in shares


@pytest.mark.parametrize("mine", [(0, 2, 4), (0, 1, 2, 3), (), (1, 3, 4)])
def test_shares_of_a_run_are_the_run(whole: Path, tmp_path: Path, mine: tuple[int, ...]) -> None:
    """Interleaved, overlapping, begun and not played, and into a new folder."""
    one, two = share(tmp_path / "one", *mine), share(tmp_path / "two", 1, 3, 4)
    joined(tmp_path / "new", one, two)
    joined(one, two)
    missing = 5 - len({*mine, 1, 3, 4})
    for folder in (one, tmp_path / "new"):
        assert len(parts(folder)) == 5 - missing
        assert overview(folder).state == ("to be continued" if missing else "complete")
        assert (run(folder).games > 0) == (missing > 0)
        assert digests(folder) == digests(whole)
        assert files_in(folder / "bots") == files_in(whole / "bots")


def files_in(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): content for path, content in contents(folder).items()}


def test_joined_again_nothing_changes(folder: Path, other: Path) -> None:
    joined(folder, other)
    before = contents(folder)
    assert joined(folder, other).games == 0
    assert contents(folder) == before


def test_a_run_that_went_further_is_taken_over_with_its_schedule(folder: Path, whole: Path, tmp_path: Path) -> None:
    further = Path(shutil.copytree(whole, tmp_path / "further"))
    run(further, CONFIG.replace("bully]", "bully, miser]"))
    joined(folder, further)
    ours, theirs = Store(folder).read_manifest(), Store(further).read_manifest()
    assert (ours.stretches, ours.schedule, ours.bots) == (theirs.stretches, theirs.schedule, theirs.bots)
    assert (folder / "config.yaml").read_text() == (further / "config.yaml").read_text()
    assert digests(folder) == digests(further)
    assert run(folder, CONFIG.replace("bully]", "bully, miser]")).games == 0


def test_chunks_are_cut_anew_where_a_schedule_ends_elsewhere(tmp_path: Path) -> None:
    """One run ends within a chunk of the other: at block 25 of 45, by chunks of ten."""
    short, long = CONFIG.replace("blocks: 30", "blocks: 25"), CONFIG.replace("blocks: 30", "blocks: 45")
    run(tmp_path / "short", short)
    run(tmp_path / "long", long)
    joined(tmp_path / "short", tmp_path / "long")
    names = [path.stem for path in parts(tmp_path / "short") if "2p" in path.name]
    assert [name[-17:] for name in names] == [
        "00000000-00000010", "00000010-00000020", "00000020-00000025", "00000025-00000030", "00000030-00000040",
        "00000040-00000045",
    ]  # fmt: skip
    assert digests(tmp_path / "short") == digests(tmp_path / "long")
    assert run(tmp_path / "short", long).games == 0
    run(tmp_path / "again", short)
    parts(tmp_path / "short")[3].unlink()
    joined(tmp_path / "long", tmp_path / "again", tmp_path / "short")
    parts(tmp_path / "long")[2].unlink()  # 20 to 30: the two others have 20 to 25 between them, and no more
    assert joined(tmp_path / "long", tmp_path / "again", tmp_path / "short").games == 0
    assert run(tmp_path / "long", long).games == 20


# Other seeds


def as_played(*folders: Path) -> str:
    """All games of some folders by their deals and with their bots' names, without the numbers they have there."""
    found = []
    for folder in folders:
        manifest, games = Store(folder).read_manifest(), Store(folder).games()
        names = np.array([*(f"{spec.name} {spec.version}" for spec in manifest.bots), ""])
        games[SEATS] = names[games[SEATS].to_numpy()]
        deals = [manifest.deal_of(*place) for place in zip(games["table"], games["block"].tolist(), strict=True)]
        found.append(games.assign(block=[number for *_, number in deals], seed=[seed for seed, *_ in deals]))
    whole = pd.concat(found).astype({"table": str})
    return whole.sort_values(["seed", "table", "block", "rotation"]).to_csv(index=False)


SEATS = [f"bot{seat}" for seat in range(6)]


def test_blocks_of_another_seed_are_more_blocks_and_every_game_is_as_it_was(
    folder: Path, whole: Path, other: Path
) -> None:
    joined(folder, other)
    assert as_played(folder) == as_played(whole, other)
    manifest, games = Store(folder).read_manifest(), Store(folder).games()
    assert [spec.name for spec in manifest.bots] == ["random", "greedy", "bully", "miser"]
    assert not games.duplicated(["table", "block", "rotation"]).any()
    sums = [pd.concat([Store(one).blocks() for one in group]) for group in ((folder,), (whole, other))]
    plain = [one.drop(columns="block").sort_values([*one.columns.drop("block")]).to_csv(index=False) for one in sums]
    assert plain[0] == plain[1]
    assert departure(games.iloc[::9], manifest) == "", "each is replayed from its own deal"
    assert overview(folder).state == "complete"
    assert run(folder).games == 0, "the config asks for what was played here"
    assert manifest.name == "small", "a name that both have is said once"
    (entry,) = (entry for entry in manifest.history if "joined" in entry)
    assert (entry["joined"], entry["name"]) == (Store(other).read_manifest().run, "small")


@pytest.mark.parametrize("chunk_games", [20, 12])
def test_what_is_missing_of_another_seed_is_played_here(
    whole: Path, folder: Path, other: Path, tmp_path: Path, chunk_games: int
) -> None:
    """By the deals of that seed; also where its chunks were of another size."""
    theirs = tmp_path / "theirs"
    run(theirs, OTHER, chunk_games)
    parts(theirs)[0].unlink()
    parts(theirs, "blocks")[-1].unlink()
    joined(folder, theirs)
    assert overview(folder).state == "to be continued"
    assert run(folder).games > 0
    assert as_played(folder) == as_played(whole, other)
    run(theirs, OTHER, chunk_games)
    assert joined(folder, theirs).games == 0


def test_a_joined_ladder_goes_on_by_its_own_config(folder: Path, other: Path) -> None:
    joined(folder, other)
    assert run(folder, CONFIG.replace("blocks: 30", "blocks: 40")).games == 20
    assert run(folder, CONFIG.replace("bully]", "bully, miser]").replace("blocks: 30", "blocks: 40")).games > 0
    with pytest.raises(ResultsError, match="bot 'miser', which the config leaves out"):
        run(folder)
    assert joined(folder, other).games == 0


def test_three_seeds_in_any_order_hold_the_same_games(whole: Path, other: Path, tmp_path: Path) -> None:
    third = tmp_path / "third"
    run(third, CONFIG.replace("0011", "aa11").replace("blocks: 30", "blocks: 4"))
    joined(tmp_path / "one", whole, other, third)
    joined(tmp_path / "two", third, other)
    joined(tmp_path / "two", whole)
    joined(tmp_path / "three", other, tmp_path / "two", tmp_path / "one")
    for name in ("one", "two", "three"):
        assert as_played(tmp_path / name) == as_played(whole, other, third)


def test_bots_from_elsewhere_come_with_their_sources_and_are_not_trusted(whole: Path, tmp_path: Path) -> None:
    fox = tmp_path / "fox.py"
    fox.write_text(FOX)
    text = OTHER.replace("miser", f"{{bot: '{fox}:Fox', level: trusted}}").replace("blocks: 10", "blocks: 2")
    run(tmp_path / "theirs", text)
    fox.unlink()
    parts(tmp_path / "theirs")[0].unlink()
    folder = Path(shutil.copytree(whole, tmp_path / "run"))
    joined(folder, tmp_path / "theirs")
    spec = Store(folder).read_manifest().bots[-1]
    assert (spec.name, spec.level) == ("fox", "jailed")
    assert (Store(folder).sources(spec) / "fox.py").read_text() == FOX
    assert run(folder).games > 0
    assert overview(folder).state == "complete"


def test_what_bots_used_comes_under_their_names(folder: Path, other: Path, tmp_path: Path) -> None:
    theirs = Path(shutil.copytree(other, tmp_path / "theirs"))
    used = BotUsage(cpu_s=1.5, decisions=7, printed="hello")
    for part in parts(theirs)[:2]:
        write_whole(theirs / "usage" / f"{part.stem}.json", json.dumps({"miser": asdict(used)}).encode())
    joined(folder, theirs)
    assert Store(folder).usage() == {"miser": BotUsage(cpu_s=3.0, decisions=14, printed="hello")}


# What is refused


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("players: 2,", "players: 3,"), "it is played at other tables (without 2p:123; with 3p:12345)"),
        (("blocks: 10}", "blocks: 10, rules: {negative_money: false}}"), "it is played at other tables (without 4p"),
        (("executor:", "limits: {turn_ms: 50}\nexecutor:"), "it has other limits (turn_ms 50, not 100)"),
        (("fill: random", "fill: greedy"), "fills its empty seats, not random "),
        (("bully", "{bot: greedy, name: bully}"), "bot 'bully' has version "),
    ],
)
def test_other_rules_limits_and_bots_are_refused(
    folder: Path, tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    theirs = tmp_path / "theirs"
    text = CONFIG.replace("0011", "ff11").replace("blocks: 30", "blocks: 1").replace("blocks: 10", "blocks: 2")
    text = text.replace("blocks: 2}", "blocks: 10}")
    try:
        run(theirs, text.replace(*change))
    except BossError as error:
        pytest.fail(str(error))
    said = refused(folder, theirs)
    assert said.startswith(f"{theirs}: cannot be joined to {folder}: ")
    assert words in said
    assert refused(tmp_path / "new", folder, theirs) == said, "of three, the two that disagree are named"


def test_games_of_one_deal_that_came_out_differently_are_refused(folder: Path, whole: Path, tmp_path: Path) -> None:
    theirs = Path(shutil.copytree(whole, tmp_path / "theirs"))
    alter(theirs, "money2", 5)
    part = next(path for path in parts(theirs) if "4p" in path.name)
    said = refused(folder, theirs)
    assert said.startswith(f"{folder / 'games' / part.name} and {part}: hold games of the same deals")
    assert "games: block 1, rotation 1, money2 " in said
    assert refused(tmp_path / "new", folder, theirs) == said
    part.unlink()
    assert joined(folder, theirs).games == 0


def test_a_run_continued_in_two_ways_is_refused(folder: Path, whole: Path, tmp_path: Path) -> None:
    theirs = Path(shutil.copytree(whole, tmp_path / "theirs"))
    run(folder, CONFIG.replace("bully]", "bully, miser]"))
    run(theirs, CONFIG.replace("bully]", "bully, patient]"))
    said = refused(folder, theirs)
    assert f"{folder} and {theirs}: have one seed, and differ in who plays its blocks: at 2p:123, block 3" in said
    assert refused(tmp_path / "new", whole, folder, theirs) == said


def test_folders_that_are_in_use_or_none_are_refused(folder: Path, other: Path, tmp_path: Path) -> None:
    theirs = Path(shutil.copytree(other, tmp_path / "theirs"))
    for held in (folder, theirs):
        with locked(held):
            assert refused(folder, theirs).startswith(f"{held}: another run is writing here")
    assert "is named twice" in refused(folder, theirs, folder)
    assert "no results here" in refused(folder, tmp_path / "nowhere")
    assert "no results folder" in refused(tmp_path, theirs)
    (tmp_path / "gate.json").write_text("{}")
    assert "is one side of a gate" in refused(folder, theirs)


def test_damaged_parts_are_left_out_and_replaced(folder: Path, whole: Path, tmp_path: Path) -> None:
    theirs = Path(shutil.copytree(whole, tmp_path / "theirs"))
    bad = parts(theirs)[0]
    bad.write_bytes(bad.read_bytes()[:-50])
    mine = parts(folder)[1]
    mine.write_bytes(b"torn")
    warnings = joined(folder, theirs).warnings
    assert f"{theirs}: what lies in damaged parts is left out: games/{bad.name}: it is cut short" in warnings[0]
    assert f"games/{mine.name}" in warnings[1]
    assert digests(folder) == digests(whole)


def test_other_versions_are_tried_on_their_games(folder: Path, whole: Path, tmp_path: Path) -> None:
    theirs = Path(shutil.copytree(whole, tmp_path / "theirs"))
    path = theirs / "manifest.json"
    value = json.loads(path.read_text())
    value["versions"]["numpy"] = "1.0"
    path.write_text(json.dumps(value))
    joined(folder, theirs)
    assert any(entry["versions"]["numpy"] == "1.0" for entry in Store(folder).read_manifest().history)
    alter(theirs, "rank3", 5)
    assert "comes out otherwise" in refused(folder, theirs)


# Broken off


class Killed(BaseException):
    """As if the process were killed."""


def test_broken_off_anywhere_it_can_be_finished_or_played_on(
    whole: Path, other: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each file that is written: the same command then finishes, and so does a run without it."""
    joined(tmp_path / "expected", whole, other)
    expected = digests(tmp_path / "expected")
    halves = share(tmp_path / "halves", 0, 3)
    for steps in (0, 1, 2, 5, 8, 12, 200):
        for into in (tmp_path / f"new{steps}", Path(shutil.copytree(halves, tmp_path / f"old{steps}"))):
            with monkeypatch.context() as patch:
                assert dying(patch, steps, into, whole, other) == (steps < 200)
            if steps % 2 and (into / "manifest.json").is_file():
                run(into)
            joined(into, whole, other)
            assert digests(into) == expected


def dying(patch: pytest.MonkeyPatch, steps: int, into: Path, *folders: Path) -> bool:
    """Join folders but die before a file is written, after so many; return whether it came to that."""
    left = iter(range(steps))

    def write(path: Path, content: bytes) -> None:
        if next(left, None) is None:
            raise Killed
        write_whole(path, content)

    for module in ("merge", "store"):
        patch.setattr(f"harness.ladder.{module}.write_whole", write)
    try:
        merging.merge(into, folders, Heard())
    except Killed:
        return True
    return False


def test_a_joined_ladder_rates_all_its_bots(folder: Path, other: Path) -> None:
    joined(folder, other)
    ratings, theirs = (api.open_ladder(one).ratings.set_index("bot") for one in (folder, other))
    assert set(ratings.index) == {"random", "greedy", "bully", "miser"}
    assert np.isfinite(ratings["elo"]).all()
    assert ratings.loc["miser", "blocks"] == theirs.loc["miser", "blocks"]
    assert ratings.loc["greedy", "blocks"] > theirs.loc["greedy", "blocks"]
