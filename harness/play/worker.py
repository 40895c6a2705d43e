"""A bot's own process: loads it, answers questions that lie in shared memory, and knows nothing else.

Started by `isolation` as a plain script, with nothing on its path. A plain bot's process imports neither numpy nor
numba. The bot may tamper with all of this and hurts only itself: its answers are copied before they are looked at,
and nothing is unpickled.
"""

import importlib.util
import json
import os
import signal
import sys


def main() -> None:
    """Read what to do from standard input, say whether the bot could be loaded, and answer until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the harness, which ends this process in order
    reader, writer = keep_pipes()
    task = json.loads(read(reader, int.from_bytes(read(reader, 4), "little")))
    if task["dies_with_parent"]:
        die_with_parent()
    sys.path[:0] = task["paths"]
    import_from(task["harness"])
    if task["package"]:
        import_from(task["package"])
    from harness.play import wire
    from harness.play.answering import Tail, load, load_failure

    said = sys.stdout = sys.stderr = Tail()
    try:
        bot = load(task)
    except BaseException as error:
        wire.write_text(writer, {"failure": load_failure(error), "output": said.text()})
        return
    wire.write_text(writer, {"batch": bot.is_batch, "reads_history": bot.reads_history})
    while header := read(reader, wire.ASK.size):
        token, question, count = wire.ASK.unpack(header)
        failures = bot.answer(question, count)
        news = failures or said.fresh
        told = json.dumps({"failures": failures, "output": said.text()}).encode() if news else b""
        wire.write_all(writer, wire.DONE.pack(token, len(told)) + told)


def keep_pipes() -> tuple[int, int]:
    """Move the pipes to the parent away from where a bot prints to, and point that to nothing."""
    reader, writer = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.close(nothing)
    return reader, writer


def read(pipe: int, size: int) -> bytes:
    """Return `size` bytes, or none at the end of the pipe."""
    data = b""
    while len(data) < size:
        piece = os.read(pipe, size - len(data))
        if not piece:
            return b""
        data += piece
    return data


def die_with_parent() -> None:
    """Ask Linux to end this process when the harness ends; in a jail the jail has."""
    import ctypes

    death_signal, kill = 1, 9
    parent = os.getppid()
    ctypes.CDLL(None).prctl(death_signal, kill)
    if os.getppid() != parent:
        os._exit(1)


def import_from(folder: str) -> None:
    """Import a package from its own folder alone: the one above it may hold what a bot must not read."""
    name = os.path.basename(folder)
    spec = importlib.util.spec_from_file_location(name, f"{folder}/__init__.py", submodule_search_locations=[folder])
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


if __name__ == "__main__":
    main()
