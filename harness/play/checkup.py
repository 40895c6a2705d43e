"""What a check of a bot comes to: named checks and a verdict; and who hears of them meanwhile."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Literal, Protocol

Result = Literal["pass", "fail", "skipped"]

_MARKS = {"pass": "pass", "fail": "FAIL", "skipped": "skip"}


@dataclass(frozen=True)
class Check:
    """One check: what was found, line by line, and how to mend it if it fails."""

    name: str
    result: Result
    found: str
    mend: str = ""

    def lines(self) -> Iterator[str]:
        """Yield it line by line."""
        first, *more = self.found.splitlines() or [""]
        yield f"{_MARKS[self.result]}  {self.name:<12} {first}"
        yield from (f"{'':19}{line}" for line in more)
        if self.mend:
            yield f"{'':19}How to mend: {self.mend}"


def in_lines(checks: Sequence[Check]) -> Iterator[str]:
    """Yield checks line by line; those that were skipped one after the other for the same reason, in one line."""
    for _, alike in groupby(checks, lambda check: (check.result == "skipped" and check.found) or check.name):
        first, *more = alike
        if more:
            yield f"{_MARKS[first.result]}  {', '.join(check.name for check in (first, *more))}: {first.found}"
        else:
            yield from first.lines()


@dataclass(frozen=True)
class Checkup:
    """All checks of a bot."""

    bot: str
    version: str
    level: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether no check fails; skipped ones do not count."""
        return all(check.result != "fail" for check in self.checks)

    def as_record(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {**asdict(self), "checks": [asdict(check) for check in self.checks], "passed": self.passed}

    @property
    def verdict(self) -> str:
        """What came of it, in a line."""
        failed = [check.name for check in self.checks if check.result == "fail"]
        said = f"fails: {', '.join(failed)}" if failed else "fit to play"
        return f"{' '.join(filter(None, (self.bot, self.version, self.level and f'({self.level})')))}: {said}"


class CheckProgress(Protocol):
    """Hears how a check goes; the command line draws it."""

    def compiling(self) -> None:
        """The kernels are compiled now, once for this version of the sources."""

    def at(self, check: str, players: int, ended: Sequence[Check]) -> None:
        """A check is looked into at a table of `players` (0: at none, or at all); these first ones have ended."""


class CheckSilence:
    """A progress nobody watches."""

    def compiling(self) -> None: ...
    def at(self, check: str, players: int, ended: Sequence[Check]) -> None: ...
