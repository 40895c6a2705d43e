"""What spies gain: bots that look for hidden cards, jailed, beside their plain twin on the same deals.

    python benchmarks/spies.py [BLOCKS]

A control spy is trusted, finds the engine's own games and knows every hidden card: what it gains is the measure. A
jailed spy's gain is the mean over blocks of its money less its twin's, with its 95 % interval.
"""

import secrets
import sys
import time
from pathlib import Path

import numpy as np

from harness.game.layout import SEATS
from harness.game.rules import usual_rules
from harness.ladder.chunk import Chunk, play_chunk
from harness.ladder.schedule import Block
from harness.play.limits import Limits
from harness.play.registry import spec_of

BOTS = Path(__file__).with_name("spy_bots.py")
SPIES = ("Sharer", "Walker", "Neighbour", "Rememberer", "Guesser")
RULES = usual_rules(4)
LIMITS = Limits(turn_ms=1000, bank_ms=5000, load_s=20)
CHUNK_BLOCKS = 500


def money(name: str, level: str, blocks: int, seed: str) -> tuple[np.ndarray, int]:
    """Return a bot's mean money in each block, (blocks,) in millions, beside three built-in bots; and its faults."""
    means, faults = [], 0
    for first in range(0, blocks, CHUNK_BLOCKS):
        specs = (spec_of(f"{BOTS}:{name}", level=level), *(spec_of(other) for other in ("greedy", "patient", "bully")))
        spread = tuple(
            Block(RULES.name, index, (0, 1, 2, 3)) for index in range(first, min(blocks, first + CHUNK_BLOCKS))
        )
        result = play_chunk(Chunk(seed, RULES.name, RULES, specs, spread, LIMITS))
        own = np.stack([result.games[f"bot{seat}"] == 0 for seat in range(SEATS)], 1)
        paid = np.stack([result.games[f"money{seat}"] for seat in range(SEATS)], 1)
        means.append(paid[own].reshape(len(spread), -1).mean(1))
        faults += sum(result.faults.values())
    return np.concatenate(means), faults


def gain(spy: np.ndarray, plain: np.ndarray) -> tuple[float, float]:
    """Return (mean, half width of its 95 % interval) of the difference of two bots on the same deals."""
    difference = spy - plain
    return float(difference.mean()), 1.96 * float(difference.std(ddof=1)) / len(difference) ** 0.5


def main() -> int:
    """Play, print a line for each spy, and return 1 when any of them gains."""
    blocks = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = secrets.token_hex(16)
    plain, _ = money("Plain", "jailed", blocks, seed)
    control, wide = gain(money("Walker", "trusted", blocks, seed)[0], plain)
    print(f"control, trusted Walker: {control:+.3f} ± {wide:.3f} million a game over {blocks} blocks", flush=True)
    bad = control - wide <= 0
    for name in SPIES:
        begin = time.monotonic()
        own, faults = money(name, "jailed", blocks, seed)
        mean, half = gain(own, plain)
        caught = faults > 0 or not -half <= mean <= half or half > control / 5
        bad |= caught
        seconds = time.monotonic() - begin
        print(
            f"{name}: {mean:+.3f} ± {half:.3f}, {faults} faults, {seconds:.0f} s{'  GAINS' if caught else ''}",
            flush=True,
        )
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
