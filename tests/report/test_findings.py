"""What a report finds out beyond ratings, on ladders of which the truth is known."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from report.samples import FOUR, SIX, TWO, frames, game, whole_block

from harness.report import (
    sections,
    skill_present,
    skill_sections,
    skill_tables,
    strength_present,
    strength_sections,
    strength_tables,
)
from harness.report.analysis import Analysis, analyse
from harness.report.findings import drawn
from harness.report.frames import Frames
from harness.report.tables import rate

CIRCLE = ("rock", "scissors", "paper")


def duels(names: str | tuple[str, ...], won: dict[tuple[int, int], int], blocks: int = 60) -> Frames:
    """Duels in rotated blocks: of every `blocks` blocks of a pair, the first wins `won`, both games of a block."""
    rows, block = [], 0
    for (one, two), wins in won.items():
        for number in range(blocks):
            rows += whole_block(TWO, block, (one, two), one if number * wins % blocks < wins else two)
            block += 1
    return frames(names, [TWO], rows)


@pytest.fixture(scope="module")
def circle() -> Analysis:
    """Rock beats scissors, scissors beat paper, paper beats rock, each in three of four blocks."""
    return analyse(duels(CIRCLE, {(0, 1): 45, (1, 2): 45, (2, 0): 45}))


@pytest.fixture(scope="module")
def order() -> Analysis:
    """Three bots in one order, by 3 to 1 and 9 to 1 as one scale has it."""
    return analyse(duels("abc", {(0, 1): 45, (1, 2): 45, (0, 2): 54}))


def test_a_planted_circle_is_called_one_and_named(circle: Analysis) -> None:
    found = circle.findings
    assert found.cycles is not None
    assert found.cycles.is_cyclic
    assert found.cycles.index_hi < 0.5
    assert found.worst_cycles[["first", "second", "third"]].to_numpy().tolist() == [list(CIRCLE)]
    assert found.worst_cycles["link1"].iloc[0] == pytest.approx(400 * math.log10(3), rel=0.05)
    assert "There surely are circles" in skill_sections.circles_say(found.cycles)
    assert found.nash["weight"].to_numpy() == pytest.approx(np.full(3, 1 / 3), abs=0.01)
    assert found.nash["skill"].to_numpy() == pytest.approx(np.zeros(3), abs=1)


def test_one_order_is_no_circle(order: Analysis) -> None:
    found = order.findings
    assert found.cycles is not None
    assert not found.cycles.is_cyclic
    assert found.cycles.index > 0.98
    assert found.worst_cycles.empty
    assert "is not sure" in skill_sections.circles_say(found.cycles)
    assert found.nash.set_index("bot")["weight"].to_dict() == pytest.approx({"a": 1, "b": 0, "c": 0}, abs=1e-6)


def test_every_pair_is_told_both_ways_and_the_summary_names_them(order: Analysis) -> None:
    table = order.findings.superiority.set_index(["bot", "other"])
    assert len(table) == 6
    ahead, behind = table.loc[("a", "b")], table.loc[("b", "a")]
    assert ahead["los"] + behind["los"] == pytest.approx(1)
    assert (ahead["gap"], ahead["lo"], ahead["hi"]) == pytest.approx((-behind["gap"], -behind["hi"], -behind["lo"]))
    assert ahead["gap"] == pytest.approx(400 * math.log10(3), rel=0.1)
    rows = {row[0].text: [cell.text for cell in row[1:4]] for row in strength_present.superiority(
        order.findings.superiority).rows}  # fmt: skip
    assert rows == {"a": ["b and c", "–", "–"], "b": ["c", "–", "a"], "c": ["–", "–", "a and b"]}


def test_many_bots_are_counted_and_not_listed() -> None:
    names = [f"bot{number:02}" for number in range(30)]
    table = pd.DataFrame(
        {"bot": one, "other": two, "los": 0.5 + 0.5 * np.tanh((b - a) / 2), "blocks": 90}
        for a, one in enumerate(names)
        for b, two in enumerate(names)
        if a != b
    )
    middle = strength_present.superiority(table).rows[15]
    assert middle[1].text == "eleven bots"  # four places down or more: 1 / (1 + e^-4) = 0.982
    assert middle[2].text == "six bots"
    assert middle[3].text == "twelve bots"


def test_chances_to_be_the_best_are_of_everybody_together(circle: Analysis, order: Analysis) -> None:
    for told in (circle, order):
        assert told.findings.chances["best"].sum() == pytest.approx(1)
        assert told.findings.chances["top_three"].to_list() == [1, 1, 1]
    assert order.findings.chances["best"].iloc[0] > 0.99
    assert circle.findings.chances["best"].max() < 0.6
    assert order.findings.chances["contender"].to_list() == [True, False, False]


def gamblers(blocks: int) -> Frames:
    """Bot 0 is first or last, evenly; bot 1 never first and never last: the same by places, not by wins."""
    rows = []
    for block in range(blocks):
        others = (2, 3) if block % 4 < 2 else (3, 2)
        finish = (0, 1, *others) if block % 2 else (others[0], 1, others[1], 0)
        for turn in range(4):
            seated = [(seat + turn) % 4 for seat in range(4)]
            ranks = [1 + finish.index(bot) for bot in seated]
            rows.append(game(FOUR, block, seated, ranks, rotation=turn))
    return frames("abcd", [FOUR], rows)


def test_where_first_places_disagree_they_are_the_ladder() -> None:
    told = analyse(gamblers(120))
    assert told.fits.agreement.published == "win"
    assert told.fits.main is told.fits.win
    ratings = told.ratings.set_index("bot")
    assert ratings["elo"].to_dict() == pytest.approx(ratings["win_elo"].to_dict())
    assert ratings.loc["a", "rank"] == 1
    assert ratings.loc["b", "rank"] == 4
    assert ratings.loc["b", "finish_elo"] > ratings.loc["c", "finish_elo"]
    words = "".join(strength_sections.agreement_says(told))
    assert "The two disagree" in words
    assert "ladder goes by first places" in words
    gaps = told.findings.agreement.set_index("bot")
    assert gaps.loc["a", "gap_lo"] > 0
    assert math.isnan(gaps.loc["b", "gap"])  # it never won, so its win rating is a guess


def test_where_they_agree_finishing_orders_are_the_ladder(order: Analysis) -> None:
    assert order.fits.main is order.fits.finish
    assert "The two agree" in "".join(strength_sections.agreement_says(order))
    few = analyse(duels("ab", {(0, 1): 2}, blocks=3))
    assert "not compared" in "".join(strength_sections.agreement_says(few))


def test_money_is_compared_card_by_card_and_its_share_is_plain() -> None:
    rows = []
    for block in range(60):
        for turn in range(2):
            money = [30, 10] if turn == 0 else [10, 30]  # bot 0 has three quarters wherever it sits
            rows.append(game(TWO, block, (turn, 1 - turn), (1 + turn, 2 - turn), rotation=turn, **{
                f"money{seat}": value for seat, value in enumerate(money)}))  # fmt: skip
    ladder = frames("ab", [TWO], rows)
    table = strength_tables.money_table(ladder, rate(ladder)).set_index("bot")
    assert table.loc["a", ["gain", "share", "even", "games", "blocks"]].to_list() == pytest.approx(
        [0.25, 0.75, 0.5, 120, 60]
    )
    assert table.loc["b", "gain"] == pytest.approx(-0.25)
    assert table.loc["a", "share_lo"] < 0.75 < table.loc["a", "share_hi"]


def test_matches_are_those_of_even_opponents(order: Analysis) -> None:
    """Three games against one who loses three of four: 27/64 + 27/64."""
    table = skill_tables.match_table(order.fits).set_index(["against", "match"])
    assert table.loc[("runner_up", 3), "chance"] == pytest.approx(54 / 64, abs=0.03)
    assert (table["chance_lo"] < table["chance"]).all()
    assert (table["chance"] < table["chance_hi"]).all()


def test_luck_is_split_and_games_are_counted(order: Analysis) -> None:
    luck = order.findings.luck.set_index("part")["share"]
    assert luck.sum() == pytest.approx(1)
    found = order.findings.reliability.iloc[0]
    assert found["games_needed"] == pytest.approx(9 * (1 - found["icc"]) / found["icc"])
    assert found["games_needed_lo"] < found["games_needed"] < found["games_needed_hi"]
    coin = analyse(duels("ab", {(0, 1): 30})).findings.reliability.iloc[0]
    assert coin["icc"] <= 0
    assert math.isinf(coin["games_needed"])


def test_of_many_games_whole_blocks_are_drawn(order: Analysis) -> None:
    results = order.frames.results
    some = drawn(results, 100)
    assert 80 <= len(some) <= 100
    assert np.unique(some.block, return_counts=True)[1].tolist() == [2] * (len(some) // 2)
    assert drawn(results, len(results)) is results


def test_pools_that_never_met_are_told_apart() -> None:
    told = analyse(duels("abcd", {(0, 1): 40, (2, 3): 40}))
    assert not told.findings.superiority.isna().any(axis=None)
    assert told.ratings.set_index("bot").loc[["c", "d"], "flags"].str.contains("disconnected").all()
    list(strength_sections.strength_sections(told))
    list(skill_sections.skill_sections(told))


def test_one_bot_alone_has_no_findings_and_no_sections() -> None:
    told = analyse(frames(["a"], [TWO], [game(TWO, block, (0, 0), (1, 2)) for block in range(3)]))
    for name in ("superiority", "worst_cycles", "nash", "matches", "precision", "synergies", "table_effects"):
        assert getattr(told.findings, name).empty, name
    assert told.findings.cycles is None


def test_head_to_head_says_which_games_are_counted() -> None:
    fours = [
        row for block, lineup in enumerate(combinations(range(5), 4)) for row in whole_block(FOUR, block, lineup, 0)
    ]
    sixes = [row for block in range(4) for row in whole_block(SIX, block, (0, 1, 2, 3, 4, 0), block)]
    mixed = analyse(frames("abcde", [FOUR, SIX], [*fours, *sixes]))
    told = strength_sections.counted_say(mixed)
    assert "without partners" in told
    assert "at 4 players all line-ups count alike" in told
    assert mixed.pairs["count"].sum() == 5 * 4 * 12  # five blocks of four games, twelve ordered pairs in each
    uneven = strength_sections.counted_say(analyse(frames("abcde", [FOUR], fours[:16])))
    assert "at 4 players line-ups count as often as they were played" in uneven


def test_a_ladder_of_teams_alone_has_nothing_head_to_head_and_says_so() -> None:
    told = analyse(frames("abcdef", [SIX], [row for b in range(4) for row in whole_block(SIX, b, range(6), b)]))
    assert told.pairs.empty
    section = next(part for part in strength_sections.strength_sections(told) if part.key == "pairs")
    assert "nothing is counted head to head" in "".join(section.text[0])
    assert {part.key for part in section.parts} == {"superiority"}
    assert "circles" not in {part.key for part in skill_sections.skill_sections(told)}


def test_partners_and_table_sizes_have_their_tests() -> None:
    rows = []
    for block in range(60):
        bots = [(block + seat) % 7 for seat in range(6)]
        rows += whole_block(SIX, block, bots, bots[block % 5])
        rows += whole_block(TWO, block, bots[:2], bots[block % 2])
    told = analyse(frames("abcdefg", [TWO, SIX], rows))
    assert told.findings.tests["kind"].to_list() == ["tables", "partners"]
    assert set(told.findings.table_effects["players"]) == {2, 6}
    assert told.findings.synergies[["elo", "lo", "hi", "p"]].notna().all(axis=None)
    assert (told.findings.synergies["blocks"] > 0).all()


@pytest.mark.parametrize("most", [6, 7])
def test_more_pairs_of_partners_than_are_worked_out_are_said_to_be_left_out(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (sections, strength_tables):
        monkeypatch.setattr(module, "MOST_PAIRS", most)
    rows = [row for b in range(14) for row in whole_block(SIX, b, [(b + seat) % 7 for seat in range(6)], b % 7)]
    told = analyse(frames("abcdefg", [SIX], rows))  # partners sit three seats apart: seven pairs
    text = "".join("".join(sentence) for sentence in next(sections.sections(told)).text)
    assert ("left out: of 7 pairs" in text) == (most < 7)


@pytest.mark.parametrize(
    ("lo", "share", "hi", "told"),
    [
        (0.0, 1e-9, 4e-4, ("hardly any", "")),
        (0.9996, 1.0, 1.0, ("nearly all", "")),
        (0.0, 1e-9, 0.02, ("0.0%", "0.0\u20132.0%")),
    ],
)
def test_shares_of_time_too_small_to_write_are_in_words(
    lo: float, share: float, hi: float, told: tuple[str, str]
) -> None:
    row = {"bot": "a", "skill": 0.0, "skill_lo": 0.0, "skill_hi": 0.0, "weight": 0.5, "played": 0.5, "blocks": 9}
    table = pd.DataFrame([{**row, "alpha": share, "alpha_lo": lo, "alpha_hi": hi}])
    cell = next(cell for cell in skill_present.nash(table).rows[0] if cell.text == told[0])
    assert cell.interval.replace("\u00a0", " ") == told[1]
