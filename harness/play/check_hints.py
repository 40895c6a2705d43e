"""How to mend what a check finds: the hint that fits its words, else the one of the check."""

import re

HINTS = {
    "loads": "Mend what its message names.",
    "tables": "Mend what is named here: the game, the turn, the error and the line of it.",
    "legal": "Take placements from view.legal_placements() or view.cheapest_placement(city), the card from view.hand.",
    "latency": "Do less for a decision, remember pure functions (functools.lru_cache), or stop searching by count.",
    "memory": "Bound what it remembers: functools.lru_cache(maxsize=...), smaller tables.",
    "output": "Take its prints out: they cost time, and a ladder keeps the last 2 kB alone, for when the bot fails.",
    "warnings": "Mend what is warned of; later versions of Python or of a package will make it an error.",
    "repeats": "Take chance from view.rng alone: no module `random`, no os.urandom, clock, id() or hash().",
    "independent": "Keep memory in `self`, which plays one seat of one game; class and module variables are shared.",
    "jail": "A bot may read the files named in its class's `files` and Python's own, and nothing else may it do.",
}
"""By name of each check."""

LOAD_HINTS = {
    r"missing \d+ required": "Give its parameters, as --params '{name: value}', or give them defaults in __init__.",
    r"unexpected keyword argument": "Name in --params only what its __init__ takes.",
    r"SyntaxError|IndentationError|TabError": "Python cannot read that line, or the one before it.",
    r"ModuleNotFoundError": "It may import what is installed for the harness and what lies beside its file.",
    r"holds 0 bots": "Write a class that derives from harness.Bot; `boss new NAME` writes a file to start from.",
    r"holds \d+ bots": "Name the one that is meant behind the file, with a colon.",
    r"was not loaded after": "Move what takes long into the first `act`, or read it from a file named in `files`.",
    r"MemoryError": "It may map no more than --memory-mb; Python and numpy count.",
    r"PermissionError": "In the jail it may read its own file, what lies beside it and is imported, and its `files`.",
}

TABLE_HINTS = {
    r"no method act": "Write def act(self, view), which returns a Turn; `boss new NAME` writes a bot to start from.",
    r"TypeError: .*\bact(_batch)?\(\) takes": "Write it as def act(self, view), or act_batch with its three arrays.",
    r"^exit,": "Return a turn; a bot does not end its process.",
    r"^protocol,": "Leave the harness's pipes and files alone.",
    r"^crash,|its process ended": "Nothing may end its process: no os._exit, no signal, no crash in machine code.",
}

HINTS_THAT_FIT = {
    "loads": LOAD_HINTS,
    "tables": TABLE_HINTS,
    "legal": {
        r"^bad type,": "Return a Turn: Turn(card) or Turn(card, placement), the card one of view.hand.",
        r"^illegal loss,": "Return one of the `seats` that choose_loss is asked about.",
    },
}
"""By name of a check, in the order in which they are tried: what its words hold, and the hint."""

COMPILES = (
    "It compiles kernels, and in a jail does so anew in each process, within its time and memory. If it is yours, "
    "check and play it with level: trusted; else write it with numpy alone."
)
"""What is said instead where a bot that compiles fails by its time or its memory in a process of its own."""


def hint(check: str, found: str, compiles: bool) -> str:
    """Return how to mend what a check found; compiles: whether a bot in a process of its own compiles there."""
    if compiles and (check in ("latency", "memory") or "was not loaded after" in found or "MemoryError" in found):
        return COMPILES
    fitting = HINTS_THAT_FIT.get(check, {})
    return next((text for words, text in fitting.items() if re.search(words, found, re.MULTILINE)), HINTS[check])
