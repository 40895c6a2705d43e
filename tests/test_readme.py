"""What the README shows works as it stands there."""

import re
from pathlib import Path

import pytest

from harness import api
from harness.ladder.config import load_config

PROJECT = Path(__file__).parent.parent
README = (PROJECT / "README.md").read_text()


def block(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert len(found) == 1
    return str(found[0])


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_bot_plays_every_table_without_a_fault(tmp_path: Path, players: int) -> None:
    file = tmp_path / "fox.py"
    file.write_text(block("python"))
    ladder = api.match([f"{file}:Fox", "greedy", "random"], players, blocks=8)
    assert (ladder.games["faults"] == 0).all()
    assert set(ladder.ratings["bot"]) == {"fox", "greedy", "random"}


def test_the_config_loads(tmp_path: Path) -> None:
    (tmp_path / "my.yaml").write_text(block("yaml"))
    config = load_config(tmp_path / "my.yaml")
    assert len(config.kinds) == 11 + 1 + 1


def test_every_room_and_link_exists() -> None:
    for room in re.findall(r"^\| `(harness/\w+/|bots/|benchmarks/)", README, re.MULTILINE):
        assert (PROJECT / room).is_dir(), room
    for link in re.findall(r"\]\((?!http)([^)]+)\)", README):
        assert (PROJECT / link).exists(), link
