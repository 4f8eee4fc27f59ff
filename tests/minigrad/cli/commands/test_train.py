"""`minigrad train`: what a user types, sees and gets, and what is refused before any work."""

import errno
import os
import pty
import re
import select
import sys
from pathlib import Path
from statistics import fmean

import pytest

from minigrad.cli import main
from minigrad.cli.arguments import take_apart
from minigrad.text.page import Ink, Page
from minigrad.text.translation import LANGUAGES, catalogue
from minigrad.training import Run, defaults
from minigrad.training.progress_line import ProgressLine, duration
from minigrad.training.run_file import load
from sentences import sentence
from source_trees import ROOT
from training_commands import NAMES, QUICK, document, losses_of, train

pytestmark = pytest.mark.usefixtures("elsewhere")

# ---- the report ---------------------------------------------------------------------------------


def test_the_report_tells_the_loss_the_accuracy_and_what_to_do_next(capsys, elsewhere):
    assert train(*QUICK) == 0
    shown = capsys.readouterr()
    losses = losses_of("moons", points=12, hidden=(4, 3), steps=10)
    assert re.search(
        sentence("telling.loss", start=f"{losses[0]:.4g}", end=f"{losses[-1]:.4g}", steps=10), shown.out
    )
    assert "MLP 2-4-3-1 with relu, 31 parameters; 12 points" in " ".join(shown.out.split())
    assert re.search(sentence("telling.accuracy", all=12), shown.out)
    assert "nothing was saved" in shown.out
    assert train("moons", "--points", "12", "--hidden", "3", "--steps", "1", "--plot", "a.svg") == 0
    one = " ".join(capsys.readouterr().out.split())
    assert all(words in one for words in ("one step of sgd", "in the one step", "s for one step"))
    assert "the run was not saved; --save FILE.safetensors keeps it" in one
    assert train("moons", "--points", "12", "--hidden", "3", "--steps", "2", "--plot") == 0
    assert "the run was not saved; --save" in capsys.readouterr().out  # what is on the screen is not advised


def test_progress_is_a_line_for_each_tenth_where_nobody_watches(capsys):
    train("moons", "--points", 12, "--hidden", "4", "--steps", 40)
    lines = capsys.readouterr().err.splitlines()
    assert [re.search(r"(\d+)/40", line)[1] for line in lines] == [str(4 * i) for i in range(1, 11)]
    assert all("\x1b" not in line for line in lines)


def test_the_document_is_the_same_every_time_and_has_no_times(capsys):
    first, second = document(capsys, *QUICK), document(capsys, *QUICK)
    assert first == second
    assert first["schema"] == "minigrad.training/1"
    assert first["settings"]["hidden"] == [4, 3]
    assert first["losses"] == losses_of("moons", points=12, hidden=(4, 3), steps=10)
    assert set(first) == {
        "schema", "settings", "parameters", "step", "finished", "losses", "accuracy", "findings", "samples",
        "sample_probabilities", "held_out",
    }  # fmt: skip


def test_names_are_sampled_at_the_end(capsys):
    found = document(capsys, *NAMES, "--samples", 7, "--temperature", 1)
    assert len(found["samples"]) == 7
    assert all(re.fullmatch("[a-z]*", sample) for sample in found["samples"])
    assert found == document(capsys, *NAMES, "--samples", 7, "--temperature", 1)
    assert document(capsys, *NAMES, "--samples", 0)["samples"] == []
    assert train(*NAMES) == 0
    assert re.search(sentence("telling.samples", count=20), capsys.readouterr().out)


def test_a_file_of_texts_is_a_task(capsys, elsewhere):
    (elsewhere / "poem.txt").write_text("el mar\nla mar\n\n  el sol  \n", encoding="utf-8")
    found = document(capsys, "poem.txt", "--width", 4, "--heads", 1, "--steps", 3)
    assert found["settings"]["task"] == "text"
    assert found["settings"]["data"] == "poem.txt"


def test_every_option_reaches_the_settings(capsys):
    words = (
        "--steps 3 --seed 5 --lr 0.25 --optimiser sgd --momentum 0.5 --weight-decay 0.125 --schedule cosine"
    )
    words += " --warmup 1 --batch 2 --clip 4 --points 9 --noise 0.75 --hidden 3,2 --activation silu"
    found = document(capsys, "circles", *words.split())["settings"]
    expected = {
        "steps": 3, "seed": 5, "lr": 0.25, "optimiser": "sgd", "momentum": 0.5, "weight_decay": 0.125,
        "schedule": "cosine", "warmup": 1, "batch": 2, "clip": 4.0, "points": 9, "noise": 0.75,
        "hidden": [3, 2], "activation": "silu",
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    words = "--width 6 --heads 3 --layers 2 --block 5 --dropout 0.25 --steps 2 --samples 0"
    found = document(capsys, "names", *words.split())["settings"]
    expected = {"width": 6, "heads": 3, "layers": 2, "block": 5, "dropout": 0.25}
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_names_every_option_in_lines_that_fit(language, capsys):
    from minigrad.cli.commands.train_options import OPTIONS

    assert main(["train", "--help", "--lang", language]) == 0
    out = capsys.readouterr().out
    assert all(f"--{option}" in out for option in OPTIONS if option != "help")
    assert max(map(len, out.splitlines())) <= 79
    page = (ROOT / "docs" / language / "training.md").read_text()
    assert all(f"`--{option}" in page for option in OPTIONS if option not in ("help", "lang"))


def test_values_that_options_offer_are_those_that_there_are():
    from minigrad.cli.commands import duel
    from minigrad.nn import data
    from minigrad.nn.activations import ACTIVATIONS as ALL
    from minigrad.training import settings
    from minigrad.training.duel.models import ARENAS, RATES

    for text in (*catalogue()["help.train"], *catalogue()["help.duel"]):
        assert all(name in text for name in settings.OPTIMISERS), (
            "say it in training/messages/train.py, duel.py"
        )
    assert all(name in text for text in catalogue()["help.train"] for name in settings.SCHEDULES)
    assert duel.OPTIONS["on"].split("|") == list(ARENAS) == list(RATES)
    assert all(list(rates) == list(settings.OPTIMISERS) for rates in RATES.values())
    assert {*settings.ACTIVATIONS} <= {*ALL}
    assert all(task in settings.LANGUAGES or hasattr(data, task) for task in settings.TASKS)
    assert all(settings.defaults(task).task == task for task in settings.TASKS)


def test_trouble_is_called_out_when_it_is_seen_and_listed_at_the_end(capsys):
    assert train("moons", "--points", 20, "--lr", 1000, "--steps", 20) == 0
    shown = capsys.readouterr()
    assert re.search(r"step 2: exploding gradients", shown.err)
    assert "step 2: exploding gradients" in shown.out  # so that its numbers are not taken for the last ones
    assert "--clip 1" in shown.out


# ---- pictures -----------------------------------------------------------------------------------


def test_plot_draws_in_the_terminal_or_into_a_file(capsys, elsewhere):
    assert train(*QUICK, "--plot") == 0
    assert "⠒" in capsys.readouterr().out
    assert train(*QUICK, "--plot", "a.svg") == 0
    assert "<svg" in (elsewhere / "a.svg").read_text()
    assert train("--plot", "b.png", *QUICK) == 0
    assert (elsewhere / "b.png").read_bytes().startswith(b"\x89PNG")


def test_watch_writes_a_page(capsys, elsewhere):
    assert train(*QUICK, "--watch", "w.html") == 0
    assert "</html>" in (elsewhere / "w.html").read_text()


@pytest.mark.parametrize(
    ("words", "value", "rest"),
    [
        (["--plot"], "", []),
        (["--plot", "moons"], "", ["moons"]),
        (["--plot", "a.svg", "moons"], "a.svg", ["moons"]),
        (["moons", "--plot", "a.png"], "a.png", ["moons"]),
        (["--plot=a.gif", "moons"], "a.gif", ["moons"]),
        (["--plot", "--json"], "", []),
    ],
)
def test_an_option_may_have_an_optional_value(words, value, rest):
    arguments = take_apart(words, {"plot": "[FILE.svg|.png]", "json": ""})
    assert (arguments.options["plot"], arguments.words) == (value, rest)


# ---- a terminal ---------------------------------------------------------------------------------


def on_a_terminal(*words):
    """What a command writes to a terminal."""
    pid, file = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", LINES="40", COLUMNS="90")
        os.execv(sys.executable, [sys.executable, "-m", "minigrad", "train", *words])
    seen = b""
    while select.select([file], [], [], 30)[0]:
        try:
            seen += os.read(file, 65536)
        except OSError:
            break
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(file)
    return seen.decode()


def test_on_a_terminal_one_line_is_redrawn_and_taken_away_before_the_report():
    seen = on_a_terminal("moons", "--points", "30", "--hidden", "8,8", "--steps", "60")
    before, _, report = seen.partition("Result")
    assert "\r\x1b[J" in before
    assert "\n" not in before
    assert "60/60" in before
    assert report.count("60/60") == 0


class Screen:
    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_a_live_picture_is_drawn_over_itself_and_takes_little_of_the_time():
    run = Run(defaults("moons", points=4, hidden=(2,), steps=100))
    screen, now, drawn = Screen(), [0.0], []

    def picture(page, most):
        drawn.append(now[0])
        now[0] += 0.2  # what a picture costs
        return ["a", "b"]

    progress = ProgressLine(run, screen, Page(ink=Ink(False)), True, picture, clock=lambda: now[0])
    for _ in range(100):
        now[0] += 0.1
        progress.show(run.advance())
    assert len(drawn) > 5
    assert 0.2 * len(drawn) < 0.25 * now[0]
    assert "\r\x1b[2A\x1b[Ja\nb\n" in screen.text


def test_the_time_left_is_the_steps_left_at_the_speed_so_far():
    run, now = Run(defaults("moons", points=4, hidden=(2,), steps=100)), [0.0]
    progress = ProgressLine(run, Screen(), Page(), False, clock=lambda: now[0])
    for _ in range(20):
        now[0] += 2.0
        record = run.advance()
    line = progress.line(record, now[0])
    assert "20/100" in line
    assert "0.5 steps/s" in line
    assert "2 min 40 s left" in line
    assert [duration(x) for x in (0.2, 8.0, 60.0, 3599.7, 7500.0)] == [
        "< 1 s",
        "8 s",
        "1 min",
        "1 h",
        "2 h 5 min",
    ]


@pytest.mark.parametrize(
    ("width", "there", "not_there"),
    [
        (100, ("loss", "rate", "steps/s", "left"), ()),
        (80, ("loss", "rate", "steps/s", "left"), ()),
        (60, ("loss", "rate", "left"), ("steps/s",)),
        (40, ("loss", "left"), ("rate", "steps/s")),
        (30, ("loss",), ("left", "━")),
    ],
)
def test_where_there_is_little_room_the_loss_and_the_time_left_stay(width, there, not_there):
    run, now = Run(defaults("moons", points=4, hidden=(2,), steps=1000)), [0.0]
    progress = ProgressLine(run, Screen(), Page(width, ink=Ink(False)), True, clock=lambda: now[0])
    for _ in range(100):
        now[0] += 0.0301
        record = run.advance()
    line = progress.line(record, now[0])
    assert len(line) <= width
    assert all(word in line for word in there)
    assert not any(word in line for word in not_there)


@pytest.mark.parametrize(("width", "pattern"), [(20, r"1/4  loss \S+"), (10, "1/4")])
def test_where_there_is_no_room_for_a_bar_there_is_none(width, pattern):
    run = Run(defaults("moons", points=4, hidden=(2,), steps=4))
    progress = ProgressLine(run, Screen(), Page(width, ink=Ink(False)), True, clock=lambda: 0.0)
    assert re.fullmatch(pattern, progress.line(run.advance(), 8.0))


def test_words_that_fill_the_line_exactly_are_there():
    run = Run(defaults("moons", points=4, hidden=(2,), steps=4))
    record, whole = run.advance(), "1/4  loss 0.9847"
    assert f"{run.losses[0]:.4g}" == "0.9847"
    for width in (len(whole), len(whole) - 1):
        progress = ProgressLine(run, Screen(), Page(width, ink=Ink(False)), True, clock=lambda: 0.0)
        assert progress.line(record, 0.0) == (whole if width == len(whole) else "1/4")


def test_the_first_step_is_drawn_at_once():
    run, screen = Run(defaults("moons", points=4, hidden=(2,), steps=100)), Screen()
    progress = ProgressLine(run, screen, Page(), True, lambda page, most: ["picture"], clock=lambda: 0.0)
    progress.show(run.advance())
    assert "picture\n" in screen.text
    assert "1/100" in screen.text
    before = screen.text
    progress.show(run.advance())  # in the same moment
    assert screen.text == before


def test_the_loss_on_the_way_is_the_one_of_the_report(capsys):
    """Of a text a step, the mean of a tenth of them, in both places."""
    train(*NAMES[:-1], "40")
    shown = capsys.readouterr()
    last = f"{fmean(losses_of('names', width=4, heads=2, steps=40)[-4:]):.4g}"
    assert f"loss {last} " in shown.err.splitlines()[-1]
    assert re.search(sentence("telling.loss.mean", end=last, steps=40, count=4), shown.out)


# ---- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "nothing to train"),
        ("moon", "did you mean minigrad train moons"),
        ("nowhere.txt", "no such file"),
        ("moons spirals", "one thing"),
        ("moons --steps 0", "--steps cannot be 0"),
        ("moons --steps 1e3", "whole number"),
        ("moons --steps 1_000", "whole number"),
        ("moons --seed x", "--seed needs a whole number"),
        ("moons --seed -1", "--seed cannot be -1"),
        ("moons --lr nan", "--lr needs a number"),
        ("moons --lr inf", "--lr needs a number"),
        ("moons --lr 0", "learning rate cannot be 0"),
        ("moons --hidden 16,,x", "'16,,x' is not that"),
        ("moons --hidden 0", "hidden layers"),
        ("moons --hidden 9999999999999999999", "hidden layers"),
        ("moons --batch 101", "101 cannot be drawn from 100"),
        ("moons --batch 0", "--batch must be above 0"),
        ("moons --clip -1", "--clip must be above 0"),
        ("moons --points 1", "--points cannot be 1"),
        ("moons --optimiser rms", "sgd, adam, adamw"),
        ("moons --activation step", "relu, tanh"),
        ("moons --warmup 100", "warm-up"),
        ("moons --momentum 0.9 --optimiser adam", "--momentum belongs"),
        ("moons --width 4", "--width does not belong to moons"),
        ("moons --samples 3", "--samples does not belong to moons"),
        ("names --hidden 3", "--hidden does not belong to names"),
        ("names --heads 3", "write --heads 2"),
        ("names --width 1000 --heads 1", "parameters"),
        ("names --temperature 0", "--temperature must be above 0"),
        ("names --samples 99999999", "--samples is a whole number from 0 to 10,000"),
        ("moons --every 5", "write --save"),
        ("moons --save a.txt", ".safetensors"),
        ("moons --plot=a.gif", ".svg, .png"),
        ("moons --plot a.gif", "'a.gif' what to write; its ending must be one of .svg, .png"),
        ("moons --watch a.svg", ".html"),
        ("moons --save nowhere/a.safetensors", "no such file or folder"),
        ("moons --plot nowhere/a.svg", "no such file or folder"),
        ("moons --watch nowhere/a.html", "no such file or folder"),
        ("moons --save folder.safetensors", "it is a folder"),
        ("--resume nowhere.safetensors", "cannot read nowhere.safetensors"),
        ("--resume empty.txt", "not a minigrad checkpoint"),
        ("empty.txt", "empty.txt has no text"),
        ("binary.bin", "offset"),
        ("one.txt", "only one document"),
        ("folder.safetensors", "is a folder"),
        ("two.html --watch two.html", "--watch would write over the texts in two.html"),
        ("two.html --watch ./link.html", "--watch would write over"),
    ],
)
def test_what_cannot_be_is_refused_in_words_before_any_work(words, said, capsys, elsewhere):
    (elsewhere / "empty.txt").write_text("")
    (elsewhere / "one.txt").write_text("a single line")
    (elsewhere / "binary.bin").write_bytes(b"\x00\xff\x80ELF")
    (elsewhere / "folder.safetensors").mkdir()
    (elsewhere / "two.html").write_text("anna\nbert\n")
    (elsewhere / "link.html").symlink_to("two.html")
    before = sorted(os.listdir())
    assert train(*words.split()) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.out == ""
    assert sorted(os.listdir()) == before


def test_a_disk_that_is_full_from_the_start_is_refused(capsys, monkeypatch, elsewhere):
    import minigrad.cli.commands.train as command

    def full(path, content):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(command, "rehearse", full)
    assert train(*QUICK, "--save", "a.safetensors") == 2
    assert "the disk is full" in capsys.readouterr().err
    assert os.listdir() == []


def test_a_disk_that_fills_up_on_the_way_is_told_once_and_the_run_ends_with_an_error(capsys, monkeypatch):
    from minigrad.training import run_file

    right, tried = run_file.save, []

    def fills(run, path):
        tried.append(run.step)
        if run.step > 4:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        right(run, path)

    monkeypatch.setattr(run_file, "save", fills)
    assert train(*QUICK, "--save", "a.safetensors", "--every", 2) == 2
    shown = capsys.readouterr()
    assert tried == [2, 4, 6, 8, 10, 10]  # the last one elsewhere
    assert shown.err.count("the disk is full") == 2  # when it was seen, and as the reason of the exit code
    assert load("a.safetensors").step == 4
    assert re.search(sentence("telling.kept", path="a.safetensors", step=4), shown.out)
    assert Path("a.safetensors").stat().st_size > 0
