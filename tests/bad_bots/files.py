"""A bot that goes for files it should not touch, below `root` a decoy of a project. What is refused escapes it."""

import errno
import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness import Bot, Turn, View

HERE = Path(__file__).resolve()


def refused(error: OSError) -> None:
    """Raise again: as a PermissionError where the jail only says that there is no such file."""
    if error.errno in (errno.ENOENT, errno.EROFS, errno.ENOTDIR, errno.EXDEV):
        raise PermissionError(errno.EACCES, str(error)) from None
    raise error


def append(path: Path | str) -> None:
    with open(path, "a") as file:
        file.write("# was here\n")


def hoard() -> None:
    with tempfile.TemporaryFile() as file:
        for _ in range(100):
            file.write(b"z" * 1_000_000)


WAYS: dict[str, Callable[[Path], Any]] = {
    "read_config": lambda root: (root / "configs" / "ladder.yaml").read_text(),
    "read_opponent": lambda root: (root / "bots" / "capone.py").read_text(),
    "read_neighbour": lambda root: (root / "bots" / "neighbour.py").read_text(),
    "list_root": lambda root: os.listdir(root),
    "list_bots": lambda root: os.listdir(root / "bots"),
    "read_passwords": lambda root: Path("/etc/shadow").read_text(),
    "read_parent": lambda root: Path(f"/proc/{os.getppid()}/mem").open("rb").read(1),
    "read_parent_maps": lambda root: Path(f"/proc/{os.getppid()}/maps").read_text(),
    "read_parent_secrets": lambda root: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "read_parent_arguments": lambda root: Path(f"/proc/{os.getppid()}/cmdline").read_bytes(),
    "read_parent_files": lambda root: os.listdir(f"/proc/{os.getppid()}/fd"),
    "write_results": lambda root: append(root / "results" / "hacked"),
    "write_config": lambda root: append(root / "configs" / "ladder.yaml"),
    "write_opponent": lambda root: append(root / "bots" / "greedy.py"),
    "write_self": lambda root: append(HERE),
    "write_here": lambda root: append("was_here.txt"),
    "write_home": lambda root: append("/root/.was_here"),
    "write_tmp": lambda root: append("/tmp/was_here.txt"),
    "write_shm": lambda root: append("/dev/shm/was_here"),
    "write_100_mb": lambda root: hoard(),
    "make_folder": lambda root: os.mkdir(tempfile.gettempdir() + "/was_here"),
    "make_link": lambda root: os.symlink("/etc/passwd", "/tmp/was_here_link"),
    "make_hard_link": lambda root: os.link(HERE, "/tmp/was_here_link"),
    "make_fifo": lambda root: os.mkfifo("/tmp/was_here_fifo"),
    "delete": lambda root: os.unlink(root / "configs" / "quick.yaml"),
    "delete_tree": lambda root: shutil.rmtree(root / "results"),
    "rename": lambda root: os.rename(root / "configs" / "quick.yaml", root / "configs" / "slow.yaml"),
    "chmod": lambda root: os.chmod(root / "configs" / "quick.yaml", 0),
    "chmod_self": lambda root: os.chmod(HERE, 0o777),
    "chown": lambda root: os.chown(root / "configs" / "quick.yaml", 12345, 12345),
    "touch": lambda root: os.utime(root / "configs" / "quick.yaml", (0, 0)),
    "attribute": lambda root: os.setxattr(HERE, "user.was_here", b"1"),
    "truncate": lambda root: os.truncate(root / "configs" / "quick.yaml", 0),
    "write_byte_code": lambda root: append(HERE.parent / "__pycache__" / "evil.pyc"),
    "write_python": lambda root: append(Path(sys.prefix) / "was_here.pth"),
    "look_around": lambda root: glob.glob("/home/*") or os.listdir("/root"),
}


class Files(Bot):
    """Tries `way` in the first decision of each game; what comes back is not kept."""

    def __init__(self, way: str, root: str) -> None:
        self.way = WAYS[way]
        self.root = Path(root)

    def act(self, view: View) -> Turn:
        if (view.hand_number, view.turn_number) == (1, 1):
            try:
                self.way(self.root)
            except OSError as error:
                refused(error)
        return Turn(view.hand[0])
