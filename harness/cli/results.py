"""Commands that look at results folders: reports, lists, joining, replays, records."""

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import Json


def report(folder: Annotated[Path, typer.Argument(help="A results folder.")]) -> None:
    """Rate the stored games again and rebuild the report.

    Example: boss report results/quick
    """
    from harness import api
    from harness.cli import answers, screen

    ladder = api.write_report(folder)
    answers.show_ratings(ladder)
    screen.say(f"SHA-256 of its {len(ladder.games):,} games: {api.digest(folder)}")
    screen.say(f"Report: {folder / 'report.html'}")


def ladders(
    folder: Annotated[Path, typer.Argument(help="Where to look, in all folders below it too.")] = Path("results"),
    json: Json = False,
) -> None:
    """List the ladders in a folder: their games, size, bots, tables, state, last change, and who leads.

    States: complete, to be continued, being written, damaged, other version (of the harness), unreadable.

    Example: boss ladders
    """
    from harness import api
    from harness.cli import answers

    found = api.ladders(folder)
    if json:
        typer.echo(dumps([one.as_record() for one in found], indent=1))
    else:
        answers.show_ladders(found, folder)


def merge(
    into: Annotated[Path, typer.Argument(help="The results folder to join the others into; it may be a new one.")],
    folders: Annotated[list[Path], typer.Argument(metavar="FROM...", help="Results folders, which stay as they are.")],
) -> None:
    """Join results of the same rules that were played on different machines.

    Games that several of them hold are kept once, if they are the same; the rest is refused, and nothing changed.

    Example: boss merge results/all results/here results/there
    """
    from harness import api
    from harness.cli import answers, live, screen

    with live.progress() as progress:
        merged = api.merge(into, folders, progress)
    answers.show_ratings(merged.ladder)
    screen.say(f"{merged.added:,} games added, now {len(merged.ladder.games):,}; SHA-256: {api.digest(into)}")
    if merged.missing:
        screen.say(f"{merged.missing:,} games that were planned are still missing; boss run plays them")
    screen.say(f"Report: {into / 'report.html'}")


def replay(
    folder: Annotated[Path, typer.Argument(help="A results folder, or a .jsonl or .jsonl.gz file of game records.")],
    game: Annotated[
        int | None, typer.Argument(min=0, help="The game's number; left out: check every record of a file.")
    ] = None,
    seat: Annotated[int | None, typer.Option(min=0, max=5, help="Show only what this seat saw.")] = None,
    bot: Annotated[str | None, typer.Option(help="Ask this bot what it would have done (with --at).")] = None,
    at: Annotated[str | None, typer.Option(help="HAND.TURN, both from 1: where to ask the bot (with --seat).")] = None,
) -> None:
    """Show one game turn by turn, ask a bot for its answer at one turn, or check a file of records by the rules.

    The bot is asked in this process, so that a breakpoint in its source stops here.

    Example: boss replay results/quick 17 --seat 2 --bot my_bots/fox.py:Fox --at 1.3
    """
    from harness import api
    from harness.cli import screen

    if game is None:
        screen.say(f"{api.check_records(folder)} games, all by the rules")
        return
    for text in api.replay(folder, game, seat, bot, at):
        screen.say(text)


def export(
    folder: Annotated[Path, typer.Argument(help="A results folder.")],
    file: Annotated[Path, typer.Argument(help="Where to: a name ending in .jsonl or .jsonl.gz.")],
) -> None:
    """Write the record of every game, one JSON object a line, for anybody's referee to check.

    Example: boss export results/quick games.jsonl.gz
    """
    from harness import api
    from harness.cli import live, screen

    with live.progress() as progress:
        count = api.export(folder, file, progress)
    screen.say(f"{count} games written to {file}")
