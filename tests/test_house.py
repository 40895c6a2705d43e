"""The house stands as the README draws it: imports go one way, and each library has one home."""

import ast
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
ROOMS = ["errors", "compiled", "stats", "game", "play", "ladder", "report", "api", "cli"]
"""Left to right; a file may import from its own room and from those left of it."""

BESIDE = {"__main__": "cli", "__init__": "play"}
"""Files that belong to a room by another name: `harness/__init__.py` hands out the bot's interface."""

HOMES = {
    "numba": {"harness/compiled.py"},
    "pandas": {"harness/api", "harness/cli/answers.py", "harness/ladder", "harness/report"},
    "ray": {"harness/ladder/ray_driver.py"},
    "pyarrow": {"harness/ladder/parts.py", "harness/ladder/pieces.py"},
    "yaml": {"harness/ladder/config.py", "harness/ladder/yaml_file.py"},
    "matplotlib": {"harness/report/plots.py"},
    "jinja2": {"harness/report/pages.py"},
    "pydantic": {*(f"harness/ladder/{name}.py" for name in ("entries", "entry_values", "table_entry", "config"))},
    "pydantic_core": {"harness/ladder/entry_values.py", "harness/ladder/config.py"},
    "scipy": {"harness/stats"},
    "subprocess": {"harness/ladder/bench.py", "harness/ladder/child.py", "harness/play/isolation.py"},
    "sandlock": {"harness/play/isolation.py", "harness/play/probe.py", "harness/play/worker.py"},
    "pyseccomp": {"harness/play/calls.py"},
    "typer": {"harness/cli"},
    "rich": {"harness/cli/answers.py", "harness/cli/live.py", "harness/cli/screen.py"},
}


def sources() -> list[Path]:
    return sorted((PROJECT / "harness").rglob("*.py")) + sorted((PROJECT / "bots").glob("*.py"))


def imported(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def room_of(parts: tuple[str, ...]) -> str:
    name = parts[0].removesuffix(".py")
    return BESIDE.get(name, name)


@pytest.mark.parametrize("file", sources(), ids=lambda file: str(file.relative_to(PROJECT)))
def test_imports_go_one_way(file: Path) -> None:
    place = file.relative_to(PROJECT)
    here = len(ROOMS) if place.parts[0] == "bots" else ROOMS.index(room_of(place.parts[1:]))
    for name in imported(file):
        parts = name.split(".")
        if parts[0] == "harness" and len(parts) > 1 and parts[1] in {*ROOMS, *BESIDE}:
            assert ROOMS.index(room_of(tuple(parts[1:]))) <= here, f"{place} imports {name}"
        assert parts[0] != "bots" or place.parts[0] == "bots", f"{place} imports {name}"


@pytest.mark.parametrize("file", sources(), ids=lambda file: str(file.relative_to(PROJECT)))
def test_each_library_has_one_home(file: Path) -> None:
    place = str(file.relative_to(PROJECT))
    for name in imported(file):
        homes = HOMES.get(name.split(".")[0])
        assert homes is None or any(place.startswith(home) for home in homes), f"{place} imports {name}"


def test_a_bots_import_is_light() -> None:
    import subprocess
    import sys

    code = (
        "import sys, harness; "
        "print(sorted({'numpy', 'numba', 'ray', 'pandas', 'pyarrow', 'rich'} & sys.modules.keys()))"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
