"""`minigrad train`: what is saved, stopped and resumed, and what is refused then."""

import os
import re
import shlex
import signal
from pathlib import Path

import pytest

from minigrad.cli import main
from minigrad.text.page import Page
from minigrad.training import Run, defaults
from minigrad.training.run_file import load
from sentences import sentence
from training_commands import NAMES, QUICK, SLOW, document, losses_of, started, stopped, train

pytestmark = pytest.mark.usefixtures("elsewhere")

# ---- saving and resuming ------------------------------------------------------------------------


def test_a_saved_run_goes_on_to_more_steps(capsys, elsewhere):
    assert train(*QUICK, "--schedule", "constant", "--save", "a.safetensors") == 0
    out = capsys.readouterr().out
    command = next(line for line in out.splitlines() if "--resume" in line)
    assert main(shlex.split(command)[1:]) == 0
    assert len(load("a.safetensors").losses) == 20
    expected = losses_of("moons", points=12, hidden=(4, 3), steps=20, schedule="constant")
    assert load("a.safetensors").losses == expected


def test_a_new_run_does_not_take_the_place_of_an_old_one(capsys, elsewhere):
    assert train(*QUICK, "--save", "old.safetensors") == 0
    before = Path("old.safetensors").read_bytes()
    assert train(*QUICK, "--seed", 1, "--save", "old.safetensors") == 2
    assert "--resume old.safetensors" in capsys.readouterr().err
    assert train("--resume", "old.safetensors", "--steps", 12, "--save", "new.safetensors") == 0
    assert train("--resume", "new.safetensors", "--save", "old.safetensors") == 2
    assert Path("old.safetensors").read_bytes() == before
    Path("link.safetensors").symlink_to("new.safetensors")
    assert train("--resume", "link.safetensors", "--steps", 14, "--save", "new.safetensors") == 0


def test_every_saves_on_the_way(monkeypatch):
    from minigrad.training import run_file

    seen = []
    monkeypatch.setattr(run_file, "save", lambda run, path: seen.append((run.step, str(path))))
    train(*QUICK, "--save", "a.safetensors", "--every", 4)
    assert seen == [(4, "a.safetensors"), (8, "a.safetensors"), (10, "a.safetensors")]


def test_without_every_a_run_is_saved_every_some_seconds(monkeypatch):
    from minigrad.training import run_file, session

    seen = []
    monkeypatch.setattr(run_file, "save", lambda run, path: seen.append(run.step))
    train(*QUICK, "--save", "a.safetensors")
    assert seen == [10]
    monkeypatch.setattr(session, "PERIOD", 0.0)
    train(*QUICK, "--save", "a.safetensors")
    assert seen == [10, *range(1, 11)]


@pytest.mark.parametrize("most", [0, 8, 12, 20, 22, 30, 40, 1000])
@pytest.mark.parametrize("task", ["moons", "regression", "names"])
def test_a_picture_keeps_to_the_lines_there_are(task, most):
    from minigrad.training.plots import lines_of

    changed = {"width": 4} if task == "names" else {"points": 10, "hidden": (3,)}
    run = Run(defaults(task, **changed))
    for _ in range(60):
        run.advance()
    lines = lines_of(run, Page(), most)
    assert len(lines) <= most
    assert bool(lines) == (most >= 12)


def test_a_finished_run_can_be_looked_at_again(capsys, elsewhere):
    train(*NAMES, "--save", "a.safetensors")
    before = (elsewhere / "a.safetensors").read_bytes()
    capsys.readouterr()
    found = document(capsys, "--resume", "a.safetensors", "--samples", 3)
    assert len(found["samples"]) == 3
    assert (elsewhere / "a.safetensors").read_bytes() == before


def test_a_finished_run_that_is_resumed_is_not_called_unsaved_and_can_be_kept_elsewhere(capsys, elsewhere):
    train(*QUICK, "--save", "a.safetensors")
    capsys.readouterr()
    assert train("--resume", "a.safetensors") == 0
    shown = capsys.readouterr().out
    assert "nothing was saved" not in shown
    assert "minigrad train --resume a.safetensors --steps 20" in shown
    assert train("--resume", "a.safetensors", "--save", "b.safetensors") == 0
    assert load(elsewhere / "b.safetensors").step == 10


def test_what_contradicts_the_saved_run_is_refused(capsys, elsewhere):
    train(*QUICK, "--save", "a.safetensors")
    capsys.readouterr()
    for words, said in (
        (["--lr", "0.5"], "--lr 0.5 contradicts"),
        (["--hidden", "4,4"], "which has 4,3"),
        (["spirals"], "about moons"),
        (["--steps", "5"], "10 steps are done"),
        (["--width", "8"], "--width does not belong"),
        (["x.txt"], "about moons, not 'x.txt'"),
    ):
        assert train("--resume", "a.safetensors", *words) == 2
        assert said in capsys.readouterr().err
    assert train("moons", "--resume", "a.safetensors", "--lr", "1", "--steps", 12) == 0


def test_changed_data_is_refused_and_moved_data_can_be_named(capsys, elsewhere):
    data = elsewhere / "words.txt"
    data.write_text("one\ntwo\nthree\n")
    train("words.txt", "--width", 4, "--heads", 1, "--steps", 4, "--save", "a.safetensors")
    data.rename(elsewhere / "moved.txt")
    capsys.readouterr()
    assert train("--resume", "a.safetensors", "--steps", 5) == 2
    assert re.search(sentence("train.data.gone", path="words.txt"), capsys.readouterr().err)
    assert train("--resume", "a.safetensors", "--steps", 5, "moved.txt") == 0
    (elsewhere / "moved.txt").write_text("one\ntwo\nfour\n")
    assert train("--resume", "a.safetensors", "--steps", 6) == 2
    assert "have changed" in capsys.readouterr().err


def test_a_loss_that_is_no_number_keeps_the_last_good_checkpoint(capsys):
    words = "regression --points 20 --optimiser sgd --activation relu --lr 1 --every 2 --save a.safetensors"
    assert train(*words.split()) == 1
    shown = capsys.readouterr()
    kept = load("a.safetensors")
    assert kept.step % 2 == 0
    assert kept.step > 0
    assert re.search(sentence("telling.kept", path="a.safetensors", step=kept.step), shown.out)
    assert "a smaller --lr" in shown.out
    words = "regression --points 20 --optimiser sgd --activation relu --lr 1 --save b.safetensors"
    assert train(*words.split()) == 1  # before anything was kept: --save alone is no advice to who wrote it
    assert "with --every N" in " ".join(capsys.readouterr().out.split())


# ---- stopping -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_says_how_to_resume_and_the_resumed_run_is_the_same(number, capsys, elsewhere):
    saved = elsewhere / "a.safetensors"
    process = started(*SLOW, "--save", "a.safetensors", "--every", "5")
    out, _, code = stopped(process, number, until=saved.exists)
    assert code == 130
    run = load(saved)
    assert run.step >= 5
    assert re.search(sentence("telling.stopped", step=f"{run.step:,}", steps="100,000"), out)
    command = next(line for line in out.splitlines() if "--resume" in line)
    assert shlex.split(command) == ["minigrad", "train", "--resume", "a.safetensors"]
    again = Run(run.settings)
    for _ in range(run.step):
        again.advance()
    assert run.losses == again.losses
    assert [run.advance().loss for _ in range(3)] == [again.advance().loss for _ in range(3)]


def test_without_save_a_stopped_run_gets_a_file_that_overwrites_nothing(elsewhere):
    (elsewhere / "moons.safetensors").write_text("mine")
    page = elsewhere / "w.html"
    process = started(*SLOW, "--watch", "w.html")
    out, _, code = stopped(process, signal.SIGINT, until=page.exists)
    assert code == 130
    assert (elsewhere / "moons.safetensors").read_text() == "mine"
    assert load("moons-2.safetensors").step > 0
    assert "--resume moons-2.safetensors" in out


def test_handlers_of_signals_are_put_back():
    from minigrad.training.session import stoppable

    before = signal.getsignal(signal.SIGINT)
    with stoppable() as inside:
        os.kill(os.getpid(), signal.SIGINT)
        assert inside.asked
    assert signal.getsignal(signal.SIGINT) is before
