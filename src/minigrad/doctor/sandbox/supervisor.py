"""Supervisor of a fenced program on Linux: two processes above it that end everything that comes from it.

The text of this file is what the Python of the program runs first, before anything of a user's; `supervise`
returns in the program alone.  It imports nothing of minigrad.

    minigrad -> outer -> inner -> program -> whatever the program starts

Inner is the first process of a PID namespace.  When it ends, the system kills every process of the namespace,
whatever session, parent, folder or environment that process has.  The program cannot signal inner, and it has
no number for outer.  Root makes the namespace directly; other users make a user namespace with it, in which
they are who they were and which gives the program no capabilities.

Where namespaces are not permitted (some containers, some hardened systems), both are subreapers: a process
whose parent ends becomes a child of inner, and of outer once inner is gone.  Each of them kills its children
until it has none, and only then ends.  There the program can still kill or stop both of them, one after the
other, if it looks for them; then `process_tree.Descendants` ends what it has seen of the program.

Outer ends as the program did, with its exit code or by its signal.  It ends everything when minigrad ends,
however that happens, and when it gets SIGTERM.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal

__all__ = ["children_in_stat", "supervise"]

SET_PARENT_DEATH_SIGNAL, SET_NAME, GET_NAME, SET_CHILD_SUBREAPER = 1, 15, 16, 36  # of prctl
NEW_USER, NEW_PID = 0x10000000, 0x20000000  # of unshare
SPACE_NAME = b"minigrad-space"  # says outside that there is a namespace; `process_tree.py` reads it
CAPABILITY_VERSION = 0x20080522
PAUSE = 0.01  # seconds until children are looked for again that were not there at the last look

_system = ctypes.CDLL(None)


def supervise(namespaces: bool, caller: int) -> None:
    """Fork twice and return in the program, which has a session of its own.

    `caller` is the process number of the minigrad that started this one.
    """
    usual_name = ctypes.create_string_buffer(16)
    _system.prctl(GET_NAME, usual_name, 0, 0, 0)
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored, nothing can be waited for
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # outer is to end as the program did, and without a dump
    _system.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    outer, space = os.getpid(), _unshare() if namespaces else None
    if space:
        _system.prctl(SET_NAME, SPACE_NAME, 0, 0, 0)
    _system.prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
    if os.getppid() != caller:  # it ended before we asked to be told
        os._exit(1)
    reading, writing = os.pipe()
    inner = os.fork()
    if inner:
        os.close(writing)
        _let_go()
        _end_as(_outer_wait(inner, reading))
    os.close(reading)
    os.setpgid(0, 0)  # whoever kills the group of its parent kills inner alone
    _system.prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL if space else signal.SIGTERM), 0, 0, 0)
    if space:
        _number_next(outer)
    else:
        _system.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        if os.getppid() != outer:
            os._exit(1)
    inner = os.getpid()
    program = os.fork()
    if program:
        _let_go()
        _inner_wait(program, writing, space is not None)
    os.close(writing)
    os.setsid()
    _system.prctl(SET_NAME, usual_name, 0, 0, 0)
    if space == "user":
        _drop_capabilities()
    _system.prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != inner:
        os._exit(1)
    signal.pthread_sigmask(signal.SIG_SETMASK, usual)


# ---- the namespace ------------------------------------------------------------------------------


def _unshare() -> str | None:
    """Let the next child be the first process of a PID namespace.

    "pid", or "user" if that took a user namespace; None where it is not permitted.  Root of a container gets
    no user namespace: it could no longer read there what belongs to others.
    """
    if _system.unshare(NEW_PID) == 0:
        return "pid"
    if os.geteuid() == 0:
        return None
    # Some systems let everybody make a user namespace and nobody use it.  There is no way back out of one,
    # so a process that does nothing else tries it first.
    trial = os.fork()
    if trial == 0:
        os._exit(0 if _unshare_user() else 1)
    return "user" if os.waitpid(trial, 0)[1] == 0 and _unshare_user() else None


def _unshare_user() -> bool:
    ids = (("uid_map", os.geteuid()), ("gid_map", os.getegid()))
    if _system.unshare(NEW_USER | NEW_PID) != 0:
        return False
    try:
        for name, text in (("setgroups", "deny"), *((name, f"{number} {number} 1") for name, number in ids)):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    except OSError:
        return False
    return True


def _number_next(number: int) -> None:
    """Give the program the number in its namespace that outer has outside: no two programs then share one.

    Libraries use the number of their process in names of shared memory, which all namespaces share.
    """
    try:
        with open("/proc/sys/kernel/ns_last_pid", "w") as file:
            file.write(str(number - 1))
    except OSError:
        return


def _drop_capabilities() -> None:
    """Whoever makes a user namespace may do everything in it; the program has no use for that."""
    _system.capset((ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)())


# ---- waiting ------------------------------------------------------------------------------------


def _outer_wait(inner: int, report: int) -> int:
    """The status that the program ended with, when nothing is left of it."""
    status = _wait(inner, (signal.SIGCHLD, signal.SIGTERM))
    if status is None:
        os.kill(inner, signal.SIGKILL)
    _end_children()
    told = os.read(report, 100)  # inner is gone, and nobody else can write to it
    return int(told) if told else status or int(signal.SIGKILL)


def _inner_wait(program: int, report: int, confined: bool) -> None:
    """Tell outer how the program ended, and end; in a namespace, that ends all that is in it."""
    # The first process of a namespace is sent nothing from within that it does not ask for.
    status = _wait(program, (signal.SIGCHLD,) if confined else (signal.SIGCHLD, signal.SIGTERM))
    if not confined:
        _end_children()
    if status is not None:
        os.write(report, b"%d" % status)
    os._exit(0)


def _wait(child: int, signals: tuple[signal.Signals, ...]) -> int | None:
    """Reap until this child has ended, and return its status; None when SIGTERM comes before that."""
    while True:
        if signal.sigwait(signals) == signal.SIGTERM:
            return None
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            if found[0] == child:
                return found[1]


def _end_children() -> None:
    """Kill until there is no child left: those of a child that ends become our own."""
    while True:
        for number in _children():
            try:
                os.kill(number, signal.SIGKILL)
            except OSError:  # it has ended, or belongs to another user
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        signal.sigtimedwait((signal.SIGCHLD,), PAUSE)


def _children() -> list[int]:
    number = os.getpid()
    try:
        if os.readlink("/proc/self") != str(number):  # it shows the numbers of another namespace
            return []
        with open(f"/proc/{number}/task/{number}/children", "rb") as file:
            return [int(word) for word in file.read().split()]
    except OSError:  # a system that was built without it
        return children_in_stat(number)


def children_in_stat(parent: int) -> list[int]:
    """The children of a process as all processes of the machine state their parents."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                with open(f"/proc/{name}/stat", "rb") as file:
                    if int(file.read().rpartition(b")")[2].split()[1]) == parent:
                        found.append(int(name))
        except (OSError, IndexError):
            continue
    return found


def _let_go() -> None:
    """Leave the pipes and the folder to the program."""
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)
    os.close(int(os.environ["MINIGRAD_RESULTS"]))


def _end_as(status: int) -> None:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)  # Python itself handles some, and prints what happened
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (number,))
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))
