"""Stored games played again: as records for outsiders, and moment by moment for showing and debugging."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from harness.errors import BossError, ResultsError
from harness.game.choices import Choices
from harness.game.history import TurnPlayed, read_events
from harness.game.layout import TURN_EVENT
from harness.game.moments import Moment, moments
from harness.game.record import BotName, FaultNote, GameInfo, record_of
from harness.game.replay import records_in, replay
from harness.game.show import describe
from harness.game.stepper import KeyedDeal
from harness.ladder.chunk import bot_key, deal_key
from harness.ladder.manifest import Manifest
from harness.ladder.standing import STANDING_COLUMNS, standing

RECORD_COLUMNS = [*STANDING_COLUMNS, "turns", "payers"]
"""Columns of a stored game that its record is made of, beside table, block and rotation."""


def records(games: pd.DataFrame, manifest: Manifest) -> Iterator[dict[str, Any]]:
    """Yield the record of each stored game; games and deals are numbered as they lie in the store."""
    deals = games.groupby(["table", "block"], sort=False).ngroup()
    rated = standing(manifest, games).rated.tolist()
    for number, (deal, row) in enumerate(zip(deals.tolist(), games.to_dict("records"), strict=True)):
        rules = manifest.kinds[row["table"]]
        key = deal_key(*manifest.deal_of(row["table"], row["block"]))
        yield record_of(
            rules, key, Choices(row["turns"], row["payers"]), _info(number, deal, row, manifest, rated[number])
        )


def _info(number: int, deal: int, row: Mapping[Any, Any], manifest: Manifest, rated: bool) -> GameInfo:
    players = manifest.kinds[row["table"]].players
    seated = [manifest.bots[row[f"bot{seat}"]] for seat in range(players)]
    log = row["fault_log"]
    return GameInfo(
        game=number,
        deal=deal,
        table=row["table"],
        bots=[BotName(spec.name, spec.version) for spec in seated],
        faults=[FaultNote(**fault) for fault in json.loads(log)] if isinstance(log, str) else [],
        forfeits=[seat for seat in range(players) if row["forfeits"] >> seat & 1],
        rated=rated,
    )


def moments_of(games: pd.DataFrame, manifest: Manifest, number: int) -> Iterator[Moment]:
    """Yield the moments of one stored game; raise ResultsError when there is no such game."""
    if not 0 <= number < len(games):
        raise ResultsError(f"no game {number} here; games are numbered 0 to {len(games) - 1}")
    row = games.iloc[number]
    rules = manifest.kinds[row["table"]]
    where = manifest.deal_of(row["table"], int(row["block"]))
    deal = KeyedDeal(deal_key(*where), bot_key(*where))
    return moments(rules, deal, Choices(row["turns"], row["payers"]))


def moments_of_file(path: Path, number: int) -> Iterator[Moment]:
    """Yield the moments of the game with this number in a file of records, checked by the rules first."""
    for record in records_in(path):
        if isinstance(record, dict) and record.get("game") == number:
            return replay(record).moments()
    raise ResultsError(f"{path}: holds no game {number}")


def export(games: pd.DataFrame, manifest: Manifest, file: Path, told: Callable[[int], None]) -> int:
    """Write the records of all games to a .jsonl or .jsonl.gz file, whole or not at all; return how many.

    `told` hears of each hundred games written.
    """
    if not file.name.endswith((".jsonl", ".jsonl.gz")):
        raise BossError(f"{file}: give a name that ends in .jsonl or .jsonl.gz")
    temporary = file.with_name(f".{file.name}.tmp")
    count = 0
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(temporary, "wt", 6) if file.suffix == ".gz" else temporary.open("w") as out:
            for record in records(games, manifest):
                out.write(json.dumps(record, separators=(",", ":")) + "\n")
                count += 1
                if count % 100 == 0:
                    told(100)
        told(count % 100)
        temporary.replace(file)
    except OSError as error:
        raise BossError(f"{file}: cannot be written: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)
    return count


def texts(told: Iterator[Moment], seat: int | None) -> Iterator[str]:
    """Yield the table before each decision, the decision, and each reckoning; all-seeing or as one seat saw it."""
    last = None
    for moment in told:
        if seat is not None and seat >= moment.lexicon.rules.players:
            raise ResultsError(f"no seat {seat}: the game has seats 0 to {moment.lexicon.rules.players - 1}")
        if last is None or moment.hand != last.hand:
            if last is not None:
                yield reckoning(last)
            yield f"\n=== Hand {moment.hand} ===\n"
        if seat is None or seat == moment.seat:
            yield describe(moment.view(seat), moment.face_down if seat is None else None)
        yield f"--> seat {moment.seat}: {moment.turn or f'seat {moment.payer} bears the loss'}\n"
        last = moment
    if last is not None:
        yield reckoning(last)


def reckoning(last: Moment) -> str:
    """Return the results and losses of a hand as text, from its last decision on."""
    history = last.histories[0]
    end = int(last.game[0]["events"]) + (1 if last.turn else 0)
    while end < len(history) and history[end]["kind"] != TURN_EVENT:
        end += 1
    own = [event for event in read_events(history[:end].tobytes(), last.lexicon) if event.hand == last.hand]
    return "\n".join(str(event) for event in own if not isinstance(event, TurnPlayed))
