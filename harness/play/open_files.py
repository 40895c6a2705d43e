"""Files that this process holds open: four for each process of a bot, more than some systems allow at first."""

import resource
import select
from collections.abc import Iterable

from harness.errors import RunError

ENOUGH = 1 << 16
"""Open files that are asked for where the system sets no bound worth the name."""

SPARE = 64
"""Open files left for all but bots' processes."""


def allow_most() -> int:
    """Let this process open as many files as it may, ENOUGH at most; return how many that is."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if most == resource.RLIM_INFINITY else min(ENOUGH, most)
    if now == resource.RLIM_INFINITY or now >= wanted:
        return ENOUGH if now == resource.RLIM_INFINITY else now
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    return wanted


def refuse_when_short(latest: int) -> None:
    """Raise RunError where the number of the file opened last shows that few more can be opened."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and latest >= most - SPARE:
        raise RunError(
            f"the bots of a table need more open files at once than the {most} that this system allows a process; "
            "raise that (ulimit -Hn, or LimitNOFILE of a service), run fewer bots, or trust some (level: trusted)"
        )


def heard(pipes: Iterable[int], seconds: float) -> set[int]:
    """Return the pipes in which something lies, or which are closed at the other end; wait so long for one at most.

    `select` would look at the first 1,024 files of a process alone.
    """
    poll = select.poll()
    for pipe in pipes:
        poll.register(pipe, select.POLLIN)
    return {pipe for pipe, _ in poll.poll(1000 * seconds)}
