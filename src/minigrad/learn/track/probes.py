"""Probes of the steps: small programs that say whether a step holds, and a prediction for each.

What is right is what the textbook engine gives for the same program.  A probe of an early step lets rules
overwrite: only the step `diamond` asks that contributions add up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

from .inside.probe_run import outcome_of
from .textbook_parts import STEPS, solution

__all__ = ["MANY_PATHS", "PREDICTIONS", "PROBES", "Outcome", "StepProbe", "agree", "expected", "outcomes_in"]

Outcome = Mapping[str, object]  # as probe_run sends it
TOLERANCE = 1e-4
MANY_PATHS = ("order/doublings", "again/deep")  # on graphs with more paths than anybody could walk


@dataclass(frozen=True)
class StepProbe:
    step: str
    name: str
    code: str
    result: str

    @property
    def id(self) -> str:
        return f"{self.step}/{self.name}"

    def request(self) -> dict[str, str]:
        return {"id": self.id, "code": self.code, "result": self.result}


_WATCHED = """
ran = []
def watched(node, name):
    rule = node._backward
    def run():
        ran.append(name)
        rule()
    node._backward = run
"""
_MADE_BY = """
ran = []
def made_by(method, name):
    def make(one, other):
        node = method(one, other)
        rule = node._backward
        def run():
            ran.append(name)
            rule()
        node._backward = run
        return node
    return make
"""
_TREE = """
a, b, c, d = [Value(x) for x in (2.0, -3.0, 0.5, 4.0)]
left = a * b
right = c + d
out = left * right
"""
_DOUBLED = """
x = Value(1.0)
nodes = [x]
for _ in range({times}):
    nodes.append(nodes[-1] + nodes[-1])
"""
_PAIR = "a, b = Value(2.0), Value(-3.0)\n"
_SENT = _PAIR + "out = {text}\nout.grad = 5.0\nout._backward()"
_PASS = "a, b = Value({a}), Value({b})\nout = {text}\nout.backward()"

PROBES: tuple[StepProbe, ...] = (
    StepProbe("number", "data", "a, b = Value(3.0), Value(-2.5)", "[a.data, b.data]"),
    StepProbe("number", "grad", "a = Value(3.0)", "a.grad"),
    StepProbe("number", "leaf", "a = Value(3.0)", "[len(a.children), a.op == '']"),
    StepProbe(
        "number",
        "made",
        "a, b = Value(1.0), Value(2.0)\nc = Value(3.0, (a, b), '+')",
        "[len(c.children), c.children[0] is a, c.children[1] is b, c.op == '+']",
    ),
    StepProbe("number", "twice", "a = Value(1.0)\nc = Value(2.0, (a, a), '+')", "len(c.children)"),
    StepProbe("number", "rule", "a = Value(1.0)\na._backward()", "[a.data, a.grad]"),
    StepProbe("rules", "sum", _PAIR + "out = a + b", "[out.data, len(out.children), out.children[0] is a]"),
    StepProbe("rules", "product", _PAIR + "out = a * b", "[out.data, len(out.children)]"),
    StepProbe("rules", "product-of", _PAIR + "out = a * b", "[out.children[0] is a, out.children[1] is b]"),
    StepProbe("rules", "waits", _PAIR + "out = a * b", "[a.grad, b.grad, out.grad]"),
    StepProbe("rules", "sum-sends", _SENT.format(text="a + b"), "[a.grad, b.grad]"),
    StepProbe("rules", "product-sends", _SENT.format(text="a * b"), "[a.grad, b.grad]"),
    StepProbe(
        "rules",
        "product-of-results",
        _PAIR + "s = a + b\nout = s * a\nout.grad = 1.0\nout._backward()",
        "[out.data, s.grad, b.grad]",
    ),
    StepProbe(
        "by-hand",
        "sends",
        "a, b, c = Value(2.0), Value(-3.0), Value(10.0)\np, t = by_hand(a, b, c)",
        "[a.grad, b.grad, c.grad, p.grad, t.grad]",
    ),
    StepProbe(
        "by-hand",
        "turns",
        _MADE_BY + "product, total = Value.__mul__, Value.__add__\n"
        "Value.__mul__, Value.__add__ = made_by(product, 1), made_by(total, 2)\n"
        "try:\n    by_hand(Value(2.0), Value(-3.0), Value(10.0))\n"
        "finally:\n    Value.__mul__, Value.__add__ = product, total",
        "list(dict.fromkeys(ran))",
    ),
    StepProbe("by-hand", "values", "p, t = by_hand(Value(4.0), Value(0.5), Value(1.0))", "[p.data, t.data]"),
    StepProbe("paths", "one-op", _PAIR + "out = a * b\nalong_paths(out)", "[a.grad, b.grad, out.grad]"),
    StepProbe(
        "paths",
        "tree",
        _TREE + "along_paths(out)",
        "[a.grad, b.grad, c.grad, d.grad, left.grad, right.grad, out.grad]",
    ),
    StepProbe(
        "paths",
        "deep",
        _PAIR + "c = a * b\nd = c + b\ne = d * Value(2.0)\nout = e * Value(3.0)\nalong_paths(out)",
        "[a.grad, c.grad, d.grad, e.grad]",
    ),
    StepProbe(
        "paths",
        "turns",
        _WATCHED + _TREE + "watched(left, 1)\nwatched(right, 1)\nwatched(out, 2)\nalong_paths(out)",
        "[len(ran), ran[:1]]",
    ),
    StepProbe(
        "order",
        "tree",
        _TREE + "out.backward()",
        "[a.grad, b.grad, c.grad, d.grad, left.grad, right.grad, out.grad]",
    ),
    StepProbe(
        "order",
        "once",
        _WATCHED + "a, b = Value(2.0), Value(3.0)\nc = a * b\nd = c + a\ne = d * c\n"
        "for node, name in ((c, 'c'), (d, 'd'), (e, 'e')):\n    watched(node, name)\ne.backward()",
        "[ran.count('c'), ran.count('d'), ran.count('e')]",
    ),
    StepProbe(
        "order",
        "waits",
        _WATCHED + "a, b = Value(2.0), Value(3.0)\nc = a * b\nd = c + a\ne = c * d\n"
        "for node, name in ((c, 'c'), (d, 'd'), (e, 'e')):\n    watched(node, name)\ne.backward()",
        "[ran.index('e') < ran.index('d'), ran.index('d') < ran.index('c')]",
    ),
    StepProbe("order", "doublings", _DOUBLED.format(times=40) + "nodes[-1].backward()", "nodes[-1].grad"),
    StepProbe("diamond", "sum", _PAIR + "out = a + a\nout.backward()", "[out.data, a.grad]"),
    StepProbe("diamond", "product", _PAIR + "out = a * a * b\nout.backward()", "[out.data, a.grad, b.grad]"),
    StepProbe("diamond", "difference", _PAIR + "out = a - b\nout.backward()", "[out.data, a.grad, b.grad]"),
    StepProbe(
        "diamond",
        "all",
        _PAIR + "out = (a * b - b) * (a - b) + a\nout.backward()",
        "[out.data, a.grad, b.grad]",
    ),
    StepProbe(
        "constants",
        "right",
        _PASS.format(a=3.0, b=2.0, text="a * 2 + 5 - b + a - 1"),
        "[out.data, a.grad, b.grad]",
    ),
    StepProbe("constants", "product", _PASS.format(a=3.0, b=2.0, text="2 * a"), "[out.data, a.grad]"),
    StepProbe(
        "constants", "sum", _PASS.format(a=3.0, b=2.0, text="sum([a, b])"), "[out.data, a.grad, b.grad]"
    ),
    StepProbe("constants", "difference", _PASS.format(a=3.0, b=2.0, text="5 - a"), "[out.data, a.grad]"),
    StepProbe("constants", "minus", _PASS.format(a=3.0, b=2.0, text="-a * b"), "[out.data, a.grad, b.grad]"),
    *(
        StepProbe("curves", name, _PASS.format(a=a, b=b, text=text), "[out.data, a.grad, b.grad]")
        for name, text, a, b in (
            ("quotient", "a / b", 3.0, -2.0),
            ("quotient-by", "a / 4", 3.0, 1.0),
            ("reciprocal", "2 / a", 4.0, 1.0),
            ("power", "a ** 3 * b", 1.5, 2.0),
            ("root", "a ** 0.5", 4.0, 1.0),
            ("exp", "a.exp() * b", 0.5, 3.0),
            ("tanh", "a.tanh() * b", 0.5, 3.0),
            ("relu", "a.relu() * b", 0.5, 3.0),
            ("relu-off", "a.relu() * b", -0.5, 3.0),
        )
    ),
    StepProbe(
        "again",
        "cleared",
        _PAIR + "c = a * b\nout = c * a\nout.backward()\nout.zero_grad()",
        "[a.grad, b.grad, c.grad, out.grad]",
    ),
    StepProbe(
        "again",
        "data",
        _PAIR + "c = a * b\nout = c * a\nout.zero_grad()",
        "[a.data, b.data, c.data, out.data]",
    ),
    StepProbe(
        "again",
        "pass",
        _PAIR + "c = a * b\nout = c * a\nout.backward()\nout.zero_grad()\nout.backward()",
        "[a.grad, b.grad, c.grad]",
    ),
    StepProbe(
        "again",
        "deep",
        _DOUBLED.format(times=40) + "nodes[-1].backward()\nnodes[-1].zero_grad()",
        "[node.grad for node in nodes]",
    ),
    *(
        StepProbe(
            "neuron",
            name,
            "n = Neuron(2)\nn.weights = [Value(0.5), Value(-1.0)]\nn.bias = Value(0.25)\n" + more,
            result,
        )
        for name, more, result in (
            ("value", "y = n([1.0, 0.25])", "y.data"),
            (
                "gradients",
                "y = n([1.0, 0.25])\ny.backward()",
                "[n.weights[0].grad, n.weights[1].grad, n.bias.grad]",
            ),
            (
                "inputs",
                "x = [Value(1.0), Value(0.25)]\ny = n(x)\ny.backward()",
                "[y.data, x[0].grad, x[1].grad]",
            ),
            ("below", "y = n([-1.0, 0.5])\ny.backward()", "[y.data, n.bias.grad]"),
            ("again", "y = n([1.0, 0.25])\nz = n([1.0, 0.25])", "[z.data, n.bias.data, n.weights[0].data]"),
        )
    ),
    StepProbe("neuron", "parameters", "m = MLP(2, 3, 1)", "len(m.parameters())"),
    StepProbe(
        "neuron", "learns", "random.seed(3)\nloss = train(MLP(2, 3, 1), moons(10), steps=12)", "loss < 0.9"
    ),
    *(
        StepProbe("proof", name, code, result)
        for name, code, result in (
            ("slope", "f = lambda a, b: a * b * b", "[slope(f, [2.0, -3.0], 0), slope(f, [2.0, -3.0], 1)]"),
            ("curve", "f = lambda a: a.tanh() * a", "slope(f, [0.5], 0)"),
            ("numbers", "xs = [2.0, -3.0]\nslope(lambda a, b: a * b, xs, 1)", "xs"),
            ("right", "f = lambda a, b: a * b - b", "is_right(f, [2.0, -3.0])"),
            (
                "wrong",
                "def f(a):\n    out = Value(3 * a.data, (a,), 'bad')\n    def rule():\n"
                "        a.grad += 2 * out.grad\n    out._backward = rule\n    return out",
                "is_right(f, [2.0])",
            ),
        )
    ),
)

# What a learner is asked before the run, as a program over their own engine; the texts ask it in words.
PREDICTIONS: Mapping[str, StepProbe] = {
    probe.step: probe
    for probe in (
        StepProbe("number", "predict", "a = Value(3.0)", "a.grad"),
        StepProbe("rules", "predict", _PAIR + "out = a * b\nout.grad = 1.0\nout._backward()", "a.grad"),
        StepProbe(
            "by-hand", "predict", "a, b, c = Value(2.0), Value(-3.0), Value(10.0)\nby_hand(a, b, c)", "b.grad"
        ),
        StepProbe(
            "paths",
            "predict",
            _DOUBLED.format(times=10)
            + _WATCHED
            + "for node in nodes:\n    watched(node, '')\nalong_paths(nodes[-1])",
            "ran.count('')",
        ),
        StepProbe(
            "order",
            "predict",
            _DOUBLED.format(times=10)
            + _WATCHED
            + "for node in nodes:\n    watched(node, '')\nnodes[-1].backward()",
            "ran.count('')",
        ),
        StepProbe("diamond", "predict", "a = Value(3.0)\nb = a + a\nb.backward()", "a.grad"),
        StepProbe("constants", "predict", "a = Value(3.0)\nout = 5 - a\nout.backward()", "a.grad"),
        StepProbe("curves", "predict", "a = Value(-2.0)\nout = a.relu()\nout.backward()", "a.grad"),
        StepProbe(
            "again", "predict", "a = Value(3.0)\nout = a * a\nout.backward()\nout.backward()", "a.grad"
        ),
        StepProbe("neuron", "predict", "m = MLP(2, 8, 1)", "len(m.parameters())"),
        StepProbe("proof", "predict", "", "round(slope(lambda a: a * a, [3.0], 0, 0.1), 6)"),
    )
}


def outcomes_in(source: str, probes: tuple[StepProbe, ...]) -> dict[str, Outcome]:
    """What probes give for a text of our own, in this very process."""
    names: dict[str, object] = {"__name__": "engine", "print": lambda *given: None}
    exec(compile(source, "engine.py", "exec"), names)

    def value(probe: StepProbe) -> object:
        own = dict(names)
        exec(probe.code, own)
        return eval(probe.result, own)

    return {probe.id: outcome_of(probe.id, partial(value, probe)) for probe in probes}


@cache
def expected(step: str) -> Mapping[str, Outcome]:
    """What the textbook gives for the probes up to a step, and for its prediction."""
    known = STEPS[: STEPS.index(step) + 1]
    chosen = tuple(probe for probe in PROBES if probe.step in known)
    return outcomes_in(solution(step), (*chosen, PREDICTIONS[step]))


def agree(one: Outcome, other: Outcome) -> bool:
    """Are these the same numbers, or the same error?"""
    if "error" in one or "error" in other:
        return one.get("error") == other.get("error")
    left, right = one.get("numbers"), other.get("numbers")
    if not isinstance(left, list) or not isinstance(right, list) or len(left) != len(right):
        return False
    return all(_close(a, b) for a, b in zip(left, right, strict=True))


def _close(a: object, b: object) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= TOLERANCE * max(1.0, abs(b))
    return a == b
