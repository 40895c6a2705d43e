"""Results of any game, rated: the table of players, the fit behind it, and what to know about both."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.errors import BossError, TableError, nearest
from harness.ladder.results_csv import ResultsTable
from harness.report.words import counted, listed, plural
from harness.stats.balance import FEW_BLOCKS
from harness.stats.bootstrap import rank
from harness.stats.identify import largest_components, tally
from harness.stats.ratings import ELO, Ratings, fit
from harness.stats.results import Floats
from harness.stats.uncertainty import difference_variance

_NAMED = 10

ANSWER = ("player", "elo", "se", "lo", "hi", "theta", "theta_se", "games", "wins", "rank_lo", "rank_hi")
"""Columns of the players that are part of the answer in JSON."""


@dataclass(frozen=True, eq=False)
class Rated:
    """The ratings of a file of results.

    `players`, best first: player; elo, se, lo, hi (Elo, 95 %, blocks as clusters); theta, theta_se (log-worth, its
    error by the model alone, as published tables have it); games; wins (1/k of a shared one); rank_lo, rank_hi (95 %);
    best (chance to be the strongest; nan where the likelihood has no finite maximum); bound (at least, at most, or
    nothing) and bound_elo, for players outside the main group.

    `seats`: players, seat, value, se. `ties`: order, value, se. Both log-worths, with errors as those of theta.
    `design_effect`: the variance of a difference by blocks over that by independent games, median over all pairs.
    """

    players: pd.DataFrame
    seats: pd.DataFrame
    ties: pd.DataFrame
    log_likelihood: float
    components: int
    converged: bool
    design_effect: float
    notes: list[str]

    def answer(self) -> dict[str, Any]:
        """Return what `boss rate --json` prints."""
        return {
            "players": self.players[list(ANSWER)].to_dict("records"),
            "fit": {
                "loglik": self.log_likelihood,
                "deviance": -2.0 * self.log_likelihood,
                "converged": self.converged,
                "components": self.components,
                "seat": self.seats.to_dict("records"),
                "tie": self.ties.to_dict("records"),
            },
        }


def rate_table(table: ResultsTable, reference: str | None, prior: float, seat_terms: bool, win_only: bool) -> Rated:
    """Rate the players of a table; `reference` has theta 0 and Elo 0, without one their mean has.

    Raises `BossError` for a reference that did not play or a prior below 0, `TableError` for ties of too many sides.
    """
    if reference is not None and reference not in table.players:
        raise BossError(f"--reference {reference}: no player has this name{nearest(reference, table.players)}")
    if prior < 0:
        raise BossError(f"--prior {prior:g}: it can be 0 (maximum likelihood) or 0.5 (half a win and half a loss more)")
    seat_terms = seat_terms and bool(table.seats)
    number = None if reference is None else table.players.index(reference)
    try:
        ratings = fit(table.results, len(table.players), number, 0.0, prior, seat_terms=seat_terms, win_only=win_only)
    except ValueError as error:
        raise TableError(f"cannot be rated: {error}") from None
    exists = prior > 0 or ratings.components == 1
    return Rated(
        players=_players(table, ratings, number, exists),
        seats=_seats(table, ratings),
        ties=pd.DataFrame(
            {
                "order": ratings.tie_effects.order,
                "value": ratings.tie_effects.log_worth,
                "se": ratings.tie_effects.model_se,
            }
        ),
        log_likelihood=ratings.log_likelihood,
        components=ratings.components,
        converged=exists,
        design_effect=float(np.median(ratings.design_effect[np.triu_indices(len(table.players), 1)])),
        notes=_notes(table, ratings, exists, seat_terms, win_only),
    )


def _players(table: ResultsTable, ratings: Ratings, reference: int | None, exists: bool) -> pd.DataFrame:
    ranks = rank(ratings)
    theta, theta_se = _against(ratings, reference)
    moved = ELO * theta - ratings.elo
    bound = np.select([ratings.bounds.side > 0, ratings.bounds.side < 0], ["at least", "at most"], "")
    frame = pd.DataFrame(
        {
            "player": table.players,
            "elo": ELO * theta,
            "se": ratings.se,
            "lo": ratings.lo + moved,
            "hi": ratings.hi + moved,
            "theta": theta,
            "theta_se": theta_se,
            "games": ratings.games,
            "wins": ratings.wins,
            "rank_lo": ranks.lo,
            "rank_hi": ranks.hi,
            "best": ranks.best if exists else np.nan,
            "bound": bound,
            "bound_elo": ratings.bounds.elo + moved,
        }
    )
    return frame.sort_values(["elo", "player"], ascending=[False, True], ignore_index=True)


def _against(ratings: Ratings, reference: int | None) -> tuple[Floats, Floats]:
    """Return log-worths and their errors by the model, against one player or else the mean of all."""
    if reference is not None:
        variance = difference_variance(ratings.model_covariance)[reference]
        return ratings.theta - ratings.theta[reference], np.sqrt(variance)
    count = len(ratings.theta)
    centre = np.eye(count) - 1.0 / count
    variance = np.diag(centre @ ratings.model_covariance @ centre)
    return ratings.theta - ratings.theta.mean(), np.sqrt(variance.clip(0.0))


def _seats(table: ResultsTable, ratings: Ratings) -> pd.DataFrame:
    effects = ratings.seat_effects
    return pd.DataFrame(
        {
            "players": effects.players,
            "seat": [table.seats[seat] for seat in effects.seat],
            "value": effects.elo / ELO,
            "se": effects.model_se / ELO,
        }
    )


def _notes(table: ResultsTable, ratings: Ratings, exists: bool, seat_terms: bool, win_only: bool) -> list[str]:
    doubts, notes = ratings.doubts, []
    if table.ignored:
        notes.append(f"columns that mean nothing here are left out: {listed(table.ignored)}")
    if not exists:
        notes.append(
            f"there is no finite maximum: the players fall into {counted(ratings.components, 'group')} that did not"
            " both win and lose against each other; only differences within a group mean something (--prior 0.5 helps)"
        )
    outside = doubts.disconnected
    if outside.all() and len(equals := largest_components(tally(ratings.fitted.finishes, len(outside), win_only))):
        notes.append(
            f"no group is the main one: {counted(len(equals), 'group')} have {equals[0].sum()} players and equally many"
            " games each; the distances between groups are a guess, which everybody's interval holds (--reference NAME"
            " makes the group of NAME the main one)"
        )
    elif outside.all():
        notes.append("no two players both won and lost against each other: the ratings are little more than the prior")
    elif outside.any():
        names = [table.players[player] for player in np.flatnonzero(outside)]
        shown = names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"]
        notes.append(
            f"outside the main group: {listed(shown)}; all won, all lost, all level, or never met it, so the distance"
            " is a guess; a bound says what is sure at 95 %"
        )
    if doubts.inseparable.any() and not outside.all():
        notes.append("some players never parted from a partner, a seat or a group: the data cannot tell them apart")
    if ratings.seat_effects.inseparable.any():
        notes.append("some seats were always taken by the same players: the data cannot tell seat from player")
    if ratings.block_count < FEW_BLOCKS:
        notes.append(f"only {plural(ratings.block_count, 'block')}: the intervals are wide and rough")
    if not seat_terms:
        notes.append("all seats are taken for equal")
    if not table.blocked:
        notes.append("every game is taken for a block of its own")
    return notes
