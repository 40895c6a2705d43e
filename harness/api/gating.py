"""Whether a new bot is stronger than an old one."""

from collections.abc import Sequence
from pathlib import Path

from harness.api.running import executor_for
from harness.ladder.config import load_config
from harness.ladder.entries import BotEntry
from harness.ladder.gate import GateProgress, GateSilence, play_gate
from harness.ladder.gate_plan import plan_gate
from harness.ladder.gate_reading import Verdict
from harness.play.registry import spec_of


def gate(
    new: str,
    vs: str,
    config: str | Path,
    out: str | Path | None = None,
    workers: int | None = None,
    executor: str | None = None,
    fresh: bool = False,
    progress: GateProgress | None = None,
    require_isolation: bool = False,
) -> Verdict:
    """Test whether bot `new` is stronger than bot `vs` among the others of a ladder, and return the verdict.

    Each is a bot of the config by its name, or any other as in a config. Hypotheses and errors stand in the config's
    section `gate`. `out` is the folder (default ``results/<name>-gate-<new>-vs-<old>``), the rest as for `run_ladder`.
    """
    plan = load_config(config)
    known = (*plan.bots, *([plan.fill] if plan.fill else []))
    baseline = _apart(_entry(vs, known, plan.folder), known, "-old")
    candidate = _entry(new, known, plan.folder)
    others = (*known, baseline.model_copy(update={"bot": ""}))  # unlike any other, the candidate itself too
    candidate = _apart(candidate, others, "-new")
    folder = Path(out) if out else Path("results") / f"{plan.name}-gate-{candidate.name}-vs-{baseline.name}"
    told = progress or GateSilence()
    chosen = executor_for(plan, workers, executor, told)
    return play_gate(plan_gate(plan, candidate, baseline, folder, fresh, require_isolation), chosen, told)


def _entry(reference: str, known: Sequence[BotEntry], folder: Path) -> BotEntry:
    """Return the bot of a config by its name or text, or another bot by its reference."""
    for bot in (*(own for own in known if own.name == reference), *(own for own in known if own.bot == reference)):
        return bot
    return BotEntry.model_construct(bot=reference, name=spec_of(reference, folders=[folder]).name, params={})


def _apart(entry: BotEntry, others: Sequence[BotEntry], suffix: str) -> BotEntry:
    """Return a bot under a name that none of the others has, but for itself."""
    if any(other.name == entry.name and other != entry for other in others):
        return entry.model_copy(update={"name": f"{entry.name}{suffix}"})
    return entry
