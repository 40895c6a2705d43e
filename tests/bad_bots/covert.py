"""A bot whose copies try to talk to each other, game in and game out. It tells what it heard as an exception.

All processes of the bot are alive at the same time: those of both its seats in a game, and those of the rotations.
"""

import ctypes
import errno
import fcntl
import glob
import mmap
import os
import resource
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from harness import Bot, Turn, View

MARK = os.urandom(8).hex().encode()
"""What this process says."""

Channel = tuple[Callable[[], object], Callable[[], Iterator[bytes]]]
"""How something is said, and how one listens."""

_HELD: list[object] = []


def syscall(number: int, *args: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    result: int = libc.syscall(ctypes.c_long(number), *args)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def folders() -> list[str]:
    known = [".", "/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), os.path.dirname(__file__)]
    known += [os.path.dirname(os.path.dirname(__file__)), *sys.path[:1]]
    return known + glob.glob("/dev/shm/*") + glob.glob("/tmp/boss-*")


def write_files() -> None:
    for folder in folders():
        try:
            Path(folder, "boss-gossip-" + MARK.decode()).write_bytes(MARK)
        except OSError:
            continue
    with tempfile.NamedTemporaryFile(prefix="boss-gossip-", delete=False) as file:
        file.write(MARK)


def read_files() -> Iterator[bytes]:
    for folder in folders():
        for path in glob.glob(f"{folder}/boss-gossip-*"):
            yield Path(path).read_bytes()


def write_neighbours() -> None:
    """Write into the answers of whoever plays beside."""
    for path in glob.glob("/dev/shm/*/answers"):
        with open(path, "r+b") as file:
            file.seek(0, 2)
            file.write(MARK)


def read_neighbours() -> Iterator[bytes]:
    for path in glob.glob("/dev/shm/*/questions") + glob.glob("/tmp/*/questions"):
        data = Path(path).read_bytes()
        yield data[:64]


def write_socket() -> None:
    server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    server.bind(b"\0boss-gossip-" + MARK)
    _HELD.append(server)


def read_socket() -> Iterator[bytes]:
    for line in Path("/proc/net/unix").read_text().splitlines():
        if "boss-gossip-" in line:
            yield line.rpartition("-")[2].encode()


def bind_bits() -> None:
    """Say 0b0101 by which names are taken: nobody needs to connect."""
    for bit in (0, 2):
        server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        server.bind(f"\0boss-bit-{bit}".encode())
        _HELD.append(server)


def feel_bits() -> Iterator[bytes]:
    own = {held.getsockname() for held in _HELD if isinstance(held, socket.socket)}
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
        _HELD.append(link)
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
    _HELD.append(server)


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


def lockable() -> list[str]:
    """Return files that all copies may open, for reading at least."""
    import harness

    return [harness.__file__ or "", os.__file__, __file__, "/dev/null", "/dev/urandom"]


def hold_lock() -> None:
    for path in lockable():
        try:
            file = os.open(path, os.O_RDONLY)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        _HELD.append(file)


def feel_lock() -> Iterator[bytes]:
    held = {os.fstat(file).st_ino for file in _HELD if isinstance(file, int)}
    for path in lockable():
        try:
            file = os.open(path, os.O_RDONLY)
        except OSError:
            continue
        if os.fstat(file).st_ino in held:
            continue
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield f"{path} is locked by another".encode()
        except OSError:
            continue
        else:
            fcntl.flock(file, fcntl.LOCK_UN)
        finally:
            os.close(file)


def hold_range() -> None:
    """Lock a byte of a file for reading: a lock of the whole process, by fcntl."""
    for path in lockable():
        try:
            file = os.open(path, os.O_RDONLY)
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 7)
        except OSError:
            continue
        _HELD.append(file)


def feel_range() -> Iterator[bytes]:
    import struct

    for path in lockable():
        try:
            file = os.open(path, os.O_RDONLY)
            question = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 7, 1, 0)
            kind = struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, question))
        except OSError:
            continue
        if kind[0] != fcntl.F_UNLCK and kind[4] != os.getpid():
            yield f"{path}: a lock by process {kind[4]}".encode()


def set_lease() -> None:
    """Do nothing: that a lease is granted says enough. Held, it would stop whoever opens the file for 45 seconds."""


def feel_lease() -> Iterator[bytes]:
    """Ask for a lease of files that all share, and give it back at once."""
    for path in (path for path in lockable() if path.endswith(".py") and path != __file__):
        file = os.open(path, os.O_RDONLY)
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        finally:
            os.close(file)
        yield f"{path} was leased".encode()


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
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def feel_pin() -> Iterator[bytes]:
    for pid in neighbours():
        try:
            found = os.sched_getaffinity(pid)
        except OSError:
            continue
        if len(found) == 1 < (os.cpu_count() or 1):
            yield f"process {pid} runs on {sorted(found)}".encode()


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


def share_memory() -> None:
    handle = os.open("/dev/shm/boss-gossip", os.O_RDWR | os.O_CREAT)
    os.ftruncate(handle, 4096)
    mmap.mmap(handle, 4096)[:16] = MARK


def read_shared() -> Iterator[bytes]:
    handle = os.open("/dev/shm/boss-gossip", os.O_RDONLY)
    yield bytes(mmap.mmap(handle, 4096, prot=mmap.PROT_READ)[:16])


def mark_open() -> None:
    """Change what `stat` says of a file: the time it was last read."""
    for path in lockable():
        try:
            os.utime(path, ns=(12345, 12345))
        except OSError:
            continue


def read_times() -> Iterator[bytes]:
    for path in lockable():
        if os.stat(path).st_atime_ns == 12345 or os.stat(path).st_mtime_ns == 12345:
            yield path.encode()


CHANNELS: dict[str, Channel] = {
    "files": (write_files, read_files),
    "neighbours": (write_neighbours, read_neighbours),
    "socket": (write_socket, read_socket),
    "bind": (bind_bits, feel_bits),
    "netlink": (open_netlink, ask_netlink),
    "port": (write_port, read_port),
    "key": (write_key, read_key),
    "segment": (write_segment, read_segment),
    "shared": (share_memory, read_shared),
    "flock": (hold_lock, feel_lock),
    "range": (hold_range, feel_range),
    "lease": (set_lease, feel_lease),
    "nice": (be_nice, feel_nice),
    "limit": (set_limit, feel_limit),
    "affinity": (pin, feel_pin),
    "name": (set_name, read_names),
    "environment": (change_environment, read_environment),
    "times": (mark_open, read_times),
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
