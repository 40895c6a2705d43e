"""What the report says of faults: notes for authors, who is out, what is not rated, and where bots ran."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from report.samples import FOUR, TWO, blocks_frame, city_block, game, games_frame, manifest_of, whole_block

from harness.ladder.manifest import Manifest
from harness.ladder.store import Store
from harness.ladder.usage import BotUsage
from harness.play.faults import GIVEN_UP, FaultKind
from harness.report import balance_tables, present, tables
from harness.report.analysis import Analysis, analyse
from harness.report.fault_notes import MOST_MESSAGES, notes
from harness.report.fault_tables import FAULT_COLUMNS, fault_table, message_table
from harness.report.frames import Frames, frames_of
from harness.report.pages import files, write_report
from harness.report.sections import sections

ESC = "\x1b"
HOSTILE = [
    f"{ESC}[2J{ESC}]0;owned\x07 wiped",
    "<script>alert(1)</script> <img src=x onerror=alert(1)>",
    "line\n\n# A heading\n\n```\n[click](http://evil.example)\r\nmore",
    "\u202ereversed \u2028 next \u2029 line \x85 \x9b31m \ud800",
    "| a | b |\n|---|---|\n",
    "",
    "   ",
    "~~~~ `````` </code></pre>",
    "x" * 5000,
]


def faulty(rows: list[dict[str, Any]], number: int, faults: Sequence[tuple[int, str, str]], forfeits: int = 0) -> None:
    """Give a game faults (seat, kind, message), one a turn of hand 2."""
    log = [
        {"hand": 2, "turn": turn, "seat": seat, "kind": kind, "message": message}
        for turn, (seat, kind, message) in enumerate(faults)
    ]
    rows[number] |= {"faults": len(log), "fault_log": json.dumps(log), "forfeits": forfeits}


def duel_rows(blocks: int = 30) -> list[dict[str, Any]]:
    """Blocks of two games: fox and crow meet in even blocks, crow and owl in odd ones."""
    return [row for b in range(blocks) for row in whole_block(TWO, b, (b % 2, 1 + b % 2), 1 + b % 2, hands=3 + b % 3)]


def frames_with(rows: list[dict[str, Any]], **changes: Any) -> Frames:
    blocks = [row for block in sorted({row["block"] for row in rows}) for row in city_block(TWO, block)]
    manifest = replace(manifest_of(["fox", "crow", "owl"], [TWO]), **changes)
    return frames_of(manifest, games_frame(rows), blocks_frame(blocks))


def written(folder: Path, rows: list[dict[str, Any]], manifest: Manifest | None = None) -> str:
    write_report(folder, games_frame(rows), blocks_frame([]), manifest or manifest_of(["fox", "crow", "owl"], [TWO]))
    return (folder / "report.md").read_text()


# Ratings


@pytest.fixture(scope="module")
def fallen() -> Analysis:
    """Fox falls in game 8, the first of block 4: the second game of that block and blocks 6, 8, ... are not rated."""
    rows = duel_rows()
    faulty(rows, 8, [(0, "protocol", "own words")], forfeits=1)
    faulty(rows, 2, [(0, "crash", "signal 11")], forfeits=1)
    return analyse(frames_with(rows))


def test_ratings_and_pairs_leave_unrated_games_out(fallen: Analysis) -> None:
    assert fallen.frames.standing.unrated == 1 + 2 * 12
    ratings = fallen.ratings.set_index("bot")
    assert ratings["games"].to_dict() == {"fox": 5, "crow": 35, "owl": 30}
    assert fallen.sizes.set_index("bot")["games"].to_dict() == {"fox": 5, "crow": 35, "owl": 30}
    pairs = fallen.pairs.set_index(["bot", "other"])["count"]
    assert (pairs[("fox", "crow")], pairs[("crow", "owl")]) == (5, 30)
    assert "disqualified" in ratings.loc["fox", "flags"].split()
    assert "disqualified" not in ratings.loc["crow", "flags"] + ratings.loc["owl", "flags"]


def test_ratings_are_those_of_a_ladder_without_the_unrated_games(fallen: Analysis) -> None:
    kept = fallen.frames.games[fallen.frames.standing.rated][games_frame([]).columns.intersection(
        fallen.frames.games.columns)].assign(forfeits=0, fault_log=None, faults=0, table=TWO.name)  # fmt: skip
    alone = frames_of(fallen.frames.manifest, kept.reset_index(drop=True))
    columns = ["bot", "elo", "lo", "hi", "games", "blocks"]
    pd.testing.assert_frame_equal(tables.rating_table(alone, tables.rate(alone))[columns], fallen.ratings[columns])


def test_balance_leaves_out_forfeits_and_blocks_that_are_not_rated_whole(fallen: Analysis) -> None:
    counts = fallen.counts.iloc[0]
    assert counts[["games", "forfeited", "unrated", "left_out", "counted"]].tolist() == [60, 2, 25, 27, 33]
    assert set(fallen.frames.counted()["block"]) == {0, 1, 2, *range(3, 30, 2)}
    assert set(fallen.frames.blocks["block"]) == {0, 1, 2, *range(3, 30, 2)}
    assert balance_tables.seat_table(fallen.frames, "group")["games"].tolist() == [33, 33]


def test_sums_of_one_table_stay_when_blocks_of_another_are_left_out() -> None:
    rows = [game(TWO, 0, (0, 1), (1, 2)), game(TWO, 1, (0, 1), (1, 2)), game(FOUR, 9, (1, 1, 2, 2), (1, 2, 3, 4))]
    faulty(rows, 0, [(0, "protocol", "")])
    sums = [*city_block(TWO, 0), *city_block(TWO, 1), *city_block(FOUR, 1), *city_block(FOUR, 9)]
    found = frames_of(manifest_of("abc", [TWO, FOUR]), games_frame(rows), blocks_frame(sums))
    left = found.blocks[["table", "block"]].drop_duplicates().astype({"table": str}).to_numpy().tolist()
    assert left == [[TWO.name, 0], [FOUR.name, 1], [FOUR.name, 9]]


# Pages


def test_the_ladder_says_once_who_is_out_and_what_is_not_rated(tmp_path: Path) -> None:
    rows = duel_rows()
    faulty(rows, 8, [(0, "protocol", "own words")], forfeits=1)
    text = written(tmp_path, rows)
    sections = dict(zip(*[iter(re.split(r"^## (.*)$", text, flags=re.MULTILINE)[1:])] * 2, strict=True))
    assert "**fox** is out of the run since game 8 at 2p:123: it meddled with the messages" in sections["The ladder"]
    assert "25 games after that are not rated" in sections["The ladder"]
    assert [title for title in sections if "Of 60 games, 1 forfeited and 25 not rated." in sections[title]] == [
        "The ladder"
    ]
    row = next(line for line in sections["The ladder"].splitlines() if "| fox |" in line)
    assert "out of the run" in row
    assert "33 of 60 games count here; those with a forfeit and all of blocks in which" in re.sub(
        r"34 of 60", "33 of 60", sections["Seats"]
    )
    assert "Bots that are out of the run." in sections["Faults"]
    summary = json.loads((tmp_path / "ratings.json").read_text())
    assert (summary["forfeited_games"], summary["unrated_games"]) == (1, 25)
    assert [(out["bot"], out["game"], out["unrated"]) for out in summary["disqualified"]] == [("fox", 8, 25)]
    html = (tmp_path / "report.html").read_text()
    assert "<b>fox</b> is out of the run since game 8" in html


def test_a_clean_ladder_says_that_too(tmp_path: Path) -> None:
    text = written(tmp_path, duel_rows())
    assert "Of 60 games, 0 forfeited and 0 not rated." in text
    assert "is out of the run since" not in text
    assert "  " not in text.split("## The ladder")[1].split("\n")[2]
    assert not (tmp_path / "faults").exists()


def test_a_run_in_which_everybody_falls_at_once_is_told_as_well(tmp_path: Path) -> None:
    rows = duel_rows()
    faulty(rows, 0, [(0, "load failure", "no such module"), (1, "load failure", "no such module")], forfeits=3)
    text = written(tmp_path, rows)
    assert "59 not rated" in text
    assert "Every game was forfeited or is not rated" in text
    assert "nan" not in text


def test_every_kind_of_fault_is_counted_and_shown() -> None:
    rows = duel_rows()
    for number, kind in enumerate(FaultKind):
        faulty(rows, 4 * number, [(0, kind.value, "words")])
    table = fault_table(frames_with(rows)).set_index("bot")
    assert table.loc["fox", list(FAULT_COLUMNS.values())].tolist() == [1] * len(FaultKind)
    shown = present.faults(table.reset_index())
    heads = [column.head for column in shown.columns]
    assert [kind.value.capitalize() for kind in FaultKind if kind.value.capitalize() not in heads] == []
    assert len(set(heads)) == len(heads)
    assert len(set(table.columns)) == len(table.columns)


LEVELS = {"level": "process", "holds": {"no network": True, "files cannot be read": False}, "reason": "an old kernel."}


def test_the_page_says_where_bots_ran_and_what_held(tmp_path: Path) -> None:
    sample = manifest_of(["fox", "crow", "owl"], [TWO])
    bots = (replace(sample.bots[0], level="process"), *sample.bots[1:])
    text = written(tmp_path, duel_rows(), replace(sample, bots=bots, isolation=LEVELS))
    run = text.split("## The run")[1]
    assert "**fox** (version-0, process), **crow** (version-1, trusted)" in run
    assert "The isolation level of the run is process. Why it is no higher: an old kernel." in run
    assert "that held: no network." in run
    assert "that did not hold: files cannot be read." in run
    assert "no other level was needed" in written(tmp_path, duel_rows())


# Notes


def test_a_note_tells_what_how_often_where_first_and_how_to_replay(tmp_path: Path) -> None:
    rows = duel_rows()
    faulty(rows, 5, [(1, "exception", "KeyError: 'docks'")])
    faulty(rows, 7, [(1, "timeout", "used 112 ms")], forfeits=2)
    faulty(rows, 9, [(1, "exception", "KeyError: 'docks'")] * 2)
    sample = manifest_of(["fox", "crow", "owl"], [TWO])
    crow = replace(sample.bots[1], reference="/home/me/my bots/crow.py:Crow", params={"risk": 1}, level="jailed")
    written(tmp_path, rows, replace(sample, bots=(sample.bots[0], crow, sample.bots[2])))
    assert sorted(path.name for path in (tmp_path / "faults").iterdir()) == ["crow.md", "fox.md"]
    note = (tmp_path / "faults" / "fox.md").read_text()
    assert "The bot raised an exception. The price: the default turn is played." in note
    assert "It happened 3 times in 2 games, first in game 5 (table 2p:123), hand 2, the reckoning, seat 1." in note
    assert "\n\n    KeyError: 'docks'\n\n" in note
    note = (tmp_path / "faults" / "crow.md").read_text()
    assert "Version version-1, level jailed. 1 fault in 1 of 60 games; 1 forfeited." in note
    assert "The price: the game is forfeited. It happened once in 1 game, first in game 7" in note
    assert f"    boss replay {tmp_path} 7 --seat 1 --bot '/home/me/my bots/crow.py:Crow' --at 2.0\n" in note
    assert "with its usual parameters" in note


def test_notes_tell_nothing_of_opponents(tmp_path: Path) -> None:
    rows = duel_rows()
    faulty(rows, 0, [(0, "exception", "of seat zero"), (1, "exception", "of seat one")])
    written(tmp_path, rows)
    by_seat = {seat: ("fox", "crow")[rows[0][f"bot{seat}"]] for seat in (0, 1)}
    for seat, words, others in ((0, "of seat zero", "of seat one"), (1, "of seat one", "of seat zero")):
        note = (tmp_path / "faults" / f"{by_seat[seat]}.md").read_text()
        assert words in note
        assert others not in note
        assert by_seat[1 - seat] not in note


def test_notes_of_bots_without_faults_are_deleted(tmp_path: Path) -> None:
    rows = duel_rows()
    faulty(rows, 0, [(0, "exception", "x"), (1, "exception", "x")])
    written(tmp_path, rows)
    assert len(list((tmp_path / "faults").iterdir())) == 2
    written(tmp_path, duel_rows())
    assert list((tmp_path / "faults").iterdir()) == []


@pytest.mark.parametrize("message", HOSTILE)
def test_hostile_messages_stay_one_indented_line(message: str, tmp_path: Path) -> None:
    rows = duel_rows(6)
    faulty(rows, 0, [(0, "exception", message), (0, "exception", "!" + message), (0, "exception", message)])
    text = written(tmp_path, rows)
    (file,) = (tmp_path / "faults").iterdir()
    for page in (file.read_text(), text, (tmp_path / "report.html").read_text()):
        assert all(c.isprintable() or c in "\n\xa0" for c in page)
    lines = file.read_text().split("\n")
    tame = [line for line in lines if not line.startswith("    ")]
    assert [line for line in tame if line.startswith("#")] == [tame[0], "## 1. Exception", "## 2. Exception"]
    assert not any(sign in "\n".join(tame) for sign in ("<", "evil", "```", "~~~", "|", "](", "owned", "xxx"))
    code = [n for n, line in enumerate(lines) if line.startswith("    ")]
    assert len(code) == 4
    assert all(lines[n - 1] == "" == lines[n + 1] and lines[n].strip() and len(lines[n]) < 400 for n in code)
    html = (tmp_path / "report.html").read_text()
    assert "<script" not in html
    assert "onerror" not in re.sub(r"&lt;img.*?&gt;", "", html)


def test_a_bot_that_words_each_fault_anew_does_not_fill_the_disk(tmp_path: Path) -> None:
    rows = duel_rows(2)
    faulty(rows, 0, [(0, "exception", f"number {n}") for n in range(MOST_MESSAGES + 7)])
    written(tmp_path, rows)
    (file,) = (tmp_path / "faults").iterdir()
    text = file.read_text()
    assert text.count("\n## ") == MOST_MESSAGES
    assert "7 distinct messages more, left out here." in text
    assert (tmp_path / "report.html").read_text().count("number ") < 40


def test_names_of_notes_are_safe_and_differ(tmp_path: Path) -> None:
    names = ["../fox", "..", "Fox", "fox", "a/b", "a_b"]
    rows = [game(TWO, b, (b, (b + 1) % 6), (1, 2)) for b in range(6)]
    for number in range(6):
        faulty(rows, number, [(0, "exception", f"by {names[number]!r}")])
    written(tmp_path, rows, manifest_of(names, [TWO]))
    files = [path for path in tmp_path.rglob("*.md") if path.name != "report.md"]
    assert len(files) == 6
    assert {path.parent for path in files} == {tmp_path / "faults"}
    assert len({path.name.lower() for path in files}) == 6
    assert not (tmp_path.parent / "fox.md").exists()


# What bots used and printed


USED = BotUsage(
    cpu_s=12.345, wall_s=20.5, decisions=1000, deciding_s=7.5, peak_mb=43.21, printed="own words", asked_again=1200
)


def faulty_rows() -> list[dict[str, Any]]:
    """A few games, in which fox and crow have a fault each."""
    rows = duel_rows(6)
    faulty(rows, 0, [(0, "exception", "of seat zero"), (1, "exception", "of seat one")])
    return rows


def notes_with(usage: dict[str, BotUsage]) -> dict[str, str]:
    """The notes of fox and crow, who are jailed and used this."""
    frames = frames_with(faulty_rows())
    bots = tuple(replace(bot, level="jailed") for bot in frames.manifest.bots)
    told = notes(analyse(replace(frames, manifest=replace(frames.manifest, bots=bots), usage=usage)), Path("run"))
    return {Path(name).stem: text for name, text in told.items()}


def test_a_note_tells_what_its_bot_used_and_printed() -> None:
    note = notes_with({"fox": USED, "crow": replace(USED, printed="other words", cpu_s=1.0)})["fox"]
    assert "- CPU time: 12.35 s in all, loading included; 7.50 ms for a decision, the mean of 1,000." in note
    assert "- Wall time: 20.50 s from questions to answers." in note
    assert "- Memory: 43.2 MB, the most of any of its processes." in note
    assert note.endswith("of what the last process that said anything printed:\n\n    own words\n")
    assert "nondeterministic" not in note
    assert not any(word in note for word in ("other", "crow", "owl", "1.00 s"))


def test_what_is_not_known_of_usage_is_said() -> None:
    told = notes_with({"fox": BotUsage(cpu_s=0.5, has_failed=True)})
    assert "- CPU time: 0.50 s in all, loading included.\n" in told["fox"]
    assert "- Memory: not known.\n" in told["fox"]
    assert told["fox"].endswith("## What it printed\n\nNothing.\n")
    assert "What it used is not known: nothing of that is stored.\n" in told["crow"]
    assert "What it printed" not in told["crow"]


@pytest.mark.parametrize("printed", [*HOSTILE, f"{ESC}[31mred{ESC}[0m\n{ESC}]8;;http://evil.example{ESC}\\x{ESC}(B"])
def test_hostile_prints_stay_in_their_code_block(printed: str) -> None:
    note = notes_with({"fox": replace(USED, printed=f"start\n{printed}\nend <b>\n", has_failed=True)})["fox"]
    assert all(c.isprintable() or c == "\n" for c in note)
    assert not re.search(r"<[A-Za-z/!?]", note)
    before, _, after = note.partition("## What it printed\n\n")
    assert "start" not in before
    intro, _, code = after.partition("\n\n")
    assert intro == "The end, 2 kB at most, of what the process that failed first printed:"
    lines = code.removesuffix("\n").split("\n")
    assert (lines[0], lines[-1]) == ("    start", "    end < b>")
    assert all(line.startswith("    ") or not line for line in lines)


def test_escapes_are_left_out_and_what_else_cannot_be_printed_is_marked() -> None:
    said = f"{ESC}[1;31mred{ESC}[m\ta < b\r\n{ESC}]0;title\x07{ESC}cbell\x07 {ESC}"
    assert notes_with({"fox": replace(USED, printed=said)})["fox"].endswith("\n\n    red a < b\n    bell? ?\n")


def test_a_bot_that_differs_when_asked_again_is_flagged_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = {"fox": USED, "owl": replace(USED, decisions=0, deciding_s=0.0, differing=34)}
    monkeypatch.setattr(Store, "usage", lambda self: usage)
    text = written(tmp_path, duel_rows(6))
    flag = "nondeterministic: 34 of 1,200 decisions came out differently when asked again"
    section = text.split("## Faults")[1].split("## The run")[0]
    assert f"**owl** is {flag}. That is no fault" in section
    assert section.count("nondeterministic") == 1 + section.count("the bot is nondeterministic")
    assert re.search(r"\| fox \| 1,000 \| 7\.50 \| 12\.3 \| 20\.5 \| 43 \| 1,200 \| 0 \|", section)
    assert re.search(r"\| owl \| 0 \| – \| 12\.3 \| 20\.5 \| 43 \| 1,200 \| 34 \|", section)
    assert "| crow |" not in section.split("What bots in processes of their own used.")[1]
    (note,) = (tmp_path / "faults").iterdir()
    assert note.name == "owl.md"
    assert f"**{flag}.**" in note.read_text()
    assert "0 faults in 0 of 6 games; 0 forfeited." in note.read_text()
    table = pd.read_csv(tmp_path / "usage.csv").set_index("bot")
    assert table.loc["owl", ["asked_again", "differing"]].tolist() == [1200, 34]
    assert table.loc["fox", "cpu_ms"] == 7.5
    assert "34 of 1,200" in (tmp_path / "report.html").read_text()


def test_a_ladder_without_processes_tells_of_no_usage() -> None:
    analysis = analyse(frames_with(duel_rows(6)))
    faults = next(section for section in sections(analysis) if section.key == "faults")
    assert [part.key for part in faults.parts] == ["faults"]
    assert "usage.csv" not in (*faults.files, *files(analysis))


def test_where_a_bot_was_not_asked_any_more_nothing_can_be_asked_again() -> None:
    rows = duel_rows(6)
    faulty(rows, 0, [(0, "crash", f"{GIVEN_UP}exit code 7")], forfeits=1)
    faulty(rows, 1, [(1, "crash", "exit code 7")], forfeits=2)
    faulty(rows, 4, [(0, "disqualified", "not asked any more")], forfeits=1)
    frames = frames_with(rows)
    messages = message_table(frames)
    assert messages["message"].tolist() == ["exit code 7", f"{GIVEN_UP}exit code 7", "not asked any more"]
    assert messages["asked"].tolist() == [True, False, False]
    assert fault_table(frames).set_index("bot").loc["fox", "example"] == "exit code 7"
    note = notes(analyse(frames), Path("run"))["faults/fox.md"]
    assert note.count("boss replay") == 1
    assert "boss replay run 1 --seat 1" in note
    assert note.count("It was not asked there any more.") == 2
