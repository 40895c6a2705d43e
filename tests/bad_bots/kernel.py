"""A bot that asks the kernel for what no card player needs, by number where Python has no name for it (x86-64).

What it asks for does no harm where it is granted: signals that wake, limits that are only read.
"""

import ctypes
import errno
import fcntl
import mmap
import os
import platform
import resource
import signal
import struct
from collections.abc import Callable
from typing import Any

from harness import Bot, Turn, View

_BUFFER = ctypes.create_string_buffer(4096)


def syscall(number: int, *args: Any) -> int:
    """Make a system call; raise OSError where it fails."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    result: int = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def parent_memory(number: int) -> int:
    """Read (310) or write (311) a word of the parent's memory."""
    own = (ctypes.c_void_p * 2)(ctypes.addressof(_BUFFER), 8)
    far = (ctypes.c_void_p * 2)(0x400000, 8)
    return syscall(number, os.getppid(), own, 1, far, 1, 0)


def ring() -> int:
    """Share a key with all processes of this user."""
    return syscall(248, b"user\0", b"boss\0", b"hand\0", 4, -4)


LONG = 1 << 32
"""A bit above those that the kernel reads of an int."""


def with_file(use: Callable[[int], Any]) -> Any:
    """Use a file that all processes may read."""
    file = os.open(os.__file__, os.O_RDONLY)
    try:
        return use(file)
    finally:
        os.close(file)


def wake() -> int:
    """Have a timer wake this process while it is to rest."""
    event = struct.pack("qii48x", 0, signal.SIGCONT, 0)
    return syscall(222, 1, event, _BUFFER)


WAYS: dict[str, Callable[[], Any]] = {
    "ptrace": lambda: syscall(101, 16, os.getppid(), 0, 0),
    "read_parent": lambda: parent_memory(310),
    "write_parent": lambda: parent_memory(311),
    "kill_parent": lambda: os.kill(os.getppid(), signal.SIGCONT),
    "ask_parent": lambda: os.kill(os.getppid(), 0),
    "signal_all": lambda: os.kill(-1, 0),
    "signal_group": lambda: os.killpg(0, signal.SIGCONT),
    "tgkill_parent": lambda: syscall(234, os.getppid(), os.getppid(), signal.SIGCONT),
    "queue_parent": lambda: syscall(129, os.getppid(), signal.SIGCONT, _BUFFER),
    "pidfd_parent": lambda: signal.pidfd_send_signal(os.pidfd_open(os.getppid()), signal.SIGCONT),
    "pidfd_getfd": lambda: syscall(438, os.pidfd_open(os.getppid()), 0, 0),
    "slow_parent": lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), os.getpriority(os.PRIO_PROCESS, os.getppid())),
    "pin_parent": lambda: os.sched_setaffinity(os.getppid(), os.sched_getaffinity(os.getppid())),
    "limit_parent": lambda: syscall(302, os.getppid(), resource.RLIMIT_CORE, 0, _BUFFER),
    "unshare": lambda: syscall(272, 0x10000000),
    "setns": lambda: syscall(308, 0, 0),
    "userfaultfd": lambda: syscall(323, 0),
    "io_uring": lambda: syscall(425, 8, _BUFFER),
    "bpf": lambda: syscall(321, 0, _BUFFER, 72),
    "perf": lambda: syscall(298, _BUFFER, 0, -1, -1, 0),
    "mount": lambda: syscall(165, b"none\0", b"/no-such-folder\0", b"tmpfs\0", 0, 0),
    "chroot": lambda: os.chroot("/"),
    "pivot": lambda: syscall(155, b"/\0", b"/\0"),
    "module": lambda: syscall(313, 0, b"\0", 0),
    "kexec": lambda: syscall(246, 0, 0, 0, 0),
    "reboot": lambda: syscall(169, 0, 0, 0, 0),
    "swap": lambda: syscall(167, b"/tmp/none\0", 0),
    "clock": lambda: syscall(227, 1, _BUFFER),
    "hostname": lambda: syscall(170, os.uname().nodename.encode(), len(os.uname().nodename)),
    "keyring": ring,
    "shared_memory": lambda: syscall(29, 0xB055, 4096, 0o1666),
    "semaphore": lambda: syscall(64, 0xB055, 1, 0o1666),
    "message_queue": lambda: syscall(68, 0xB055, 0o1666),
    "posix_queue": lambda: syscall(240, b"boss\0", 0o102, 0o666, 0),
    "personality": lambda: syscall(135, 0x0400000),
    "quota": lambda: syscall(179, 0x800002, b"/\0", 0, _BUFFER),
    "handle": lambda: syscall(304, -100, _BUFFER, 0),
    "kcmp": lambda: syscall(312, os.getppid(), os.getpid(), 0, 0, 0),
    "x32_fork": lambda: syscall(0x40000000 + 57),
    "timer": wake,
    "pages": lambda: syscall(27, mmap.PAGESIZE * (id(None) // mmap.PAGESIZE), mmap.PAGESIZE, _BUFFER),
    "cached": lambda: with_file(lambda file: syscall(451, file, struct.pack("2Q", 0, 4096), _BUFFER, 0)),
    "warm": lambda: with_file(lambda file: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)),
    "evict": lambda: with_file(lambda file: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)),
    "long_lock": lambda: with_file(lambda file: syscall(72, file, LONG | 6, struct.pack("hhqqi4x", 0, 0, 1, 1, 0))),
    "long_death": lambda: syscall(157, LONG | 1, 9, 0, 0, 0),
    "look_at_parent": lambda: syscall(145, os.getppid()),
    "powers_of_parent": lambda: syscall(125, struct.pack("Ii", 0x20080522, os.getppid()), _BUFFER),
    "powers": lambda: syscall(126, struct.pack("Ii", 0x20080522, 0), bytes(24)),
    "user": lambda: os.setuid(os.getuid()),
    "marks": lambda: with_file(lambda file: fcntl.ioctl(file, 0x80086601, bytes(8))),
    "owner": lambda: with_file(lambda file: fcntl.fcntl(file, 8, os.getpid())),
    "fanotify": lambda: syscall(300, 0, 0),
}

DENIED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
"""Answers of a closed door: also the one of a kernel that has no such call."""


class Kernel(Bot):
    """Tries `way` in the first decision of each game; raises PermissionError where it was refused."""

    def __init__(self, way: str) -> None:
        self.way = WAYS[way]

    def act(self, view: View) -> Turn:
        if (view.hand_number, view.turn_number) == (1, 1) and platform.machine() == "x86_64":
            try:
                self.way()
            except OSError as error:
                if error.errno in DENIED:
                    raise PermissionError(errno.EPERM, str(error)) from None
                raise
        return Turn(view.hand[0])
