"""Readers' own programs: run as they stand, their last Value found, each node with the place it comes from.

They run on the plain engine, which is the one in a browser; only it says where a node is made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.one_engine

# micrograd's README, as it stands, and the numbers that stand there.
MICROGRAD = """\
from micrograd.engine import Value

a = Value(-4.0)
b = Value(2.0)
c = a + b
d = a * b + b**3
c += c + 1
c += 1 + c + (-a)
d += d * 2 + (b + a).relu()
d += 3 * d + (b - a).relu()
e = c - d
f = e**2
g = f / 2.0
g += 10.0 / f
print(f'{g.data:.4f}') # prints 24.7041, the outcome of this forward pass
g.backward()
print(f'{a.grad:.4f}') # prints 138.8338, i.e. the numerical value of dg/da
print(f'{b.grad:.4f}') # prints 645.5773, i.e. the numerical value of dg/db
"""
PROGRAMS = {
    "micrograd": MICROGRAD,
    "function": "from minigrad import Value\n\ndef double(x):\n    return x + x\n\nL = double(Value(3.0))\n",
    "accents": "from minigrad import Value\nñ = Value(2.0); s = '𝒳 é'; L = ñ*ñ\n",
    "expression": "from minigrad import Value\na = Value(2.0)\nb = a * 3\na * a\n",
    "backward": "from minigrad import Value\na = Value(2.0)\nL = a * a\nL.backward()\nlater = a + 1\n",
    "network": "from micrograd.nn import MLP\nscore = MLP(2, [2, 1])([1.0, -1.0])\nscore.backward()\n",
    "weights": "from minigrad.nn import Neuron\nn = Neuron(1)\ny = n([1.0])\nfor p in [n.b]: p.grad\n",
    "division": "from minigrad import Value\na = Value(1.0)\nprint('so far')\nb = 1 / 0\n",
    "syntax": "a = 2\nb = (3\n",
    "unfinished": "def f(\n",
    "null": "a = 1\0",
    "recursion": "def f(n):\n    return f(n + 1)\nf(0)\n",
    "output": "while True:\n    try:\n        print('x' * 1000)\n    except Exception:\n        pass\n",
    "exit": "import sys\nprint('bye')\nsys.exit(3)\n",
    "interrupt": "raise KeyboardInterrupt('mine')\n",
    "nothing": "print(3)\n",
    "absent": "import pandas.io\n",
    "stale": "from minigrad import Value\na = Value(2.0)\nL = a * a\na.data = 5.0\n",
    "class": "class A:\n    pass\n\nraise ValueError(A.__module__)\n",
    "empty": "",
    "page break": "from minigrad import Value\n\f\ns = '''a\fb'''\na = Value(2.0)\nL = a*a\n",
    "changes": "from minigrad import Value\nValue.cube = lambda x: x * x * x\n"
    "Value.__add__ = lambda x, y: Value(0.5)\ndel Value.__neg__\nL = Value(2.0).cube() + 1\nprint(L.data)\n",
    "after changes": "from minigrad import Value\na = Value(2.0)\nL = -a + 1\n"
    "print(L.data, hasattr(Value, 'cube'))\n",
}
RUN = """
import json, sys
sys.modules["pandas"] = None
from minigrad.text.translation import speaking
from minigrad.web.program_answer import program_answer
programs = json.load(sys.stdin)
again = {name: program_answer(source) for name, source in programs.items()}
left = "micrograd" in sys.modules
with speaking("es"):
    spanish = program_answer(programs["output"])
long = program_answer("#" * 60_001)
json.dump({"answers": again, "too long": long, "left": left, "spanish": spanish}, sys.stdout)
"""


@pytest.fixture(scope="module")
def found():
    given = {**os.environ, "MINIGRAD_PURE": "1", "MINIGRAD_LANG": "en"}
    words = [sys.executable, "-c", RUN]
    done = subprocess.run(words, input=json.dumps(PROGRAMS), capture_output=True, text=True, env=given)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def answers(found):
    return found["answers"]


def places(answer, source):
    """The text that each node comes from."""
    letters = list(source)
    doc = answer["document"]
    spans = [place and "".join(letters[slice(*place)]) for place in doc["source"]["places"]]
    return list(zip(doc["traces"][0]["names"], spans, strict=True))


def gradients(answer):
    trace = answer["document"]["traces"][0]["trace"]
    return {node["name"]: node["grad"] for node in trace["nodes"]}


def test_the_readme_of_micrograd_runs_as_it_stands_and_prints_what_it_says(answers):
    assert answers["micrograd"]["ok"]
    assert answers["micrograd"]["printed"] == "24.7041\n138.8338\n645.5773\n"
    assert answers["micrograd"]["output"] == "g"
    assert round(gradients(answers["micrograd"])["b"], 4) == 645.5773


def test_each_node_leads_to_the_expression_that_made_it(answers):
    found = places(answers["micrograd"], MICROGRAD)
    by_name = dict(found)
    assert by_name["e"] == "c - d"
    assert by_name["a"] == "Value(-4.0)"
    assert ("v12", "(b + a).relu()") in found
    assert [span for _, span in found].count("d * 2") == 2, "the product, and the constant in it"


def test_a_node_that_a_function_makes_leads_into_the_function(answers):
    assert dict(places(answers["function"], PROGRAMS["function"]))["L"] == "x + x"


def test_places_count_letters_where_python_counts_bytes(answers):
    found = dict(places(answers["accents"], PROGRAMS["accents"]))
    assert found == {"ñ": "Value(2.0)", "L": "ñ*ñ"}


def test_a_page_break_ends_no_line(answers):
    found = dict(places(answers["page break"], PROGRAMS["page break"]))
    assert found == {"a": "Value(2.0)", "L": "a*a"}


def test_the_subject_is_the_last_expression_else_the_last_pass_else_the_newest_name(answers):
    assert answers["expression"]["output"] == "out"
    assert gradients(answers["expression"])["a"] == 4.0
    assert answers["backward"]["output"] == "L"
    assert answers["function"]["output"] == "L"


def test_micrograds_networks_are_there(answers):
    assert answers["network"]["output"] == "score"
    assert answers["network"]["nodes"] > 10


def test_weights_have_the_names_that_their_model_gives_them(answers):
    assert {"n.w[0]", "n.b"} <= set(gradients(answers["weights"]))
    assert "p" not in gradients(answers["weights"])


@pytest.mark.parametrize(
    ("name", "line", "words", "text"),
    [
        ("division", 4, "ZeroDivisionError: division by zero", "1 / 0"),
        ("syntax", 2, "SyntaxError: '(' was never closed", "("),
        ("unfinished", 1, "SyntaxError", None),
        ("null", None, "null", None),
        ("recursion", 2, "RecursionError", "f(n + 1)"),
        ("output", None, "100,000 characters", None),
        ("interrupt", 1, "KeyboardInterrupt: mine", None),
        ("absent", 1, "there is no pandas", "import pandas.io"),
        ("stale", None, ".data", None),
        ("class", 4, "ValueError: __main__", None),
    ],
)
def test_what_goes_wrong_is_told_with_its_line(answers, name, line, words, text):
    error = answers[name]["error"]
    assert answers[name]["ok"] is False
    assert words in error["message"]
    assert error.get("line") == line
    if text is not None:
        assert PROGRAMS[name][slice(*error["where"])] == text


def test_what_was_printed_before_is_not_lost(answers):
    assert answers["division"]["printed"] == "so far\n"
    assert len(answers["output"]["printed"]) == 100_000
    assert answers["exit"] == {"ok": True, "printed": "bye\n", "document": None, "statements": ""} | {
        "remark": answers["exit"]["remark"]
    }


def test_a_program_without_a_value_is_told_what_to_write(answers):
    for name in ("nothing", "empty"):
        assert "Value(2.0)" in answers[name]["remark"]


def test_a_program_that_is_too_long_is_refused(found):
    assert "60,000" in found["too long"]["error"]["message"]


def test_a_count_is_written_as_its_language_writes_it(found):
    assert "100\u00a0000 caracteres" in found["spanish"]["error"]["message"]


def test_what_a_program_changes_in_the_engine_is_as_before_for_the_next(answers):
    assert answers["changes"]["printed"] == "0.5\n"
    assert answers["after changes"]["printed"] == "-1.0 False\n"


def test_the_module_micrograd_is_there_while_a_program_runs_and_no_longer(found):
    assert found["left"] is False


def test_the_statements_for_the_studio_have_the_same_gradients(answers):
    from minigrad.graph.trace import trace
    from minigrad.language import parse

    again = trace(parse(answers["micrograd"]["statements"]))
    grads = dict(zip(again.graph.names, again.grads, strict=True))
    assert {name: round(grads[name], 4) for name in "ab"} == {"a": 138.8338, "b": 645.5773}
