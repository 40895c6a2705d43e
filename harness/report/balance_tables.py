"""Tables of the game's balance: seats, places in the hand, cities, Chicago by hand.

Games with a forfeit are left out (`tables.count_table` says how many). Blocks are the unit. A table is made `by`
group (all usual kinds of a number of players together) or `by` table kind.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from harness.game.tally import SIXTIETHS
from harness.report.frames import Frames, block_sums, spread, win_shares
from harness.stats.balance import Estimate, judge, ratio, share
from harness.stats.ratings import SeatEffects
from harness.stats.results import Ints

By: TypeAlias = Literal["group", "table"]

SEAT_MARGIN = 0.01
"""A seat is even when its share of wins is surely within this of 1/n."""

SEAT_ELO = 10.0
"""The same for the seat's effect in Elo."""

PRICE_RANGE = (0.8, 1.25)
"""A city's money per gangster is in line when it is surely within these multiples of the mean of all cities."""


class Figure(NamedTuple):
    """A figure of the city tables: column, sums above and below the line, and whether it is a share."""

    column: str
    top: str
    bottom: str
    is_share: bool


CITY_FIGURES = (
    Figure("capture", "captured", "hands", True),
    Figure("reward", "paid", "captured", False),
    Figure("winner_spent", "spent_won", "captured", False),
    Figure("losers_spent", "spent_lost", "captured", False),
    Figure("lost_share", "spent_lost", "spent", True),
    Figure("price", "paid", "spent_won", False),
    Figure("bidders", "bidders", "captured", False),
)
"""What is worked out of a city: how often it is won, money when won, gangsters of the winner and of all others, the
others' share of all gangsters there, money per gangster of the winner, sides with gangsters there."""

CASUALTIES = ("hospital", "prison", "killed", "banished")


def _parts(frame: pd.DataFrame, by: list[str]) -> Iterator[tuple[tuple[Any, ...], pd.DataFrame]]:
    """Yield the rows that are equal `by` these columns, in their order, each part made when it is asked for."""
    for rows in _rows(frame, by):
        part = frame.iloc[rows]
        yield tuple(part[column].iloc[0] for column in by), part


def _rows(frame: pd.DataFrame, by: list[str]) -> list[Ints]:
    """Return the numbers of the rows of each part."""
    if frame.empty:
        return []
    number = frame.groupby(by, observed=True, sort=True).ngroup().to_numpy()
    rows = np.argsort(number, kind="stable")
    return np.split(rows, np.flatnonzero(np.diff(number[rows])) + 1)


def _sums_per_block(frame: pd.DataFrame, *columns: str) -> list[Any]:
    return [frame[column].to_numpy(np.float64) for column in columns]


def seat_table(frames: Frames, by: By, effects: SeatEffects | None = None) -> pd.DataFrame:
    """Return each seat's share of wins; the seats of a team share one row.

    | column                       | meaning                                                                     |
    |------------------------------|-----------------------------------------------------------------------------|
    | group or table, players      | what was played                                                             |
    | side, seats                  | side by its number; its seats, as 0 or 0+3                                  |
    | share, share_lo, share_hi    | wins of the side among games, 1/k where k sides share one                   |
    | target, verdict              | 1/n; pass, fail or more by SEAT_MARGIN (`judge`)                            |
    | elo, elo_lo, elo_hi          | the rating model's effect of the seat, by number of players (with `effects`)|
    | elo_verdict                  | pass, fail or more by SEAT_ELO                                              |
    | games, blocks                | counted                                                                     |
    """
    rows: list[dict[str, Any]] = []
    parts = [(str(key), games) for (key,), games in _parts(frames.counted(), [by])]
    family = sum(frames.rules_of(key).sides for key, _ in parts)
    for key, games in parts:
        rules = frames.rules_of(key)
        unit = games["unit"].to_numpy()
        wins = block_sums(unit, win_shares(games, "rank")[:, : rules.sides])
        estimate = share(wins, block_sums(unit, np.ones((len(games), rules.sides))))
        target = 1 / rules.sides
        columns = spread(estimate, "share")
        judged = judge(estimate, target - SEAT_MARGIN, target + SEAT_MARGIN, family)
        for side in range(rules.sides):
            seats = rules.teams[side] if rules.teams else (side,)
            rows.append(
                {
                    by: key,
                    "players": rules.players,
                    "side": side,
                    "seats": "+".join(map(str, seats)),
                    **{name: values[side] for name, values in columns.items()},
                    "target": target,
                    "verdict": judged[side],
                    "games": len(games),
                    "blocks": int(estimate.blocks[side]),
                }
            )
    table = pd.DataFrame(rows)
    if effects is None or table.empty:
        return table
    return table.merge(_seat_elo(effects), how="left", on=["players", "side"])


def _seat_elo(effects: SeatEffects) -> pd.DataFrame:
    """Return the seats' effects as columns, empty where a seat cannot be told from its bots."""
    nothing = np.full(len(effects.elo), np.nan)
    count = effects.games.astype(np.float64)
    estimate = Estimate(effects.elo, effects.lo, effects.hi, effects.se, count, effects.blocks, nothing)
    frame = pd.DataFrame(
        {
            "players": effects.players,
            "side": effects.seat,
            **spread(estimate, "elo"),
            "elo_verdict": judge(estimate, -SEAT_ELO, SEAT_ELO, len(count)),
        }
    )
    return frame[~effects.inseparable]


def place_table(frames: Frames, by: By) -> pd.DataFrame:
    """Return what each place from the start marker brings in a hand (of a team, the place of its side).

    Columns: group or table, place (0 holds the marker), money, money_lo, money_hi (a hand), best, best_lo, best_hi
    (share of hands in which it won the most money, shared where level), target (1/n), spent, spent_lo, spent_hi
    (gangsters a hand), hands, blocks.
    """
    rows = []
    for (key, place), part in _parts(frames.sums("place"), [by, "index"]):
        hands, paid, best, spent = _sums_per_block(part, "hands", "paid", "best", "spent")
        rows.append(
            {
                by: key,
                "place": place,
                **spread(ratio(paid, hands), "money"),
                **spread(share(best / SIXTIETHS, hands), "best"),
                "target": 1 / frames.rules_of(str(key)).sides,
                **spread(ratio(spent, hands), "spent"),
                "hands": int(hands.sum()),
                "blocks": len(hands),
            }
        )
    return pd.DataFrame(rows).astype({"place": int}) if rows else pd.DataFrame()


def city_table(frames: Frames, by: By) -> pd.DataFrame:
    """Return what every city costs and brings, in row order, Chicago last.

    | column                      | meaning                                                                      |
    |-----------------------------|------------------------------------------------------------------------------|
    | group or table, city        |                                                                              |
    | the columns of CITY_FIGURES | each with _lo and _hi                                                        |
    | price_mean, price_verdict   | money per gangster of all cities together; pass, fail or more by PRICE_RANGE |
    | CASUALTIES                  | experts lost, banishments, a hand; each with _lo and _hi                     |
    | hands, captured, blocks     | counted                                                                      |
    """
    sums = frames.sums("city")
    family = len(sums[[by, "city"]].drop_duplicates())
    means = {key: _mean_price(group) for (key,), group in _parts(sums[[by, "paid", "spent_won"]], [by])}
    rows = []
    for (key, city), part in _parts(sums, [by, "city"]):
        mean = means[key]
        rows.append(
            {
                by: key,
                "city": city,
                **_city_figures(part),
                "price_mean": mean,
                "price_verdict": price_verdict(part, mean, family),
                **_casualties(part),
                "hands": int(part["hands"].sum()),
                "captured": int(part["captured"].sum()),
                "blocks": len(part),
            }
        )
    table = pd.DataFrame(rows)
    return table.astype({"city": sums["city"].dtype}) if rows else table


def _mean_price(group: pd.DataFrame) -> float:
    return float(group["paid"].sum() / max(group["spent_won"].sum(), 1))


def _city_figures(part: pd.DataFrame) -> dict[str, Any]:
    part = part.assign(spent=part["spent_won"] + part["spent_lost"])
    columns: dict[str, Any] = {}
    for figure in CITY_FIGURES:
        sums = _sums_per_block(part, figure.top, figure.bottom)
        columns |= spread(share(*sums) if figure.is_share else ratio(*sums), figure.column)
    return columns


def _casualties(part: pd.DataFrame) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for kind in CASUALTIES:
        columns |= spread(ratio(*_sums_per_block(part, kind, "hands")), kind)
    return columns


def price_verdict(part: pd.DataFrame, mean: float, family: int) -> str:
    """Judge the money per gangster of these sums against the mean of all cities, by PRICE_RANGE."""
    low, high = (mean * bound for bound in PRICE_RANGE)
    return str(judge(ratio(*_sums_per_block(part, "paid", "spent_won")), low, high, family))


def chicago_table(frames: Frames, by: By) -> pd.DataFrame:
    """Return CITY_FIGURES of Chicago by the number of the hand, from 1.

    Columns: group or table, hand, regular (whether it can be a regular hand), the figures each with _lo and _hi,
    hands, captured, blocks.
    """
    rows = [
        {
            by: key,
            "hand": int(str(index)) + 1,
            "regular": int(str(index)) < frames.rules_of(str(key)).max_hands,
            **_city_figures(part),
            "hands": int(part["hands"].sum()),
            "captured": int(part["captured"].sum()),
            "blocks": len(part),
        }
        for (key, index), part in _parts(frames.sums("chicago"), [by, "index"])
    ]
    return pd.DataFrame(rows)


def size_correlation(table: pd.DataFrame) -> float:
    """Return the mean Spearman correlation of the cities' money per gangster between the groups of `city_table`,
    over the cities that both have; nan with fewer than two groups that share three cities.
    """
    wide = table.pivot(index="city", columns="group", values="price") if len(table) else pd.DataFrame()
    found = []
    for place, one in enumerate(wide.columns):
        for other in wide.columns[:place]:
            both = wide[[one, other]].dropna()
            if len(both) >= 3 and (both.nunique() > 1).all():
                found.append(both[one].rank().corr(both[other].rank()))
    return float(np.mean(found)) if found else float("nan")
