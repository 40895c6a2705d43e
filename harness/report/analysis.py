"""Everything the report tells of a ladder, worked out once: ratings and all tables."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from harness.report import balance_tables as balance
from harness.report import fault_tables, length_tables, tables
from harness.report.findings import Findings, find
from harness.report.frames import Frames
from harness.report.history import COLUMNS


@dataclass(frozen=True, eq=False)
class Analysis:
    """The tables of one ladder, each as its function in `tables`, `fault_tables` or `balance_tables` describes it.

    Tables of balance are by group (all usual kinds of a number of players together), and with `_by_kind` by table
    kind. A table is empty, without columns, where nothing was counted.
    """

    frames: Frames
    fits: tables.Fits
    ratings: pd.DataFrame
    sizes: pd.DataFrame
    pairs: pd.DataFrame
    faults: pd.DataFrame
    messages: pd.DataFrame
    out: pd.DataFrame
    usage: pd.DataFrame
    counts: pd.DataFrame
    seats: pd.DataFrame
    seats_by_kind: pd.DataFrame
    places: pd.DataFrame
    places_by_kind: pd.DataFrame
    cities: pd.DataFrame
    cities_by_kind: pd.DataFrame
    chicago: pd.DataFrame
    chicago_by_kind: pd.DataFrame
    lengths: pd.DataFrame
    endings: pd.DataFrame
    history: pd.DataFrame

    @cached_property
    def findings(self) -> Findings:
        """What the games tell beyond ratings; worked out when first asked for."""
        return find(self.frames, self.fits)


def analyse(frames: Frames, history: pd.DataFrame | None = None) -> Analysis:
    """Rate the bots and fill every table; `history` is the log of submissions, if there is one."""
    fits = tables.rate(frames)
    effects = fits.main.seat_effects
    return Analysis(
        frames=frames,
        fits=fits,
        ratings=tables.rating_table(frames, fits),
        sizes=tables.size_table(frames, fits),
        pairs=tables.pair_table(frames, fits),
        faults=fault_tables.fault_table(frames),
        messages=fault_tables.message_table(frames),
        out=fault_tables.out_table(frames),
        usage=fault_tables.usage_table(frames),
        counts=tables.count_table(frames),
        seats=balance.seat_table(frames, "group", effects),
        seats_by_kind=balance.seat_table(frames, "table"),
        places=balance.place_table(frames, "group"),
        places_by_kind=balance.place_table(frames, "table"),
        cities=balance.city_table(frames, "group"),
        cities_by_kind=balance.city_table(frames, "table"),
        chicago=balance.chicago_table(frames, "group"),
        chicago_by_kind=balance.chicago_table(frames, "table"),
        lengths=length_tables.length_table(frames),
        endings=length_tables.ending_table(frames),
        history=pd.DataFrame(columns=COLUMNS) if history is None else history,
    )
