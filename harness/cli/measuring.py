"""Commands that measure: results of any game, and the speed of this machine."""

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import Json


def rate(
    file: Annotated[Path, typer.Argument(help="A CSV file: game,player,rank and perhaps team,seat,block.")],
    reference: Annotated[str | None, typer.Option(help="The player at 0; left out: the mean is.")] = None,
    prior: Annotated[
        float, typer.Option(help="Wins and losses each player gets against a ghost: 0.5, or 0 for none.")
    ] = 0.5,
    no_seats: Annotated[bool, typer.Option("--no-seats", help="Take all seats for equal.")] = False,
    win_only: Annotated[bool, typer.Option("--win-only", help="Count only who came first.")] = False,
    json: Json = False,
) -> None:
    """Rate the results of any game: a row for each player of each game, rank 1 best, equal ranks a tie.

    Example: boss rate results.csv --reference Anna
    """
    from harness import api
    from harness.cli import answers

    rated = api.rate(file, reference, prior, not no_seats, win_only)
    if json:
        typer.echo(dumps(rated.answer(), indent=1))
    answers.show_rated(rated, aloud=not json)


def bench(json: Json = False) -> None:
    """Measure the speed of play on this machine; pin it to a core for figures worth comparing.

    Example: taskset -c 0 boss bench
    """
    from harness import api
    from harness.cli import answers, screen

    answers.show_bench(api.bench(not json, screen.note), json)
