"""The notebooks of the course: generated from the lessons, and the one about the second day, written by hand.

Each is run from top to bottom, warnings being errors; nothing in one that was run gives an answer away.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

from minigrad.learn import check, exercise, picture, question, reveal
from minigrad.learn.course import SLUGS, unit
from minigrad.learn.inline_marks import plain
from minigrad.learn.lesson_notebook import (
    Cell,
    cells,
    cells_of,
    ipynb,
    main,
    notebook_files,
    percent,
    script,
    text,
)
from minigrad.text.translation import LANGUAGES, say, speaking
from source_trees import ROOT

NOTEBOOKS = ROOT / "notebooks"
DAY_TWO = [NOTEBOOKS / lang / "day2_backward_pass.py" for lang in LANGUAGES]
NAMES = sorted(f"{path.parent.name}/{path.name}" for path in NOTEBOOKS.glob("*/*.py"))
OF_UNITS = [name for name in NAMES if "day2" not in name]


def read(path: Path) -> Any:
    return jupytext.reads(path.read_text(encoding="utf-8"), "py:percent")


def code(notebook: Any) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def run(sources: list[str]) -> list[str]:
    """Run cells in one namespace; what each printed and showed, in every form that a front end may take."""
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    for source in sources:
        heard = io.StringIO()
        body = ast.parse(source).body
        last = body.pop().value if body and isinstance(body[-1], ast.Expr) else None
        with redirect_stdout(heard):
            exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
            value = None if last is None else eval(compile(ast.Expression(last), "<cell>", "eval"), names)
        forms = [heard.getvalue()]
        if value is not None:
            forms.append(repr(value))
            for name in ("_repr_html_", "_repr_svg_", "_repr_mimebundle_"):
                form = getattr(value, name, lambda: "")()
                forms.append(str(form or ""))
        shown.append("\n".join(forms))
    return shown


@pytest.fixture
def in_english(monkeypatch, tmp_path):
    """A notebook may choose its language and write files; both end with the test."""
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    monkeypatch.chdir(tmp_path)


# ---- generated from the lessons -----------------------------------------------------------------


def test_every_unit_has_its_notebook_and_it_is_up_to_date():
    assert len(OF_UNITS) == len(LANGUAGES) * len(SLUGS)
    pytest.importorskip("torch", reason="the notebook of day two prints what PyTorch says")
    for path, source in notebook_files(NOTEBOOKS).items():
        assert path.read_text(encoding="utf-8") == source, f"{path.name} is out of date; run: make docs"


@pytest.mark.parametrize("path", DAY_TWO)
def test_the_notebook_of_day_two_comes_with_its_outputs(path):
    """The sections are those of the lesson that it follows: the trap is the fifth."""
    notebook = json.loads(path.with_suffix(".ipynb").read_text(encoding="utf-8"))
    printed = ["".join(out.get("text", "")) for cell in notebook["cells"] for out in cell.get("outputs", ())]
    assert "Value(data=3, grad=2)\n" in "".join(printed).replace("a(data", "Value(data")
    assert any("<svg" in str(cell.get("outputs")) for cell in notebook["cells"])
    prose = "\n".join(
        "".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"
    )
    sections = re.findall(r"(?m)^## (\d)\. (.*)$", prose)
    assert [number for number, _ in sections] == list("123456")
    assert "+=" in sections[4][1]


def test_renewing_writes_what_is_out_of_date_alone(tmp_path):
    main(str(tmp_path))
    stale, fresh = tmp_path / "en" / "01-data-and-grad.py", tmp_path / "es" / "04-diamonds.py"
    before = fresh.stat().st_mtime_ns, fresh.stat().st_ino
    stale.write_text("old", encoding="utf-8")
    main(str(tmp_path))
    assert stale.read_text(encoding="utf-8") == (NOTEBOOKS / "en" / stale.name).read_text(encoding="utf-8")
    assert (fresh.stat().st_mtime_ns, fresh.stat().st_ino) == before


@pytest.mark.parametrize("name", OF_UNITS)
def test_a_notebook_runs_from_top_to_bottom_and_gives_no_answer_away(name, in_english):
    sources = code(read(NOTEBOOKS / name))
    shown = run(sources)
    assert given_away(sources, shown) == []
    lang = name.partition("/")[0]
    with speaking(lang):
        blank = say("course.ask.empty", blanks="")[:12]
    unanswered = [
        output for source, output in zip(sources, shown, strict=True) if source.startswith("check(")
    ]
    assert len(unanswered) >= 3
    assert all(blank in output for output in unanswered)


def given_away(sources: list[str], shown: list[str]) -> list[str]:
    """The cells whose output says what only `reveal` should say."""
    keys = [found[1] for source in sources if (found := re.search(r'question\("([^"]+)"\)', source))]
    answers = {plain(sentence) for key in keys for sentence in reveal(key).words}
    asked = next(
        (i for i, source in enumerate(sources) if "question(" in source and "import" not in source), 0
    )
    return [
        source
        for source, output in zip(sources[asked:], shown[asked:], strict=True)
        if any(len(answer) > 12 and answer in " ".join(output.split()) for answer in answers)
    ]


def test_an_answer_that_is_given_away_is_found():
    sources = [
        "from minigrad.learn import *",
        'q1 = question("diamonds/what-is-right")\nq1',
        "check(q1, a=...)",
    ]
    with speaking("en"):
        assert given_away(sources, run(sources)) == []
        sources.append("reveal(q1)")
        assert given_away(sources, run(sources)) == ["reveal(q1)"]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_what_jupytext_reads(name):
    notebook = read(NOTEBOOKS / name)
    nbformat.validate(nbformat.from_dict(nbformat.v4.upgrade(notebook)))
    assert notebook.metadata["kernelspec"]["name"] == "python3"
    assert notebook.metadata["jupytext"]["text_representation"]["format_name"] == "percent"
    again = jupytext.reads(jupytext.writes(notebook, "py:percent"), "py:percent")
    assert [(cell.cell_type, cell.source) for cell in again.cells] == [
        (cell.cell_type, cell.source) for cell in notebook.cells
    ]


@pytest.mark.parametrize("name", NAMES)
def test_our_reading_of_the_format_is_jupytexts(name):
    source = (NOTEBOOKS / name).read_text(encoding="utf-8")
    assert cells_of(source) == [(cell.cell_type, cell.source) for cell in read(NOTEBOOKS / name).cells]


@pytest.mark.parametrize("path", DAY_TWO, ids=LANGUAGES)
def test_the_second_day_can_be_opened_without_jupytext(path):
    notebook = nbformat.read(path.with_suffix(".ipynb"), as_version=4)
    nbformat.validate(notebook)
    assert [(cell.cell_type, cell.source) for cell in notebook.cells] == [
        (cell.cell_type, cell.source) for cell in read(path).cells
    ]
    assert any(cell.get("outputs") for cell in notebook.cells)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_script_and_notebook_hold_the_same_cells(lang):
    found = cells(unit("diamonds", lang))
    read_back = jupytext.reads(percent(unit("diamonds", lang)), "py:percent")
    assert [(cell.cell_type, cell.source) for cell in read_back.cells] == found
    document = json.loads(text(found))
    assert document == ipynb(found)
    nbformat.validate(nbformat.from_dict(document))
    assert document["nbformat"] == 4
    assert document["nbformat_minor"] == 5
    ids = [cell["id"] for cell in document["cells"]]
    assert len(set(ids)) == len(ids)
    assert text(found) == text(cells(unit("diamonds", lang))), "the same bytes each time"


def test_a_cell_that_looks_like_a_mark_of_the_format_stays_a_cell():
    found = [
        Cell("markdown", "# a\n\n%% b\n---"),
        Cell("code", "x = 1\nx"),
        Cell("markdown", "```\n# %%\n```"),
    ]
    again = [(cell.cell_type, cell.source) for cell in jupytext.reads(script(found), "py:percent").cells]
    assert again == [Cell("markdown", "# a\n\n\\%% b\n---"), *found[1:]]


# ---- the second day -----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_second_day_is_run_by_a_kernel_without_an_error(tmp_path):
    """In both languages, by one kernel, which forgets in between: to start it and PyTorch takes longest."""
    forget = "get_ipython().reset(new_session=False)"
    own = [
        nbformat.v4.new_code_cell(forget + "; import warnings; warnings.simplefilter('error')")
        for _ in DAY_TWO
    ]
    days = [[cell, *read(path).cells] for cell, path in zip(own, DAY_TWO, strict=True)]
    notebook = nbformat.v4.new_notebook(cells=[cell for day in days for cell in day])
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    for day, words in zip(days, ("by hand", "a mano"), strict=True):
        outputs = [output for cell in day for output in cell.get("outputs", ())]
        assert "error" not in [output.output_type for output in outputs]
        assert [output.text for output in outputs if output.get("name") == "stderr"] == []
        printed = "".join(output.text for output in outputs if output.output_type == "stream")
        # worked out by hand: q*d with q = a*b + c at 3, -2, 5, 4 gives a: 4 * -2, b: 4 * 3, c: 4, d: -1
        for line in (
            "q(data=-1, grad=4) d(data=4, grad=-1)",
            "p(data=-6, grad=4) c(data=5, grad=4)",
            "a(data=3, grad=-8) b(data=-2, grad=12)",
            "a(data=3, grad=2)\n",
            "a(data=3, grad=1)\n",
        ):
            assert line in printed
        assert "PyTorch 12" in printed
        assert "my_engine.py" in printed
        assert words in printed
        assert sum("image/svg+xml" in output.get("data", {}) for output in outputs) >= 3


def test_the_second_day_has_its_six_sections_and_the_same_code_in_both_languages():
    notebooks = [read(path) for path in DAY_TWO]
    for notebook in notebooks:
        prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        assert re.findall(r"^## (\d)\. ", prose, re.MULTILINE) == list("123456")
    kinds = [[cell.cell_type for cell in notebook.cells] for notebook in notebooks]
    assert kinds[0] == kinds[1]
    english, spanish = (list(map(wordless, code(notebook))) for notebook in notebooks)
    assert english[1:] == spanish[1:]
    assert 'os.environ["MINIGRAD_LANG"] = "es"' in code(notebooks[1])[0]


def wordless(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.mark.parametrize("path", DAY_TWO, ids=LANGUAGES)
def test_the_second_day_is_kind_where_pytorch_is_missing(path, in_english, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    sources = code(read(path))
    asking = next(i for i, source in enumerate(sources) if "import torch" in source)
    shown = run(sources[: asking + 1])
    assert "pip install torch" in shown[-1]


def test_the_challenge_has_the_answer_that_one_gets_on_paper():
    """L = (a*b + c) * (a + b) at 2, -1, 5: e = 3 and f = 1, so a: -1*1 + 3, b: 2*1 + 3, c: 1."""
    challenge = exercise("a = 2; b = -1; c = 5; ab = a*b; e = ab + c; f = a + b; L = e*f")
    assert check(challenge, a=2, b=5, c=1).right
    wrong = check(challenge, a=3, b=3, c=1)  # the branch over ab is lost
    assert wrong.right is False


# ---- questions in a notebook --------------------------------------------------------------------


def test_a_question_is_asked_judged_and_revealed():
    with speaking("en"):
        q = question("diamonds/what-is-right")
        assert "a = 2; b = -3" in str(q)
        assert "<p>" in q._repr_html_()
        assert check(q, a=..., b=...).right is None
        assert not check(q, a=..., b=...)
        assert "Not answered yet" in str(check(q, a=-2))
        assert check(q, a=-2, b=3)
        assert check(q, -2, 3)
        overwritten = check(q, a=1, b=1)
        assert overwritten.right is False
        assert "+=" in str(overwritten)
        assert "-3 via c" in str(reveal(q))
        assert check("diamonds/what-is-right", a=-2.0, b="3").right


def test_a_question_speaks_the_language_in_which_it_was_asked():
    with speaking("es"):
        q = question("diamonds/what-is-right")
    with speaking("en"):
        assert "Aún sin responder" in str(check(q))


def test_what_is_no_question_and_no_blank_is_told():
    with speaking("en"):
        with pytest.raises(ValueError, match="diamonds/nothing"):
            question("diamonds/nothing")
        with pytest.raises(TypeError, match="a, b"):
            check("diamonds/what-is-right", z=1)
        with pytest.raises(TypeError, match="a, b"):
            check("diamonds/what-is-right", 1, 2, 3)
        with pytest.raises(TypeError, match="give a question"):
            check(3)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="photo"):
            picture("a = 2; a*a", "photo")


def test_a_picture_is_drawn_on_a_page_and_told_elsewhere():
    with speaking("en"):
        river = picture("a = 2; b = 3; a*b", "river")
        walk = picture("a = 2; b = 3; a*b", "walk")
    assert river._repr_svg_().startswith("<svg")
    assert "a" in str(river)
    assert walk._repr_svg_() is None
    assert "upstream" in str(walk)


def test_an_exercise_is_a_question_of_the_unit_about_gradients_by_hand():
    found = exercise("a = 2; b = -3; c = a*b")
    assert (found.question.key, found.question.unit) == ("by-hand/exercise", "by-hand")
    assert check(found, a=-3, b=2)
