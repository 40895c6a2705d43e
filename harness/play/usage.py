"""What a bot's processes use: CPU time, memory, what they print."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Usage:
    """What a bot's processes used: CPU seconds and rows of each question, most memory, the end of what it printed.

    whole_cpu_s: all CPU seconds, of loading and of questions without an answer too. wall_s: seconds from all questions
    to their answers or ends. first_output: the end of what was printed until a bot first failed, or its process ended.
    """

    cpu_s: list[float] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    whole_cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_memory_mb: float = 0.0
    output: str = ""
    first_output: str = ""


def peak_memory_mb(pid: int) -> float:
    """Return the most memory that a process has held so far, in megabytes; 0 for one that is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_bytes()  # its name may be no text
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(b"VmHWM:")), 0.0)
