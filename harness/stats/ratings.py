"""Ratings on the Elo scale from finishing orders, with the deal block as the unit of all uncertainty.

One model, `likelihood`, fitted at its maximum with a weak prior; its errors are those of `uncertainty`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from harness.stats.balance import FEW_BLOCKS, critical
from harness.stats.bounds import Bounds, one_sided
from harness.stats.identify import (
    Doubts,
    Tally,
    components,
    contrasts,
    data_covariance,
    inseparable,
    main_component,
    tally,
)
from harness.stats.maximum import Maximum, maximise
from harness.stats.model import Model, build_model
from harness.stats.results import Bools, Finishes, Floats, Ints, Results
from harness.stats.uncertainty import Spread, design_effect, spread_of, superiority

ELO = 400.0 / np.log(10.0)
"""Elo points per unit of log-worth (Elo 1978): 400 points are odds of 10 to 1."""


@dataclass(frozen=True, eq=False)
class SeatEffects:
    """Advantage of each seat over the mean of its table size; arrays (Q,), 95 % intervals, Elo.

    | field       | dtype   | meaning                                                            |
    |-------------|---------|--------------------------------------------------------------------|
    | players     | int64   | table size                                                         |
    | seat        | int64   | the seat; of a team the lowest of its seats                        |
    | elo         | float64 | advantage                                                          |
    | se, lo, hi  | float64 | standard error and interval                                        |
    | model_se    | float64 | standard error by the model alone (see `Ratings.model_covariance`) |
    | games       | int64   | games in which the seat was taken                                  |
    | blocks      | int64   | blocks of this table size                                          |
    | inseparable | bool    | cannot be told from its bots without the prior (no rotation)       |
    """

    players: Ints
    seat: Ints
    elo: Floats
    se: Floats
    lo: Floats
    hi: Floats
    model_se: Floats
    games: Ints
    blocks: Ints
    inseparable: Bools


@dataclass(frozen=True, eq=False)
class TieEffects:
    """Frequency of ties by order; arrays (T,), empty when the data hold none and the model has no ties.

    | field      | dtype   | meaning                                                                         |
    |------------|---------|---------------------------------------------------------------------------------|
    | order      | int64   | sides that tie, 2 or more                                                       |
    | log_worth  | float64 | tau; of two equals exp(tau_2) / (2 + exp(tau_2)) tie                            |
    | se, lo, hi | float64 | standard error and 95 % interval of the same                                    |
    | model_se   | float64 | standard error by the model alone (see `Ratings.model_covariance`)              |
    | count      | int64   | such ties in the stages that count                                              |
    """

    order: Ints
    log_worth: Floats
    se: Floats
    lo: Floats
    hi: Floats
    model_se: Floats
    count: Ints


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fit: games in finish order, parameters, their maximum, and the matrix (P, P) that centres them."""

    finishes: Finishes
    model: Model
    maximum: Maximum
    centred: Floats


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of N bots; everything is finite, `doubts` says what is no more than the prior.

    | field            | shape, dtype   | meaning                                                                  |
    |------------------|----------------|--------------------------------------------------------------------------|
    | elo              | (N,) float64   | rating; the anchor reads its fixed number                                |
    | se               | (N,) float64   | standard error, Elo, of the distance to the mean of the main component:  |
    |                  |                | so the anchor has one too                                                |
    | lo, hi           | (N,) float64   | 95 % interval of `elo`; t with blocks - 1 degrees of freedom below 50    |
    | theta            | (N,) float64   | log-worth, mean 0 over the main component                                |
    | games            | (N,) int64     | games in which the bot sat                                               |
    | seats            | (N,) int64     | seats it took: more than games where it met copies of itself             |
    | blocks           | (N,) int64     | blocks in which it sat                                                   |
    | wins             | (N,) float64   | first places of its seats, 1/k of one shared by k sides: out of `seats`  |
    | covariance       | (N, N) float64 | of the ratings, Elo²; a difference has the variance C_ii + C_jj - 2 C_ij |
    | model_covariance | (N, N) float64 | of `theta` by the model alone, games independent: what tables publish    |
    | design_effect    | (N, N) float64 | variance of each difference by blocks over that by the model alone       |
    | los              | (N, N) float64 | P(theta_i > theta_j), likelihood of superiority; 0.5 on the diagonal     |
    | influence        | (B, N) float64 | first-order effect of each bundle of blocks on `elo`                     |
    | supplement       | (N, N) float64 | part of `covariance` that does not come from blocks, Elo²                |
    | bounds           | Bounds         | of bots outside the main component that won, or lost, all                |
    | doubts           | Doubts         | flags by bot                                                             |
    | seat_effects     | SeatEffects    | advantage of each seat                                                   |
    | tie_effects      | TieEffects     | frequency of ties                                                        |
    | log_likelihood   | float          | of the data                                                              |
    | components       | int            | sets of bots strongly connected by wins; 1 where all are comparable      |
    | anchored         | bool           | the anchor has games; else the mean of the main component stands there   |
    | game_count       | int            | games in all                                                             |
    | block_count      | int            | blocks in all                                                            |
    | fitted           | Fitted         | the fit behind them                                                      |
    """

    elo: Floats
    se: Floats
    lo: Floats
    hi: Floats
    theta: Floats
    games: Ints
    seats: Ints
    blocks: Ints
    wins: Floats
    covariance: Floats
    model_covariance: Floats
    design_effect: Floats
    los: Floats
    influence: Floats
    supplement: Floats
    bounds: Bounds
    doubts: Doubts
    seat_effects: SeatEffects
    tie_effects: TieEffects
    log_likelihood: float
    components: int
    anchored: bool
    game_count: int
    block_count: int
    fitted: Fitted

    def elo_of(self, params: Floats) -> Floats:
        """Return the ratings (R, N) that parameters (R, P) of the same model stand for, without the anchor's shift."""
        return np.asarray(ELO * (params @ self.fitted.centred[: len(self.elo)].T))


def fit(
    results: Results,
    bot_count: int,
    anchor: int | None,
    anchor_elo: float = 1000.0,
    prior: float = 0.5,
    *,
    seat_terms: bool = True,
    win_only: bool = False,
) -> Ratings:
    """Rate bots 0 to `bot_count` - 1 by their finishing orders.

    `anchor` is the bot shown at `anchor_elo`, without one the mean of the main component is; that shifts the display,
    and makes the anchor's component the main one of several equally large (see `main_component`). `prior` are the wins,
    and losses, each bot gets against a ghost; with 0 this is the maximum likelihood, which runs far off, if not to
    infinity, for bots outside the main component. Without `seat_terms` all seats are taken for equal (results that tell
    no seats). With `win_only` only who came first counts: the win rating, where the default is the finish rating.

    Raises `ValueError` for a bot or anchor outside the range, a negative prior, or ties of too many sides to sum over.
    """
    if not 0 <= (anchor or 0) < bot_count or results.bots.max(initial=-1) >= bot_count:
        raise ValueError(f"the results or the anchor ({anchor}) name a bot outside 0 to {bot_count - 1}")
    if not prior >= 0:
        raise ValueError(f"the prior is {prior}; it should be 0 or more games")
    finishes = results.finishes
    model = build_model(finishes, bot_count, prior, seat_terms, win_only)
    maximum = maximise(finishes, model)
    counts = tally(finishes, bot_count, win_only)
    main = main_component(counts, anchor)
    fitted = Fitted(finishes, model, maximum, contrasts(model, main))
    flat = inseparable(maximum.data_information, fitted.centred)
    blocks = _blocks_by_term(finishes, model, counts)
    unfixed = flat.copy()
    unfixed[:bot_count] |= ~main
    spread = spread_of(finishes, model, maximum, fitted.centred, blocks, unfixed)
    model_covariance = _model_covariance(fitted, spread, flat)
    terms = _terms(fitted, spread, model_covariance, blocks, flat)

    bots = slice(0, bot_count)
    theta, covariance = terms.value[bots], spread.covariance[bots, bots]
    anchored = anchor is not None and bool(counts.games[anchor] > 0)
    zero = theta[anchor] if anchored else 0.0
    elo = anchor_elo + ELO * (theta - zero)
    side, bound = one_sided(finishes, model.layout, terms.value, counts, main)
    return Ratings(
        elo=elo,
        se=ELO * terms.se[bots],
        lo=elo - ELO * terms.half[bots],
        hi=elo + ELO * terms.half[bots],
        theta=theta,
        games=counts.games,
        seats=counts.seats,
        blocks=counts.blocks,
        wins=counts.wins,
        covariance=ELO**2 * covariance,
        model_covariance=model_covariance[bots, bots],
        design_effect=design_effect(spread.blocks[bots, bots], spread.own[bots, bots]),
        los=superiority(theta, covariance, counts.blocks),
        influence=ELO * spread.influence[:, bots],
        supplement=ELO**2 * spread.supplement[bots, bots],
        bounds=Bounds(side, anchor_elo + ELO * (bound - zero)),
        doubts=Doubts(counts.games == 0, ~main, flat[bots], counts.blocks < FEW_BLOCKS),
        seat_effects=_seat_effects(finishes, model, terms),
        tie_effects=_tie_effects(model, terms),
        log_likelihood=maximum.log_likelihood,
        components=len(np.unique(components(counts)[counts.games > 0])),
        anchored=anchored,
        game_count=len(results),
        block_count=finishes.blocks,
        fitted=fitted,
    )


def per_size(
    results: Results,
    bot_count: int,
    anchor: int | None,
    anchor_elo: float = 1000.0,
    prior: float = 0.5,
    *,
    seat_terms: bool = True,
    win_only: bool = False,
) -> dict[int, Ratings]:
    """Fit each table size by itself; the keys are the numbers of players, ascending, the arguments those of `fit`.

    Each fit is shifted to the anchor where the anchor played that size (see `Ratings.anchored`).
    """

    def fit_size(players: int) -> Ratings:
        part = results.where(results.players == players)
        return fit(part, bot_count, anchor, anchor_elo, prior, seat_terms=seat_terms, win_only=win_only)

    return {int(players): fit_size(players) for players in np.unique(results.players)}


def _blocks_by_term(finishes: Finishes, model: Model, counts: Tally) -> Ints:
    """Return how many blocks speak about each parameter (P,); of a tie term, how many such ties, at most."""
    blocks_of = {size: len(np.unique(finishes.block[finishes.players == size])) for size in np.unique(finishes.players)}
    seats = [blocks_of[players] for players in model.seats[:, 0]]
    ties = np.minimum(model.groups[model.orders], finishes.blocks)
    return np.concatenate([counts.blocks, [finishes.blocks], seats, ties]).astype(np.int64)


class _Terms(NamedTuple):
    """Of every parameter (P,) the centred value, its error, half its interval, its error by the model alone, the blocks
    that speak about it, and whether it is inseparable; log-worths.
    """

    value: Floats
    se: Floats
    half: Floats
    model_se: Floats
    blocks: Ints
    flat: Bools


def _terms(fitted: Fitted, spread: Spread, model_covariance: Floats, blocks: Ints, flat: Bools) -> _Terms:
    se = np.sqrt(np.maximum(np.diag(spread.covariance), 0.0))
    model_se = np.sqrt(np.maximum(np.diag(model_covariance), 0.0))
    return _Terms(fitted.centred @ fitted.maximum.params, se, critical(0.95, blocks) * se, model_se, blocks, flat)


def _model_covariance(fitted: Fitted, spread: Spread, flat: Bools) -> Floats:
    """Return the covariance (P, P) by the data's information; where that has none, the one that the prior makes."""
    covariance = data_covariance(fitted.maximum.data_information, fitted.centred)
    covariance[flat] = spread.own[flat]
    covariance[:, flat] = spread.own[:, flat]
    return covariance


def _seat_effects(finishes: Finishes, model: Model, terms: _Terms) -> SeatEffects:
    own = slice(model.layout.bots + 1, model.layout.bots + 1 + len(model.seats))
    taken = [
        np.count_nonzero((finishes.first == lowest).any(axis=1) & (finishes.players == size))
        for size, lowest in model.seats
    ]
    return SeatEffects(
        players=model.seats[:, 0],
        seat=model.seats[:, 1],
        elo=ELO * terms.value[own],
        se=ELO * terms.se[own],
        lo=ELO * (terms.value - terms.half)[own],
        hi=ELO * (terms.value + terms.half)[own],
        model_se=ELO * terms.model_se[own],
        games=np.array(taken, np.int64),
        blocks=terms.blocks[own],
        inseparable=terms.flat[own],
    )


def _tie_effects(model: Model, terms: _Terms) -> TieEffects:
    own = slice(model.layout.size - len(model.orders), None)
    return TieEffects(
        order=model.orders,
        log_worth=terms.value[own],
        se=terms.se[own],
        lo=(terms.value - terms.half)[own],
        hi=(terms.value + terms.half)[own],
        model_se=terms.model_se[own],
        count=model.groups[model.orders],
    )
