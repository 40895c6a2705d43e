"""Says at its import that it is loaded, in a message so nested that reading it is a recursion error."""

import sys

from harness import Bot, Turn, View

_frame = sys._getframe()
while _frame.f_back is not None and "writer" not in _frame.f_locals:
    _frame = _frame.f_back
TEXT = b"[" * 500_000
if "writer" in _frame.f_locals:
    sys.modules["harness.play.wire"].write_all(_frame.f_locals["writer"], len(TEXT).to_bytes(4, "little") + TEXT)


class Forges(Bot):
    def act(self, view: View) -> Turn:
        return Turn(view.hand[0])
