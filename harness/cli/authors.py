"""Commands for those who write bots: a bot to start from, a check, and what there is to play with."""

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import Json


def new(
    name: Annotated[str, typer.Argument(help="The bot's name, as in clever_fox.")],
    folder: Annotated[Path, typer.Option(help="Where to write its file.")] = Path("my_bots"),
) -> None:
    """Write a commented bot to start from.

    Example: boss new clever_fox
    """
    from harness import api
    from harness.cli import screen

    file, class_name = api.new_bot(name, folder)
    screen.say(f"{file} written. Try it: boss match {file}:{class_name} greedy random")


def check(
    bot: Annotated[str, typer.Argument(help="The bot, as `boss match` takes it.")],
    params: Annotated[str, typer.Option(help="Its parameters as in a config: '{least: 0.5}'.")] = "{}",
    level: Annotated[str | None, typer.Option(help="trusted, process or jailed; left out: as in a ladder.")] = None,
    turn_ms: Annotated[int, typer.Option(min=1, help="CPU time for a decision, in milliseconds.")] = 100,
    memory_mb: Annotated[int, typer.Option(min=64, help="Memory it may have, in megabytes.")] = 512,
    json: Json = False,
) -> None:
    """Check a bot before it enters a ladder: at every table, with its turns, time, memory, and same games played again.

    Example: boss check my_bots/fox.py:Fox
    """
    from harness import api
    from harness.cli import live

    with live.checking(aloud=not json) as progress:
        checkup = api.check_bot(bot, params, level, turn_ms, memory_mb, progress)
        progress.over(checkup)
    if json:
        typer.echo(dumps(checkup.as_record(), indent=1))
    if not checkup.passed:
        raise typer.Exit(1)


def bots(json: Json = False) -> None:
    """List the bots known by name.

    Example: boss bots
    """
    from harness import api
    from harness.cli import answers

    answers.show_table(api.bots(), json)


def sets(
    players: Annotated[int | None, typer.Option(min=2, max=6, help="Only sets for this many players.")] = None,
    exact: Annotated[bool, typer.Option("--exact", help="All sets that deal out, not only the official ones.")] = False,
    json: Json = False,
) -> None:
    """List card sets with their arithmetic.

    Example: boss sets --players 2
    """
    from harness import api
    from harness.cli import answers

    answers.show_table(api.card_sets(players, exact), json)
