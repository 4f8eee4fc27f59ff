"""Ctrl-C ends a command without a traceback and with the status of an interrupt, whenever it comes.

Only what Python does before it runs a line of the command is not ours: its own start, and the import of the
package itself, which has to stand before `minigrad.__main__`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.one_engine

INTERRUPTED = (130, -signal.SIGINT)  # by its own status, or by the signal itself: a shell shows 130 for both
COMMANDS = {
    "version": ["--version"],
    "explain": ["explain", "a*b + a", "a=2", "b=3"],
    "check": ["check", "a*b + a", "a=2", "b=3", "--ask", "central"],
    "break": ["break", "a*b + a", "a=2", "b=3"],
    "no command": [],
    "bad input": ["explain", "a*"],
}

START = "import sys; from minigrad.__main__ import main; "
# Sends SIGINT to itself while the module number sys.argv[1] is looked for, counted from the start of `main`.
AT_AN_IMPORT = """
import sys, _signal
from minigrad.__main__ import main

class Finder:
    left = int(sys.argv.pop(1))

    def find_spec(self, *_):
        self.left -= 1
        if self.left == -1:
            _signal.raise_signal(_signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.exit(main())
"""


def start(*words, **options):
    return subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


def is_quiet(stderr):
    return not any(word in stderr for word in ("Traceback", "KeyboardInterrupt", "Exception ignored"))


# ---- at each import ---------------------------------------------------------------------------------


def outcome(program, *words):
    with start("-c", program, *words) as process:
        _, stderr = process.communicate(timeout=60)
    return process.returncode, stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt_during_an_import_is_quiet(command):
    codes = []
    for place in (0, 1, 3, 8, 21, 34, 55, 89, 144):
        code, stderr = outcome(AT_AN_IMPORT, str(place), *COMMANDS[command])
        assert is_quiet(stderr), f"at import {place}:\n{stderr}"
        codes.append(code)
        if code not in INTERRUPTED:
            break  # there were no more imports
    assert len(codes) > 5
    assert set(codes[:-1]) <= set(INTERRUPTED)


def test_the_same_interrupt_is_a_traceback_where_nothing_is_seen_to():
    unprotected = AT_AN_IMPORT.replace("from minigrad.__main__ import main", "").replace(
        "sys.exit(main())", "from minigrad.cli import main; sys.exit(main())"
    )
    _, stderr = outcome(unprotected, "20", "--version")
    assert not is_quiet(stderr)


# ---- after each delay -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt_at_any_time_after_the_start_is_quiet(command):
    """From the moment in which `main` has control, by the clock."""
    told = START + "print('here', flush=True); sys.exit(main())"
    codes = set()
    for delay in range(0, 400, 40):
        with start("-c", told, *COMMANDS[command]) as process:
            assert process.stdout.readline() == "here\n"
            time.sleep(0.005 + delay / 1000)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            _, stderr = process.communicate(timeout=60)
        assert is_quiet(stderr), f"after {delay} ms:\n{stderr}"
        codes.add(process.returncode)
    assert codes & set(INTERRUPTED)
    assert codes <= {0, 2, *INTERRUPTED}


@pytest.mark.slow
@pytest.mark.parametrize("front", ["-m", "script"])
def test_a_traceback_comes_only_before_the_first_line_of_the_command(front, tmp_path):
    """Real processes from their very start: what Python prints while it starts has no line of the command."""
    script = tmp_path / "minigrad"
    script.write_text("import re\nimport sys\nfrom minigrad.__main__ import main\nsys.exit(main())\n")
    words = ["-m", "minigrad"] if front == "-m" else [str(script)]
    for delay in range(0, 400, 20):
        with start(*words, *COMMANDS["explain"]) as process:
            time.sleep(delay / 1000)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
            _, stderr = process.communicate(timeout=60)
        ours = [line for line in stderr.splitlines() if f"{os.sep}minigrad{os.sep}" in line]
        assert not any(", in main" in line or f"{os.sep}cli{os.sep}" in line for line in ours), stderr
        if is_quiet(stderr):
            assert process.returncode in (0, *INTERRUPTED)


# ---- what becomes of it ---------------------------------------------------------------------------------


def ended(body):
    """Exit code and stderr of a command whose work is `body`."""
    program = f"""
import sys, time, _signal
import minigrad.cli
from minigrad.__main__ import main

def interrupt(*_):
    _signal.raise_signal(_signal.SIGINT)

class Dropped:
    __del__ = interrupt

def run():
    {body}

minigrad.cli.main = run
sys.exit(main())
"""
    return outcome(program)


def test_an_interrupt_while_something_is_freed_is_not_forgotten():
    """Python would print "Exception ignored", and go on."""
    assert ended("Dropped(); time.sleep(5); return 0") == (130, "")


def test_an_interrupt_that_was_made_another_error_is_one():
    assert ended("raise RuntimeError('in a class') from KeyboardInterrupt()") == (130, "")


def test_another_error_is_shown():
    code, stderr = ended("raise RuntimeError('of our own')")
    assert code == 1
    assert "RuntimeError: of our own" in stderr
    assert "Exception ignored" in ended("Dropped.__del__ = lambda self: 1 / 0; Dropped(); return 0")[1]


def test_an_interrupt_after_the_command_is_quiet():
    body = "import atexit; atexit.register(interrupt); return 0"
    assert ended(body) == (-signal.SIGINT, "")


def test_a_command_that_was_started_with_interrupts_ignored_ignores_them():
    ignoring = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); " + AT_AN_IMPORT
    code, stderr = outcome(ignoring, "5", *COMMANDS["explain"])
    assert (code, stderr) == (0, "")


def test_the_exit_code_of_a_command_comes_through():
    assert outcome(START + "sys.exit(main())", "explain", "a*")[0] == 2
    assert outcome(START + "sys.exit(main())", "--version") == (0, "")
