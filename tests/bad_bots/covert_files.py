"""Ways to say something through the file system: what lies there, who holds it, how it looks. Used by `covert.py`."""

import ctypes
import fcntl
import glob
import mmap
import os
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

MARK = os.urandom(8).hex().encode()
"""What this process says."""

HELD: list[object] = []
"""What must stay open."""


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


def share_memory() -> None:
    handle = os.open("/dev/shm/boss-gossip", os.O_RDWR | os.O_CREAT)
    os.ftruncate(handle, 4096)
    mmap.mmap(handle, 4096)[:16] = MARK


def read_shared() -> Iterator[bytes]:
    handle = os.open("/dev/shm/boss-gossip", os.O_RDONLY)
    yield bytes(mmap.mmap(handle, 4096, prot=mmap.PROT_READ)[:16])


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
        HELD.append(file)


def feel_lock() -> Iterator[bytes]:
    held = {os.fstat(file).st_ino for file in HELD if isinstance(file, int)}
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
        HELD.append(file)


def feel_range() -> Iterator[bytes]:
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


def mark_open() -> None:
    """Change what `stat` says of a file: the time it was last read."""
    for path in lockable():
        try:
            os.utime(path, ns=(12345, 12345))
        except OSError:
            continue


BITS = 0b10110010


def pages() -> Iterator[tuple[int, int, int]]:
    """Yield the bits, and for each a file and where in it the page lies that stands for it: far from each other."""
    libraries = [path for folder in sys.path for path in glob.glob(f"{folder}/numpy*/**/*.so*", recursive=True)]
    file = os.open(max(libraries, key=os.path.getsize), os.O_RDONLY)
    HELD.append(file)
    yield from ((bit, file, (bit + 1) << 20) for bit in range(8))


def warm_pages() -> None:
    """Say BITS by which pages of a file that all may read lie in memory."""
    for bit, file, at in pages():
        if bit == 0:
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        if BITS >> bit & 1:
            os.pread(file, 1, at)


def feel_pages() -> Iterator[bytes]:
    heard = 0
    for bit, file, at in pages():
        try:
            heard |= bool(os.preadv(file, [bytearray(1)], at, os.RWF_NOWAIT)) << bit
        except BlockingIOError:
            continue
    yield f"bits {heard:08b}".encode()


def long_lock(command: int, kind: int, bit: int) -> int:
    """Lock a range of a file, or ask who has it, by a number with a bit above those that are read (x86-64)."""
    lock = ctypes.create_string_buffer(struct.pack("hhqqi4x", kind, 0, 777 + bit, 1, 0))
    file = os.open(os.__file__, os.O_RDONLY)
    HELD.append(file)
    if ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(72), file, ctypes.c_long(1 << 32 | command), lock) < 0:
        raise OSError(ctypes.get_errno(), "no lock")
    return int(struct.unpack_from("h", lock.raw)[0])


def hold_long() -> None:
    for bit in (0, 2):
        long_lock(fcntl.F_SETLK, fcntl.F_RDLCK, bit)


def feel_long() -> Iterator[bytes]:
    for bit in range(4):
        if long_lock(fcntl.F_GETLK, fcntl.F_WRLCK, bit) != fcntl.F_UNLCK:
            yield f"bit {bit} is locked".encode()


def read_times() -> Iterator[bytes]:
    for path in lockable():
        if os.stat(path).st_atime_ns == 12345 or os.stat(path).st_mtime_ns == 12345:
            yield path.encode()
