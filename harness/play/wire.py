"""What the harness and a bot's process say to each other: one message each way for thousands of decisions.

Questions and answers lie in two files of shared memory; pipes carry only who is to look at them. Both sides read this
page, which needs neither numpy nor numba.

The file of questions, which the child cannot write:

| part | what | bytes |
|---|---|---|
| observations | one after the other, as many as are asked about | OBSERVATION each |
| slots | of each, the place of its game among those of this process, int32 | 4 each |
| histories | of each game, by its place, its events so far | E times EVENT each |

The file of answers, which both can write: the row the bot is at, uint32 and 4 spare bytes; then a TURN for each row,
or a seat, int16, where a loss was asked about; from `printed_at` on, the end of what the bot printed.
"""

import os
import struct
from dataclasses import dataclass
from typing import Any

from harness.game import layout

TURNS, LOSSES = 0, 1
"""Kinds of questions."""

ASK = struct.Struct("<QBI")
"""What is asked: a token that the answer repeats, the kind of question, how many rows."""

DONE = struct.Struct("<QI")
"""The answer lies ready: the token, and how many bytes of JSON follow that tell of failures."""

LOADED = {
    (batch, past): f'{{"batch": {batch}, "reads_history": {past}}}'.lower().encode()
    for batch in (False, True)
    for past in (False, True)
}
"""What is told of a bot that is loaded: whether it is a `BatchBot`, and whether it reads histories."""

MOST_TOLD = 4 << 20
"""Bytes of JSON that a child may send: more is no message of ours."""

OBSERVATION_BYTES = -(-layout.size_of(layout.OBSERVATION) // 8) * 8
EVENT_BYTES = layout.size_of(layout.EVENT)
TURN_BYTES = layout.size_of(layout.TURN)
SEAT_BYTES = 2
COUNTER_BYTES = 8

PRINTED_BYTES = 65_536
"""Bytes that are kept of what a bot prints, from the end."""


LEAST_ROWS = 4096
"""Questions that there is always room for: room that nobody uses takes no memory."""


@dataclass(frozen=True)
class Shared:
    """Where things lie in the two files: room for `games` games of at most `events` events."""

    games: int
    events: int

    @property
    def rows(self) -> int:
        """How many questions there is room for: one about each game, or several about a few."""
        return max(self.games, LEAST_ROWS)

    @property
    def slots_at(self) -> int:
        """Where the slots begin."""
        return self.rows * OBSERVATION_BYTES

    @property
    def histories_at(self) -> int:
        """Where the histories begin."""
        return self.slots_at + -(-4 * self.rows // 8) * 8

    @property
    def question_bytes(self) -> int:
        """Size of the file of questions."""
        return self.histories_at + self.games * self.events * EVENT_BYTES

    @property
    def printed_at(self) -> int:
        """Where, in the file of answers, a counter of all bytes printed stands, and behind it a ring of the last."""
        return COUNTER_BYTES + -(-self.rows * TURN_BYTES // 8) * 8

    @property
    def answer_bytes(self) -> int:
        """Size of the file of answers."""
        return self.printed_at + COUNTER_BYTES + PRINTED_BYTES


def end_printed(data: bytes) -> str:
    """Return the end of what was printed, of the memory from `printed_at` on."""
    count, ring = int.from_bytes(data[:COUNTER_BYTES], "little"), data[COUNTER_BYTES:]
    cut = count % PRINTED_BYTES if count > PRINTED_BYTES else 0
    return (ring[cut:] + ring[:cut])[:count].decode(errors="replace")


def write_all(pipe: int, data: bytes) -> None:
    """Write all of `data`."""
    while data:
        data = data[os.write(pipe, data) :]


def tell(pipe: int, text: bytes) -> None:
    """Write a text behind its length."""
    write_all(pipe, len(text).to_bytes(4, "little") + text)


def text_of(value: Any) -> bytes:
    """Return plain values as JSON."""
    import json  # slow to import, and most bots have nothing to tell

    return json.dumps(value).encode()
