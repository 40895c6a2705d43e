"""Stored games become records again that both referees accept, fault for fault."""

import gzip
import json
from pathlib import Path

import pytest
import referee

from harness import api
from harness.errors import BossError, ResultsError
from harness.game.replay import replay_file

BAD_BOT = """\
from harness import Bot, Turn

class Bad(Bot):
    def act(self, view):
        if view.seat == 1 and view.turn_number == 2:
            raise ValueError("seat one again")
        return Turn(view.hand[0], view.cheapest_placement(view.row[0]))
"""

CONFIG = """\
name: small
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, {bot: "bad.py:Bad"}]
tables:
  - {players: 3, blocks: 6}
  - {players: 6, blocks: 3}
schedule: {fill: random}
executor: {kind: local, workers: 1}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("ladder")
    (place / "bad.py").write_text(BAD_BOT)
    (place / "small.yaml").write_text(CONFIG)
    api.run_ladder(place / "small.yaml", out=place / "run")
    return place / "run"


def test_exported_records_are_accepted_by_both_referees(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl.gz"
    count = api.export(folder, file)
    assert count == 6 * 3 + 3 * 6
    assert replay_file(file) == count
    assert referee.check_file(file) == count
    with gzip.open(file, "rt") as lines:
        records = [json.loads(line) for line in lines]
    assert [record["game"] for record in records] == list(range(count))
    faulty = [record for record in records if record["faults"]]
    assert faulty
    for record in faulty:
        assert {(fault["seat"], fault["turn"]) for fault in record["faults"]} == {(1, 2)}
        assert record["bots"][1]["name"] == "bad"
        assert (record["forfeits"] == [1]) == (len(record["faults"]) == 3)
    forfeited = next(record for record in records if record["forfeits"] and record["table"].startswith("3p"))
    assert forfeited["rated_ranks"][1] == 3


def test_a_game_is_shown_to_all_and_to_one_seat(folder: Path) -> None:
    everything, one = ["\n".join(api.replay(folder, 0, seat)) for seat in (None, 2)]
    assert everything.count("-->") == one.count("-->") >= 45, "three seats, five turns, three hands at least"
    assert "Hand 3" in one
    assert len(one) < len(everything)


def test_a_bot_asked_again_answers_what_it_played(folder: Path) -> None:
    games = api.open_ladder(folder).games
    seat = next(seat for seat in range(3) if games.loc[0, f"bot{seat}"] == 0)
    for at in ("1.1", "2.3", "3.5"):
        answer, played = next(iter(api.replay(folder, 0, seat, "random", at))).splitlines()
        assert answer.split(":", 1)[1].strip() == played.split(":", 1)[1].strip()


def test_what_is_not_there_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="numbered 0 to 35"):
        list(api.replay(folder, 36))
    with pytest.raises(ResultsError, match="no decision at hand 9"):
        list(api.replay(folder, 0, 0, "random", "9.1"))
    with pytest.raises(BossError, match=r"write HAND\.TURN"):
        list(api.replay(folder, 0, 0, "random", "first"))
    with pytest.raises(BossError, match="jsonl"):
        api.export(folder, tmp_path / "games.txt")
    with pytest.raises(ResultsError, match="no results here"):
        api.export(tmp_path, tmp_path / "games.jsonl")
    assert not list(tmp_path.iterdir())
