"""A nursery and the bots' processes that it forks: each loads a bot, answers questions that lie in shared memory, and
knows nothing else.

Started by `nursery` as a plain script, with nothing on its path. A plain bot's process imports neither numpy nor
numba. The bot may tamper with all of this and hurts only itself: its answers are copied before they are looked at,
and nothing is unpickled.

In a jail each file opened is looked at by another process. So what all need comes out of a few files, the packs.
"""

import marshal
import os
import sys

TYPE_CHECKING = False  # `typing` itself comes out of the pack
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    Pack = dict[str, tuple[str, bool, bytes]]
    """By name of a module: its file, whether it is a package, its marshalled code, nothing if it is machine code."""

LATER = frozenset({"inspect", "msgspec.inspect", "msgspec.json"})
"""Modules that others import for what a bot hardly ever needs: they are run when somebody looks into them."""

WITHOUT = "typing_extensions"
"""What msgspec imports where it is there, and does without where it is not; it takes longer than all of msgspec."""

PID_BYTES = 4


def main() -> None:
    """Import what bots' processes need, as standard input says; then fork one for each folder that is named there.

    A message of four bytes is the number of such a process: it is waited for, and how it ended is told.
    """
    reader, writer = keep_pipes()
    ignore_interrupts()
    task: dict[str, Any] = marshal.loads(read_text(reader))  # written by the harness, not by a bot
    sys.path[:0] = task["paths"]
    sys.meta_path.insert(0, Packed(task["packs"]))
    sys.modules[WITHOUT] = None  # type: ignore[assignment]
    import ctypes  # noqa: F401  # for every copy
    import gc
    from importlib import import_module

    for name in task["modules"]:
        import_module(name)
    del sys.modules[WITHOUT]
    die_with_parent(os.getppid())
    gc.freeze()  # what all copies share stays shared
    own = os.getpid()
    while message := read_text(reader):
        if len(message) == PID_BYTES:
            _, number = os.waitpid(int.from_bytes(message, "little"), 0)
        elif not (number := os.fork()):
            os.close(reader)
            os.close(writer)
            die_with_parent(own)
            be_a_bot(message.decode())
            return
        os.write(writer, number.to_bytes(PID_BYTES, "little"))


def be_a_bot(folder: str) -> None:
    """Be what the pipe in `folder` says: confined, a bot that answers until the pipe closes."""
    reader, writer = os.open(f"{folder}/asked", os.O_RDONLY), os.open(f"{folder}/told", os.O_WRONLY)
    task: dict[str, Any] = marshal.loads(read_text(reader))
    from harness.play import wire
    from harness.play.answering import Tail, load, load_failure, shared_files

    files = shared_files(folder)
    os.chdir(task["home"])
    sys.path.insert(0, task["home"])
    if task["filter"]:
        confine(task["readable"], task["filter"])
    if "tries" in task:
        from harness.play.tries import tries

        wire.tell(writer, wire.text_of(tries(*task["tries"])))
        return
    sys.stdout = sys.stderr = Tail(task, files[1])
    try:
        if task["package"]:
            import_from(task["package"])
        bot = load(task, *files)
    except BaseException as error:
        wire.tell(writer, wire.text_of({"failure": load_failure(error)}))
        return
    wire.tell(writer, wire.LOADED[bot.is_batch, bot.reads_history])
    while header := read(reader, wire.ASK.size):
        token, question, count = wire.ASK.unpack(header)
        failures = bot.answer(question, count)
        told = wire.text_of({"failures": failures}) if failures else b""
        wire.write_all(writer, wire.DONE.pack(token, len(told)) + told)


class Packed:
    """Finds modules in packs. That of the harness is opened at once, another at the import of the package it serves."""

    def __init__(self, files: dict[str, str]) -> None:
        self.pack = opened(files["harness"])
        self.others = {name: file for name, file in files.items() if name != "harness"}

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """Return where a module comes from, if it is in a pack."""
        if name in self.others:
            self.pack |= opened(self.others.pop(name))
        if name not in self.pack:
            return None
        origin, is_package, code = self.pack[name]
        spec: ModuleSpec = type(sys.__spec__)(name, self, origin=origin, is_package=is_package)  # type: ignore[arg-type]
        if not code:
            spec.loader = sys.modules["_frozen_importlib_external"].ExtensionFileLoader(name, origin)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(origin)]
        if name in LATER:
            from importlib.util import LazyLoader

            spec.loader = LazyLoader(self)  # type: ignore[arg-type]
        return spec

    def create_module(self, spec: "ModuleSpec") -> None:
        """Leave it to Python to make the module."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run a module's code."""
        exec(marshal.loads(self.pack[module.__name__][2]), vars(module))


def opened(file: str) -> "Pack":
    """Return what a pack holds."""
    with open(file, "rb") as packed:
        pack: Pack = marshal.loads(packed.read())  # `marshal.load` would read it in thousands of pieces
    return pack


def write_packs(folder: str, paths: str, *wanted: str) -> None:
    """Write the packs `wanted`, as name=modules, to files of their names: what it takes to import those modules.

    None holds what is in those before it.
    """
    from importlib import import_module

    sys.path[:0] = paths.split(os.pathsep)
    sys.modules[WITHOUT] = None  # type: ignore[assignment]
    known = {"__main__"}
    for one in wanted:
        name, _, modules = one.partition("=")
        for module in modules.split(","):
            import_module(module)
        with open(f"{folder}/{name}", "wb") as file:
            file.write(marshal.dumps(pack_of(sys.modules.keys() - known)))
        known = set(sys.modules)


def pack_of(names: set[str]) -> "Pack":
    """Return a pack of those modules that come out of files."""
    pack: Pack = {}
    for name in names:
        spec = getattr(sys.modules[name], "__spec__", None)
        if spec and spec.name == name and spec.has_location:
            code = marshal.dumps(spec.loader.get_code(name)) if spec.origin.endswith(".py") else b""
            pack[name] = (spec.origin, spec.submodule_search_locations is not None, code)
    return pack


def keep_pipes() -> tuple[int, int]:
    """Move the pipes to the parent away from where a bot prints to, and point that to nothing."""
    reader, writer = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.close(nothing)
    return reader, writer


def read_text(pipe: int) -> bytes:
    """Return a text that is sent behind its length, none at the end of the pipe."""
    return read(pipe, int.from_bytes(read(pipe, 4), "little"))


def read(pipe: int, size: int) -> bytes:
    """Return `size` bytes, or none at the end of the pipe."""
    data = b""
    while len(data) < size:
        piece = os.read(pipe, size - len(data))
        if not piece:
            return b""
        data += piece
    return data


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the harness, which ends this process in order."""
    import _signal  # type: ignore[import-not-found]  # without the names of `signal`, which would come from files

    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)


def confine(readable: list[str], program: bytes) -> None:
    """Give up, for good, all files but `readable` ones, all other processes, and the calls that a filter denies.

    program: the filter as the kernel reads it (see `calls`).
    """
    import ctypes
    import struct

    import sandlock

    sandlock.confine(sandlock.Sandbox(fs_readable=readable))
    set_seccomp, by_filter, size = 22, 2, 8  # of an instruction, in bytes
    code = ctypes.create_string_buffer(program, len(program))
    where = struct.pack("HP", len(program) // size, ctypes.addressof(code))
    if ctypes.CDLL(None).prctl(set_seccomp, by_filter, where, 0, 0):
        raise OSError("the second filter was refused")


def die_with_parent(parent: int) -> None:
    """Ask Linux to end this process when its parent ends."""
    import ctypes

    death_signal, kill = 1, 9
    ctypes.CDLL(None).prctl(death_signal, kill)
    if os.getppid() != parent:
        os._exit(1)


def import_from(folder: str) -> None:
    """Import a package from its own folder alone: the one above it may hold what a bot must not read."""
    import importlib.util

    name = os.path.basename(folder)
    spec = importlib.util.spec_from_file_location(name, f"{folder}/__init__.py", submodule_search_locations=[folder])
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


if __name__ == "__main__":
    write_packs(*sys.argv[1:]) if sys.argv[1:] else main()
