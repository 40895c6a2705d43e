"""One ladder in every way it can be played: is the sorted table the same bytes each time?

    .venv/bin/python benchmarks/same_bytes.py [BLOCKS]

Built-in bots, compiled and plain, beside two from outside: a trusted one that seeds and uses the global generators, and
a jailed one that plays by the order of a set of texts. Prints the SHA-256 of each way's table; ends with status 1 where
one differs.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from ladder import ways

CHUNK_GAMES = 48
PLAYERS = (2, 4, 6)
WAYS = [
    # way, PYTHONHASHSEED, pinned to one core
    ("here", 0, False),
    ("here", 1, False),
    ("here", 2, True),
    ("local-1", 0, False),
    ("local-2", 3, False),
    ("local-2", 4, True),
    ("ray-1", 0, False),
    ("ray-2", 5, False),
    ("ray-4", 6, False),
    ("ray-2", 7, True),
    ("shuffled", 0, False),
    ("stopped", 8, False),
]


def main() -> int:
    """Play, print a line for each way, and return 1 when they differ."""
    blocks = int(sys.argv[1]) if len(sys.argv) > 1 else 48
    found = set()
    with tempfile.TemporaryDirectory(prefix="same-bytes-") as folder:
        config = ways.write_ladder(Path(folder), PLAYERS, blocks)
        for number, (way, hash_seed, pinned) in enumerate(WAYS):
            begin = time.monotonic()
            digest = ways.played_elsewhere(way, config, Path(folder, str(number)), CHUNK_GAMES, hash_seed, pinned)
            where = "one core " if pinned else "all cores"
            print(f"{way:9} {where} hash seed {hash_seed}  {digest}  {time.monotonic() - begin:4.0f} s", flush=True)
            found.add(digest)
    print("all the same" if len(found) == 1 else f"{len(found)} different tables")
    return int(len(found) > 1)


if __name__ == "__main__":
    sys.exit(main())
