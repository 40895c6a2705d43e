"""Results of any game rated, and the speed of this harness."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.ladder.results_csv import read_results
from harness.play.registry import builtin_names, spec_of
from harness.report.rated import Rated, rate_table


def rate(
    file: str | Path,
    reference: str | None = None,
    prior: float = 0.5,
    seat_terms: bool = True,
    win_only: bool = False,
) -> Rated:
    """Rate the results of any game from a CSV file, as `harness.ladder.results_csv` reads it.

    reference: the player whose theta and Elo are 0; left out: their mean is. prior: games won, and lost, that each
    player gets against a ghost; 0 is the maximum likelihood. seat_terms: whether seats may differ, where the file
    tells them. win_only: only who came first counts.
    """
    return rate_table(read_results(file), reference, prior, seat_terms, win_only)


def bench(everything: bool = True, told: Callable[[str], None] = lambda text: None) -> dict[str, Any]:
    """Measure the speed of play: games a second of each built-in bot, four players, one core.

    With `everything` also a fused loop to compare with, the least plain-Python bot, workers, memory and start-up.
    `told` hears what is being measured.
    """
    from harness.ladder import bench as measuring
    from harness.play import speed, warmup

    warmup.warm_up([spec_of(name) for name in builtin_names()])
    rates = {}
    for name in builtin_names():
        told(name)
        rates[name] = round(speed.games_per_second(spec_of(name).maker()), 1)
    if not everything:
        return {"games_per_s": rates}
    told("the fused loop, and a plain-Python bot that reveals its first card")
    figures: dict[str, Any] = {
        "games_per_s": rates,
        "first_card": speed.games_per_second(speed.First),
        "fused": speed.fused_games_per_second(),
    }
    told("one worker and two, memory of a worker, start-up, compilation")
    one, two = measuring.worker_rate(1), measuring.worker_rate(2)
    few, many = measuring.worker_memory()
    return figures | {
        "two_workers_to_one": two / one,
        "worker_mb_after_10000_games": few,
        "worker_mb_after_200000_games": many,
        "help_s": measuring.help_seconds(),
        "first_game_s": measuring.first_game_seconds(),
        "compile_s": measuring.compile_seconds(),
    }
