"""Statements beside the textbook's: the first other one is found under any names, and none where none is."""

import ast
from textwrap import dedent

import pytest

from minigrad.learn.track.learner_file import LearnerFile
from minigrad.learn.track.statements import compare
from minigrad.learn.track.textbook_parts import STEPS
from track_wrong_engines import changed_lines, rewritten, wrong_engines

RIGHT = """
def f(a, b):
    out = a.data * b
    out.grad += a.grad * out.data
    return out
"""


def line(text: str, right: str = RIGHT) -> int:
    mine, book = (ast.parse(dedent(one)).body[0] for one in (text, right))
    return compare(mine, book).line


def test_names_and_spellings_make_no_difference():
    other = """
    def f(one, two):
        made = two * one.data
        made.grad = made.grad + made.data * one.grad
        return made
    """
    assert line(RIGHT) == 0
    assert line(other) == 0


def test_what_is_taken_away_is_what_is_added_with_a_minus():
    right = "def f(a, out):\n    a.grad += -out.grad\n"
    assert line("def f(a, out):\n    a.grad -= out.grad\n", right) == 0
    assert line("def f(a, out):\n    a.grad = a.grad - out.grad\n", right) == 0
    assert line("def f(a, out):\n    a.grad += out.grad\n", right) == 2


def test_two_names_that_are_taken_for_each_other_do():
    assert line(RIGHT.replace("a.grad * out", "b.grad * out")) == 4
    assert line(RIGHT.replace("out.grad +=", "a.grad +=")) == 4


def test_the_sides_of_an_operator_on_values_make_a_difference():
    right = "def f(self, other):\n    return self * other\n"
    assert line("def f(self, x):\n    return x * self\n", right) == 2


def test_of_a_missing_line_the_one_before_it_is_named():
    assert line(RIGHT.replace("    out.grad += a.grad * out.data\n", "")) == 3


def test_it_is_known_whether_a_line_is_missing_or_comes_too_late():
    book = ast.parse("def f(a, b):\n    a.g = 1\n    b.run()\n    a.run()\n").body[0]
    late = ast.parse("def f(a, b):\n    a.g = 1\n    a.run()\n    b.run()\n").body[0]
    missing = ast.parse("def f(a, b):\n    a.g = 1\n    a.run()\n").body[0]
    assert (compare(late, book).line, compare(late, book).missing) == (3, False)
    assert (compare(missing, book).line, compare(missing, book).missing) == (2, True)


def test_of_another_program_the_head_is_named():
    mine, book = ast.parse("def f(x):\n    print(x)\n    x.y()\n").body[0], ast.parse(RIGHT.strip()).body[0]
    found = compare(mine, book)
    assert not found.is_like
    assert found.line == 1


@pytest.mark.parametrize("step", STEPS)
def test_nearly_every_wrong_line_of_a_step_is_found_by_its_text(step):
    engines = [one for one in wrong_engines() if one.where == "own" and one.step == step]
    engines += [rewritten(one) for one in engines]
    found = [LearnerFile(one.source).differing_line(step) in changed_lines(one) for one in engines]
    assert sum(found) >= 0.9 * len(found)
