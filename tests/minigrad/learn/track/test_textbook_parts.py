"""The textbook of the track: parts that fit together, and an engine that is right."""

import ast
import math

import pytest

import minigrad
from minigrad.learn.track.textbook_parts import STEPS, hole_lines, names_of, own_tests, part, solution
from minigrad.text.translation import LANGUAGES, catalogue, speaking


def engine(step: str = STEPS[-1]) -> dict:
    names: dict = {"__name__": "engine"}
    exec(solution(step), names)
    return names


@pytest.mark.parametrize("step", STEPS)
def test_a_skeleton_has_one_hole_and_is_python_that_shows_no_line_of_the_solution(step):
    for lang in LANGUAGES:
        with speaking(lang):
            inside, outside = part(step)
        text = f"class Value:\n{inside}" if inside else outside
        ast.parse(text)
        assert "..." in text
        assert "# >" not in text
        shown = {line.strip() for line in text.splitlines()}
        own = [line for line in hole_lines(step) if not line.startswith("def ")]
        given = {"return out", "out._backward = _backward", "def _backward():"}  # as in the whole example
        assert not [line for line in own if line in shown - given]


@pytest.mark.parametrize("step", STEPS)
def test_a_solution_begins_with_the_one_before_it(step):
    text = solution(step)
    assert "# >" not in text
    assert "..." not in text
    ast.parse(text)
    for earlier in STEPS[: STEPS.index(step) + 1]:
        assert all(f"def {name}" in text or f"class {name}" in text for name in names_of(earlier))


def test_rules_overwrite_until_the_diamond_and_take_constants_from_their_step_on():
    assert ".grad += " not in solution("order")
    assert ".grad = out" not in solution("diamond")
    assert "isinstance" not in solution("diamond")
    assert solution("constants").count("isinstance(other, Value)") == 3


@pytest.mark.parametrize(
    "text",
    ["a*b + c", "(a*b + c) * (a - c)", "a/b - 2/a + (-b)", "a**3 + a**0.5 + 2*a*a", "5 - a*a*a*b"],
)
def test_the_engine_has_the_gradients_of_minigrad(text):
    number = engine()["Value"]
    theirs = [number(x) for x in (2.0, -3.0, 10.0)]
    ours = [minigrad.Value(x) for x in (2.0, -3.0, 10.0)]
    for values in (theirs, ours):
        eval(text, dict(zip("abc", values, strict=True))).backward()
    assert [v.grad for v in theirs] == pytest.approx([v.grad for v in ours])


@pytest.mark.parametrize(
    ("name", "slope"), [("exp", math.exp(0.5)), ("tanh", 1 - math.tanh(0.5) ** 2), ("relu", 1.0)]
)
def test_the_curves_have_their_slopes(name, slope):
    a = engine()["Value"](0.5)
    getattr(a, name)().backward()
    assert a.grad == pytest.approx(slope)


def test_the_network_learns_two_moons(capsys):
    names = engine()
    names["random"].seed(1)
    model, points = names["MLP"](2, 8, 1), names["moons"](20)
    assert names["train"](model, points, steps=40) < 0.35
    right = sum((model(xs).data > 0) == (side > 0) for xs, side in points)
    assert right >= 17
    capsys.readouterr()


def test_the_file_of_tests_has_a_hole_and_a_solution():
    tests = own_tests()
    assert "def test_a_sum" in tests.skeleton
    assert "def test_values" not in tests.skeleton
    assert "def test_values" in tests.solution
    ast.parse(tests.skeleton)


@pytest.mark.parametrize("step", STEPS)
def test_each_step_has_its_texts(step):
    for kind in ("title", "text", "ask", "hint", "larger"):
        assert f"track.{kind}.{step}" in catalogue()
