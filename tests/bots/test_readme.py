"""bots/README.md tells of every public member of a view, of every bot and parameter, and its examples play."""

import inspect
import re
import sys
import types
from pathlib import Path

import numba
import pytest
from game.tables import KINDS, sample

from harness import BatchBot, Bot, View
from harness.play.registry import builtin_names, load_class

README = (Path(__file__).resolve().parents[2] / "bots" / "README.md").read_text()
ROWS = [line for line in README.splitlines() if line.startswith("| `")]
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_the_tables_have_every_public_member_of_a_view_and_no_other() -> None:
    named = [match[1] for row in ROWS if (match := re.match(r"\| `view\.(\w+)", row))]
    assert len(named) == len(set(named))
    assert set(named) == {name for name in dir(View) if not name.startswith("_")}


def test_members_with_arguments_are_written_as_calls() -> None:
    for row in ROWS:
        if match := re.match(r"\| `view\.(\w+)(\(.*?\))?", row):
            member = inspect.getattr_static(View, match[1])
            if inspect.isfunction(member):
                given = ", ".join(list(inspect.signature(member).parameters)[1:])
                assert match[2] == f"({given})", row
            else:
                assert match[2] is None, row


def test_every_bot_has_its_row() -> None:
    for name in builtin_names():
        assert sum(row.startswith(f"| `{name}` |") for row in ROWS) == 1, name


def test_every_parameter_has_its_row_with_its_default() -> None:
    rows = {match[1]: row for row in ROWS if (match := re.match(r"\| `(\w+)` \| [^|]* \| [\d.]+ \|", row))}
    told: set[str] = set()
    for name in builtin_names():
        for parameter in inspect.signature(load_class(name)).parameters.values():
            assert rows[parameter.name].split("|")[3].strip() == str(parameter.default), (name, parameter)
            told.add(parameter.name)
    assert told == set(rows)


@pytest.mark.parametrize("source", EXAMPLES)
@pytest.mark.parametrize("kind", ["two", "four", "six", "twelve cities"])
def test_the_examples_play(source: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    uncached = numba.njit(error_model="numpy")  # there is no file to keep the machine code of
    monkeypatch.setattr("harness.compiled.kernel", uncached)
    module = types.ModuleType("readme_example")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(source, "README.md", "exec"), vars(module))
    bots = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, (Bot, BatchBot)) and value.__module__ == module.__name__
    ]
    assert len(bots) == 1
    sample(KINDS[kind], 2, "readme", bots[0])  # which looks for faults
