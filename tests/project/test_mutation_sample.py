"""The sample of changes outside the core: which are at boundaries, which tests see them, what is noticed."""

from __future__ import annotations

import json
import time
from collections import Counter

import pytest

from sample import COLLECT, NO_TEST, Desk, Planted, Reach, at_boundary, failing_unchanged, lines_in, replaced
from subjects import PACKAGES, REPOSITORY, Package
from survivors import PACKAGES_LISTED, Change, listed, outdated

CLIP = ("nn/clipping.py", "clip_grad_norm_")


def test_every_listed_survivor_can_still_be_made():
    explained = listed(PACKAGES_LISTED)
    assert outdated(explained) == []
    assert [change for change in explained if not any(p.owns(change.file) for p in PACKAGES.values())] == []


def test_every_file_of_the_packages_is_of_one_of_them():
    owners = Counter(path for package in PACKAGES.values() for path in package.paths())
    assert {*owners.values()} == {1}
    assert PACKAGES["doctor/rules"].owns("doctor/rules/proof.py")
    assert not PACKAGES["doctor"].owns("doctor/rules/proof.py")
    assert PACKAGES["doctor"].owns("doctor/engine/report.py")
    assert not PACKAGES["nn"].owns("nn.py")


@pytest.mark.parametrize(
    ("before", "after", "boundary"),
    [
        ("if a < b:", "if a <= b:", True),
        ("return x[1:]", "return x[2:]", True),
        ("if a and b:", "if a or b:", True),
        ("if ready:", "if not ready:", True),
        ("back(before)", "pass", True),
        ("x = f(1e-6)", "x = f(1.000001)", True),
        ("x = f(a)", "x = f(None)", False),
        ('say("a")', 'say("XXaXX")', False),
        ("x = a", "x = None", False),
    ],
)
def test_a_change_at_a_boundary_is_known_by_its_words(before, after, boundary):
    assert at_boundary(Change("f.py", "f", before, after)) is boundary


@pytest.mark.parametrize(
    ("before", "after"), [("abcdef", "abXdef"), ("aaa", "aa"), ("aa", "aaa"), ("", "x"), ("ab", "ab")]
)
def test_what_a_change_replaces_gives_the_change_back(before, after):
    start, end, piece = replaced(before, after)
    assert before[:start] + piece + before[end:] == after


def test_the_lines_of_a_change_are_those_of_its_own_function():
    text = (REPOSITORY / "src" / "minigrad" / "nn" / "clipping.py").read_text().splitlines()
    (number,) = (i for i, line in enumerate(text, 1) if line.strip() == "if kind == inf:")
    function = next(
        line.split("(")[0].removeprefix("def ") for line in reversed(text[:number]) if "def " in line
    )
    lines, around = lines_in(Change("nn/clipping.py", function, "if kind == inf:", "if kind != inf:"))
    assert lines == {number}
    assert lines < around
    assert lines_in(Change("nn/clipping.py", "no_such", "if kind == inf:", "")) == (set(), set())


def test_the_line_of_a_lambda_in_a_table_is_found_by_its_words():
    text = (REPOSITORY / "src" / "minigrad" / "verify" / "definitions.py").read_text().splitlines()
    (number,) = (i for i, line in enumerate(text, 1) if "n.total(xs) / n.number(len(xs))" in line)
    change = Change("verify/definitions.py", "row_add_49", "return n.total(xs) / n.number(len(xs))", "")
    assert lines_in(change)[0] == {number}


def test_a_change_is_shown_to_the_fastest_tests_of_its_line_first(tmp_path):
    text = (REPOSITORY / "src" / "minigrad" / "nn" / "clipping.py").read_text().splitlines()
    (number,) = (i for i, line in enumerate(text, 1) if line.strip() == "if kind == inf:")
    function = next(
        line.split("(")[0].removeprefix("def ") for line in reversed(text[:number]) if "def " in line
    )
    tests = [["t.py::slow", 2.0], ["t.py::fast", 0.5], ["t.py::other", 0.1], ["u.py::far", 0.1]]
    found = {"tests": tests, "lines": {"nn/clipping.py": {str(number): [0, 1]}}}
    (tmp_path / "reach.json").write_text(json.dumps(found))
    reach = Reach(tmp_path / "reach.json", Package("nn"))
    change = Change("nn/clipping.py", function, "if kind == inf:", "if kind != inf:")
    assert reach.tests_for(change, Counter()) == ["t.py::fast", "t.py::slow", "t.py::other"]
    assert reach.tests_for(change, Counter({"t.py::slow": 1}))[0] == "t.py::slow"
    assert reach.tests_for(Change("nn/data.py", "part", "", ""), Counter()) == []


@pytest.mark.parametrize(("changed", "noticed"), [("a - b", True), ("b + a", False)])
def test_a_change_that_a_test_notices_is_told_from_one_that_none_does(tmp_path, changed, noticed):
    source = tmp_path / "src" / "minigrad" / "sums.py"
    source.parent.mkdir(parents=True)
    source.write_text("def total(a, b):\n    return a + b\n")
    (tmp_path / "test_sums.py").write_text(
        "import importlib.util\n"
        f"spec = importlib.util.spec_from_file_location('sums', {str(source)!r})\n"
        "sums = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(sums)\n"
        "def test_total():\n    assert sums.total(2, 3) == 5\n"
    )
    desk = Desk(tmp_path)
    original = source.read_text()
    change = Change("sums.py", "total", "return a + b", f"return {changed}")
    desk.begin(Planted(change, original.replace("a + b", changed)), ["test_sums.py"])
    deadline = time.monotonic() + 100
    while (ended := desk.ended()) is None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert ended is noticed
    assert desk.failed_test() == ("test_sums.py::test_total" if noticed else NO_TEST)
    assert source.read_text() == original


def test_a_test_that_fails_without_any_change_is_found(tmp_path):
    source = tmp_path / "src" / "minigrad" / "sums.py"
    source.parent.mkdir(parents=True)
    source.write_text("")
    (tmp_path / "test_sums.py").write_text(
        "def test_right():\n    pass\ndef test_wrong():\n    assert False\n"
    )
    original = Planted(Change("sums.py", "", "", ""), "")
    desk = Desk(tmp_path)
    assert failing_unchanged(original, desk, ["test_sums.py::test_right"]) == ""
    assert failing_unchanged(original, desk, ["test_sums.py"]) == "test_sums.py::test_wrong"
    assert failing_unchanged(original, desk, [COLLECT, "test_sums.py"]) == ""
    assert failing_unchanged(original, desk, [COLLECT, "test_sums.py::test_none"]) == NO_TEST


@pytest.mark.parametrize(("value", "noticed"), [(5, "test_sums.py::test_sum[5]"), (None, "test_sums.py")])
def test_a_change_that_gives_a_test_another_name_or_ends_the_collection_is_noticed_by_it(
    tmp_path, value, noticed
):
    source = tmp_path / "src" / "minigrad" / "sums.txt"
    source.parent.mkdir(parents=True)
    source.write_text("4")
    (tmp_path / "test_sums.py").write_text(
        "from pathlib import Path\nimport pytest\n"
        f"@pytest.mark.parametrize('sum', [int(Path({str(source)!r}).read_text())])\n"
        "def test_sum(sum):\n    assert sum == 4\n"
    )
    desk = Desk(tmp_path)
    planted = Planted(Change("sums.txt", "", "", ""), str(value))
    assert failing_unchanged(planted, desk, ["test_sums.py::test_sum[4]"]) == noticed
    assert failing_unchanged(planted._replace(text="4"), desk, ["test_sums.py::test_sum[4]"]) == ""
