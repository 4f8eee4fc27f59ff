"""What CONTRIBUTING.md promises: each kind of thing is added in the places that it names, and in no other.

A test makes a copy of the package, plants one thing there as a contributor would, and uses it in a child
process: by the commands and functions that a person uses, on the plain engine, with nothing else touched.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from shlex import split

import pytest

from minigrad.cli.commands import COMMANDS
from minigrad.drawing import DRAWINGS
from minigrad.explanation.explanation import TEXTS
from minigrad.text.translation import LANGUAGES, catalogue
from minigrad.verify import WITNESSES
from source_trees import PACKAGE, ROOT


class Copy:
    """A copy of the package to plant something in: links, but for the folders that were opened."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.package = folder, folder / "minigrad"
        self._link(PACKAGE, self.package)
        self.touched: set[str] = set()

    def _link(self, folder: Path, copy: Path) -> None:
        copy.mkdir()
        for path in folder.iterdir():  # with __pycache__, which still fits what is not touched
            (copy / path.name).symlink_to(path)

    def _open(self, name: str) -> Path:
        """Where a file of the copy is, in folders of its own."""
        path = self.package
        for part in Path(name).parts[:-1]:
            path /= part
            if path.is_symlink():
                original = path.readlink()
                path.unlink()
                self._link(original, path)
        return self.package / name

    def write(self, name: str, text: str) -> None:
        """A new file."""
        path = self._open(name)
        assert not path.exists(), f"{name} is there already"
        path.write_text(text, encoding="utf-8")
        self.touched.add(name)

    def insert(self, name: str, before: str, text: str) -> None:
        """A text before a passage of a file; the original stays as it is."""
        path = self._open(name)
        source = path.read_text(encoding="utf-8")
        assert source.count(before) == 1, f"{name} has {source.count(before)} passages {before!r}"
        path.unlink()  # the link
        path.write_text(source.replace(before, text + before), encoding="utf-8")
        self.touched.add(name)

    def python(self, program: str) -> str:
        """What a program prints that imports the copy; warnings are errors."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "MINIGRAD_PURE": "1"}
        environment |= {"MINIGRAD_LANG": "en", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-W", "error", "-c", program]
        ran = subprocess.run(command, env=environment, cwd=self.folder, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def minigrad(self, *commands: str) -> list[str]:
        """What commands print, in one process."""
        return json.loads(self.python(RUNNING.replace("COMMANDS", repr([split(each) for each in commands]))))


RUNNING = """
import io, json
from contextlib import redirect_stdout
from minigrad.cli import main
printed = []
for words in COMMANDS:
    with redirect_stdout(io.StringIO()) as out:
        assert main(words) in (0, 1), words
    printed.append(out.getvalue())
print(json.dumps(printed))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


# ---- an op --------------------------------------------------------------------------------------

SOFTSIGN = """
_row("softsign", lambda m, x: m.div(x, 1.0 + m.abs(x)),
     lambda m, y, x: (m.div(m.div(1.0, 1.0 + m.abs(x)), 1.0 + m.abs(x)),),
     ("1 / (1 + abs({a}))**2",),
     ("upstream / (1 + abs({a}))**2", "el gradiente entrante / (1 + abs({a}))**2"),
     (0.5, -3.0, 40.0), torch="nn.functional.softsign", numpy="", mpmath="", sympy="", jax="nn.soft_sign")
"""


def test_an_op_is_one_row_and_its_definition_makes_the_witnesses_speak(copy):
    copy.insert("ops.py", '_row("erf",', SOFTSIGN)
    used = """
from minigrad import Value, functions as F, grad, parse
x = Value(3.0)
y = x.softsign()
y.backward()
print(y.data, x.grad, F.softsign(-1.0).data, grad(grad(F.softsign))(1.0))
print(parse("softsign(a)", {"a": 3.0}).evaluate()[-1])
"""
    # 3 / 4, 1 / 4**2, -1 / 2; the second derivative is -2 / (1 + x)**3
    assert copy.python(used).split() == ["0.75", "0.0625", "-0.5", "-0.25", "0.75"]
    asked = "check softsign(a) a=3 --ask mpmath,exact,complex,paper"
    told, en_castellano, court = copy.minigrad(
        "explain softsign(a) a=3 --view walk,check", "explain softsign(a) a=3 --lang es", asked
    )
    assert "upstream / (1 + abs(a))**2" in told
    assert "agree on 1 of 1" in told
    assert "entrante / (1 + abs(a))**2" in en_castellano
    assert court.count("has no softsign") == 3
    definition = '    "softsign": lambda n, x: x / (n.number(1) + n.where(x > 0, x, -x)),\n'
    copy.insert("verify/definitions.py", '    "erf": ', definition)
    (court,) = copy.minigrad(asked)
    assert "confirmed by mpmath" in court
    assert "4 of 4 witnesses agree" in court
    assert copy.touched == {"ops.py", "verify/definitions.py"}


def test_a_planted_op_with_a_wrong_rule_is_found_out(copy):
    copy.insert(
        "ops.py", '_row("erf",', SOFTSIGN.replace("m.div(1.0, 1.0 + m.abs(x))", "m.div(1.0, 1.0 + x)")
    )
    program = (
        "from minigrad.verify import court; print(court('softsign(a)', {'a': -3.0}, ask='central').verdict)"
    )
    assert copy.python(program).strip() == "wrong"


# ---- a fault ------------------------------------------------------------------------------------

HALVED = """    Fault(
        "halved",
        "sum",
        ("every contribution is halved", "cada contribución se divide entre dos"),
        ("a half is lost on every edge", "en cada arista se pierde la mitad"),
        lambda pieces, _what: pieces._replace(
            accumulate=lambda walk, source, slot, target, amount: walk.grads[target] + amount / 2
        ),
        "a = 3; -a",
        ((_ADD, "        child.grad += amount / 2\\n"),),
    ),
"""


def test_a_fault_is_one_row(copy):
    copy.insert(
        "faults/catalogue/accumulation.py",
        '    Fault(\n        "keep-largest",\n',
        HALVED,
    )
    broken, en_castellano, diagnosed = copy.minigrad(
        "break halved a*b a=2 b=4 --all",
        "break halved a*b a=2 b=4 --lang es",
        "diagnose a*b a=2 b=4 --got a=2 b=1",
    )
    assert "every contribution is halved" in broken
    assert "child.grad += amount / 2" in broken  # the specimen, as a diff
    assert re.search(r"\ba\b.*\b2\b.*\b4\b", broken)  # half of b, and b
    assert "cada contribución se divide entre dos" in en_castellano
    assert "halved" in diagnosed
    assert copy.touched == {"faults/catalogue/accumulation.py"}


# ---- what is a file and a row -------------------------------------------------------------------


def test_a_view_is_a_file_its_place_and_its_title(copy):
    copy.write(
        "explanation/loudest.py",
        "def render(explanation, page):\n"
        "    yield f'  {max(explanation.gradients.items(), key=lambda item: abs(item[1]))}'\n",
    )
    copy.insert("explanation/explanation.py", '"check", "waterfall")', '"loudest", ')
    copy.insert(
        "explanation/messages.py",
        '    "view.title.forward"',
        '    "view.title.loudest": ("The loudest", "El más fuerte"),\n',
    )
    asked, whole = copy.minigrad("explain a*b a=5 b=2 --view loudest", "explain a*b a=5 b=2 --lang es")
    assert "The loudest\n  ('b', 5.0)" in asked
    assert "El más fuerte" in whole


def test_a_witness_is_a_file_and_a_row(copy):
    copy.write(
        "verify/witnesses/forward.py",
        "from ..testimony import Estimate, Statement\n\n"
        "def witness(case):\n"
        "    output = lambda **moved: case.graph.evaluate({**case.at, **moved})[case.graph.output]\n"
        "    slope = lambda name: (output(**{name: case.at[name] + 0.5}) - output()) / 0.5\n"
        "    return Statement('forward', slopes={name: Estimate(slope(name)) for name in case.names})\n",
    )
    row = '    "forward": Witness("forward", ("one step forward", "un paso adelante"), ours=True),\n'
    copy.insert("verify/witnesses/__init__.py", '    "dual": ', row)
    asked = "check a*b a=2 b=3 --ask forward,central"
    right, wrong = copy.minigrad(asked, f"{asked} --got a=3 b=9")
    assert re.search(r"one step forward +3 +2 +agrees", right)
    assert re.search(r"one step forward +3 +2! +disagrees", wrong)


def test_a_unit_is_a_file_in_each_language(copy):
    for lang, title in (("en", "Patience"), ("es", "Paciencia")):
        text = f"# {title}\n\n> One idea.\n\nminutes: 1\n\n```graph\na = 2\nL = a*a\n```\n\n{{{{grad a}}}}\n"
        copy.write(f"learn/lessons/{lang}/09-patience.md", text)
    unit = copy.python("from minigrad.learn.course import unit; print(unit(9, 'en'), unit('patience', 'es'))")
    assert "Patience" in unit
    assert "Paciencia" in unit
    assert "text='4'" in unit


def test_a_kind_of_question_is_a_file_and_a_row(copy):
    copy.write(
        "learn/questions/strongest.py", "from .leverage import draw, write\n\n__all__ = ['draw', 'write']\n"
    )
    copy.insert(
        "learn/questions/kinds.py", '    Kind("difference",', '    Kind("strongest", "data-and-grad"),\n'
    )
    program = (
        "from minigrad.learn.questions import question\nq = question('strongest:1:7')\n"
        "print(q.kind, q.judge(q.solution).right, q.ask().choices[0].letter)"
    )
    assert copy.python(program).split() == ["strongest", "True", "A"]


def test_a_task_is_a_row_and_its_points(copy):
    copy.insert("training/settings.py", '    "circles": Settings(', '    "corner": Settings("corner"),\n')
    copy.insert(
        "nn/data.py",
        "def regression(",
        "def corner(n=100, noise=0.1, seed=0):\n"
        "    return [([i / n, i % 3 - 1.0], 1.0 if i % 3 == 2 else -1.0) for i in range(n)]\n\n\n",
    )
    (trained,) = copy.minigrad("train corner --steps 2 --points 10 --hidden 2")
    assert "10 points; 2 steps of sgd" in trained


def test_a_file_of_sentences_is_found(copy):
    copy.write("verify/witnesses/messages.py", 'ROWS = {"greeting": ("hello {name}", "hola, {name}")}\n')
    program = (
        "from minigrad.text.translation import say, speaking\nprint(say('greeting', name='a'))\n"
        "with speaking('es'): print(say('greeting', name='a'))"
    )
    assert copy.python(program) == "hello a\nhola, a\n"
    copy.write("learn/messages/twice.py", 'ROWS = {"greeting": ("hi", "buenas")}\n')
    with pytest.raises(AssertionError, match="a key twice"):
        copy.python(program)


# ---- what two places have to say ----------------------------------------------------------------


def test_every_drawing_has_its_tab_and_its_words():
    script = (PACKAGE / "player" / "page_frame.js").read_text(encoding="utf-8")
    tabs = re.findall(r'"(\w+)"', re.findall(r"const VIEWS = \[(.*)\];", script)[0])
    assert tabs == list(DRAWINGS), "name it in VIEWS of player/page_frame.js"
    assert all(f"player.view.{name}" in catalogue() for name in DRAWINGS), "say it in player/messages.py"


def test_every_command_has_a_file_a_help_and_a_line_in_the_overview():
    for command, file in COMMANDS.items():
        assert (PACKAGE / "cli" / "commands" / f"{file}.py").is_file()
        assert f"help.{command}" in catalogue(), f"write help.{command} in a file of cli/messages/"
        for overview in catalogue()["help"]:
            assert f"minigrad {command} " in overview, f"name {command} under help in cli/messages/command.py"


def test_every_view_and_every_witness_is_called_something_in_both_languages():
    titles = [catalogue()[f"view.title.{view}"] for view in TEXTS]
    for pair in (*titles, *(row.title for row in WITNESSES.values())):
        assert len(pair) == len(LANGUAGES)
        assert all(pair)


def test_everything_that_contributing_names_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for path in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / path).exists(), path


def test_every_test_that_contributing_names_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:minigrad|project)/[\w/*]+(?:/|\.py))`", text)
    assert len(named) > 15
    assert [name for name in named if not [*(ROOT / "tests").glob(name)]] == []


def test_imports_are_stated_as_the_layers_are():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "text <- values <- ops" in text.partition("<!-- layers -->")[2].partition("<!-- /layers -->")[0]
