"""The command line: every verb helps, is documented and works; every mistake ends with one message and status 2."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.main import get_command

from harness.cli import app

PROJECT = Path(__file__).parent.parent
COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]

CONFIG = """\
name: tiny
bots: [random, greedy, miser]
tables:
  - {players: 3, blocks: 4}
  - {players: 6, blocks: 2}
schedule: {fill: random}
executor: {kind: local, workers: 1}
"""


def boss(*words: str | Path, cwd: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "harness", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "COLUMNS": "120"},
    )
    assert done.returncode == status, done.stderr + done.stdout
    assert "Traceback" not in done.stderr + done.stdout
    return done


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_helps_with_an_example_and_stands_in_the_readme(command: str) -> None:
    own = get_command(app).commands[command]  # type: ignore[attr-defined]
    assert f"boss {command}" in own.help
    assert all(option.help for option in own.params if option.name != "help")
    assert f"`boss {command}" in (PROJECT / "README.md").read_text()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    (folder / "tiny.yaml").write_text(CONFIG)
    done = boss("run", "tiny.yaml", cwd=folder)
    assert "greedy" in done.stdout
    assert "results/tiny/report.html" in done.stdout
    assert done.stderr.splitlines()[-1] == "Rating the games and writing the report ..."
    return folder


def test_a_run_leaves_every_file_it_promises(played: Path) -> None:
    results = played / "results" / "tiny"
    for name in ("config.yaml", "manifest.json", "ratings.csv", "ratings.json", "report.md", "report.html"):
        assert (results / name).stat().st_size > 0, name
    for folder in ("bots", "games", "blocks", "plots", "balance"):
        assert list((results / folder).iterdir()), folder


def test_running_again_plays_nothing_and_says_so(played: Path) -> None:
    done = boss("run", "tiny.yaml", cwd=played)
    assert "24 of 24 games lie stored" in done.stderr


def test_report_export_and_replay_read_a_results_folder(played: Path) -> None:
    assert "greedy" in boss("report", "results/tiny", cwd=played).stdout
    assert "24 games" in boss("export", "results/tiny", "tiny.jsonl.gz", cwd=played).stdout
    from_folder = boss("replay", "results/tiny", "3", "--seat", "1", cwd=played).stdout
    assert "Hand 1" in from_folder
    from_file = boss("replay", "tiny.jsonl.gz", "3", "--seat", "1", cwd=played).stdout
    assert from_file == from_folder
    asked = boss("replay", "results/tiny", "3", "--seat", "1", "--bot", "miser", "--at", "1.2", cwd=played).stdout
    assert "miser answers: reveal" in asked


def test_ladders_are_listed_and_joined(played: Path) -> None:
    more = CONFIG.replace("tiny", "more").replace("miser", "bully").replace("blocks: 4", "blocks: 2")
    (played / "more.yaml").write_text(more)
    boss("run", "more.yaml", cwd=played)
    done = boss("merge", "joined/all", "results/tiny", "results/more", cwd=played)
    assert "42 games added, now 42; SHA-256: " in done.stdout
    assert done.stdout.startswith("tiny + more: Elo")
    assert all(bot in done.stdout for bot in ("random", "greedy", "miser", "bully"))
    assert (played / "joined" / "all" / "report.html").is_file()
    listed = json.loads(boss("ladders", "--json", ".", cwd=played).stdout)
    assert {one["folder"]: (one["games"], one["state"]) for one in listed} == {
        "joined/all": (42, "complete"),
        "results/more": (18, "complete"),
        "results/tiny": (24, "complete"),
    }
    assert listed[0]["leader"]["bot"] in ("greedy", "bully", "miser")
    assert "results/tiny" in boss("ladders", cwd=played).stdout
    shutil.rmtree(played / "joined")
    assert "no ladder lies in" in boss("ladders", "results/tiny/games", cwd=played).stdout


def test_a_new_bot_plays_at_once(tmp_path: Path) -> None:
    boss("new", "clever_fox", cwd=tmp_path)
    done = boss("match", "my_bots/clever_fox.py:CleverFox", "random", "--blocks", "3", "--json", cwd=tmp_path)
    ratings = json.loads(done.stdout)
    assert {row["bot"] for row in ratings} == {"cleverfox", "random"}
    assert all(row["games"] == 6 for row in ratings)
    again = boss("new", "clever_fox", cwd=tmp_path, status=2)
    assert "exists already" in again.stderr


def test_lists_are_readable_by_programs(tmp_path: Path) -> None:
    sets = json.loads(boss("sets", "--json", cwd=tmp_path).stdout)
    assert len(sets) == 24
    assert len(json.loads(boss("sets", "--exact", "--json", cwd=tmp_path).stdout)) == 47
    assert {"random", "greedy", "greedy_py"} <= {
        row["bot"] for row in json.loads(boss("bots", "--json", cwd=tmp_path).stdout)
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("greedy", "gredy"), "did you mean 'greedy'"),
        (("blocks: 4", "bloks: 4"), "did you mean 'blocks'"),
        (("blocks: 4", "blocks: -4"), "tables[0].blocks"),
        (("players: 3,", "players: 3, sets: '123',"), "13 cards != 3 players x 5 + 3 cities = 18"),
        (("schedule: {fill: random}\n", ""), "too few bots"),
        (("players: 6,", "players: 6, teams: false,"), "six play as three teams of two"),
        (("bots: [random", "bots: [nowhere/fox.py:Fox"), "no such file"),
    ],
)
def test_bad_input_is_refused_with_one_message_and_nothing_written(
    tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    (tmp_path / "bad.yaml").write_text(CONFIG.replace(*change))
    done = boss("run", "bad.yaml", cwd=tmp_path, status=2)
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2
    assert [path.name for path in tmp_path.iterdir()] == ["bad.yaml"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "none.yaml"), "cannot be read"),
        (("report", "nowhere"), "no results here"),
        (("match", "greedy", "nobody"), "no bot has this name"),
        (("match", "greedy", "--set", "1"), "does not deal out"),
        (("match", "greedy", "--players", "7"), "two to six"),
        (("match", "greedy", "--players", "0"), "two to six"),
        (("match", "greedy", "--set", "abc"), "is no card set"),
        (("match", "greedy", "--set", "0"), "is no card set"),
        (("match", "greedy", "--seed", "abc"), "32 hex digits"),
        (("replay", "bad.yaml"), "kept in .jsonl"),
        (("replay", "junk.jsonl", "1"), "line 1: is no JSON object"),
        (("replay", "junk.jsonl"), "line 1: is no JSON object"),
        (("sets", "--players", "9"), "less than or equal to 6"),
        (("replay", "nowhere", "1"), "no results here"),
        (("ladders",), "results: there is no such folder"),
        (("ladders", "bad.yaml"), "bad.yaml: is a file"),
        (("merge", "all", "nowhere"), "no results here"),
        (("merge", "all"), "Missing argument 'FROM...'"),
        (("new", "Clever Fox"), "cannot name a bot's file"),
        (("run", "bad.yaml", "--executor", "slurm"), "local or ray"),
        (("run", "bad.yaml", "--out", "a" * 300), "a: no file or folder can have so long a name"),
        (("report", "a" * 300), "no file or folder can have so long a name"),
        (("match", f"{'a' * 300}.py:Fox", "greedy"), "no such file"),
    ],
)
def test_bad_calls_end_with_status_2(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    (tmp_path / "bad.yaml").write_text(CONFIG)
    (tmp_path / "junk.jsonl").write_text("not a game\n")
    assert message in boss(*words, cwd=tmp_path, status=2).stderr


@pytest.mark.parametrize("fresh", [[], ["--fresh"]])
def test_a_file_in_place_of_the_results_folder_is_left_alone(tmp_path: Path, fresh: list[str]) -> None:
    (tmp_path / "tiny.yaml").write_text(CONFIG)
    (tmp_path / "out").write_text("precious")
    assert "is a file" in boss("run", "tiny.yaml", "--out", "out", *fresh, cwd=tmp_path, status=2).stderr
    assert (tmp_path / "out").read_text() == "precious"


def test_a_results_folder_of_another_config_is_refused(played: Path) -> None:
    (played / "other.yaml").write_text(CONFIG.replace("players: 3", "players: 4"))
    assert "other tables" in boss("run", "other.yaml", cwd=played, status=2).stderr


def hear_interrupts() -> None:
    """Take Ctrl-C in the usual way: who runs these tests in the background has it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(folder: Path, config: str, sign: str) -> str:
    """Run a ladder, press Ctrl-C once a file like `sign` has appeared, and return what it said on stderr."""
    (folder / "long.yaml").write_text(config)
    command = [sys.executable, "-m", "harness", "run", "long.yaml"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=hear_interrupts,
    ) as run:  # fmt: skip
        while not list((folder / "results").glob(sign)):
            assert run.poll() is None, run.stderr.read()
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        _, told = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "the same command goes on" in told
    assert "Traceback" not in told
    return told


def test_after_ctrl_c_the_same_command_goes_on(tmp_path: Path) -> None:
    config = CONFIG.replace("blocks: 4", "blocks: 9000").replace("workers: 1", "workers: 2")
    interrupted(tmp_path, config, "tiny/games/part-*")
    kept = len(list((tmp_path / "results" / "tiny" / "games").glob("part-*")))
    resumed = boss("run", "long.yaml", cwd=tmp_path)
    assert "of 27,012 games lie stored" in resumed.stderr or kept == 15
    assert len(list((tmp_path / "results" / "tiny" / "games").glob("part-*"))) == 15


def test_ctrl_c_does_not_wait_for_slow_bots(tmp_path: Path) -> None:
    slow = "import time\nfrom harness import Bot, Turn\n\nclass Slow(Bot):\n    def act(self, view):\n"
    (tmp_path / "slow.py").write_text(slow + "        time.sleep(1)\n        return Turn(view.hand[0])\n")
    config = CONFIG.replace("blocks: 4", "blocks: 9000").replace("workers: 1", "workers: 2")
    interrupted(tmp_path, config.replace("miser", "'slow.py:Slow'"), "tiny/manifest.json")
