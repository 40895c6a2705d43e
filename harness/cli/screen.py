"""The two consoles: answers go to stdout, what is said beside them to stderr."""

from rich.console import Console

out = Console(emoji=False)  # a class is named after a colon, as emoji are
err = Console(stderr=True, emoji=False)


def say(text: str) -> None:
    """Print a line as it is."""
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def complain(text: str) -> None:
    """Print what went wrong to stderr."""
    err.print(f"boss: {text}", markup=False, highlight=False, soft_wrap=True)


def note(text: str) -> None:
    """Print to stderr what is being done."""
    err.print(f"measuring {text} ...", markup=False, highlight=False)
