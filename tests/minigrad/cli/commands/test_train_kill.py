"""`kill -9` at random moments of `minigrad train`: what is on the disk is always a whole checkpoint of the
uninterrupted run, byte for byte, and going on from it ends where that run ends.

    pytest tests/minigrad/cli/commands/test_train_kill.py --kills=200
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from minigrad.nn.safetensors import encoded
from minigrad.training import run_file
from minigrad.training.run import Run
from minigrad.training.settings import Settings, defaults

STEPS = 40
COMMANDS: dict[str, tuple[Settings, str]] = {  # what is trained, and how that is typed
    "moons": (
        defaults("moons", steps=STEPS, points=20, batch=6, hidden=(4,), momentum=0.9, lr=0.1, warmup=3),
        "moons --points 20 --batch 6 --hidden 4 --momentum 0.9 --lr 0.1 --warmup 3",
    ),
    "names": (
        defaults("names", steps=STEPS, width=4, heads=2, block=6, dropout=0.1, schedule="cosine"),
        "names --width 4 --heads 2 --block 6 --dropout 0.1 --schedule cosine --samples 0",
    ),
}


def uninterrupted(settings: Settings) -> list[bytes]:
    """The checkpoint of a run after 0, 1, 2, ... steps."""
    run = Run(settings)
    found = [encoded(run_file.pack(run))]
    while not run.finished:
        run.advance()
        found.append(encoded(run_file.pack(run)))
    return found


def started(words: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", "minigrad", "train", *words], cwd=folder, **quiet)


def mark(path: Path) -> tuple[int, int]:
    """What tells one version of a file from the next."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return (0, 0)
    return found.st_ino, found.st_mtime_ns


def killed_at_a_random_moment(process: subprocess.Popen[bytes], path: Path, random: Random) -> bool:
    """Some moments are while it starts, most are after it has saved a step; False if it was done before."""
    before, patience = mark(path), time.monotonic() + 60.0
    if random.random() < 0.75:
        while mark(path) == before and process.poll() is None and time.monotonic() < patience:
            time.sleep(0.001)
        time.sleep(random.uniform(0.0, 0.08))
    else:
        time.sleep(random.uniform(0.0, 0.5))
    os.kill(process.pid, signal.SIGKILL)
    _, told = process.communicate(timeout=60)
    if process.returncode == -signal.SIGKILL:
        return True
    assert process.returncode == 0, told.decode()
    return False


@pytest.mark.parametrize("task", COMMANDS)
def test_a_killed_run_goes_on_as_if_it_had_not_been_killed(task, tmp_path, request):
    settings, words = COMMANDS[task]
    right = uninterrupted(settings)
    kills = -(-request.config.getoption("kills") // len(COMMANDS))
    path = tmp_path / "x.safetensors"
    new = [*words.split(), "--steps", str(STEPS), "--save", path.name, "--every", "1"]
    resumed = ["--resume", path.name, "--every", "1"]
    random = Random(f"kills of {task}")
    killed, steps, runs, leftovers = 0, [], 0, 0
    while killed < kills or runs == 0 or path.exists():
        if killed >= kills:  # often enough: now to the end
            process = started(resumed if path.exists() else new, tmp_path)
            _, told = process.communicate(timeout=120)
            assert process.returncode == 0, told.decode()
        else:
            killed += killed_at_a_random_moment(
                started(resumed if path.exists() else new, tmp_path), path, random
            )
        leftovers += len(list(tmp_path.glob(".*")))
        if path.exists():
            step = run_file.load(path).step
            steps.append(step)
            assert path.read_bytes() == right[step]  # whole, and of the uninterrupted run
            assert list(tmp_path.iterdir()) == [path]  # whoever reads it clears what the killed one left
            if step == STEPS:
                runs += 1
                path.unlink()
    print(
        f"{task}: {killed} kills at steps {steps}, {runs} runs to the end, {leftovers} parts left and cleared"
    )
    assert any(0 < step < STEPS for step in steps)


def test_a_writer_that_does_not_rename_would_be_caught(tmp_path):
    """The comparison above has teeth: half of a file is not a checkpoint of the run."""
    right = uninterrupted(defaults("moons", steps=1, points=4, hidden=(2,)))
    path = tmp_path / "x.safetensors"
    path.write_bytes(right[1][: len(right[1]) // 2])
    with pytest.raises(ValueError, match="is not a minigrad checkpoint"):
        run_file.load(path)
    assert right[0] != right[1]
