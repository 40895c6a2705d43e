"""Who is out, and which games are rated: planted cases, and random ladders against a slow count in plain Python."""

import json
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import referee
from report.samples import FOUR, SIX, TWO, game, games_frame, manifest_of

from harness import api
from harness.game.replay import replay_file
from harness.game.rules import Rules
from harness.ladder.archive import RECORD_COLUMNS
from harness.ladder.manifest import Manifest
from harness.ladder.schedule import Stretch
from harness.ladder.standing import STANDING_COLUMNS, Standing, schedule_order, standing
from harness.play.faults import FaultKind, Price
from harness.play.limits import Limits

A, B, C, D = range(4)


def duels(faults: dict[int, Sequence[str]], games: int = 12, forfeits: Sequence[int] = (), seat: int = 0) -> Standing:
    """Duels of A (in seat 0) and B, one a block, with faults of one seat by the number of the game."""
    rows = [
        game(TWO, number, (A, B), (1, 2), faults=[(seat, kind) for kind in faults.get(number, ())],
             forfeits=(number in forfeits) << seat)
        for number in range(games)
    ]  # fmt: skip
    return standing(manifest_of("ab", [TWO]), games_frame(rows))


def falls(found: Standing) -> list[tuple[int, int, int]]:
    return [(out.bot, out.game, out.unrated) for out in found.out]


def test_without_faults_nobody_is_out() -> None:
    found = duels({})
    assert (found.out, found.unrated, len(found.faults)) == ((), 0, 0)
    assert found.rated.tolist() == [True] * 12


@pytest.mark.parametrize(
    ("faults", "fell"),
    [
        ({2: ["timeout"], 4: ["timeout"]}, None),
        ({2: ["timeout"], 4: ["timeout"], 5: ["timeout"]}, 5),
        ({2: ["timeout"], 4: ["timeout"] * 2, 6: ["timeout"]}, 4),
        ({3: ["forbidden"], 7: ["timeout"] * 2}, None),
        ({3: ["forbidden"], 7: ["forbidden"]}, 7),
        ({3: ["protocol"]}, 3),
        ({0: ["load failure"]}, 0),
        ({11: ["disqualified"]}, 11),
        ({number: ["crash", "memory", "exit", "exception"] for number in range(12)}, None),
    ],
)
def test_the_game_of_the_last_straw_is_rated_and_later_ones_are_not(
    faults: dict[int, Sequence[str]], fell: int | None
) -> None:
    found = duels(faults)
    assert falls(found) == ([] if fell is None else [(A, fell, 11 - fell)])
    assert found.rated.tolist() == [fell is None or number <= fell for number in range(12)]


def test_every_price_of_the_run_puts_a_bot_out_at_once() -> None:
    for kind in FaultKind:
        assert bool(duels({3: [kind.value]}).out) == (kind.price is Price.RUN), kind


@pytest.mark.parametrize(("forfeited", "fell"), [(19, None), (20, 19), (30, 19)])
def test_forfeits_of_any_kind_add_up(forfeited: int, fell: int | None) -> None:
    kinds = ["crash", "illegal turn", "memory", "exception"]
    faults = {number: [kinds[number % 4]] for number in range(forfeited)}
    found = duels(faults, games=40, forfeits=range(forfeited), seat=1)
    assert falls(found) == ([] if fell is None else [(B, fell, 20)])
    if found.out:
        assert found.out[0].reason == "It forfeited 20 games."


def test_a_forfeited_game_counts_once_though_two_copies_forfeited_in_it() -> None:
    rows = [game(FOUR, number, (A, A, B, C), (1, 2, 3, 4), forfeits=0b11) for number in range(4)]
    manifest = replace(manifest_of("abc", [FOUR]), limits=Limits(forfeits=3))
    assert falls(standing(manifest, games_frame(rows))) == [(A, 2, 1)]


def test_games_without_the_bot_stay_rated_and_its_partners_do_not() -> None:
    lineups = [(A, B), (B, C), (A, C), (B, C), (C, A)]
    rows = [game(TWO, n, seats, (1, 2), faults=[(0, "protocol")] * (n == 0)) for n, seats in enumerate(lineups)]
    found = standing(manifest_of("abc", [TWO]), games_frame(rows))
    assert found.rated.tolist() == [True, True, False, True, False]
    assert falls(found) == [(A, 0, 2)]


def test_of_several_causes_the_first_game_counts_and_the_gravest_is_told() -> None:
    assert duels({2: ["timeout"] * 3, 5: ["protocol"]}).out[0].reason == "It used up its time three times."
    assert "meddled" in duels({2: ["timeout"] * 3 + ["protocol"]}).out[0].reason
    assert "forbids" in duels({2: ["timeout"] * 3 + ["forbidden"] * 2}, forfeits=[2]).out[0].reason


def test_a_game_stopped_for_what_came_later_in_order_tells_the_cause() -> None:
    found = duels({2: ["disqualified"], 7: ["timeout"] * 3})
    assert falls(found) == [(A, 2, 9)]
    assert found.out[0].reason == "It used up its time three times."
    assert found.rated.tolist() == [True] * 3 + [False] * 9


def test_stretches_come_in_their_order_not_in_that_of_the_store() -> None:
    """Blocks 0-2 of both tables were played first, then 3-5 of both; the store has all of 2p before all of 4p."""
    rows = [game(TWO, block, (A, B), (1, 2), faults=[(0, "timeout")] * (block in (1, 4))) for block in range(6)]
    rows += [
        game(FOUR, block, (B, C, D, A), (1, 2, 3, 4), faults=[(3, "timeout")] * (block == 2)) for block in range(6)
    ]
    stretches = tuple(Stretch(rules.name, (A, B, C, D), first, first + 3) for first in (0, 3) for rules in (TWO, FOUR))
    manifest = replace(manifest_of("abcd", [TWO, FOUR]), stretches=stretches)
    found = standing(manifest, games_frame(rows))
    assert falls(found) == [(A, 4, 4)], "the third timeout is block 4 at the table of two: game 4"


def test_more_stretches_leave_what_was_rated() -> None:
    few, more = ladder(5, 1), ladder(5, 3)
    key = ["table", "block", "rotation"]
    before = few[1].assign(rated=standing(*few).rated)[[*key, "rated"]]
    after = more[1].assign(rated=standing(*more).rated)[[*key, "rated"]]
    both = before.merge(after, on=key)
    assert len(both) == len(before)
    assert not before["rated"].all()
    assert (both["rated_x"] == both["rated_y"]).all()


KINDS = [kind.value for kind in FaultKind]


def ladder(seed: int, stretches: int) -> tuple[Manifest, pd.DataFrame]:
    """A ladder of random faults: stretches of three table kinds, the same however many of them are asked for."""
    dice = random.Random(seed)
    limits = Limits(forfeits=dice.randint(1, 4))
    planned, rows = [], []
    ends = {rules.name: 0 for rules in (SIX, TWO, FOUR)}
    for _ in range(stretches):
        for rules in (SIX, TWO, FOUR):
            first, last = ends[rules.name], ends[rules.name] + dice.randint(1, 4)
            ends[rules.name] = last
            planned.append(Stretch(rules.name, tuple(range(7)), first, last))
            rows += [_random_game(dice, rules, block, rotation) for block in range(first, last) for rotation in (0, 1)]
    manifest = replace(manifest_of("abcdefg", [SIX, TWO, FOUR]), stretches=tuple(planned), limits=limits)
    return manifest, games_frame(rows)


def _random_game(dice: random.Random, rules: Rules, block: int, rotation: int) -> dict[str, Any]:
    bots = [dice.randrange(7) for _ in range(rules.players)]
    faults = [
        (seat, dice.choice(KINDS) if dice.random() < 0.15 else dice.choice(["timeout", "forbidden", "exception"]))
        for seat in range(rules.players)
        if dice.random() < 0.15
    ]
    forfeits = sum(1 << seat for seat in range(rules.players) if dice.random() < 0.1)
    return game(rules, block, bots, (1,) * rules.players, rotation=rotation, faults=faults, forfeits=forfeits)


def slow_standing(manifest: Manifest, games: pd.DataFrame) -> tuple[dict[int, tuple[int, int]], list[bool]]:
    """By bot (game of its fall, games unrated), and whether each row is rated: one game after another."""
    rows = games.to_dict("records")

    def when(number: int) -> tuple[int, int, int]:
        row = rows[number]
        stretch = next(
            n for n, own in enumerate(manifest.stretches)
            if own.table == row["table"] and own.first <= row["block"] < own.last
        )  # fmt: skip
        return stretch, row["block"], row["rotation"]

    counts = {(bot, what): 0 for bot in range(7) for what in ("timeout", "forbidden", "run", "forfeits")}
    enough = {"timeout": 3, "forbidden": 2, "run": 1, "forfeits": manifest.limits.forfeits}
    fell: dict[int, int] = {}
    unrated = dict.fromkeys(range(7), 0)
    rated = [True] * len(rows)
    for number in sorted(range(len(rows)), key=when):
        row = rows[number]
        seats = [row[f"bot{seat}"] for seat in range(row["players"])]
        for bot in set(seats) & fell.keys():
            rated[number] = False
            unrated[bot] += 1
        for fault in json.loads(row["fault_log"] if row["faults"] else "[]"):
            kind = FaultKind(fault["kind"])
            what = "run" if kind.price is Price.RUN else kind.value
            if (seats[fault["seat"]], what) in counts:
                counts[seats[fault["seat"]], what] += 1
        for bot in {bot for seat, bot in enumerate(seats) if row["forfeits"] >> seat & 1}:
            counts[bot, "forfeits"] += 1
        for bot in range(7):
            if any(counts[bot, what] >= enough[what] for what in enough):
                fell.setdefault(bot, number)
    return {bot: (number, unrated[bot]) for bot, number in fell.items()}, rated


@pytest.mark.parametrize("seed", range(60))
def test_random_ladders_agree_with_a_slow_count(seed: int) -> None:
    manifest, games = ladder(seed, 1 + seed % 4)
    found = standing(manifest, games)
    falls_slowly, rated = slow_standing(manifest, games)
    assert {out.bot: (out.game, out.unrated) for out in found.out} == falls_slowly
    assert found.rated.tolist() == rated
    order = schedule_order(manifest, games)
    place = {number: at for at, number in enumerate(order.tolist())}
    assert [place[out.game] for out in found.out] == sorted(place[out.game] for out in found.out)
    assert [place[number] for number in found.faults["game"]] == sorted(place[n] for n in found.faults["game"])
    assert len(found.faults) == games["faults"].sum()


BAD_BOT = """\
from harness import Bot

class Bad(Bot):
    def act(self, view):
        raise ValueError("again")
"""

CONFIG = """\
name: small
seed: "00112233445566778899aabbccddeeff"
bots: [random, greedy, {bot: "bad.py:Bad", level: trusted}]
tables: [{players: 2, blocks: 9}]
executor: {kind: local, workers: 1}
limits: {forfeits: 3}
"""


def test_exported_records_say_what_is_rated(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD_BOT)
    (tmp_path / "small.yaml").write_text(CONFIG)
    ladder = api.run_ladder(tmp_path / "small.yaml", tmp_path / "run")
    count = api.export(tmp_path / "run", tmp_path / "games.jsonl")
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    played = [record["game"] for record in records if "bad" in {bot["name"] for bot in record["bots"]}]
    assert len(played) == 12
    assert {record["game"] for record in records if not record["rated"]} == set(played[3:])
    assert replay_file(tmp_path / "games.jsonl") == referee.check_file(tmp_path / "games.jsonl") == count
    assert ladder.ratings.set_index("bot").loc["bad", "games"] == 3
    assert [out.game for out in ladder.tables.frames.standing.out] == [played[2]]
    assert (tmp_path / "run" / "faults" / "bad.md").is_file()


def test_what_it_reads_is_read_for_exports() -> None:
    assert set(STANDING_COLUMNS) <= set(RECORD_COLUMNS)
    manifest, games = ladder(3, 3)
    narrow = games[["table", "block", "rotation", *STANDING_COLUMNS]]
    assert (standing(manifest, narrow).rated == standing(manifest, games).rated).all()


@pytest.mark.parametrize("faulty", [0, 1])
def test_a_million_games_take_well_under_a_second(faulty: int) -> None:
    count = 1_000_000
    log = np.full(count, None, object)
    log[: 3 * faulty] = json.dumps([{"hand": 1, "turn": 1, "seat": 0, "kind": "timeout", "message": ""}])
    columns = {f"bot{seat}": np.full(count, seat if seat < 2 else -1, np.int16) for seat in range(6)}
    games = pd.DataFrame(
        {"table": TWO.name, "block": np.arange(count) // 2, "rotation": np.arange(count) % 2, **columns,
         "forfeits": np.zeros(count, np.uint8), "fault_log": log}
    )  # fmt: skip
    manifest = replace(manifest_of("ab", [TWO]), stretches=(Stretch(TWO.name, (0, 1), 0, count // 2),))
    start = time.perf_counter()
    found = standing(manifest, games)
    assert time.perf_counter() - start < 0.5 + 2 * faulty
    assert found.unrated == (count - 3) * faulty
