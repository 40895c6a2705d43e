"""How many games a question needs, before they are played.

The lengths of sequential tests are in `sequential`, the games for a given reliability in `skill`. A design effect is
the variance with blocks as units over that with games as units, measured in a pilot of some 200 blocks; rotated blocks
have one below 1. Bots of very different strength tell less of each other than these formulae, which take them as equal,
say: about 1.2 times the games where ratings spread by 175 Elo.
"""

import math

from scipy.special import chdtri, chndtrinc

from harness.stats.balance import FEW_BLOCKS, critical
from harness.stats.ratings import ELO

_REACH = float(critical(0.95, FEW_BLOCKS))
_ELO = float(ELO)


def information(players: int, win_only: bool = False) -> float:
    """Return the Fisher information of one appearance about the bot's log-worth, all bots equal, each for itself.

    Of the finish (Plackett-Luce) it is (n - H_n) / n with H_n = 1 + 1/2 + ... + 1/n, of the win alone (1 - 1/n) / n.
    """
    if win_only:
        return (1 - 1 / players) / players
    return (players - sum(1 / place for place in range(1, players + 1))) / players


def games_for_difference(
    bots: int, players: int, half_width: float, design_effect: float = 1.0, win_only: bool = False
) -> int:
    """Return the games of `bots` bots, all as often, until the 95 % interval of any difference is +- `half_width` Elo.

    By the finish rating, or with `win_only` by the win rating.
    """
    appearances = 2 * (bots - 1) * design_effect * (_REACH * _ELO / half_width) ** 2
    return math.ceil(appearances / (players * information(players, win_only)))


def games_for_newcomer(players: int, half_width: float, design_effect: float = 1.0, win_only: bool = False) -> int:
    """Return the games of one new bot among bots of known rating until its 95 % interval is +- `half_width` Elo."""
    return math.ceil(design_effect * (_REACH * _ELO / half_width) ** 2 / information(players, win_only))


def games_for_seat(players: int, shift: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Return the games in which one seat's win share of 1/n + `shift`, the others level, is found with chance `power`.

    By Pearson's test at `alpha`, whose statistic then has noncentrality games * shift^2 * n^2 / (n - 1).
    """
    freedom = players - 1
    noncentrality = float(chndtrinc(chdtri(freedom, alpha), freedom, 1 - power))
    return math.ceil(noncentrality * freedom / (players * shift) ** 2)


def games_for_share(share: float, half_width: float) -> int:
    """Return the independent games until the 95 % interval of a share about `share` is +- `half_width`."""
    return math.ceil(share * (1 - share) * (_REACH / half_width) ** 2)
