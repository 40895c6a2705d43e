"""Many files open at once: pipes beyond the 1,024 that `select` can look at, and a plain refusal where no more are."""

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.errors import RunError
from harness.game.rules import usual_rules
from harness.play import open_files
from harness.play.jail import OPEN_FILES
from harness.play.jailed import JailedPlayer
from harness.play.limits import Limits
from harness.play.nursery import Nurseries
from harness.play.probe import probe
from harness.play.registry import spec_of

BEYOND = 1024
LIMITS = Limits(load_s=20, memory_mb=200)

TELLS = """
import os
from harness import Bot

class Tells(Bot):
    def __init__(self):
        files = []
        try:
            while True:
                files.append(os.open("/dev/urandom", os.O_RDONLY))
        except OSError as error:
            raise RuntimeError(f"no file beyond {files[-1]}") from None

class Quiet(Bot):
    pass
"""


@pytest.fixture
def limit() -> Iterator[tuple[int, int]]:
    was = resource.getrlimit(resource.RLIMIT_NOFILE)
    if was[1] <= 2 * BEYOND:
        pytest.skip("this system allows a process few open files")
    yield was
    resource.setrlimit(resource.RLIMIT_NOFILE, was)


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    file = tmp_path / "tells.py"
    file.write_text(TELLS)
    return file


def test_a_worker_may_open_what_the_system_allows(limit: tuple[int, int]) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, limit[1]))
    with Nurseries():
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= min(limit[1], open_files.ENOUGH)
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] == limit[1]


def test_pipes_of_any_number_are_heard(limit: tuple[int, int]) -> None:
    open_files.allow_most()
    pipes = [os.pipe() for _ in range(BEYOND // 2 + 2)]
    try:
        reader, writer = pipes[-1]
        assert reader > BEYOND
        readers = [own for own, _ in pipes]
        assert open_files.heard(readers, 0) == set()
        os.write(writer, b"x")
        assert open_files.heard(readers, 0) == {reader}
        os.close(pipes[0][1])
        assert open_files.heard(readers, 0) == {reader, readers[0]}, "one that is closed at the other end counts"
    finally:
        for file in {file for pipe in pipes for file in pipe} - {pipes[0][1]}:
            os.close(file)


@pytest.mark.skipif(probe().level != "jailed", reason=probe().reason or "jailed")
def test_a_bot_may_hold_as_many_as_before_beside_a_thousand_of_the_harness(limit: tuple[int, int], bots: Path) -> None:
    with Nurseries() as nurseries:
        held = [os.open(os.devnull, os.O_RDONLY) for _ in range(BEYOND)]
        try:
            spec = spec_of(f"{bots}:Tells", level="jailed")
            with JailedPlayer(spec, usual_rules(2), LIMITS, 1, nurseries) as player:
                assert not player.loaded()
                assert player.dead is not None
                assert f"no file beyond {OPEN_FILES - 1}" in player.dead.message
        finally:
            for file in held:
                os.close(file)


@pytest.mark.skipif(probe().level != "jailed", reason=probe().reason or "jailed")
def test_too_few_are_told_of_before_a_game_is_played(limit: tuple[int, int], bots: Path) -> None:
    spec = spec_of(f"{bots}:Quiet", level="jailed")
    with Nurseries() as nurseries:
        in_use = len(os.listdir("/proc/self/fd"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (in_use + open_files.SPARE, limit[1]))
        with pytest.raises(RunError, match=r"more open files at once than the \d+ .*ulimit -Hn"):
            JailedPlayer(spec, usual_rules(2), LIMITS, 1, nurseries)
