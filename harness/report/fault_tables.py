"""Tables of faults: how many each bot made, its distinct messages with their first occurrence, who is out; usage."""

import numpy as np
import pandas as pd

from harness.ladder.games import seat_values
from harness.play.faults import GIVEN_UP, FaultKind
from harness.report.frames import Frames, block_sums
from harness.stats.balance import share

FAULT_COLUMNS = {kind: kind.name.lower() for kind in FaultKind}


def fault_table(frames: Frames) -> pd.DataFrame:
    """Return the faults of each bot in all games, rated or not, the most forfeits first.

    Columns: bot, games, faults, one column a kind (FAULT_COLUMNS), faulty_games, forfeits (games in which a seat of it
    forfeited), forfeit_share, _lo, _hi (of its games, blocks as clusters), blocks, example (its first message, from
    where it was asked if it was).
    """
    games, faults = frames.games, frames.standing.faults
    bots = seat_values(games, "bot")
    forfeited = (games["forfeits"].to_numpy(np.int64)[:, None] >> np.arange(bots.shape[1])) & 1
    unit = games["unit"].to_numpy()
    rows = []
    for bot, name in enumerate(frames.names):
        sat = (bots == bot).any(axis=1)
        gone = ((bots == bot) & (forfeited == 1)).any(axis=1)
        own = faults[faults["bot"] == bot]
        kinds = own["kind"].value_counts()
        estimate = share(block_sums(unit, gone), block_sums(unit, sat))
        rows.append(
            {
                "bot": name,
                "games": int(sat.sum()),
                "faults": len(own),
                **{column: int(kinds.get(kind.value, 0)) for kind, column in FAULT_COLUMNS.items()},
                "faulty_games": own["game"].nunique(),
                "forfeits": int(gone.sum()),
                "forfeit_share": float(estimate.value),
                "forfeit_share_lo": float(estimate.lo),
                "forfeit_share_hi": float(estimate.hi),
                "blocks": int(estimate.blocks),
                "example": own["message"].iloc[int(_asked(own).to_numpy().argmax())] if len(own) else "",
            }
        )
    return pd.DataFrame(rows).sort_values(["forfeits", "faults"], ascending=False, kind="stable", ignore_index=True)


def message_table(frames: Frames) -> pd.DataFrame:
    """Return each distinct message of each bot, by bot and then by first occurrence in schedule order; at the end of
    a bot's those of games in which it was not asked any more.

    Columns: number (of the bot), bot, kind, message, asked (whether it was), times, games (in which it was made), and
    the first occurrence: game (its number), table, hand, turn (0: the reckoning), seat.
    """
    faults = frames.standing.faults
    names = ["number", "bot", "kind", "message", "asked", "times", "games", "game", "table", "hand", "turn", "seat"]
    if faults.empty:
        return pd.DataFrame(columns=names)
    groups = faults.groupby(["bot", "kind", "message"], sort=False)
    found = groups.agg(
        times=("game", "size"),
        games=("game", "nunique"),
        **{column: (column, "first") for column in ("game", "hand", "turn", "seat")},
    ).reset_index()
    found["asked"] = _asked(found)
    found = found.sort_values(["bot", "asked"], ascending=[True, False], kind="stable", ignore_index=True)
    found = found.rename(columns={"bot": "number"})
    found["bot"] = [frames.names[bot] for bot in found["number"]]
    found["table"] = frames.games["table"].astype(str).to_numpy()[found["game"]]
    return found[names]


def _asked(faults: pd.DataFrame) -> "pd.Series[bool]":
    """Return whether the bot was asked where these faults are put down to it."""
    return (faults["kind"] != FaultKind.OUT.value) & ~faults["message"].str.startswith(GIVEN_UP)


def out_table(frames: Frames) -> pd.DataFrame:
    """Return who is out of the run, in the order in which they fell.

    Columns: number (of the bot), bot, reason (a sentence), game (the one in which it fell), table, block, rotation,
    unrated (games that are not rated because it sits in them).
    """
    rows = []
    for fallen in frames.standing.out:
        game = frames.games.iloc[fallen.game]
        rows.append(
            {
                "number": fallen.bot,
                "bot": frames.names[fallen.bot],
                "reason": fallen.reason,
                "game": fallen.game,
                "table": str(game["table"]),
                "block": int(game["block"]),
                "rotation": int(game["rotation"]),
                "unrated": fallen.unrated,
            }
        )
    columns = ["number", "bot", "reason", "game", "table", "block", "rotation", "unrated"]
    return pd.DataFrame(rows, columns=columns)


def usage_table(frames: Frames) -> pd.DataFrame:
    """Return what each bot in processes of its own used, in the order of the manifest.

    Columns: number (of the bot), bot, decisions (answers given), cpu_ms (CPU time of one, the mean), cpu_s (all CPU
    time, loading included), wall_s (from questions to answers), peak_mb (the most memory of a process), asked_again
    (decisions asked about again in a fresh process), differing (of those, how many came out differently).
    """
    rows = []
    for number, bot in enumerate(frames.names):
        if used := frames.usage.get(bot):
            rows.append(
                {
                    "number": number,
                    "bot": bot,
                    "decisions": used.decisions,
                    "cpu_ms": 1000 * used.deciding_s / used.decisions if used.decisions else np.nan,
                    "cpu_s": used.cpu_s,
                    "wall_s": used.wall_s,
                    "peak_mb": used.peak_mb,
                    "asked_again": used.asked_again,
                    "differing": used.differing,
                }
            )
    columns = ["number", "bot", "decisions", "cpu_ms", "cpu_s", "wall_s", "peak_mb", "asked_again", "differing"]
    return pd.DataFrame(rows, columns=columns)
