"""`minigrad train --compile`: the same run, to the last bit; only the time is another."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.text.translation import LANGUAGES, speaking
from minigrad.training import Run, defaults
from minigrad.training.run_file import load
from source_trees import ROOT
from training_commands import NAMES, QUICK, document, started, stopped, train

pytestmark = pytest.mark.usefixtures("elsewhere")

TEXTS = ["few.txt", "--width", "4", "--heads", "2", "--steps"]  # of two lengths


@pytest.fixture(autouse=True)
def few(elsewhere) -> None:
    Path("few.txt").write_text("ana\neva\nluz\nnoa\nlia\nabril\n", encoding="utf-8")


SMALL = {"points": 12, "hidden": (4, 3), "steps": 6}
LETTERS = {"width": 4, "heads": 2, "block": 6, "steps": 6}
RUNS = {
    "moons": {**SMALL},
    "moons in batches": {**SMALL, "batch": 5, "clip": 0.5},
    "moons with momentum": {**SMALL, "momentum": 0.9, "weight_decay": 0.1, "warmup": 2},
    "circles": {**SMALL},
    "spirals": {**SMALL, "activation": "gelu", "schedule": "cosine"},
    "regression": {**SMALL, "activation": "silu", "optimiser": "adamw"},
    "names": {**LETTERS},
    "names in batches": {**LETTERS, "batch": 3, "clip": 0.1, "layers": 2, "steps": 4},
}


def compiled(*settings, **changed) -> Run:
    run = Run(defaults(*settings, **changed))
    run.compile()
    return run


def standing(run: Run) -> tuple:
    """All that a run is."""
    grads = [p.grad for p in run.parameters]
    return run.losses, run.model.state_dict(), run.optimiser.state_dict(), run.schedule.state_dict(), grads


@pytest.mark.parametrize("name", RUNS)
def test_each_task_trains_to_the_same_bits(name):
    task, changed = name.split()[0], RUNS[name]
    plain, quick = Run(defaults(task, **changed)), compiled(task, **changed)
    for _ in range(changed["steps"]):
        assert repr(quick.advance()) == repr(plain.advance())
    assert standing(quick) == standing(plain)
    assert quick.forward().data == plain.forward().data
    assert quick.task.accuracy() == plain.task.accuracy()


def test_a_wrong_bit_in_the_weights_is_seen():
    plain, quick = Run(defaults("moons", **SMALL)), compiled("moons", **SMALL)
    plain.advance()
    quick.advance()
    weight = quick.parameters[0]
    weight.data = weight.data * (1.0 + 2**-52)
    quick.read()
    plain.advance()
    quick.advance()
    assert standing(quick) != standing(plain)


def test_to_look_at_a_run_that_has_not_begun_changes_nothing():
    run = Run(defaults("moons", points=6, hidden=(3,), steps=4))
    first = run.parameters[0]
    run.compile()
    first.data = 5.0
    assert run.parameters[0] is first
    assert first.data == 5.0


def test_a_loss_that_is_no_number_is_not_stepped_on():
    plain, quick = Run(defaults("moons", **SMALL, lr=1e6)), compiled("moons", **SMALL, lr=1e6)
    for run in (plain, quick):
        run.parameters[0].data = 1e308
        run.read()
    first, second = plain.advance(), quick.advance()
    assert repr(first) == repr(second)
    assert not second.taken
    assert quick.step == 0
    assert standing(quick)[1] == standing(plain)[1]


def test_a_broken_backward_pass_in_between_is_taken_over():
    def half(loss):
        loss.backward(0.5)

    plain, quick = Run(defaults("moons", **SMALL)), compiled("moons", **SMALL)
    for backward in (None, half, None):
        assert repr(quick.advance(backward)) == repr(plain.advance(backward))
    assert standing(quick) == standing(plain)


# ---- the command ----------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [QUICK, [*TEXTS, 10]], ids=["moons", "names"])
def test_what_is_printed_is_the_same(capsys, words):
    assert document(capsys, *words, "--compile") == document(capsys, *words)
    assert train(*words) == 0
    plain = capsys.readouterr()
    assert train(*words, "--compile") == 0
    quick = capsys.readouterr()

    def timeless(text: str) -> str:
        return re.sub(r"[\d.,]+ (s|ms|steps/s|min)\b|< 1 s", "TIME", text)

    assert timeless(quick.out) == timeless(plain.out)


def test_a_checkpoint_does_not_know_how_it_was_made_and_goes_on_either_way(capsys):
    for name, *first in (("plain",), ("quick", "--compile"), ("first",), ("last", "--compile")):
        assert train(*TEXTS, 6, *first, "--save", f"{name}.safetensors") == 0
    for name, *second in (("plain",), ("quick", "--compile"), ("first", "--compile"), ("last",)):
        assert train("--resume", f"{name}.safetensors", *second, "--steps", 9) == 0
    saved = {Path(f"{name}.safetensors").read_bytes() for name in ("plain", "quick", "first", "last")}
    assert len(saved) == 1
    assert load("quick.safetensors").step == 9


def test_pages_pictures_and_saving_on_the_way_see_the_newest_weights(capsys):
    for name, *words in (("plain",), ("quick", "--compile")):
        files = [
            "--save",
            f"{name}.safetensors",
            "--every",
            3,
            "--watch",
            f"{name}.html",
            "--plot",
            f"{name}.svg",
        ]
        assert train(*QUICK, *words, *files) == 0
    assert Path("quick.svg").read_text() == Path("plain.svg").read_text()
    assert Path("quick.safetensors").read_bytes() == Path("plain.safetensors").read_bytes()
    boundary = [re.findall(r"<path[^>]*>", Path(f"{name}.html").read_text()) for name in ("plain", "quick")]
    assert boundary[0][-5:] == boundary[1][-5:]


@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="this system has no Ctrl-C to send")
def test_ctrl_c_saves_a_compiled_run(elsewhere):
    words = ["moons", "--points", "12", "--hidden", "4,3", "--steps", "100000", "--compile"]
    process = started(*words, "--save", "a.safetensors", "--every", "10")
    _, _, code = stopped(process, signal.SIGINT, until=lambda: os.path.exists("a.safetensors"))
    assert code == 130
    run = load("a.safetensors")
    plain = Run(run.settings)
    while plain.step < run.step:
        plain.advance()
    assert standing(run)[:4] == standing(plain)[:4]


@pytest.mark.parametrize("language", LANGUAGES)
def test_dropout_cannot_be_compiled_and_it_is_said_before_the_first_step(capsys, language):
    with speaking(language):
        assert train(*NAMES, "--dropout", 0.1, "--compile") == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "--dropout" in shown.err


def test_without_numpy_it_says_what_to_install():
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from minigrad.cli import main\n"
        f"sys.exit(main(['train', *{QUICK!r}, '--compile']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2, done.stderr
    assert "pip install" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_example_with_one_line_changed_prints_the_same(elsewhere):
    program = [sys.executable, str(ROOT / "examples" / "microgpt.py")]
    Path("two.txt").write_text("ab\nba\n", encoding="utf-8")
    printed = [
        subprocess.run(
            [*program, "two.txt", "--steps", "30", *more], capture_output=True, text=True, timeout=60
        )
        for more in ([], ["--compile"])
    ]
    assert printed[1].stderr == ""
    assert printed[1].stdout == printed[0].stdout != ""
