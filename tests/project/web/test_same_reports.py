"""The doctor's reports in the page are the command's; `--engines=200` for all that need no library."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from browser import lacking, node_modules
from engine_cases import CASES, text_of, write
from minigrad.doctor import examine
from source_trees import ROOT

pytestmark = pytest.mark.slow
FIRST = ("closures", "pow-overwrites", "counter")  # in every run; the last one has no limit of depth
TELLING = ("verdict", "class", "interface", "probes", "suspicions", "design_choices", "not_examined")

DEEP = """
class Value:
    def __init__(self, data):
        self.data, self.grad = Value(data), 0.0
    def __add__(self, other):
        return self + other
"""


def names(count: int) -> list[str]:
    """Engines of one file that need no library, in an order that hangs on nothing but their names."""
    fit = [
        name
        for name, case in CASES.items()
        if len(text_of(case)) == 1 and not any("numpy" in text for text in text_of(case).values())
    ]
    rest = sorted(set(fit) - set(FIRST))
    random.Random(24).shuffle(rest)
    return [*(name for name in FIRST if name in fit), *rest][:count]


def in_browser(paths: list[Path], folder: Path, seconds: float) -> list[dict[str, Any]]:
    node = shutil.which("node")
    if node is None:
        lacking("node is missing; on Debian: apt-get install nodejs")
    program, host = ROOT / "tests" / "tools" / "pyodide_engines.mjs", ROOT / "web/browser/engine_host.js"
    words = [node, program, node_modules() / "pyodide", folder / "python" / "minigrad.zip", host]
    asked = json.dumps([{"name": path.name, "source": path.read_text("utf-8")} for path in paths])
    done = subprocess.run(
        [str(word) for word in words], input=asked, capture_output=True, text=True, timeout=seconds
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def what_it_says(report: dict[str, Any]) -> dict[str, Any]:
    """What a report says of an engine; seconds and the words of an error are the machine's."""
    findings = [
        {
            key: finding[key]
            for key in ("fault", "ops", "graph", "line", "cell", "confirmed", "before", "after")
        }
        for finding in report["findings"]
    ]
    limits = [(limit["code"], limit["what"], limit["limiting"]) for limit in report["limits"]]
    trouble = report.get("trouble", {}).get("code")
    return {
        **{key: report[key] for key in TELLING},
        "findings": findings,
        "limits": limits,
        "trouble": trouble,
    }


@pytest.fixture(scope="module")
def pairs(folder, request, tmp_path_factory) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """By the name of the engine: what the browser's Python says of it, and what the command says."""
    asked = names(request.config.getoption("engines"))
    home = tmp_path_factory.mktemp("engines")
    paths = [write(CASES[name], home / name) for name in asked]
    paths.append(home / "deep.py")
    paths[-1].write_text(DEEP)
    there = in_browser(paths, folder, 120 + 120 * len(paths))
    return {
        name: (found["report"], examine(path).to_json())
        for name, path, found in zip([*asked, "deep"], paths, there, strict=True)
    }


def test_reports_are_those_of_the_command(pairs):
    told = {name: [what_it_says(each) for each in both] for name, both in pairs.items()}
    different = {
        name: {key: (ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]}
        for name, (ours, theirs) in told.items()
        if ours != theirs
    }
    assert different == {}


def test_a_right_engine_is_right_there_and_the_bug_of_a_wrong_one_has_its_line(pairs):
    (right, _), (wrong, _) = (pairs[name] for name in FIRST[:2])
    assert (right["verdict"], right["findings"]) == ("correct", [])
    assert wrong["verdict"] == "wrong"
    assert wrong["findings"][0]["confirmed"]


def test_a_report_that_is_another_is_noticed(pairs):
    _, report = pairs[FIRST[1]]
    moved = json.loads(json.dumps(report))
    moved["findings"][0]["line"] += 1
    assert what_it_says(moved) != what_it_says(report)
