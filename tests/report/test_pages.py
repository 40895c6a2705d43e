"""The report's files: complete, self-contained, safe against hostile names, and written for thin ladders too."""

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from report.samples import FOUR, SIX, TWO, blocks_frame, city_block, game, games_frame, manifest_of, whole_block

from harness.game.rules import Rules
from harness.report.pages import markdown, markdown_sentence, write_report
from harness.report.words import Name

HOSTILE = '<script src="http://evil.example/x.js">alert("&")</script>|`*_[x](http://evil.example)'

HEADINGS = [
    "The ladder", "By number of players", "Finish or win", "Head to head", "Partners", "Money", "Circles",
    "Skill and luck", "How exact", "Seats", "Places in the hand", "Cities", "Chicago by hand", "Length and endings",
    "Faults", "The run",
]  # fmt: skip


def write(
    folder: Path, names: Sequence[str], kinds: Sequence[Rules], games: Sequence[dict[str, Any]],
    blocks: Sequence[dict[str, Any]] = (),
) -> Path:  # fmt: skip
    write_report(folder, games_frame(games), blocks_frame(blocks), manifest_of(names, kinds))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder of seven bots, one with a hostile name, at three kinds of table, with faults and a forfeit."""
    names = ["random", HOSTILE, "greedy", "bold", "miser", "patient", "last"]
    games, sums = [], []
    for rules in (TWO, FOUR, SIX):
        for block in range(12):
            bots = [(block + seat) % len(names) for seat in range(rules.players)]
            games += whole_block(rules, block, bots, bots[block % rules.players], hands=3 + block % 3)
            sums += city_block(rules, block)
    games[0] |= game(TWO, 0, (0, 1), (2, 1), rated=(1, 2), hands=3, forfeits=2, faults=[(1, "exception")] * 3)
    return write(tmp_path_factory.mktemp("ladder"), names, [TWO, FOUR, SIX], games, sums)


class Reader(HTMLParser):
    """Collects tags with their attributes and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "img", "source"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def page(folder: Path) -> Reader:
    return Reader((folder / "report.html").read_text())


def test_every_file_is_there(folder: Path):
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    tables = {"counts", "lengths", "endings"} | {
        f"{name}{kind}" for name in ("seats", "places", "cities", "chicago") for kind in ("", "_by_kind")
    }
    plots = {"ratings", "sizes", "pairs", "superiority", "money", "luck", "seats", "cities", "chicago", "lengths"}
    statistics = {
        "chances", "superiority", "agreement", "tests", "table_effects", "synergies", "money", "nash", "luck",
        "reliability", "bits", "matches", "precision",
    }  # fmt: skip
    assert found == {
        "report.html", "report.md", "ratings.csv", "ratings.json", "ratings_by_players.csv", "pairs.csv", "faults.csv",
        *(f"balance/{name}.csv" for name in tables), *(f"statistics/{name}.csv" for name in statistics),
        *(f"plots/{name}.png" for name in plots),
        "faults/_script_src__http___evil.example_x.js__alert_______script______x__http___evil.example_.md",
    }  # fmt: skip


def test_the_page_and_the_markdown_have_every_section(folder: Path, page: Reader):
    text = (folder / "report.md").read_text()
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == HEADINGS
    headings = re.findall(r"<h2[^>]*>([^<]+)</h2>", (folder / "report.html").read_text())
    assert headings == HEADINGS
    targets = {attributes.get("id") for _, attributes in page.tags}
    links = [attributes["href"] for attributes in page.all("a")]
    assert all(link[1:] in targets for link in links if link and link.startswith("#"))
    assert len([link for link in links if link and link.startswith("#")]) == len(HEADINGS) + 1


def test_the_page_asks_nothing_of_a_network(folder: Path, page: Reader):
    for _, attributes in page.tags:
        for name in ("src", "href", "srcset", "action", "data"):
            value = attributes.get(name)
            assert not value or value.startswith(("data:", "#")) or (folder / value).name, value
            assert not value or not re.match(r"\s*(https?:)?//", value), value
    assert not page.all("script")
    style = (folder / "report.html").read_text().split("<style>")[1].split("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    assert {"default-src 'none'; img-src data:; style-src 'unsafe-inline'"} <= {
        attributes.get("content") for attributes in page.all("meta")
    }


def test_files_the_page_links_exist(folder: Path, page: Reader):
    links = [attributes["href"] or "" for attributes in page.all("a")]
    missing = [link for link in links if not link.startswith("#") and not (folder / link).exists()]
    assert set(missing) == {"manifest.json", "config.yaml"}  # the store writes these


def test_the_page_is_small_and_can_be_read_by_everyone(folder: Path, page: Reader):
    assert (folder / "report.html").stat().st_size < 3_000_000
    assert page.all("html")[0]["lang"] == "en"
    assert all(image["alt"] and image["width"] and image["height"] for image in page.all("img"))
    assert all(head.get("scope") in ("col", "row") for head in page.all("th"))
    boxes = [attributes for attributes in page.all("div") if attributes.get("role") == "region"]
    ids = {attributes.get("id") for _, attributes in page.tags}
    assert boxes
    assert all(box["aria-labelledby"] in ids for box in boxes)
    assert any("prefers-color-scheme: dark" in (source["media"] or "") for source in page.all("source"))
    assert page.open == []


def test_a_hostile_name_is_only_text(folder: Path, page: Reader):
    assert HOSTILE in "".join(page.text)
    text = (folder / "report.md").read_text()
    assert "<script" not in text
    assert "](http" not in text.replace("\\](http", "")
    header = next(line for line in text.splitlines() if line.startswith("| Rank"))
    rows = [line for line in text.splitlines() if line.startswith("|") and "script" in line]
    assert len(re.findall(r"(?<!\\)\|", rows[0])) == header.count("|")


def test_every_estimate_on_the_page_has_its_interval_and_count(folder: Path):
    ratings = pd.read_csv(folder / "ratings.csv")
    assert {"rank", "bot", "elo", "lo", "hi", "half", "games", "blocks", "wins_2p", "wins_2p_lo"} <= set(ratings)
    for name in ("seats", "places", "cities", "chicago", "lengths", "endings"):
        table = pd.read_csv(folder / "balance" / f"{name}.csv")
        assert "blocks" in table
        bounded = {column.removesuffix("_lo") for column in table if column.endswith("_lo")}
        assert bounded
        assert all({column, f"{column}_hi"} <= set(table) for column in bounded)


def test_the_numbers_for_programs_are_json(folder: Path):
    value = json.loads((folder / "ratings.json").read_text(), parse_constant=lambda word: pytest.fail(word))
    assert value["forfeited_games"] == 1
    assert value["games"] == 12 * (2 + 4 + 6)
    assert [row["rank"] for row in value["ratings"]] == list(range(1, 8))
    assert {row["bot"] for row in value["ratings"]} >= {"random", HOSTILE}


def test_both_counts_of_forfeited_games_are_shown(folder: Path):
    text = (folder / "report.md").read_text()
    assert "143 of 144 games count here" in text
    assert re.search(r"\| 2p:123 \| 2 \| 123 \| 12 \| 24 \| 1 \| 0 \| 23 \| 0 \|", text)


def test_writing_again_gives_the_same_bytes_and_clears_old_plots(folder: Path, tmp_path: Path):
    games = [row for block in range(3) for row in whole_block(TWO, block, (0, 1), block % 2)]
    write(tmp_path, "ab", [TWO], games, [row for block in range(3) for row in city_block(TWO, block)])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    (tmp_path / "plots" / "sizes.png").write_bytes(b"of an earlier report")
    write(tmp_path, "ab", [TWO], games, [row for block in range(3) for row in city_block(TWO, block)])
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


THIN = {
    "one block": lambda: (TWO, whole_block(TWO, 0, (0, 1), 0), city_block(TWO, 0)),
    "one game of a bot against itself": lambda: (TWO, [game(TWO, 0, (0, 0), (1, 2))], city_block(TWO, 0)),
    "all forfeited": lambda: (
        FOUR, [row for b in range(2) for row in whole_block(FOUR, b, (0, 1, 2, 0), 1, forfeits=1)], []
    ),
    "all level": lambda: (FOUR, [game(FOUR, b, (0, 1, 2, 0), (1, 1, 1, 1), decided_by=4) for b in range(3)], []),
    "nothing ever won": lambda: (
        SIX,
        whole_block(SIX, 0, (0, 1, 2, 0, 1, 2), 0),
        [{**row, "captured": 0, "paid": 0, "spent_won": 0} for row in city_block(SIX, 0)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", THIN)
def test_thin_ladders_are_told_as_well(case: str, tmp_path: Path):
    rules, games, sums = THIN[case]()
    text = (write(tmp_path, ["a", "b", "c", "idle"], [rules], games, sums) / "report.md").read_text()
    assert "nan" not in text.replace("Financial", "")
    assert "inf" not in text.replace("information", "")
    assert "idle" in text
    Reader((tmp_path / "report.html").read_text())


def test_markdown_shows_a_text_as_it_is():
    assert markdown("a|b\n*c* <d> & `e` $f$") == "a\\|b \\*c\\* &lt;d&gt; &amp; \\`e\\` \\$f\\$"
    assert markdown_sentence((Name("a_b"), " leads ", Name("c"), ".")) == "**a\\_b** leads **c**."
