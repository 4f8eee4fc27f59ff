"""`minigrad duel` when it is stopped: it ends soon, says nothing strange, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

LONG = [sys.executable, "-m", "minigrad", "duel", "--on", "moons", "--steps", "5000"]


def alive(group):
    """The processes of a group that still run; one that only waits to be collected does not."""
    listed = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return sum(row[0] == str(group) and not row[1].startswith("Z") for row in rows)


def soon(true):
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.usefixtures("usual_hangup")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_process_outlives_a_duel(number):
    more = 2 if len(os.sched_getaffinity(0)) > 1 else 0  # one processor, one process
    process = subprocess.Popen(
        LONG, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        soon(lambda: alive(process.pid) > more)
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        began = time.monotonic()
        process.wait(timeout=20)
        soon(lambda: not alive(process.pid))
        assert time.monotonic() - began < 10  # a run of 5,000 steps takes longer
        said = process.communicate(timeout=5)
        assert number == signal.SIGKILL or (process.returncode, *said) == (130, "", "")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
