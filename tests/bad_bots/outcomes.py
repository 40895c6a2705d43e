"""What every bad bot must cost: one row each.

| column | meaning |
|---|---|
| bot | file and class (if one is named), as in a config, below this folder; `way`: its parameter of that name |
| kinds | the names of the FaultKinds it may be charged with; at least one of them, unless `ok` is a price |
| price | what it pays: `ok` nothing, `move` default turns (three in a game forfeit it), `game` forfeits, `run` all |
| where | the layout of `arena.LAYOUTS` it plays in |
| long | why only `benchmarks/battery.py` plays it, or nothing |
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

ANY = "ILLEGAL BAD_TYPE EXCEPTION EXIT TIMEOUT CRASH MEMORY FORBIDDEN PROTOCOL LOAD"
"""Charges of a bot that wrecks the harness's side of its own process: what exactly breaks first is its own affair."""

SLEEPS = "another one that waits out the wall clock"
ALIKE = "much like another"
IN_MANY = "answers.py:Many tries all of them"
IN_WALLS = "tests/play/test_jail_walls.py tries all of them"
QUICK_WAYS = ("read_opponent", "write_results", "chmod", "tcp", "kill_parent", "ptrace", "x32_fork")


@dataclass(frozen=True)
class Case:
    """A bad bot and what it must cost."""

    bot: str
    kinds: frozenset[str]
    prices: frozenset[str]
    where: str = "duel"
    long: str = ""
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What tables and tests call it, fit to name a folder."""
        file, _, name = self.bot.partition(".py")
        return "-".join([file, *filter(None, [name.lstrip(":")]), *map(_word, self.params.values())])

    @property
    def is_batch(self) -> bool:
        """Whether it is a bot of the fast level, whose process holds numpy."""
        return self.bot.startswith("batches.py")


def _word(value: Any) -> str:
    """A parameter as part of a name: of a list its first word and its length."""
    return f"{value[0]}-{len(value)}" if isinstance(value, list) else str(value)


ROWS = [
    # bot, kinds, price[, where[, long]]
    ("hangs.py:Loop", "TIMEOUT", "game"),
    ("hangs.py:Sleep", "TIMEOUT", "game", "once"),
    ("hangs.py:Lock", "TIMEOUT", "game", "once", SLEEPS),
    ("hangs.py:Regex", "TIMEOUT", "game", "once"),
    ("hangs.py:HugePower", "TIMEOUT MEMORY", "game", "once"),
    ("hangs.py:Exhaust", "TIMEOUT", "game", "once"),
    ("hangs.py:Deaf", "TIMEOUT", "game", "once"),
    ("hangs.py:Swallow", "TIMEOUT", "game", "once"),
    ("hangs.py:Join", "TIMEOUT", "game", "once", SLEEPS),
    ("hangs.py:Poll", "TIMEOUT", "game", "once", SLEEPS),
    ("hangs.py:Pause", "TIMEOUT", "game", "once", SLEEPS),
    ("hangs.py:Busy", "TIMEOUT", "game", "once"),
    ("hangs.py:Dozes", "TIMEOUT", "game", "once"),
    ("hangs.py:Late", "TIMEOUT", "game", "once"),
    ("hangs.py:Losing", "TIMEOUT", "game|ok"),
    ("hangs.py:Last", "TIMEOUT", "game", "once", SLEEPS),
    ("hangs.py:Brink", "", "ok", "once"),
    ("hangs.py:AnswerThenHang", "TIMEOUT", "game", "once"),
    ("hangs.py:Partner", "TIMEOUT", "game|ok", "teams"),
    ("crashes.py:Exit0", "CRASH", "game"),
    ("crashes.py:Exit7", "CRASH", "game", "once"),
    ("crashes.py:Abort", "CRASH", "game"),
    ("crashes.py:Segfault", "CRASH", "game"),
    ("crashes.py:FaultHandler", "CRASH", "game", "once"),
    ("crashes.py:KillSelf", "CRASH FORBIDDEN", "game"),
    ("crashes.py:RaiseSignal", "CRASH FORBIDDEN", "game"),
    ("crashes.py:RealTime", "CRASH FORBIDDEN", "game", "once"),
    ("crashes.py:StopSelf", "TIMEOUT FORBIDDEN", "game", "once"),
    ("crashes.py:StopThread", "TIMEOUT FORBIDDEN", "game", "once"),
    ("crashes.py:BadCode", "CRASH", "game", "once"),
    ("crashes.py:NoneGone", "CRASH", "game", "once"),
    ("crashes.py:DeepC", "CRASH MEMORY TIMEOUT", "game", "once"),
    ("crashes.py:FromThread", "CRASH", "game", "once"),
    ("crashes.py:AfterAnswer", "CRASH", "game"),
    ("crashes.py:CloseAll", "CRASH PROTOCOL", "game|run"),
    ("crashes.py:OwnLimit", "EXCEPTION", "move", "once"),
    ("exits.py:SysExit", "EXIT", "game"),
    ("exits.py:Interrupt", "EXIT", "game"),
    ("exits.py:GenExit", "EXIT", "game"),
    ("exits.py:Cancelled", "EXIT TIMEOUT", "game"),
    ("exits.py:Own", "EXIT", "game"),
    ("exits.py:ManyAtOnce", "EXIT", "game"),
    ("exits.py:AtExit", "", "ok"),
    ("exits.py:InLoss", "EXIT", "game|ok", "teams"),
    ("exceptions.py:Always", "EXCEPTION", "move"),
    ("exceptions.py:LongMessage", "EXCEPTION", "move"),
    ("exceptions.py:LongName", "EXCEPTION", "move"),
    ("exceptions.py:StrRaises", "EXCEPTION", "move"),
    ("exceptions.py:StrExits", "EXCEPTION", "move"),
    ("exceptions.py:StrIsNumber", "EXCEPTION", "move"),
    ("exceptions.py:StrHangs", "TIMEOUT", "game", "once"),
    ("exceptions.py:Terminal", "EXCEPTION", "move"),
    ("exceptions.py:Html", "EXCEPTION", "move"),
    ("exceptions.py:Surrogate", "EXCEPTION", "move"),
    ("exceptions.py:Recursion", "EXCEPTION", "move"),
    ("exceptions.py:Chain", "EXCEPTION", "move"),
    ("exceptions.py:Circle", "EXCEPTION", "move"),
    ("exceptions.py:Group", "EXCEPTION", "move"),
    ("exceptions.py:Stop", "EXCEPTION", "move"),
    ("exceptions.py:Assertion", "EXCEPTION", "move", "duel", ALIKE),
    ("exceptions.py:NotImplementedYet", "EXCEPTION", "move"),
    ("exceptions.py:Traces", "EXCEPTION CRASH PROTOCOL EXIT", "move|game|run"),
    ("exceptions.py:Pickle", "EXCEPTION", "move"),
    ("answers.py:Always", "BAD_TYPE", "move"),
    ("memory.py:Bytes", "MEMORY", "game"),
    ("memory.py:Numpy", "MEMORY", "game"),
    ("memory.py:List", "MEMORY", "game"),
    ("memory.py:Doubling", "MEMORY TIMEOUT", "game", "once"),
    ("memory.py:Collect", "MEMORY TIMEOUT", "game", "once"),
    ("memory.py:Map", "MEMORY EXCEPTION TIMEOUT", "game|move", "once"),
    ("memory.py:Malloc", "MEMORY TIMEOUT", "game", "once"),
    ("memory.py:MemFd", "MEMORY FORBIDDEN", "game"),
    ("memory.py:Leak", "MEMORY", "game"),
    ("memory.py:Catching", "MEMORY TIMEOUT CRASH", "game", "once"),
    ("memory.py:Raised", "MEMORY", "game"),
    ("memory.py:Recursion", "MEMORY CRASH EXCEPTION TIMEOUT", "game|move", "once"),
    ("memory.py:Threads", "MEMORY EXCEPTION FORBIDDEN TIMEOUT", "game|move"),
    ("memory.py:BigAnswer", "", "ok"),
    ("forks.py:Fork", "FORBIDDEN", "game"),
    ("forks.py:ForkBomb", "TIMEOUT", "game", "once"),
    ("forks.py:Daemon", "FORBIDDEN", "game"),
    ("forks.py:Subprocess", "FORBIDDEN EXCEPTION", "game|move"),
    ("forks.py:Spawn", "FORBIDDEN", "game"),
    ("forks.py:System", "FORBIDDEN", "game"),
    ("forks.py:Exec", "FORBIDDEN", "game"),
    ("forks.py:ExecPython", "FORBIDDEN CRASH PROTOCOL", "game|run"),
    ("forks.py:Processes", "FORBIDDEN", "game"),
    ("forks.py:Clone", "FORBIDDEN", "game"),
    ("forks.py:Clone3", "FORBIDDEN", "game"),
    ("forks.py:FromThread", "FORBIDDEN", "game"),
    ("threads.py:Spin", "TIMEOUT", "ok|game"),
    ("threads.py:Stay", "", "ok"),
    ("threads.py:Exiting", "", "ok"),
    ("threads.py:Headless", "TIMEOUT CRASH", "game", "once"),
    ("threads.py:Switch", "TIMEOUT", "game", "once"),
    ("noise.py:Names", "", "ok"),
    ("noise.py:Prints", "", "ok"),
    ("noise.py:Raw", "", "ok"),
    ("noise.py:Logs", "", "ok"),
    ("noise.py:Closes", "", "ok"),
    ("noise.py:Reads", "", "ok"),
    ("insides.py:PatchBuiltins", ANY, "move|game|run|ok"),
    ("insides.py:PatchRandom", "", "ok"),
    ("insides.py:PatchHarness", ANY, "move|game|run|ok"),
    ("insides.py:PatchTurn", ANY, "move|game|run|ok"),
    ("insides.py:Vandal", ANY, "move|game|run|ok"),
    ("insides.py:Frozen", "", "ok"),
    ("insides.py:Garbage", ANY, "move|game|run|ok"),
    ("insides.py:Frames", ANY, "move|game|run|ok"),
    ("insides.py:Modules", ANY, "move|game|run|ok"),
    ("insides.py:Collector", "", "ok"),
    ("insides.py:SmallInts", ANY, "move|game|run|ok"),
    ("insides.py:Hook", "", "ok"),
    ("insides.py:Audit", ANY, "move|game|run|ok"),
    ("insides.py:StopWorld", ANY, "move|game|run|ok"),
    ("classes.py:NewIsNumber", "LOAD EXCEPTION", "run|move"),
    ("classes.py:Grudging", "EXCEPTION LOAD", "move|run"),
    ("classes.py:NoAct", "EXCEPTION LOAD", "move|run"),
    ("classes.py:WrongArguments", "EXCEPTION", "move"),
    ("classes.py:Generator", "BAD_TYPE", "move"),
    ("classes.py:Coroutine", "BAD_TYPE", "move"),
    ("classes.py:Secretive", "LOAD EXIT", "run|game"),
    ("classes.py:Strange", "", "ok"),
    ("classes.py:NeedsMore", "LOAD", "run"),
    ("classes.py:InitRaises", "LOAD", "run"),
    ("classes.py:InitExits", "LOAD", "run"),
    ("classes.py:InitHangs", "LOAD", "run", "once"),
    ("classes.py:InitCrashes", "LOAD", "run"),
    ("classes.py:InitEats", "LOAD", "run"),
    ("classes.py:InitForks", "LOAD", "run"),
    ("classes.py:NotABot", "LOAD", "run"),
    ("classes.py:NoSuchClass", "LOAD", "run"),
    ("syntax_error.py:Broken", "LOAD", "run"),
    ("null_byte.py:Broken", "LOAD", "run"),
    ("not_utf8.py:Broken", "LOAD", "run"),
    ("empty.py:Nobody", "LOAD", "run"),
    ("no_bot.py:Nobody", "LOAD", "run"),
    ("two_bots.py:Three", "LOAD", "run"),
    ("missing_package.py:Missing", "LOAD", "run"),
    ("import_hang.py:Hang", "LOAD", "run", "once", "as classes.py:InitHangs"),
    ("import_sleep.py:Sleep", "LOAD", "run", "once", SLEEPS),
    ("import_exit.py:Exit", "LOAD", "run"),
    ("import_crash.py:Crash", "LOAD", "run"),
    ("import_raises.py:Raises", "LOAD", "run"),
    ("import_writes.py:Writes", "LOAD", "run"),
    ("import_memory.py:Memory", "LOAD", "run"),
    ("import_fork.py:Fork", "LOAD", "run"),
    ("import_forges.py:Forges", "LOAD PROTOCOL", "run"),
    ("import_lies.py:Lies", "TIMEOUT LOAD PROTOCOL", "game|run", "once"),
    ("protocol.py:ForgedAck", "PROTOCOL", "run"),
    ("protocol.py:Flood", "PROTOCOL", "run", "once"),
    ("protocol.py:Half", "PROTOCOL TIMEOUT", "run|game", "once"),
    ("protocol.py:TrueToken", "PROTOCOL", "run"),
    ("protocol.py:Nested", "PROTOCOL", "run"),
    ("protocol.py:Strange", "PROTOCOL", "run"),
    ("protocol.py:Plain", "PROTOCOL", "run"),
    ("protocol.py:EarlyByte", "PROTOCOL TIMEOUT", "run|game", "once"),
    ("protocol.py:Promise", "PROTOCOL", "run"),
    ("protocol.py:ReadsOwnQuestions", "TIMEOUT", "game", "once", SLEEPS),
    ("protocol.py:Hangup", "CRASH PROTOCOL", "game|run", "once"),
    ("protocol.py:Counter", "TIMEOUT", "game", "many"),
    ("protocol.py:CounterFar", "TIMEOUT PROTOCOL", "game|run", "many"),
    ("protocol.py:Scribble", "ILLEGAL BAD_TYPE EXCEPTION TIMEOUT PROTOCOL", "ok|move|game|run"),
    ("protocol.py:Rewrite", "EXCEPTION", "move"),
    ("protocol.py:Unprotect", "FORBIDDEN", "game"),
    ("protocol.py:Truncate", "FORBIDDEN PROTOCOL EXCEPTION CRASH", "game|run|move"),
    ("protocol.py:OpenTruncate", "FORBIDDEN PROTOCOL EXCEPTION CRASH LOAD", "game|run|move"),
    ("protocol.py:HandleTruncate", "FORBIDDEN PROTOCOL EXCEPTION CRASH", "ok|game|run|move"),
    ("protocol.py:MapTruncate", "FORBIDDEN PROTOCOL EXCEPTION CRASH LOAD", "game|run|move"),
    ("protocol.py:Punch", "FORBIDDEN PROTOCOL EXCEPTION ILLEGAL CRASH", "ok|game|run|move"),
    ("protocol.py:Grow", "FORBIDDEN PROTOCOL EXCEPTION CRASH MEMORY", "game|run|move"),
    ("batches.py:Honest", "", "ok", "once"),
    ("batches.py:Writes", "EXCEPTION", "move", "once"),
    ("batches.py:SetFlags", "EXCEPTION", "move", "once"),
    ("batches.py:Mute", "ILLEGAL", "move", "once", ALIKE),
    ("batches.py:Wild", "ILLEGAL", "move", "once"),
    ("batches.py:Raises", "EXCEPTION", "move", "once"),
    ("batches.py:RaisesAtSome", "EXCEPTION", "move", "once"),
    ("batches.py:Exits", "EXIT", "game", "once"),
    ("batches.py:Hangs", "TIMEOUT", "game", "once"),
    ("batches.py:Sleeps", "TIMEOUT", "game", "once", SLEEPS),
    ("batches.py:Crashes", "CRASH", "game", "once"),
    ("batches.py:Eats", "MEMORY", "game", "once"),
    ("batches.py:Beyond", "CRASH", "game", "once"),
    ("batches.py:Keeps", "", "ok", "once"),
    ("batches.py:Resizes", "ILLEGAL EXCEPTION", "ok|move", "once"),
    ("batches.py:Float", "ILLEGAL", "move", "once", ALIKE),
    ("batches.py:PatchNumpy", ANY, "ok|move|game|run", "once"),
    ("tells.py:Counts", "", "ok"),
    ("tells.py:Rebuilt", "CRASH", "game|ok", "many"),
    ("tells.py:RebuiltHang", "TIMEOUT", "game|ok", "many"),
    ("tells.py:Alone", "", "ok", "copies"),
    ("tells.py:Urandom", "", "ok"),
    ("tells.py:Clock", "", "ok"),
    ("tells.py:Address", "", "ok"),
    ("tells.py:Hash", "", "ok", "duel", ALIKE),
    ("tells.py:Roulette", "CRASH EXIT TIMEOUT EXCEPTION", "ok|move|game", "four"),
    ("tells.py:Good", "", "ok", "four"),
]  # fmt: skip

BAD_TYPES = (
    "none true number nan text megabyte card list dict generator class module view nested raising posing named_tuple "
    "kin pickle exception reveal_none reveal_text reveal_tuple reveal_kin reveal_unhashable reveal_raising place_tuple "
    "place_true place_unhashable experts_float experts_true experts_nan experts_decimal experts_sly experts_none "
    "experts_vast experts_minus_vast experts_2_16 experts_2_64 occasionals_sly signal_none signal_vast"
).split()
ILLEGALS = (
    "reveal_nan signal_minus not_held no_such_card no_such_city too_many nobody minus_one occasional_first "
    "chicago_first signal"
).split()
BAD_LOSSES = "none true sly vast other nan raising".split()

FILES = (
    "read_config read_opponent read_neighbour list_root list_bots read_passwords read_parent read_parent_maps "
    "read_parent_secrets read_parent_arguments read_parent_files write_results write_config write_opponent write_self "
    "write_here write_home write_tmp write_shm write_100_mb make_folder make_link make_hard_link make_fifo delete "
    "delete_tree rename chmod chmod_self chown touch attribute truncate write_byte_code write_python look_around"
).split()
NETWORK = "tcp udp dns http listen abstract unix raw netlink vsock".split()
KERNEL = (
    "ptrace read_parent write_parent kill_parent ask_parent signal_all signal_group tgkill_parent queue_parent "
    "pidfd_parent pidfd_getfd slow_parent pin_parent limit_parent unshare setns userfaultfd io_uring bpf perf mount "
    "chroot pivot module kexec reboot swap clock hostname keyring shared_memory semaphore message_queue posix_queue "
    "personality quota handle kcmp x32_fork fanotify timer pages cached warm evict long_lock long_death look_at_parent "
    "powers_of_parent powers user marks owner"
).split()
CHANNELS = (
    "files neighbours socket bind netlink port key segment shared flock range lease nice limit affinity name "
    "environment times pages long timers"
).split()


def _cases() -> Iterator[Case]:
    for bot, kinds, price, *rest in ROWS:
        yield Case(bot, frozenset(kinds.split()), frozenset(price.split("|")), *rest)
    bad_type, illegal, move = frozenset({"BAD_TYPE"}), frozenset({"ILLEGAL"}), frozenset({"move"})
    yield Case("answers.py:Many", bad_type, move, "crowd", params={"ways": BAD_TYPES})
    yield Case("answers.py:Many", illegal | bad_type, move, "crowd", params={"ways": ILLEGALS})
    for way in ("hash_hangs", "card_hash_hangs"):
        yield Case("answers.py:Answers", bad_type | {"TIMEOUT"}, move | {"game"}, "once", params={"way": way})
    for way in BAD_TYPES:
        yield Case("answers.py:Answers", bad_type, move, long=IN_MANY, params={"way": way})
    for way in ILLEGALS:
        kinds = illegal | bad_type if "signal" in way else illegal
        yield Case("answers.py:Answers", kinds, move, long=IN_MANY, params={"way": way})
    for way in BAD_LOSSES:
        long = "" if way == "sly" else ALIKE
        yield Case("answers.py:Losses", frozenset({"BAD_LOSS"}), move | {"ok"}, "teams", long, {"way": way})
    for file, ways in (("files.py:Files", FILES), ("network.py:Network", NETWORK), ("kernel.py:Kernel", KERNEL)):
        for way in ways:
            long = "" if way in QUICK_WAYS else IN_WALLS
            yield Case(file, frozenset({"FORBIDDEN"}), frozenset({"game"}), "duel", long, {"way": way})


CASES = tuple(_cases())
"""All bad bots. The channels of `covert.py` are tried apart: what they tell is what counts."""
