"""configs/README.md says of every key what the code says, and every config there loads."""

import ast
import dataclasses
import inspect
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from harness.game.rules import RULING_FIELDS, Rulings, usual_rules
from harness.ladder import entries as cfg
from harness.ladder.config import load_config

CONFIGS = Path(__file__).parents[2] / "configs"
README = (CONFIGS / "README.md").read_text(encoding="utf-8")
SECTIONS = {
    "": cfg.ConfigFile,
    "bots[].": cfg.BotEntry,
    "tables[].": cfg.TableEntry,
    "schedule.": cfg.ScheduleEntry,
    "ratings.": cfg.RatingsEntry,
    "submit.": cfg.SubmitEntry,
    "gate.": cfg.GateEntry,
    "executor.": cfg.ExecutorEntry,
    "limits.": cfg.LimitsEntry,
}
WORKED_OUT = {"bots[].name", "schedule", "ratings", "submit", "gate", "executor", "limits"}
WORDS = {str: "text", int: "whole number", float: "number", bool: "true or false", Any: "anything"}


def spelt_type(kind: Any) -> str:
    """A type as the table says it."""
    if kind in WORDS:
        return WORDS[kind]
    if inspect.isclass(kind) and issubclass(kind, cfg.Section):
        return "bot" if kind is cfg.BotEntry else "mapping"
    origin, args = get_origin(kind), [arg for arg in get_args(kind) if arg not in (type(None), ...)]
    if origin is Literal:
        return " or ".join(f"`{arg}`" for arg in args)
    if origin in (Union, types.UnionType):
        return " or ".join(map(spelt_type, args))
    if origin is tuple:
        return "list"
    if origin is dict:
        return "mapping"
    return spelt_type(args[0])  # Annotated


def spelt_default(value: Any) -> str:
    """A default as YAML would have it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, (tuple, list)):
        return "`" + ", ".join(map(str, value)) + "`"
    if isinstance(value, float):
        value = int(value) if value.is_integer() else value
    return f"`{value}`"


def model_rows() -> Iterator[str]:
    for prefix, model in SECTIONS.items():
        for name, field in model.model_fields.items():
            key = prefix + name
            default = "**required**" if field.is_required() else spelt_default(field.default)
            if key in WORKED_OUT:
                default = "-"
            yield f"| `{key}` | {spelt_type(field.annotation)} | {default} | {field.description} |"


def ruling_rows() -> Iterator[str]:
    """The rulings with the sentences that stand under them in the source."""
    hints = get_type_hints(Rulings)
    (tree,) = ast.parse(inspect.getsource(Rulings)).body
    assert isinstance(tree, ast.ClassDef)
    meanings = {
        before.target.id: after.value.value
        for before, after in zip(tree.body, tree.body[1:], strict=False)
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name)
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    }
    for field in dataclasses.fields(Rulings):
        kind, default = spelt_type(hints[field.name]), spelt_default(field.default)
        yield f"| `{field.name}` | {kind} | {default} | {meanings[field.name]} |"


def readme_rows(heading: str) -> list[str]:
    """The rows of the table under a heading, without its two head lines."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("| `")]


def test_every_key_stands_in_the_readme_as_the_code_has_it() -> None:
    assert "\n".join(readme_rows("Every key")) == "\n".join(model_rows())


def test_every_ruling_stands_in_the_readme_as_the_code_has_it() -> None:
    rows = readme_rows("Rules that are not as usual")
    assert "\n".join(rows[: len(RULING_FIELDS)]) == "\n".join(ruling_rows())


def test_the_pieces_stand_in_the_readme() -> None:
    rows = readme_rows("Rules that are not as usual")[len(RULING_FIELDS) :]
    four, six = usual_rules(4), usual_rules(6)
    deck = ", ".join(sorted(four.police_deck))
    assert [row.split(" | ")[:3] for row in rows] == [
        ["| `experts`", "whole number", f"`{four.experts}`, six players `{six.experts}`"],
        ["| `occasionals`", "whole number", f"`{four.occasionals}`, six players `{six.occasionals}`"],
        ["| `police_deck`", "list", f"`{deck}`"],
    ]


def test_every_field_has_a_sentence() -> None:
    for model in SECTIONS.values():
        for name, field in model.model_fields.items():
            assert (field.description or "").endswith("."), name


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.name)
def test_every_config_here_loads(path: Path) -> None:
    config = load_config(path)
    assert config.name == path.stem
    assert f"`{path.name}`" in README


def test_there_are_configs_here() -> None:
    assert {"quick.yaml", "ladder.yaml"} <= {path.name for path in CONFIGS.glob("*.yaml")}


def test_every_example_in_the_readme_loads(tmp_path: Path) -> None:
    examples = [part.split("```")[0] for part in README.split("```yaml\n")[1:]]
    assert len(examples) >= 3
    for i, example in enumerate(examples):
        path = tmp_path / f"{i}.yaml"
        path.write_text(example, encoding="utf-8")
        load_config(path)
