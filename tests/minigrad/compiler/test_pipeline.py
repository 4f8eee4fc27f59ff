"""The program after each pass, as text; and the example whose passes the docs show."""

import subprocess
import sys

import pytest

import minigrad
from source_trees import ROOT

pytestmark = pytest.mark.one_engine

EXAMPLE = ROOT / "examples" / "layer.py"


def twice(xs):
    return xs[0] * xs[1] + xs[2] * xs[3]


def test_the_trace_has_a_line_per_node_and_flatten_one_per_chain():
    explained = minigrad.compile(twice).explain([1.0, 2.0, 3.0, 4.0])
    lines = ["n4 = x0 * x1", "n5 = x2 * x3", "n6 = n4 + n5", "out: n6"]
    assert explained.after("trace").splitlines() == lines
    assert explained.after("flatten").splitlines() == ["n4 = x0*x1 + x2*x3", "out: n4"]


def test_every_pass_that_is_counted_can_be_seen():
    explained = minigrad.compile(twice).explain([1.0, 2.0, 3.0, 4.0], argnums=0)
    for name, left, _ in explained.passes:
        text = explained.after(name)
        assert text, name
        if name in ("layout", "reuse"):
            assert sum(" = " in line for line in text.splitlines()) == left
    assert "backward" in [name for name, _, _ in explained.passes]


def test_words_are_in_the_language_asked_for():
    explained = minigrad.compile(twice).explain([1.0, 2.0, 3.0, 4.0])
    assert explained.after("trace", "es").endswith("salida: n6")
    assert "celdas" in explained.after("reuse", "es")
    assert "cells" in explained.after("reuse", "en")


def test_a_pass_that_is_not_there_is_named_beside_those_that_are():
    explained = minigrad.compile(twice).explain([1.0, 2.0, 3.0, 4.0])
    with pytest.raises(ValueError, match=r"no pass flaten here; there are trace, fold, flatten, "):
        explained.after("flaten")
    with pytest.raises(ValueError, match="no pass backward here"):  # without a gradient there is none
        explained.after("backward")


def test_the_example_of_the_docs_runs():
    shown = subprocess.run([sys.executable, str(EXAMPLE)], capture_output=True, text=True, check=True).stdout
    assert "loss 0.007892" in shown
    assert "vector instructions" in shown
    after = [sys.executable, str(EXAMPLE), "flatten"]
    assert "n12 = 0 + x0*x6 + x1*x7 + x2*x8" in subprocess.check_output(after, text=True)
    wrong = subprocess.run([sys.executable, str(EXAMPLE), "flaten"], capture_output=True, text=True)
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("there is no pass flaten here")


# ---- the whole explanation ----------------------------------------------------------------------


def test_instructions_are_written_as_the_program_after_its_last_pass():
    explained = minigrad.compile(twice).explain([1.0, 2.0, 3.0, 4.0], argnums=0)
    text = explained.text("en")
    lines = [line.strip() for line in explained.after("reuse").splitlines() if " = " in line]
    assert len(lines) == explained.instructions
    assert all(line in text for line in lines)


@pytest.mark.parametrize("lang", ["en", "es"])
def test_an_explanation_fits_its_page(lang):
    def irregular(xs):
        return [xs[i] * xs[j] for i, j in ((0, 3), (2, 1), (3, 3), (1, 0), (0, 0), (2, 3), (1, 1))]

    text = minigrad.compile(irregular).explain([1.0, 2.0, 3.0, 4.0]).text(lang)
    assert "S@[" in text  # cells that follow no rule are listed, and are long
    assert max(map(len, text.splitlines())) <= 78


def test_a_batch_is_explained_with_the_numbers_of_each_sample():
    program = minigrad.compile(lambda w, x: w[0] * x[0] + w[1] * x[1])
    explained = program.batched("x").explain([0.5, 2.0], [[1.0, 2.0], [3.0, 4.0]], argnums=0)
    text = explained.text("en")
    assert "cells of each sample" in text
    assert "lanesum" in text
    assert "L[" in explained.after("layout")
    alone = program.explain([0.5, 2.0], [1.0, 2.0], argnums=0)
    assert "each sample:" not in alone.text("en")
    assert "L[" not in alone.after("layout")
    with pytest.raises(ValueError, match="one sample at least"):
        program.batched("x").explain([0.5, 2.0], [])


def test_programs_say_what_they_are():
    program = minigrad.compile(twice)
    assert repr(program) == "<Program twice: traces: 0>"
    assert repr(program.batched("xs")) == "<Batched twice: xs>"
    assert repr(program.batched()) == "<Batched twice: *>"
