"""Nothing wrong goes by, and nothing right is accused: one patient for each way in which that could be.

Each is a small right engine with one passage replaced.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.doctor import examine
from source_trees import DATA

RIGHT = (DATA / "suites" / "small.py").read_text(encoding="utf-8")
PASS = "        build(self)\n"
SEEDED = "        self.grad = 1.0\n"
END = "            v._backward()\n"


def patient(folder: Path, *changes: tuple[str, str], name: str = "engine.py", more: str = "") -> Path:
    text = RIGHT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / name).write_text(text + more)
    return folder / name


def test_the_engine_that_they_are_made_of_is_right(tmp_path):
    assert examine(patient(tmp_path)).verdict == "correct"


WRONG = {
    "a seed that is ignored": (
        ("    def backward(self):\n", "    def backward(self, grad=1.0):\n"), "seed-ignored",
    ),
    "only the first nodes of a large graph": (
        (END, "            if topo.index(v) > 24:\n                continue\n" + END), "",
    ),
    "silently wrong on deep graphs": (
        (PASS, f"        try:\n    {PASS}        except RecursionError:\n            topo += [self]\n"), "",
    ),
    "a gradient that is lost at depth 60": (
        ("            if v not in visited:\n", "            if v not in visited and len(topo) < 60:\n"), "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_number_in_any_kind_of_probe_convicts(tmp_path, name):
    change, fault = WRONG[name]
    report = examine(patient(tmp_path, change), patience=3.0)
    assert report.verdict == "wrong", report.text()
    assert not fault or report.findings[0].fault == fault
    assert report.text(lang="es")
    assert report.html()


def test_what_is_right_only_after_another_op_was_used_is_wrong(tmp_path):
    report = examine(
        patient(
            tmp_path,
            ("    def __neg__(self):\n", "    used = 0\n\n    def __neg__(self):\n        Value.used = 1\n"),
            ("(out.data > 0) * out.grad", "(out.data > 0) * Value.used * out.grad"),
        ),
        patience=3.0,
    )
    assert report.verdict == "wrong", report.text()


def test_an_op_that_nobody_knows_is_held_to_its_own_values(tmp_path):
    good = "\n    def cube(self):\n        return self * self * self\n"
    good += "\n    def helper(self, x):\n        return x\n"
    assert examine(patient(tmp_path, more=good)).verdict == "correct"
    bad = good + (
        "\n    def bend(self):\n        out = Value(self.data**3 + self.data, (self,))\n\n"
        "        def _backward():\n            self.grad += 3 * self.data**2 * out.grad\n\n"
        "        out._backward = _backward\n        return out\n"
    )
    report = examine(patient(tmp_path, more=bad))
    assert [(finding.fault, finding.ops) for finding in report.findings] == [("wrong-rule", ("bend",))]
    assert "helper" in report.text()


def test_a_method_with_the_name_of_an_op_is_no_op_for_that(tmp_path):
    methods = (
        "def root(self):\n        return self",
        "def log(self):\n        print(self.data)\n        return self",
        "def sig(self):\n        return 1",
        "def squared(self):\n        return 0.0",
        "def power(self):\n        return Value(9.0)",
    )
    report = examine(patient(tmp_path, more="".join(f"\n    {method}\n" for method in methods)))
    assert report.verdict == "correct", report.text()
    assert not {"sqrt", "log", "sigmoid", "square", "pow"} & report.exam.plan.ops.keys()


def test_a_pass_that_frees_its_graph_is_a_choice(tmp_path):
    report = examine(patient(tmp_path, (END, END + "        for v in topo:\n            v._prev = ()\n")))
    assert report.verdict == "correct", report.text()
    assert "frees" in {choice.code for choice in report.choices}


def test_dual_numbers_are_not_taken_for_a_backward_pass(tmp_path):
    (tmp_path / "dual.py").write_text(
        "class Value:\n"
        "    def __init__(self, data, grad=1.0):\n        self.data, self.grad = data, grad\n"
        "    def __add__(self, o):\n        return Value(self.data + o.data, self.grad + o.grad)\n"
        "    def __mul__(self, o):\n"
        "        return Value(self.data * o.data, self.grad * o.data + self.data * o.grad)\n"
        "    def backward(self):\n        return self.grad\n"
    )
    report = examine(tmp_path / "dual.py")
    assert report.verdict == "not examined"
    assert report.trouble.code == "forward"


def test_a_neighbour_that_seeds_itself_does_not_excuse_an_engine_that_does_not(tmp_path):
    patient(tmp_path, name="other.py")
    report = examine(patient(tmp_path, (SEEDED, "")))
    assert report.findings[0].fault == "no-seed"
    demo = "from engine import Value\nout = Value(1.0)\nout.grad = 1.0\nout.backward()\n"
    (tmp_path / "demo.py").write_text(demo)
    assert examine(tmp_path / "engine.py").verdict == "correct"


def test_two_bugs_on_the_same_line_of_two_files_are_two(tmp_path):
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .engine import Value\n")
    broken = RIGHT.replace("            self.grad += out.grad\n", "            self.grad = out.grad\n", 1)
    line = broken.splitlines().index("            self.grad = out.grad") + 1
    rule = "def exp(x):\n    out = Value(math.exp(x.data), (x,))\n"
    rule += "    def _backward():\n        x.grad += 1.0 * out.grad\n"
    head = "import math\n\nfrom .engine import Value\n"
    blank = "\n" * (line - 4 - head.count("\n"))
    (folder / "ops.py").write_text(head + blank + rule + "    out._backward = _backward\n    return out\n")
    (folder / "engine.py").write_text(broken + "\n\nfrom . import ops  # noqa\n")
    report = examine(folder, patience=3.0)
    files = {(finding.fix.place.file, finding.fix.place.line) for finding in report.findings if finding.fix}
    assert {file for file, _ in files} == {"", "ops.py"}, report.text()
    assert {finding["file"] for finding in report.to_json()["findings"]} == {None, "ops.py"}


def test_the_first_class_that_can_be_used_is_examined_and_the_others_are_named(tmp_path):
    twin = RIGHT.replace("Value", "Node").replace('"""A small', '"""Another small', 1)
    report = examine(
        patient(
            tmp_path,
            ("            self.grad += other.data * out.grad\n", "            self.grad += out.grad\n"),
            more="\n\n" + twin,
        )
    )
    assert report.exam.plan.class_name == "Value"
    assert report.verdict == "wrong"
    assert "Node" in report.text()


def test_pytest_runs_the_doctor_as_one_more_test(tmp_path):
    patient(tmp_path)
    patient(
        tmp_path,
        ("            self.grad += other.data * out.grad\n", "            self.grad += out.grad\n"),
        name="wrong.py",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]

    def run(option: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, option], cwd=tmp_path, capture_output=True, text=True, check=False)

    fine = run("--minigrad-doctor=engine.py,engine")
    assert (fine.returncode, "2 passed" in fine.stdout) == (0, True), fine.stdout
    bad = run("--minigrad-doctor=wrong.py:Value,nothing.py")
    assert (bad.returncode, "2 failed" in bad.stdout) == (1, True), bad.stdout
    assert "WRONG: one bug" in bad.stdout
    assert "is no file" in bad.stdout
    assert "Traceback" not in bad.stdout
