"""The files of a bot are read in the harness's own process: whatever stands there is told in words or no matter."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import BotError
from harness.play.registry import spec_of
from harness.play.sources import files_of, has_kernels, is_fast

Write = Callable[[str], str]
LONG = "a" * 300
DEEP = "a" + ".b" * 400
HEAD = "from harness import BatchBot, Bot\n\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a bot's file; return how its class `Fox` is named."""

    def write(text: str) -> str:
        file = tmp_path / "fox.py"
        file.write_text(text)
        return f"{file}:Fox"

    return write


@pytest.mark.parametrize(
    ("bases", "fast"),
    [
        ("Bot", False),
        ("BatchBot", True),
        ("harness.BatchBot", True),
        ("Mixin[Any], BatchBot", True),
        (f"Bot if True else {DEEP}", False),
        (f"BatchBot if True else {DEEP}", True),
        (f"Bot if True or 0x{'f' * 6000} else int", False),
    ],
    ids=lambda value: str(value)[:30],
)
def test_the_level_of_a_bot_is_read_from_any_bases(write: Write, bases: str, fast: bool) -> None:
    bot = write(f"{HEAD}class Fox({bases}): ...\n")
    assert is_fast(bot) is fast
    assert not has_kernels(bot)


@pytest.mark.parametrize("base", ["Bot", "BatchBot"])
@pytest.mark.parametrize("way", ["one.Den", "Den", "Own", "one.Fox"])
def test_the_level_of_a_bot_is_read_by_way_of_other_classes(write: Write, tmp_path: Path, base: str, way: str) -> None:
    (tmp_path / "one.py").write_text(
        f"{HEAD}class Den({base}): ...\nclass Fox({base}): ...\nclass Cub(BatchBot): ...\n"
    )
    bot = write(f"{HEAD}import one\nfrom one import Den\nclass Own(Den): ...\nclass Fox({way}): ...\n")
    assert is_fast(bot) is (base == "BatchBot")
    (tmp_path / "one.py").write_text(f"{HEAD}class Den(Bot): ...\n")
    assert not is_fast(bot)


@pytest.mark.parametrize(
    "text",
    [
        f"import {LONG}\n",
        f"from {LONG} import x\n",
        "class Fox:\n    files = {[]: 1}\n",
        f"class Fox:\n    files = ({'-' * 500}1,)\n",
        "class Fox:\n    files = [print('x')]\n",
    ],
    ids=lambda text: text[:30],
)
def test_what_names_no_file_is_no_matter(write: Write, text: str) -> None:
    assert [file.name for file in files_of(write(text))] == ["fox.py"]


@pytest.mark.parametrize(
    ("files", "named"), [(repr(LONG), LONG), (r"'\0'", "?"), (r"'\ud800'", "?"), (r"'\x1b[2J'", "?[2J")]
)
def test_a_listed_file_that_cannot_be_is_missing(write: Write, files: str, named: str) -> None:
    bot = write(f"class Fox:\n    files = ({files},)\n")
    with pytest.raises(BotError) as error:
        spec_of(bot)
    assert str(error.value) == f"bot {bot}: its file {Path(bot).parent}/{named} is missing"


def test_a_bot_under_a_name_that_no_file_can_have_is_not_there() -> None:
    with pytest.raises(BotError, match="no such file"):
        spec_of(f"{LONG}.py:Fox")


@pytest.mark.parametrize(
    "text",
    ["class Pox: ...\nclass Nox: ...\n", "def pox(): ...\n\nclass Nox: ...\n", "class Nox:\n    '''No Fox.'''\n"],
)
def test_a_class_that_is_plainly_not_there_is_refused_before_play(write: Write, text: str) -> None:
    with pytest.raises(BotError, match=r"fox\.py:Fox: the file has no class 'Fox'; did you mean '.ox'\?; classes in"):
        spec_of(write(text))


@pytest.mark.parametrize(
    "text",
    [
        "class Fox: ...\n",
        "Fox = type('F', (), {})\n",
        "from beside import Fox\n",
        "from beside import Wolf as Fox\n",
        "from beside import *\n",
        "if True:\n    class Fox: ...\n",
        "try:\n    1 / 0\nexcept ZeroDivisionError as Fox: ...\n",
        "def make():\n    global Fox\n    Fox = int\n",
        "globals()['F' + 'ox'] = int\n",
        "exec('class F' + 'ox: ...')\n",
        "import sys\nsetattr(sys.modules[__name__], 'F' + 'ox', int)\n",
        "match int:\n    case Fox: ...\n",
        "match [int]:\n    case [*Fox]: ...\n",
        "match {}:\n    case {**Fox}: ...\n",
        "",
        "class Fox(\n",
    ],
    ids=lambda text: text[:40],
)
def test_a_class_that_may_come_from_anywhere_is_left_to_its_own_process(write: Write, text: str) -> None:
    assert spec_of(write(text)).name == "fox"
