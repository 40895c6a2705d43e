"""The command ``boss``: thin verbs over `harness.api`. All printing is done here."""

import sys
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer

from harness.errors import BossError, RunError

app = typer.Typer(
    name="boss",
    help="Tournaments, ladders and balance studies for the card game The Boss.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
RequireIsolation = Annotated[
    bool, typer.Option("--require-isolation", help="End where bots cannot be jailed, instead of a warning.")
]


GATE_STATUS = {"accepted": 0, "rejected": 3, "open": 4}
"""Exit status of `boss gate` by its decision."""


@app.command()
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
    from harness import api, screen

    with screen.progress() as progress:
        ladder = api.match(bots, players, set_, blocks, seed, progress, require_isolation)
    if json:
        typer.echo(ladder.ratings.to_json(orient="records", indent=1))
    else:
        screen.show_ratings(ladder)


@app.command()
def run(
    config: Annotated[Path, typer.Argument(help="The ladder's YAML file.")],
    workers: Annotated[int | None, typer.Option(min=1, help="Worker processes; left out: as the config says.")] = None,
    executor: Annotated[str | None, typer.Option(help="local or ray; left out: as the config says.")] = None,
    out: Annotated[Path | None, typer.Option(help="The results folder; left out: results/<name>.")] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Delete what the results folder holds and start anew.")
    ] = False,
    require_isolation: RequireIsolation = False,
) -> None:
    """Run or continue a ladder, rate it, and write its report.

    Example: boss run configs/quick.yaml
    """
    from harness import api, screen

    try:
        with screen.progress() as progress:
            ladder = api.run_ladder(config, out, workers, executor, fresh, progress, require_isolation)
    except KeyboardInterrupt:
        screen.complain("stopped; what was played is kept, and the same command goes on from there")
        raise typer.Exit(130) from None
    screen.show_ratings(ladder)
    screen.say(f"Report: {ladder.folder / 'report.html'}")


@app.command()
def gate(
    new: Annotated[str, typer.Argument(help="The new bot: a name in the config, or as `boss match` takes it.")],
    vs: Annotated[str, typer.Option("--vs", help="The old bot, whose place it takes; named in the same way.")],
    config: Annotated[Path, typer.Option(help="A ladder's YAML file: the others, the tables, and what is tested.")],
    workers: Annotated[int | None, typer.Option(min=1, help="Worker processes; left out: as the config says.")] = None,
    executor: Annotated[str | None, typer.Option(help="local or ray; left out: as the config says.")] = None,
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
    from harness import api, screen

    try:
        with screen.progress() as progress:
            verdict = api.gate(new, vs, config, out, workers, executor, fresh, progress, require_isolation)
    except KeyboardInterrupt:
        screen.complain("stopped; what was played is kept, and the same command goes on from there")
        raise typer.Exit(130) from None
    if json:
        typer.echo(dumps(verdict.as_record(), indent=1))
    else:
        screen.show_gate(verdict)
    raise typer.Exit(GATE_STATUS[verdict.decision])


@app.command()
def submit(
    bot: Annotated[str, typer.Argument(help="The bot, as `boss match` takes it.")],
    to: Annotated[Path, typer.Option("--to", help="The YAML file of a ladder that has begun.")],
    name: Annotated[str | None, typer.Option(help="Its name there; left out: its class in lower case.")] = None,
    params: Annotated[str, typer.Option(help="Its parameters as in a config: '{least: 0.5}'.")] = "{}",
    level: Annotated[str | None, typer.Option(help="trusted, process or jailed; left out: as in a ladder.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Worker processes; left out: as the config says.")] = None,
    executor: Annotated[str | None, typer.Option(help="local or ray; left out: as the config says.")] = None,
    out: Annotated[Path | None, typer.Option(help="The results folder; left out: results/<name>.")] = None,
    require_isolation: RequireIsolation = False,
) -> None:
    """Check a bot, play it into a ladder until its rating is known, rate everybody anew, and say where it landed.

    Example: boss submit my_bots/fox.py:Fox --to configs/quick.yaml
    """
    from harness import api, screen

    try:
        with screen.checking(aloud=False) as checking, screen.progress(after=checking) as progress:
            landed = api.submit(
                bot, to, name, params, level, out, workers, executor, progress, checking, require_isolation
            )
    except KeyboardInterrupt:
        screen.complain("stopped; what was played is kept, and the same command goes on from there")
        raise typer.Exit(130) from None
    for line in landed.lines():
        screen.say(line)
    screen.say(f"Report: {landed.folder / 'report.html'}")


@app.command()
def retire(
    bot: Annotated[str, typer.Argument(help="The bot's name in the ladder, as in fox@2.")],
    folder: Annotated[Path, typer.Argument(help="The ladder's results folder.")],
) -> None:
    """Let a bot of a ladder play no more; it stays rated, and is back when it is submitted again.

    Example: boss retire fox results/quick
    """
    from harness import api, screen

    api.retire(bot, folder)
    screen.say(f"{bot} is retired: it stays in the table and plays no more")


@app.command()
def report(folder: Annotated[Path, typer.Argument(help="A results folder.")]) -> None:
    """Rate the stored games again and rebuild the report.

    Example: boss report results/quick
    """
    from harness import api, screen

    ladder = api.write_report(folder)
    screen.show_ratings(ladder)
    screen.say(f"SHA-256 of its {len(ladder.games):,} games: {api.digest(folder)}")
    screen.say(f"Report: {folder / 'report.html'}")


@app.command()
def ladders(
    folder: Annotated[Path, typer.Argument(help="Where to look, in all folders below it too.")] = Path("results"),
    json: Json = False,
) -> None:
    """List the ladders in a folder: their games, size, bots, tables, state, last change, and who leads.

    States: complete, to be continued, being written, damaged, other version (of the harness), unreadable.

    Example: boss ladders
    """
    from harness import api, screen

    found = api.ladders(folder)
    if json:
        typer.echo(dumps([one.as_record() for one in found], indent=1))
    else:
        screen.show_ladders(found, folder)


@app.command()
def merge(
    into: Annotated[Path, typer.Argument(help="The results folder to join the others into; it may be a new one.")],
    folders: Annotated[list[Path], typer.Argument(metavar="FROM...", help="Results folders, which stay as they are.")],
) -> None:
    """Join results of the same rules that were played on different machines.

    Games that several of them hold are kept once, if they are the same; the rest is refused, and nothing changed.

    Example: boss merge results/all results/here results/there
    """
    from harness import api, screen

    with screen.progress() as progress:
        merged = api.merge(into, folders, progress)
    screen.show_ratings(merged.ladder)
    screen.say(f"{merged.added:,} games added, now {len(merged.ladder.games):,}; SHA-256: {api.digest(into)}")
    if merged.missing:
        screen.say(f"{merged.missing:,} games that were planned are still missing; boss run plays them")
    screen.say(f"Report: {into / 'report.html'}")


@app.command()
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
    from harness import api, screen

    if game is None:
        screen.say(f"{api.check_records(folder)} games, all by the rules")
        return
    for text in api.replay(folder, game, seat, bot, at):
        screen.say(text)


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(help="A results folder.")],
    file: Annotated[Path, typer.Argument(help="Where to: a name ending in .jsonl or .jsonl.gz.")],
) -> None:
    """Write the record of every game, one JSON object a line, for anybody's referee to check.

    Example: boss export results/quick games.jsonl.gz
    """
    from harness import api, screen

    with screen.progress() as progress:
        count = api.export(folder, file, progress)
    screen.say(f"{count} games written to {file}")


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The bot's name, as in clever_fox.")],
    folder: Annotated[Path, typer.Option(help="Where to write its file.")] = Path("my_bots"),
) -> None:
    """Write a commented bot to start from.

    Example: boss new clever_fox
    """
    from harness import api, screen

    file, class_name = api.new_bot(name, folder)
    screen.say(f"{file} written. Try it: boss match {file}:{class_name} greedy random")


@app.command()
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
    from harness import api, screen

    with screen.checking(aloud=not json) as progress:
        checkup = api.check_bot(bot, params, level, turn_ms, memory_mb, progress)
        progress.over(checkup)
    if json:
        typer.echo(dumps(checkup.as_record(), indent=1))
    if not checkup.passed:
        raise typer.Exit(1)


@app.command()
def bots(json: Json = False) -> None:
    """List the bots known by name.

    Example: boss bots
    """
    from harness import api, screen

    screen.show_table(api.bots(), json)


@app.command()
def sets(
    players: Annotated[int | None, typer.Option(min=2, max=6, help="Only sets for this many players.")] = None,
    exact: Annotated[bool, typer.Option("--exact", help="All sets that deal out, not only the official ones.")] = False,
    json: Json = False,
) -> None:
    """List card sets with their arithmetic.

    Example: boss sets --players 2
    """
    from harness import api, screen

    screen.show_table(api.card_sets(players, exact), json)


@app.command()
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
    from harness import api, screen

    rated = api.rate(file, reference, prior, not no_seats, win_only)
    if json:
        typer.echo(dumps(rated.answer(), indent=1))
    screen.show_rated(rated, aloud=not json)


@app.command()
def bench(json: Json = False) -> None:
    """Measure the speed of play on this machine; pin it to a core for figures worth comparing.

    Example: taskset -c 0 boss bench
    """
    from harness import api, screen

    screen.show_bench(api.bench(not json, screen.note), json)


def main() -> Any:
    """Run the command; a user's mistake ends with one message and status 2, a failed run with 1."""
    from harness import screen

    try:
        app()
    except BossError as error:
        screen.complain(str(error))
        sys.exit(2)
    except RunError as error:
        screen.complain(str(error))
        sys.exit(1)
