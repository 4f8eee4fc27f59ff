"""Files that do harm, examined: the doctor says what happened, in time, and lives on.

That nothing of them is left, no process and no folder, is held in sandbox/test_process.py.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from minigrad.doctor import SubjectError, examine
from minigrad.doctor.engine import fix_search
from minigrad.doctor.engine.source import EngineSource
from source_trees import DATA
from strange_files import strange_files

pytestmark = pytest.mark.slow

HOSTILE = sorted((DATA / "hostile").glob("*.py"))
IN_TIME = 300.0  # seconds, on a busy machine

# What keeps an engine from being examined at all; of the others the numbers are judged.
NOT_EXAMINED = {
    "crashes_in_add": "ended.signal",
    "fills_the_folder": "ended.output",
    "floods_results": "ended.output",
    "forks_in_add": "ended.processes",
    "grows_in_backward": "ended.memory, slow",  # on a busy machine its time is up before its memory is
    "ignores_signals": "slow",
    "interrupts": "ended.signal",
    "kills_its_group": "ended.signal",
    "leaves_quietly": "ended.exit",
    "loops_in_backward": "slow",
    "recurses_past_the_stack": "ended.signal",
    "sleeps_in_backward": "slow",
    "starts_threads": "ended.processes",
}
WRONG = {"equals_everything", "forges_results"}
# Only the clock ends these: with less patience it does so sooner.
IMPATIENT = {"ignores_signals", "leaves_a_stranger", "loops_in_backward"}
EITHER = {"fills_a_file", "leaves_a_stranger"}  # slow about it: they may not be through in time

ENGINE = """
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self.children = data, 0.0, children

    {harm}

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def backward(self):
        order, seen = [], set()
        def visit(node):
            if node not in seen:
                seen.add(node)
                for child, _ in node.children:
                    visit(child)
                order.append(node)
        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            for child, local in node.children:
                child.grad += local * node.grad
"""

# In the body of the class, which has to run for there to be a class.
HARM = {
    "while True: pass": "slow",
    "import os; os._exit(0)": "ended.exit",
    "import os; os._exit(9)": "ended.exit",
    "import ctypes; ctypes.string_at(0)": "ended.signal",
    "import sys; sys.exit('no')": "ended.exit",
    "x = bytearray(100 * 2**30)": "class",
    "import sys\n    for _ in range(1024): sys.stdout.write('x' * 2**20)": "ended.output",
    "import time; time.sleep(1e6)": "slow",
    "raise KeyboardInterrupt": "ended.signal",
    "import math; math.exp = math.log = math.tanh = lambda *a: 1.0": "",
    "import builtins; builtins.len = builtins.abs = lambda *a: 7": "",
    "__eq__ = lambda self, other: True; __hash__ = object.__hash__": "",
    "import sys; sys.setrecursionlimit(10**8)": "",
}


def examined(path: Path, patience: float = 1.0):
    begun = time.monotonic()
    report = examine(path, patience=patience)
    assert time.monotonic() - begun < IN_TIME
    for text in (report.text(lang="en"), report.text(lang="es"), report.html()):
        assert text
    return report


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_a_hostile_file_ends_in_a_report(path):
    report = examined(path, 0.4 if path.stem in IMPATIENT else 1.0)
    if path.stem in NOT_EXAMINED:
        assert report.verdict == "not examined"
        assert report.trouble.code in NOT_EXAMINED[path.stem].split(", ")
    elif path.stem in WRONG:
        assert report.verdict == "wrong"
    else:
        passed = ("correct", "limited", *(("not examined",) if path.stem in EITHER else ()))
        assert report.verdict in passed, report.text()


@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm[:40])
def test_harm_in_the_body_of_the_class_is_named(tmp_path, harm):
    (tmp_path / "engine.py").write_text(ENGINE.replace("{harm}", harm))
    report = examined(tmp_path / "engine.py", 0.4 if HARM[harm] == "slow" else 1.0)
    if HARM[harm]:
        assert report.verdict == "not examined"
        assert report.trouble.code == HARM[harm]
    else:
        assert report.findings == (), report.text()


def test_strange_files_are_refused_or_examined(tmp_path):
    said = {}
    for name, path in strange_files(tmp_path).items():
        try:
            said[name] = examined(path).verdict
        except SubjectError as error:
            said[name] = str(error)
    assert said["syntax_error"] in ("correct", "limited")  # what can be read of it
    assert "looks like the values of an engine" in said["empty"]
    assert "cannot be read" in said["binary"]
    assert "too large" in said["large"]


# ---- what a child says of files, and texts for a terminal ---------------------------------------


CONTROL = """
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self.children = data, 0.0, children
    def __add__(self, other):
        raise ValueError("\\x1b[2J\\x07\\u202e gone")
    __mul__ = __add__
    def backward(self):
        raise RuntimeError("\\x1b[2J")
"""


def test_an_error_with_control_characters_is_escaped_in_every_form(tmp_path):
    path = tmp_path / "engine.py"
    path.write_text(CONTROL, encoding="utf-8")
    report = examine(path)
    for form in (report.text(), report.markdown(), report.html(), str(report)):
        assert not any(c in form for c in "\x1b\x07\u202e")


@pytest.mark.parametrize("kind", ["pipe", "device", "zero byte", "surrogate", "elsewhere", "large"])
def test_a_file_that_a_child_names_is_read_only_if_it_is_part_of_the_program(tmp_path, kind):
    path = tmp_path / "engine.py"
    path.write_text("x = 1\n", encoding="utf-8")
    inside, outside = tmp_path / "beside.py", tmp_path.parent / f"{tmp_path.name}-other.py"
    if kind == "pipe":
        os.mkfifo(inside)
    outside.write_text("x = 1\n", encoding="utf-8")
    if kind == "large":
        inside.write_bytes(b"#" * 5_000_000)
    named = {
        "device": "/dev/zero",
        "zero byte": "a\0b.py",
        "surrogate": "\ud800.py",
        "elsewhere": str(outside),
    }
    subject = EngineSource(path, "x = 1\n", (), "engine", None, (str(tmp_path),), ())
    exam = SimpleNamespace(subject=subject, files=(named.get(kind, str(inside)),))
    assert list(fix_search.source_texts(exam)) == [str(path)]
    (tmp_path / "other.py").write_text("y = 2\n", encoding="utf-8")
    exam.files = (str(tmp_path / "other.py"),)
    assert list(fix_search.source_texts(exam)) == [str(path), str(tmp_path / "other.py")]
