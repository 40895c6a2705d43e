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
    span,
    title,
    whole,
)

ODD, ALARMING = 0.01, 1e-4
"""p-values of the length of games below which it is worth watching, and below which the engine is suspect."""

MOST_NAMED = 3


def verdict(analysis: Analysis) -> Iterator[Sentence]:
    """Yield the sentences of the opening paragraph."""
    yield who_leads(analysis)
    yield from by_first_places(analysis)
    yield from seats_say(analysis.seats)
    yield from cities_say(analysis.cities)
    yield length_says(analysis.lengths)
    yield faults_say(analysis)


def who_leads(analysis: Analysis) -> Sentence:
    """Say who leads, by how much and how surely."""
    ratings = analysis.fits.finish
    played = [bot for bot in rating_order(ratings) if ratings.games[bot]]
    names = [Name(name) for name in analysis.frames.names]
    if len(played) == 1:
        return ("Only ", names[played[0]], " played, so there is nothing to rank.")
    first, second = played[:2]
    gap, lo, hi, sure = lead(ratings, first, second)
    interval = span(lo, hi)
    words: Sentence = (
        names[first], f" leads with {whole(ratings.elo[first])} Elo, {whole(gap)} points "
        f"({interval}) above ", names[second], f"; {_how_sure(sure)}.",
    )  # fmt: skip
    if ratings.doubts.disconnected[first] or ratings.doubts.inseparable[first]:
        words = (*words, " Its distance to the others is a guess: it has won everything, or has never met them.")
    return words


def _how_sure(sure: float) -> str:
    if sure > 0.999:
        return "that it is the stronger of the two is beyond doubt"
    if sure >= 0.975:
        return f"that it is the stronger of the two is as good as certain ({chance(sure)})"
    if sure >= 0.9:
        return f"that it is the stronger of the two is likely, not certain ({chance(sure)})"
    return f"which of the two is the stronger is open ({chance(sure)} for the leader)"


def by_first_places(analysis: Analysis) -> Iterator[Sentence]:
    """Say so where a rating by first places alone would put another bot on top."""
    played = analysis.ratings[analysis.ratings["games"] > 0]
    best = str(played["bot"].iloc[played["win_elo"].argmax()])
    if best != played["bot"].iloc[0]:
        yield ("Rated by first places alone, ", Name(best), " would lead.")


def seats_say(seats: pd.DataFrame) -> Iterator[Sentence]:
    """Say which seats win surely more or less than their share."""
    if seats.empty:
        return
    off = seats[seats["verdict"] == "fail"].assign(gap=lambda t: t["share"] - t["target"])
    off = off.reindex(off["gap"].abs().sort_values(ascending=False).index)
    if len(off):
        found = [_seat(row) for row in off.head(MOST_NAMED).to_dict("records")]
        rest = len(off) - len(found)
        more = f", and {counted(rest, 'more seat')} off the mark" if rest else ""
        yield (f"Seats are not all even: {listed(found)} {'stand' if len(found) > 1 else 'stands'} out{more}.",)
    elif (seats["verdict"] == "pass").all():
        yield ("All seats are even, within one point in a hundred.",)
    else:
        open_ones = int((seats["verdict"] == "more").sum())
        who = "all" if open_ones == len(seats) else f"{open_ones} of {len(seats)}"
        yield (f"No seat stands out so far; {who} need more games to be called even.",)


def _seat(row: dict[Any, Any]) -> str:
    seats = str(row["seats"])
    who = f"the team of seats {seats.replace('+', ' and ')}" if "+" in seats else f"seat {seats}"
    return f"{who} at {row['group']} ({percent(row['share'])} of the wins, even would be {percent(row['target'])})"


def cities_say(cities: pd.DataFrame) -> Iterator[Sentence]:
    """Say which cities pay surely more or less for a gangster than the others."""
    if cities.empty:
        return
    off = cities[cities["price_verdict"] == "fail"].assign(ratio=lambda t: t["price"] / t["price_mean"])
    for word, part in (("a bargain", off[off["ratio"] > 1]), ("dear", off[off["ratio"] < 1])):
        found = [
            f"{title(str(city))} at {listed([str(group) for group in own['group']])} "
            f"({listed([number(value) for value in own['price']])} millions for a gangster, where the mean is "
            f"{listed([number(value) for value in own['price_mean']])})"
            for city, own in part.groupby("city", observed=True)
        ]
        if found:
            yield (f"As these bots play, {listed(found[:MOST_NAMED])} {'is' if len(found) == 1 else 'are'} {word}.",)
    if off.empty:
        low, high = PRICE_RANGE
        yield (f"No city surely pays less than {low} or more than {high} times the mean for a gangster.",)


def length_says(lengths: pd.DataFrame) -> Sentence:
    """Say whether games lasted as long as the police deck makes them."""
    groups = lengths.drop_duplicates("group")
    mean = (lengths["hands"] * lengths["blocks"]).sum() / groups["all_blocks"].sum()
    p = float(groups["p_holm"].min())
    told = f"Games lasted {number(mean, 1)} regular hands on average"
    if p >= ODD:
        return (f"{told}, spread as the police deck would have it but for chance (least p = {p_value(p)}).",)
    worst = groups["group"].iloc[groups["p_holm"].argmin()]
    if p >= ALARMING:
        return (f"{told}; at {worst} they are spread oddly for the police deck (p = {p_value(p)}), worth watching.",)
    return (f"{told}; at {worst} they do not follow the police deck (p {p_value(p)}): the dealing should be checked.",)


def faults_say(analysis: Analysis) -> Sentence:
    """Say who failed, and what that cost."""
    faults = analysis.faults[analysis.faults["faults"] > 0]
    if faults.empty:
        return ("No bot made a fault.",)
    left_out = int(analysis.counts["left_out"].sum())
    told: list[Sentence] = [
        (Name(bot), f" ({counted(number_of, 'fault')})")
        for bot, number_of in zip(faults["bot"].head(MOST_NAMED), faults["faults"], strict=False)
    ]
    rest = len(faults) - len(told)
    who = joined([*told, *([(counted(rest, "more bot"),)] if rest else [])])
    price = f"; {counted(left_out, 'forfeited game')} count for the ratings, not for the balance" if left_out else ""
    return ("Faults were made by ", *who, f"{price}.")
