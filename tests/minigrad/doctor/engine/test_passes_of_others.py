"""Passes as other people write them wrongly: each small engine has a bug that was met in the wild."""

from __future__ import annotations

import json

import pytest

from minigrad.doctor import examine
from minigrad.doctor.engine import report_text
from minigrad.doctor.engine.correction import correct

ENGINE = """
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self.prev = data, 0.0, tuple(children)
        self.hand_on = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def hand_on():
            self.grad += out.grad
            other.grad += out.grad
        out.hand_on = hand_on
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def hand_on():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.hand_on = hand_on
        return out

    def __neg__(self):
        return self * -1
    def __sub__(self, other):
        return self + (-other)
    def __radd__(self, other):
        return self + other
    def __rmul__(self, other):
        return self * other
"""
PASS = """
    def backward(self):
        order, visited = [], set()
        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node.prev:
                    visit(child)
                order.append(node)
        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node.hand_on()
"""
STACK = """
    def backward(self):
        order, visited, stack = [], set(), [self]
        while stack:
            node = stack[-1]
            if node not in visited:
                visited.add(node)
                stack += [child for child in node.prev if child not in visited]
            else:
                stack.pop()
                order.append(node)
        self.grad = 1.0
        for node in reversed(order):
            node.hand_on()
"""
NO_MARK = """
    def all_below(self):
        found = [self]
        for child in self.prev:
            found += child.all_below()
        return found

    def backward(self):
        self.grad = 1.0
        for node in self.all_below():
            node.hand_on()
"""
ARRIVES = """
class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, parents

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def __neg__(self):
        return self * -1
    def __sub__(self, other):
        return self + (-other)
    def __radd__(self, other):
        return self + other
    def __rmul__(self, other):
        return self * other

    def backward(self, grad=1.0):
        self.grad = grad
        for parent, local in self.parents:
            parent.backward(grad * local)
"""


@pytest.fixture
def examined(tmp_path):
    def report(*parts: str, name: str = "engine.py"):
        path = tmp_path / name
        path.write_text("".join(parts), encoding="utf-8")
        return examine(path)

    return report


def found(report) -> list[tuple[str, int, bool]]:
    return [(one.fault, one.fix.line, one.fix.confirmed) for one in report.findings]


def line_of(text: str, passage: str) -> int:
    assert text.count(passage) == 1
    return text[: text.index(passage)].count("\n") + 1


def test_the_parts_make_a_right_engine(examined):
    assert examined(ENGINE, PASS).verdict == "correct"


@pytest.mark.parametrize(
    ("source", "fault", "passage"),
    [
        (ENGINE + STACK, "stack-revisits", "order.append(node)"),
        (ENGINE + NO_MARK, "recursion", "for child in self.prev:"),
        (ARRIVES, "overwrite", "self.grad = grad\n"),
        (
            ARRIVES.replace("self.grad = g", "self.grad += g").replace("(grad * l", "(self.grad * l"),
            "accumulated-handed-on",
            "parent.backward(self.grad * local)",
        ),
    ],
)  # fmt: skip
def test_a_pass_is_named_by_what_mends_it(examined, source, fault, passage):
    report = examined(source)
    assert found(report) == [(fault, line_of(source, passage), True)]
    assert report.unexplained == 0
    assert correct(report).checked.verdict == "correct"


def test_a_pass_that_sends_nothing_is_not_passed_over_for_the_rules_of_its_nodes(examined):
    source = (ENGINE + PASS).replace("hand_on", "_backward").replace("self.grad = 1.0", "self.grad = 0.0")
    report = examined(source)
    assert found(report) == [("no-seed", line_of(source, "        self.grad = 0.0\n"), True)]


def test_a_rule_without_parentheses_is_called(examined):
    source = (ENGINE + PASS).replace("hand_on", "_backward").replace("node._backward()", "node._backward")
    report = examined(source)
    assert found(report) == [("rules-not-called", line_of(source, "node._backward\n"), True)]
    assert report.findings[0].fix.after == ("            node._backward()",)


def test_a_pass_that_is_a_function_and_sends_nothing_is_wrong(examined):
    source = (ENGINE + PASS).replace("hand_on", "_backward").replace("self.grad = 1.0", "self.grad = 0.0")
    free = source.replace("    def backward(self)", "def backward(self)").replace("\n        ", "\n    ")
    whole = source[: source.index("    def backward")] + free[free.index("def backward(self)") :]
    assert [one.fault for one in examined(whole).findings] == ["no-seed"]


def test_an_engine_without_a_pass_is_limited(examined):
    report = examined(
        (ENGINE + PASS).replace("hand_on", "_backward").replace("backward(self", "stray(self, why")
    )
    assert report.verdict == "limited"
    assert [limit.code for limit in report.limits if limit.limiting] == ["no_pass"]


def test_a_term_that_goes_to_the_wrong_operand_is_found_at_its_line(examined):
    source = ENGINE.replace("other.grad += self.data", "self.grad += self.data") + PASS
    report = examined(source)
    assert found(report) == [("wrong-rule", line_of(source, "self.grad += self.data"), True)]
    assert report.findings[0].ops == ("mul",)
    assert len(report.findings[0].fix.after) == 1


# ---- a pass that raises ---------------------------------------------------------------------------


def test_a_pass_that_raises_on_every_graph_is_a_finding_and_the_rest_is_examined(examined):
    source = ENGINE.replace("self.grad += other.data", "self.grad = other.data") + PASS.replace(
        "order.append(node)", "order.append(visited)"
    )
    report = examined(source)
    assert [one.fault for one in report.findings] == ["pass-fails", "overwrite-one-op"]
    assert all(one.fix.confirmed for one in report.findings)
    assert report.findings[0].fix.line == line_of(source, "order.append(visited)")
    assert "AttributeError" in str(report)
    assert correct(report).checked.verdict == "correct"


def test_a_misspelled_name_in_the_pass_is_found(examined):
    report = examined(ENGINE, PASS.replace("in node.prev:", "in node.previous:"))
    assert found(report)[0][0] == "pass-fails"
    assert report.findings[0].fix.after == ("                for child in node.prev:",)


def test_an_attribute_that_hides_the_pass_is_found(examined):
    source = (
        (ENGINE + PASS).replace("hand_on = ", "backward = ").replace("node.hand_on()", "node._backward()")
    )
    report = examined(source)
    assert [(one.fault, one.ops) for one in report.findings] == [("pass-hidden", ("backward",))]
    assert report.findings[0].fix.line == line_of(source, "self.backward = lambda")
    assert correct(report).checked.verdict == "correct"


def test_a_pass_that_nothing_mends_is_not_examined(examined):
    report = examined(ENGINE, "    def backward(self):\n        raise RuntimeError('later')\n")
    assert report.verdict == "not examined" or found(report)[0][0] == "pass-fails"


# ---- how it is used -------------------------------------------------------------------------------


def test_a_count_is_no_gradient_to_start_from(examined):
    report = examined(ENGINE, PASS.replace("def backward(self):", "def backward(self, nin):"))
    assert report.verdict == "correct"
    assert not report.exam.plan.backward.takes_seed


def test_a_flag_of_the_constructor_is_turned(examined):
    source = (ENGINE + PASS).replace("data, children=()):", "data, children=(), wanted=False):")
    source = source.replace(
        "        self.hand_on =", "        self.wanted = wanted or bool(children)\n        self.hand_on ="
    )
    for name in ("self", "other"):
        source = source.replace(
            f"            {name}.grad +=", f"            if {name}.wanted: {name}.grad +="
        )
    assert examined(source).verdict == "correct"


def test_a_gradient_that_starts_as_none_is_seeded_by_the_caller(examined):
    source = (ENGINE + PASS).replace(
        "self.grad, self.prev = data, 0.0,", "self.grad, self.prev = data, None,"
    )
    source = source.replace("        self.grad = 1.0\n", "")
    for name, amount in (
        ("self", "other.data * out.grad"),
        ("other", "self.data * out.grad"),
        ("self", "out.grad"),
        ("other", "out.grad"),
    ):
        source = source.replace(
            f"{name}.grad += {amount}\n", f"{name}.grad = ({name}.grad or 0.0) + {amount}\n"
        )
    report = examined(source)
    assert report.verdict == "correct"
    assert "caller_seeds" in [choice.code for choice in report.choices]


def test_numbers_with_a_fraction_are_asked_too(examined):
    whole = ENGINE.replace(
        "else Value(other)\n        out = Value(self.data + o",
        "else Value(int(other))\n        out = Value(self.data + o",
    )
    report = examined(whole, PASS)
    assert report.verdict == "wrong"
    assert {one.ops[:1] for one in report.findings} <= {("add",), ("sub",)}


def test_an_operator_that_fails_inside_is_a_limit(examined):
    report = examined(ENGINE, "    def __truediv__(self, other):\n        return self * other**-1\n", PASS)
    assert report.verdict == "limited"
    assert [limit.what for limit in report.limits if limit.limiting] == ["a / b"]


def test_a_stored_not_implemented_is_a_limit(examined):
    broken = ENGINE.replace(
        "    def __radd__(self, other):\n        return self + other\n",
        "    def __radd__(self, other):\n        return Value(other.__add__(self.data), (self,))\n",
    )
    report = examined(broken, PASS)
    assert report.verdict == "limited"
    assert [limit.what for limit in report.limits if limit.code == "stores_not_implemented"] == ["2 + a"]


def test_an_earlier_definition_in_a_notebook_is_mentioned(examined):
    cells = [{"cell_type": "code", "source": text} for text in (ENGINE + STACK, ENGINE + PASS)]
    report = examined(json.dumps({"cells": cells, "nbformat": 4}), name="lesson.ipynb")
    assert report.verdict == "correct"
    assert [place.cell for place in report.subject.elsewhere("Value")] == [0]
    assert any("Value is defined at" in line and "--cell 0" in line for line in report_text.unseen(report))
