"""`minigrad build`: steps put into a file once, checks, hints that grow, pictures, scores, grades."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from minigrad.cli import main
from minigrad.cli.commands import build
from minigrad.cli.commands.learn import Terminal
from minigrad.learn.progress import Progress
from minigrad.learn.track.textbook_parts import STEPS, own_tests, solution
from minigrad.text.page import Page

Building = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return tmp_path / "mine"


@pytest.fixture
def typed(folder: Path, capsys: pytest.CaptureFixture[str]) -> Building:
    def typed(*words: str) -> tuple[int, str, str]:
        code = main(["build", *words])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return typed


def write(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "engine.py"
    path.write_text(text, encoding="utf-8")
    return path


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_first_step_is_shown_and_its_skeleton_put_into_a_new_file_once(typed, folder, lang):
    code, out, _ = typed(str(folder), "--lang", lang)
    assert code == 0
    assert "__init__" in out
    first = (folder / "engine.py").read_text(encoding="utf-8")
    assert "class Value:" in first
    assert ("your lines" if lang == "en" else "sus líneas") in first
    assert typed(str(folder))[0] == 0
    assert (folder / "engine.py").read_text(encoding="utf-8") == first


def test_the_next_skeleton_leaves_every_line_that_is_there(typed, folder):
    mine = solution("number") + "\n\nprint(Value(1.0))  # mine\n"
    write(folder, mine)
    code, out, _ = typed(str(folder))
    assert code == 0
    assert "step 2 of 11" in out
    text = (folder / "engine.py").read_text(encoding="utf-8")
    there = iter(text.splitlines())
    assert all(line in there for line in mine.splitlines())
    assert "def __mul__" in text


def test_a_step_that_holds_is_kept_with_its_prediction(typed, folder, tmp_path):
    write(folder, solution("rules"))
    code, out, _ = typed("check", str(folder), "--expect", "2")
    assert code == 0
    assert "Step 2, + and * with their local rules: it holds." in out
    assert "You predicted 2, and your engine gives -3. Find out why" in out
    code, out, _ = typed("check", str(folder), "--expect", "-3")
    assert "You predicted -3, and your engine gives -3." in out
    progress = Progress.open(tmp_path / "progress.json")
    assert progress.step("number")["passed"]
    assert progress.step("rules")["predicted"] == "-3.0"


def test_a_mistake_is_answered_and_the_hints_grow_to_the_change(typed, folder):
    write(folder, solution("by-hand").replace("    product._backward()\n", ""))
    code, out, _ = typed("check", str(folder))
    assert code == 1
    assert "The rule of the product does not run" in out
    hints = [typed("hint", str(folder))[1] for _ in range(4)]
    assert ["Hint 1" in hints[0], "Hint 2" in hints[1], "Hint 3" in hints[2]] == [True] * 3
    assert "+    product._backward()" in hints[2]
    assert "product._backward()" not in hints[0] + hints[1]
    assert hints[3] == hints[2]
    write(folder, solution("by-hand").replace("    total._backward()\n", ""))  # another mistake
    assert "Hint 1" in typed("hint", str(folder))[1]


def test_a_language_that_was_asked_for_stands_in_every_command_that_is_named(typed, folder):
    asked = f"{folder} --lang es"
    assert f"minigrad build check {asked}" in flat(typed(str(folder), "--lang", "es")[1])
    write(folder, solution("rules"))
    assert f"minigrad build {asked}" in flat(typed("check", str(folder), "--lang", "es")[1])
    assert "--lang" not in typed("check", str(folder))[1]
    write(folder, solution("number").replace("self.op = op", "self.op = None"))
    assert f"minigrad build hint {asked}" in flat(typed("check", str(folder), "--lang=es")[1])
    assert f"minigrad build hint {asked}" in flat(typed("hint", str(folder), "--lang=es")[1])


def test_one_step_before_is_counted_as_one(typed, folder):
    write(folder, solution("rules"))
    assert "Step 1 holds as well." in typed("check", str(folder))[1]
    assert "El paso 1 también está bien." in typed("check", str(folder), "--lang", "es")[1]
    write(folder, solution("by-hand"))
    assert "The 2 steps before it hold as well." in typed("check", str(folder))[1]


def test_a_word_that_is_nearly_one_of_the_command_is_asked_about(typed):
    assert "there is no 'chek'; did you mean check?" in typed("chek", "x")[2]
    assert "too many" in typed("mine", "x")[2]


def test_no_hint_takes_away_the_methods_of_later_steps(typed, folder):
    wrong = solution("order").replace("        self.op = op\n", "        self.op = None\n")
    write(folder, wrong)
    hints = [typed("hint", str(folder))[1] for _ in range(3)]
    assert "+" in hints[2]
    assert "self.op = op" in hints[2]
    assert "__add__" not in hints[2]


def test_the_last_hint_of_four_old_lines_is_their_change(typed, folder):
    head, rest = solution("diamond").split("    def backward", 1)
    write(folder, head.replace(".grad += ", ".grad = ") + "    def backward" + rest)
    hints = [typed("hint", str(folder))[1] for _ in range(3)]
    assert hints[2].count("    - ") == hints[2].count("    + ") == 4
    assert "+ self.grad += other.data * out.grad" in hints[2]


def test_a_check_as_json(typed, folder):
    write(folder, solution("paths").replace("out.grad = 1.0", "out.grad = 2.0"))
    code, out, _ = typed("check", str(folder), "--json")
    found = json.loads(out)
    assert code == 1
    assert found["passed"] == ["number", "rules", "by-hand"]
    assert (found["finding"]["mistake"], found["finding"]["kind"]) == ("seed-scaled", "mistake")
    assert "grad = 2.0" in (folder / "engine.py").read_text().splitlines()[found["finding"]["line"] - 1]


def test_the_picture_shows_the_numbers_of_the_learners_own_objects(typed, folder, tmp_path):
    target = tmp_path / "graph.svg"
    write(folder, solution("diamond"))
    assert typed("picture", str(folder), "--out", str(target))[0] == 0
    right = target.read_text(encoding="utf-8")
    wrong = solution("diamond").replace("self.grad += other.data", "self.grad += 7 * other.data")
    write(folder, wrong)
    assert typed("picture", str(folder), "--out", str(target))[0] == 0
    # (a*b + c) * a at 2, -3, 10: dout/da is 4 + 2*(-3) = -2; seven times what the rules of * send to their
    # first operand is 7*2 = 14 into the sum, 7*14*(-3) + 4 into a.
    assert ">-2<" in right
    assert ">-2<" not in target.read_text(encoding="utf-8")
    assert "-290" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text", ["", solution("number"), "class Value:\n  def", solution("rules") + "\n1/0\n"]
)
def test_where_there_is_nothing_to_draw_it_says_so(typed, folder, text):
    write(folder, text)
    code, _, err = typed("picture", str(folder))
    assert code == 2
    assert err.startswith("minigrad: ")


def test_tests_are_scored_by_planted_bugs(typed, folder):
    write(folder, solution("proof"))
    assert typed("check", str(folder), "--suite")[0] == 2  # there are none yet
    (folder / "test_engine.py").write_text(own_tests().skeleton)
    code, out, _ = typed("check", str(folder), "--suite", "--json")
    few = json.loads(out)
    assert code == 1
    (folder / "test_engine.py").write_text(own_tests().solution)
    many = json.loads(typed("check", str(folder), "--suite", "--json")[1])
    assert few["planted"] == many["planted"] > 100
    assert few["killed"] < 30
    assert many["killed"] >= 0.95 * many["planted"]
    assert (few["not_run"], many["not_run"], many["why_not_run"]) == ([], [], None)
    (folder / "test_engine.py").write_text("def test_wrong():\n    assert 1 == 2\n")
    code, _, err = typed("check", str(folder), "--suite")
    assert code == 2
    assert "test_wrong" in err


def test_bugs_that_the_tests_were_not_run_with_are_said_and_not_counted(typed, folder):
    write(folder, solution("proof"))
    test = "def test_ends():\n    is_right(lambda a: a * a, [3.0]) or os._exit(1)\n"
    (folder / "test_engine.py").write_text("import os\nfrom engine import *\n" + test)
    code, out, _ = typed("check", str(folder), "--suite", "--json")
    found = json.loads(out)
    assert code == 1
    assert found["not_run"]
    assert found["why_not_run"] == "left"
    assert found["killed"] + len(found["survived"]) + len(found["not_run"]) == found["planted"]
    rest = len(found["not_run"])
    assert f"Not run: {rest}, because" in typed("check", str(folder), "--suite")[1]
    row = json.loads(typed("grade", str(folder), "--json")[1])["engines"][0]
    assert row["tests"] == {"killed": found["killed"], "planted": found["planted"], "not_run": rest}
    graded = " ".join(build._grade_lines(row, Page(width=200)))
    assert f"tests {found['killed']} of {found['planted']}, {rest} not run" in graded


def test_engines_of_a_class_are_graded(typed, tmp_path):
    group = tmp_path / "class"
    group.mkdir()
    write(group / "ada", solution("constants"))
    write(group / "bo", solution("rules").replace("other.data * out.grad", "self.data * out.grad", 1))
    write(group / "eve", "import os\nos._exit(0)\n" + solution("proof"))
    (group / "none").mkdir()
    code, out, _ = typed("grade", str(group), "--json")
    rows = {row["name"]: row for row in json.loads(out)["engines"]}
    assert code == 0
    assert {name: row["steps"] for name, row in rows.items()} == {"ada": 7, "bo": 1, "eve": 0}
    assert rows["bo"]["stopped_at"] == "rules"
    assert "bo: 1 of 11 steps" in typed("grade", str(group))[1]


@pytest.mark.parametrize(
    "words",
    [
        ("check", "nowhere"),
        ("hint", "nowhere"),
        ("picture", "nowhere"),
        ("grade", "nowhere"),
        ("one", "two"),
        ("check", "one", "two"),
        ("--loop",),
        ("check", "--out", "x.svg"),
        ("picture", ".", "--out", "x.png"),
    ],
)
def test_bad_input_is_answered_in_a_sentence(typed, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    code, _, err = typed(*words)
    assert code == 2
    assert err.startswith("minigrad: ")


@pytest.mark.parametrize("octets", [b"\xff\xfe class", b"class Value:\n    def __init__(self data):\n"])
def test_a_file_that_cannot_be_read_is_left_as_it_is(typed, folder, octets):
    folder.mkdir()
    (folder / "engine.py").write_bytes(octets)
    assert typed(str(folder))[0] in (1, 2)
    assert typed("check", str(folder))[0] in (1, 2)
    assert (folder / "engine.py").read_bytes() == octets


def test_a_pipe_is_not_waited_for(typed, folder):
    folder.mkdir()
    os.mkfifo(folder / "engine.py")
    for words in ([str(folder)], ["check", str(folder)], ["hint", str(folder)]):
        code, _, err = typed(*words)
        assert code == 2
        assert "not an ordinary file" in err


def test_a_file_of_something_else_is_not_written_to(typed, folder):
    path = write(folder, "print('my other program')\n")
    code, _, err = typed(str(folder))
    assert code == 2
    assert "class Value" in err
    assert path.read_text() == "print('my other program')\n"


def test_a_file_that_changes_meanwhile_is_not_written_over(typed, folder, monkeypatch):
    path = write(folder, solution("number"))
    monkeypatch.setattr(
        "minigrad.learn.track.learner_file.LearnerFile.with_part",
        lambda *_: path.write_text("# saved in the editor\n") and "class Value: pass\n",
    )
    assert typed(str(folder))[0] == 2
    assert path.read_text() == "# saved in the editor\n"


def test_on_a_terminal_a_prediction_is_asked_for_until_it_is_a_number(typed, folder, monkeypatch, tmp_path):
    monkeypatch.setattr(Terminal, "interactive", property(lambda self: True))
    answers = iter(["what?", "0"])
    monkeypatch.setattr(Terminal, "hear", lambda self, prompt: next(answers))
    _, out, _ = typed(str(folder))
    assert "What is a.grad, before any pass?" in out
    assert "is not a number" in out
    assert Progress.open(tmp_path / "progress.json").step("number")["predicted"] == "0.0"


def test_the_loop_checks_at_every_save_until_it_is_interrupted(typed, folder, monkeypatch, capsys):
    path = write(folder, solution("number"))
    looks = iter(["nothing", "a save", "nothing"])

    def wait(seconds: float) -> None:
        look = next(looks, None)
        if look is None:
            raise KeyboardInterrupt
        if look == "a save":
            path.write_text(solution("rules"), encoding="utf-8")

    monkeypatch.setattr(build.time, "sleep", wait)
    with pytest.raises(KeyboardInterrupt):
        build.run(["check", str(folder), "--loop"])
    out = capsys.readouterr().out
    assert "Step 1, a number that remembers: it holds." in out
    assert "Step 2, + and * with their local rules: it holds." in out


def test_after_the_last_step_it_says_where_to_go_on(typed, folder):
    write(folder, solution(STEPS[-1]))
    code, out, _ = typed(str(folder))
    assert code == 0
    assert "examples/microgpt.py" in out


# What somebody writes who has read the texts and no solution: a hole, or lines of their own that they change.
WALK = {
    "number": """        self.data = data
        self.grad = 0.0
        self.children = tuple(children)
        self.op = op
        self._backward = lambda: None""",
    "rules": """        product = Value(self.data * other.data, (self, other), "*")
        def rule():
            self.grad = product.grad * other.data
            other.grad = product.grad * self.data
        product._backward = rule
        return product""",
    "by-hand": """    total._backward()
    product._backward()""",
    "paths": """    out.grad = 1.0
    def walk(node):
        node._backward()
        for child in node.children:
            walk(child)
    walk(out)""",
    "order": """        nodes = []
        seen = set()
        def visit(node):
            if node in seen:
                return
            seen.add(node)
            for child in node.children:
                visit(child)
            nodes.append(node)
        visit(self)
        self.grad = 1.0
        for node in reversed(nodes):
            node._backward()""",
    "diamond": """        out = Value(self.data - other.data, (self, other), "-")
        def rule():
            self.grad += out.grad
            other.grad -= out.grad
        out._backward = rule
        return out""",
    "constants": """        return self * other
---
        return Value(other) - self""",
    "curves": """        if not isinstance(other, Value):
            other = Value(other)
        out = Value(self.data / other.data, (self, other), "/")
        def rule():
            self.grad += 1 / other.data * out.grad
            other.grad += -self.data / other.data ** 2 * out.grad
        out._backward = rule
        return out
---
        out = Value(self.data ** n, (self,), "**")
        def rule():
            self.grad += n * self.data ** (n - 1) * out.grad
        out._backward = rule
        return out
---
        out = Value(math.exp(self.data), (self,), "exp")
        def rule():
            self.grad += out.data * out.grad
        out._backward = rule
        return out
---
        out = Value(math.tanh(self.data), (self,), "tanh")
        def rule():
            self.grad += (1 - out.data ** 2) * out.grad
        out._backward = rule
        return out
---
        out = Value(max(self.data, 0.0), (self,), "relu")
        def rule():
            if self.data > 0:
                self.grad += out.grad
        out._backward = rule
        return out""",
    "again": """        seen = set()
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                node.grad = 0.0
                waiting += node.children""",
    "neuron": """        total = self.bias
        for w, x in zip(self.weights, xs):
            total = total + w * x
        return total.tanh()""",
    "proof": """        above = [Value(x) for x in numbers]
        below = [Value(x) for x in numbers]
        above[which] = Value(numbers[which] + distance)
        below[which] = Value(numbers[which] - distance)
        return (f(*above).data - f(*below).data) / (2 * distance)""",
}
WRAPPED = "        if not isinstance(other, Value):\n            other = Value(other)\n"


@pytest.mark.slow
def test_the_track_is_walked_from_an_empty_file_to_a_trained_network(typed, folder):
    path = folder / "engine.py"
    for number, step in enumerate(STEPS, 1):
        code, out, _ = typed(str(folder))
        assert code == 0
        assert f"step {number} of 11" in out, out
        text = path.read_text(encoding="utf-8")
        for lines in WALK[step].split("\n---\n"):
            hole = next(line for line in text.splitlines() if line.strip().startswith("..."))
            margin = hole[: len(hole) - len(hole.lstrip())]
            first = lines[: len(lines) - len(lines.lstrip())]
            own = "\n".join(margin + line.removeprefix(first) for line in lines.splitlines())
            text = text.replace(hole, own, 1)
        if step == "diamond":  # "then change the rules of __add__ and __mul__: four lines"
            head, rest = text.split("    def backward", 1)
            head = head.replace(".grad = out.grad", ".grad += out.grad")
            text = head.replace(".grad = product.grad", ".grad += product.grad") + "    def backward" + rest
        if step == "constants":
            for name in ("__add__", "__mul__", "__sub__"):
                text = text.replace(f"def {name}(self, other):\n", f"def {name}(self, other):\n{WRAPPED}")
        path.write_text(text, encoding="utf-8")
    code, out, _ = typed("check", str(folder))
    assert code == 0, out
    assert "All 11 steps hold" in out
