"""The long studies of `benchmarks/`, for tests that are their quick forms."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def study(name: str) -> ModuleType:
    """Return the module of a study, run as a file of its own."""
    file = Path(__file__).resolve().parents[1] / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
