"""Plays a gate: is a candidate stronger than a baseline? Until that is decided, and no longer."""

from contextlib import ExitStack, closing
from typing import Protocol

from harness.ladder.disk import write_json
from harness.ladder.executor import Executor
from harness.ladder.gate_plan import GATE, GatePlan
from harness.ladder.gate_reading import READ, Reading, Verdict
from harness.ladder.run import Progress, Silence, take_up
from harness.ladder.store import Store
from harness.stats.sequential import Decision, Look


class GateProgress(Progress, Protocol):
    """Hears how a gate goes."""

    def looked(self, look: Look, bounds: tuple[float, float]) -> None:
        """The test has looked at the results; it ends where the log-likelihood ratio reaches one of the bounds."""


class GateSilence(Silence):
    """A progress nobody watches."""

    def looked(self, look: Look, bounds: tuple[float, float]) -> None: ...


def play_gate(plan: GatePlan, executor: Executor, progress: GateProgress) -> Verdict:
    """Play what a gate still needs, store it, and return the verdict; interrupted, it can be called again.

    Raises RunError when the baseline or a bot of the field is out of the run, ResultsError where another process writes
    to the folder, or has done so since the gate was planned.
    """
    if not (plan.folder / GATE).is_file():
        write_json(plan.folder / GATE, {"gate": plan.as_record()})
    with ExitStack() as folders:
        for arm in plan.arms:
            folders.enter_context(arm.plan.store.writing())
        stored = [take_up(arm.plan, progress) for arm in plan.arms]
        if plan.old is None and plan.new.plan.fresh:
            _clear_old(plan)
        write_json(plan.folder / GATE, {"gate": plan.as_record()})
        reading = Reading(plan)
        for arm, labels in zip(plan.arms, stored, strict=True):
            for label in labels.values():
                reading.take(arm, label.span, arm.plan.store.games_of(label, READ))
        verdict = reading.go_on(GateSilence().looked)
        progress.begin(reading.games_stored if verdict else reading.games_expected, reading.games_stored)
        verdict = verdict or _play(plan, reading, executor, progress)
        write_json(plan.folder / GATE, verdict.as_record())
    return verdict


def _clear_old(plan: GatePlan) -> None:
    """Delete what another gate left in `old/`, in a gate that begins anew without it."""
    left = Store(plan.folder / "old")
    if left.has_run():
        with left.writing():
            left.clear()


def _play(plan: GatePlan, reading: Reading, executor: Executor, progress: GateProgress) -> Verdict:
    with closing(executor.play(reading.missing())) as played:
        for chunk, result in played:
            arm = next(arm for arm in plan.arms if arm.bot in chunk.blocks[0].lineup)
            arm.plan.store.write_chunk(chunk, result)
            reading.take(arm, chunk.span, result.games)
            progress.advance(result.count, result.faults)
            if verdict := reading.go_on(progress.looked):
                return verdict
    return reading.verdict(Decision.OPEN)
