"""Limits of what a bot in a process of its own may use."""

from dataclasses import dataclass

LEVELS = ("trusted", "process", "jailed")
"""Where a bot runs: in the harness's own process, in an unconfined child, in a confined one."""


@dataclass(frozen=True)
class Limits:
    """What a bot may use.

    turn_ms: CPU time for a decision, in milliseconds. bank_ms: CPU time a game beyond that. load_s: seconds to start
    and import. memory_mb: address space. forfeits: games after which a bot is out of the run.
    """

    turn_ms: int = 100
    bank_ms: int = 2000
    load_s: float = 5.0
    memory_mb: int = 512
    forfeits: int = 20


USUAL_LIMITS = Limits()
