"""Bots submitted to a real ladder: checked, placed, versioned, rated, logged; and the ladder goes on as before."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from ladder.stores import contents

from harness import api
from harness.api import submitting
from harness.api.authors import params_of
from harness.errors import BotError, ResultsError
from harness.ladder.store import Store
from harness.play.checkup import Check, Checkup
from harness.report import pages
from harness.report.history import read_history
from harness.report.landing import Landing

CONFIG = """\
name: den
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, bully]
tables:
  - {players: 2, blocks: 12}
  - {players: 3, blocks: 8}
ratings: {anchor: random}
submit: {precision: 20, cap: 24}
executor: {kind: local, workers: 1}
"""
FOX = """\
from harness import Bot, Turn

class Fox(Bot):
    def act(self, view):
        return Turn(view.hand[NUMBER])
"""
RESULTS = Path("results/den")


@pytest.fixture
def den(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which a ladder has been played, and a bot lies.

    Checks are believed to pass and figures stay blank, as both take long and have tests of their own.
    """

    def check(bot: str, params: dict[str, Any], level: str, *other: object) -> Checkup:
        return Checkup(bot, "1", level, (Check("loads", "pass", ""),))

    monkeypatch.setattr(submitting, "check_bot", check)
    monkeypatch.setattr(pages, "draw", lambda _: pages.Image("data:,", "data:,", b"", 1, 1))
    monkeypatch.chdir(tmp_path)
    write_fox(0)
    Path("den.yaml").write_text(CONFIG)
    api.run_ladder("den.yaml")
    return tmp_path


def write_fox(number: int) -> None:
    """Let the fox reveal another card."""
    Path("fox.py").write_text(FOX.replace("NUMBER", str(number)))


def submit(**options: Any) -> Landing:
    return api.submit("fox.py:Fox", "den.yaml", level="trusted", **options)


def names() -> list[str]:
    return [spec.name for spec in Store(RESULTS).read_manifest().bots]


def test_a_bot_is_played_in_rated_and_logged(den: Path) -> None:
    before = Store(RESULTS).games()
    landed = submit()
    manifest = Store(RESULTS).read_manifest()
    after = Store(RESULTS).games()
    assert (landed.name, landed.ranked, landed.blocks) == ("fox", 4, 24)
    own = after[(after[["bot0", "bot1", "bot2"]] == names().index("fox")).any(axis=1)]
    assert landed.games == len(own) == len(after) - len(before)
    assert own.groupby("table", observed=True)["block"].nunique().to_dict() == {"2p:123": 14, "3p:12345": 10}
    ratings = api.open_ladder(RESULTS).ratings.set_index("bot")
    assert ratings.loc["fox", "elo"] == pytest.approx(landed.elo)
    assert ratings.loc["random", "elo"] == pytest.approx(1000)
    log = read_history(RESULTS)
    assert log.groupby("entry")["submitted"].first().to_dict() == {0: "", 1: "fox"}
    assert log.groupby("entry")["bot"].agg(set).to_dict() == {
        0: {"random", "greedy", "bully"},
        1: {"random", "greedy", "bully", "fox"},
    }
    assert log.groupby("entry")["games"].first().to_dict() == {0: len(before), 1: len(after)}
    assert manifest.submissions[0].bot == names().index("fox")
    said = "\n".join(landed.lines())
    assert f"fox (version {landed.version}) stands in place {landed.rank} of 4" in said
    assert "24 blocks were played for it, and no more are allowed" in said
    for other in ("greedy", "bully"):
        assert f"{other} " in said
    for file in ("report.html", "report.md"):
        assert "Submissions" in (RESULTS / file).read_text()
    assert (RESULTS / "plots" / "history.png").is_file()


def test_submitted_once_more_nothing_is_played_or_logged(den: Path) -> None:
    first = submit()
    log = (RESULTS / "history.csv").read_bytes()
    stretches = Store(RESULTS).read_manifest().stretches
    again = submit()
    assert (again.elo, again.blocks, again.name) == (first.elo, first.blocks, first.name)
    assert (RESULTS / "history.csv").read_bytes() == log
    Path("den.yaml").write_text(CONFIG.replace("cap: 24", "cap: 30"))
    more = submit()
    assert (more.name, more.blocks) == ("fox", 30)
    manifest = Store(RESULTS).read_manifest()
    assert manifest.stretches[: len(stretches)] == stretches
    assert len(manifest.submissions) == 1


def test_an_edited_bot_is_a_new_version_and_the_old_one_plays_on_as_it_was(den: Path) -> None:
    submit()
    write_fox(-1)
    second = submit()
    assert second.name == "fox@2"
    manifest = Store(RESULTS).read_manifest()
    old, new = manifest.bots[-2:]
    assert (old.name, new.name) == ("fox", "fox@2")
    assert old.version != new.version
    assert Path(old.reference.partition(":")[0]).read_text() == FOX.replace("NUMBER", "0")
    assert old.is_there()
    number = names().index("fox")
    late = [one for one in manifest.stretches if one.submitted == names().index("fox@2")]
    assert all(number in one.bots for one in late)
    assert set(read_history(RESULTS)["submitted"]) == {"", "fox", "fox@2"}
    write_fox(0)
    assert submit().name == "fox"
    assert names() == ["random", "greedy", "bully", "fox", "fox@2"]


def test_the_ladder_goes_on_as_if_nobody_had_come(den: Path) -> None:
    before = Store(RESULTS).read_manifest().stretches
    submit()
    with_fox = Store(RESULTS).read_manifest()
    api.run_ladder("den.yaml")
    assert Store(RESULTS).read_manifest().stretches == with_fox.stretches
    Path("den.yaml").write_text(CONFIG.replace("bully]", "bully, miser]"))
    api.run_ladder("den.yaml")
    manifest = Store(RESULTS).read_manifest()
    added = manifest.stretches[len(with_fox.stretches) :]
    assert [one.size for one in added] == [12, 8]
    assert {manifest.bots[bot].name for bot in added[0].bots} == {"random", "greedy", "bully", "fox", "miser"}
    assert with_fox.stretches[: len(before)] == before
    games = Store(RESULTS).games()
    assert not games.duplicated(["table", "block", "rotation"]).any()


def test_a_bot_of_the_config_in_a_new_version_does_not_stop_the_ladder(den: Path) -> None:
    with_fox = CONFIG.replace("bully]", "bully, {bot: 'fox.py:Fox', level: trusted}]").replace("name: den", "name: two")
    Path("den.yaml").write_text(with_fox)
    api.run_ladder("den.yaml")
    write_fox(-1)
    with pytest.raises(
        ResultsError, match=r"'fox' has changed since it played.*let the new version in with boss submit"
    ):
        api.run_ladder("den.yaml")
    assert submit().name == "fox@2"
    stretches = Store(Path("results/two")).read_manifest().stretches
    api.run_ladder("den.yaml")
    assert Store(Path("results/two")).read_manifest().stretches == stretches


def test_who_is_retired_stays_rated_and_plays_no_more(den: Path) -> None:
    submit()
    api.retire("fox", RESULTS)
    games = api.open_ladder(RESULTS).ratings.set_index("bot").loc["fox", "games"]
    write_fox(-1)
    submit()
    after = api.open_ladder(RESULTS).ratings.set_index("bot")
    assert after.loc["fox", "games"] == games
    write_fox(0)
    submit()
    assert Store(RESULTS).read_manifest().retired == ()
    for name, words in (("foks", "no bot is called 'foks'; did you mean 'fox'"), ("", "no bot is called ''")):
        with pytest.raises(ResultsError, match=words):
            api.retire(name, RESULTS)
    with pytest.raises(ResultsError, match="no results here"):
        api.retire("fox", "nowhere")
    assert not Path("nowhere").exists()


def test_a_name_that_cannot_name_a_folder_is_refused_and_nothing_changes(den: Path) -> None:
    long = "f" * 101
    Path("named.py").write_text(FOX.replace("Fox", long).replace("NUMBER", "0"))
    before = contents(den)
    for name in ("fox@7", long, "../../evil", "<b>x</b>", ".", "a b", "", "füchsin", "fox\n"):
        with pytest.raises(BotError, match=f"{re.escape(repr(name))} cannot name a folder"):
            submit(name=name)
    named = f"named.py:{long}"
    derived = (
        lambda: api.submit(named, "den.yaml"),
        lambda: api.match([named, "greedy"]),
        lambda: api.gate(named, "greedy", "den.yaml", "gate"),
    )
    for command in derived:
        with pytest.raises(BotError, match=f"'{long}' cannot name a folder"):
            command()
    assert contents(den) == before


def test_what_cannot_be_is_refused_and_nothing_changes(den: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = (RESULTS / "manifest.json").read_bytes()
    with pytest.raises(ResultsError, match="there is no ladder here yet; begin it with boss run"):
        submit(out="elsewhere")
    with pytest.raises(BotError, match="no such file"):
        api.submit("fux.py", "den.yaml")
    failing = Checkup("fox", "1", "jailed", (Check("legal", "fail", "it cheats"),))
    monkeypatch.setattr(submitting, "check_bot", lambda *_: failing)
    with pytest.raises(BotError) as told:
        api.submit("fox.py:Fox", "den.yaml", params="{it's: [1, .5]}", level="process")
    said, reason, command = str(told.value).splitlines()
    assert said == "fox 1 (jailed): fails: legal; it is not let in"
    assert reason.split() == ["FAIL", "legal", "it", "cheats"]
    words = shlex.split(command.partition(": ")[2])
    assert words[:3] == ["boss", "check", f"{den / 'fox.py'}:Fox"]
    options = dict(zip(words[3::2], words[4::2], strict=True))
    assert params_of(options["--params"]) == {"it's": [1, 0.5]}
    assert options | {"--params": ""} == {
        "--params": "",
        "--level": "process",
        "--turn-ms": "100",
        "--memory-mb": "512",
    }
    Path("den.yaml").write_text(CONFIG.replace("blocks: 8", "blocks: 8, rules: {negative_money: false}"))
    with pytest.raises(ResultsError, match="other tables"):
        submit()
    assert (RESULTS / "manifest.json").read_bytes() == manifest
    assert not Path("elsewhere").exists()
