"""From a config to stored games: same bytes on any executor, resumable, and another run refused."""

import hashlib
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from harness.errors import BotError, ResultsError
from harness.ladder.chunk import Chunk, ChunkResult, play_chunk
from harness.ladder.config import Config, load_config
from harness.ladder.executor import Executor, HereExecutor
from harness.ladder.feed import chunks_of
from harness.ladder.local_pool import LocalExecutor
from harness.ladder.run import Silence, plan_run, play_run
from harness.ladder.store import Store
from harness.play.registry import load_class, spec_of
from harness.play.sources import files_of

CONFIG = """\
name: small
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, bully]
tables:
  - {players: 2, blocks: 30}
  - {players: 4, blocks: 10}
  - {players: 6, blocks: 4}
schedule: {fill: random}
executor: {kind: local, workers: 1}
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return config_of(tmp_path, CONFIG)


def config_of(folder: Path, text: str) -> Config:
    path = folder / "small.yaml"
    path.write_text(text)
    return load_config(path)


def run(config: Config, folder: Path, executor: Executor | None = None, chunk_games: int = 20) -> str:
    """Run a ladder in small chunks and return the hash of its sorted tables."""
    plan = plan_run(config, folder)
    object.__setattr__(plan.manifest, "chunk_games", chunk_games)
    play_run(plan, executor or HereExecutor(), Silence())
    return digest(folder)


def digest(folder: Path) -> str:
    store = Store(folder)
    text = store.games().to_csv() + store.blocks().to_csv()
    return hashlib.sha256(text.encode()).hexdigest()


class Breaking:
    """Plays some chunks, the last ones first, and is then interrupted."""

    def __init__(self, chunks: int) -> None:
        self.chunks = chunks

    def play(self, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, ChunkResult]]:
        for chunk in list(chunks)[::-1][: self.chunks]:
            yield chunk, play_chunk(chunk)
        raise KeyboardInterrupt


def test_every_executor_gives_the_same_bytes(config: Config, tmp_path: Path) -> None:
    here = run(config, tmp_path / "here")
    assert run(config, tmp_path / "two", LocalExecutor(2)) == here
    assert run(config, tmp_path / "chunks", chunk_games=1000) == here


def test_an_interrupted_run_goes_on_to_the_same_bytes(config: Config, tmp_path: Path) -> None:
    whole = run(config, tmp_path / "whole")
    for chunks in (1, 3):
        with pytest.raises(KeyboardInterrupt):
            run(config, tmp_path / "broken", Breaking(chunks))
    half = len(Store(tmp_path / "broken").games())
    assert 0 < half < len(Store(tmp_path / "whole").games())
    assert run(config, tmp_path / "broken") == whole


def test_a_finished_run_plays_nothing_more(config: Config, tmp_path: Path) -> None:
    run(config, tmp_path / "run")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "games").iterdir()}
    run(config, tmp_path / "run")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "games").iterdir()} == before


def test_more_blocks_continue_the_same_schedule(config: Config, tmp_path: Path) -> None:
    run(config, tmp_path / "grown")
    more = config_of(tmp_path, CONFIG.replace("blocks: 30", "blocks: 50"))
    assert run(more, tmp_path / "grown") == run(more, tmp_path / "at once")


def test_an_added_bot_leaves_what_was_played(config: Config, tmp_path: Path) -> None:
    run(config, tmp_path / "run")
    before = Store(tmp_path / "run").games()
    run(config_of(tmp_path, CONFIG.replace("bully]", "bully, miser]")), tmp_path / "run")
    after = Store(tmp_path / "run").games()
    old = after.merge(before, on=["table", "block", "rotation"], suffixes=("", "_before"))
    assert len(old) == len(before)
    assert (old["turns"] == old["turns_before"]).all()
    assert len(after) == 2 * 30 * 2 + 2 * 10 * 4 + 2 * 4 * 6
    bots = [spec.name for spec in Store(tmp_path / "run").read_manifest().bots]
    new = after[after["block"] >= 30]
    assert bots.index("miser") in set(new["bot0"])


def test_seats_money_and_ranks_are_stored_by_the_rules(config: Config, tmp_path: Path) -> None:
    run(config, tmp_path / "run")
    games = Store(tmp_path / "run").games()
    for table, rows in games.groupby("table"):
        players = int(table[0])
        seats = rows[[f"bot{seat}" for seat in range(6)]]
        assert (seats.iloc[:, :players] >= 0).all(axis=None)
        assert (seats.iloc[:, players:] == -1).all(axis=None)
        for _, block in rows.groupby("block"):
            together = [sorted(block[f"bot{seat}"]) for seat in range(players)]
            assert all(seat == together[0] for seat in together), "each bot plays every seat's cards"
    teams = games[games["players"] == 6]
    assert (teams["rank0"] == teams["rank3"]).all()
    assert (teams["money2"] == teams["money5"]).all()
    best = games[[f"money{seat}" for seat in range(6)]].max(axis=1)
    by_money = games[games["decided_by"] == 0]
    for seat in range(2):
        first = by_money[by_money[f"rank{seat}"] == 1]
        assert (first[f"money{seat}"] == best[first.index]).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('seed: "0011', 'seed: "ff11'), "another seed"),
        (
            ("players: 4, blocks: 10", "players: 4, blocks: 10, rules: {talk: none, negative_money: false}"),
            "other tables",
        ),
        (("  - {players: 6, blocks: 4}\n", ""), "missing 6p:12345678"),
        (("greedy, bully", "greedy"), "leaves out"),
    ],
)
def test_another_run_is_refused_and_nothing_changes(
    config: Config, tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    run(config, tmp_path / "run")
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    other = config_of(tmp_path, CONFIG.replace(*change))
    with pytest.raises(ResultsError, match=words):
        plan_run(other, tmp_path / "run")
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == before


def test_a_bot_edited_since_it_played_is_refused(tmp_path: Path) -> None:
    source = Path(__file__).parent.parent.parent / "bots" / "random.py"
    shutil.copy(source, tmp_path / "fox.py")
    text = CONFIG.replace("bully", "fox.py")
    run(
        config_of(tmp_path, text.replace("fox.py", "{bot: 'fox.py:Random', name: fox, level: trusted}")),
        tmp_path / "run",
    )
    (tmp_path / "fox.py").write_text(source.read_text() + "\n# edited\n")
    with pytest.raises(ResultsError, match="'fox' has changed since it played"):
        plan_run(
            config_of(tmp_path, text.replace("fox.py", "{bot: 'fox.py:Random', name: fox, level: trusted}")),
            tmp_path / "run",
        )


def test_a_fill_bot_edited_since_it_played_is_refused(tmp_path: Path) -> None:
    source = Path(__file__).parent.parent.parent / "bots" / "random.py"
    shutil.copy(source, tmp_path / "fox.py")
    text = CONFIG.replace("fill: random", "fill: {bot: 'fox.py:Random', name: fox, level: trusted}")
    run(config_of(tmp_path, text), tmp_path / "run")
    (tmp_path / "fox.py").write_text(source.read_text() + "\n# edited\n")
    with pytest.raises(ResultsError, match="'fox' has changed since it played"):
        plan_run(config_of(tmp_path, text.replace("blocks: 30", "blocks: 50")), tmp_path / "run")


def test_a_bots_version_covers_what_it_imports_from_beside_it(tmp_path: Path) -> None:
    bots = Path(__file__).parent.parent.parent / "bots"
    assert bots / "_pricing.py" in files_of("greedy")
    assert files_of("random") == [bots / "random.py"]
    (tmp_path / "fox.py").write_text((bots / "random.py").read_text())
    before = spec_of(f"{tmp_path}/fox.py:Random")
    (tmp_path / "fox.py").write_text((bots / "random.py").read_text() + "\nMARK = 1\n")
    after = spec_of(f"{tmp_path}/fox.py:Random")
    assert before.version != after.version
    assert sys.modules[load_class(after.reference).__module__].MARK == 1  # type: ignore[attr-defined]


def test_block_sums_without_their_games_are_not_read(config: Config, tmp_path: Path) -> None:
    run(config, tmp_path / "run")
    store = Store(tmp_path / "run")
    victim = next((tmp_path / "run" / "games").glob("part-6p*"))
    victim.unlink()
    assert set(store.blocks()["table"]) == set(store.games()["table"])


def test_an_unknown_bot_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="did you mean 'greedy'"):
        plan_run(config_of(tmp_path, CONFIG.replace("greedy", "gredy")), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_of_something_else_is_left_alone(config: Config, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.txt").write_text("precious")
    for fresh in (False, True):
        with pytest.raises(ResultsError, match="no results folder"):
            plan_run(config, tmp_path / "thesis", fresh)
    assert (tmp_path / "thesis" / "chapter1.txt").read_text() == "precious"


def test_chunks_cover_the_schedule_once(config: Config, tmp_path: Path) -> None:
    plan = plan_run(config, tmp_path / "run")
    blocks = [(block.table, block.index) for chunk in chunks_of(plan.manifest) for block in chunk.blocks]
    assert len(set(blocks)) == len(blocks) == 30 + 10 + 4
    names = [chunk.name for chunk in chunks_of(plan.manifest)]
    assert len(set(names)) == len(names)
