"""For authors of bots: a file to start from, and a check before a ladder."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.errors import BossError, BotError, ConfigError
from harness.ladder.entry_values import params_problems
from harness.ladder.yaml_file import compose, construct, listed
from harness.play.check import Examined, examine
from harness.play.check_text import ended, judge
from harness.play.checkup import CheckProgress, CheckSilence, Checkup
from harness.play.limits import LEVELS, USUAL_LIMITS
from harness.play.warmup import is_cold, warm_up


def new_bot(name: str, folder: str | Path) -> tuple[Path, str]:
    """Write a commented bot to start from; return its file and its class name."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise BotError(f"{name!r} cannot name a bot's file; use lower-case letters, digits and _, as in clever_fox")
    file = Path(folder) / f"{name}.py"
    if file.exists():
        raise BotError(f"{file} exists already; it is left as it is")
    class_name = "".join(part.capitalize() for part in name.split("_"))
    template = (Path(__file__).parent.parent / "play" / "templates" / "new_bot.py.txt").read_text()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(template.format(name=name, cls=class_name, file=file))
    except OSError as error:
        raise BotError(f"{file}: cannot be written: {error.strerror}") from None
    return file, class_name


def check_bot(
    bot: str,
    params: str | dict[str, Any] | None = None,
    level: str | None = None,
    turn_ms: int = USUAL_LIMITS.turn_ms,
    memory_mb: int = USUAL_LIMITS.memory_mb,
    progress: CheckProgress | None = None,
) -> Checkup:
    """Check a bot as a ladder may use it, and return named checks; `passed` says whether all went well.

    params: a mapping, or one in text, as in a config.
    """
    told = progress or CheckSilence()
    given = params_of(params)
    if is_cold():
        told.compiling()
        warm_up([])

    def watch(seen: Examined, check: str, players: int) -> None:
        told.at(check, players, ended(seen))

    limits = replace(USUAL_LIMITS, turn_ms=turn_ms, memory_mb=memory_mb)
    return judge(examine(bot, given, level_of(level), limits, watch=watch))


def params_of(params: str | dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the parameters of a bot, a mapping or one in text; raise ConfigError for what a config may not hold."""
    if isinstance(params, str):
        root = compose("--params", params)
        given: dict[str, Any] = construct("--params", root)
        if problems := list(params_problems(given)):
            raise ConfigError(listed("--params", root, problems))
        return given
    for problem in params_problems(params):
        raise ConfigError(f"params: {'.'.join(map(str, problem.place))}: {problem.text}")
    return params


def level_of(level: str | None) -> str | None:
    if level not in (None, *LEVELS):
        raise BossError(f"--level {level}: it can be {', '.join(LEVELS[:-1])} or {LEVELS[-1]}")
    return level
