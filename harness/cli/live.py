"""What is drawn while a command is at work: the progress of a run, and that of a bot's check."""

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.status import Status

from harness.cli import screen
from harness.play.checkup import Check, Checkup, in_lines

if TYPE_CHECKING:
    from harness.stats.sequential import Look


class progress:  # noqa: N801 (reads as the function it is used as)
    """A context in which a run's progress is drawn: games done, games/s, time left, faults.

    after: a check that goes before the run, and of which nothing more is drawn once games are played.
    """

    def __init__(self, after: "checking | None" = None) -> None:
        self._after = after
        self._warned: set[str] = set()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=screen.err,
        )
        self._task: Any = None
        self._faults = 0

    def __enter__(self) -> "progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._bar.live.is_started:  # else it would add an empty line
            self._bar.stop()

    def compiling(self) -> None:
        """Say that kernels are compiled now."""
        screen.err.print("Compiling the game's kernels: once for this version, up to a minute ...", highlight=False)

    def begin(self, games: int, done: int) -> None:
        """Draw the bar, unless all is done; what lies stored already counts as done."""
        if self._after:
            self._after.close()
        self._task = self._bar.add_task("games", total=games, completed=done, rate="", note="")
        if done < games:
            self._bar.start()
        if done:
            goes_on = "; going on from there" if done < games else ""
            screen.err.print(f"{done:,} of {games:,} games lie stored{goes_on}", highlight=False)

    def advance(self, games: int, faults: dict[str, int]) -> None:
        """Move the bar on."""
        self._faults += sum(faults.values())
        self._bar.start()  # it is not drawn yet where more is played than was expected
        self._bar.advance(self._task, games)
        speed = self._bar.tasks[self._task].speed
        rate = f"{speed:,.0f} games/s" if speed else ""
        note = f"{self._faults} faults" if self._faults else ""
        self._bar.update(self._task, rate=rate, note=note)

    def looked(self, look: "Look", bounds: tuple[float, float]) -> None:
        """Note how a gate stands; one that takes longer than expected has more games to go."""
        task = self._bar.tasks[self._task]
        stands = f"LLR {look.llr:+.2f} of {bounds[0]:.2f} to {bounds[1]:.2f} after {look.blocks:,} blocks"
        self._bar.update(self._task, note=stands, total=max(task.total or 0, task.completed))

    def warn(self, text: str) -> None:
        """Say what is not as it was asked for, once: both sides of a gate warn of the same."""
        if text not in self._warned:
            screen.complain(f"warning: {text}")
        self._warned.add(text)

    def rating(self) -> None:
        """Say that games are rated now; the bar ends, full where a submission needed fewer games than it might."""
        if self._task is not None:
            self._bar.update(self._task, total=self._bar.tasks[self._task].completed)
        self._stop()
        screen.err.print("Rating the games and writing the report ...", highlight=False)


class checking:  # noqa: N801 (as progress)
    """A context in which a bot is checked: each check is printed once it has ended, and a terminal shows which is next.

    aloud: whether anything is printed to stdout.
    """

    def __init__(self, aloud: bool) -> None:
        self._aloud = aloud
        self._printed: list[Check] = []
        self._status = Status("", console=screen.err)

    def __enter__(self) -> "checking":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Draw no more of what is next."""
        self._status.stop()

    def compiling(self) -> None:
        """Say that kernels are compiled now."""
        progress().compiling()

    def at(self, check: str, players: int, ended: Sequence[Check]) -> None:
        """Show which check is looked into, and at which table (0: at none, or at all); print those that have ended."""
        self._print(ended)
        self._status.update(f"{check}: {players} players" if players else check)
        if screen.err.is_terminal:
            self._status.start()

    def over(self, checkup: Checkup) -> None:
        """Print what has not been printed yet, and the verdict."""
        self._print(checkup.checks)
        self._status.stop()
        if self._aloud:
            screen.say(checkup.verdict)

    def _print(self, ended: Sequence[Check]) -> None:
        fresh = [check for check in ended if check not in self._printed]
        if self._aloud and fresh:
            self._status.stop()  # both may be on the same terminal
            for line in in_lines(fresh):
                screen.say(line)
            self._printed += fresh
