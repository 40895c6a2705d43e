"""What one strength cannot say: bots better at one table size than at others, and partners better than their sum.

Both are terms of the one model, each with a ridge, and each is tested against being nothing at all.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import null_space
from scipy.special import fdtrc, stdtr

from harness.stats.balance import FEW_BLOCKS
from harness.stats.identify import contrasts, inseparable, main_component, margins, tally
from harness.stats.maximum import maximise
from harness.stats.model import Model, build_model
from harness.stats.ratings import ELO
from harness.stats.results import Bools, Finishes, Floats, Ints, Results
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
    turned into Hotelling's F (1931) because that covariance is itself estimated: for synergies, from the blocks with
    teams alone.
    """
    finishes = results.finishes
    model = build_model(finishes, bot_count, prior, seat_terms, win_only=False, effects=True)
    maximum = maximise(finishes, model)
    centred = contrasts(model, main_component(tally(finishes, bot_count, win_only=False), None))
    centred = _with_shared_synergy(centred, model, finishes)
    flat = inseparable(maximum.data_information, centred)
    start, middle = bot_count + 1, bot_count + 1 + len(model.tables)
    tables, pairs = slice(start, middle), slice(middle, middle + len(model.pairs))
    blocks = np.full(model.layout.size, finishes.blocks)
    blocks[tables], blocks[pairs] = _table_blocks(finishes, model), _pair_blocks(finishes, model)
    spread = spread_of(finishes, model, maximum, centred, blocks, flat)
    fitted = _Fitted(centred @ maximum.params, spread.covariance, blocks, flat)
    table_margins, pair_margins = margins(model)
    team_blocks = len(np.unique(finishes.block[finishes.sides < finishes.players]))
    return Interactions(
        _effects(model.tables, fitted, tables, table_margins, finishes.blocks),
        _effects(model.pairs, fitted, pairs, pair_margins, team_blocks),
    )


def _with_shared_synergy(centred: Floats, model: Model, finishes: Finishes) -> Floats:
    """Return contrasts (P, P) whose table effects at sizes with teams hold what all synergies of a bot have in common.

    A bot that is better with every partner is better at that table size: the data cannot tell the two apart, and a
    synergy is what is left.
    """
    start = model.layout.bots + 1
    tables = slice(start, start + len(model.tables))
    pairs = slice(tables.stop, tables.stop + len(model.pairs))
    _, membership = margins(model)
    shared = np.linalg.pinv(membership)[model.tables[:, 0]] if len(model.pairs) else np.zeros((len(model.tables), 0))
    with_teams = np.isin(model.tables[:, 1], finishes.players[finishes.sides < finishes.players])
    centred = centred.copy()
    centred[tables, pairs] = centred[tables, tables] @ (shared * with_teams[:, None])
    return centred


class _Fitted(NamedTuple):
    """Parameters (P,), their covariance, blocks that speak about each, and which are flat."""

    params: Floats
    covariance: Floats
    blocks: Ints
    flat: Bools


def _effects(of: Ints, fitted: _Fitted, terms: slice, margin: Floats, all_blocks: int) -> Effects:
    effect, blocks, flat = fitted.params[terms], fitted.blocks[terms], fitted.flat[terms]
    covariance = fitted.covariance[terms, terms]
    se = np.sqrt(np.maximum(np.diag(covariance), 1e-12))
    freedom = np.where(blocks < FEW_BLOCKS, np.maximum(blocks - 1.0, 1.0), np.inf)
    p = np.where(flat, 1.0, np.minimum(2.0 * stdtr(freedom, -np.abs(effect) / se), 1.0))
    from scipy.stats import false_discovery_control  # takes half a second to load, and most commands do without

    adjusted = false_discovery_control(p) if len(p) else p
    test = _wald(effect, covariance, margin, all_blocks, bool(flat.any()))
    return Effects(of, ELO * effect, ELO * se, np.asarray(adjusted), blocks, test)


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
    if not len(model.pairs):
        return np.zeros(0, np.int64)
    first = model.layout.bots + 1 + len(model.tables)
    met = []
    for seat in range(finishes.bots.shape[1]):
        for other in range(seat):
            partners = (finishes.place[:, seat] == finishes.place[:, other]) & (finishes.place[:, seat] >= 0)
            pair = model.layout.pair[finishes.bots[partners, seat], finishes.bots[partners, other]] - first
            met.append(np.unique(pair * finishes.blocks + finishes.block[partners]))
    return np.bincount(np.unique(np.concatenate(met)) // finishes.blocks, minlength=len(model.pairs))
