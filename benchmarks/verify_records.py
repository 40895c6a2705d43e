"""Export a ladder of all 24 official sets, and let both referees check every game; then tamper with some.

    .venv/bin/python benchmarks/verify_records.py

At least 1,000 games of each set, by all built-in bots. `harness.game.replay` plays every record again on the engine,
`tests/referee.py`, which shares nothing with it, on its own. Ends with status 1 if anything is not as it should be.
"""

import copy
import gzip
import itertools
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import referee

from harness import api
from harness.errors import RecordError
from harness.game.replay import replay

CONFIG = """\
name: records
seed: "5eed5eed5eed5eed5eed5eed5eed5eed"
bots: [random, miser, greedy, patient, bully, capone, greedy_py]
tables:
  - {players: 2, sets: official, blocks: 500}
  - {players: 3, sets: official, blocks: 334}
  - {players: 4, sets: official, blocks: 250}
  - {players: 5, sets: official, blocks: 200}
  - {players: 6, sets: official, blocks: 167}
executor: {kind: local, workers: 2}
"""
BATCH = 200

Record = dict[str, Any]


def main() -> None:
    """Play, export, check, tamper, and print what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "records.yaml").write_text(CONFIG)
        api.run_ladder(f"{folder}/records.yaml", out=f"{folder}/results")
        file = Path(folder) / "records.jsonl.gz"
        begin = time.perf_counter()
        count = api.export(f"{folder}/results", file)
        print(f"{count} games exported in {time.perf_counter() - begin:.0f} s, {file.stat().st_size / 1e6:.1f} MB")
        print(f"referee.check_file accepts {referee.check_file(file)} games")
        accepted, tables = check_all(file)
        print(f"replay and referee accept {accepted} of {count}; fewest games of a set: {min(tables.values())}")
        refused = {name: tamper_some(file, change) for name, change in TAMPERINGS.items()}
    for name, (tried, by_replay, by_referee) in refused.items():
        print(f"{name}: {tried} tried, replay refuses {by_replay}, the referee {by_referee}")
    sound = accepted == count and len(tables) == 24 and min(tables.values()) >= 1000
    sound &= all(tried == by_replay == by_referee > 0 for tried, by_replay, by_referee in refused.values())
    sys.exit(0 if sound else 1)


def batches(file: Path) -> Iterator[list[str]]:
    """Yield the lines of a record file in batches."""
    with gzip.open(file, "rt") as lines:
        while batch := list(itertools.islice(lines, BATCH)):
            yield batch


def check_all(file: Path) -> tuple[int, Counter[str]]:
    """Return how many records both referees accept, and how many games of each table there are."""
    tables: Counter[str] = Counter()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for names in pool.map(check_batch, batches(file)):
            tables.update(names)
    return tables.total(), tables


def check_batch(lines: list[str]) -> list[str]:
    """Return the tables of the records, each accepted by both referees (else the refusal is raised)."""
    records = [json.loads(line) for line in lines]
    for record in records:
        replay(record)
        referee.check(record)
    return [record["table"] for record in records]


def refuses(check: Callable[[Record], object], record: Record) -> bool:
    """Return whether a referee refuses a record."""
    try:
        check(record)
    except (RecordError, referee.Refused):
        return True
    return False


def tamper_some(file: Path, change: Callable[[Record], bool], tries: int = 48) -> tuple[int, int, int]:
    """Return (records changed, refused by replay, refused by the referee) over games from the whole file."""
    tried = by_replay = by_referee = 0
    for batch in batches(file):
        record = copy.deepcopy(json.loads(batch[0]))
        if tried < tries and change(record):
            tried += 1
            by_replay += refuses(replay, record)
            by_referee += refuses(referee.check, record)
    return tried, by_replay, by_referee


def another_winner(record: Record) -> bool:
    result = next((r for hand in record["hands"] for r in hand["results"] if r["winner"] is not None), None)
    if result:
        result["winner"] = (result["winner"] + 1) % len(record["final"]["money"])
    return bool(result)


def one_more_bag(record: Record) -> bool:
    record["hands"][0]["results"][0]["money"] += 1
    return True


def a_card_dealt_twice(record: Record) -> bool:
    dealt = record["hands"][0]["dealt"]
    other = next((card for card in dealt[1] if card != dealt[0][0]), None)
    dealt[0][0] = other
    return other is not None


def an_illegal_placement(record: Record) -> bool:
    record["hands"][0]["turns"][0]["place"] = {"city": "chicago", "experts": 1, "occasionals": 0}
    return True


def a_gangster_more(record: Record) -> bool:
    turn = record["hands"][0]["turns"][0]
    turn["place"] = {"city": record["hands"][0]["row"][0], "experts": 7, "occasionals": 0}
    return True


def turns_swapped(record: Record) -> bool:
    turns = record["hands"][0]["turns"]
    turns[0], turns[1] = turns[1], turns[0]
    return True


def a_card_not_held(record: Record) -> bool:
    turns = record["hands"][0]["turns"]
    turns[0]["reveal"] = turns[1]["reveal"]
    return turns[0]["reveal"] not in record["hands"][0]["dealt"][turns[0]["seat"]]


def another_hidden_card(record: Record) -> bool:
    hidden = record["hands"][0]["hidden"]
    city, face = next(iter(hidden.items()))
    hidden[city] = next(other for other in record["rules"]["card_faces"][city] if other != face)
    return True


def police_swapped(record: Record) -> bool:
    deck = record["police"]
    record["police"] = deck[::-1]
    return deck[0] != deck[-1]


def a_hand_left_out(record: Record) -> bool:
    record["hands"].pop()
    return True


def another_rank(record: Record) -> bool:
    ranks = record["final"]["ranks"]
    record["final"]["ranks"] = ranks[1:] + ranks[:1]
    return ranks[1:] + ranks[:1] != ranks


def a_loss_hidden(record: Record) -> bool:
    result = next((r for hand in record["hands"] for r in hand["results"] if r["losses"]), None)
    if result:
        result["losses"] = []
    return bool(result)


TAMPERINGS: dict[str, Callable[[Record], bool]] = {
    change.__name__.replace("_", " "): change
    for change in (
        another_winner, one_more_bag, a_card_dealt_twice, an_illegal_placement, a_gangster_more, turns_swapped,
        a_card_not_held, another_hidden_card, police_swapped, a_hand_left_out, another_rank, a_loss_hidden,
    )
}  # fmt: skip

if __name__ == "__main__":
    main()
