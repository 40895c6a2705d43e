"""Ratings on the Elo scale from finishing orders, with the deal block as the unit of all uncertainty.

One model, `likelihood`, fitted at its maximum with a weak prior. The uncertainty is the sandwich V M V, V the inverse
curvature and M = D/(D-1) sum of U U' over the D blocks, U the score of a block (Huber 1967, Liang and Zeger 1986).

Two things are added to it. A few blocks that happen to agree would show no variance at all, so every term gets a share
1/(blocks + 1) of the model's own, as if one more block had gone as the model says. And where the data alone fix no
finite value (a bot that won everything) the variance is at least the model's own, V.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, stdtr

from harness.stats.balance import FEW_BLOCKS, critical
from harness.stats.identify import Doubts, Tally, contrasts, inseparable, main_component, tally
from harness.stats.maximum import Maximum, Model, build_model, maximise
from harness.stats.results import Bools, Finishes, Floats, Ints, Results, finish_order
from harness.stats.totals import meat

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
    | count      | int64   | such ties in the stages that count                                              |
    """

    order: Ints
    log_worth: Floats
    se: Floats
    lo: Floats
    hi: Floats
    count: Ints


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of N bots; everything is finite, `doubts` says what is no more than the prior.

    | field        | shape, dtype   | meaning                                                                      |
    |--------------|----------------|------------------------------------------------------------------------------|
    | elo          | (N,) float64   | rating; the anchor reads its fixed number                                    |
    | se           | (N,) float64   | standard error, Elo, of the distance to the mean of the main component: so   |
    |              |                | the anchor has one too                                                       |
    | lo, hi       | (N,) float64   | 95 % interval of `elo`; t with blocks - 1 degrees of freedom below 50 blocks |
    | theta        | (N,) float64   | log-worth, mean 0 over the main component                                    |
    | games        | (N,) int64     | games in which the bot sat                                                   |
    | seats        | (N,) int64     | seats it took: more than games where it met copies of itself                 |
    | blocks       | (N,) int64     | blocks in which it sat                                                       |
    | wins         | (N,) float64   | first places of its seats, 1/k of one shared by k sides: a share of `seats`  |
    | covariance   | (N, N) float64 | of the ratings, Elo²; a difference has the variance C_ii + C_jj - 2 C_ij     |
    | los          | (N, N) float64 | P(theta_i > theta_j), likelihood of superiority; 0.5 on the diagonal         |
    | doubts       | Doubts         | flags by bot                                                                 |
    | seat_effects | SeatEffects    | advantage of each seat                                                       |
    | tie_effects  | TieEffects     | frequency of ties                                                            |
    | anchored     | bool           | the anchor has games; else the mean of the main component stands there       |
    | game_count   | int            | games in all                                                                 |
    | block_count  | int            | blocks in all                                                                |
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
    los: Floats
    doubts: Doubts
    seat_effects: SeatEffects
    tie_effects: TieEffects
    anchored: bool
    game_count: int
    block_count: int


def fit(
    results: Results,
    bot_count: int,
    anchor: int,
    anchor_elo: float = 1000.0,
    prior: float = 0.5,
    *,
    seat_terms: bool = True,
    win_only: bool = False,
) -> Ratings:
    """Rate bots 0 to `bot_count` - 1 by their finishing orders.

    `anchor` is the bot shown at `anchor_elo`; that only shifts the display. `prior` are the wins, and losses, each bot
    gets against a ghost. Without `seat_terms` all seats are taken for equal (results that tell no seats). With
    `win_only` only who came first counts: the win rating, where the default is the finish rating.

    Raises `ValueError` for a bot or anchor outside the range or a prior that is not positive.
    """
    if not 0 <= anchor < bot_count or results.bots.max(initial=-1) >= bot_count:
        raise ValueError(f"the results or the anchor ({anchor}) name a bot outside 0 to {bot_count - 1}")
    if not prior > 0:
        raise ValueError(f"the prior is {prior}; it should be positive, or perfect records have no rating")
    finishes = finish_order(results)
    model = build_model(finishes, bot_count, prior, seat_terms, win_only)
    maximum = maximise(finishes, model)
    counts = tally(finishes, bot_count, win_only)
    main = main_component(counts, anchor)
    centred = contrasts(model, main)
    flat = inseparable(maximum.data_information, centred)
    doubts = Doubts(counts.games == 0, ~main, flat[:bot_count], counts.blocks < FEW_BLOCKS)
    blocks = _blocks_by_term(finishes, model, counts)
    unfixed = flat.copy()
    unfixed[:bot_count] |= ~main
    covariance = _covariance(finishes, model, maximum, centred, blocks, unfixed)

    params = centred @ maximum.params
    se = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    half = critical(0.95, blocks) * se
    theta = params[:bot_count]
    bot_covariance = covariance[:bot_count, :bot_count]
    anchored = bool(counts.games[anchor] > 0)
    elo = anchor_elo + ELO * (theta - (theta[anchor] if anchored else 0.0))
    return Ratings(
        elo=elo,
        se=ELO * se[:bot_count],
        lo=elo - ELO * half[:bot_count],
        hi=elo + ELO * half[:bot_count],
        theta=theta,
        games=counts.games,
        seats=counts.seats,
        blocks=counts.blocks,
        wins=counts.wins,
        covariance=ELO**2 * bot_covariance,
        los=_superiority(theta, bot_covariance, counts.blocks),
        doubts=doubts,
        seat_effects=_seat_effects(finishes, model, params, se, half, blocks, flat),
        tie_effects=_tie_effects(model, params, se, half),
        anchored=anchored,
        game_count=len(results),
        block_count=finishes.blocks,
    )


def per_size(
    results: Results,
    bot_count: int,
    anchor: int,
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
    seats = [len(np.unique(finishes.block[finishes.players == players])) for players in model.seats[:, 0]]
    ties = np.minimum(model.groups[model.orders], finishes.blocks)
    return np.concatenate([counts.blocks, [finishes.blocks], seats, ties]).astype(np.int64)


def _covariance(
    finishes: Finishes, model: Model, maximum: Maximum, centred: Floats, blocks: Ints, unfixed: Bools
) -> Floats:
    """Return the covariance (P, P) of the centred parameters: the sandwich and its share of the model's own, which for
    an `unfixed` parameter lifts its variance at least to the model's.
    """
    basis = model.basis
    inverse = basis @ np.linalg.inv(basis.T @ maximum.information @ basis) @ basis.T
    own = centred @ inverse @ centred.T
    if finishes.blocks < 2:
        return own
    spread = centred @ inverse
    factor = finishes.blocks / (finishes.blocks - 1.0)
    sandwich = factor * (spread @ meat(finishes, model.layout, maximum.params) @ spread.T)
    missing = 1.0 - np.diag(sandwich) / np.maximum(np.diag(own), 1e-300)
    lift = np.sqrt(np.maximum(np.where(unfixed, missing, 0.0), 1.0 / (blocks + 1.0)))
    return np.asarray(sandwich + lift[:, None] * own * lift)


def _superiority(theta: Floats, covariance: Floats, blocks: Ints) -> Floats:
    """Return P(theta_i > theta_j) (N, N), with the degrees of freedom of the bot of fewer blocks."""
    variance = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    z = (theta[:, None] - theta) / np.sqrt(np.maximum(variance, 1e-12))
    fewest = np.minimum(blocks[:, None], blocks)
    return np.where(fewest < FEW_BLOCKS, stdtr(np.maximum(fewest - 1.0, 1.0), z), ndtr(z))


def _seat_effects(
    finishes: Finishes, model: Model, params: Floats, se: Floats, half: Floats, blocks: Ints, flat: Bools
) -> SeatEffects:
    terms = slice(model.layout.bots + 1, model.layout.bots + 1 + len(model.seats))
    players, seat = model.seats[:, 0], model.seats[:, 1]
    taken = [
        np.count_nonzero((finishes.first == lowest).any(axis=1) & (finishes.players == size))
        for size, lowest in model.seats
    ]
    return SeatEffects(
        players=players,
        seat=seat,
        elo=ELO * params[terms],
        se=ELO * se[terms],
        lo=ELO * (params - half)[terms],
        hi=ELO * (params + half)[terms],
        games=np.array(taken, np.int64),
        blocks=blocks[terms],
        inseparable=flat[terms],
    )


def _tie_effects(model: Model, params: Floats, se: Floats, half: Floats) -> TieEffects:
    terms = slice(model.layout.size - len(model.orders), None)
    return TieEffects(
        order=model.orders,
        log_worth=params[terms],
        se=se[terms],
        lo=(params - half)[terms],
        hi=(params + half)[terms],
        count=model.groups[model.orders],
    )
