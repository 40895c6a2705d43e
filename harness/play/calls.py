"""System calls that no bot needs, and that Landlock does not cover.

Most are denied from the start, by the jail. Some that Python needs to start, or that the jail's own supervisor wants
to hear of, are denied once it has: by a second filter, which a bot's process takes upon itself before it loads the bot.
"""

import errno
import sys
import tempfile
from functools import lru_cache

FROM_THE_START = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "ftruncate"),
    *("utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "flock"),
    *("memfd_create", "shmget", "semget", "msgget", "mq_open", "io_uring_setup", "userfaultfd", "pidfd_getfd"),
    *("bpf", "unshare", "setns", "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp"),
    *("kill", "tkill", "pidfd_open", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo"),
    *("prlimit64", "setrlimit", "setpriority", "getpriority", "ioprio_set", "ioprio_get", "sched_setaffinity"),
    *("sched_setscheduler", "sched_setattr", "sched_setparam", "perf_event_open", "keyctl", "add_key", "request_key"),
    *("mount", "pivot_root", "chroot", "inotify_init1", "fanotify_init", "open_by_handle_at", "name_to_handle_at"),
    *("clock_settime", "clock_adjtime", "adjtimex", "settimeofday", "socketpair", "listen", "accept", "accept4"),
)
"""How files look, memory and marks shared by name, limits and priorities (of other processes, too), clocks."""

ONCE_STARTED = (
    *("socket", "bind", "connect", "fork", "vfork", "execve", "execveat", "truncate"),
    *("inotify_init", "inotify_add_watch", "sysinfo", "statfs", "fstatfs", "setpgid", "setsid", "getpgid", "getsid"),
)
"""Sockets of any kind (that an address is taken would be a mark for others), further processes, what tells of others:
files opened, memory in use, groups of processes."""

CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep")
OF_ANOTHER = 0x8000_0000
"""The bit that is set in the number of another process's clock: how much it has computed would be a message."""

LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)
"""Commands of fcntl: locks on ranges of files, leases, notices; what one process holds, another could see."""

DEATH_SIGNAL = 1
"""The wish of prctl not to outlive the parent, which a bot must not take back."""

THREAD = 0x10000
"""The flag of clone that makes a thread, which a bot may, and no process."""


@lru_cache(maxsize=1)
def second_filter() -> bytes:
    """Return the second filter as the kernel reads it, or nothing where libseccomp is missing.

    libseccomp knows the numbers of the calls on every machine, and how each passes its arguments.
    """
    if sys.platform != "linux":
        return b""
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError):
        return b""
    calls = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    denied = pyseccomp.ERRNO(errno.EPERM)
    for name in ONCE_STARTED:
        calls.add_rule(denied, name)
    for name in CLOCKS:
        calls.add_rule(denied, name, pyseccomp.Arg(0, pyseccomp.MASKED_EQ, OF_ANOTHER, OF_ANOTHER))
    calls.add_rule(denied, "sched_getaffinity", pyseccomp.Arg(0, pyseccomp.NE, 0))
    for command in LOCKS:
        calls.add_rule(denied, "fcntl", pyseccomp.Arg(1, pyseccomp.EQ, command))
    calls.add_rule(denied, "prctl", pyseccomp.Arg(0, pyseccomp.EQ, DEATH_SIGNAL))
    calls.add_rule(denied, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, THREAD, 0))
    calls.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")  # its flags cannot be seen; C libraries then use clone
    with tempfile.TemporaryFile() as file:
        calls.export_bpf(file)
        file.seek(0)
        return file.read()
