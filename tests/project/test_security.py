"""What docs/en/security.md promises about the code as a whole, and that the tests it names are there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from source_trees import ROOT

PACKAGE = ROOT / "src/minigrad"

# What runs code, reads a pickle, or starts a program: the file, what it does, and why that is right there.
RUNNING = {
    "compiler/export/c_check.py": {"subprocess", "ctypes"},  # compiles and calls the C that we wrote
    "compiler/export/source.py": {"exec"},  # source that we wrote, when its user asks for its functions
    "compiler/tracing/outside_values.py": {
        "pickle"
    },  # the state of a generator, which we pickled a moment before
    "compiler/tracing/function_trace.py": {"pickle"},  # the same
    # the one way in which what is examined and somebody's tests are run, and workers of minigrad itself
    # (and a call of the system, which gives them the same addresses in every run)
    "doctor/sandbox/process.py": {"subprocess", "create_subprocess_exec", "ctypes"},
    "doctor/sandbox/child_io.py": {"__import__"},  # in a child process: a program of our own, by its name
    "doctor/sandbox/supervisor.py": {"ctypes"},  # in a child process: calls of the system that Python lacks
    "doctor/inside/module_loader.py": {"exec"},  # in that child process: the engine
    # the same, in a child process: the file of a custom function, a line that calls it, a program, examples
    "doctor/rules/child.py": {"exec"},
    "doctor/rules/example_calls.py": {"exec"},
    "doctor/rules/rule_module.py": {"exec", "exec_module"},
    # hands on what a program imports itself, to be told when PyTorch or JAX has been imported
    "doctor/rules/call_record.py": {"exec_module"},
    "xray/child.py": {"exec_module"},  # in a child process: the program that is examined
    "doctor/suites/line_trials.py": {"exec"},  # in a child process: one-line tests that we wrote
    "training/duel/processes.py": {"multiprocessing"},  # our own runs, side by side
    "text/translation.py": {"exec"},  # our own files of sentences
    "web/engine_child.py": {"__import__"},  # in a worker of a browser: our own program for engines
    "web/program_run.py": {"eval", "exec"},  # in a worker of a browser, which reaches nothing
    "learn/track/probes.py": {"eval", "exec"},  # of our own textbook, with our own mistakes in it
    # in a child process: the learner's file, and their tests
    "learn/track/inside/probe_run.py": {"eval", "exec"},
    "learn/track/inside/suite_run.py": {"exec"},
    "learn/lesson_fields.py": {"eval"},  # of our own lessons
    "learn/lesson_context.py": {"exec"},  # of our own lessons
}
SOCKETS = {"studio/server.py": {"socket"}}

PROGRAMS = {"subprocess", "multiprocessing", "ctypes", "pickle", "marshal", "shelve", "dbm", "runpy", "pty"}
SENDING = {"socket", "ssl", "http", "urllib.request", "ftplib", "smtplib", "xmlrpc", "requests", "httpx"}
CALLS = {"eval", "exec", "__import__"}
METHODS = {"system", "popen", "exec_module", "create_subprocess_exec", "create_subprocess_shell"}
WATCHED = PROGRAMS | SENDING | CALLS | METHODS


def uses(source: str, modules: set[str]) -> Iterator[str]:
    """The modules that a text imports, and the calls in it that run what they are given."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or "", *(f"{node.module}.{each.name}" for each in node.names)]
        for name in names:
            for module in modules:
                if name == module or name.startswith(f"{module}."):
                    yield module
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id in CALLS & modules:
                yield called.id
            if isinstance(called, ast.Attribute) and called.attr in METHODS & modules:
                yield called.attr


@cache
def everything() -> dict[str, frozenset[str]]:
    """Of each file of the package, all that it uses."""
    return {
        path.relative_to(PACKAGE).as_posix(): frozenset(uses(path.read_text(encoding="utf-8"), WATCHED))
        for path in PACKAGE.rglob("*.py")
    }


def found(modules: set[str]) -> dict[str, set[str]]:
    """Of each file of the package that has any of these, which."""
    return {name: set(modules & which) for name, which in everything().items() if modules & which}


def test_code_is_run_in_these_files_and_nowhere_else():
    assert found(PROGRAMS | CALLS | METHODS) == RUNNING


def test_nothing_but_the_studio_has_a_socket():
    assert found(SENDING) == SOCKETS


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("value = eval(text)", {"eval"}),
        ("def f(text):\n    exec(text, {})", {"exec"}),
        ("from subprocess import run", {"subprocess"}),
        ("def f():\n    import http.client", {"http"}),
        ("from urllib import request", {"urllib.request"}),
        ("import os\nos.system(text)", {"system"}),
        ("spec.loader.exec_module(module)", {"exec_module"}),
        ("from pickle import loads", {"pickle"}),
        ("from urllib.parse import quote\nmodel.eval()\nfrom .socket import plug", set()),
    ],
)
def test_what_is_planted_is_seen(source, seen):
    assert set(uses(source, WATCHED)) == seen


# ---- the page ---------------------------------------------------------------------------------------


def named(text: str) -> list[tuple[str, str]]:
    """(test, file) for each test that a page names: those between two names of files are in the second."""
    pairs, waiting = [], []
    for name in re.findall(r"`(test_\w+|tests/[\w/]+\.py)`", text):
        if name.endswith(".py"):
            pairs += [(test, name) for test in waiting]
            waiting = []
        else:
            waiting.append(name)
    return pairs + [(test, "") for test in waiting]


def absent(text: str) -> list[str]:
    """The tests that a page names and that are not where it says."""
    wanted = named(text)
    assert wanted
    return [
        f"{test} in {file}"
        for test, file in wanted
        if not (ROOT / file).is_file() or f"def {test}(" not in (ROOT / file).read_text(encoding="utf-8")
    ]


def rows_of(text: str) -> list[list[str]]:
    """The cells of each row of the table: about, promise, mechanism, test."""
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in text.splitlines() if row[:2] == "| "]
    assert all(len(row) == 4 for row in rows)
    return rows[1:]


def modules(mechanism: str) -> list[str]:
    """The modules and folders of minigrad that a mechanism names; a bare name is beside the one before it."""
    found = re.findall(r"`([\w/]+(?:\.py|/))`", mechanism)
    folder = ""
    for i, path in enumerate(found):
        folder = path.rpartition("/")[0] if "/" in path else folder
        found[i] = path if "/" in path else f"{folder}/{path}"
    return found


def missing_modules(mechanism: str) -> list[str]:
    return [path for path in modules(mechanism) if not (ROOT / "src" / "minigrad" / path).exists()]


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_test_that_the_page_names_is_there(language):
    text = (ROOT / f"docs/{language}/security.md").read_text(encoding="utf-8")
    assert absent(text) == []
    rows = rows_of(text)
    assert [row for row in rows if "`test_" not in row[3]] == []  # a promise without a test
    assert [row for row in rows if not all(row)] == []
    assert [path for row in rows for path in missing_modules(row[2])] == []


def test_both_languages_name_the_same_tests_and_modules():
    pages = [(ROOT / f"docs/{language}/security.md").read_text(encoding="utf-8") for language in ("en", "es")]
    english, spanish = ([(named(row[3]), modules(row[2])) for row in rows_of(page)] for page in pages)
    assert english == spanish


def test_a_module_that_is_not_there_is_noticed():
    assert missing_modules("a check (`nn/safetensors.py`, `checkpoint.py`)") == []
    assert missing_modules("a check (`nn/safetensor.py`)") == ["nn/safetensor.py"]


def test_a_test_that_is_not_there_is_noticed():
    page = (
        "`test_nobody_wrote_this` in `tests/project/test_security.py`, "
        "`test_nothing_is_here` in `tests/no_file.py`"
    )
    assert len(absent(page)) == 2
    assert absent("`test_what_is_planted_is_seen`, and no file") == ["test_what_is_planted_is_seen in "]
