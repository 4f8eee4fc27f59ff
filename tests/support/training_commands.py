"""What tests of `minigrad train` type: quick runs and slow ones, in an empty folder; runs in a process."""

import json
import subprocess
import sys
import time

from minigrad.cli import main
from minigrad.training import Run, defaults

QUICK = ["moons", "--points", "12", "--hidden", "4,3", "--steps", "10"]
SLOW = ["moons", "--points", "40", "--hidden", "8,8", "--steps", "100000"]
NAMES = ["names", "--width", "4", "--heads", "2", "--steps", "10"]


def train(*words):
    return main(["train", *map(str, words)])


def document(capsys, *words):
    assert train(*words, "--json") == 0
    return json.loads(capsys.readouterr().out)


def losses_of(*settings, **changed):
    run = Run(defaults(*settings, **changed))
    while not run.finished:
        run.advance()
    return run.losses


def started(*words, **options):
    command = [sys.executable, "-m", "minigrad", "train", *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", **options
    )


def stopped(process, *signals, until):
    """Send signals when something is there; what was said, and the exit code."""
    deadline = time.monotonic() + 30
    while not until() and time.monotonic() < deadline:
        time.sleep(0.02)
    for number in signals:
        process.send_signal(number)
        time.sleep(0.05)
    out, err = process.communicate(timeout=30)
    return out, err, process.returncode
