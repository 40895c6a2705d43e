"""The whole flow as functions for scripts and notebooks; tables are pandas frames.

    running      a ladder run, read back, rated and reported; a quick match
    joining      several ladders: listed, or joined in one
    submitting   a bot submitted to a ladder, or retired
    gating       whether a new bot is stronger than an old one
    games        records of games, and how one went
    authors      a file to start a bot from, and its check
    listing      bots known by name, card sets
    measuring    results of any game rated, the speed of this harness

from harness import api
ladder = api.run_ladder("configs/quick.yaml")
ladder.ratings                       # a frame: rank, bot, elo, lo, hi, games, blocks, ...
api.match(["greedy", "random"], players=4, blocks=200).ratings
"""

from harness.api.authors import check_bot, new_bot
from harness.api.games import check_records, export, replay
from harness.api.gating import gate
from harness.api.joining import Merged, ladders, merge
from harness.api.listing import bots, card_sets
from harness.api.measuring import bench, rate
from harness.api.running import Ladder, digest, match, open_ladder, run_ladder, write_report
from harness.api.submitting import retire, submit

__all__ = [
    "Ladder",
    "Merged",
    "bench",
    "bots",
    "card_sets",
    "check_bot",
    "check_records",
    "digest",
    "export",
    "gate",
    "ladders",
    "match",
    "merge",
    "new_bot",
    "open_ladder",
    "rate",
    "replay",
    "retire",
    "run_ladder",
    "submit",
    "write_report",
]
