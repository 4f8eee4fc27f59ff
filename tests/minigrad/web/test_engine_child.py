"""Interpreter of an engine in a worker, here in a process: messages, exit codes, calls apart, an alarm."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import minigrad
from minigrad.doctor.engine.expected import expected
from minigrad.doctor.engine.probes import probes

PRODUCTS = [probe for probe in probes() if probe.asks == {"mul vv"} and probe.kind == "graph"]
SOURCE = Path(minigrad.__file__).parent
DRIVER = """
import json, os, signal, sys
sys.path.insert(0, sys.argv[1])
from engine_child import EngineChild
class Clock:
    def set(self, which, seconds, signum, interval):
        asked.append((which, signum))
        return 0.0
asked, said, out_of_here = [], [], os.fdopen(os.dup(1), "w")
child = EngineChild(sys.argv[2], said.append, Clock())
left, codes = child.begin(sys.stdin.read()), []
for number in range(left):
    codes.append(child.run(number))
    if not child.goes_on(" ".join(map(str, codes))):
        break
if left > 0:
    child.finish(" ".join(map(str, codes)))
out = {"left": left, "codes": codes, "said": [json.loads(line) for line in said], "asked": asked}
out["forks"] = hasattr(os, "fork")
print(json.dumps(out), file=out_of_here)
"""
ENGINE = """
class Value:
    def __init__(self, data):
        self.data, self.grad = data, 0.0
    def __mul__(self, other):
        out = Value(self.data * other.data)
        out.sides = self, other
        return out
    def backward(self):
        self.grad = 1.0
        for one, other in (self.sides, self.sides[::-1]):
            one.grad += other.data * self.grad
"""


def begin(source: str, **request: Any) -> dict[str, Any]:
    subject = {
        "source": source, "filename": "/nowhere/e.py", "name": "e", "package": None, "folder": "/nowhere",
        "classes": ["Value"], "search": [], "replaced": {},
    }  # fmt: skip
    words = [sys.executable, "-c", DRIVER, str(SOURCE / "web"), str(SOURCE / "doctor")]
    asked = json.dumps({"subject": subject, **request})
    done = subprocess.run(words, input=asked, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_what_an_engine_is_is_found_out_without_a_process():
    found = begin(ENGINE)
    assert (found["left"], found["forks"]) == (-1, False)
    assert found["said"][-1] == {"end": True}
    assert next(m for m in found["said"] if "plan" in m)["plan"]["class"] == "Value"
    assert [0, 14] in found["asked"]  # the alarm of the clock, by its signal


def test_probes_that_run_apart_are_calls():
    plan = next(m for m in begin(ENGINE)["said"] if "plan" in m)["plan"]
    some = [probe.request() for probe in PRODUCTS[:2]]
    found = begin(ENGINE, plan=plan, probes=some, isolate=True)
    assert found["codes"] == [0, 0]
    said = [m for m in found["said"] if "value" in m]
    assert [m["probe"] for m in said] == [probe.id for probe in PRODUCTS[:2]]
    assert said[0]["value"] == pytest.approx(expected(PRODUCTS[0]).value)
    assert found["said"][-1] == {"end": True}


def test_of_changed_sources_the_first_that_is_right_is_named():
    plan = next(m for m in begin(ENGINE)["said"] if "plan" in m)["plan"]
    broken = ENGINE.replace("other.data *", "2 * other.data *")
    probe = PRODUCTS[0]
    right = expected(probe)
    sources = [{"file": "", "source": text} for text in ("syntax error", broken, ENGINE, ENGINE)]
    request = {"plan": plan, "probes": [probe.request()]}
    request["expect"] = {probe.id: {"value": right.value, "grads": dict(right.grads)}}
    found = begin(broken, candidates=sources, **request)
    assert (found["left"], found["codes"], found["said"][-1]) == (4, [1, 1, 0], {"green": 2})
    assert begin(broken, candidates=sources[:2], **request)["said"] == [{"end": True}]


@pytest.mark.parametrize(("harm", "left"), [("sys.exit(3)", -4), ("raise KeyboardInterrupt", -2)])
def test_an_engine_that_ends_its_process_has_an_exit_code(harm, left):
    found = begin(f"import sys\nclass Value:\n    {harm}\n")
    assert found["left"] == left
