"""Says at its import that it is loaded and of the fast level, which it is not, then takes its time."""

import sys
import time

from harness import Bot, Turn, View

_frame = sys._getframe()
while _frame.f_back is not None and "writer" not in _frame.f_locals:
    _frame = _frame.f_back
if "writer" in _frame.f_locals:
    sys.modules["harness.play.wire"].write_text(_frame.f_locals["writer"], {"batch": True})
time.sleep(60)


class Lies(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])
