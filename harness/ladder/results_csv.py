"""Results of any game from a CSV file, one row for each player of each game; bad rows are refused by their lines."""

import csv
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness.errors import TableError
from harness.stats.results import Bools, Ints, Results

NEEDED = ("game", "player", "rank")
OPTIONAL = ("team", "seat", "block")
MOST_PLAYERS = 2000
MOST_SEATS = 127
MOST_NAMED = 5
"""Bad rows that are named in one message."""

_SLIP = 0.75
"""How like an optional column's name another must be to be taken for a slip and not for a column of its own."""


@dataclass(frozen=True, eq=False)
class ResultsTable:
    """A file of results: the names of the players, and its games as the statistics read them.

    | field   | type      | meaning                                                                              |
    |---------|-----------|--------------------------------------------------------------------------------------|
    | players | list[str] | their names, in order; `results` has their numbers                                   |
    | seats   | list[int] | the file's number of each seat of `results`; empty where the file tells no seats     |
    | blocked | bool      | the file tells blocks; else every game is one                                        |
    | ignored | list[str] | columns that mean nothing here                                                       |
    | results | Results   | the games, in the order of their blocks' and their own names                         |
    """

    players: list[str]
    seats: list[int]
    blocked: bool
    ignored: list[str]
    results: Results


class _Names(dict[str, int]):
    """Numbers for texts, in the order in which they come; an empty one is refused."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __missing__(self, text: str) -> int:
        if not text:
            raise TableError(f"the {self._what} is empty")
        return self.setdefault(text, len(self))

    def sorted(self) -> tuple[list[str], Ints]:
        """Return the texts in order, and for each number its place in it."""
        texts = sorted(self)
        place = np.empty(len(texts), np.int64)
        place[[self[text] for text in texts]] = np.arange(len(texts))
        return texts, place


class _Wholes(dict[str, int]):
    """Whole numbers by their texts; a text that is none, or out of bounds, is refused."""

    def __init__(self, what: str, least: int, most: int) -> None:
        self._what, self._least, self._most = what, least, most

    def __missing__(self, text: str) -> int:
        if not (text.isascii() and text.isdigit() and self._least <= int(text) <= self._most):
            raise TableError(f"{self._what} {text!r} should be a whole number from {self._least}")
        return self.setdefault(text, int(text))


class _Teams(_Names):
    """Numbers for teams; who has none has -1."""

    def __missing__(self, text: str) -> int:
        return super().__missing__(text) if text else -1


class _Rows:
    """The rows of the file as columns of numbers."""

    def __init__(self, header: list[str]) -> None:
        self.header = header
        self.lines = array("q")
        self.numbers: dict[str, dict[str, int]] = {
            "game": _Names("game"),
            "player": _Names("player"),
            "rank": _Wholes("rank", 1, 32_767),
            "team": _Teams("team"),
            "seat": _Wholes("seat", 0, 1_000_000),
            "block": _Names("block"),
        }
        self._columns = [(name, header.index(name), array("q")) for name in self.numbers if name in header]

    def add(self, line: int, row: list[str]) -> None:
        if len(row) != len(self.header):
            raise TableError(f"{len(row)} cells, where the header has {len(self.header)}")
        self.lines.append(line)
        for name, place, column in self._columns:
            column.append(self.numbers[name][row[place].strip()])

    def columns(self) -> dict[str, Ints]:
        """Return the columns by name, those that the file lacks filled: no team, no seat, every game its own block."""
        found = {name: np.frombuffer(column, np.int64) for name, _, column in self._columns}
        nothing = np.full(len(self.lines), -1)
        lines = np.frombuffer(self.lines, np.int64)
        return {"line": lines, "team": nothing, "seat": nothing, "block": found["game"], **found}

    def names(self, column: str) -> tuple[list[str], Ints]:
        """Return the names of a column in order, and the place of each number among them; blocks may be games."""
        names = self.numbers[column if column in self.header else "game"]
        assert isinstance(names, _Names)
        return names.sorted()


def read_results(file: str | Path) -> ResultsTable:
    """Read a CSV file with the columns game, player, rank and perhaps team, seat, block.

    Rank 1 is best and equal ranks are a tie. Players of one team in one game win and lose together. The games of a
    block are not independent of each other; without blocks every game is one. The order of rows says nothing.

    Raises `TableError`, with the file and the line, for a row that cannot be read, and for a game that is none.
    """
    bad: list[tuple[int, str]] = []
    try:
        with open(file, encoding="utf-8-sig", newline="") as text:
            lines = csv.reader(text, strict=True)
            rows = _Rows(_header(next(lines, [])))
            for row in lines:
                try:
                    if any(row):
                        rows.add(lines.line_num, row)
                except TableError as error:
                    bad.append((lines.line_num, str(error)))
    except TableError as error:
        raise TableError(f"{file}, line 1: {error}") from None
    except OSError as error:
        raise TableError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TableError(f"{file}: is not text in UTF-8") from None
    except csv.Error as error:
        raise TableError(f"{file}, line {lines.line_num}: {error}") from None
    _refuse(file, bad)
    if not rows.lines:
        raise TableError(f"{file}: holds no games; below the header every player of a game has a row")
    return _table(file, rows)


def _header(header: list[str]) -> list[str]:
    from difflib import get_close_matches  # slow to import

    names = [name.strip().lower() for name in header]
    for name in NEEDED:
        if name not in names:
            found = f"; it has {', '.join(names)}" if any(names) else ""
            found += "; commas are to stand between them" if len(names) == 1 and re.search(r"[;\t]", names[0]) else ""
            raise TableError(f"the header should name {', '.join(NEEDED)}; {name} is missing{found}")
    for name in names:
        if names.count(name) > 1:
            raise TableError(f"the column {name!r} stands there twice")
        if name not in NEEDED + OPTIONAL and (close := get_close_matches(name, OPTIONAL, n=1, cutoff=_SLIP)):
            raise TableError(f"no column is called {name!r}; did you mean {close[0]!r}?")
    return names


def _table(file: str | Path, rows: _Rows) -> ResultsTable:
    column = rows.columns()
    seated, blocked = "seat" in rows.header, "block" in rows.header
    players, place = rows.names("player")
    if len(players) > MOST_PLAYERS:
        raise TableError(f"{file}: {len(players):,} players; {MOST_PLAYERS:,} at most can be rated together")
    column["player"] = place[column["player"]]
    column["block"] = rows.names("block")[1][column["block"]]
    column["game"] = rows.names("game")[1][column["game"]]
    side = _sides(column)
    _check(file, column, side, seated)
    seats = [int(seat) for seat in np.unique(column["seat"])] if seated else []
    ignored = [name for name in rows.header if name not in NEEDED + OPTIONAL]
    return ResultsTable(players, seats, blocked, ignored, _results(file, column, side, seats))


def _sides(column: dict[str, Ints]) -> Ints:
    """Return the first row (R,) of each row's side: that of its team in this game, or itself where it has none."""
    count = len(column["game"])
    team = np.where(column["team"] < 0, count + np.arange(count), column["team"])
    return _first_row(column["game"] * (2 * count) + team)


def _check(file: str | Path, column: dict[str, Ints], side: Ints, seated: bool) -> None:
    game, line = column["game"], column["line"]
    torn = column["block"] != column["block"][_first_row(game)]
    _refuse_rows(file, line, torn, "another block than an earlier row of the same game")
    place = "seat" if seated else "player"
    doubled = _first_row(game * (column[place].max() + 1) + column[place]) != np.arange(len(game))
    says = "copies of one player need a column of seats" if not seated else "two cannot sit there"
    _refuse_rows(file, line, doubled, f"this {place} stands in an earlier row of the same game; {says}")
    apart = column["rank"] != column["rank"][side]
    _refuse_rows(file, line, apart, "another rank than an earlier row of the same team; partners share theirs")
    sides = np.bincount(game[side == np.arange(len(side))])
    _refuse_rows(file, line, sides[game] < 2, "its game has no second side; a game needs two players or teams")


def _results(file: str | Path, column: dict[str, Ints], side: Ints, seats: list[int]) -> Results:
    """Return the games in the order of blocks and games, so that the order of the file's rows says nothing."""
    order = np.lexsort([column["player"], column["seat"], column["game"], column["block"]])
    ordered = column["game"][order]
    opens = np.append(True, ordered[1:] != ordered[:-1])
    first = np.flatnonzero(opens)
    game = np.cumsum(opens) - 1
    taken = np.bincount(game)
    seat = np.searchsorted(seats, column["seat"][order]) if seats else np.arange(len(game)) - first[game]
    width = max(len(seats), int(taken.max()))
    if width > MOST_SEATS:
        raise TableError(f"{file}: {width} seats; a table can have {MOST_SEATS}")
    lead = _first_row(side[order] + game * len(side))
    number = np.cumsum(lead == np.arange(len(lead))) - 1
    bots, ranks = np.full((2, len(first), width), -1, np.int16)
    sides = np.full((len(first), width), -1, np.int8)
    bots[game, seat], ranks[game, seat] = column["player"][order], column["rank"][order]
    sides[game, seat] = number[lead] - number[first][game]
    return Results(bots, ranks, sides, taken.astype(np.int8), column["block"][order][first])


def _first_row(key: Ints) -> Ints:
    """Return for each row the first row of the same key."""
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return np.asarray(first[group], np.int64)


def _refuse_rows(file: str | Path, line: Ints, wrong: Bools, why: str) -> None:
    _refuse(file, [(int(number), why) for number in line[wrong]])


def _refuse(file: str | Path, bad: Sequence[tuple[int, str]]) -> None:
    """Raise TableError where rows are bad, naming the first by their lines; rows with one fault are named together."""
    if not bad:
        return
    lines: dict[str, list[int]] = {}
    for line, why in bad[:MOST_NAMED]:
        lines.setdefault(why, []).append(line)
    told = "; ".join(f"line{'s' * (len(own) > 1)} {', '.join(map(str, own))}: {why}" for why, own in lines.items())
    more = f"; and {len(bad) - MOST_NAMED:,} lines more" if len(bad) > MOST_NAMED else ""
    raise TableError(f"{file}, {told}{more}")
