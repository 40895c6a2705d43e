"""A bot whose copies try to talk to each other, game in and game out. It tells what it heard as an exception.

All processes of the bot are alive at the same time: those of both its seats in a game, and those of the rotations.
"""

import ctypes
import errno
import os
import resource
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import covert_files as files
from covert_files import HELD, MARK

from harness import Bot, Turn, View

Channel = tuple[Callable[[], object], Callable[[], Iterator[bytes]]]
"""How something is said, and how one listens."""


def syscall(number: int, *args: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    result: int = libc.syscall(ctypes.c_long(number), *args)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def write_socket() -> None:
    server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    server.bind(b"\0boss-gossip-" + MARK)
    HELD.append(server)


def read_socket() -> Iterator[bytes]:
    for line in Path("/proc/net/unix").read_text().splitlines():
        if "boss-gossip-" in line:
            yield line.rpartition("-")[2].encode()


def bind_bits() -> None:
    """Say 0b0101 by which names are taken: nobody needs to connect."""
    for bit in (0, 2):
        server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        server.bind(f"\0boss-bit-{bit}".encode())
        HELD.append(server)


def feel_bits() -> Iterator[bytes]:
    own = {held.getsockname() for held in HELD if isinstance(held, socket.socket)}
    for bit in range(4):
        name = f"\0boss-bit-{bit}".encode()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind(name)
            except OSError as error:
                if error.errno == errno.EADDRINUSE and name not in own:
                    yield f"bit {bit} is taken by another".encode()


NETLINK_USERSOCK = 2


def open_netlink() -> None:
    for number in range(8):
        link = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_USERSOCK)
        link.setblocking(False)
        try:
            link.bind((7000 + number, 0))
        except OSError:
            link.close()
            continue
        HELD.append(link)
        return


def ask_netlink() -> Iterator[bytes]:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_USERSOCK) as link:
        for number in range(8):
            try:
                link.sendto(MARK, (7000 + number, 0))
            except ConnectionRefusedError:
                continue
            yield f"a message went to {7000 + number}".encode()


def write_port() -> None:
    server = socket.socket()
    server.bind(("127.0.0.1", 0xB055))
    server.listen()
    HELD.append(server)


def read_port() -> Iterator[bytes]:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 0xB055)) == 0:
            yield b"somebody listens"


def write_key() -> None:
    """Put the mark in the key ring of this user (248: add_key)."""
    syscall(248, b"user\0", b"boss-" + MARK + b"\0", MARK, ctypes.c_size_t(len(MARK)), ctypes.c_long(-4))
    syscall(248, b"user\0", b"boss-gossip\0", MARK, ctypes.c_size_t(len(MARK)), ctypes.c_long(-4))


def read_key() -> Iterator[bytes]:
    found = syscall(250, ctypes.c_long(10), ctypes.c_long(-4), b"user\0", b"boss-gossip\0", ctypes.c_long(0))
    buffer = ctypes.create_string_buffer(64)
    size = syscall(250, ctypes.c_long(11), ctypes.c_long(found), buffer, ctypes.c_size_t(64))
    yield buffer.raw[:size]


def segment(create: bool) -> int:
    return syscall(29, ctypes.c_long(0xB056), ctypes.c_size_t(4096), ctypes.c_long(0o1666 if create else 0))


def attached(create: bool) -> int:
    return syscall(30, ctypes.c_long(segment(create)), None, ctypes.c_long(0))


def write_segment() -> None:
    ctypes.memmove(attached(True), MARK, len(MARK))


def read_segment() -> Iterator[bytes]:
    yield ctypes.string_at(attached(False), len(MARK))


NICE = 13


def neighbours() -> Iterator[int]:
    """Yield process numbers near one's own."""
    own = os.getpid()
    yield from (pid for pid in range(max(2, own - 64), own + 64) if pid != own)


def be_nice() -> None:
    os.setpriority(os.PRIO_PROCESS, 0, NICE)


def feel_nice() -> Iterator[bytes]:
    for pid in neighbours():
        try:
            if os.getpriority(os.PRIO_PROCESS, pid) == NICE:
                yield f"process {pid} is nice".encode()
        except OSError:
            continue


def set_limit() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_STACK, (0xB0550, resource.getrlimit(resource.RLIMIT_STACK)[1]))


def feel_limit() -> Iterator[bytes]:
    for pid in neighbours():
        try:
            if resource.prlimit(pid, resource.RLIMIT_STACK)[0] == 0xB0550:
                yield f"process {pid} has a strange limit".encode()
        except OSError:
            continue


def pin() -> None:
    """Run on the last core alone; other processes of this machine may be held to the first."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def feel_pin() -> Iterator[bytes]:
    for pid in neighbours():
        try:
            found = os.sched_getaffinity(pid)
        except OSError:
            continue
        if found == {max(os.sched_getaffinity(0))} != os.sched_getaffinity(0):
            yield f"process {pid} runs on {sorted(found)}".encode()


def compute() -> None:
    """How much a process has computed would be the message."""
    sum(range(10**6))


def read_clocks() -> Iterator[bytes]:
    for pid in neighbours():
        try:
            used = time.clock_gettime((~pid) << 3 | 2)  # Linux's name for the clock of a process
        except OSError:
            continue
        yield f"process {pid} has computed for {used} s".encode()


def lead_group() -> None:
    os.setpgid(0, 0)


def feel_group() -> Iterator[bytes]:
    for pid in neighbours():
        try:
            if os.getpgid(pid) == pid:
                yield f"process {pid} leads a group".encode()
        except OSError:
            continue


def watch_files() -> Iterator[bytes]:
    """Hear of files that others open."""
    libc = ctypes.CDLL(None, use_errno=True)
    if (watch := libc.inotify_init()) < 0:
        raise OSError(ctypes.get_errno(), "no watch")
    for folder in sys.path:
        if libc.inotify_add_watch(watch, os.fsencode(folder), 0x20) >= 0:
            yield f"watches {folder}".encode()


def set_name() -> None:
    ctypes.CDLL(None).prctl(15, b"gossip" + MARK[:8], 0, 0, 0)


def read_names() -> Iterator[bytes]:
    for pid in neighbours():
        try:
            name = Path(f"/proc/{pid}/comm").read_bytes().strip()
        except OSError:
            continue
        yield name


def change_environment() -> None:
    os.environ["BOSS_GOSSIP"] = MARK.decode()


def read_environment() -> Iterator[bytes]:
    if said := os.environ.get("BOSS_GOSSIP"):
        yield said.encode()
    for pid in neighbours():
        try:
            yield Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue


def hold_timers() -> int:
    """Make timers, which are counted for all processes of a user, until there can be no more."""
    made = 0
    while True:
        try:
            syscall(222, ctypes.c_long(1), struct.pack("qii48x", 0, 0, 1), ctypes.create_string_buffer(8))
        except OSError:
            return made
        made += 1


def feel_timers() -> Iterator[bytes]:
    try:
        syscall(222, ctypes.c_long(1), struct.pack("qii48x", 0, 0, 1), ctypes.create_string_buffer(8))
    except BlockingIOError:
        yield b"others have all timers"


CHANNELS: dict[str, Channel] = {
    "files": (files.write_files, files.read_files),
    "neighbours": (files.write_neighbours, files.read_neighbours),
    "socket": (write_socket, read_socket),
    "bind": (bind_bits, feel_bits),
    "netlink": (open_netlink, ask_netlink),
    "port": (write_port, read_port),
    "key": (write_key, read_key),
    "segment": (write_segment, read_segment),
    "shared": (files.share_memory, files.read_shared),
    "flock": (files.hold_lock, files.feel_lock),
    "range": (files.hold_range, files.feel_range),
    "lease": (files.set_lease, files.feel_lease),
    "nice": (be_nice, feel_nice),
    "limit": (set_limit, feel_limit),
    "affinity": (pin, feel_pin),
    "clock": (compute, read_clocks),
    "group": (lead_group, feel_group),
    "watch": (compute, watch_files),
    "name": (set_name, read_names),
    "environment": (change_environment, read_environment),
    "times": (files.mark_open, files.read_times),
    "pages": (files.warm_pages, files.feel_pages),
    "long": (files.hold_long, files.feel_long),
    "timers": (hold_timers, feel_timers),
}


class Covert(Bot):
    """In the first seat it speaks in its first turn; elsewhere it listens two turns later, and raises what it heard."""

    def __init__(self, channel: str) -> None:
        self.say, self.listen = CHANNELS[channel]
        self.turns = 0

    def act(self, view: View) -> Turn:
        self.turns += 1
        if self.turns == 1 and view.seat == 0:
            self.speak()
        elif self.turns == 3 and view.seat != 0:
            raise RuntimeError(self.heard())
        return Turn(view.hand[0])

    def speak(self) -> None:
        try:
            self.say()
        except (OSError, AttributeError):
            pass

    def heard(self) -> str:
        try:
            said = [word for word in self.listen() if word != MARK]
        except (OSError, AttributeError) as error:
            return f"blocked: {type(error).__name__}: {error}"
        return f"ESCAPED: heard {said[:3]}" if said else "blocked: nothing heard"
