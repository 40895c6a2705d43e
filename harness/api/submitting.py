"""A bot submitted to a ladder, and let go again."""

import json
import shlex
from pathlib import Path
from typing import Any

from harness.api.authors import check_bot, level_of, params_of
from harness.api.running import executor_for, write_report
from harness.errors import BotError
from harness.ladder import submission
from harness.ladder.config import load_config
from harness.ladder.learnt import LEARNT_COLUMNS, learn
from harness.ladder.run import Progress, Silence, play_run
from harness.ladder.store import Store
from harness.play.checkup import CheckProgress, Checkup, in_lines
from harness.play.limits import Limits
from harness.play.registry import BotSpec, spec_of
from harness.report.history import add_entry, read_history
from harness.report.landing import Landing, landing


def submit(
    bot: str,
    to: str | Path,
    name: str | None = None,
    params: str | dict[str, Any] | None = None,
    level: str | None = None,
    out: str | Path | None = None,
    workers: int | None = None,
    executor: str | None = None,
    progress: Progress | None = None,
    checking: CheckProgress | None = None,
    require_isolation: bool = False,
) -> Landing:
    """Check a bot, play it into the ladder of config `to` until it is rated well enough, and say where it landed.

    `name`, `params` and `level` are those of a bot in a config; the rest is as for `run_ladder`, which has begun the
    ladder. A bot of a name that is taken is a new version of it. The report and the log of ratings are written anew.
    """
    config = load_config(to)
    folder = Path(out) if out else Path("results") / config.name
    told = progress or Silence()
    spec = spec_of(bot, name, params_of(params), [config.folder], level_of(level))
    chosen = executor_for(config, workers, executor, told)
    plan = submission.plan_submission(config, folder, spec, require_isolation)
    with plan.store.writing():  # whoever cannot write there, or not now, is told before the check, which takes a while
        pass
    checkup = check_bot(
        spec.reference, spec.params, spec.level, config.limits.turn_ms, config.limits.memory_mb, checking
    )
    if not checkup.passed:
        raise BotError(_not_let_in(checkup, spec, config.limits))
    with plan.store.writing():
        _log(plan.store, "")
    play_run(plan, chosen, told)
    told.rating()
    own = plan.manifest.submissions[-1]
    _log(plan.store, plan.manifest.bots[own.bot].name)
    return landing(write_report(folder).tables, own, folder)


def _not_let_in(checkup: Checkup, spec: BotSpec, limits: Limits) -> str:
    """Return what is wrong with a bot, and the command that checks it in the same way."""
    given = {"--params": json.dumps(spec.params), "--level": spec.level}
    allowed = {"--turn-ms": str(limits.turn_ms), "--memory-mb": str(limits.memory_mb)}
    command = ["boss", "check", spec.reference, *(word for option in (given | allowed).items() for word in option)]
    failed = [check for check in checkup.checks if check.result == "fail"]
    found = "\n".join(in_lines(failed))
    return f"{checkup.verdict}; it is not let in\n{found}\nThis checks it again: {shlex.join(command)}"


def _log(store: Store, submitted: str) -> None:
    """Add how the bots are rated now to the log of submissions; before the first submission, only begin the log."""
    if not store.stored() or (not submitted and len(read_history(store.folder))):
        return
    manifest = store.read_manifest()
    ratings = learn(manifest, store.games(LEARNT_COLUMNS)).ratings
    assert ratings is not None
    add_entry(store.folder, submitted, [spec.name for spec in manifest.bots], ratings)


def retire(bot: str, folder: str | Path) -> None:
    """Let a bot of a results folder play no more; it stays rated. Submitted again, it is back."""
    submission.retire(Path(folder), bot)
