"""The doctor's patients are what they are said to be: the right ones right, the wrong ones wrong, and there.

Each engine is run by a driver written by hand, on graphs whose right gradients come from our own pass.
"""

from __future__ import annotations

import ast
import json
import math
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine_cases import BASES, BEYOND, CASES, Case, Place, functions_of, places_of, text_of, write
from engine_drivers import DRIVERS, GRAPHS, SEQUENCES, load, right, run
from minigrad.faults import FAULTS
from minigrad.ops import OPS
from source_trees import DATA

ENGINES = DATA / "engines"


def of(verdict: str) -> list[pytest.param]:
    return [pytest.param(case, id=name) for name, case in CASES.items() if case.verdict == verdict]


def distances(case: Case, folder: Path) -> Iterator[float]:
    """How far from right the engine is, graph by graph; inf where it raises."""
    engine, driver = load(case, folder), DRIVERS[case.base]
    graphs = [graph for graph in GRAPHS if driver.offers(graph)]
    attempts = [
        *(lambda graph=graph: (run(driver, engine, graph), right(graph)) for graph in graphs),
        *(lambda sequence=sequence: sequence(driver, engine) for sequence in SEQUENCES),
    ]
    for attempt in attempts:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # NumPy, about an overflow in a wrong engine
                found, expected = attempt()
        except Exception:
            yield math.inf
        else:
            yield max(abs(found[name] - expected[name]) / (1.0 + abs(expected[name])) for name in expected)


# ---- what they compute ---------------------------------------------------------------------------------


@pytest.mark.parametrize("case", of("right"))
def test_a_right_engine_is_right_on_every_graph(case, tmp_path):
    found = list(distances(case, tmp_path))
    assert len(found) > 20
    assert max(found) < 1e-12


@pytest.mark.parametrize("case", of("wrong"))
def test_a_wrong_engine_is_silently_wrong(case, tmp_path):
    """On some graph it gives a wrong number and raises nothing."""
    assert any(1e-3 < distance < math.inf for distance in distances(case, tmp_path))


@pytest.mark.parametrize("case", of("limited"))
def test_a_limited_engine_stops_or_loses_digits_and_is_right_otherwise(case, tmp_path):
    found = list(distances(case, tmp_path))
    assert any(distance == math.inf or 1e-10 < distance < 1e-5 for distance in found)
    assert all(distance == math.inf or distance < 1e-5 for distance in found)
    assert sum(distance < 1e-5 for distance in found) > len(found) / 3


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in CASES.values() if c.beside])
def test_each_of_two_bugs_is_wrong_alone(case, half, tmp_path):
    alone = replace(case, change=(case.change[half],))
    assert any(1e-3 < distance < math.inf for distance in distances(alone, tmp_path))


# ---- what is said about them ---------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_passage_occurs_once_in_the_engine(case):
    path = ENGINES / case.base
    files = [path] if path.is_file() else sorted(path.glob("*.py"))
    whole = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for old, new in case.change:
        assert whole.count(old) == 1
        assert old != new


def test_a_passage_that_occurs_twice_is_refused():
    case = Case("twice", "closures.py", (("out._backward = _backward", "pass"),))
    with pytest.raises(ValueError, match="occurs 6 times"):
        text_of(case)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_faults_and_ops_are_ours(case):
    slugs = {case.fault, case.beside, *case.also} - {""}
    assert slugs <= FAULTS.keys() | BEYOND.keys()
    assert {case.op, case.beside_op} - {""} <= OPS.keys()
    assert bool(case.fault) >= (case.verdict == "wrong")
    assert case.fault not in case.also


def test_there_are_enough_of_each_kind():
    count = {verdict: len(of(verdict)) for verdict in ("right", "wrong", "limited")}
    assert count["right"] >= 14
    assert count["wrong"] >= 45
    assert count["limited"] >= 6
    assert sum(count.values()) == len(CASES)
    assert len(set(BASES.values())) >= 10
    assert sum(bool(case.beside) for case in CASES.values()) >= 2
    assert {path.name for path in ENGINES.iterdir()} - {"__pycache__"} == BASES.keys() == DRIVERS.keys()


# ---- where the bug stands ------------------------------------------------------------------------------


def line_at(case: Case, place: Place) -> str:
    return lines_around(case, place)[place.line - 1]


def lines_around(case: Case, place: Place) -> list[str]:
    """The lines of the file, or of the cell."""
    text = text_of(case)[place.path]
    if place.cell is not None:
        text = "".join(json.loads(text)["cells"][place.cell]["source"])
    return text.splitlines()


@pytest.mark.parametrize("case", of("wrong"))
def test_each_place_is_a_line_of_the_change(case):
    """What stands there was put there, or stands beside what was taken out; nothing outside of the change."""
    places = places_of(case)
    assert places
    assert places <= functions_of(case)
    put = [line.strip() for _, new in case.change for line in new.splitlines() if line.strip()]
    taken_out = any(len(new.splitlines()) < len(old.splitlines()) for old, new in case.change)
    for place in places:
        line = line_at(case, place)
        if any(passage.splitlines()[0].strip() in line for passage in case.also_at):
            continue
        before, after = lines_around(replace(case, change=(), also_at=()), place), lines_around(case, place)
        assert same(before, after) <= place.line <= len(after) - same(before[::-1], after[::-1]) + 1
        assert any(part in line for part in put) or taken_out, line


def same(some: list[str], other: list[str]) -> int:
    """How many lines they begin with in common."""
    pairs = enumerate(zip(some, other, strict=False))
    return next((i for i, (one, two) in pairs if one != two), min(len(some), len(other)))


def test_the_lines_of_some_cases_counted_by_hand():
    assert places_of(CASES["mirrored-sub"]) == {Place("closures.py", 71)}
    assert places_of(CASES["guard-one-level-out"]) == {Place("closures.py", 111), Place("closures.py", 115)}
    assert places_of(CASES["sprout-pops-the-front"]) == {Place("sprout/engine.py", 36)}
    assert places_of(CASES["workbook-sigmoid"]) == {Place("workbook.ipynb", 33, 4)}
    assert places_of(CASES["lesson-mirrored-sub"]) == {Place("lesson.ipynb", 49, 7)}
    assert functions_of(CASES["mirrored-sub"]) == {Place("closures.py", 70), Place("closures.py", 71)}


def test_a_right_engine_has_no_place():
    assert all(places_of(case) == frozenset() for case in CASES.values() if not case.change)


# ---- files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_what_is_written_is_there(case, tmp_path):
    path = write(case, tmp_path)
    assert path.exists()
    assert path.parent == tmp_path
    assert {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.*")} == text_of(case).keys()
    if not case.notebook:
        for text in text_of(case).values():
            ast.parse(text)


def test_a_notebook_is_one_and_keeps_its_lines(tmp_path):
    document = json.loads(write(CASES["lesson"], tmp_path).read_text(encoding="utf-8"))
    assert document["nbformat"] == 4
    assert document["cells"][0]["cell_type"] == "markdown"
    assert document["cells"][0]["source"][0] == "# Backprop from zero\n"
    assert document["cells"][1]["source"] == ["!pip install matplotlib graphviz"]
    assert document["cells"][2]["source"][-1] == "%matplotlib inline"
    code = ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code"]
    assert sum(text.startswith("class Value:") for text in code) == 2
