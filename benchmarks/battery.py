"""All bad bots of `tests/bad_bots` in ladders beside honest ones: does each get what it must, and nobody else?

    .venv/bin/python benchmarks/battery.py               # all
    .venv/bin/python benchmarks/battery.py forks memory  # those whose names begin so

They play in ladders of at most GROUP bots, for all bots of a chunk have their processes at the same time. Prints what
was expected of each and what it got, by how much a deadline was passed at most, and what is left behind; ends with
status 1 on any mismatch.
"""

import itertools
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from bad_bots import arena
from bad_bots.outcomes import CASES, Case

from harness import api
from harness.errors import BossError
from harness.ladder.standing import standing
from harness.play import jail
from harness.play.clock import CPU, IDLE, Clock
from harness.play.probe import probe

GROUP = 30
HONEST = ("greedy", "random", "miser", "patient")
LIMITS = {"turn_ms": 30, "bank_ms": 60, "load_s": 8.0, "memory_mb": 1024, "forfeits": 20}
TABLES = {False: {2: 4, 4: 2}, True: {6: 6}}
"""Games of each bot at each number of players, roughly; the second where bots must choose who bears a loss."""

MOST_OVERRUN_S = 0.5


class WatchedClock(Clock):
    """A clock that notes by how many seconds of its kind, CPU time or idle, a bot had passed its deadline."""

    overruns: ClassVar[dict[str, list[float]]] = {"CPU": [], "idle": []}

    def late(self, *at: Any) -> str | None:
        """Look at the time, as `Clock` does."""
        said = super().late(*at)
        if said:
            allowed = self.turn + self.banks[self.row]
            used, idle = self.cpu - self.row_cpu - allowed[CPU], self.idle - allowed[IDLE]
            self.overruns["CPU" if used > 0 else "idle"].append(max(used, idle))
        return said


def main() -> None:
    """Run the ladders, and print what came of them."""
    if probe().level != "jailed":
        sys.exit(f"no jail on this machine: {probe().reason}")
    chosen = [case for case in CASES if case.name.startswith(tuple(sys.argv[1:]) or "")]
    before, was = arena.source_hash(), arena.children()
    print(f"{'bot':44} {'expected':34} {'got':34} games  out of the run")
    jail.Clock = WatchedClock  # type: ignore[misc]
    begin = time.monotonic()
    with arena.adopting_orphans():
        problems = [problem for cases in groups(chosen) for problem in play(cases)]
        problems += left_behind(before, was)
    print(f"{len(chosen)} bad bots in {time.monotonic() - begin:.0f} s")
    for kind, overruns in WatchedClock.overruns.items():
        most = max(overruns, default=0.0)
        print(f"{len(overruns)} deadlines of {kind} time, passed by {most:.3f} s at most")
        if most > MOST_OVERRUN_S:
            problems.append(f"a deadline of {kind} time was passed by {most:.3f} s")
    print(*problems or ["every bot got what it must, and nothing is left behind"], sep="\n")
    sys.exit(1 if problems else 0)


def groups(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Yield the bots of each ladder: those that must bear losses play in teams, the others do not."""
    for teams, own in itertools.groupby(sorted(cases, key=in_teams), in_teams):
        together = list(own)
        size = GROUP // 3 if teams else GROUP
        yield from (together[first : first + size] for first in range(0, len(together), size))


def in_teams(case: Case) -> bool:
    """Return whether what is bad about a bot shows only where partners choose who bears a loss."""
    return case.where == "teams"


def play(cases: list[Case]) -> list[str]:
    """Run one ladder, print its lines, and return what is not as it must be."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "battery.yaml"
        config.write_text(json.dumps(config_of(cases)))  # JSON is YAML
        try:
            ladder = api.run_ladder(config, out=Path(folder) / "results")
        except (BossError, OSError, RuntimeError) as error:
            return [f"{cases[0].name} to {cases[-1].name}: the run failed: {type(error).__name__}: {error}"]
        problems = list(report(ladder, cases))
    print(f"{len(ladder.games)} games in {time.monotonic() - begin:.0f} s", flush=True)
    return problems


def config_of(cases: Sequence[Case]) -> dict[str, Any]:
    """Return the config of a ladder."""
    bad = [
        {"bot": f"{arena.FOLDER}/{case.bot}", "name": case.name, "params": arena.params_of(case), "level": "jailed"}
        for case in cases
    ]
    count = len(bad) + len(HONEST)
    tables = TABLES[in_teams(cases[0])]
    return {
        "name": "battery",
        "seed": arena.SEED,
        "bots": [*HONEST, *bad],
        "tables": [
            {"players": players, "blocks": -(-count * games // players**2)} for players, games in tables.items()
        ],
        "schedule": {"fill": "random"},
        "ratings": {"anchor": "random"},
        "executor": {"kind": "local", "workers": 1},  # this process, whose clocks are watched
        "limits": LIMITS,
    }


def report(ladder: api.Ladder, cases: Sequence[Case]) -> Iterator[str]:
    """Print a line for each bad bot; yield what is not as it must be."""
    names = [spec.name for spec in ladder.manifest.bots]
    rows = ladder.games.to_dict("records")
    out = {fall.bot: fall.reason for fall in standing(ladder.manifest, ladder.games).out}
    for case in cases:
        number = names.index(case.name)
        found = arena.got(rows, number)
        expected = f"{'|'.join(sorted(case.prices))} {' '.join(sorted(case.kinds))}"
        told = f"{found.price} {' '.join(sorted(found.kinds))}"
        print(f"{case.name:44} {expected[:34]:34} {told[:34]:34} {found.games:5}  {out.get(number, '')}")
        if wrong := arena.mismatch(case, found):
            yield f"{case.name}: {wrong}"
    for name in HONEST:
        found = arena.got(rows, names.index(name))
        if found.kinds or names.index(name) in out:
            yield f"{name}, an honest bot, was charged with {' '.join(found.kinds)}"


def left_behind(before: str, was: set[int]) -> Iterator[str]:
    """Yield what changed or is left."""
    if arena.source_hash() != before:
        yield "files were changed"
    if not arena.gone({pid for pid in arena.children() - was if b"worker.py" in arena.command(pid)}):
        yield "processes are left"
    if arena.own_folders():
        yield f"folders are left: {' '.join(sorted(arena.own_folders()))}"


if __name__ == "__main__":
    main()
