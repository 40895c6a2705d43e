"""Sections of circles, of skill and luck, and of how exact the ratings are."""

from collections.abc import Iterator

from harness.report import skill_present
from harness.report import words as w
from harness.report.analysis import Analysis
from harness.report.finding_plots import plot_luck
from harness.report.section import Part, Picture, Section
from harness.report.words import Sentence
from harness.stats.cycles import Cycles


def skill_sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the sections, those with nothing to tell left out."""
    findings = analysis.findings
    if findings.cycles and findings.cycles.pairs > 2:
        yield circles(analysis, findings.cycles)
    if len(findings.luck) or len(findings.bits) or len(findings.matches):
        yield skill(analysis)
    if len(findings.precision):
        yield precision(analysis)


def circles(analysis: Analysis, cycles: Cycles) -> Section:
    """Say whether bots beat each other in circles, and who is best all the same."""
    findings = analysis.findings
    text: tuple[Sentence, ...] = (
        ("One number for each bot says who beats whom only as far as strength is one order. Bots can also beat each "
         "other in circles, as rock, paper and scissors do. The games of Head to head are counted, in the same way.",),
        (" ", circles_say(cycles)),
    )  # fmt: skip
    parts: list[Part] = []
    files = ["ratings.json"]
    if len(findings.worst_cycles):
        parts.append(skill_present.worst_cycles(findings.worst_cycles))
        files.append("statistics/worst_cycles.csv")
    if len(findings.nash):
        parts.append(skill_present.nash(findings.nash))
        files.append("statistics/nash.csv")
    return Section("circles", "Circles", text, tuple(parts), tuple(files))


def circles_say(cycles: Cycles) -> str:
    """Say how much of what pairs differ by is one order, and whether the rest is more than chance."""
    counted = f"{w.plural(cycles.pairs, 'pair')} in {w.plural(cycles.blocks, 'block')}"
    interval = w.percent_span(cycles.index_lo, cycles.index_hi)
    p = w.p_value(cycles.p)
    shares = (
        f"Of the differences between bots (squares of log-odds, chance taken off) {w.percent(cycles.index)} "
        f"({interval}) are one order and {w.percent(1 - cycles.index)} are circles, "
        f"{w.whole(cycles.cyclic_elo)} Elo for a typical pair; from {counted}."
    )
    if not cycles.is_cyclic:
        return f"{shares} That there are circles at all is not sure (p = {p}, ladders redrawn without any)."
    found = f"There surely are circles (p = {p}, ladders redrawn without any)"
    if not cycles.count:
        return f"{shares} {found}, though of no three bots each is surely above the next."
    return f"{shares} {found}; of three bots each surely above the next there are {cycles.count:,}."


def skill(analysis: Analysis) -> Section:
    """Say what a win is made of, how many games tell bots apart, what ratings foretell, and who wins a match."""
    findings = analysis.findings
    text: tuple[Sentence, ...] = (
        ("How much of a win is the bot, and how much everything else: who sits with it, the seat, the cards, chance. "
         "The more of it is luck, the more games it takes until the better bot shows.",),
    )  # fmt: skip
    parts: list[Part] = []
    files = []
    if len(findings.luck) and findings.luck["share"].notna().any():
        parts.append(
            Picture(
                "luck", "A bar for each number of players: the parts of the bot, the others, seat, cards and chance.",
                "What makes the winner: shares of the variance of a win in one game; the table has the intervals.",
                lambda look: plot_luck(findings.luck, look),
            )
        )  # fmt: skip
        parts += [skill_present.luck(findings.luck), skill_present.reliability(findings.reliability)]
        files += ["statistics/luck.csv", "statistics/reliability.csv"]
    if len(findings.bits):
        parts.append(skill_present.bits(findings.bits))
        files.append("statistics/bits.csv")
    if len(findings.matches):
        parts.append(skill_present.matches(findings.matches))
        files.append("statistics/matches.csv")
    return Section("skill", "Skill and luck", text, tuple(parts), tuple(files))


def precision(analysis: Analysis) -> Section:
    """Say how exact differences of ratings are."""
    text: Sentence = (
        "Games of one deal are not independent, so all errors are taken from whole blocks. The design effect says what "
        "that changes, and with it how many games it takes.",
    )
    shown = skill_present.precision(analysis.findings.precision)
    return Section("precision", "How exact", (text,), (shown,), ("statistics/precision.csv",))
