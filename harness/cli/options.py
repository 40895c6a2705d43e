"""Options that several commands have."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Worker processes; left out: as the config says.")]
Executor = Annotated[str | None, typer.Option(help="local or ray; left out: as the config says.")]
RequireIsolation = Annotated[
    bool, typer.Option("--require-isolation", help="End where bots cannot be jailed, instead of a warning.")
]
