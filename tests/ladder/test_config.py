"""Configs are read exactly as written, and everything wrong in one is said at once, with its line and key."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from harness.api.authors import params_of
from harness.errors import ConfigError
from harness.game.cards import OFFICIAL_SETS, exact_sets
from harness.game.rules import own_rules, usual_rules
from harness.ladder.config import Config, load_config
from harness.ladder.entries import BotEntry
from harness.play.limits import LEVELS, USUAL_LIMITS, Limits

Write = Callable[[str], Path]
BOTS = "name: mine\nbots: [random, greedy, bully, patient]\n"
TABLES = "tables: [{players: 2, blocks: 3}]\n"
SMALL = BOTS + TABLES


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_config(text: str) -> Path:
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write_config


@pytest.fixture
def load(write: Write) -> Callable[[str], Config]:
    return lambda text: load_config(write(text))


@pytest.fixture
def refused(write: Write) -> Callable[[str], list[str]]:
    """Load a config that must be refused; return the lines of the message without the folder."""

    def lines(text: str) -> list[str]:
        path = write(text)
        with pytest.raises(ConfigError) as caught:
            load_config(path)
        message = str(caught.value).splitlines()
        assert all(line.startswith(str(path)) for line in message)
        return [line.removeprefix(str(path)) for line in message]

    return lines


Load = Callable[[str], Config]
Refused = Callable[[str], list[str]]


# What a config says


def test_everything_left_out_has_its_default(load: Load, tmp_path: Path) -> None:
    config = load(SMALL)
    assert config.name == "mine"
    assert config.seed is None
    assert config.fill is None
    assert [(bot.bot, bot.name, bot.params) for bot in config.bots][:2] == [
        ("random", "random", {}),
        ("greedy", "greedy", {}),
    ]
    assert (config.anchor, config.anchor_elo) == (None, 1000.0)
    assert (config.executor.kind, config.executor.workers, config.executor.address) == ("ray", "auto", None)
    assert (config.folder, config.text) == (tmp_path, SMALL)
    assert config.limits == USUAL_LIMITS
    assert [bot.level for bot in config.bots] == [None] * 4


def test_limits_and_levels_are_kept(load: Load) -> None:
    limits = "limits: {turn_ms: 1, bank_ms: 0, load_s: 0.5, memory_mb: 64, forfeits: 1}\n"
    config = load("name: mine\nbots: [random, {bot: my.py:Fox, level: process}]\n" + TABLES + limits)
    assert config.limits == Limits(1, 0, 0.5, 64, 1)
    assert [bot.level for bot in config.bots] == [None, "process"]
    assert load(SMALL + "limits: {turn_ms: 7}\n").limits == replace(USUAL_LIMITS, turn_ms=7)
    assert load(SMALL + "limits: {load_s: 3}\n").limits.load_s == 3.0


def test_levels_in_a_config_are_those_there_are() -> None:
    assert get_args(get_args(BotEntry.model_fields["level"].annotation)[0]) == LEVELS


def test_everything_given_is_kept(load: Load) -> None:
    config = load(
        BOTS
        + """seed: 7C1F00112233445566778899aabbccdd
tables: [{players: 4, blocks: 3}]
schedule: {kind: round_robin, fill: {bot: my.py:Dummy, params: {depth: 2}}}
ratings: {anchor: bully, elo: 1200.5}
executor: {kind: ray, workers: 3, address: auto}
"""
    )
    assert config.seed == "7c1f00112233445566778899aabbccdd"
    assert config.fill is not None
    assert (config.fill.bot, config.fill.name, config.fill.params) == ("my.py:Dummy", "dummy", {"depth": 2})
    assert (config.anchor, config.anchor_elo) == ("bully", 1200.5)
    assert (config.executor.workers, config.executor.address) == (3, "auto")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("greedy", "greedy"),
        ("my-plugin", "my-plugin"),
        ("bots/my fox.py:RedFox", "redfox"),
        ("../x/fox.py:Fox", "fox"),
        ("package.module:Class", "class"),
        ("C:/bots/fox.py:Fox", "fox"),
    ],
)
def test_a_bot_is_named_after_its_class(load: Load, text: str, name: str) -> None:
    (bot,) = load(f"name: a\nbots: ['{text}']\nschedule: {{fill: random}}\n" + TABLES).bots
    assert (bot.bot, bot.name) == (text, name)


def test_a_config_cannot_be_changed(load: Load) -> None:
    config = load(SMALL)
    with pytest.raises(AttributeError):
        config.name = "other"  # type: ignore[misc]
    with pytest.raises(ValidationError, match="frozen"):
        config.bots[0].name = "other"


# Table kinds


def table(load: Load, entry: str) -> list[tuple[str, int]]:
    config = load(BOTS + f"schedule: {{fill: random}}\ntables: [{{{entry}}}]\n")
    return [(kind.name, kind.blocks) for kind in config.kinds]


def test_sets_by_word(load: Load) -> None:
    assert table(load, "players: 4, blocks: 9") == [("4p:1234567", 9)]
    assert table(load, "players: 5, blocks: 2, sets: default") == [("5p:1234567", 2)]
    assert table(load, "players: 3, blocks: 2, sets: official") == [(f"3p:{s}", 2) for s in OFFICIAL_SETS[3]]
    assert table(load, "players: 2, blocks: 2, sets: exact") == [(f"2p:{s}", 2) for s in exact_sets(2)]


def test_sets_by_numbers_as_text_or_as_yaml_reads_them(load: Load) -> None:
    assert table(load, "players: 2, blocks: 1, sets: 356") == [("2p:356", 1)]
    assert table(load, "players: 2, blocks: 1, sets: ['653', 123]") == [("2p:356", 1), ("2p:123", 1)]


def test_rules_change_the_kind(load: Load) -> None:
    text = "tables:\n- {players: 2, blocks: 3}\n- {players: 2, blocks: 4, rules: {experts: 7, negative_money: false}}\n"
    usual, other = load(BOTS + text).kinds
    assert usual.rules == usual_rules(2)
    assert (other.rules.experts, other.rules.rulings.negative_money, other.blocks) == (7, False, 4)
    assert other.name.startswith("2p:123~")


def test_a_designers_own_cards(load: Load) -> None:
    cards = "cards: {docks: [1, 2, 3, -1, revolver, 10], court: [0, '2', 3, prison, banished, 7]}"
    (kind,) = load(BOTS + f"tables: [{{players: 2, blocks: 3, hand_size: 5, {cards}}}]\n").kinds
    faces = {"docks": ["1", "2", "3", "-1", "revolver", "10"], "court": ["0", "2", "3", "prison", "banished", "7"]}
    assert kind.rules == own_rules(2, faces, 5)


def test_six_are_teams_and_may_say_so(load: Load) -> None:
    assert table(load, "players: 6, blocks: 1, teams: true") == table(load, "players: 6, blocks: 1")


# What is refused: one line each, with the line in the file, the key and what would be right


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("players: 4, bloks: 3", "tables[0].bloks: no such key; did you mean 'blocks'?"),
        ("players: 4", "tables[0].blocks: is missing: How many blocks"),
        ("players: 4, blocks: 0", "tables[0].blocks: '0': must be at least 1"),
        ("players: 4, blocks: -3", "tables[0].blocks: '-3': must be at least 1"),
        ("players: 4, blocks: true", "tables[0].blocks: 'true': must be a whole number"),
        ("players: 4, blocks: 2.0", "tables[0].blocks: '2.0': must be a whole number"),
        ("players: 4, blocks: '2'", "tables[0].blocks: '2': must be a whole number"),
        ("players: 4, blocks:", "tables[0].blocks: must be a whole number"),
        ("players: 7, blocks: 3", "tables[0].players: '7': must be at most 6"),
        ("players: 4, blocks: 3, sets: []", "tables[0].sets: must not be empty"),
        ("players: 4, blocks: 3, sets: defualt", "tables[0].sets: 'defualt' is no card set; write default"),
        ("players: 4, blocks: 3, sets: ['99']", "tables[0].sets[0]: '4p:99' is no card set"),
        (
            "players: 2, blocks: 3, sets: 1234",
            "tables[0].sets: this set does not deal out: 16 cards != 2 players x 5 + 4 cities = 14",
        ),
        ("players: 4, blocks: 3, sets: [default, 1234567]", "tables[0]: 4p:1234567 is already played in tables[0]"),
        ("players: 6, blocks: 3, teams: false", "tables[0].teams: six play as three teams of two"),
        ("players: 4, blocks: 3, teams: true", "tables[0].teams: only six play in teams"),
        ("players: 4, blocks: 3, hand_size: 4", "tables[0].hand_size: only a table with cards of its own"),
        (
            "players: 4, blocks: 3, rules: {negativ_money: false}",
            "tables[0].rules.negativ_money: no ruling is called 'negativ_money'; did you mean 'negative_money'?",
        ),
        ("players: 4, blocks: 3, rules: {talk: loud}", "tables[0].rules.talk: talk is 'loud'; it can be open or none"),
        ("players: 4, blocks: 3, rules: {experts: yes}", "tables[0].rules.experts: experts is True"),
        ("players: 4, blocks: 3, rules: {experts: 0}", "tables[0].rules.experts: 0; it can be 1 to 60"),
        ("players: 4, blocks: 3, rules: {occasionals: 61}", "tables[0].rules.occasionals: 61; it can be 0 to 60"),
        (
            "players: 4, blocks: 3, rules: {police_deck: [gold, both]}",
            "tables[0].rules.police_deck: shows 1 silver and 2 gold badges",
        ),
        (
            "players: 2, blocks: 3, cards: {docks: [1, 2, prisn]}",
            "tables[0].cards.docks[2]: 'prisn' is no card face",
        ),
        (
            "players: 2, blocks: 3, hand_size: 5, cards: {docks: [1, 2, 3]}",
            "tables[0].cards: this set does not deal out: 3 cards != 2 players x 5 + 1 cities = 11",
        ),
        (
            "players: 2, blocks: 3, sets: 123, cards: {docks: [1, 2, 3]}",
            "tables[0].sets: a table has either sets or cards of its own",
        ),
    ],
)
def test_tables_that_are_refused(refused: Refused, entry: str, said: str) -> None:
    lines = refused(f"# first line\n{BOTS}tables:\n  - {{{entry}}}\n")
    assert any(line.startswith(f":5: {said}") for line in lines), lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOTS, ":1: tables: is missing: What is played"),
        (BOTS + "tables: []\n", ":3: tables: must not be empty"),
        ("name: a/b\nbots: [random, bully]\n" + TABLES, ":1: name: 'a/b' cannot name a folder"),
        ("name: ..\nbots: [random, bully]\n" + TABLES, ":1: name: '..' cannot name a folder"),
        ("name: 7\nbots: [random, bully]\n" + TABLES, ":1: name: '7': must be text; put it in quotes"),
        ("name: no\nbots: [random, bully]\n" + TABLES, ":1: name: 'no': must be text; put it in quotes"),
        (
            SMALL + "seed: 12345678901234567890123456789012\n",
            ":4: seed: '12345678901234567890123456789012': must be text",
        ),
        (
            SMALL + "seed: 12345678901234567890123456789e10\n",
            ":4: seed: '12345678901234567890123456789e10': must be text",
        ),
        (SMALL + "seed: 7c1f\n", ":4: seed: '7c1f' must be 32 hex digits"),
        (SMALL + "levels: {turn_ms: 3}\n", ":4: levels: no such key"),
        (SMALL + "limits: {turn_ms: 0}\n", ":4: limits.turn_ms: '0': must be at least 1"),
        (SMALL + "limits: {turn_ms: 2.5}\n", ":4: limits.turn_ms: '2.5': must be a whole number"),
        (SMALL + "limits: {bank_ms: -1}\n", ":4: limits.bank_ms: '-1': must be at least 0"),
        (SMALL + "limits: {load_s: 0}\n", ":4: limits.load_s: '0': must be more than 0"),
        (SMALL + "limits: {load_s: .inf}\n", ":4: limits.load_s: '.inf': must be a finite number"),
        (SMALL + "limits: {memory_mb: 63}\n", ":4: limits.memory_mb: '63': must be at least 64"),
        (SMALL + "limits: {memory_mb: 99999999}\n", ":4: limits.memory_mb: '99999999': must be at most 1048576"),
        (SMALL + "limits: {forfeits: 0}\n", ":4: limits.forfeits: '0': must be at least 1"),
        (SMALL + "limits: {forfeit: 3}\n", ":4: limits.forfeit: no such key; did you mean 'forfeits'?"),
        (
            "name: mine\nbots: [{bot: random, level: jail}, bully]\n" + TABLES,
            ":2: bots[0].level: 'jail': must be 'trusted', 'process' or 'jailed'",
        ),
        (SMALL + "schedule: {kind: swis}\n", ":4: schedule.kind: 'swis': must be 'round_robin', 'gauntlet', 'swiss'"),
        (
            SMALL + "schedule: {kind: swiss, new: [greedy]}\n",
            ":4: schedule.new: only a gauntlet schedule has new; remove it",
        ),
        (
            SMALL + "schedule: {rounds: 3}\n",
            ":4: schedule.rounds: only a swiss or adaptive schedule has rounds; remove it",
        ),
        (
            SMALL + "schedule: {kind: gauntlet, new: [gredy]}\n",
            ":4: schedule.new[0]: no bot is called 'gredy'; did you",
        ),
        (
            SMALL + "schedule: {kind: gauntlet, new: [random, greedy, bully, patient]}\n",
            ":4: schedule.new: all bots are new",
        ),
        (SMALL + "schedule: {kind: gauntlet, new: []}\n", ":4: schedule.new: must not be empty"),
        (SMALL + "submit: {precision: 0}\n", ":4: submit.precision: '0': must be more than 0.0"),
        (SMALL + "submit: {cap: 2.5}\n", ":4: submit.cap: '2.5': must be a whole number"),
        (SMALL + "ratings:\n", ":4: ratings: must be a mapping"),
        (SMALL + "ratings: {anchor: bulli}\n", ":4: ratings.anchor: no bot is called 'bulli'; did you mean 'bully'?"),
        (SMALL + "ratings: {elo: true}\n", ":4: ratings.elo: 'true': must be a number"),
        (SMALL + "executor: {kind: rai}\n", ":4: executor.kind: 'rai': must be 'ray' or 'local'"),
        (SMALL + "executor: {workers: 0}\n", ":4: executor.workers: must be auto or a whole number"),
        (SMALL + "executor: {workers: true}\n", ":4: executor.workers: must be auto or a whole number"),
        (SMALL + "executor: {kind: local, address: auto}\n", ":4: executor.address: only a ray executor"),
        (SMALL + "schedule: {fill: {bot: x.py:Bully}}\n", ":4: schedule.fill: 'bully' is another bot's name"),
        ("name: a\nbots: []\n" + TABLES, ":2: bots: must not be empty"),
        ("name: a\nbots:\n- random\n- 3\n" + TABLES, ":4: bots[1]: must be a bot's text"),
        ("name: a\nbots:\n- random\n- a b\n" + TABLES, ":4: bots[1]: 'a b' names no bot; write greedy"),
        ("name: a\nbots:\n- random\n- '.py:'\n" + TABLES, ":4: bots[1]: '.py:' names no bot"),
        ("name: a\nbots:\n- random\n- random\n" + TABLES, ":4: bots[1]: 'random' is already the name of bots[0]"),
        ("name: a\nbots:\n- random\n- {bot: greedy, copies: 3}\n" + TABLES, ":4: bots[1].copies: no such key"),
        ("name: a\nbots: [random]\n" + TABLES, ":1: schedule.fill: too few bots (1) for 2 seats"),
    ],
)
def test_configs_that_are_refused(refused: Refused, text: str, said: str) -> None:
    lines = refused(text)
    assert any(line.startswith(said) for line in lines), lines


def test_a_bot_without_its_text_is_one_problem(refused: Refused) -> None:
    (line,) = refused("name: a\nbots:\n- random\n- {params: {a: 3}}\n" + TABLES)
    assert line.startswith(":4: bots[1].bot: is missing: A built-in bot")


def test_a_kind_that_stands_twice_is_refused(refused: Refused) -> None:
    text = BOTS + "tables:\n- {players: 2, sets: official, blocks: 3}\n- {players: 2, sets: 235, blocks: 3}\n"
    assert refused(text) == [":5: tables[1]: 2p:235 is already played in tables[0]; give all its blocks there"]


def test_all_problems_are_told_at_once_in_the_order_of_the_file(refused: Refused) -> None:
    text = """nme: x
bots: [random, random]
tables:
  - {players: 2, blocks: 0}
  - {players: 2, blocks: 3, sets: 1234, rules: {talk: loud, expert: 3}}
ratings: {elo: high}
"""
    assert [line.split(" ")[0] + line.split(" ")[1] for line in refused(text)] == [
        ":1:name:",
        ":1:nme:",
        ":2:bots[1]:",
        ":4:tables[0].blocks:",
        ":5:tables[1].rules.expert:",
        ":5:tables[1].rules.talk:",
        ":5:tables[1].sets:",
        ":6:ratings.elo:",
    ]


# YAML itself


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ("{x: !!set {a, b}}", "x: must be text, a number, true, false, null, a list, or a mapping"),
        ("{x: 1, y: !!binary aGVsbG8=}", "y: must be text, a number"),
        ("{x: [1, {z: !!timestamp 2024-01-31}]}", "x[1].z: must be text, a number"),
        ("{x: .nan}", "x: nan is no finite number; put it in quotes if it is text"),
        ("{x: [-.INF]}", "x[0]: -inf is no finite number"),
        ("{x: 1e999}", "x: inf is no finite number"),
        ("{x: &x [1, *x]}", "x[1]: holds itself"),
    ],
)
def test_params_that_a_manifest_could_not_keep_are_refused(refused: Refused, params: str, said: str) -> None:
    lines = refused(f"name: a\nbots:\n- random\n- {{bot: greedy, params: {params}}}\n" + TABLES)
    assert lines[0].startswith(f":4: bots[1].params.{said}"), lines
    with pytest.raises(ConfigError) as error:
        params_of(params)
    assert str(error.value).startswith(f"--params:1: {said}")
    with pytest.raises(ConfigError, match=r"^params: "):
        params_of(yaml.safe_load(params.replace("1e999", ".inf")))


def test_params_come_back_from_a_manifest_as_they_were(load: Load) -> None:
    params = "{a: &a [1, ~, true], b: {c: *a, d: *a}, e: '.nan', f: -1.5, g: '!!set'}"
    bot = load(f"name: a\nbots: [{{bot: greedy, params: {params}}}, random]\n" + TABLES).bots[0]
    assert json.loads(json.dumps(bot.params)) == bot.params == yaml.safe_load(params)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ":1: must be a mapping"),
        ("- random\n", ":1: must be a mapping"),
        ("name: a\nbots: [random\n", ":3: is not readable as YAML"),
        ("name: a\n---\nname: b\n", ":2: is not readable as YAML"),
        ("name: !!python/object:os.system x\n", ":1: is not readable as YAML"),
        ("name: !!int x\n", ": is not readable as YAML"),
        ("name: " + "[" * 3000, ": is not readable as YAML"),
        ("name: a\nname: b\n", ":2: name: stands twice, in lines 1 and 2"),
        ("a: [{b: 1,\n c: 2,\n b: 3}]\n", ":3: a[0].b: stands twice, in lines 1 and 3"),
        ("name: a\non: b\n", ":2: on: YAML reads this key as no text"),
        ("name: a\n[a]: b\n", ":1: the key in line 2 is a list or mapping"),
    ],
)
def test_yaml_that_is_refused(refused: Refused, text: str, said: str) -> None:
    assert refused(text)[0].startswith(said)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot be read: No such file"):
        load_config(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"name: f\xfcchsin\n")
    with pytest.raises(ConfigError, match=r"latin\.yaml: is not UTF-8 text"):
        load_config(tmp_path / "latin.yaml")


def test_anchors_and_merges_work(load: Load) -> None:
    text = "tables:\n- &two {players: 2, blocks: 3}\n- {<<: *two, sets: 235, blocks: 4}\n"
    assert [(kind.name, kind.blocks) for kind in load(BOTS + text).kinds] == [("2p:123", 3), ("2p:235", 4)]


def test_a_list_that_holds_itself_is_refused(refused: Refused) -> None:
    assert any("bots" in line for line in refused("name: a\nbots: &me [*me]\n" + TABLES))


def test_numbers_are_read_as_people_mean_them(load: Load) -> None:
    params = "{a: 1e-3, b: 010, c: 12:30, d: 2024-01-31, e: -4, f: .5, g: 1_000}"
    (bot, _) = load(f"name: a\nbots: [{{bot: greedy, params: {params}}}, random]\n" + TABLES).bots
    assert bot.params == {"a": 0.001, "b": "010", "c": "12:30", "d": "2024-01-31", "e": -4, "f": 0.5, "g": "1_000"}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.sampled_from(["name", "seed", "bots", "tables", "schedule", "ratings", "executor"]),
        st.recursive(
            st.sampled_from(["random", "x", "12", "true", "-1", "''", "~", "1.5"]),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3).map(lambda parts: "[" + ", ".join(parts) + "]"),
                st.dictionaries(
                    st.sampled_from(["bot", "name", "players", "blocks", "sets", "cards", "rules", "fill", "kind"]),
                    inner,
                    max_size=3,
                ).map(lambda parts: "{" + ", ".join(f"{key}: {value}" for key, value in parts.items()) + "}"),
            ),
            max_leaves=6,
        ),
    )
)
def test_whatever_stands_there_is_loaded_or_refused_in_words(write: Write, entries: dict[str, str]) -> None:
    path = write("".join(f"{key}: {value}\n" for key, value in entries.items()) or "{}")
    try:
        load_config(path)
    except ConfigError as error:
        message = str(error)
    else:
        return
    assert all(line.startswith(str(path)) for line in message.splitlines())
    assert "pydantic" not in message.lower()


def test_the_gate_of_a_config(load: Load, refused: Refused) -> None:
    usual = load(SMALL).gate
    assert (usual.elo0, usual.elo1, usual.alpha, usual.beta, usual.score) == (0, 5, 0.05, 0.05, "win")
    assert load(SMALL + "gate: {elo0: -5, elo1: 0, score: finish, first: 20, most: 24}").gate.most == 24
    assert refused(SMALL + "gate: {elo0: 5}") == [":4: gate.elo1: must be more than elo0 (5)"]
    assert refused(SMALL + "gate: {alpha: 0.5}") == [":4: gate.alpha: '0.5': must be less than 0.5"]
    assert refused(SMALL + "gate: {first: 20, most: 23}") == [
        ":4: gate.most: must reach the first look, after 24 blocks"
    ]
    assert "did you mean 'alpha'" in refused(SMALL + "gate: {alfa: 0.01}")[0]
