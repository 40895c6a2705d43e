"""An order of the bots, and of the blocks, that comes from the results and not from their names.

Random numbers are dealt out in this order, so no chance depends on what a bot is called or which number a block has.
"""

import numpy as np

from harness.stats.results import Floats, Ints

_APART = 1e-7
"""From which on two values differ, as a share of the largest, or of 1; above all rounding, below all that is shown."""


def kinds(values: Floats, links: Floats) -> Ints:
    """Return the kind (N,) of each bot, from 0: bots are of one kind where all their `values` (N, K) and their `links`
    (N, N), sorted, are the same. Whatever the data say of one of a kind they say of the others.
    """
    own = np.column_stack([levels(column) for column in values.T])
    _, kind = np.unique(np.column_stack([own, levels(np.sort(links, axis=1))]), axis=0, return_inverse=True)
    return np.asarray(kind, np.int64).ravel()


def order_of_bots(kind: Ints, links: Floats) -> Ints:
    """Return the bots (N,) by kind (N,), those of one kind by their `links` (N, N) to the ones before them.

    Bots that even these do not part are images of each other in the data: then either order gives the same.
    """
    link, place = levels(links), kind
    for step in range(len(kind)):
        if len(np.unique(place)) == len(place):
            break
        chosen = np.argsort(place, kind="stable")[step]
        apart = 2 * place - (np.arange(len(place)) == chosen)
        _, place = np.unique(apart * (link.max() + 1) + link[:, chosen], return_inverse=True)
    return np.argsort(place, kind="stable")


def order_of_blocks(influence: Floats) -> Ints:
    """Return the blocks (B,) by their influence (B, N) on the bots, the first bot's first; like ones are alike."""
    return np.lexsort(levels(influence).T[::-1])


def levels(values: Floats) -> Ints:
    """Return the number of each value from the lowest, 0, upwards; values that differ only by rounding share one."""
    flat = values.ravel()
    order = np.argsort(flat, kind="stable")
    steps = np.diff(flat[order], prepend=flat[order[:1]]) > _APART * np.abs(flat).max(initial=1.0)
    number = np.empty(len(flat), np.int64)
    number[order] = np.cumsum(steps)
    return number.reshape(values.shape)
