"""Where a submitted bot landed: its place, how well that is known, and against whom it wins and loses."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from harness.ladder.schedule import Submission
from harness.report import words as w
from harness.report.analysis import Analysis
from harness.report.present import is_guess


@dataclass(frozen=True, eq=False)
class Landing:
    """A submitted bot among the others.

    folder: that of the results. rank: its place among the `ranked` bots with games. half: half its 95 % interval, Elo.
    exact: the same by finishing orders, by which its games were planned; another where the ladder goes by wins.
    guess: its rating rests on the prior. blocks: those played for it. games: those in which it sat. pairs: its rows of
    `harness.report.tables.pair_table`. out: why it is out of the run, if it is.
    """

    folder: Path
    name: str
    version: str
    submission: Submission
    rank: int
    ranked: int
    elo: float
    half: float
    exact: float
    guess: bool
    blocks: int
    games: int
    pairs: pd.DataFrame
    out: str

    def lines(self) -> Iterator[str]:
        """Yield what is said of it, line by line."""
        guess = ", a guess that games with others do not bear out" if self.guess else ""
        yield (
            f"{self.name} (version {self.version}) stands in place {self.rank} of {self.ranked} with "
            f"{w.whole(self.elo)} ± {w.whole(self.half)} Elo{guess}, after {w.plural(self.games, 'game')}."
        )
        yield self._ended()
        wins, loses = self.pairs["lo"] > 0.5, self.pairs["hi"] < 0.5
        for told, which in (
            ("Mostly finishes above", wins),
            ("Mostly finishes below", loses),
            ("Too close to tell with", ~(wins | loses)),
        ):
            if which.any():
                yield f"{told} {_listed(self.pairs[which])}"
        if self.pairs.empty:
            yield "Whom it finishes above is not told: it met nobody in a game without partners."

    def _ended(self) -> str:
        asked = f"± {w.number(self.submission.precision, 0)} Elo"
        if self.out:
            return f"It is out of the run: {self.out}"
        if self.exact <= self.submission.precision:
            by = "That" if self.exact == self.half else f"By finishing orders it is ± {w.whole(self.exact)} Elo, which"
            return f"{by} is as exact as asked ({asked}); {w.plural(self.blocks, 'block')} were played for it."
        return (
            f"{w.plural(self.blocks, 'block')} were played for it, and no more are allowed, though {asked} were asked; "
            "raise submit.cap and submit it again to go on."
        )


def _listed(pairs: pd.DataFrame) -> str:
    """Return opponents with the share of games in which the bot finished above each, best first."""
    rows = pairs.sort_values("share", ascending=False, kind="stable").to_dict("records")
    return ", ".join(
        f"{row['other']} {w.percent(row['share'])} ({w.percent_span(row['lo'], row['hi'])})" for row in rows
    )


def landing(analysis: Analysis, submission: Submission, folder: Path) -> Landing:
    """Return where a submitted bot stands in a ladder that has been rated."""
    manifest = analysis.frames.manifest
    spec = manifest.bots[submission.bot]
    (row,) = analysis.ratings[analysis.ratings["bot"] == spec.name].to_dict("records")
    out = [fallen.reason for fallen in analysis.frames.standing.out if fallen.bot == submission.bot]
    own = [stretch.size for stretch in manifest.stretches if stretch.submitted == submission.bot]
    return Landing(
        folder=folder,
        name=spec.name,
        version=spec.version,
        submission=submission,
        rank=int(row["rank"]),
        ranked=int((analysis.ratings["games"] > 0).sum()),
        elo=float(row["elo"]),
        half=float(row["half"]),
        exact=(float(row["finish_elo_hi"]) - float(row["finish_elo_lo"])) / 2,
        guess=is_guess(str(row["flags"])),
        blocks=sum(own),
        games=int(row["games"]),
        pairs=analysis.pairs[analysis.pairs["bot"] == spec.name],
        out="".join(out[:1]),
    )
