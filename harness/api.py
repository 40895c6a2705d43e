"""The whole flow on one screen, as functions for scripts and notebooks; tables are pandas frames.

    from harness import api
    ladder = api.run_ladder("configs/quick.yaml")
    ladder.ratings                       # a frame: bot, elo, lo, hi, games, blocks, ...
    api.match(["greedy", "random"], players=4, blocks=200).ratings
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from harness.errors import BossError, ResultsError
from harness.game.cards import OFFICIAL_SETS, arithmetic, exact_sets
from harness.game.rules import rules_of_set, usual_rules
from harness.ladder import export as exporting
from harness.ladder.config import Config, config_of_match, load_config
from harness.ladder.executor import executor_of
from harness.ladder.manifest import Manifest
from harness.ladder.run import Progress, Silence, plan_run, play_run
from harness.ladder.store import Store
from harness.play.registry import builtin_names, load_class, plugin_names
from harness.report import tables
from harness.report.pages import write_report


@dataclass(frozen=True)
class Ladder:
    """Results read from a folder: the stored tables and what statistics make of them."""

    folder: Path
    manifest: Manifest
    games: pd.DataFrame
    blocks: pd.DataFrame

    @cached_property
    def ratings(self) -> pd.DataFrame:
        """Each bot's Elo with its 95 % interval, games and blocks; best first."""
        return tables.ratings(self.games, self.manifest)

    @cached_property
    def cities(self) -> pd.DataFrame:
        """What each city brings and costs, per table kind."""
        return tables.cities(self.blocks, self.manifest)

    @cached_property
    def seats(self) -> pd.DataFrame:
        """Win share of each seat, per table kind."""
        return tables.seats(self.games, self.manifest)
