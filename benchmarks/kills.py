"""Thirty SIGKILLs during one ladder: is anything lost, played twice, or left behind?

    .venv/bin/python benchmarks/kills.py [SEED]

A ladder of 1,000 blocks, four bots (one of them jailed) and three table kinds is run over Ray and by local workers, by
turns. At random moments the harness, a worker, Ray's daemons or the process that talks to them are killed; some of the
harnesses in the middle of a write, when a temporary file is seen. The ladder is then run to its end and compared with
one that nothing happened to. Ends with status 1 where the tables differ, or a process or folder was left.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from bad_bots.arena import command, gone
from ladder import processes
from ladder.processes import UNRULY, at_play, descendants, own_folders
from ladder.test_run import digest

from harness.ladder.config import load_config
from harness.ladder.run import plan_run
from harness.ladder.store import Store

CHUNK_GAMES = 40

LADDER = """\
name: kills
seed: "5eed5eed5eed5eed5eed5eed5eed5eed"
bots:
  - random
  - greedy
  - {bot: "FILE:Slow", level: trusted, params: {pause_ms: 6}}
  - "FILE:Texts"
tables: [{players: 2, blocks: 400}, {players: 3, blocks: 300}, {players: 4, blocks: 300}]
limits: {turn_ms: 1000, load_s: 30}
"""
GAMES = 400 * 2 + 300 * 3 + 300 * 4

KILLS = {"harness": 7, "write": 7, "worker": 8, "raylet": 4, "gcs_server": 2, "ray_driver": 2}
"""How often each is killed: a harness by the clock or in the middle of a write, a worker, each daemon of Ray's, the
process that talks to them."""

DAEMONS = {"raylet": b"raylet/raylet", "gcs_server": b"gcs/gcs_server", "ray_driver": b"ladder.ray_driver"}
"""How to tell them by their commands."""

SETTLED_S = 10
"""Seconds after which nothing must be left of a harness that was killed."""


def begin(config: Path, folder: Path) -> None:
    """Begin a run in small chunks, so that many lie between one kill and the next."""
    plan = plan_run(load_config(config), folder)
    with plan.store.writing():
        plan.store.write_manifest(replace(plan.manifest, chunk_games=CHUNK_GAMES), plan.config_text)


def start(config: Path, folder: Path, executor: str) -> "subprocess.Popen[bytes]":
    """Start or continue a run."""
    with log_of(folder).open("w") as log:
        return processes.start(config, folder, executor, log)


def log_of(folder: Path) -> Path:
    """Return where the last run in a folder has told what went wrong."""
    return folder.with_suffix(".log")


class Ladder:
    """The ladder that is killed: where it lies, its run at hand and what that uses, and what was found to be wrong."""

    def __init__(self, config: Path, folder: Path, chance: random.Random) -> None:
        self.config = config
        self.folder = folder
        self.chance = chance
        self.executor = ""
        self.run: subprocess.Popen[bytes] | None = None
        self.torn = 0
        self.problems: list[str] = []

    def kill(self, victim: str) -> str:
        """Kill something of a run at play, at a random moment; return what was done, and what came of it."""
        run = self._at_play(["ray"] if victim in DAEMONS else ["ray", "local"])
        self._wait_for_chunks(run, self.chance.randrange(3))
        time.sleep(self.chance.uniform(0, 2))
        everybody = descendants(run.pid)
        stored = self._stored()
        if victim == "write":
            self._wait_for_a_write(run)
        pid = self._pid_of(victim, run)
        if pid is None:
            return f"{victim} over {self.executor}: gone before it was killed"
        os.kill(pid, signal.SIGKILL)
        ended = ""
        if victim in ("harness", "write"):
            run.wait()
            ended = self._after(run, everybody)
        elif victim in ("raylet", "ray_driver"):
            ended = f"; the run ended with status {run.wait()}: {' '.join(log_of(self.folder).read_text().split())}"
            ended += self._after(run, everybody)
        return f"{victim} over {self.executor}, {stored} chunks stored{ended}"

    def finish(self) -> int:
        """Let the run end; return how often it had to be started again."""
        for starts in range(10):
            if self.run is not None and self.run.wait() == 0:
                return starts
            self.run = start(self.config, self.folder, "local")
        raise SystemExit("it does not end")

    def _at_play(self, executors: list[str]) -> "subprocess.Popen[bytes]":
        """Return a run at play over one of these executors, which may be the run at hand."""
        while True:
            if self.run is None or self.run.poll() is not None or self.executor not in executors:
                self._stop()
                self.executor = self.chance.choice(executors)
                self.run = start(self.config, self.folder, self.executor)
            try:
                at_play(self.run)
            except AssertionError as ended:
                print(f"    {ended}", flush=True)
                if self.run.returncode == 0:
                    raise SystemExit("the ladder came to its end before all were killed: give it more blocks") from None
                continue
            if self.executor == "local" or self._pid_of("raylet", self.run):
                return self.run
            print("    Ray did not start; once more", flush=True)
            self._stop()

    def _stop(self) -> None:
        if self.run is not None and self.run.poll() is None:
            self.run.send_signal(signal.SIGINT)
            if self.run.wait() != 130:
                self.problems.append(f"stopped by Ctrl-C it ended with status {self.run.returncode}")

    def _pid_of(self, victim: str, run: "subprocess.Popen[bytes]") -> int | None:
        if victim in ("harness", "write"):
            return run.pid if run.poll() is None else None
        if victim == "worker":
            return self.chance.choice(at_play(run)[0])
        return next((pid for pid in descendants(run.pid) if DAEMONS[victim] in command(pid)), None)

    def _wait_for_a_write(self, run: "subprocess.Popen[bytes]") -> None:
        """Return as soon as a file is being written."""
        while run.poll() is None and not self._temporary():
            pass

    def _temporary(self) -> list[str]:
        folders = [self.folder / name for name in ("games", "blocks", "usage")]
        return [name for folder in folders if folder.is_dir() for name in os.listdir(folder) if name.endswith(".tmp")]

    def _wait_for_chunks(self, run: "subprocess.Popen[bytes]", more: int) -> None:
        """Wait until so many more chunks are stored: on a busy machine nothing would come of waiting by the clock."""
        enough = self._stored() + more
        while run.poll() is None and self._stored() < enough:
            time.sleep(0.05)

    def _stored(self) -> int:
        return len(list(self.folder.glob("games/part-*.parquet")))

    def _after(self, run: "subprocess.Popen[bytes]", everybody: list[int]) -> str:
        """Note what is left of a run that has ended; return a word of a write that was cut off."""
        latest = time.monotonic() + SETTLED_S
        if not gone(everybody, SETTLED_S):
            self.problems.append(f"processes were left: {[command(pid) for pid in everybody if not gone([pid], 0)]}")
        while (left := self._folders(run)) and time.monotonic() < latest:  # who deletes them began after the kill
            time.sleep(0.05)
        if left:
            self.problems.append(f"folders were left: {left}")
        torn = len(self._temporary())
        self.torn += torn > 0
        return f", {torn} torn file" if torn else ""

    @staticmethod
    def _folders(run: "subprocess.Popen[bytes]") -> list[str]:
        return [folder for folder in own_folders([run.pid]) if folder.startswith("/tmp")]


def faulty_table(folder: Path) -> Iterator[str]:
    """Yield what is wrong with the stored games: gaps, duplicates, faults."""
    games = Store(folder).games()
    if len(games) != GAMES:
        yield f"{len(games)} games instead of {GAMES}"
    if games.duplicated(["table", "block", "rotation"]).any():
        yield "games are there twice"
    if games["faults"].sum():
        yield f"{games['faults'].sum()} faults, of bots that make none"


def main() -> int:
    """Play, kill, compare, and return 1 when anything is wrong."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    chance = random.Random(seed)
    victims = [victim for victim, times in KILLS.items() for _ in range(times)]
    chance.shuffle(victims)
    with tempfile.TemporaryDirectory(prefix="kills-") as home:
        config = Path(home, "kills.yaml")
        config.write_text(LADDER.replace("FILE", str(UNRULY)))
        ladder = Ladder(config, Path(home, "killed"), chance)
        begin(config, ladder.folder)
        begin_s = time.monotonic()
        for number, victim in enumerate(victims, 1):
            print(f"{number:3} {ladder.kill(victim)}", flush=True)
        again = ladder.finish()
        killed_s = time.monotonic() - begin_s
        begin(config, Path(home, "undisturbed"))
        if start(config, Path(home, "undisturbed"), "local").wait():
            raise SystemExit("the undisturbed run failed")
        same = digest(ladder.folder) == digest(Path(home, "undisturbed"))
        problems = [*ladder.problems, *faulty_table(ladder.folder), *([] if same else ["the tables differ"])]
        print(f"{len(victims)} kills, {ladder.torn} in the middle of a write, in {killed_s:.0f} s; {again} more starts")
        print(f"SHA-256 of the table: {digest(ladder.folder)}")
    print(*problems or ["the table is that of an undisturbed run, and nothing was left"], sep="\n")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
