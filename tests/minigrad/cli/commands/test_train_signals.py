"""`minigrad train` when it is told to stop, or when nobody listens: what was learned is not lost."""

import os
import signal
import subprocess
import sys
import time

import pytest

from minigrad.training.run_file import load
from minigrad.training.session import ECHO, Stop, stoppable

TRAIN = [sys.executable, "-m", "minigrad", "train", "moons", "--points", "12", "--hidden", "4"]
LONG = [*TRAIN, "--steps", "1000000", "--save", "run.safetensors", "--every", "20"]


def started(folder, words, **options):
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def ended(process):
    """What it printed; one that does not end is killed, so that it troubles no other test."""
    try:
        return process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise


def until_saved(folder):
    end = time.monotonic() + 30
    while not (folder / "run.safetensors").exists():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.usefixtures("usual_hangup")
def test_a_closed_terminal_saves_what_was_reached(tmp_path):
    process = started(tmp_path, LONG)
    until_saved(tmp_path)
    process.send_signal(signal.SIGHUP)
    out, _ = ended(process)
    assert process.returncode == 130
    assert b"--resume run.safetensors" in out
    assert (
        f"{load(tmp_path / 'run.safetensors').step:,}" in out.decode()
    )  # the last step, not the last twentieth


def test_a_run_whose_place_is_lost_on_the_way_is_saved_beside(tmp_path):
    process = started(tmp_path, LONG)
    until_saved(tmp_path)
    (tmp_path / "run.safetensors").rename(tmp_path / "old.safetensors")
    while True:
        try:
            (tmp_path / "run.safetensors").mkdir()
            break
        except FileExistsError:  # written again in between
            (tmp_path / "run.safetensors").unlink()
    process.send_signal(signal.SIGTERM)
    out, err = ended(process)
    assert process.returncode == 130
    assert b"cannot write run.safetensors: it is a folder" in err
    assert b"--resume moons.safetensors" in out
    assert f"{load(tmp_path / 'moons.safetensors').step:,}" in out.decode()


def test_two_signals_at_once_are_one_wish(tmp_path):
    process = started(tmp_path, LONG)
    until_saved(tmp_path)
    process.send_signal(signal.SIGTERM)  # as `timeout` and a shell that hands Ctrl-C on do
    time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    out, err = ended(process)
    assert process.returncode == 130, err
    assert b"--resume run.safetensors" in out


def test_a_second_signal_counts_after_a_moment():
    now = [5.0]
    stop = Stop(clock=lambda: now[0])
    stop.ask()
    now[0] += ECHO / 2
    stop.ask()
    now[0] += ECHO
    with pytest.raises(KeyboardInterrupt):
        stop.ask()


def test_what_nohup_ignores_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop.asked
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_run_whose_progress_nobody_reads_goes_on_and_is_saved(tmp_path):
    read, write = os.pipe()
    process = subprocess.Popen(
        [*TRAIN, "--steps", "40", "--save", "run.safetensors"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=write,
    )
    os.close(write)
    os.close(read)
    out, _ = ended(process)
    assert process.returncode == 0
    assert b"run.safetensors" in out
    assert load(tmp_path / "run.safetensors").step == 40
