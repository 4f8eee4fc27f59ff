"""A returned file of at most 4 MiB is read and graded in two seconds, whatever its shape."""

import ast
import json
from collections.abc import Callable
from datetime import datetime
from functools import cache
from itertools import islice, product
from string import ascii_letters, ascii_uppercase
from time import process_time

import pytest

from minigrad.learn.classroom.answer_key import AnswerKey
from minigrad.learn.classroom.grades import HandInFile, grade
from minigrad.learn.classroom.hand_in import LARGEST, _calls, _segment, read
from minigrad.learn.classroom.roster import roster
from minigrad.learn.classroom.sheet import SheetPlan, class_sheets
from minigrad.learn.questions import KINDS
from minigrad.text.translation import speaking

SECONDS = 2.0  # of the processor


@cache
def a_class() -> AnswerKey:
    with speaking("en"):
        plan = SheetPlan("Monday", 3, tuple((kind, 1) for kind in KINDS))
        return AnswerKey("Monday", 3, "en", tuple(class_sheets(roster(b"Ada\n").learners, plan)))


CODE = a_class().sheets[0].code


def cells(*sources: str) -> str:
    rows = [{"cell_type": "code", "source": source} for source in sources]
    return json.dumps({"cells": rows, "metadata": {"minigrad": {"sheet": CODE}}})


def keywords(count: int) -> str:
    """answer("1",aA=1,aB=1,...) with so many of them; no name is a word of Python."""
    names = map("".join, product(ascii_letters, ascii_uppercase))
    return 'answer("1",' + ",".join(f"{name}=" for name in islice(names, count)).replace("=", "=1") + ")"


def full(unit: str, head: str = "", tail: str = "") -> str:
    """As many of a unit as a file may hold."""
    room = LARGEST - len(head.encode()) - len(tail.encode())
    return head + unit * (room // len(unit.encode())) + tail


ANSWERED = f"{CODE}\n```answers 1\na = 1\n```\n"
SAVED = f'{{"schema": "minigrad.answers/1", "sheet": "{CODE}", "answers": {{"1": {{'
SHAPES: dict[str, Callable[[], str]] = {
    "keywords.ipynb": lambda: cells(*[keywords(1190)] * 40),
    "more-keywords.ipynb": lambda: cells(*[keywords(1190)] * 640),
    "many-cells.ipynb": lambda: cells(*['answer("1",a=1)'] * 75_000),
    "brackets.ipynb": lambda: cells(*["answer(" + "[" * 1000] * 3000),
    "open-calls.ipynb": lambda: cells(*["answer" + "(" * 5900] * 690),
    "commas.ipynb": lambda: cells(*['answer("1",' + "a=1," * 1400 + ")\n!"] * 690),
    "sums.ipynb": lambda: cells(*['answer("1",a=1)\n' + "1+" * 2700 + "1"] * 690),
    "fields.ipynb": lambda: cells(*['answer("1",a=f"' + "{x}" * 1900 + '")'] * 690),
    "outputs.ipynb": lambda: json.dumps(
        {"cells": [{"cell_type": "code", "source": "x", "outputs": [{"text": ["x\n"] * 400}]}] * 1000}
    ),
    "pieces.ipynb": lambda: json.dumps({"cells": [{"cell_type": "code", "source": ["a"] * 800_000}]}),
    "deep.ipynb": lambda: full("["),
    "deep-objects.ipynb": lambda: full('{"a":'),
    "long-number.ipynb": lambda: full("9", '{"cells": [], "x": ', "}"),
    "long-numbers.ipynb": lambda: full("9" * 4200 + ", ", '{"cells": [], "x": [', "0]}"),
    "long-number.json": lambda: full("9", SAVED + '"a": ', "}}}"),
    "long-numbers.json": lambda: full('"a": ' + "9" * 4200 + ", ", SAVED, '"a": 1}}}'),
    "exponents.json": lambda: full('"a": 1e99, ', SAVED, '"a": 1}}}'),
    "empty-lines.md": lambda: full("\n", ANSWERED),
    "returns.md": lambda: full("\r", ANSWERED),
    "answers.md": lambda: full("a=1\n", f"{CODE}\n```answers 1\n"),
    "notes-in-answers.md": lambda: full("a\n", f"{CODE}\n```answers 1\n"),
    "underscores.md": lambda: full("a=" + "_" * 290 + "x" + "_" * 290 + "y\n", f"{CODE}\n```answers 1\n"),
    "one-line.md": lambda: full("a", ANSWERED),
    "spaces.md": lambda: full(" ", ANSWERED),
    "links.md": lambda: full("[a](b", ANSWERED),
    "link.md": lambda: full("b", ANSWERED + "[a]("),
    "accents.md": lambda: full("a" + "\u0301" * 29, ANSWERED),
    "compositions.md": lambda: full("\ufb2c", ANSWERED),
    "tags.html": lambda: CODE + ("<a " + "''" * 98 + '"') * 20_000,
    "inputs.html": lambda: CODE + ("<input " + "a " * 98 + ">") * 19_000,
    "entities.html": lambda: full("&" + "a" * 33, CODE),
}


@pytest.mark.parametrize("name", SHAPES)
def test_no_shape_of_a_returned_file_takes_long(name):
    octets = SHAPES[name]().encode()
    assert len(octets) <= LARGEST
    begun = process_time()
    with speaking("en"):
        grade(
            a_class(),
            [HandInFile("x", "x", datetime(2026, 9, 28), read(f".{name[-5:].rpartition('.')[2]}", octets))],
        )
    assert process_time() - begun < SECONDS


def test_a_notebook_with_more_code_than_a_sheet_is_told_as_too_large():
    assert read(".ipynb", cells(*[keywords(1000)] * 40).encode()).trouble == ""
    assert read(".ipynb", cells(*[keywords(1000)] * 400).encode()).trouble == "large"
    assert read(".md", (f"{CODE}\n```answers 1\n" + "a\n" * 50_000 + "```\n").encode()).trouble == ""
    assert read(".md", (f"{CODE}\n```answers 1\n" + "a\n" * 50_001 + "```\n").encode()).trouble == "large"


@pytest.mark.parametrize(
    "written",
    [
        "4",
        "-2.5",
        "'ñ' + \"é\"",
        "(1 +\n   2)",
        "f(\n\n)",
        "'''ß\n\nß'''",
        "[x for x in 'aé']",
        "1 if 1 else 2",
    ],
)
def test_an_answer_is_cut_out_of_its_cell_as_python_itself_does_it(written):
    source = f"# é\nx = 'ñ'; y = 2\nanswer('1', é='ñ', a={written}, b=3)\n"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword):
            expected = ast.get_source_segment(source, node.value)
            assert _segment(source.encode().split(b"\n"), node.value) == expected
    assert [name for _, name, _ in _calls(source)] == ["é", "a", "b"]
