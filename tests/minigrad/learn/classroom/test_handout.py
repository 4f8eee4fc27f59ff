"""Break labs on paper: room to write for learners, every number for the teacher."""

import json
import re
from pathlib import Path

import pytest

from minigrad.cli import main
from minigrad.faults import FAULTS
from minigrad.learn.classroom.handout import FORMS, handout
from minigrad.text.translation import speaking

CLASSIC = ["ab = a*b; e = ab + c; f = a - c; L = e*f", "a=2", "b=3", "c=4"]


def made(tmp_path: Path, *words: str, ending: str = ".md", lang: str = "en") -> str:
    path = tmp_path / f"lab{ending}"
    arguments = ["learn", "--handout", *words, "--out", str(path), "--lang", lang, "--force"]
    assert main(arguments) == 0
    text = path.read_text(encoding="utf-8")
    return re.sub(r"data:image[\w/+;,=]+", "", text)


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_teachers_copy_has_every_order_and_the_diagnosis(tmp_path, lang):
    """The numbers of the fact sheet: three results, and a.grad goes from 10 to -6."""
    key = made(tmp_path, "overwrite", *CLASSIC, "--answers", lang=lang)
    for result in ("a = -6, b = -4, c = -2", "a = -6, b = -4, c = -10", "a = 10, b = -4, c = -10"):
        assert result in key
    assert "a.grad: 10 -> -6" in key
    assert "a = 4, b = -4, c = -12" in key
    assert "-        child.grad += amount\n+        child.grad = amount" in key


@pytest.mark.parametrize("ending", list(FORMS))
@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_learners_copy_has_the_change_and_no_result(tmp_path, ending, lang):
    paper = made(tmp_path, "overwrite", *CLASSIC, ending=ending, lang=lang)
    assert "child.grad = amount" in paper
    for result in ("a = 4, b", "-12", "10 -&gt; -6", "10 -> -6", "c = -10"):
        assert result not in paper


def test_a_notebook_runs_the_lab_itself(tmp_path):
    import nbformat

    document = json.loads(made(tmp_path, "overwrite", *CLASSIC, ending=".ipynb"))
    nbformat.validate(nbformat.from_dict(document))
    [code] = ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code"]
    namespace: dict[str, object] = {}
    exec(code.replace("\n\nlab(", "\n\nshown = lab("), namespace)
    assert namespace["shown"].broken.gradients == {"a": -6.0, "b": -4.0, "c": -2.0}


def test_without_a_graph_it_is_the_faults_own(tmp_path):
    assert "--handout" not in made(tmp_path, "overwrite")
    smallest = FAULTS["overwrite"].graph
    key = made(tmp_path, "overwrite", "--answers")
    assert all(f"{name} = " in key for name in (smallest.names[i] for i in smallest.inputs))


def test_a_handout_that_was_written_on_is_kept(tmp_path, capsys):
    path = tmp_path / "lab.md"
    words = ["learn", "--handout", "overwrite", "--out", str(path), "--lang", "en"]
    assert main(words) == 0
    assert main(words) == 0
    path.write_text("mine")
    assert main(words) == 2
    assert path.read_text() == "mine"
    assert "--force" in capsys.readouterr().err


@pytest.mark.parametrize("slug", list(FAULTS)[::9])
def test_faults_of_every_family_have_a_handout(slug):
    for lang in ("en", "es"):
        with speaking(lang):
            for key in (False, True):
                sheet = handout(slug, None, {}, key)
                assert all(form(sheet) for form in FORMS.values())


def test_the_graph_is_drawn_beside_its_statements_on_a_page_and_in_a_notebook(tmp_path):
    page = made(tmp_path, "overwrite", *CLASSIC, ending=".html")
    assert page.count("<svg ") == 1
    cells = json.loads(made(tmp_path, "overwrite", *CLASSIC, ending=".ipynb"))["cells"]
    assert ["![" in "".join(cell["source"]) for cell in cells].count(True) == 1
