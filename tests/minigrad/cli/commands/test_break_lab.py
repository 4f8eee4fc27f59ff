"""`minigrad break`: the lab as a command, predictions, the order explorer, and all faults at once."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import shlex
import subprocess
import sys
import time

import pytest

from minigrad.cli import main
from minigrad.cli.order_explorer import next_frame
from minigrad.faults import FAULTS, lab
from minigrad.faults.contributions import ContributionTerm
from minigrad.faults.order_explorer import frame, frames
from minigrad.faults.overview import Listing, overview
from minigrad.faults.prediction import judge
from minigrad.learn.lesson_screens import tall
from minigrad.text.translation import LANGUAGES, speaking
from source_trees import ROOT

DIAMOND = "ab = a*b; e = ab + c; f = a - c; L = e*f"
AT = {"a": 2.0, "b": 3.0, "c": 4.0}
WORDS = [DIAMOND, "a=2", "b=3", "c=4"]


def diamond(slug: str = "overwrite", **named):
    return lab(DIAMOND, slug, AT, **named)


# ---- predictions and the order explorer ---------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "guess", "kind"),
    [
        ("a", -6.0, "foreseen"),
        ("a", 4.0, "right"),
        ("a", 10.0, "order"),
        ("a", 6.0, "opposite"),
        ("a", 7.0, "other"),
        ("a", float("inf"), "other"),
        ("b", float("-inf"), "other"),
        ("b", float("nan"), "other"),
        ("b", -4.0, "untouched"),
        ("c", -10.0, "order"),
    ],
)
def test_a_guess_is_recognised(name, guess, kind):
    found = diamond()
    assert judge(found, found.graph.index(name), guess).kind == kind


def test_a_guess_that_is_one_contribution_is_recognised():
    found = diamond("branch-dropped", variant="f > a")
    judged = judge(found, 0, 10.0)
    assert (judged.kind, judged.term) == ("term", ContributionTerm(5, 0, 10.0))


def test_a_prediction_is_asked_for_before_the_result_is_shown(capsys, monkeypatch):
    read, write = os.pipe()
    os.write(write, b"-6\nsix\n-4\n\n")
    os.close(write)
    with os.fdopen(read) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert main(["break", "overwrite", *WORDS, "--predict", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    places = [
        out.index(part) for part in ("The change", "a.grad?", "Your prediction", "The run", "The lesson")
    ]
    assert places == sorted(places)
    assert "'six' is not a number" in out
    assert "a: -6, as you said, where 4 is right" in out
    assert "b: -4, as you said: the bug leaves it alone" in out
    assert "2 of 2 foreseen" in out


def test_one_line_may_predict_several_and_who_stops_keeps_what_was_said(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("a=-6 b=-4\nq\n"))
    assert main(["break", "overwrite", *WORDS, "--predict", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "2 of 2 foreseen" in out
    assert "The lesson" in out


def test_no_answer_is_fine(capsys, monkeypatch):
    with open(os.devnull) as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert main(["break", "overwrite", "--predict", "--lang", "es"]) == 0
    assert "No se hizo ninguna predicción." in capsys.readouterr().out


def test_in_every_frame_the_right_pass_is_the_same_and_the_broken_one_is_not():
    found = diamond()
    with speaking("en"):
        shown = [frame(found, index) for index in range(frames(found))]
        again = [frame(found, index) for index in range(frames(found))]
    assert shown == again
    assert len({len(lines) for lines in shown}) == 1
    rows = [[line.split() for line in lines if re.match(r"    [abc] ", line)] for lines in shown]
    assert {tuple(row[1] for row in table) for table in rows} == {("4", "-4", "-12")}
    assert [tuple(row[2] for row in table) for table in rows] == [
        ("-6*", "-4", "-2*"),
        ("-6*", "-4", "-10*"),
        ("10*", "-4", "-10*"),
    ]


def test_without_a_terminal_every_frame_is_printed(capsys):
    assert main(["break", "overwrite", *WORDS, "--scrub", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert [f"order {n} of 3" in out for n in (1, 2, 3)] == [True] * 3


def test_keys_move_between_frames():
    assert next_frame(0, "n", 3) == next_frame(0, "\x1b[C", 3) == 1
    assert next_frame(0, "p", 3) == next_frame(0, "\x1b[D", 3) == 2
    assert next_frame(2, " ", 3) == 0
    assert next_frame(1, "?", 3) == 1
    assert next_frame(1, "q", 3) is next_frame(1, "", 3) is next_frame(1, "\x1b", 3) is None


@pytest.mark.parametrize("columns", [80, 36])
def test_scrubbing_on_a_terminal(columns):
    here, there = pty.openpty()
    command = [sys.executable, "-m", "minigrad", "break", "overwrite", *WORDS, "--scrub", "--lang", "en"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns)}
    process = subprocess.Popen(command, stdin=there, stdout=there, stderr=there, env=environment)
    os.close(there)

    def seen(text: str, limit: float = 20.0) -> str:
        out, end = "", time.monotonic() + limit
        while text not in out and time.monotonic() < end:
            if select.select([here], [], [], 0.1)[0]:
                out += os.read(here, 65536).decode("utf-8", "replace")
        return out

    first = seen("q: leave")
    assert "q: leave" in first
    os.write(here, b"\x1b[C")
    second = seen("q: leave")
    assert "order 2 of 3" in second
    rows = tall(re.sub(r"\x1b\[\d*[A-Za-z]", "", first).strip().replace("\r", "").split("\n"), columns)
    assert f"\x1b[{rows}A" in second, "the second frame covers the first"
    os.write(here, b"n")
    assert "order 3 of 3" in seen("q: leave")
    os.write(here, b"q")
    assert process.wait(20) == 0
    os.close(here)


# ---- all faults at once -------------------------------------------------------------------------


def test_an_overview_shows_what_shows():
    found = overview(DIAMOND, AT)
    showing = {suspect.fault.slug: other.gradients for suspect, other in found.showing}
    assert showing["overwrite"] == {"a": -6.0, "b": -4.0, "c": -2.0}
    assert {suspect.fault.slug for suspect in found.hidden} >= {"recursion", "pre-order"}
    assert "relu-zeroes" in {fault.slug for fault in found.idle}
    assert len(found.showing) + len(found.hidden) + len(found.idle) == len(FAULTS)
    assert found.suggestion.fault.slug == "overwrite"
    for suspect, other in found.showing:
        assert other.gradients != pytest.approx(found.right.gradients, rel=1e-12), suspect.fault.slug


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_overview_and_the_catalogue_fit_a_terminal(lang):
    for found in (
        overview(DIAMOND, AT),
        overview("relu(a*b + d) / 3.1 + exp(a)", {"a": 2, "b": -3, "d": 10}),
    ):
        assert all(len(line) <= 78 for line in found.text(lang=lang).splitlines())
    text = Listing().text(lang=lang)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert all(f"  {slug} " in text for slug in FAULTS)
    assert "{" not in text


def test_the_catalogue_as_data():
    rows = Listing().to_json()["faults"]
    assert [row["fault"] for row in rows] == list(FAULTS)
    assert rows[0]["case"] == FAULTS["overwrite"].case
    assert Listing().markdown("es").startswith("# El catálogo de fallos")


# ---- what the pages show ------------------------------------------------------------------------

DOCS = ROOT / "docs"
SHOWN = [
    pytest.param(*block, id=f"{lang}-{number}")
    for lang in LANGUAGES
    for number, block in enumerate(
        re.findall(
            r"<!-- output: minigrad (.+?) -->\n```text\n(.*?)```",
            (DOCS / lang / "faults.md").read_text(encoding="utf-8"),
            re.DOTALL,
        )
    )
]


@pytest.mark.parametrize(("command", "shown"), SHOWN)
def test_the_pages_show_what_the_commands_print(command, shown, capsys):
    """`test_docs.py` runs every block of every page; these run in this process, so that it is quick."""
    main([*shlex.split(command), "--lang", "en"] if "--lang" not in command else shlex.split(command))
    assert capsys.readouterr().out == shown


# ---- the command --------------------------------------------------------------------------------


def run(capsys, *words: str) -> tuple[int, str, str]:
    code = main(["break", *words, "--lang", "en"])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_shows_the_sections_in_reading_order(capsys):
    code, out, _ = run(capsys, "overwrite", *WORDS)
    assert code == 0
    titles = ["What is broken", "Hypothesis", "The change", "The run", "Which gradients survive"]
    titles += ["The instrumented lines", "Where it hides", "The lesson"]
    places = [out.index(f"{title}") for title in titles]
    assert places == sorted(places)
    assert "right, all 3 orders" in out


def test_without_an_expression_it_is_the_fault_s_own_graph(capsys):
    code, out, _ = run(capsys, "overwrite")
    assert code == 0
    assert "a = 3; a + a" in out
    assert "a = 5; a + a" in run(capsys, "overwrite", "a=5")[1]


def test_without_a_fault_it_is_an_overview(capsys):
    code, out, _ = run(capsys, *WORDS)
    assert code == 0
    assert "minigrad break overwrite" in out
    assert run(capsys, "a-b", "a=2", "b=3")[0] == 0


def test_json_has_the_promised_keys(capsys):
    code, out, _ = run(capsys, "overwrite", *WORDS, "--json")
    document = json.loads(out)
    assert code == 0
    assert document["expected"] == {"a": 4.0, "b": -4.0, "c": -12.0}
    assert document["orders"][0] == {
        "order": ["L", "f", "e", "ab"],
        "gradients": {"a": -6.0, "b": -4.0, "c": -2.0},
        "count": 1,
    }
    assert document["complete"] is True
    assert document["accounts"]["c"]["lost"] == [{"source": "f", "slot": 1, "amount": -10.0}]
    assert document["hides"]["gradients"] == {"x": 5.0, "y": 3.0}
    assert {"fault", "variant", "diff"} <= document.keys()
    assert json.loads(run(capsys, *WORDS, "--json")[1])["schema"] == "minigrad.break/1"
    assert json.loads(run(capsys, "--list", "--json")[1])["schema"] == "minigrad.faults/1"


def test_a_lab_can_be_written_to_a_file(tmp_path, capsys):
    path = tmp_path / "lab.md"
    assert run(capsys, "overwrite", *WORDS, "--out", str(path))[0] == 0
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Break lab: = in place of +=")
    assert "```diff\n@@ " in text
    assert "\n+        child.grad = amount\n" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to break"),
        (["overwrit"], "did you mean overwrite?"),
        (["overwrit", "a + a", "a=3"], "did you mean overwrite?"),
        (["qqqqq"], "there is no fault"),
        (["a-b"], "a has no value"),
        (["--list", "overwrite"], "leave out 'overwrite'"),
        (["overwrite", "a + a"], "a has no value"),
        (["overwrite", "a + a", "a=x"], "a needs a number"),
        (["overwrite", "b=5"], "no input b"),
        (["overwrite", "3"], "no gradient to break"),
        (["overwrite", "--variant", "mul"], "has no variants"),
        (["overwrite", "--predict", "--json"], "do not go together"),
        (["overwrite", "--scrub", "--out", "x.md"], "do not go together"),
        (["a + a", "a=2", "--scrub"], "is about one fault"),
        (["a + a", "a=2", "--variant", "add"], "--variant WHAT is about one fault"),
        (["overwrite", "--out", "x.pdf"], "its ending must be one of"),
        (["overwrite", "--srub"], "did you mean --scrub"),
    ],
)
def test_bad_input_gets_a_sentence(words, message, capsys):
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_help_fits_a_terminal(lang, capsys):
    assert main(["break", "--help", "--lang", lang]) == 0
    out = capsys.readouterr().out
    assert all(len(line) <= 80 for line in out.splitlines())
    for option in ("--list", "--variant", "--predict", "--scrub", "--json", "--out", "--all"):
        assert option in out


def test_a_program_of_one_statement_is_no_input(capsys):
    assert main(["break", "overwrite", "s = a + a", "a=3"]) == 0
    assert "a = 3; s = a + a" in capsys.readouterr().out
    assert main(["break", "overwrite", "a=1/3"]) == 0
