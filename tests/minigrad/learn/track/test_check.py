"""Check of a learner's engine: right ones hold, wrong ones are named with their line, nothing is given away.

All wrong engines are tried by `python tests/tools/track_answers.py`; here is a sample of them.
"""

import pytest

from minigrad.learn.track import check as checks
from minigrad.learn.track.answer import Commands, first_answer
from minigrad.learn.track.check import check
from minigrad.learn.track.learner_file import LearnerFile
from minigrad.learn.track.probes import PROBES
from minigrad.learn.track.textbook_parts import STEPS, solution
from minigrad.text.page import Page
from minigrad.text.translation import speaking
from track_wrong_engines import WrongEngine, changed_lines, gives_away, wrong_engines

ENGINES = wrong_engines()
WIDE = Page(width=10_000)


def sample() -> list[WrongEngine]:
    """A few of each step, those of the track's own and those of the catalogue, spread over the list."""
    groups: dict[tuple[str, bool], list[WrongEngine]] = {}
    for engine in ENGINES:
        if engine.where == "own":
            groups.setdefault((engine.step, bool(engine.planted)), []).append(engine)
    return [group[len(group) // 2] for group in groups.values()]


def answer(source: str, lang: str = "en") -> str:
    with speaking(lang):
        return "\n".join(first_answer(check(source), WIDE, Commands()))


def test_there_are_two_hundred_wrong_engines_and_more():
    assert len(ENGINES) >= 200
    assert len({engine.source for engine in ENGINES}) == len(ENGINES)
    assert {engine.step for engine in ENGINES} == {*STEPS}


@pytest.mark.parametrize("engine", sample(), ids=lambda engine: f"{engine.step}-{engine.slug}")
def test_a_wrong_engine_is_named_with_its_line_and_the_answer_gives_nothing_away(engine):
    checked = check(engine.source)
    found = checked.finding
    assert found is not None
    assert (found.step, found.slug) == (engine.step, engine.slug)
    assert found.line in changed_lines(engine)
    for lang in ("en", "es"):
        with speaking(lang):
            text = "\n".join(first_answer(checked, WIDE, Commands()))
        assert gives_away(text.replace(checked.file.line(found.line), ""), engine) == []


def test_an_answer_that_gives_the_solution_away_is_seen():
    engine = next(one for one in ENGINES if one.step == "diamond" and one.slug == "overwrite")
    assert gives_away("write += there", engine)
    assert gives_away("self.grad += out.grad", engine)
    assert not gives_away("what + sends wipes out what came before", engine)


@pytest.mark.parametrize("step", ["number", "order", "proof"])
def test_a_right_engine_holds(step):
    checked = check(solution(step))
    assert checked.finding is None
    assert checked.passed == STEPS[: STEPS.index(step) + 1]


OTHERWISE = """
import math
class Value:
    def __init__(self, data, children=(), op=""):
        self.data, self.grad = data, 0.0
        self.op = op
        self.children = list(children)
        def nothing():
            pass
        self._backward = nothing
    def __repr__(self):
        return str(self.data)
    def __add__(self, right):
        result = Value(self.data + right.data, (self, right), "+")
        def send():
            for each in (self, right):
                each.grad = each.grad + result.grad
        result._backward = send
        return result
    def __mul__(self, right):
        result = Value(right.data * self.data, (self, right), "*")
        def send():
            upstream = result.grad
            self.grad = self.grad + upstream * right.data
            right.grad = right.grad + upstream * {local}
        result._backward = send
        return result
def by_hand(a, b, c):
    product = a * b
    total = product + c
    total.grad = 1.0
    for node in [total, product]:
        node._backward()
    return product, total
def along_paths(out):
    out.grad = 1.0
    waiting = [out]
    while waiting:
        node = waiting.pop()
        node._backward()
        waiting.extend(node.children)
"""


def test_an_engine_that_is_written_otherwise_holds_too():
    assert check(OTHERWISE.replace("{local}", "self.data")).passed == ("number", "rules", "by-hand", "paths")


def test_a_mistake_is_found_however_the_engine_is_written():
    found = check(OTHERWISE.replace("{local}", "right.data")).finding
    assert found is not None
    assert found.step == "rules"
    assert "right.data" in OTHERWISE.replace("{local}", "right.data").splitlines()[found.line - 1]


def test_an_early_step_may_overwrite_and_the_diamond_may_not():
    assert check(solution("order")).finding is None
    late = solution("diamond").replace("self.grad += out.grad", "self.grad = out.grad", 1)
    found = check(late).finding
    assert found is not None
    assert (found.step, found.slug) == ("diamond", "overwrite")


# ---- files that are no engine ---------------------------------------------------------------------


def with_body(body: str) -> str:
    return solution("number") + "\n" + body


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("", "absent", 0),
        ("x = 1\n", "absent", 0),
        ("class Value:\n    def __init__(self data):\n", "unreadable", 2),
        ("x = '\0'\n", "unreadable", 0),
        (solution("number").replace("        self.data = data", "        ..."), "open", 6),
        (with_body("1 / 0"), "error", 15),
        (with_body("print(undefined)"), "error", 15),
        (with_body("while True:\n    pass"), "too-long", 15),
        (with_body("raise SystemExit(3)"), "error", 15),
        (with_body("import os\nos._exit(0)"), "left", 0),
        (with_body("input()"), "error", 15),
        ("class Value:\n    pass\n", "error", 0),
    ],
)
def test_a_file_that_cannot_be_judged_gets_a_sentence_with_the_line(source, kind, line, monkeypatch):
    monkeypatch.setattr(checks, "SECONDS", 0.3)
    found = check(source).finding
    assert found is not None
    assert found.kind == kind
    if line:
        assert abs(found.line - line) <= 1
    for lang in ("en", "es"):
        assert "Traceback" not in answer(source, lang)


def test_what_a_file_prints_is_not_in_the_way():
    assert check(with_body("print('x' * 1000)")).finding is None


def test_an_error_inside_a_method_names_its_line():
    source = solution("rules").replace("self.data * other.data", "self.data * other.dato")
    found = check(source).finding
    assert found is not None
    assert "dato" in LearnerFile(source).line(found.line)
    assert "dato" in answer(source)


# ---- the place of a mistake -------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["rules", "order", "diamond", "constants"])
def test_a_hole_inside_the_class_is_open_in_its_own_step(step):
    before = LearnerFile(solution(STEPS[STEPS.index(step) - 1]))
    checked = check(before.with_part(step))
    found = checked.finding
    assert found is not None
    assert (found.step, found.kind) == (step, "open")
    assert checked.passed == STEPS[: STEPS.index(step)]


def old_rules() -> str:
    """The step `diamond` with its hole right and the four lines of the earlier rules as they were."""
    head, rest = solution("diamond").split("    def backward", 1)
    return head.replace(".grad += ", ".grad = ") + "    def backward" + rest


SUBTRACTED = ("other.grad += -out.grad", "other.grad -= out.grad")
RETURNED = (
    "            if node not in visited:\n                visited.add(node)\n"
    "                for child in node.children:\n                    visit(child)\n"
    "                order.append(node)\n",
    "            if node in visited:\n                return\n            visited.add(node)\n"
    "            for child in node.children:\n                visit(child)\n            order.append(node)\n",
)


@pytest.mark.parametrize("variants", [(), (SUBTRACTED,), (SUBTRACTED, RETURNED)])
def test_of_several_lines_with_one_mistake_the_first_is_named_and_no_right_one(variants):
    source = old_rules()
    for old, new in variants:
        assert old in source
        source = source.replace(old, new)
    file, found = LearnerFile(source), check(source).finding
    assert found is not None
    assert (found.step, found.slug, found.op) == ("diamond", "overwrite", "+")
    assert file.line(found.line) == "self.grad = out.grad"
    assert [old[0].strip() for old, _ in found.hunks] == [file.line(n) for n in file.overwriting("diamond")]
    assert len(found.hunks) == 4


def test_a_gradient_that_is_read_before_it_is_set_is_not_overwritten():
    kept = "before = self.grad\n            self.grad = before + out.grad"
    source = solution("diamond").replace("self.grad += out.grad", kept)
    assert LearnerFile(source).overwriting("diamond") == []
    assert len(LearnerFile(old_rules()).overwriting("diamond")) == 4


@pytest.mark.parametrize("step", ["order", "diamond"])
@pytest.mark.parametrize(
    ("passage", "endless", "line"),
    [
        ("        self.grad = 1.0\n", "        while True:\n            pass\n", "while True:|pass"),
        (
            "        for node in reversed(order):\n            node._backward()\n",
            "        while order:\n            order[-1]._backward()\n",
            "while order:|order[-1]._backward()",
        ),
    ],
)
def test_a_loop_without_end_is_named_soon_and_without_the_doctor(step, passage, endless, line, monkeypatch):
    monkeypatch.setattr(checks, "SECONDS", 0.2)
    monkeypatch.setattr(checks, "examine", None)
    source = solution(step).replace(passage, endless)
    asked = [probe for probe in PROBES if probe.step in STEPS[: STEPS.index(step) + 1]]
    outcomes, _ = checks.run_probes(source, asked)
    assert [one["error"] for one in outcomes.values() if "error" in one] == ["too-long"]
    found = check(source).finding
    assert found is not None
    assert (found.step, found.kind) == ("order", "too-long")
    assert LearnerFile(source).line(found.line) in line.split("|")


@pytest.mark.parametrize("reads", ["reversed(order)", "order"])
def test_an_order_that_is_entered_before_the_children_is_named_where_it_is_entered(reads):
    source = solution("order").replace(*RETURNED).replace("reversed(order)", reads)
    loop = "            for child in node.children:\n                visit(child)\n"
    append = "            order.append(node)\n"
    assert loop + append in source
    source = source.replace(loop + append, append + loop)
    file, found = LearnerFile(source), check(source).finding
    assert found is not None
    assert (found.step, found.slug, file.line(found.line)) == ("order", "pre-order", "order.append(node)")


def test_a_list_of_visited_nodes_is_no_order():
    source = (
        solution("order").replace(*RETURNED).replace("set()", "[]").replace("visited.add", "visited.append")
    )
    assert check(source).finding is None
    file, found = LearnerFile(source), check(source.replace("reversed(order)", "order")).finding
    assert file.entered_early("order") == 0
    assert found is not None
    assert found.slug == "not-reversed"
    assert "for node in" in file.line(found.line)


def test_a_missing_line_is_said_to_be_missing_after_the_one_before_it():
    source = solution("by-hand").replace("    product._backward()\n", "")
    line = 1 + source.splitlines().index("    total._backward()")
    assert f"Something is missing after line {line}:" in answer(source)
    assert f"Falta algo después de la línea {line}:" in answer(source, "es")


def test_of_calls_the_wrong_way_round_the_one_that_runs_too_early_is_named():
    calls = ["    total._backward()\n", "    product._backward()\n"]
    source = solution("by-hand").replace("".join(calls), "".join(reversed(calls)))
    found = check(source).finding
    assert found is not None
    assert (found.slug, found.missing) == ("by-hand-early", False)
    assert LearnerFile(source).line(found.line) == "product._backward()"


@pytest.mark.parametrize(
    ("step", "changes"),
    [
        ("order", [("for node in reversed(order)", "for node in order")]),
        ("order", [RETURNED, ("reversed(order)", "order")]),
        ("order", [RETURNED, ("            if node in visited:\n                return\n", "")]),
        ("rules", [("self.grad = other.data * out.grad", "self.grad = self.data * out.grad")]),
        ("rules", [("        out._backward = _backward\n", "")]),
        ("diamond", [("other.grad += -out.grad", "other.grad += out.grad")]),
    ],
)
def test_the_program_of_a_hint_asks_for_nothing_that_comes_in_a_later_step(step, changes):
    source = solution(step)
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    found = check(source).finding
    assert found is not None
    assert found.program
    names: dict[str, object] = {"print": lambda *given: None}
    exec(solution(step) + "\n" + "\n".join(found.program), names)  # it runs with a right engine of the step


# ---- mistakes that nobody has foreseen --------------------------------------------------------------

UNFORESEEN = [  # a step, a passage of its solution and what stands there, and the sentence
    ("rules", "other.data * out.grad", "out.data * other.data", "rule-wrong"),
    ("rules", "Value(self.data * other.data", "Value(self.data - other.data", "value-wrong"),
    ("paths", "            send(child)\n", "            child._backward()\n", "pass-wrong"),
    ("curves", "n * self.data ** (n - 1)", "n * self.data ** n - 1", "rule-wrong"),
    ("again", "        clear(self)\n", "        for one in self.children:\n            clear(one)\n",
     "clearing-wrong"),
    ("neuron", "total + weight * x", "total * weight + x", "neuron-wrong"),
    ("proof", "/ (2 * distance)", "/ (2 * distance) ** 2", "slope-wrong"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "passage", "wrong", "slug"), UNFORESEEN, ids=lambda text: text[:12].strip())
def test_a_mistake_that_is_not_known_gets_a_true_sentence_and_its_line(step, passage, wrong, slug):
    source = solution(step)
    at = source.rindex(passage)
    found = check(source[:at] + wrong + source[at + len(passage) :]).finding
    assert found is not None
    assert (found.step, found.slug) == (step, slug)
    assert abs(found.line - 1 - source[:at].count("\n")) <= 1
