"""What a candidate has to show, so that it counts as the same finding in a smaller program."""

import ast

import pytest

from minigrad.xray.reduction import with_origins
from minigrad.xray.reduction_child import _Trials

PROGRAM = "import torch\n\nx = 1\ny = f(x)\nz = g(y)\n"
WANTED = {"family": "graph-cut", "code": "cut.detach", "grade": "fact", "line": 4, "own": True, "position": 0}


def entry(**changed):
    return {"family": "graph-cut", "code": "cut.detach", "grade": "fact", "line": 3, **changed}


@pytest.fixture
def trials(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    found = _Trials({"file": str(tmp_path / "program.py"), "entry": WANTED})
    found.answers = []
    found.run = lambda text: found.answers.pop(0)
    return found


def shows(trials, *answers, without=()):
    """Does a program without some of its statements show it, by these answers of the whole and of it?"""
    trials.answers = list(answers)
    tree = with_origins(ast.parse(PROGRAM))
    for _ in answers[:-1]:
        trials.shows(tree)
    for at in sorted(without, reverse=True):
        del tree.body[at]
    return trials.shows(tree)


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ([entry(line=2)], 2),  # y = f(x), when x = 1 is gone
        ([entry(line=3)], None),  # z = g(y)
        ([entry(line=0)], None),
        ([entry(line=2, code="cut.data")], None),
        ([entry(line=2, grade="finding")], None),
        ([entry(line=2, family="freeze")], None),
        ([entry(line=2, family="freeze"), entry(line=2)], None),  # no longer the first
        ([], None),
    ],
)
def test_it_is_the_same_kind_at_the_same_line_and_place(trials, found, line):
    assert shows(trials, {"entries": found}, without=[1]) is (line is not None)
    if line is not None:
        assert trials.line == line


def test_a_program_that_raises_shows_nothing(trials):
    assert not shows(trials, {})


def test_a_candidate_of_which_less_can_be_examined_is_another_program(trials):
    whole, less = {"entries": [entry(line=3)]}, {"entries": [entry(line=3)], "remarks": ["repeats"]}
    assert not shows(trials, {**whole, "remarks": []}, less)
    trials.remarks = None
    assert shows(trials, {**whole, "remarks": ["repeats"]}, less)
