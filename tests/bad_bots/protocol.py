"""Bots that meddle with the conversation between their process and the harness."""

import ctypes
import mmap
import os
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from harness import Bot, Turn, View


def main_locals() -> dict[str, Any]:
    """Return the variables of the outermost function of the process that has any: the harness's side of it."""
    frame: Any = sys._getframe()
    found: dict[str, Any] = {}
    while frame is not None:
        if frame.f_code.co_name != "<module>":
            found = frame.f_locals
        frame = frame.f_back
    return found


def callers() -> Iterator[dict[str, Any]]:
    frame: Any = sys._getframe(1)
    while frame is not None:
        yield frame.f_locals
        frame = frame.f_back


def pipes() -> list[int]:
    """Return the descriptors of this process that are pipes, beyond the three usual ones."""
    import stat

    found = []
    for number in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                found.append(number)
        except OSError:
            continue
    return found


def shared() -> list[Any]:
    """Return the shared memory that the harness's side of the process holds: questions and answers."""
    found: dict[int, Any] = {}
    for variables in callers():
        for owner in list(variables.values()):
            for value in list(getattr(owner, "__dict__", {}).values()):
                if isinstance(value, mmap.mmap):
                    found[id(value)] = value
    return list(found.values())


def write_pipes(data: bytes) -> None:
    for number in pipes():
        try:
            os.write(number, data)
        except OSError:
            continue


class ForgedAck(Bot):
    """Says that it is done, before it is, with a made-up token."""

    def act(self, view: View) -> Turn:
        write_pipes(bytes(12))
        return Turn(view.hand[0])


class Flood(Bot):
    """Sends ten megabytes of noise."""

    def act(self, view: View) -> Turn:
        for _ in range(160):
            write_pipes(b"\xff" * 65536)
        return Turn(view.hand[0])


class Half(Bot):
    """Sends half a message, then nothing more."""

    def act(self, view: View) -> Turn:
        write_pipes(b"\x01\x02\x03")
        time.sleep(100)
        return Turn(view.hand[0])


class TrueToken(Bot):
    """Knows the true token, and sends a message of its own with it: that another seat failed, at length."""

    def act(self, view: View) -> Turn:
        token = main_locals().get("token", 0)
        text = b'{"failures": [[999999, "RUN", "not me"]], "output": ""}'
        write_pipes(token.to_bytes(8, "little") + len(text).to_bytes(4, "little") + text)
        return Turn(view.hand[0])


class Nested(Bot):
    """Sends JSON so deeply nested that reading it is a recursion error."""

    def act(self, view: View) -> Turn:
        token = main_locals().get("token", 0)
        text = b"[" * 500_000
        message = token.to_bytes(8, "little") + len(text).to_bytes(4, "little") + text
        for start in range(0, len(message), 4096):
            write_pipes(message[start : start + 4096])
        return Turn(view.hand[0])


class Strange(Bot):
    """Sends well-formed JSON of every wrong type, with infinite numbers and lone surrogates."""

    def act(self, view: View) -> Turn:
        token = main_locals().get("token", 0)
        text = b'{"failures": [[0, "EXCEPTION", "\\ud800"], [Infinity, [], {}]], "output": 1e999}'
        write_pipes(token.to_bytes(8, "little") + len(text).to_bytes(4, "little") + text)
        return Turn(view.hand[0])


class Plain(Bot):
    """Sends JSON that is right in form but no object."""

    def act(self, view: View) -> Turn:
        token = main_locals().get("token", 0)
        write_pipes(token.to_bytes(8, "little") + (2).to_bytes(4, "little") + b"[]")
        return Turn(view.hand[0])


class EarlyByte(Bot):
    """Sends the first byte of its message when it begins to think, and the rest when it has thought: for a second."""

    def act(self, view: View) -> Turn:
        wire: Any = sys.modules["harness.play.wire"]
        write_all = wire.write_all
        write_pipes(main_locals().get("token", 0).to_bytes(8, "little")[:1])
        end = time.process_time() + 1.0
        while time.process_time() < end:
            pass

        def rest(pipe: int, data: bytes) -> None:
            wire.write_all = write_all
            write_all(pipe, data[1:])

        wire.write_all = rest
        return Turn(view.hand[0])


class Promise(Bot):
    """Promises four gigabytes."""

    def act(self, view: View) -> Turn:
        token = main_locals().get("token", 0)
        write_pipes(token.to_bytes(8, "little") + b"\xff\xff\xff\xff")
        return Turn(view.hand[0])


class ReadsOwnQuestions(Bot):
    """Reads the pipe that its questions come by, and so waits for ever."""

    def act(self, view: View) -> Turn:
        for number in pipes():
            os.set_blocking(number, True)
            try:
                os.read(number, 1)
            except OSError:
                continue
        return Turn(view.hand[0])


class Hangup(Bot):
    """Closes its pipes and plays dead."""

    def act(self, view: View) -> Turn:
        for number in pipes():
            os.close(number)
        time.sleep(100)
        return Turn(view.hand[0])


class Counter(Bot):
    """Says that it is still at its first question, then hangs: somebody else's game should be blamed."""

    asked = 0

    def act(self, view: View) -> Turn:
        Counter.asked += 1
        if Counter.asked % 2 == 0:
            for memory in shared():
                try:
                    memory[:4] = bytes(4)
                except TypeError:
                    continue
            while True:
                pass
        return Turn(view.hand[0])


class CounterFar(Bot):
    """Says that it is at question four thousand million, again and again, so that its clock starts anew."""

    def act(self, view: View) -> Turn:
        memories = shared()
        number = 0
        while True:
            number += 1
            for memory in memories:
                try:
                    memory[:4] = (number % 2 * 0xFFFFFFFF).to_bytes(4, "little")
                except TypeError:
                    continue


class Scribble(Bot):
    """Fills the answers with what is no turn, from a thread, also while they are read."""

    def act(self, view: View) -> Turn:
        memories = shared()

        def fill() -> None:
            while True:
                for memory in memories:
                    try:
                        memory[8:] = os.urandom(len(memory) - 8)
                    except TypeError:
                        continue

        threading.Thread(target=fill, daemon=True).start()
        return Turn(view.hand[0])


class Rewrite(Bot):
    """Writes to its questions: they lie in memory that it may only read."""

    def act(self, view: View) -> Turn:
        for memory in shared():
            memory[8] = 9
        return Turn(view.hand[0])


class Unprotect(Bot):
    """Asks the kernel to let it write to its questions."""

    def act(self, view: View) -> Turn:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for memory in shared():
            size = len(memory)
            data = bytes(memory[:64])
            place = address_of(memory)
            if place and libc.mprotect(place, size, 3) != 0:
                raise PermissionError(ctypes.get_errno(), "mprotect")
            if place:
                ctypes.memmove(place, bytes(byte ^ 1 for byte in data), 64)
        return Turn(view.hand[0])


def address_of(memory: Any) -> int:
    """Return where a read-only map lies; 0 for a writable one."""
    holder = ctypes.py_object(memory)
    buffer = (ctypes.c_ssize_t * 12)()
    api = ctypes.pythonapi
    api.PyObject_GetBuffer.argtypes = (ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
    api.PyObject_GetBuffer(holder, buffer, 0)
    return int(buffer[0]) if is_read_only(memory) else 0


def is_read_only(memory: Any) -> bool:
    return memoryview(memory).readonly


def answers_path() -> str:
    """Return where the file of answers lies, as the harness's side was told."""
    for variables in callers():
        task = variables.get("task")
        if isinstance(task, dict) and "answers" in task:
            return str(task["answers"])
    raise PermissionError("no such file is known")


class Truncate(Bot):
    """Cuts the file of answers short: whoever has it in memory is killed by the next look."""

    def act(self, view: View) -> Turn:
        os.truncate(answers_path(), 0)
        return Turn(view.hand[0])


class OpenTruncate(Bot):
    """The same by opening it for writing."""

    def act(self, view: View) -> Turn:
        os.close(os.open(answers_path(), os.O_RDWR | os.O_TRUNC))
        return Turn(view.hand[0])


class MapTruncate(Bot):
    """The same by Python's own map."""

    def act(self, view: View) -> Turn:
        for memory in shared():
            if not is_read_only(memory):
                release(memory)
                memory.resize(1)
        return Turn(view.hand[0])


def release(memory: Any) -> None:
    """Drop the views that keep a map from being resized."""
    for variables in callers():
        for owner in list(variables.values()):
            for value in list(getattr(owner, "__dict__", {}).values()):
                if isinstance(value, memoryview):
                    value.release()


class HandleTruncate(Bot):
    """The same by every descriptor that is open."""

    def act(self, view: View) -> Turn:
        errors = []
        for number in range(3, 64):
            try:
                os.ftruncate(number, 0)
            except OSError as error:
                errors.append(error)
        for error in errors:
            if isinstance(error, PermissionError):
                raise error
        return Turn(view.hand[0])


class Punch(Bot):
    """Frees the pages of the answers, and locks them against use."""

    def act(self, view: View) -> Turn:
        for memory in shared():
            if not is_read_only(memory):
                memory.madvise(9)  # MADV_REMOVE: the file's pages
        return Turn(view.hand[0])


class Grow(Bot):
    """Makes the file of answers as long as memory is wide."""

    def act(self, view: View) -> Turn:
        handle = os.open(answers_path(), os.O_RDWR)
        os.posix_fallocate(handle, 0, 1 << 30)
        return Turn(view.hand[0])
