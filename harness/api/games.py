"""Single games: their records, and how they went."""

import re
from collections.abc import Iterator
from pathlib import Path

from harness.errors import BossError
from harness.game.replay import replay_file
from harness.ladder import archive
from harness.ladder.run import Progress, Silence
from harness.ladder.store import Store
from harness.play.ask import ask
from harness.play.registry import spec_of


def export(folder: str | Path, file: str | Path, progress: Progress | None = None) -> int:
    """Write the record of every stored game to a .jsonl or .jsonl.gz file; return how many."""
    store = Store(Path(folder))
    manifest, games = store.read_manifest(), store.games(archive.RECORD_COLUMNS)
    watcher = progress or Silence()
    watcher.begin(len(games), 0)
    return archive.export(games, manifest, Path(file), lambda count: watcher.advance(count, {}))


def replay(
    source: str | Path, game: int, seat: int | None = None, bot: str | None = None, at: str | None = None
) -> Iterator[str]:
    """Yield the texts that show one game of a results folder or record file, decision by decision.

    With `seat` only what that seat saw. With `bot` and `at` (hand.turn, of `seat`) the answer of that bot instead.
    """
    path = Path(source)
    if path.is_file():
        told = archive.moments_of_file(path, game)
    else:
        store = Store(path)
        manifest = store.read_manifest()
        told = archive.moments_of(store.games(archive.RECORD_COLUMNS), manifest, game)
    if bot is not None or at is not None:
        if bot is None or at is None or seat is None:
            raise BossError("--bot needs --seat and --at HAND.TURN: whose place it takes, and when")
        return iter([ask(told, spec_of(bot), seat, *_moment(at))])
    return archive.texts(told, seat)


def check_records(file: str | Path) -> int:
    """Play every record of a .jsonl or .jsonl.gz file again by the rules; return how many, or raise RecordError."""
    if Path(file).is_dir():
        raise BossError(f"{file}: name a game of this results folder, or a file of records")
    return replay_file(file)


def _moment(at: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)\.(\d+)", at)
    if not match:
        raise BossError(f"--at {at}: write HAND.TURN, both from 1, as in 2.4 (turn 0: the reckoning)")
    return int(match[1]), int(match[2])
