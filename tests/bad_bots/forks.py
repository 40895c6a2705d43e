"""Bots that want more processes."""

import ctypes
import multiprocessing
import os
import subprocess
import sys

from harness import Bot, Turn, View

CLONE, VFORK, EXECVE, CLONE3 = 56, 58, 59, 435  # x86-64
SIGCHLD = 17


def syscall(number: int, *args: object) -> int:
    """Make a system call; raise OSError where it fails."""
    libc = ctypes.CDLL(None, use_errno=True)
    result: int = libc.syscall(number, *args)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class Fork(Bot):
    def act(self, view: View) -> Turn:
        if os.fork() == 0:
            while True:
                pass
        return Turn(view.hand[0])


class ForkBomb(Bot):
    """Forks without end; swallows every refusal, so that only its time ends it."""

    def act(self, view: View) -> Turn:
        while True:
            try:
                os.fork()
            except OSError:
                pass


class Daemon(Bot):
    """Leaves its session by a double fork, to outlive whoever started it."""

    def act(self, view: View) -> Turn:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    pass
            os._exit(0)
        return Turn(view.hand[0])


class Subprocess(Bot):
    def act(self, view: View) -> Turn:
        subprocess.run([sys.executable, "-c", "while True: pass"])
        return Turn(view.hand[0])


class Spawn(Bot):
    def act(self, view: View) -> Turn:
        os.posix_spawn("/bin/sh", ["sh", "-c", "sleep 1000"], {})
        return Turn(view.hand[0])


class System(Bot):
    def act(self, view: View) -> Turn:
        if os.system("sleep 1000 &") != 0:
            raise PermissionError("no shell")
        return Turn(view.hand[0])


class Exec(Bot):
    """Becomes another program, which would be no longer watched."""

    def act(self, view: View) -> Turn:
        os.execv("/bin/sleep", ["sleep", "1000"])


class ExecPython(Bot):
    def act(self, view: View) -> Turn:
        os.execv(sys.executable, [sys.executable, "-c", "while True: pass"])


class Processes(Bot):
    def act(self, view: View) -> Turn:
        worker = multiprocessing.get_context("fork").Process(target=print)
        worker.start()
        worker.join()
        return Turn(view.hand[0])


class Clone(Bot):
    def act(self, view: View) -> Turn:
        if syscall(CLONE, SIGCHLD, 0, 0, 0, 0) == 0:
            os._exit(0)
        return Turn(view.hand[0])


class Clone3(Bot):
    def act(self, view: View) -> Turn:
        args = (ctypes.c_uint64 * 11)()
        args[4] = SIGCHLD
        try:
            pid = syscall(CLONE3, args, ctypes.sizeof(args))
        except OSError as error:
            raise PermissionError(str(error)) from None
        if pid == 0:
            os._exit(0)
        return Turn(view.hand[0])


class FromThread(Bot):
    """Forks in another thread, where nobody may look."""

    def act(self, view: View) -> Turn:
        import threading

        failed: list[BaseException] = []

        def fork() -> None:
            try:
                if os.fork() == 0:
                    os._exit(0)
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=fork)
        thread.start()
        thread.join()
        if failed:
            raise failed[0]
        return Turn(view.hand[0])
