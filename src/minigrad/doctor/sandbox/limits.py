"""Limits of a fenced program, its environment, and the command that holds it to them.

The limits of the system are set by the child itself, in the first lines that it runs.  On Linux these lines
come after those of `supervisor.py`.
"""

from __future__ import annotations

import functools
import math
import os
import site
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pkgutil import get_data

from .process_tree import threads_of_user

__all__ = ["MARK", "RESULTS", "Limits", "clean_environment", "limited_command"]

MARK, RESULTS = "MINIGRAD_CONFINED", "MINIGRAD_RESULTS"
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
SLACK = 1024  # threads that other programs of the user may start meanwhile
NAMESPACES = True  # False: a supervisor makes none even where it may, which is for tests


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use; sizes are in bytes, times in seconds."""

    wall: float = 20.0
    cpu: float = 10.0  # of all its processes together
    idle: float = math.inf  # of `wall`, in which all its processes sleep; known on Linux alone
    memory: int = 16 * GIB  # addresses: torch takes several gigabytes of them and uses few
    resident: int = 2 * GIB  # memory in use, of all its processes together
    processes: int = 32
    threads: int = 256  # of all its processes together
    open_files: int = 256
    file: int = 64 * MIB  # one file
    folder: int = 256 * MIB  # all that is in its folder
    output: int = 64 * MIB  # printed; beyond it the program is ended
    output_kept: int = 64 * KIB  # of what is printed: the beginning and the end
    results: int = 100_000
    result_line: int = 256 * KIB
    results_size: int = 16 * MIB


def clean_environment(folder: str, mark: str, hash_seed: int, path: Sequence[str]) -> dict[str, str]:
    """Nothing of the caller's but what a Python needs to start."""
    kept = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
    libraries = ("OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMEXPR_NUM", "VECLIB_MAXIMUM")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {f"{library}_THREADS": "1" for library in libraries}
    environment |= dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "USERPROFILE"), folder)
    environment |= {
        MARK: mark,
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "CUDA_VISIBLE_DEVICES": "",
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONFAULTHANDLER": "1",  # a crash prints the line where it happened
        "PYTHONIOENCODING": "utf-8:backslashreplace",
        "PYTHONUNBUFFERED": "1",  # what is printed before a crash must not be lost in it
    }
    if path:
        environment["PYTHONPATH"] = os.pathsep.join(path)
    if site.ENABLE_USER_SITE and site.USER_BASE:  # it would be looked for below HOME
        environment["PYTHONUSERBASE"] = site.USER_BASE
    return environment


# What the child does first.  It sets its own limits, because a function that runs between fork and
# exec is not safe in a program with threads, and then becomes the program: limits outlast that.  So
# does the alarm, which ends a program whose caller was killed and can end it no more.  Of all
# processes, it is the first to go when the machine's memory is used up.  A text for this very Python
# is run where it is: to start another one takes as long again as all this.
BOOT = """
import os, resource, sys
for limit in sys.argv[1].split(","):
    name, _, number = limit.partition("=")
    try:
        which = getattr(resource, "RLIMIT_" + name)
        top = resource.getrlimit(which)[1]
        soft = int(number) if top == resource.RLIM_INFINITY else min(int(number), top)
        hard = soft + 1 if name == "CPU" and (top == resource.RLIM_INFINITY or soft < top) else soft
        resource.setrlimit(which, (soft, hard))
    except (AttributeError, ValueError, OSError):
        pass
if sys.argv[2] != "None":
    os.sched_setaffinity(0, {int(sys.argv[2])})
try:
    import _signal
    _signal.alarm(int(sys.argv[3]))
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
except (ImportError, OSError):
    pass
"""
BECOME = "os.execvp(sys.argv[4], sys.argv[4:])\n"
GO_ON = """
text, sys.argv[:] = sys.argv[4], ["-c"]
code = compile(text, "<string>", "exec", dont_inherit=True)
exec(code, {"__name__": "__main__", "__builtins__": __builtins__})
"""


def limited_command(argv: Sequence[str], limits: Limits, processor: int | None) -> list[str]:
    """The command that sets the limits, binds itself to a processor, and then becomes `argv`."""
    wanted = {
        "CPU": math.ceil(limits.cpu),
        "AS": limits.memory,
        "FSIZE": limits.file,
        "NOFILE": limits.open_files,
        "CORE": 0,
    }
    if taken := _threads_taken():
        wanted["NPROC"] = taken + limits.processes + limits.threads + SLACK
    text = ",".join(f"{name}={number}" for name, number in wanted.items())
    alarm = str(math.ceil(limits.wall) + 5)
    # Of one length, like all that differs from run to run: else what the program makes would lie elsewhere.
    where = "None" if processor is None else f"{processor:04}"
    boot = _supervision() + BOOT
    if argv[0] == sys.executable and [*argv[-2:-1]] == ["-c"]:
        return [*argv[:-1], boot + GO_ON, text, where, alarm, argv[-1]]
    return [sys.executable, "-I", "-S", "-c", boot + BECOME, text, where, alarm, *argv]


def _supervision() -> str:
    """The lines after which a child goes on as the program below its supervisor; none but on Linux."""
    if sys.platform != "linux":
        return ""
    return f"{_supervisor()}\nsupervise({NAMESPACES}, {os.getpid():>10})\n"


@functools.cache
def _supervisor() -> str:
    text = get_data(__package__ or "", "supervisor.py")
    assert text is not None
    return text.decode("utf-8")


@functools.cache
def _threads_taken() -> int:
    """The system counts all threads of the user against this limit, so what runs already is added to it.

    It only slows down a fork bomb that outruns whoever watches it, and does not bind root at all.
    """
    return threads_of_user(os.getuid()) if os.getuid() else 0
