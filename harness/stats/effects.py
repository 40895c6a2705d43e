"""What one strength cannot say: bots better at one table size than at others, and partners better than their sum.

Both are terms of the one model, each with a ridge, and each is tested against being nothing at all.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space
from scipy.special import fdtrc, stdtr
from scipy.stats import false_discovery_control

from harness.stats.balance import FEW_BLOCKS
from harness.stats.identify import contrasts, inseparable, main_component, margins, tally
from harness.stats.maximum import maximise
from harness.stats.model import Model, build_model
from harness.stats.ratings import ELO
from harness.stats.results import Finishes, Floats, Ints, Results, finish_order
from harness.stats.uncertainty import spread_of


@dataclass(frozen=True)
class WaldTest:
    """A test of many effects at once: F with `df` and `df_error` degrees of freedom, and its p-value.

    Not `tested`, with F 0 and p 1, where there are no effects, some cannot be told apart, or blocks are too few.
    """

    f: float
    df: int
    df_error: int
    p: float
    tested: bool


@dataclass(frozen=True, eq=False)
class Effects:
    """Effects of one kind; arrays (E,). Those of one bot sum to 0, and so do those of one table size.

    | field   | shape, dtype   | meaning                                                                         |
    |---------|----------------|---------------------------------------------------------------------------------|
    | of      | (E, 2) int64   | bot and players of a table effect; the two partners of a synergy                |
    | elo     | (E,) float64   | the effect, pulled towards 0 by its ridge                                       |
    | se      | (E,) float64   | its standard error, blocks as clusters                                          |
    | p       | (E,) float64   | p-value of its being 0, adjusted for all of its kind (Benjamini, Hochberg 1995) |
    | blocks  | (E,) int64     | blocks that speak about it                                                      |
    | test    | WaldTest       | all of them at once                                                             |
    """

    of: Ints
    elo: Floats
    se: Floats
    p: Floats
    blocks: Ints
    test: WaldTest


@dataclass(frozen=True)
class Interactions:
    """Table effects of the bots (none where all games have one size) and synergies of partners (none without teams)."""

    tables: Effects
    synergies: Effects


def interactions(results: Results, bot_count: int, prior: float = 0.5, *, seat_terms: bool = True) -> Interactions:
    """Fit one model with an effect of every bot at every table size and of every pair of partners.

    The ridges expect effects of about 100 and 50 Elo (`model.TABLE_SD`, `model.PAIR_SD`). Under a ridge an estimate is
    a linear map of the score, so the test is the same with and without. It is Wald's with the covariance from blocks,
    turned into Hotelling's F (1931) because that covariance is itself estimated.
    """
    finishes = finish_order(results)
    model = build_model(finishes, bot_count, prior, seat_terms, win_only=False, effects=True)
    maximum = maximise(finishes, model)
    counts = tally(finishes, bot_count, win_only=False)
    main = main_component(counts, 0)
    centred = contrasts(model, main)
    flat = inseparable(maximum.data_information, centred)
    blocks = np.full(model.layout.size, finishes.blocks)
    first, second = bot_count + 1, bot_count + 1 + len(model.tables)
    third = second + len(model.pairs)
    blocks[first:second] = _table_blocks(finishes, model)
    blocks[second:third] = _pair_blocks(finishes, model)
    spread = spread_of(finishes, model, maximum, centred, blocks, flat)
    params = centred @ maximum.params
    table_margins, pair_margins = margins(model)

    def effects(of: Ints, terms: slice, margin: Floats) -> Effects:
        covariance = (spread.blocks + spread.supplement)[terms, terms]
        se = np.sqrt(np.maximum(np.diag(covariance), 1e-12))
        own = blocks[terms]
        tails = 2.0 * stdtr(np.where(own < FEW_BLOCKS, np.maximum(own - 1.0, 1.0), 1e6), -np.abs(params[terms]) / se)
        p = false_discovery_control(np.where(flat[terms], 1.0, np.minimum(tails, 1.0))) if len(of) else np.zeros(0)
        test = _wald(params[terms], covariance, margin, finishes.blocks, bool(flat[terms].any()))
        return Effects(of, ELO * params[terms], ELO * se, np.asarray(p), own, test)

    return Interactions(
        effects(model.tables, slice(first, second), table_margins),
        effects(model.pairs, slice(second, third), pair_margins),
    )


def _wald(effect: Floats, covariance: Floats, margin: Floats, blocks: int, unclear: bool) -> WaldTest:
    basis = null_space(margin.T) if len(effect) else np.zeros((0, 0))
    df = basis.shape[1]
    if df == 0 or unclear or blocks <= df + 1:
        return WaldTest(0.0, df, 0, 1.0, False)
    contrast = basis.T @ effect
    distance = float(contrast @ np.linalg.solve(basis.T @ covariance @ basis, contrast))
    f = distance * (blocks - df) / (df * (blocks - 1.0))
    return WaldTest(f, df, blocks - df, float(fdtrc(df, blocks - df, f)), True)


def _table_blocks(finishes: Finishes, model: Model) -> Ints:
    blocks = np.zeros((model.layout.bots, len(model.layout.seat)), np.int64)
    for players in np.unique(model.tables[:, 1]):
        part = finishes.take(finishes.players == players)
        blocks[:, players] = tally(part, model.layout.bots, win_only=False).blocks
    return blocks[model.tables[:, 0], model.tables[:, 1]]


def _pair_blocks(finishes: Finishes, model: Model) -> Ints:
    seen = np.zeros((0, 2), np.int64)
    for seat in range(finishes.bots.shape[1] if len(model.pairs) else 0):
        for other in range(seat):
            partners = (finishes.place[:, seat] == finishes.place[:, other]) & (finishes.place[:, seat] >= 0)
            term = model.layout.pair[finishes.bots[partners, seat], finishes.bots[partners, other]]
            seen = np.unique(np.vstack([seen, np.stack([term, finishes.block[partners]], axis=1)]), axis=0)
    first = model.layout.bots + 1 + len(model.tables)
    return np.bincount(seen[:, 0] - first, minlength=len(model.pairs))
