"""Goes for files at its import."""

from pathlib import Path

import harness
from harness import Bot, Turn, View

(Path(harness.__file__ or "").resolve().parent.parent / "configs" / "was_here.yaml").write_text("gone")


class Writes(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])
