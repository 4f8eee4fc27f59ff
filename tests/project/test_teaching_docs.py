"""The class in docs/en/teaching.md: what its learners handed in is what its sheets ask for."""

import sys

from source_trees import ROOT

DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS / "class"))

import fill  # noqa: E402


def test_the_answers_in_the_docs_are_those_to_their_sheets():
    found = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "class" / "returned").iterdir()}
    assert found == fill.files(), "run: python docs/class/fill.py"


def test_the_options_that_the_docs_name_exist():
    import re

    from minigrad.cli.commands import classroom, grade

    for page in ("en", "es"):
        text = (DOCS / page / "teaching.md").read_text(encoding="utf-8")
        known = {*classroom.OPTIONS, *grade.OPTIONS, "list", "got"}
        assert set(re.findall(r"--([a-z]+(?:-[a-z]+)*)", text)) - {"version"} <= known
