"""Engines in which bugs hide each other, and what ordinary programs need: each is said, and nothing else."""

from __future__ import annotations

import pytest

from minigrad.doctor import examine
from minigrad.doctor.engine.correction import correct
from source_trees import ROOT

ENGINES = ROOT / "tests" / "data" / "engines"

HEAD = """
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self.prev = data, 0.0, set(children)
        self.hand_on = lambda: None
"""
ADD = """
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def hand_on():
            self.grad += out.grad
            other.grad += out.grad
        out.hand_on = hand_on
        return out
"""
MUL = """
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def hand_on():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.hand_on = hand_on
        return out
"""
REST = """
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
NEVER_FILLED = """
    def backward(self):
        order = []
        visited = ()
        def visit(node):
            if node not in visited:
                for child in node.prev:
                    visit(child)
                order.append(node)
        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node.hand_on()
"""
NEVER_ASKED = PASS.replace(
    """            if node not in visited:
                visited.add(node)
                for child in node.prev:
                    visit(child)
                order.append(node)
""",
    """            visited.add(node)
            for child in node.prev:
                visit(child)
            order.append(node)
""",
)


@pytest.fixture
def examined(tmp_path):
    """The report on a class that is put together of these parts."""

    def report(*parts: str):
        path = tmp_path / "engine.py"
        path.write_text("".join(parts), encoding="utf-8")
        return examine(path)

    return report


def faults(report) -> list[tuple[str, tuple[str, ...], bool]]:
    return [(one.fault, one.ops, bool(one.fix and one.fix.confirmed)) for one in report.findings]


def test_the_parts_make_a_right_engine(examined):
    assert examined(HEAD, ADD, MUL, REST, PASS).verdict == "correct"


def test_two_bugs_that_hide_each_other_are_both_named_and_corrected(examined):
    report = examined(HEAD, ADD, MUL.replace("+=", "="), REST, NEVER_FILLED)
    assert faults(report) == [("overwrite-one-op", ("mul",), True), ("guard-missing", (), True)]
    assert report.unexplained == 0
    assert correct(report).checked.verdict == "correct"


def test_visited_nodes_that_nobody_asks_about_are_no_wrong_order(examined):
    report = examined(HEAD, ADD, MUL, REST, NEVER_ASKED)
    assert faults(report) == [("guard-missing", (), True)]
    assert "if node in visited:" in "\n".join(report.findings[0].fix.after)


def test_four_bugs_are_found_one_after_the_other(examined):
    wrong_sub = """
    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data - other.data, (self, other))
        def hand_on():
            self.grad += out.grad
            other.grad += out.grad
        out.hand_on = hand_on
        return out
    def __rsub__(self, other):
        return self - other
"""
    overwriting = """
    def __truediv__(self, other):
        return self * other ** -1
    def __pow__(self, other):
        assert isinstance(other, (int, float))
        out = Value(self.data ** other, (self,))
        def hand_on():
            self.grad = other * self.data ** (other - 1) * out.grad
        out.hand_on = hand_on
        return out
    def square(self):
        out = Value(self.data * self.data, (self,))
        def hand_on():
            self.grad += self.data * out.grad
        out.hand_on = hand_on
        return out
"""
    report = examined(HEAD, ADD, MUL, REST, wrong_sub, overwriting, PASS)
    assert all(sure for *_, sure in faults(report))
    assert {ops for _, ops, _ in faults(report)} == {("sub",), ("pow",), ("square",)}
    assert len(report.findings) == 4
    assert correct(report).checked.verdict == "correct"


def test_an_op_that_gives_none_is_a_limit_and_not_unknown(examined):
    power = """
    def __pow__(self, other):
        out = Value(self.data ** other, (self,))
        def hand_on():
            self.grad += other * self.data ** (other - 1) * out.grad
        out.hand_on = hand_on
"""
    report = examined(HEAD, ADD, MUL, REST, power, PASS)
    assert report.verdict == "limited"
    assert [limit.text for limit in report.limits if limit.code == "returns_none"] == [
        "a ** 2 gives None: is a return missing?"
    ]


def test_a_number_on_the_left_is_missed_op_by_op(examined):
    report = examined(HEAD, ADD, MUL, REST.replace("__rmul__", "rmul"), PASS)
    assert report.verdict == "limited"
    assert [(one.code, one.what) for one in report.limits if one.limiting] == [("no_reflected", "2 * a")]


def test_a_method_that_gives_an_object_of_another_kind_is_no_op(examined):
    other = """
class Other:
    def __init__(self, data):
        self.data, self.grad = data, None
    def __mul__(self, other):
        return Value(self.data * other.data)
"""
    report = examined(
        other, HEAD, ADD, MUL, REST, PASS, "\n    def to_other(self):\n        return Other(self.data)\n"
    )
    assert report.verdict == "correct"


def test_a_folder_without_an_init_file_is_a_package_if_its_files_say_so(tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "numbers_.py").write_text(
        "def lifted(x, cls):\n    return x if isinstance(x, cls) else cls(x)\n"
    )
    source = "".join(["from .numbers_ import lifted\n", HEAD, ADD, MUL, REST, PASS])
    source = source.replace("other if isinstance(other, Value) else Value(other)", "lifted(other, Value)")
    (folder / "engine.py").write_text(source, encoding="utf-8")
    assert examine(folder / "engine.py").verdict == "correct"


def test_one_bug_in_three_statements_of_the_loop_is_confirmed_by_changing_all(tmp_path):
    """A loop that treats nodes of one and of two operands apart, as a quick engine does."""
    text = (ENGINES / "stored_locals.py").read_text(encoding="utf-8")
    loop = """            for kid, slope in zip(n.kids, n.slopes):
                kid.grad += slope * n.grad
"""
    apart = """            if len(n.kids) == 2:
                a, b = n.kids
                a.grad = n.slopes[0] * n.grad
                b.grad = n.slopes[1] * n.grad
                continue
            for kid, slope in zip(n.kids, n.slopes):
                kid.grad = slope * n.grad
"""
    assert loop in text
    path = tmp_path / "engine.py"
    path.write_text(text.replace(loop, apart), encoding="utf-8")
    report = examine(path)
    assert faults(report) == [("overwrite", (), True)]
    assert report.unexplained == 0
    assert correct(report).checked.verdict == "correct"
