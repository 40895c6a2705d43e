"""Sections of who is how strong, and by what: table sizes, finish against win, every pair, partners, money."""

from collections.abc import Iterator
from typing import Any

from harness.report import plots, present, strength_present
from harness.report import words as w
from harness.report.analysis import Analysis
from harness.report.finding_plots import plot_money
from harness.report.findings import MOST_GAMES
from harness.report.section import MOST_ROWS, Part, Picture, Section
from harness.report.words import Name, Sentence
from harness.stats.agreement import LARGEST
from harness.stats.lineups import line_ups

MOST_BOTS_DRAWN = 30
"""Bots up to which a grid of all pairs is drawn; of two the table says as much."""


def strength_sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the sections, those with nothing to tell left out."""
    if analysis.sizes["players"].nunique() > 1:
        yield by_players(analysis)
    if len(analysis.findings.superiority):
        yield finish_or_win(analysis)
        yield pairs(analysis)
    if len(analysis.findings.synergies):
        yield partners(analysis)
    if analysis.findings.money.get("gain", analysis.pairs["share"][:0]).notna().any():
        yield money(analysis)


def by_players(analysis: Analysis) -> Section:
    """Say how strong the bots are at each number of players, and whether that differs."""
    findings = analysis.findings
    text: list[Sentence] = [
        ("The same bots, rated from the games of each number of players alone. A bot that is strong at one table size "
         "and weak at another shows here.",),
    ]  # fmt: skip
    parts: list[Part] = [
        Picture(
            "sizes", "Each bot's Elo with its interval, one panel for each number of players.",
            "Elo by number of players, with 95% intervals; hollow dots are guesses.",
            lambda look: plots.plot_sizes(analysis.sizes, look),
        ),
        present.by_players(analysis.sizes),
        strength_present.chances(findings.chances),
    ]  # fmt: skip
    files = ["ratings_by_players.csv"]
    if len(findings.table_effects):
        text.append((" ", table_effects_say(analysis)))
        parts.append(strength_present.table_effects(findings.table_effects))
        files.append("statistics/table_effects.csv")
    return Section("players", "By number of players", tuple(text), tuple(parts), tuple(files))


def table_effects_say(analysis: Analysis) -> str:
    """Say whether bots are of other strength at other numbers of players."""
    test = test_of(analysis, "tables")
    counted = f"from {w.plural(test['games'], 'game')} in {w.plural(test['blocks'], 'block')}"
    if not test["tested"]:
        return f"Whether that is more than chance cannot be tested {counted}."
    found = f"{tested(test)}, {counted}"
    left_out = ""
    if test["games"] < len(analysis.frames.results):
        left_out = (
            f" The test takes {MOST_GAMES:,} games at most, and none at a number of players with a bot that always won "
            "or always lost there."
        )
    if test["p"] <= 0.05:
        return f"Strengths do differ between table sizes ({found}), so one rating is not the whole truth.{left_out}"
    return f"Strengths do not surely differ between table sizes ({found}).{left_out}"


def test_of(analysis: Analysis, kind: str) -> dict[Any, Any]:
    """Return the test of the effects of tables or partners."""
    tests = analysis.findings.tests
    return dict(tests[tests["kind"] == kind].iloc[0])


def tested(test: dict[Any, Any]) -> str:
    """Return a test in figures."""
    p = w.p_value(test["p"])
    return f"F = {w.number(test['f'], 1)} with {test['df']} and {test['df_error']:,} degrees of freedom, p {_is(p)}"


def _is(p: str) -> str:
    return p if p.startswith("<") else f"= {p}"


def finish_or_win(analysis: Analysis) -> Section:
    """Say whether whole finishing orders and first places alone tell the same, and which of them is the ladder."""
    text: tuple[Sentence, ...] = (
        ("The same games, rated twice: by whole finishing orders, which tell more of each game, and by first places "
         "alone, which is what a game is about. A bot that gambles for the win, or is content with second, is not "
         "the same in both.",),
        (" ", *agreement_says(analysis)),
    )  # fmt: skip
    shown = strength_present.agreement(analysis.findings.agreement)
    return Section("finish-or-win", "Finish or win", text, (shown,), ("statistics/agreement.csv",))


def agreement_says(analysis: Analysis) -> Sentence:
    """Say whether the two ratings agree, by how much they are apart, and what is published."""
    agreement = analysis.fits.agreement
    names = [Name(name) for name in analysis.frames.names]
    if agreement.compared.sum() < 2:
        return ("With fewer than 50 blocks a bot the two are not compared; the ladder goes by finishing orders.",)
    gap = f"the largest gap is {w.number(agreement.largest, 1)} standard errors, {LARGEST} allowed"
    if agreement.agree:
        return (f"The two agree ({gap}), so the ladder goes by finishing orders, which need fewer games.",)
    words: Sentence = (f"The two disagree: {gap}",)
    if len(agreement.reversed):
        above, below = agreement.reversed[0]
        words = (*words, "; ", names[above], " is surely above ", names[below], " by finishing orders, and surely "
                 "below by first places")  # fmt: skip
    return (*words, ". So the ladder goes by first places, and so do all figures by number of players.")


def pairs(analysis: Analysis) -> Section:
    """Say who finishes above whom, and who is surely the stronger."""
    findings = analysis.findings
    text: Sentence = (
        "How often one bot finished above another when both sat at a table, beside the model: the likelihood that one "
        f"is the stronger, by the ratings. {counted_say(analysis)}",
    )
    parts: list[Part] = []
    drawn = 2 < analysis.ratings["games"].gt(0).sum() <= MOST_BOTS_DRAWN
    if drawn and len(analysis.pairs):
        parts.append(
            Picture(
                "pairs", "A grid of bots by bots, each cell the share of games in which the row finished above the "
                "column.",
                "Per cent of comparisons in which the bot of the row finished above the bot of the column.",
                lambda look: plots.plot_pairs(analysis.pairs, look),
            )
        )  # fmt: skip
    if drawn:
        parts.append(
            Picture(
                "superiority", "A grid of bots by bots, each cell the likelihood that the row is the stronger.",
                "Per cent of likelihood that the bot of the row is stronger than the bot of the column.",
                lambda look: plots.plot_superiority(findings.superiority, look),
            )
        )  # fmt: skip
    parts.append(strength_present.superiority(findings.superiority))
    shown = present.pairs(analysis.pairs)
    if 0 < len(shown.rows) <= MOST_ROWS:
        parts.append(shown)
    files = ("pairs.csv", "statistics/superiority.csv")
    return Section("pairs", "Head to head", (text,), tuple(parts), files)


def counted_say(analysis: Analysis) -> str:
    """Say which games are counted head to head, and how."""
    if analysis.pairs.empty:
        return (
            "No two of them met in a game without partners, who share every place, so nothing is counted head to head "
            "here, and circles are not looked for."
        )
    found = line_ups(analysis.frames.results.finishes)
    told = "Games without partners, who share every place, are counted; copies of a bot are not compared"
    level, uneven = ([str(size) for size in sizes if size > 2] for sizes in (found.level, found.uneven))
    if level:
        told += f"; at {w.listed(level)} players all line-ups count alike, so that pairs met in the same company"
    if uneven:
        told += f"; at {w.listed(uneven)} players line-ups count as often as they were played"
    return f"{told}."


def partners(analysis: Analysis) -> Section:
    """Say whether partners are more than their sum."""
    findings, test = analysis.findings, test_of(analysis, "partners")
    text: list[Sentence] = [
        ("A team is rated as the sum of its two bots. What a pair brings beyond that is its synergy; what a bot brings "
         "to every partner is its own strength. Estimates are drawn towards 0, as an effect of 50 Elo is expected.",),
        (" ", partners_say(test)),
    ]  # fmt: skip
    shown = strength_present.synergies(findings.synergies)
    return Section(
        "partners",
        "Partners",
        tuple(text),
        (shown,),
        ("statistics/synergies.csv", "statistics/tests.csv"),
    )


def partners_say(test: dict[Any, Any]) -> str:
    """Say whether pairs differ from the sum of their bots."""
    counted = f"from {w.plural(test['games'], 'game')} in {w.plural(test['blocks'], 'block')}"
    if not test["tested"]:
        return f"Whether there is any cannot be tested {counted}."
    verdict = "There is synergy" if test["p"] <= 0.05 else "No synergy is sure"
    return f"{verdict} ({tested(test)}, {counted})."


def money(analysis: Analysis) -> Section:
    """Say what bots make of their cards."""
    table = analysis.findings.money
    text: Sentence = (
        "Beside who wins: what share of the table’s money a bot ends with, compared with the others that held the same "
        "cards in the same seat, so that the luck of the deal is taken off.",
    )
    everywhere = table[table["players"] == 0]
    alt = "Each bot's gain over the average bot with its interval, the ladder's best on top."
    picture = Picture(
        "money", alt, "Gain in money over the average bot with the same cards, with 95% intervals.",
        lambda look: plot_money(everywhere, look),
    )  # fmt: skip
    shown = strength_present.money(table)
    parts = (picture, shown) if everywhere["gain"].notna().sum() > 2 else (shown,)
    return Section("money", "Money", (text,), parts, ("statistics/money.csv",))
