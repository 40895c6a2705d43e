"""What a jailed process may read: built-in bots not, even where the folder above them is readable, as installed."""

from pathlib import Path

import pytest

from harness.game.rules import usual_rules
from harness.play import isolation
from harness.play.jailed import JailedPlayer
from harness.play.limits import Limits
from harness.play.nursery import Nurseries
from harness.play.probe import probe
from harness.play.registry import spec_of
from harness.play.sources import BUILT_IN

pytestmark = pytest.mark.skipif(probe().level != "jailed", reason=probe().reason or "jailed")

READS = """
for name in ({folder!r}, {folder!r} + "/greedy.py", {folder!r} + "/../bots/_pricing.py", {beside!r}):
    try:
        open(name).close()
        print("read", flush=True)
    except OSError as error:
        print(type(error).__name__, flush=True)
"""


def test_built_in_bots_are_unreadable_below_a_readable_folder(tmp_path: Path) -> None:
    script = tmp_path / "reads.py"
    script.write_text(READS.format(folder=str(BUILT_IN), beside=str(BUILT_IN.parent / "pyproject.toml")))
    readable = [str(BUILT_IN.parent), str(tmp_path)]
    process = isolation.start("jailed", isolation.python_command(script), readable, [], str(tmp_path))
    try:
        said = b"".join(iter(lambda: process.reader.read(4096), b"")).decode().split()
    finally:
        process.kill()
    assert said == ["PermissionError"] * 3 + ["read"]


@pytest.mark.parametrize("name", ["greedy_py", "greedy"])
def test_a_built_in_bot_in_a_jail_still_reads_its_own_files(name: str) -> None:
    """One that imports its neighbours as `bots._pricing`, too."""
    spec = spec_of(name, level="jailed")
    limits = Limits(load_s=60, memory_mb=2000)
    with Nurseries() as nurseries, JailedPlayer(spec, usual_rules(2), limits, 1, nurseries) as player:
        assert player.loaded()


def test_a_bot_imports_packages_of_the_environment_that_this_one_builds_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a virtual environment with the system's packages: they lie in another folder than its own."""
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages" / "shed.py").write_text("FIRST = 0\n")
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import shed\nfrom harness import Bot, Turn\n\n\nclass First(Bot):\n"
        "    def act(self, view):\n        return Turn(view.hand[shed.FIRST])\n"
    )
    folders = (isolation.packages, isolation.python_folders)
    for found in folders:
        found.cache_clear()
    try:
        with monkeypatch.context() as patch:
            patch.syspath_prepend(tmp_path / "site-packages")
            spec, limits = spec_of(f"{bot}:First", level="jailed"), Limits(load_s=60, memory_mb=2000)
            with Nurseries() as nurseries, JailedPlayer(spec, usual_rules(2), limits, 1, nurseries) as player:
                assert player.loaded()
    finally:
        for found in folders:
            found.cache_clear()
