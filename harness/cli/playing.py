"""Commands that play: a match, a ladder, a gate, and bots that come to a ladder or leave it."""

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import Executor, Json, RequireIsolation, Workers

GATE_STATUS = {"accepted": 0, "rejected": 3, "open": 4}
"""Exit status of `boss gate` by its decision."""


def match(
    bots: Annotated[
        list[str], typer.Argument(help="Bots: a built-in name, path/to/file.py:Class, or package.module:Class.")
    ],
    players: Annotated[
        int | None, typer.Option(help="Seats at the table; left out: as many as bots, 2 at least.")
    ] = None,
    set_: Annotated[str, typer.Option("--set", help="City numbers of the card set, as in 1234567.")] = "default",
    blocks: Annotated[int, typer.Option(min=1, help="Deals to play, each in all rotations of the seats.")] = 200,
    seed: Annotated[str | None, typer.Option(help="32 hex digits, to repeat a match exactly.")] = None,
    require_isolation: RequireIsolation = False,
    json: Json = False,
) -> None:
    """Play a quick match without a config.

    Example: boss match greedy random bully --players 4 --blocks 500
    """
    from harness import api
    from harness.cli import answers, live

    with live.progress() as progress:
        ladder = api.match(bots, players, set_, blocks, seed, progress, require_isolation)
    if json:
        typer.echo(ladder.ratings.to_json(orient="records", indent=1))
    else:
        answers.show_ratings(ladder)


def run(
    config: Annotated[Path, typer.Argument(help="The ladder's YAML file.")],
    workers: Workers = None,
    executor: Executor = None,
    out: Annotated[Path | None, typer.Option(help="The results folder; left out: results/<name>.")] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Delete what the results folder holds and start anew.")
    ] = False,
    require_isolation: RequireIsolation = False,
) -> None:
    """Run or continue a ladder, rate it, and write its report.

    Example: boss run configs/quick.yaml
    """
    from harness import api
    from harness.cli import answers, live, screen

    try:
        with live.progress() as progress:
            ladder = api.run_ladder(config, out, workers, executor, fresh, progress, require_isolation)
    except KeyboardInterrupt:
        screen.complain("stopped; what was played is kept, and the same command goes on from there")
        raise typer.Exit(130) from None
    answers.show_ratings(ladder)
    screen.say(f"Report: {ladder.folder / 'report.html'}")


def gate(
    new: Annotated[str, typer.Argument(help="The new bot: a name in the config, or as `boss match` takes it.")],
    vs: Annotated[str, typer.Option("--vs", help="The old bot, whose place it takes; named in the same way.")],
    config: Annotated[Path, typer.Option(help="A ladder's YAML file: the others, the tables, and what is tested.")],
    workers: Workers = None,
    executor: Executor = None,
    out: Annotated[
        Path | None, typer.Option(help="Where it is kept; left out: results/<name>-gate-<new>-vs-<old>.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Delete what is kept there and start anew.")] = False,
    require_isolation: RequireIsolation = False,
    json: Json = False,
) -> None:
    """Play until it is decided whether a new bot is stronger than an old one, among the others of a ladder.

    Exit status: 0 accepted, 3 rejected, 4 open after as many blocks as the config allows; 1, 2 and 130 as always.

    Example: boss gate my_bots/fox.py:Fox --vs greedy --config configs/ladder.yaml
    """
    from harness import api
    from harness.cli import answers, live, screen

    try:
        with live.progress() as progress:
            verdict = api.gate(new, vs, config, out, workers, executor, fresh, progress, require_isolation)
    except KeyboardInterrupt:
        screen.complain("stopped; what was played is kept, and the same command goes on from there")
        raise typer.Exit(130) from None
    if json:
        typer.echo(dumps(verdict.as_record(), indent=1))
    else:
        answers.show_gate(verdict)
    raise typer.Exit(GATE_STATUS[verdict.decision])


def submit(
    bot: Annotated[str, typer.Argument(help="The bot, as `boss match` takes it.")],
    to: Annotated[Path, typer.Option("--to", help="The YAML file of a ladder that has begun.")],
    name: Annotated[str | None, typer.Option(help="Its name there; left out: its class in lower case.")] = None,
    params: Annotated[str, typer.Option(help="Its parameters as in a config: '{least: 0.5}'.")] = "{}",
    level: Annotated[str | None, typer.Option(help="trusted, process or jailed; left out: as in a ladder.")] = None,
    workers: Workers = None,
    executor: Executor = None,
    out: Annotated[Path | None, typer.Option(help="The results folder; left out: results/<name>.")] = None,
    require_isolation: RequireIsolation = False,
) -> None:
    """Check a bot, play it into a ladder until its rating is known, rate everybody anew, and say where it landed.

    Example: boss submit my_bots/fox.py:Fox --to configs/quick.yaml
    """
    from harness import api
    from harness.cli import live, screen

    try:
        with live.checking(aloud=False) as checking, live.progress(after=checking) as progress:
            landed = api.submit(
                bot, to, name, params, level, out, workers, executor, progress, checking, require_isolation
            )
    except KeyboardInterrupt:
        screen.complain("stopped; what was played is kept, and the same command goes on from there")
        raise typer.Exit(130) from None
    for line in landed.lines():
        screen.say(line)
    screen.say(f"Report: {landed.folder / 'report.html'}")


def retire(
    bot: Annotated[str, typer.Argument(help="The bot's name in the ladder, as in fox@2.")],
    folder: Annotated[Path, typer.Argument(help="The ladder's results folder.")],
) -> None:
    """Let a bot of a ladder play no more; it stays rated, and is back when it is submitted again.

    Example: boss retire fox results/quick
    """
    from harness import api
    from harness.cli import screen

    api.retire(bot, folder)
    screen.say(f"{bot} is retired: it stays in the table and plays no more")
