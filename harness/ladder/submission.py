"""A bot submitted to a ladder: who it is there, and the plan by which it is placed (see `harness.ladder.placing`)."""

from dataclasses import replace
from pathlib import Path

from harness.errors import ResultsError, nearest
from harness.ladder.config import Config
from harness.ladder.feed import Decide
from harness.ladder.manifest import Manifest
from harness.ladder.placing import next_placing, pool_of
from harness.ladder.roster import enlisted
from harness.ladder.rounds import Games
from harness.ladder.run import Plan, continued, held_at, isolation_of
from harness.ladder.schedule import Stretch, Submission
from harness.ladder.store import Store
from harness.play.registry import BotSpec


def plan_submission(config: Config, folder: Path, spec: BotSpec, require_isolation: bool = False) -> Plan:
    """Return the plan by which a bot is played into the ladder of a config; write nothing.

    The bot is the last of the plan's submissions. One that is there already, in this very version, goes on until it is
    known as well as the config now asks.

    Raises ResultsError where the folder holds no ladder, or another than the config's, and BotError for a name that
    cannot name a folder.
    """
    if not Store(folder).has_run():
        raise ResultsError(f"{folder}: there is no ladder here yet; begin it with boss run {config.path}")
    plan = continued(config, folder, require_isolation=require_isolation, newcomer=spec)
    isolation, warning = isolation_of([spec], require_isolation)
    bots, number = enlisted(plan.manifest.bots, held_at(spec, isolation))
    submission = Submission(number, config.submit.precision, config.submit.cap, spec.level)
    manifest = replace(
        plan.manifest,
        bots=bots,
        isolation=isolation or plan.manifest.isolation,
        submissions=(*(one for one in plan.manifest.submissions if one.bot != number), submission),
        retired=tuple(bot for bot in plan.manifest.retired if bot != number),
    )
    if not pool_of(manifest, number):
        raise ResultsError(f"{folder}: all other bots are retired, so there is nobody to play against")
    seats = max(rules.players for rules in manifest.kinds.values())
    return replace(
        plan,
        manifest=manifest,
        warning="; ".join(filter(None, (plan.warning, warning))),
        decide=_placing(submission),
        coming=submission.cap * seats,
    )


def _placing(submission: Submission) -> Decide:
    def decide(manifest: Manifest, games: Games) -> tuple[Stretch, ...]:
        return next_placing(manifest, submission, games)

    return decide


def retire(folder: Path, name: str) -> None:
    """Let a bot of a ladder play no more; it stays rated. Submitted again, it is back.

    Raises ResultsError where there is no such bot, or it fills empty seats.
    """
    store = Store(folder)
    store.read_manifest()  # where there is none, nothing is made
    with store.writing():
        manifest = store.read_manifest()
        names = [spec.name for spec in manifest.bots]
        if name not in names:
            raise ResultsError(f"{folder}: no bot is called {name!r}{nearest(name, names)}; bots: {' '.join(names)}")
        number = names.index(name)
        if number == manifest.fill:
            raise ResultsError(f"{folder}: {name} sits in the seats that stay empty, so it cannot be retired")
        if number not in manifest.retired:
            store.write_manifest(replace(manifest, retired=(*manifest.retired, number)))
