"""The report's opening paragraph: what the figures say, in plain words, and how sure that is."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from harness.report.analysis import Analysis
from harness.report.balance_tables import PRICE_RANGE
from harness.report.tables import lead, rating_order
from harness.report.words import (
    Name,
    Sentence,
    chance,
    counted,
    joined,
    listed,
    number,
    p_value,
    percent,
    plural,
    span,
    title,
    whole,
)

ODD, ALARMING = 0.01, 1e-4
"""p-values of the length of games below which it is worth watching, and below which the engine is suspect."""

MOST_NAMED = 2
MOST_OUT = 5


def verdict(analysis: Analysis) -> Iterator[Sentence]:
    """Yield the sentences of the opening paragraph."""
    yield who_leads(analysis)
    yield from by_the_other(analysis)
    if analysis.seats.empty:
        yield ("Every game was forfeited or is not rated, so nothing can be said of the balance.",)
    yield from seats_say(analysis.seats)
    yield from cities_say(analysis.cities)
    yield length_says(analysis.lengths)
    yield faults_say(analysis)
    yield from out_say(analysis)


def who_leads(analysis: Analysis) -> Sentence:
    """Say who leads, by how much and how surely."""
    ratings = analysis.fits.main
    played = [bot for bot in rating_order(ratings) if ratings.games[bot]]
    names = [Name(name) for name in analysis.frames.names]
    if len(played) == 1:
        return ("Only ", names[played[0]], " played, so there is nothing to rank.")
    first, second = played[:2]
    gap, lo, hi, sure = lead(ratings, first, second)
    elo = whole(ratings.elo[first])
    if round(gap) == 0:
        return (names[first], " and ", names[second], f" are level at {elo} Elo, give or take {whole(hi - gap)}.")
    words: Sentence = (
        names[first], f" leads with {elo} Elo, {whole(gap)} points ({span(lo, hi)}) above ", names[second],
        f"; {_how_sure(sure)}.",
    )  # fmt: skip
    if ratings.doubts.disconnected[first] or ratings.doubts.inseparable[first]:
        words = (*words, " Its games alone do not fix its distance to the others, so that is a guess.")
    return words


def _how_sure(sure: float) -> str:
    if sure > 0.999:
        return "that it is the stronger of the two is beyond doubt"
    if sure >= 0.975:
        return f"that it is the stronger of the two is as good as certain ({chance(sure)})"
    if sure >= 0.9:
        return f"that it is the stronger of the two is likely, not certain ({chance(sure)})"
    return f"which of the two is the stronger is open ({chance(sure)} for the leader)"


def by_the_other(analysis: Analysis) -> Iterator[Sentence]:
    """Say so where the other rating, by first places alone or by finishing orders, would put another bot on top."""
    played = analysis.ratings[analysis.ratings["games"] > 0]
    by_wins = not analysis.fits.agreement.agree
    rating, by = ("finish_elo", "whole finishing orders") if by_wins else ("win_elo", "first places alone")
    best = str(played["bot"].iloc[played[rating].argmax()])
    if best != played["bot"].iloc[0]:
        yield (f"Rated by {by}, ", Name(best), " would lead.")


def seats_say(seats: pd.DataFrame) -> Iterator[Sentence]:
    """Say which seats win surely more or less than their share."""
    if seats.empty:
        return
    off = seats[seats["verdict"] == "fail"].assign(gap=lambda t: (t["share"] - t["target"]).abs())
    if len(off):
        worst = off.sort_values("gap", ascending=False, kind="stable").head(MOST_NAMED)
        found = [_seat(row) for row in worst.to_dict("records")]
        rest = len(off) - len(found)
        more = f"; {counted(rest, 'more is', 'more are')} off as well" if rest else ""
        yield (f"Seats are not all even: {listed(found)}{more}.",)
    elif (seats["verdict"] == "pass").all():
        yield ("All seats are even, within one point in a hundred.",)
    else:
        open_ones = int((seats["verdict"] == "more").sum())
        who = "all" if open_ones == len(seats) else f"{open_ones} of {len(seats)}"
        yield (f"No seat stands out so far; {who} need more games to be called even.",)


def _seat(row: dict[Any, Any]) -> str:
    seats = str(row["seats"])
    who = f"the team of seats {seats.replace('+', ' and ')}" if "+" in seats else f"seat {seats}"
    return f"{who} at {row['group']} wins {percent(row['share'])} instead of {percent(row['target'])}"


def cities_say(cities: pd.DataFrame) -> Iterator[Sentence]:
    """Say in which cities a gangster surely earns more or less than in the others."""
    if cities.empty:
        return
    off = cities[cities["price_verdict"] == "fail"].assign(times=lambda t: t["price"] / t["price_mean"])
    better, worse = off[off["times"] > 1], off[off["times"] < 1]
    if off.empty:
        low, high = PRICE_RANGE
        yield (f"In no city does a gangster surely earn less than {low} or more than {high} times the mean.",)
    elif worse.empty:
        yield (f"As these bots play, a gangster earns most in {_named_cities(better, better=True)}.",)
    elif better.empty:
        yield (f"As these bots play, a gangster earns least in {_named_cities(worse, better=False)}.",)
    else:
        most, least = _named_cities(better, better=True), _named_cities(worse, better=False)
        yield (f"As these bots play, a gangster earns most in {most}, and least in {least}.",)


def _named_cities(off: pd.DataFrame, better: bool) -> str:
    """Return the cities furthest off, each with where it is and how far: ``Chicago (at 2 players, 0.6 times ...)``."""
    told: list[tuple[float, str]] = []
    for city, own in off.groupby("city", observed=True):
        times = float(own["times"].max() if better else own["times"].min())
        reach = "up to " if better and len(own) > 1 else "down to " if len(own) > 1 else ""
        where = at_groups([str(group) for group in own["group"]])
        told.append((times, f"{title(str(city))} ({where}, {reach}{number(times, 1)} times the mean)"))
    told.sort(reverse=better)
    return listed([text for _, text in told[:MOST_NAMED]])


def at_groups(groups: list[str]) -> str:
    """Return where something is so: ``at 4, 5 and 6 players``."""
    end = " players"
    if all(group.endswith(end) for group in groups):
        return f"at {listed([group.removesuffix(end) for group in groups])}{end}"
    return f"at {listed(groups)}"


def length_says(lengths: pd.DataFrame) -> Sentence:
    """Say whether games lasted as long as the police deck makes them."""
    groups = lengths.drop_duplicates("group")
    mean = (lengths["hands"] * lengths["blocks"]).sum() / groups["all_blocks"].sum()
    p = float(groups["p_holm"].min())
    shown = (f"p {p_value(p)}" if p < ALARMING else f"p = {p_value(p)}").replace(" ", "\u00a0")
    told = f"Games lasted {number(mean, 1)} regular hands on average"
    if p >= ODD:
        return (f"{told}, spread as the police deck would have it but for chance (least {shown}).",)
    worst = groups["group"].iloc[groups["p_holm"].argmin()]
    if p >= ALARMING:
        return (f"{told}; at {worst} they are spread oddly for the police deck ({shown}), worth watching.",)
    return (f"{told}; at {worst} they do not follow the police deck ({shown}): the dealing should be checked.",)


def faults_say(analysis: Analysis) -> Sentence:
    """Say who failed, and what that cost."""
    faults = analysis.faults[analysis.faults["faults"] > 0]
    if faults.empty:
        return ("No bot made a fault.",)
    forfeited = int((analysis.frames.rated()["forfeits"] != 0).sum())
    told: list[Sentence] = [
        (Name(bot), f" ({counted(number_of, 'fault')})")
        for bot, number_of in zip(faults["bot"].head(MOST_NAMED), faults["faults"], strict=False)
    ]
    rest = len(faults) - len(told)
    who = joined([*told, *([(counted(rest, "more bot"),)] if rest else [])])
    price = f"; {counted(forfeited, 'forfeited game')} count for the ratings, not for the balance" if forfeited else ""
    return ("Faults were made by ", *who, f"{price}.")


def rated_say(analysis: Analysis) -> Iterator[Sentence]:
    """Say how many games were forfeited and how many are not rated, and who is out of the run."""
    games, forfeited, unrated = (int(analysis.counts[column].sum()) for column in ("games", "forfeited", "unrated"))
    yield (f"Of {plural(games, 'game')}, {forfeited:,} forfeited and {unrated:,} not rated.",)
    yield from out_say(analysis)


def out_say(analysis: Analysis) -> Iterator[Sentence]:
    """Say who is out of the run, why and since when."""
    for row in analysis.out.head(MOST_OUT).to_dict("records"):
        reason = row["reason"].rstrip(".")
        since = f" is out of the run since game {row['game']:,} at {row['table']}: {reason[0].lower()}{reason[1:]}"
        unrated = plural(row["unrated"], "game")
        yield (Name(row["bot"]), f"{since}; {unrated} after that {'is' if row['unrated'] == 1 else 'are'} not rated.")
    if len(analysis.out) > MOST_OUT:
        yield (f"{counted(len(analysis.out) - MOST_OUT, 'more bot is', 'more bots are')} out.".capitalize(),)
