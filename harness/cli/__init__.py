"""The command ``boss``: thin verbs over `harness.api`, by theme."""

import errno
import sys
from collections.abc import Callable
from typing import Any

import typer

from harness.cli import authors, measuring, playing, results
from harness.errors import BossError, RunError

COMMANDS: tuple[Callable[..., None], ...] = (
    playing.match,
    playing.run,
    playing.gate,
    playing.submit,
    playing.retire,
    results.report,
    results.ladders,
    results.merge,
    results.replay,
    results.export,
    authors.new,
    authors.check,
    authors.bots,
    authors.sets,
    measuring.rate,
    measuring.bench,
)
"""In the order in which ``boss --help`` lists them."""

app = typer.Typer(
    name="boss",
    help="Tournaments, ladders and balance studies for the card game The Boss.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in COMMANDS:
    app.command()(command)


def main() -> Any:
    """Run the command; a user's mistake ends with one message and status 2, a failed run with 1."""
    from harness.cli import screen

    try:
        app()
    except BossError as error:
        screen.complain(str(error))
        sys.exit(2)
    except RunError as error:
        screen.complain(str(error))
        sys.exit(1)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        screen.complain(f"{error.filename}: no file or folder can have so long a name; choose another")
        sys.exit(2)
