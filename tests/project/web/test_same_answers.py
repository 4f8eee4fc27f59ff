"""The page's answers are the command's: questions of all kinds, asked of both Pythons (`--asked=300`)."""

from __future__ import annotations

import json
import math
import random
import re
import shutil
import subprocess
from typing import Any

import pytest

from browser import lacking, node_modules
from minigrad.faults import FAULTS
from minigrad.language import write
from minigrad.studio.answers import answer
from random_graphs import EXACT, random_graph
from source_trees import ROOT

pytestmark = pytest.mark.slow
DRAWN = "in a drawing"
SHAPE = re.compile(r' d="[^"]*"')  # of a path: what hardly differs may take a corner more
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def questions(count: int) -> list[tuple[str, dict[str, Any], str]]:
    """The same ones each time: right passes, broken ones, diagnoses, exports, mistakes in a text."""
    draw = random.Random(24)
    faults = sorted(slug for slug, fault in FAULTS.items() if fault.passes == 1 and not fault.across)
    found: list[tuple[str, dict[str, Any], str]] = []
    for number in range(count):
        text = write(random_graph(number, EXACT) if number % 3 else random_graph(number))
        kind = ("explain", "break", "faults", "diagnose", "export", "check", "mistake")[number % 7]
        fields: dict[str, Any] = {"text": text}
        if kind == "break":
            fields |= {"fault": draw.choice(faults), "order": 0}
        elif kind == "diagnose":
            fields |= {"observed": {"x1": draw.choice([0.0, 1.0, -2.5])}}
        elif kind == "export":
            fields |= {"format": draw.choice(["tex", "svg", "md"])}
        elif kind == "check":
            fields |= {"ask": ["paper", "dual"]}
        elif kind == "mistake":
            at = draw.randrange(len(text))
            fields = {"text": text[:at] + draw.choice("$)(=*") + text[at:]}
            kind = "explain"
        found.append((kind, fields, draw.choice(["en", "es"])))
    return found


def in_browser(asked: list[tuple[str, dict[str, Any], str]], folder) -> list[Any]:
    node = shutil.which("node")
    if node is None:
        lacking("node is missing; on Debian: apt-get install nodejs")
    program = ROOT / "tests" / "tools" / "pyodide_answers.mjs"
    words = [node, str(program), str(node_modules() / "pyodide"), str(folder / "python" / "minigrad.zip")]
    done = subprocess.run(words, input=json.dumps(asked), capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return [json.loads(said) for said in json.loads(done.stdout)]


def differs(ours: Any, theirs: Any, place: str = "") -> str:
    """Where two answers differ by more than the last digits of a library's functions."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            return f"{place}: {sorted(ours.keys() ^ theirs.keys())}"
        parts = ((ours[key], theirs[key], f"{place}.{key}") for key in ours)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        parts = ((x, y, f"{place}[{at}]") for at, (x, y) in enumerate(zip(ours, theirs, strict=True)))
    elif isinstance(ours, str) and isinstance(theirs, str):
        ours, theirs = SHAPE.sub("", ours), SHAPE.sub("", theirs)
        if ours == theirs or NUMBER.sub("#", ours) != NUMBER.sub("#", theirs):
            return "" if ours == theirs else f"{place}: {ours[:200]!r} is not {theirs[:200]!r}"
        drawn = DRAWN if "<svg" in ours else place  # whose places are rounded to a tenth
        pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=True)
        parts = ((float(x), float(y), drawn) for x, y in pairs)
    elif isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        close = math.isclose(ours, theirs, rel_tol=2e-5, abs_tol=0.15 if place == DRAWN else 1e-12)
        return "" if close else f"{place}: {ours} is not {theirs}"
    else:
        return "" if ours == theirs else f"{place}: {ours!r} is not {theirs!r}"
    return next((found for part in parts if (found := differs(*part))), "")


@pytest.fixture(scope="module")
def pairs(folder, request) -> list[tuple[Any, Any, Any]]:
    asked = questions(request.config.getoption("asked"))
    here = [json.loads(json.dumps(answer(*each)[1])) for each in asked]
    return list(zip(asked, in_browser(asked, folder), here, strict=True))


def test_answers_are_those_of_the_command(pairs):
    found = {str(asked)[:200]: said for asked, ours, here in pairs if (said := differs(ours, here))}
    assert found == {}


def test_most_questions_have_an_answer_and_some_a_refusal(pairs):
    kinds = [here["ok"] for _, _, here in pairs]
    assert kinds.count(True) > len(kinds) // 2
    assert kinds.count(False) >= 2


def test_an_answer_that_is_another_is_noticed(pairs):
    _, ours, here = next(pair for pair in pairs if pair[2]["ok"] and "document" in pair[2])
    node = here["document"]["traces"][0]["trace"]["nodes"][-1]
    for change in ({**node, "data": 1.5e9}, {**node, "name": "another"}, {}):
        changed = json.loads(json.dumps(here))
        changed["document"]["traces"][0]["trace"]["nodes"][-1] = change
        assert differs(ours, changed)
