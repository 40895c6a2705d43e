"""Small results folders to damage: played by built-in bots, in a few chunks."""

from pathlib import Path

from harness.ladder.config import Config, load_config
from harness.ladder.executor import Executor, HereExecutor
from harness.ladder.run import Plan, Silence, plan_run, play_run
from harness.ladder.store import Store

CONFIG = """\
name: small
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, bully]
tables:
  - {players: 2, blocks: 30}
  - {players: 4, blocks: 10}
schedule: {fill: random}
executor: {kind: local, workers: 1}
"""


class Heard(Silence):
    """A progress that keeps the warnings, and how many games were played."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.games = 0

    def warn(self, text: str) -> None:
        self.warnings.append(text)

    def advance(self, games: int, faults: dict[str, int]) -> None:
        self.games += games


def config_of(folder: Path, text: str = CONFIG) -> Config:
    """The config as read from a file in this folder."""
    path = folder / "small.yaml"
    path.write_text(text)
    return load_config(path)


def planned(folder: Path, text: str = CONFIG, chunk_games: int = 20, fresh: bool = False) -> Plan:
    """The plan of a run into this folder, in small chunks; its config lies beside it."""
    plan = plan_run(config_of(folder.parent, text), folder, fresh)
    object.__setattr__(plan.manifest, "chunk_games", chunk_games)
    return plan


def run(
    folder: Path, text: str = CONFIG, chunk_games: int = 20, fresh: bool = False, executor: Executor | None = None
) -> Heard:
    """Run or continue a ladder here, and return what was heard of it."""
    heard = Heard()
    play_run(planned(folder, text, chunk_games, fresh), executor or HereExecutor(), heard)
    return heard


def digests(folder: Path) -> tuple[str, str]:
    """The digest of the games, and the block sums as text."""
    store = Store(folder)
    return store.digest(), store.blocks().to_csv()


def contents(folder: Path) -> dict[Path, bytes]:
    """Every file of a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def parts(folder: Path, content: str = "games") -> list[Path]:
    """The parts of a results folder, in order."""
    return sorted((folder / content).glob("part-*.parquet"))
