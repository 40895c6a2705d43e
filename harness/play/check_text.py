"""What was seen of a bot, judged: named checks, each with what was found and how to mend what fails."""

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import takewhile

import numpy as np

from harness.game.history import read_events
from harness.game.lexicon import Lexicon
from harness.game.rules import usual_rules
from harness.play.check import CUTS, KEPT, Examined, Seen
from harness.play.check_games import GameId
from harness.play.check_hints import HINTS, hint
from harness.play.checkup import Check, Checkup, Result
from harness.play.faults import GIVEN_UP, HARNESS, Fault, FaultKind, plain
from harness.play.sources import has_kernels
from harness.play.timed import HUNG

CHECKS = tuple(HINTS)
"""The checks in the order in which they end."""

OF_KIND = {
    FaultKind.LOAD: "loads",
    FaultKind.ILLEGAL: "legal",
    FaultKind.BAD_TYPE: "legal",
    FaultKind.BAD_LOSS: "legal",
    FaultKind.TIMEOUT: "latency",
    FaultKind.MEMORY: "memory",
    FaultKind.FORBIDDEN: "jail",
}
"""The check that each kind of fault fails; all others fail "tables"."""

WARNING = re.compile(r"^(.*?:\d+: \w*Warning: .*)\n(?:  .*\n?)?", re.MULTILINE)
"""A warning as Python prints it, with the line of source that follows."""

BROKEN_OFF = "its games were broken off"

SHOWN = 5
"""Lines of output that are shown."""


def ended(seen: Examined) -> tuple[Check, ...]:
    """Return the first checks, in their order, as far as the rounds played decide them."""
    decided_by = {"repeats": seen.again, "independent": seen.apart, "jail": seen.jailed}
    checks = judge(seen).checks if seen.first else ()
    return tuple(takewhile(lambda check: decided_by.get(check.name, seen.first) is not None, checks))


def judge(seen: Examined) -> Checkup:
    """Return what the checks say of a bot."""
    found = _Judge(seen).checks()
    spec = seen.spec
    compiles = spec is not None and spec.level != "trusted" and has_kernels(spec.reference)
    checks = [
        Check(name, result, said, hint(name, said, compiles) if result == "fail" else "")
        for name, (result, said) in ((name, found[name]) for name in CHECKS)
    ]
    name, version, level = (spec.name, spec.version, spec.level) if spec else (seen.reference, "", "")
    return Checkup(name, version, level, tuple(checks))


Finding = tuple[Result, str]


class _Judge:
    def __init__(self, seen: Examined) -> None:
        self.seen = seen
        self.limits = seen.limits
        self.level = seen.spec.level if seen.spec else ""
        self.faults: defaultdict[str, list[tuple[GameId, Fault]]] = defaultdict(list)
        for game, fault in seen.first.faults if seen.first else []:
            if fault.kind is not FaultKind.OUT:
                self.faults[OF_KIND.get(fault.kind, "tables")].append((game, fault))

    def checks(self) -> dict[str, Finding]:
        first = self.seen.first
        if first is None or self.faults["loads"]:
            found: dict[str, Finding] = dict.fromkeys(CHECKS, ("skipped", "it does not load"))
            return found | {"loads": ("fail", self.seen.load_error or self.faults["loads"][0][1].message)}
        said, warned = _output(first.usage.output)
        return {
            "loads": self._loads(first),
            "tables": self._tables(first),
            "legal": self._faulty("legal") or self._legal(first),
            "repeats": self._repeats(first),
            "independent": self._independent(first),
            "latency": self._latency(first),
            "memory": self._memory(first),
            "jail": self._jail(first),
            "output": ("fail", _shown(said)) if said else ("pass", "prints nothing"),
            "warnings": ("fail", _shown(warned)) if warned else ("pass", "raises none"),
        }

    def _faulty(self, name: str) -> Finding | None:
        """Return the failure of a check that faults fail, each kind with its first; None where there is none."""
        return ("fail", told(self.faults[name])) if self.faults[name] else None

    def _loads(self, first: Seen) -> Finding:
        took = f"{first.load_s:.2f} s of CPU time; it has {self.limits.load_s:g} s"
        return ("fail" if first.load_s > self.limits.load_s else "pass"), took

    def _tables(self, first: Seen) -> Finding:
        if first.ended is FaultKind.CRASH:
            return "fail", "its process ended while it played; the last that it printed stands under output"
        if failure := self._faulty("tables"):
            return failure
        if first.ended or not self._is_whole(first):
            return "skipped", BROKEN_OFF
        alone = sum(game.alone for game in first.histories)
        others = len(first.histories) - alone
        sizes = sorted({game.players for game in first.histories})
        return "pass", f"{sizes[0]} to {sizes[-1]} players: {alone} games with itself, {others} with greedy and random"

    def _is_whole(self, first: Seen) -> bool:
        return not (first.is_cut or any(fault.kind in CUTS for _, fault in first.faults))

    def _legal(self, first: Seen) -> Finding:
        took_none = bool(first.faults) and len(first.faults) >= len(first.decisions_s())
        return ("skipped", "it took no turn") if took_none else ("pass", "every turn that it took")

    def _repeats(self, first: Seen) -> Finding:
        if self.seen.again is None:
            return "skipped", BROKEN_OFF
        if different := difference(first, self.seen.again):
            return "fail", f"the same games, once more, go otherwise: {different}"
        return "pass", "the same games again"

    def _independent(self, first: Seen) -> Finding:
        if self.seen.again is None or self.seen.apart is None:
            return "skipped", BROKEN_OFF
        if difference(first, self.seen.again):
            return "skipped", "its games are never the same"
        if different := difference(first, self.seen.apart):
            return "fail", f"in another order and beside other games, they go otherwise: {different}"
        return "pass", "the same games in another order, alone and beside others"

    def _latency(self, first: Seen) -> Finding:
        limits = self.limits
        allowed = f"{limits.turn_ms} ms for a decision and {limits.bank_ms} ms more for a game"
        if first.ended is FaultKind.TIMEOUT:
            return "fail", "\n".join([f"never answered; it has {allowed}", *_hung_at(first.usage.output)])
        failure = self._faulty("latency")
        if not first.usage.rows:
            return failure or ("skipped", "no decision was timed")
        median, most, worst = _milliseconds(first)
        figures = f"median {median:.2f} ms, 99 % within {most:.2f}, worst {worst:.2f}; it has {allowed}"
        if failure:
            return "fail", f"{figures}\n{failure[1]}"
        if first.is_cut and first.is_late(limits.turn_ms / 1000):
            return "fail", f"{figures}\none decision in a hundred may take longer"
        if most > limits.turn_ms:
            return "fail", f"{figures}\nlives on its bank, which another machine may empty"
        return "pass", figures

    def _memory(self, first: Seen) -> Finding:
        used = f"{first.usage.peak_memory_mb:.0f} MB of {self.limits.memory_mb} MB"
        if failure := self._faulty("memory"):
            return "fail", f"{used}\n{failure[1]}"
        if first.ended:
            return "skipped", "its process ended"
        return ("fail" if first.usage.peak_memory_mb > self.limits.memory_mb else "pass"), used

    def _jail(self, first: Seen) -> Finding:
        seen = self.seen
        if self.level == "jailed" and not seen.no_jail:
            if failure := self._faulty("jail"):
                return failure
            whole = self._is_whole(first)
            return ("pass", "all these games were played in the jail") if whole else ("skipped", BROKEN_OFF)
        if seen.jailed is None:
            return "skipped", seen.no_jail or BROKEN_OFF
        if first.usage.peak_memory_mb > self.limits.memory_mb:
            return "skipped", "it wants more memory than a jail gives"
        if any(other and difference(first, other) for other in (seen.again, seen.apart)):
            return "skipped", "its games go otherwise without a jail, too"
        if seen.jailed.cuts:
            return "fail", f"in the jail, its games are broken off\n{told(seen.jailed.faults)}"
        if different := difference(first, seen.jailed):
            faults = told(seen.jailed.faults)
            return "fail", f"in the jail, its games go otherwise: {different}" + (f"\n{faults}" if faults else "")
        return "pass", "the same games in the jail"


def told(faults: Iterable[tuple[GameId, Fault]]) -> str:
    """Return faults in words, a line for each kind: how often, and the first of them."""
    kinds: defaultdict[FaultKind, list[tuple[GameId, Fault]]] = defaultdict(list)
    for game, fault in faults:
        if not fault.message.startswith(GIVEN_UP):  # its cause is there, too
            kinds[fault.kind].append((game, fault))
    lines = []
    for kind, all_of_it in kinds.items():
        game, fault = all_of_it[0]
        when = f"turn {fault.turn}" if fault.turn else "the reckoning"
        place = f"{game}, hand {fault.hand}, {when}, seat {fault.seat}"
        often = f"{len(all_of_it)} times; the first" if len(all_of_it) > 1 else "once"
        lines.append(f"{kind.value}, {often}: {place}: {fault.message}")
    return "\n".join(lines)


def difference(one: Seen, other: Seen) -> str:
    """Return in words where two rounds of the same games part first; nothing where they are the same."""
    if other.ended:
        return "its process ended"
    games = [game for game in one.histories if game in other.histories and one.histories[game] != other.histories[game]]
    if not games:
        return ""
    lexicon = Lexicon(usual_rules(games[0].players))
    a, b = (read_events(seen.histories[games[0]], lexicon) for seen in (one, other))
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    once, then = (str(events[at]) if at < len(events) else "nothing more" for events in (a, b))
    return f"{len(games)} of {len(other.histories)}\nthe first: {games[0]}\nonce: {once}\nthen: {then}"


def _milliseconds(seen: Seen) -> tuple[float, float, float]:
    """Return median, 99th percentile and most of the milliseconds that decisions took."""
    each = 1000 * seen.decisions_s()
    median, most = np.percentile(each, (50, 99))
    return float(median), float(most), float(each.max())


def _output(text: str) -> tuple[list[str], list[str]]:
    """Return what was printed and what was warned of, line by line."""
    text = text.partition(HUNG)[0]
    if len(text) >= KEPT:
        text = text.partition("\n")[2]  # only its end was kept
    warned = list(dict.fromkeys(WARNING.findall(text)))
    return [line for line in WARNING.sub("", text).splitlines() if line.strip()], warned


def _shown(lines: list[str]) -> str:
    more = len(lines) - SHOWN
    return "\n".join([*map(plain, lines[:SHOWN]), *([f"... and at least {more} lines more"] if more > 0 else [])])


def _hung_at(text: str) -> list[str]:
    """Return where it hung, innermost first, as far as that is no line of the harness."""
    lines = text.partition(HUNG)[2].splitlines()[2:]
    return [plain(line.strip()) for line in takewhile(lambda line: HARNESS not in line, lines)]
