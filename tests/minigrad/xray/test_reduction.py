"""Programs become smaller, keep what they are to show, and no candidate that shows nothing is taken."""

import ast

import pytest

from minigrad.xray.reduction import (
    Budget,
    Reduction,
    line_count,
    origins,
    unbound_names,
    with_modules,
    with_origins,
    written,
)

PROGRAM = '''
"""What a program is about."""
import os
import math, json
from pathlib import Path

def helper(x, unused, scale=3):
    """Of no use."""
    return x * scale

class Part:
    def __init__(self, width, depth):
        self.width = width
        self.depth = depth
    def other(self):
        return json.dumps(self.depth)
    def area(self):
        if self.width > 1:
            for step in range(8):
                found = self.width * 12
        return found

seed(1)
names = ["a", "b", "c"]
a, b = 5, 7
part = Part(64, depth=b)
out = helper(part.area() + a, 9)
print(math.pi, out)
'''


def reduced(text, shows, **options):
    budget = Budget(options.pop("trials", 2000), 60.0)
    found = Reduction(with_origins(ast.parse(text)), shows, budget, **options)
    found.run()
    return found


def runs(tree):
    names = {"seed": lambda number: None, "print": lambda *_: None}
    exec(compile(ast.unparse(tree), "<program>", "exec"), names)
    return names


def test_what_the_outcome_does_not_need_is_gone():
    def shows(tree):
        try:
            return runs(tree).get("part").width > 0
        except Exception:
            return False

    found = reduced(PROGRAM, shows)
    text = ast.unparse(found.tree)
    assert shows(found.tree)
    assert line_count(found.tree) <= 7
    for gone in ("helper", "json", "Path", "area", "depth", "names", '"""'):
        assert gone not in text
    assert found.accepted <= found.tried


def test_a_program_of_which_everything_is_needed_stays():
    text = "a = f(1)\nb = g(a)\nh(b)"
    found = reduced(text, lambda tree: ast.unparse(tree) == text)
    assert ast.unparse(found.tree) == text
    assert found.accepted == 0
    assert found.tried > 2


def test_numbers_that_are_alike_shrink_together():
    text = "left = zeros(64, 16)\nright = zeros(16, 64)"

    def shows(tree):
        made = [[x.value for x in ast.walk(row) if isinstance(x, ast.Constant)] for row in tree.body]
        return list(map(len, made)) == [2, 2] and made[0] == made[1][::-1] and "zeros" in ast.dump(tree)

    assert ast.unparse(reduced(text, shows).tree) == "left = zeros(2, 2)\nright = zeros(2, 2)"


@pytest.mark.parametrize(
    ("text", "word", "wanted"),
    [
        ("if flag:\n    use(1)\nelse:\n    use(2)", "use", "use()"),
        ("with lock:\n    use(1)", "use", "use()"),
        ("for i in [1, 2]:\n    use(3)", "use", "use()"),
        ("try:\n    use(1)\nfinally:\n    end()", "use", "use()"),
        ("use(a + b * c)", "use", "use()"),
        ("x = use(1).other(2)", "use", "use()"),
        ("@wrap\ndef use():\n    pass", "use", "def use():\n    pass"),
    ],
)
def test_blocks_and_expressions_give_way_to_what_they_hold(text, word, wanted):
    found = reduced(text, lambda tree: word in ast.unparse(tree), kept=frozenset([word]))
    assert ast.unparse(found.tree).removeprefix("x = ") in (wanted, word)


@pytest.mark.parametrize("given", ["f(1, 2, c=3)", "f(1, b=2, c=3)"])
def test_a_parameter_goes_with_what_is_given_for_it(given):
    text = f"def f(a, b, c=0):\n    return a\nshow({given})"

    def shows(tree):
        seen = []
        try:
            exec(compile(ast.unparse(tree), "<program>", "exec"), {"show": seen.append})
        except Exception:
            return False
        return seen == [1]

    text = ast.unparse(reduced(text, shows, lines=0).tree)
    assert "b" not in text
    assert "c" not in text


def test_a_seed_stays_though_nothing_needs_it():
    found = reduced("torch.manual_seed(0)\nx = rand(3)\ny = 1", lambda tree: "x =" in ast.unparse(tree))
    assert ast.unparse(found.tree).splitlines()[0] == "torch.manual_seed(0)"


def test_names_that_a_stranger_looks_for_stay():
    text = "def make_loss():\n    return 1"
    assert "make_loss" in ast.unparse(
        reduced(text, lambda tree: "def" in ast.unparse(tree), kept=frozenset(["make_loss"])).tree
    )


def test_a_budget_ends_the_search():
    found = reduced(PROGRAM, lambda tree: False, trials=3)
    assert found.tried == 3
    assert found.budget.is_spent()


def test_a_candidate_that_lacks_a_name_is_not_run():
    seen = []

    def shows(tree):
        seen.append(ast.unparse(tree))
        return False

    reduced("a = 1\nb = a", shows)
    assert "b = a" not in seen
    assert unbound_names(ast.parse("print(b, c)\nc = 1")) == {"b"}


def test_lines_are_known_by_those_of_the_original():
    tree = with_origins(ast.parse("x = 1\n\n\ny = f(\n    x,\n)\n"))
    del tree.body[0]
    assert origins(tree, 1) == {4, 5}
    assert origins(tree, 2) == set()


def test_what_lies_beside_a_program_becomes_part_of_it(tmp_path):
    (tmp_path / "one.py").write_text("from two import c\na, b = 1, c\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("c = 3\ndef d(): return c\n", encoding="utf-8")
    text = (
        "import math\nimport two\nfrom one import a, b as other\nout = a + other + two.d() + math.floor(1.5)"
    )
    found = with_modules(ast.parse(text), str(tmp_path))
    assert runs(found)["out"] == 8
    (tmp_path / "two.py").write_text("import one\nc = 3\n", encoding="utf-8")
    assert "from two import c" in ast.unparse(
        with_modules(ast.parse("import two"), str(tmp_path))
    )  # in a circle


def test_a_file_beside_it_that_cannot_be_read_stays_an_import(tmp_path):
    (tmp_path / "one.py").write_bytes(b"\xff\xfe")
    assert ast.unparse(with_modules(ast.parse("import one"), str(tmp_path))) == "import one"


def test_a_script_that_is_too_long_names_less():
    text = "a = 0.5\nb = f(a, a)\nc = g(b, b)\nh(c)"
    wanted = "b = f(0.5, 0.5)\nh(g(b, b))"
    same = lambda tree: ast.unparse(tree) in (text, wanted, "b = f(0.5, 0.5)\nc = g(b, b)\nh(c)")  # noqa: E731
    assert ast.unparse(reduced(text, same, lines=2).tree) == wanted
    assert ast.unparse(reduced(text, same, lines=4).tree) == text


def test_a_class_begins_without_an_empty_line():
    tree = ast.parse("class A:\n\n    def f(self):\n        pass")
    assert written(tree) == "class A:\n    def f(self):\n        pass"
    assert line_count(tree) == 3
