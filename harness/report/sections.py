"""What the report says, in order: sections of a few sentences, figures and tables, still without any markup."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from harness.report import balance_plots, balance_present, plots, present
from harness.report import words as w
from harness.report.analysis import Analysis
from harness.report.balance_tables import PRICE_RANGE, size_correlation
from harness.report.fault_notes import nondeterministic, note_names
from harness.report.history import HISTORY
from harness.report.history_plot import plot_history
from harness.report.present import Shown
from harness.report.section import MOST_ROWS, Part, Picture, Section
from harness.report.skill_sections import skill_sections
from harness.report.strength_sections import strength_sections
from harness.report.strength_tables import MOST_PAIRS, partner_pairs
from harness.report.verdict import rated_say
from harness.report.words import Name, Sentence


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the sections of the report, those with nothing to tell left out."""
    yield _ladder(analysis)
    yield from strength_sections(analysis)
    yield from skill_sections(analysis)
    if analysis.history["entry"].nunique() > 1:
        yield _history(analysis)
    if len(analysis.seats):
        yield _seats(analysis)
    if len(analysis.places):
        yield _places(analysis)
    if len(analysis.cities):
        yield _cities(analysis)
    if len(analysis.chicago):
        yield _chicago(analysis)
    yield _length(analysis)
    yield _faults(analysis)
    yield _run(analysis)


def _tables(by_group: Shown, by_kind: Shown) -> list[Part]:
    """Return a balance table by group and, where it says more and is not too long, by table kind."""
    more = len(by_kind.rows) > len(by_group.rows)
    return [by_group, by_kind] if more and len(by_kind.rows) <= MOST_ROWS else [by_group]


def _ladder(analysis: Analysis) -> Section:
    manifest = analysis.frames.manifest
    sizes = sorted(analysis.sizes["players"].unique())
    anchor = Name(analysis.frames.names[analysis.frames.anchor])
    text: list[Sentence] = [
        ("Elo is counted from ", anchor, f", which stands at {w.whole(manifest.anchor_elo)}. 400 points are odds of "
         "10 to 1 that one bot finishes above another, at a table of any size."),
        (" Every interval is a 95% interval; its unit is the block, one deal played in rotated seats.",),
        (" A ± is that of the distance to the mean of all bots, so the anchor has one though its number is fixed.",),
        (" A forfeited game counts as a place behind all others.",),
        *((" ", *sentence) for sentence in rated_say(analysis)),
    ]  # fmt: skip
    if not analysis.fits.agreement.agree:
        text.append((" Here only first places count: finishing orders rate these bots otherwise (see Finish or win).",))
    if 6 in sizes:
        text.append((" Six players are three teams; a team is as strong as its two bots together.",))
        pairs = partner_pairs(analysis.frames.results)
        if pairs > MOST_PAIRS:
            text.append((f" What pairs of partners bring beyond that is left out: of {pairs:,} pairs it would take too "
                         f"long, {MOST_PAIRS:,} are the most.",))  # fmt: skip
    best = analysis.ratings.iloc[0]
    alt = f"Each bot's Elo with its interval, best on top; {best['bot']} leads with {w.whole(best['elo'])}."
    picture = Picture(
        "ratings", alt, "Elo and 95% intervals, the best bot on top.",
        lambda look: plots.plot_ratings(analysis.ratings, anchor, look),
    )  # fmt: skip
    shown = present.leaderboard(with_chances(analysis), sizes, by_wins=not analysis.fits.agreement.agree)
    return Section("ladder", "The ladder", tuple(text), (shown, picture), ("ratings.csv", "ratings.json"))


def with_chances(analysis: Analysis) -> pd.DataFrame:
    """Return the ladder with each bot's chances to be the strongest and among the three strongest."""
    chances = analysis.findings.chances
    everywhere = chances.loc[chances["players"] == 0, ["bot", "best", "top_three", "contender"]]
    return analysis.ratings.merge(everywhere, on="bot", how="left")


def _caption(text: str, analysis: Analysis) -> str:
    """Return a caption, with a word more where the figure cannot show all groups."""
    most = balance_plots.MOST_GROUPS
    return text if analysis.lengths["group"].nunique() <= most else f"{text} The first {most} kinds of table are shown."


def _left_out(analysis: Analysis) -> str:
    left_out, games = int(analysis.counts["left_out"].sum()), int(analysis.counts["games"].sum())
    if not left_out:
        return " All games count here."
    torn = " and all of blocks in which a game is not rated" if analysis.frames.standing.unrated else ""
    return f" {games - left_out:,} of {games:,} games count here; those with a forfeit{torn} are left out."


def _history(analysis: Analysis) -> Section:
    log = analysis.history
    text: Sentence = (
        "Everybody's rating after each submission, from all games played until then; a dot with its 95% interval is "
        "the submitted bot when it came in.",
    )
    picture = Picture(
        "history", "A line for each bot: its Elo after each submission, in their order.",
        "Elo after each submission; submitted bots are drawn strong.",
        lambda look: plot_history(log, look),
    )  # fmt: skip
    return Section("history", "Submissions", (text,), (picture,), (HISTORY,))


def _seats(analysis: Analysis) -> Section:
    text: tuple[Sentence, ...] = (
        ("Every bot sat in every seat with the same cards, so only the seat itself makes a difference.",),
        (_left_out(analysis),),
    )
    picture = Picture(
        "seats", "Share of wins of each seat with its interval, one panel for each number of players.",
        _caption("Share of wins by seat; the line is an even share, the band one point around it.", analysis),
        lambda look: balance_plots.plot_seats(analysis.seats, look),
    )  # fmt: skip
    shown = _tables(
        balance_present.seats(analysis.seats, "group"), balance_present.seats(analysis.seats_by_kind, "table")
    )
    files = ("balance/seats.csv", "balance/seats_by_kind.csv")
    return Section("seats", "Seats", text, (picture, *shown), files)


def _places(analysis: Analysis) -> Section:
    text: Sentence = (
        "The start marker moves one seat on after each hand, so every seat has several places in a game. "
        "This is what a place brings in one hand.",
    )
    shown = _tables(
        balance_present.places(analysis.places, "group"), balance_present.places(analysis.places_by_kind, "table")
    )
    files = ("balance/places.csv", "balance/places_by_kind.csv")
    return Section("places", "Places in the hand", (text,), tuple(shown), files)


def _cities(analysis: Analysis) -> Section:
    low, high = PRICE_RANGE
    text: list[Sentence] = [
        ("What a city pays its winner against the gangsters it costs. The price is in line where a gangster surely "
         f"earns {low} to {high} times the mean of all cities; lost experts and banishments are not set off against "
         "the money. This is how these bots play; others may value cities differently.",),
    ]  # fmt: skip
    correlation = size_correlation(analysis.cities)
    if correlation == correlation:
        alike = "much alike" if correlation >= 0.7 else "differently"
        text.append((f" Between numbers of players cities rank {alike} (mean rank correlation {correlation:.2f}).",))
    picture = Picture(
        "cities", "Each city's payment against the gangsters of its winner, one panel for each number of players.",
        _caption("Money against gangsters, when won, with 95% intervals. On the dashed line a gangster earns the mean "
                 "of all cities; above it, more.", analysis),
        lambda look: balance_plots.plot_cities(analysis.cities, look),
    )  # fmt: skip
    pictures = [picture] if len(balance_plots.won_cities(analysis.cities)) else []
    shown = _tables(
        balance_present.cities(analysis.cities, "group"), balance_present.cities(analysis.cities_by_kind, "table")
    )
    if analysis.cities["group"].nunique() > 1:
        shown.insert(1, balance_present.city_prices(analysis.cities))
    files = ("balance/cities.csv", "balance/cities_by_kind.csv")
    return Section("cities", "Cities", tuple(text), (*pictures, *shown), files)


def _chicago(analysis: Analysis) -> Section:
    text: Sentence = (
        "Chicago pays half of what lies open to its left, and moves one place to the right after each hand: "
        "it should be worth more, and cost more, from hand to hand.",
    )
    picture = Picture(
        "chicago", "How often Chicago is won, what it pays and what it costs, by the number of the hand.",
        _caption("Chicago by the number of the hand, with 95% intervals.", analysis),
        lambda look: balance_plots.plot_chicago(analysis.chicago, look),
    )  # fmt: skip
    pictures = [picture] if len(balance_plots.regular_hands(analysis.chicago)) else []
    shown = _tables(
        balance_present.chicago(analysis.chicago, "group"), balance_present.chicago(analysis.chicago_by_kind, "table")
    )
    files = ("balance/chicago.csv", "balance/chicago_by_kind.csv")
    return Section("chicago", "Chicago by hand", (text,), (*pictures, *shown), files)


def _length(analysis: Analysis) -> Section:
    text: Sentence = (
        "The police deck alone decides how many regular hands a game lasts, whatever bots do, so this tests the "
        "dealing. All games of a block share the police order and count once. Extra hands, played when the win is "
        "level, are counted apart.",
    )
    picture = Picture(
        "lengths", "Share of blocks with each number of regular hands beside the police deck's law.",
        _caption("Regular hands: dots with 95% intervals over bars of the police deck’s law.", analysis),
        lambda look: balance_plots.plot_lengths(analysis.lengths, look),
    )  # fmt: skip
    shown = [balance_present.lengths(analysis.lengths)]
    if len(analysis.endings):
        shown.append(balance_present.endings(analysis.endings))
    files = ("balance/lengths.csv", "balance/endings.csv")
    return Section("length", "Length and endings", (text,), (picture, *shown), files)


def _faults(analysis: Analysis) -> Section:
    limit = analysis.frames.manifest.limits.forfeits
    text: list[Sentence] = [
        ("A fault costs the move, and a fixed simple turn is played in its place; or the game, which is forfeited; or "
         "the rest of the run. The third fault in one game forfeits it.",),
        (" A bot is out of the run when it cannot be loaded or meddles with messages, after its second fault for "
         f"something forbidden, its third timeout, or {w.plural(limit, 'forfeited game')}, counted in the order of the "
         "schedule; its later games are played, but rated for nobody.",),
    ]  # fmt: skip
    parts: list[Part] = [present.faults(analysis.faults)]
    if len(analysis.out):
        parts.insert(0, present.out(analysis.out))
    if len(analysis.messages):
        text.append(
            (" For authors, a file for each bot has all its messages, how to replay them, and what it printed.",)
        )
        parts.append(present.messages(analysis.messages))
    if len(analysis.usage):
        parts.append(present.usage(analysis.usage))
        text += _nondeterministic(analysis)
    usage = ("usage.csv",) if len(analysis.usage) else ()
    files = ("faults.csv", *usage, *note_names(analysis).values())
    return Section("faults", "Faults", tuple(text), tuple(parts), files)


def _nondeterministic(analysis: Analysis) -> Iterator[Sentence]:
    """Yield who decided otherwise when asked again, after other sentences."""
    rows = analysis.usage[analysis.usage["differing"] > 0].to_dict("records")
    for row in rows:
        yield " ", Name(row["bot"]), f" is {nondeterministic(row['differing'], row['asked_again'])}."
    if rows:
        yield (" That is no fault, but such a bot's games would go otherwise in another run with the same seed.",)


def _run(analysis: Analysis) -> Section:
    manifest = analysis.frames.manifest
    bots = w.joined([(Name(spec.name), f" ({spec.version}, {spec.level})") for spec in manifest.bots])
    known = {name: version for name, version in manifest.versions.items() if version[:1].isdigit()}
    versions = w.listed([f"{name} {version}" for name, version in known.items()] or ["unknown versions"])
    text: tuple[Sentence, ...] = (
        ("Bots, each with the version that played and the level at which it ran last: ", *bots, "."),
        *_isolation(manifest.isolation),
        (f" Played with {versions}. The seed and all rules are in manifest.json.",),
    )
    return Section("run", "The run", text, (present.counts(analysis.counts),), ("manifest.json", "config.yaml"))


def _isolation(found: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield what the machine could hold bots to, as the manifest keeps it."""
    if not found:
        yield (" Trusted bots ran in the harness's own process; no other level was needed.",)
        return
    yield (f" Trusted bots ran in the harness's own process, others in processes of their own. The isolation level of "
           f"the run is {found['level']}.",)  # fmt: skip
    if found["reason"]:
        yield (f" Why it is no higher: {found['reason'].rstrip('.')}.",)
    for holds, what in ((True, "held"), (False, "did not hold")):
        names = [name.replace("_", " ") for name, held in found["holds"].items() if held is holds]
        if names:
            yield (f" Protections tried for real that {what}: {w.listed(names)}.",)
