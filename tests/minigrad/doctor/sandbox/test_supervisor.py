"""Supervisor: nothing that a fenced program started is left, whatever it did to be left.

Each program leaves a `sleep` with a number that nobody else has, and all command lines of the machine are
looked through for that number.  Everything is tried with a PID namespace and without one.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from minigrad.doctor.sandbox import limits, process_tree, supervisor
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Command, Ended, Job, Limits
from source_trees import DATA

NUMBERS = itertools.count(10_000_000 + os.getpid() * 1000)  # seconds of a sleep: more than a hundred days

# `leave` forks, makes a session, forks again, and becomes another program without an environment in another
# folder.  It returns when that program can be seen, so that no test passes because there was nothing yet.
START = """
import atexit, glob, os, signal, sys, threading, time
fork = os.fork
def sleeps():
    found = 0
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            found += open(path, "rb").read() == b"/bin/sleep\\x00NUMBER\\x00"
        except OSError:
            pass
    return found
def leave(change=lambda: None):
    if fork() == 0:
        os.setsid()
        if fork() == 0:
            os.chdir("/")
            change()
            os.execve("/bin/sleep", ["/bin/sleep", "NUMBER"], {})
        os._exit(0)
    os.wait()
def left():
    while not sleeps():
        time.sleep(0.01)
    os.write(1, b"left ")
def ignore():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCONT):
        signal.signal(number, signal.SIG_IGN)
def parent(process):
    return int(open(f"/proc/{process}/stat").read().rpartition(")")[2].split()[1])
def fork_at_exit():
    # Python 3.12.0 and 3.12.1 refuse os.fork at exit; PyDLL holds the interpreter's lock, so the child has it
    global fork
    import ctypes
    fork = ctypes.PyDLL(None).fork
def at_exit():
    threading.main_thread().join()
    leave()
    left()
def step_aside():
    # a process that is never the same for long: it forks and ends, on and on
    if os.fork() == 0:
        os.setsid()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
        os._exit(0)
"""
PROGRAMS = {
    "once": "leave(); left()",
    "often": "for _ in range(20): leave()\nleft()",
    "ignores signals": "leave(ignore); left()",
    "closes its descriptors": "leave(lambda: os.closerange(0, 256)); left()",
    "from a thread at exit": "fork_at_exit(); threading.Thread(target=at_exit).start()",
    "by atexit": "fork_at_exit(); atexit.register(left); atexit.register(leave)",
    "kills its parent": "leave(); left(); os.kill(os.getppid(), 9); time.sleep(1); leave()",
    "kills its parent at once": "leave(); os.write(1, b'left '); os.kill(os.getppid(), 9)",
    "kills the group of its parent": "leave(); left(); os.killpg(os.getpgid(os.getppid()) or 9**9, 9)",
    "kills itself": "leave(); left(); os.kill(os.getpid(), 9)",
    "never stays": "step_aside(); leave(); left(); time.sleep(0.2)",
    # while it is being killed, too
    "goes on": "leave(); left()\nwhile True: leave()",
    "goes on in many": "leave(); left(); os.fork(); os.fork()\nwhile True: leave(ignore)",
}
# These look for the processes above them, which works outside a namespace only; what they left was seen.
AGAINST = {
    "kills both above": "leave(); left(); time.sleep(0.5); inner = parent('self'); outer = parent(inner)\n"
    "for number in (outer, inner):\n"
    "    if number != MINIGRAD: os.kill(number, 9)\n"
    "time.sleep(1)",
    "stops both above": "leave(); left(); inner = parent('self'); outer = parent(inner)\n"
    "for number in (inner, outer):\n"
    "    if number != MINIGRAD: os.kill(number, signal.SIGSTOP)\n",
}
# These are ended by the clock, after so many seconds; after more where they had not even left something.
ENDLESS = ("goes on", "goes on in many", "stops both above")
WALLS = (2.0, 6.0, 18.0)
LIMITS = Limits(wall=15.0, processes=10_000, threads=10_000)


@pytest.fixture(params=[True, False], ids=["namespace", "subreaper"], autouse=True)
def namespaces(request, monkeypatch):
    monkeypatch.setattr(limits, "NAMESPACES", request.param)
    return request.param


@pytest.fixture
def number():
    """A number of seconds; whoever still sleeps for it after the test is ended."""
    text = str(next(NUMBERS))
    yield text
    for process in with_argument(text):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)


def with_argument(text: str) -> list[int]:
    """The processes that have a text in their command line."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and text.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def written(program: str, number: str) -> list[str]:
    text = (START + program).replace("NUMBER", number).replace("MINIGRAD", str(os.getpid()))
    return [sys.executable, "-B", "-P", "-c", text]


def run(program: str, number: str = "", within: Limits = LIMITS, **options) -> Ended[dict]:
    return PROCESSES.run(
        Job(Command(tuple(written(program, number))), None, within), lambda raw: raw, **options
    )


def test_a_program_that_is_left_would_be_seen(number):
    assert with_argument(number) == []
    process = subprocess.Popen(["/bin/sleep", number], env={}, cwd="/", start_new_session=True)
    try:
        while not (found := with_argument(number)):
            time.sleep(0.01)
        assert found == [process.pid]
    finally:
        process.kill()
        process.wait()
    assert with_argument(number) == []


@pytest.mark.parametrize("name", [*PROGRAMS, *AGAINST])
def test_nothing_is_left_of_a_program_that_leaves_something(name, number):
    for wall in WALLS if name in ENDLESS else (LIMITS.wall,):
        ending = run((PROGRAMS | AGAINST)[name], number, replace(LIMITS, wall=wall))
        assert with_argument(number) == [], ending
        if "left " in ending.output:
            break
    assert "left " in ending.output, ending
    time.sleep(0.1)
    assert with_argument(number) == []


def test_the_hostile_engine_of_this_kind_leaves_nothing():
    """Its number is in its file; a test of another process may be running the same file just now."""
    job = Job(Command((sys.executable, "-B", "-P", str(DATA / "hostile/leaves_an_orphan.py"))), None, LIMITS)
    assert PROCESSES.run(job, lambda raw: raw).kind == "finished"
    deadline = time.monotonic() + 30
    while with_argument("sleep\x00100000001") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert with_argument("sleep\x00100000001") == []


class StopOnceLeft:
    """Wants a program to stop as soon as it has left so many."""

    def __init__(self, number: str, count: int) -> None:
        self.sleep, self.count = f"/bin/sleep\x00{number}\x00", count

    def is_set(self) -> bool:
        return len(with_argument(self.sleep)) >= self.count


@pytest.mark.parametrize(("name", "count"), [("once", 1), ("goes on", 20)])
def test_nothing_is_left_when_the_caller_wants_it_to_stop(name, count, number):
    stop = StopOnceLeft(number, count)
    ending = run(PROGRAMS[name] + "\ntime.sleep(100)", number, replace(LIMITS, wall=30.0), stop=stop)
    assert ending.kind == "stopped", ending
    assert with_argument(number) == []


@pytest.mark.parametrize("name", ["once", "ignores signals"])
def test_nothing_is_left_when_minigrad_is_killed(name, number, namespaces):
    program = written(PROGRAMS[name] + "\nprint(flush=True)\ntime.sleep(1000)", number)
    program[-1] = "import os; os.dup2(int(os.environ['MINIGRAD_RESULTS']), 1)\n" + program[-1].replace(
        "b'left '", "b'{}\\n'"
    ).replace('b"left "', 'b"{}\\n"')
    caller = f"""
from minigrad.doctor.sandbox import limits
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Command, Job
limits.NAMESPACES = {namespaces}
job = Job(Command({tuple(program)!r}))
PROCESSES.run(job, lambda raw: raw, on_message=lambda _: print("left", flush=True))
"""
    process = subprocess.Popen([sys.executable, "-c", caller], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "left\n"
        assert len(with_argument(number)) > 2
        process.kill()
        process.wait()
    deadline = time.monotonic() + 15
    while with_argument(number) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert with_argument(number) == []


# ---- what stays as it was -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "code", "number"),
    [("sys.exit(0)", 0, None), ("os._exit(255)", 255, None)]
    + [
        (f"signal.signal({one}, signal.SIG_DFL)\nos.kill(os.getpid(), {one})", None, one)
        for one in (1, 2, 3, 6, 8, 11, 13, 14, 15, 24, 25, 40)
    ]
    + [("os.kill(os.getpid(), 9)", None, 9)],
)
def test_the_supervisor_ends_as_the_program_did(program, code, number):
    ending = run(program)
    assert (ending.code, ending.signal, ending.output) == (code, number, "")


def test_a_crash_is_printed_once():
    assert run("import ctypes; ctypes.string_at(0)").output.count("Fatal Python error") == 1


def test_the_supervisor_counts_for_nothing():
    assert run("time.sleep(0.3)", within=Limits(processes=1, threads=1)).kind == "finished"
    assert run("os.fork(); time.sleep(1)", within=Limits(processes=1)).kind == "processes"


def test_the_time_of_orphans_counts():
    """They are waited for by the supervisor, and nobody else knows what they used."""
    program = """
for _ in range(20):
    if os.fork() == 0:
        if os.fork() == 0:
            while time.process_time() < 0.15: pass
        os._exit(0)
    os.wait()
    time.sleep(0.2)
"""
    assert run(program, within=Limits(cpu=1.0, wall=30.0)).kind == "cpu"


def test_the_program_finds_no_signal_that_its_supervisor_would_end_by_in_a_namespace():
    program = """
print(os.getppid(), flush=True)
for number in signal.valid_signals():
    try: os.kill(1 if os.getppid() == 1 else os.getpid(), number)
    except OSError: pass
time.sleep(0.2)
print("lives")
"""
    ending = run(program)
    parent, *rest = ending.output.split()
    assert (rest == ["lives"]) == (parent == "1"), ending


def test_two_programs_have_two_numbers():
    """In a namespace of their own they would both be the second process."""
    assert run("print(os.getpid())").output != run("print(os.getpid())").output


def test_the_program_has_the_network_the_user_and_the_signals_of_the_caller():
    program = (
        "print(os.readlink('/proc/self/ns/net'), os.getuid(), os.getgid(), signal.pthread_sigmask(0, ()))"
    )
    usual = (
        os.readlink("/proc/self/ns/net"),
        os.getuid(),
        os.getgid(),
        signal.pthread_sigmask(signal.SIG_BLOCK, ()),
    )
    assert run(program).output == " ".join(map(str, usual)) + "\n"


def test_a_program_can_examine_another_one():
    """A minigrad below a supervisor: /proc may show it the numbers of another namespace."""
    inside = "import os; print('inside'); os.fork() or os.execv('/bin/sleep', ['/bin/sleep', '20'])"
    program = f"""
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Command, Job
ended = PROCESSES.run(Job(Command(({sys.executable!r}, "-c", {inside!r}))), lambda raw: raw)
print(ended.kind, ended.output.split(), round(ended.seconds) < 5)
"""
    path = str(Path(limits.__file__).resolve().parents[3])
    job = Job(Command((sys.executable, "-B", "-P", "-c", program)), None, Limits(), path=(path,))
    assert PROCESSES.run(job, lambda raw: raw).output == "finished ['inside'] True\n"


def test_only_a_supervisor_with_a_namespace_is_believed_that_nothing_is_left(monkeypatch, namespaces):
    """Where there is none, the machine is looked through once more."""
    looks = []
    usual = process_tree.Descendants._look

    def look(self, *, afresh=False):
        looks.append(afresh)
        return usual(self, afresh=afresh)

    monkeypatch.setattr(process_tree.Descendants, "_look", look)
    parent = run("print(os.getppid())").output
    assert (True in looks) == (parent != "1\n")
    looks.clear()
    run("os.kill(os.getpid(), 9)")  # a supervisor that somebody killed would look the same
    assert True in looks
    assert process_tree.SPACE_NAME == supervisor.SPACE_NAME


# ---- its parts ----------------------------------------------------------------------------------


def test_children_are_found_in_both_ways():
    process = subprocess.Popen(["/bin/sleep", "100"])
    try:
        assert process.pid in supervisor._children()
        assert sorted(supervisor._children()) == sorted(supervisor.children_in_stat(os.getpid()))
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("user", [0, 1], ids=["root", "another user"])
def test_where_no_namespace_can_be_made_nothing_has_changed(user):
    """A user namespace without a mapping would be one without a way back."""
    program = f"""
import os
from minigrad.doctor.sandbox import supervisor
class System:
    def unshare(self, flags, system=supervisor._system):
        return -1 if flags == supervisor.NEW_PID else system.unshare(supervisor.NEW_USER)
def refuse(*given):
    raise PermissionError
supervisor._system, supervisor.open, os.geteuid = System(), refuse, lambda: {user}
before = os.readlink("/proc/self/ns/user")
print(supervisor._unshare(), os.readlink("/proc/self/ns/user") == before)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "None True\n"


def test_a_user_namespace_is_one_in_which_the_user_is_the_same():
    """Also for root, who needs none; where the system permits none, the answer is no."""
    program = """
import os
from minigrad.doctor.sandbox import supervisor
before = os.getuid(), os.getgid()
made = supervisor._unshare_user()
if os.fork() == 0:
    supervisor._drop_capabilities()
    status = open("/proc/self/status").read().split()
    print(made == (os.getpid() == 1), not made or before == (os.getuid(), os.getgid()))
    print(not made or int(status[status.index("CapEff:") + 1], 16) == 0)
    os._exit(0 if not print(flush=True) else 1)
os.wait()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "True", "True"]
