"""A process of ours with all that it starts: nothing is left of it, whoever of them ends first."""

import sys
import time
from pathlib import Path

from harness.ladder.child import Child
from harness.play.clock import state_of

DRIVER = """
import os, subprocess, sys, threading
from pathlib import Path
from harness.ladder.child import Parent

parent = Parent(sys.argv[1:])
daemon = subprocess.Popen(["sleep", "600"])
for number in range(3000):
    Path(sys.argv[2], str(number)).mkdir()

def end_with_it():
    daemon.wait()
    os._exit(1)

threading.Thread(target=end_with_it).start()
parent.send(daemon.pid)
"""


def test_a_driver_that_ends_with_its_daemons_leaves_no_folder(tmp_path: Path) -> None:
    """As Ray's does, while the folder is being deleted; whoever started it has been killed, so its pipe is closed."""
    (tmp_path / "driver_of_test.py").write_text(DRIVER)
    folder = tmp_path / "folder"
    folder.mkdir()
    sys.path.append(str(tmp_path))
    try:
        child = Child("driver_of_test", folder)
    finally:
        sys.path.remove(str(tmp_path))
    daemon = child.receive()
    assert state_of(daemon) not in "ZX"
    child.pipe.close()
    child.process.wait(60)
    latest = time.monotonic() + 60
    while (folder.exists() or state_of(daemon) not in "ZX") and time.monotonic() < latest:
        time.sleep(0.05)
    assert not folder.exists()
    assert state_of(daemon) in "ZX"
