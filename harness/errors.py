"""Everything a user can do wrong, as one small tree.

    BossError              a user's mistake: one sentence, no traceback, exit status 2
    ├── CardsError         a card set or a designer's cards that cannot be played
    ├── NotationError      a text that is no card, turn or set
    ├── ConfigError        a config file with an unknown key or a bad value
    ├── BotError           a bot that cannot be found or loaded
    ├── RecordError        a game record that does not follow the rules
    ├── TableError         a table of results with a row that cannot be read
    └── ResultsError       a results folder that belongs to something else
    RunError               the run itself failed: exit status 1

Internal invariants are asserts and ordinary exceptions, and fail loudly.
"""

from collections.abc import Iterable


class BossError(Exception):
    """A user's mistake; its text says what, where, and what would be right."""


class CardsError(BossError):
    """A card set or card list that cannot be played."""


class NotationError(BossError):
    """A text that does not read as the card, turn or set it should be."""


class ConfigError(BossError):
    """A config with an unknown key, a bad value, or two that contradict each other."""


class BotError(BossError):
    """A bot that cannot be found, loaded or built."""


class RecordError(BossError):
    """A game record that departs from the rules, or is none."""


class TableError(BossError):
    """A table of results that cannot be read, or a row in it."""


class ResultsError(BossError):
    """A results folder that cannot be used for what was asked."""


class RunError(Exception):
    """A run that could not be finished, through no mistake in its config."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the known word nearest to `word`, or nothing."""
    import difflib  # slow to import, and of use only where something is wrong

    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
