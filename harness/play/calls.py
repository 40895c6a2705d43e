"""The system calls that a bot may make.

The jail denies some to all of its processes from the start. What Python needs to start, or the jail's own supervisor
to hear of, a bot's process gives up by a second filter, before it loads the bot: that one grants what is listed here
and nothing else, for what a kernel can do grows from year to year, and much of it tells one process of another.
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
    *("kill", "tkill", "pidfd_open", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "timer_create"),
    *("prlimit64", "setrlimit", "setpriority", "getpriority", "ioprio_set", "ioprio_get", "sched_setaffinity"),
    *("sched_setscheduler", "sched_setattr", "sched_setparam", "perf_event_open", "keyctl", "add_key", "request_key"),
    *("mount", "pivot_root", "chroot", "inotify_init1", "fanotify_init", "open_by_handle_at", "name_to_handle_at"),
    *("clock_settime", "clock_adjtime", "adjtimex", "settimeofday", "socketpair", "listen", "accept", "accept4"),
)
"""How files look, memory and marks shared by name, limits and priorities (of other processes, too), clocks, timers:
their signals wake a process that was stopped."""

GRANTED = (
    *("read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "pwritev", "lseek", "close", "close_range"),
    *("open", "openat", "dup", "dup2", "dup3", "stat", "fstat", "lstat", "newfstatat", "statx", "access", "faccessat"),
    *("faccessat2", "readlink", "readlinkat", "getdents", "getdents64", "getcwd", "chdir", "fchdir", "umask"),
    *(
        "pipe",
        "pipe2",
        "poll",
        "ppoll",
        "select",
        "pselect6",
        "mmap",
        "munmap",
        "mremap",
        "mprotect",
        "brk",
        "exit",
        "exit_group",
    ),
    *("getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getrlimit", "getrusage", "times"),
    *("uname", "getcpu", "sched_yield", "futex", "set_robust_list", "set_tid_address", "rseq", "arch_prctl"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait"),
    *("sigaltstack", "tgkill", "pause", "restart_syscall", "alarm", "setitimer", "getitimer", "wait4", "waitid"),
    *("time", "gettimeofday", "nanosleep", "getrandom"),
)
"""Files within the walls, one's own memory, threads, signals and time."""

CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep")
OF_ANOTHER = 0x8000_0000
"""The bit that is set in the number of another process's clock: how much it has computed would be a message."""

FILE_COMMANDS = (0, 1, 2, 3, 4, 1030)
"""Commands of fcntl: copies and flags. Not locks, leases and notices: what one process holds, another could see."""

DEVICE_COMMANDS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Commands of ioctl: whether it is a terminal, how large, what can be read, flags. Not the marks that files bear."""

PROCESS_COMMANDS = (3, 15, 16, 21, 23, 0x53564D41)
"""Wishes of prctl: names of threads and of memory, what one may. Not to outlive the parent."""

ADVICE = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17)
"""Advice of madvise on memory of one's own; not to take pages of files away, which others would feel."""

THREAD = 0x10000
"""The flag of clone that makes a thread, which a bot may, and no process."""

INT = 0xFFFF_FFFF
"""As much of an argument as the kernel reads where it is an int."""


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
    calls = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))

    def grant(name: str, place: int, mask: int, value: int) -> None:
        calls.add_rule(pyseccomp.ALLOW, name, pyseccomp.Arg(place, pyseccomp.MASKED_EQ, mask, value))

    for name in GRANTED:
        calls.add_rule(pyseccomp.ALLOW, name)
    for name in CLOCKS:
        grant(name, 0, OF_ANOTHER, 0)
    for name, place, values in (
        ("fcntl", 1, FILE_COMMANDS),
        ("ioctl", 1, DEVICE_COMMANDS),
        ("prctl", 0, PROCESS_COMMANDS),
        ("madvise", 2, ADVICE),
        ("sched_getaffinity", 0, (0,)),
    ):
        for value in values:
            grant(name, place, INT, value)
    grant("clone", 0, THREAD, THREAD)
    calls.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")  # its flags cannot be seen; C libraries then use clone
    with tempfile.TemporaryFile() as file:
        calls.export_bpf(file)
        file.seek(0)
        return file.read()
