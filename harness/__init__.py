"""The Boss harness: what a bot's author needs. Importing it loads neither numpy nor numba.

Everything else lives in `harness.api`, as functions for scripts and notebooks.
"""

from harness.game.cards import CHICAGO, Card, Kind
from harness.game.turn import Gangsters, Placement, Turn
from harness.game.view import View
from harness.play.bot import BatchBot, Bot

__all__ = ["CHICAGO", "BatchBot", "Bot", "Card", "Gangsters", "Kind", "Placement", "Turn", "View"]
