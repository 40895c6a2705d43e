"""How single values of a ladder's YAML file are written, and in which words others are refused."""

import math
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from harness.errors import CardsError
from harness.game.cards import check_face
from harness.ladder.yaml_file import Place, Problem

Entry = TypeVar("Entry")


def refuse(problems: Iterable[Problem]) -> None:
    """Hand problems to pydantic, which adds its own and puts its place before theirs."""
    found = list(problems)
    if found:
        raise PydanticCustomError("problems", "several problems", {"problems": found})


def _fail(text: str) -> None:
    refuse([Problem((), text)])


def name_problem(name: str) -> str:
    """Return what is wrong with the name of a ladder or a bot, by which folders are called; nothing where it can be."""
    if re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}", name):
        return ""
    return f"{name!r} cannot name a folder; use up to 100 letters (A to Z), digits, - _ and . (not first)"


def _folder_safe(name: str) -> str:
    if problem := name_problem(name):
        _fail(problem)
    return name


def _names_bot(text: str) -> bool:
    where, colon, cls = text.rpartition(":")
    if not colon:
        return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", text) is not None
    module = where.endswith(".py") or all(part.isidentifier() for part in where.split("."))
    return module and cls.isidentifier()


def _bot_text(text: str) -> str:
    if not _names_bot(text):
        _fail(f"{text!r} names no bot; write greedy, path/to/file.py:Class or package.module:Class")
    return text


def bot_mapping(value: Any) -> Any:
    """Let a bot be written as its text alone, and name it after its class."""
    if isinstance(value, str):
        value = {"bot": value}
    if not isinstance(value, dict):
        _fail("must be a bot's text, as in greedy, or a mapping with the key bot")
    return {"name": _own_name(value.get("bot")), **value}


def _own_name(bot: Any) -> str:
    """The name of a bot that is given none; any will do for one that is refused."""
    if not isinstance(bot, str) or not _names_bot(bot):
        return "refused"
    _, path, cls = bot.rpartition(":")
    return cls.lower() if path else bot


def _seed(text: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{32}", text):
        _fail(f"{text!r} must be 32 hex digits (0-9, a-f); leave it out and one is drawn")
    return text.lower()


def _face(value: Any) -> Any:
    text = str(value) if type(value) is int else value
    if isinstance(text, str):
        try:
            check_face(text, "face")
        except CardsError as error:
            _fail(str(error).removeprefix("face: "))
    return text


def _set_list(value: Any) -> Any:
    """Let sets be one word or several, and digits that YAML reads as a number be digits."""
    values = value if isinstance(value, (list, tuple)) else [value]
    return [str(one) if type(one) is int else one for one in values]


def _not_empty(entries: tuple[Any, ...]) -> tuple[Any, ...]:
    if not entries:
        _fail("must not be empty")
    return entries


def params_problems(value: Any, place: Place = (), within: tuple[int, ...] = ()) -> Iterator[Problem]:
    """Yield what in a bot's parameters a manifest, which is JSON, could not keep as it is."""
    if id(value) in within:
        yield Problem(place, "holds itself")
    elif isinstance(value, (dict, list, tuple)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from params_problems(item, (*place, key), (*within, id(value)))
    elif isinstance(value, float) and not math.isfinite(value):
        yield Problem(place, f"{value} is no finite number; put it in quotes if it is text")
    elif value is not None and not isinstance(value, (str, int, float)):
        yield Problem(place, "must be text, a number, true, false, null, a list, or a mapping of keys to values")


def _params(value: dict[str, Any]) -> dict[str, Any]:
    refuse(params_problems(value))
    return value


def _workers(value: Any) -> Any:
    if value != "auto" and not (type(value) is int and value >= 1):
        _fail("must be auto or a whole number of at least 1")
    return value


FolderName = Annotated[str, AfterValidator(_folder_safe)]
BotText = Annotated[str, AfterValidator(_bot_text)]
Seed = Annotated[str, AfterValidator(_seed)]
Face = Annotated[str, BeforeValidator(_face)]
Params = Annotated[dict[str, Any], AfterValidator(_params)]
Workers = Annotated[int | Literal["auto"], BeforeValidator(_workers)]
Listed = Annotated[tuple[Entry, ...], Field(strict=False), AfterValidator(_not_empty)]
SetList = Annotated[Listed[str], BeforeValidator(_set_list)]


class Section(BaseModel):
    """A mapping of the file: unknown keys refused, no type guessed from another."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_default=True)
