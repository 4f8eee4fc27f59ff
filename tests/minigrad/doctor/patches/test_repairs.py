"""The anatomy of other people's engines, repairs of them, and faults planted into them.

Engines of tests/data/engines are taken apart; faults are planted into them one at a time, and among the
repairs that are offered for a planted one there must be one that restores every number.
"""

from __future__ import annotations

import ast

import pytest

from minigrad.doctor.patches.anatomy import ExpressionError, ExpressionReader, SourceText, anatomy
from minigrad.doctor.patches.planted_bugs import mutants
from minigrad.doctor.patches.repairs import Suspicion, repairs
from minigrad.doctor.patches.repairs.formula_check import computes_right, slot_is_right
from repair_samples import NAMES, SMALL, alike, body_of, line_of, numbers

# ---- places in a text -----------------------------------------------------------------------------


def test_places_are_counted_in_characters_whatever_the_letters():
    text = SourceText('s = "años 🎲"; x = 1 + 2\nname = x\n')
    sums = [n for n in ast.walk(text.tree) if isinstance(n, ast.BinOp)]
    assert text.of(sums[0]) == "1 + 2"
    assert text.line_at(text.source.index("name")) == 2


def test_an_expression_is_read_without_being_run():
    reader = ExpressionReader(
        {"self.data": 2.0, "other": 3.0, "out.grad": 5.0}, {"t": ast.parse("self.data ** 2").body[0].value}
    )

    def read(text: str) -> float:
        return reader.number(ast.parse(text, mode="eval").body)

    assert read("other * t * out.grad") == 60.0
    assert read("math.exp(0) if self.data > 0 else 7") == 1.0
    assert read("max(0, -self.data)") == 0.0
    for strange in ("open('x')", "unknown + 1", "[1, 2]", "1 / 0"):
        with pytest.raises(ExpressionError):
            read(strange)


# ---- anatomy --------------------------------------------------------------------------------------


def test_the_parts_of_a_closure():
    body = anatomy(SMALL, "Value")
    mul = body.named("__mul__")
    assert (mul.op, mul.operands, mul.values) == ("mul", ("self", "other"), ("self.data", "other.data"))
    assert (mul.output, mul.closure.name, len(mul.attachments)) == ("out", "_backward", 1)
    sent = [(r.slot, r.operator, ast.unparse(r.expression), r.upstream) for r in mul.rules]
    assert sent == [
        (0, "+=", "other.data * out.grad", "out.grad"),
        (1, "+=", "self.data * out.grad", "out.grad"),
    ]
    assert ast.unparse(mul.construction.children) == "(self, other)"
    assert body.named("__rsub__").operands == ("other", "self")
    assert (body.children, body.closure) == ("_prev", "_backward")


def test_the_parts_of_a_pass():
    (found,) = anatomy(SMALL, "Value").traversals
    assert (found.function.name, found.root, found.helper.name, found.node) == (
        "backward",
        "self",
        "build",
        "v",
    )
    assert ast.unparse(found.seeds[0]) == "self.grad = 1.0"
    assert ast.unparse(found.guard.test) == "v not in visited"
    assert ast.unparse(found.appends) == "topo.append(v)"
    assert found.turn == "v"


def test_local_gradients_that_are_stored_are_found_by_slot():
    made = "V(self.data * o.data, (self, o), (o.data, self.data))"
    source = f"class V:\n    def __mul__(self, o):\n        return {made}\n"
    rules = anatomy(source, "V").named("__mul__").rules
    assert [(r.slot, r.operator, ast.unparse(r.expression)) for r in rules] == [
        (0, "", "o.data"),
        (1, "", "self.data"),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_right_engine_is_right_on_paper(name):
    """In every style the rules are found, and none is called wrong."""
    body = body_of(name)
    verdicts = [
        slot_is_right(body, f, slot) for f in body.ops for slot in range(len(f.values)) if f.rules_of(slot)
    ]
    assert len(verdicts) >= 6
    assert False not in verdicts
    assert verdicts.count(True) >= 0.9 * len(verdicts)
    assert False not in [computes_right(body, f) for f in body.ops]


def test_a_wrong_formula_is_wrong_on_paper():
    for old, new in (
        ("(1 - out.data**2) * out.grad", "(1 + out.data**2) * out.grad"),
        ("other.grad += self.data * out.grad", "other.grad += self.data"),
        ("self.grad += (self.data > 0) * out.grad", "self.grad -= (self.data > 0) * out.grad"),
    ):
        body = anatomy(SMALL.replace(old, new), "Value")
        assert [slot_is_right(body, f, s) for f in body.ops for s in range(len(f.values))].count(False) == 1
    body = anatomy(SMALL.replace("math.tanh(self.data)", "math.sinh(self.data)"), "Value")
    assert [f.name for f in body.ops if computes_right(body, f) is False] == ["tanh"]
    body = anatomy(SMALL.replace("return other + (-self)", "return self + (-other)"), "Value")
    assert [f.name for f in body.ops if computes_right(body, f) is False] == ["__rsub__"]


@pytest.mark.parametrize(
    "source", ["", "x = 1\n", "class Value:\n    pass\n", "def add(a, b):\n    return a + b\n"]
)
def test_there_may_be_nothing_to_find(source):
    body = anatomy(source, "Value")
    assert list(repairs(source, body)) == []
    assert mutants(source, body) == []


def test_what_is_no_python_is_a_syntax_error():
    with pytest.raises(SyntaxError):
        anatomy("class Value\n", "Value")


# ---- repairs: the first one is the right one ------------------------------------------------------

# What is wrong, what is suspected, and the line that must stand there after one of the first repairs.
ATTACHED = "        out._backward = _backward\n        return out\n\n    def tanh"
EQUALITY = """\
    def __eq__(self, other):
        return self.data == other.data

    def __hash__(self):
        return hash(self.data)

"""
EXPONENT = """\
            other.grad += (out.data * math.log(self.data) if self.data > 0 else math.nan) * out.grad
"""
SLIPS = [
    ("self.grad += (1 - out.data**2) * out.grad", "self.grad = (1 - out.data**2) * out.grad",
     "overwrite-one-op", "tanh", 1),
    ("self.grad += other.data * out.grad", "self.grad = other.data * out.grad", "overwrite", "", 2),
    ("self.grad += (1 - out.data**2) * out.grad", "self.grad += 1 - out.data**2",
     "upstream-ignored-one-op", "tanh", 1),
    ("(1 - out.data**2)", "(1 + out.data**2)", "tanh-plus", "tanh", 1),
    ("self.grad += out.data * out.grad", "self.grad += self.data * out.grad", "exp-by-input", "exp", 1),
    ("(other.data - 1)", "other.data", "pow-exponent-kept", "pow", 1),
    ("(self.data > 0) * out.grad", "(self.data < 0) * out.grad", "relu-inverted", "relu", 1),
    ("(self.data > 0) * out.grad", "(out.grad > 0) * out.grad", "relu-by-upstream", "relu", 3),
    ("math.tanh(self.data), (self,)", "math.tan(self.data), (self,)", "", "tanh", 3),
    ("for v in reversed(topo)", "for v in topo", "not-reversed", "", 2),
    ("self.grad = 1.0", "self.grad = 2.0", "seed-scaled", "", 1),
    ("if v not in visited", "if True", "recursion", "", 8),
    (ATTACHED, ATTACHED.replace("out._backward", "self._backward"), "closure-on-input", "exp", 1),
    (ATTACHED, ATTACHED.replace("        out._backward = _backward\n", ""), "op-without-rule", "exp", 1),
    (ATTACHED, ATTACHED.replace("out._backward", "out.backward"), "closure-never-attached", "exp", 1),
    (ATTACHED, f"    {ATTACHED}", "op-without-rule", "exp", 1),
    ("return other + (-self)", "return self + (-other)", "reflected-sub", "sub", 2),
    ("return other * self**-1", "return self / other", "reflected-div", "div", 2),
    ('Value(math.exp(self.data), (self,), "exp")', "Value(math.exp(self.data))",
     "op-cut-from-graph", "exp", 2),
    ("                topo.append(v)\n", "            topo.append(v)\n", "guard-misplaced", "", 3),
    ("    def __neg__", f"{EQUALITY}    def __neg__", "hash-by-content", "", 2),
    ("    def backward(self):\n        topo, visited = [], set()\n",
     "    def backward(self, visited=set()):\n        topo = []\n", "default-arguments-outlive", "", 2),
    (EXPONENT, "", "pow-exponent-missing", "pow", 1),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "fault", "op", "tries"), SLIPS)
def test_a_slip_is_repaired_within_a_few_tries(old, new, fault, op, tries):
    assert SMALL.count(old) == 1
    source = SMALL.replace(old, new)
    right = numbers(SMALL, "Value", "data", "grad", "backward")
    assert not alike(numbers(source, "Value", "data", "grad", "backward"), right)
    body = anatomy(source, "Value")
    for count, candidate in enumerate(repairs(source, body, Suspicion(fault, op)), start=1):
        if alike(numbers(candidate.apply(source), "Value", "data", "grad", "backward"), right):
            assert count <= tries, (count, candidate.kind)
            return
    pytest.fail("no repair helps")


PASS = SMALL[SMALL.index("        topo, visited = [], set()") :]
QUEUE = """\
        self.grad = 1.0
        queue = [self]
        while queue:
            v = queue.pop(0)
            v._backward()
            queue.extend(v._prev)
"""
BY_LEVELS = """\
        self.grad = 1.0
        for v in self.levels():
            v._backward()

    def levels(self):
        found, waiting = [], [self]
        while waiting:
            v = waiting.pop(0)
            if v not in found:
                found.append(v)
                waiting += v._prev
        return found
"""
CALLS = """\
        self.grad = 1.0
        self.send()

    def send(self):
        self._backward()
        for child in self._prev:
            child.send()
"""
COUNTED = """\
        uses = {}
        stack = [self]
        while stack:
            for child in stack.pop()._prev:
                if child not in uses:
                    uses[child] = 0
                    stack.append(child)
                uses[child] += 1
        self.grad = 1.0
        ready = [self]
        while ready:
            v = ready.pop()
            v._backward()
            for child in v._prev:
                ready.append(child)
"""
FLAGGED = PASS.replace("v not in visited", 'not getattr(v, "seen", False)').replace(
    "visited.add(v)", "v.seen = True"
)


@pytest.mark.parametrize(
    ("body", "fault", "passage"),
    [
        (QUEUE, "queue-revisits", "queue.extend(v._prev)"),
        (BY_LEVELS, "breadth-first", "waiting += v._prev"),
        (CALLS, "recursion", "child.send()"),
        (COUNTED, "stack-revisits", "ready.append(child)"),
        (FLAGGED, "visited-flags-outlive", "if not getattr(v"),
    ],
)
def test_the_line_of_a_wrong_pass_is_the_one_that_decides_the_order(body, fault, passage):
    source = SMALL.replace(PASS, body).replace("set(children)", "tuple(children)")  # no order by chance
    right = numbers(SMALL, "Value", "data", "grad", "backward")
    assert not alike(numbers(source, "Value", "data", "grad", "backward"), right)
    found = repairs(source, anatomy(source, "Value"), Suspicion(fault))
    mended = (r for r in found if alike(numbers(r.apply(source), "Value", "data", "grad", "backward"), right))
    assert next(mended).line == line_of(source, passage)


KEPT = [
    ("self.slopes = dict(zip(kids, slopes))\n",
     "for kid in n.kids:\n        kid.grad += n.slopes[kid] * n.grad",
     "locals-by-operand", "self.slopes = slopes",
     "for kid, local in zip(n.kids, n.slopes):\n        kid.grad += local * n.grad"),
    ("self.slopes = {k: s for k, s in zip(kids, slopes)}\n",
     "for kid, slope in n.slopes.items():\n        kid.grad += slope * n.grad",
     "locals-by-operand", "self.slopes = list(zip(kids, slopes))", "for kid, slope in n.slopes:"),
    ("self.op = op\n        self.kids[0].used_in = self.op\n", "kind = n.kids[0].used_in if n.kids else n.op",
     "op-on-operand", "kind = n.op", "kind = n.op"),
    ("self.requires_grad = kids[0].requires_grad\n", "pass", "op-cut-from-graph",
     "any(each.requires_grad for each in kids)", "pass"),
    ("self.requires_grad = all(k.requires_grad for k in kids)\n", "pass", "op-cut-from-graph",
     "any(k.requires_grad for k in kids)", "pass"),
]  # fmt: skip


@pytest.mark.parametrize(("stored", "used", "fault", "there", "here"), KEPT)
def test_what_a_node_keeps_is_kept_for_each_operand_and_on_the_node_itself(stored, used, fault, there, here):
    init = "    def __init__(self, kids, slopes, op):\n        self.kids, self.grad = kids, 0.0\n"
    source = f"class Node:\n{init}        {stored}\n\ndef backward(n):\n    {used}\n"
    first = next(repairs(source, anatomy(source, "Node"), Suspicion(fault))).apply(source)
    assert there in first
    assert here in first


def test_a_recursion_hands_on_a_share_of_what_it_was_handed():
    source = (
        "class Node:\n    def backward(self, g=1):\n        self.grad += g\n"
        "        for kid, slope in self.kids:\n            kid.backward(self.grad * slope)\n"
    )
    first = next(repairs(source, anatomy(source, "Node"), Suspicion("recursion")))
    assert (first.line, first.after.strip()) == (5, "kid.backward(g * slope)")


def test_ops_in_a_class_of_their_own_are_found():
    source = (
        "class Node:\n    class Ops:\n        def mul(x, y):\n"
        "            out = Node(x.data * y.data, (x, y))\n"
        "            def back():\n                x.grad = y.data * out.grad\n"
        "                y.grad = x.data * out.grad\n            out.back = back\n            return out\n"
    )
    (mul,) = anatomy(source, "Node").ops
    assert [(r.slot, r.operator) for r in mul.rules] == [(0, "="), (1, "=")]


def test_a_repair_says_its_line_and_changes_nothing_else():
    source = SMALL.replace(
        "self.grad += (1 - out.data**2) * out.grad", "self.grad = (1 - out.data**2) * out.grad"
    )
    found = next(repairs(source, anatomy(source, "Value"), Suspicion("overwrite-one-op", "tanh")))
    assert found.line == line_of(source, "self.grad = (1 - out.data**2)")
    assert found.before.strip() == "self.grad = (1 - out.data**2) * out.grad"
    assert found.after.strip() == "self.grad += (1 - out.data**2) * out.grad"
    assert found.apply(source) == SMALL
    assert [line for line in found.diff(source) if line[0] in "+-" and line[:3] not in ("+++", "---")] == [
        "-            self.grad = (1 - out.data**2) * out.grad",
        "+            self.grad += (1 - out.data**2) * out.grad",
    ]


def test_every_repair_is_python_and_another_text():
    source = SMALL.replace("reversed(topo)", "topo")
    found = list(repairs(source, anatomy(source, "Value")))
    texts = [candidate.apply(source) for candidate in found]
    assert len(found) > 30
    assert len({*texts, source}) == len(texts) + 1
    for text in texts:
        ast.parse(text)
