"""`boss rate` on the command line: a table for people, JSON for programs, one message for a mistake."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness import cli
from harness.cli.measuring import rate

DUELS = "game,player,rank\n" + "".join(
    f"{game},{first},1\n{game},{second},2\n"
    for game, (first, second) in enumerate([("Ann", "Bo")] * 30 + [("Bo", "Ann")] * 20)
)


def boss(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli.app, words, catch_exceptions=True)
    return done.exit_code, done.stdout, done.stderr


def test_a_table_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "duels.csv").write_text(DUELS)
    rate(tmp_path / "duels.csv", reference="Bo", prior=0.0)
    shown = capsys.readouterr().out
    assert "Ann" in shown
    assert "70.4" in shown  # 400 log10(3/2)
    assert "every game is taken for a block of its own" in shown


def test_no_chance_is_told_where_there_is_no_finite_maximum(tmp_path: Path) -> None:
    (tmp_path / "perfect.csv").write_text(
        "game,player,rank\n" + "".join(f"{game},Ann,1\n{game},Bo,2\n" for game in range(60))
    )
    _, shown, _ = boss("rate", str(tmp_path / "perfect.csv"), "--prior", "0")
    rows = [line.split() for line in shown.splitlines() if " Ann " in line or " Bo " in line]
    assert [row[-1] for row in rows] == ["–", "–"]
    _, shown, _ = boss("rate", str(tmp_path / "perfect.csv"))
    assert [line.split()[-1] for line in shown.splitlines() if " Ann " in line] == ["100.0%"]


def test_json_for_programs(tmp_path: Path) -> None:
    (tmp_path / "duels.csv").write_text(DUELS)
    status, answer, _ = boss("rate", str(tmp_path / "duels.csv"), "--json", "--reference", "Bo", "--prior", "0")
    assert status == 0
    players = json.loads(answer)["players"]
    assert [player["player"] for player in players] == ["Ann", "Bo"]
    assert players[0]["theta"] == pytest.approx(0.405465, abs=1e-6)
    assert players[0]["theta_se"] == pytest.approx((1 / 30 + 1 / 20) ** 0.5, abs=1e-6)
    assert players[0]["wins"] == 30


def test_a_bad_row_ends_with_one_message_and_status_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "duels.csv").write_text(DUELS + "50,Ann,first\n")
    monkeypatch.setattr("sys.argv", ["boss", "rate", str(tmp_path / "duels.csv")])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "line 102: rank 'first'" in err
