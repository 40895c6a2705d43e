"""Bots whose speed `jail_speed.py` measures: those with little to compute, for whom a jail costs most."""

import numpy as np

from harness import BatchBot, Bot, Turn

CARDS = np.arange(64, dtype=np.uint64)


class First(Bot):
    """Gives away its first card: the least that a plain bot can do, about 1 us a decision."""

    def act(self, view):
        return Turn(view.hand[0])


class _NoPlacement(BatchBot):
    reads_history = False

    def act_batch(self, observations, histories, turns):
        turns["card"] = self.cards(observations)
        turns["city"] = -1
        turns["experts"] = turns["occasionals"] = 0


class Lowest(_NoPlacement):
    """Gives away the lowest of its cards: the least that a bot can do, about 0.1 us a decision."""

    def cards(self, observations):
        own = observations["own"].astype(np.uint64)
        return np.log2((own & (~own + np.uint64(1))).astype(np.float64))


class Table(_NoPlacement):
    """Gives away the card of the least worth, where each seat of a deal has worths of its own: about 2 us."""

    def cards(self, observations):
        own = observations["own"].astype(np.uint64)[:, None] >> CARDS & np.uint64(1)
        drawn = observations["key"].astype(np.uint64).reshape(len(observations), -1)[:, :1]
        worth = (drawn >> CARDS % np.uint64(32) & np.uint64(255)).astype(np.float64) + 0.01 * CARDS
        return np.where(own == 1, worth, np.inf).argmin(axis=1)
