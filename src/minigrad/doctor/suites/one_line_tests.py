"""One-line tests in the words of someone's engine, from graphs of the language.

    a = Value(3.0); out = a + a; out.backward(); assert out.data == 6.0 and a.grad == 2.0

The expected numbers are those of the right pass over the graph.  Whether a line is right for the engine
and fails on a mutant is found out by running it, not here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import isfinite

from ...faults import FAULTS
from ...graph import CONSTANT, INPUT, Graph
from ...graph.trace import trace
from ...language import LanguageError, parse
from ...ops import OPS
from ..patches.anatomy import Anatomy, OpFunction, parameters
from ..patches.repairs.formula_check import points

__all__ = ["imports_of", "lines_for"]

_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
_GENERAL = (
    "a = 3; a + a",
    "a = 3; b = a + a; b + b",
    "a = 3; b = a*a; b * -b",
    "a = 2; b = 3; a*b + a",
    "a = 2; b = -3; c = a*b; d = a + b; c*d",
    "a = 2; b = 3; c = a*b; (c + a) * (c*c)",
    "a = 3; b = 2; a - b",
    "a = 2.5; a*a",
    "a = 2; a*a * (a + a)",
    "a = 3; 2 - a",
    "a = 4; 2 / a",
    "a = 3; 2 ** a",
    "a = 2; b = 3; c = 4; a*b + a*c",
)
_POWERS = (  # for engines whose exponents are numbers
    "a = 2; v = a**3; v * v",
    "a = 2; v = a**3; a + v",
    "a = 2; v = a**3; v + a",
    "a = 2; w = a*a; v = w**3; v * a",
    "a = 2; a**2 + a**3",
)
POINTS = 3  # of an op, that lines are made for


def imports_of(anatomy: Anatomy, module: str) -> str:
    """The names that the lines use, imported."""
    names = [anatomy.class_name]
    free = {n.name for n in anatomy.text.tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    names += [f.name for f in anatomy.ops if not f.class_name and f.name in free]
    names += [t.function.name for t in anatomy.traversals if t.function.name in free]
    return f"from {module} import {', '.join(dict.fromkeys(names))}"


def lines_for(anatomy: Anatomy, fault: str, op: str) -> Iterator[str]:
    """Lines that may tell a fault, those made for it first."""
    seen = set()
    for text in _graphs(fault, op):
        try:
            graph = parse(text)
        except (LanguageError, ValueError, KeyError):
            continue
        for line in (_line(anatomy, graph), _twice(anatomy, graph)):
            if line and line not in seen:
                seen.add(line)
                yield line
    shared = _shared(anatomy)
    if shared:
        yield shared


def _graphs(fault: str, op: str) -> Iterator[str]:
    yield FAULTS[fault].smallest
    if op in OPS:
        if op == "pow":
            yield from _POWERS
        for xs in points(op)[:POINTS]:
            names = ("a", "b", "c")[: len(xs)]
            given = "; ".join(f"{name} = {x}" for name, x in zip(names, xs, strict=True))
            called = OPS[op].write(*names)
            yield f"{given}; {called}"
            yield f"{given}; v = {called}; v * v"
            yield f"{given}; v = {called}; a + v"
            yield f"{given}; v = {called}; v + a"
            yield f"{given}; w = a*a; v = {OPS[op].write('w', *names[1:])}; v * a"
        if op == "relu":
            yield "a = -3; b = relu(a); a + b"
            yield "a = -3; relu(a)"
    yield from _GENERAL


def _call(anatomy: Anatomy, op: str, given: list[str], constants: list[bool]) -> str | None:
    """An op on texts, as the engine has it: an operator, a method or a function."""
    found = [f for f in anatomy.of(op) if not f.in_place and f.backward is None]
    dunder = [f for f in found if f.name.startswith("__") and not f.reflected]
    mirrored = [f for f in found if f.reflected]
    if op in _OPERATORS and (dunder or mirrored):
        if constants[0] and not constants[1] and not mirrored and op not in ("add", "mul"):
            return None
        return f"{given[0]} {_OPERATORS[op]} {given[1]}"
    if op == "neg" and dunder:
        return f"-{given[0]}"
    if op == "abs" and dunder:
        return f"abs({given[0]})"
    return _named(anatomy, found, given)


def _named(anatomy: Anatomy, found: list[OpFunction], given: list[str]) -> str | None:
    free = {n.name for n in anatomy.text.tree.body if isinstance(n, ast.FunctionDef)}
    for function in found:
        if function.name.startswith("_") or len(parameters(function.node)) < len(given):
            continue
        if function.class_name:
            return f"{given[0]}.{function.name}({', '.join(given[1:])})"
        if function.name in free:
            return f"{function.name}({', '.join(given)})"
    return None


def _statements(anatomy: Anatomy, graph: Graph) -> tuple[list[str], list[str], str] | None:
    """The statements that build a graph, the names of its inputs, and the name of its output."""
    statements, inputs, texts = [], [], []
    for i, node in enumerate(graph.nodes):
        if node.op == INPUT:
            name = graph.names[i]
            statements.append(f"{name} = {anatomy.class_name}({float(node.data or 0.0)!r})")
            inputs.append(name)
            texts.append(name)
        elif node.op == CONSTANT:
            texts.append(repr(float(node.data or 0.0)))
        else:
            constants = [graph.nodes[arg].op == CONSTANT for arg in node.args]
            text = _call(anatomy, node.op, [texts[arg] for arg in node.args], constants)
            if text is None or all(constants):
                return None
            name = (
                "out" if i == graph.output else graph.names[i] if graph.names[i].isidentifier() else f"v{i}"
            )
            statements.append(f"{name} = {text}")
            texts.append(name)
    return (statements, inputs, texts[graph.output]) if inputs else None


def _pass(anatomy: Anatomy, out: str) -> str | None:
    """The call that runs the backward pass."""
    for traversal in anatomy.traversals:
        function = traversal.function
        required = len(function.args.args) - len(function.args.defaults)
        if required != 1 or not (traversal.seeds or traversal.loop is not None):
            continue
        if parameters(function)[0] == "self":
            return f"{out}.{function.name}()"
        return f"{function.name}({out})"
    return None


def _expected(name: str, attribute: str, x: float) -> str:
    x = x + 0.0
    whole = x == round(x, 6)
    return f"{name}.{attribute} == {x!r}" if whole else f"abs({name}.{attribute} - {round(x, 9)!r}) < 1e-6"


def _line(anatomy: Anatomy, graph: Graph) -> str | None:
    built = _statements(anatomy, graph)
    right = trace(graph)
    back = _pass(anatomy, built[2]) if built else None
    numbers = [right.values[graph.output], *right.gradients.values()]
    if built is None or back is None or not all(isfinite(x) for x in numbers):
        return None
    statements, inputs, out = built
    expected = [_expected(out, anatomy.data, right.values[graph.output])]
    expected += [_expected(name, anatomy.grad, right.gradients[name]) for name in inputs]
    return "; ".join([*statements, back, f"assert {' and '.join(expected)}"])


def _shared(anatomy: Anatomy) -> str | None:
    """Two losses that share a node, the gradients of the first cleared: what a pass leaves behind shows."""
    first = _statements(anatomy, parse("a = 2; b = a*a; b + a"))
    second = _statements(anatomy, parse("a = 2; b = a*a; b * b"))
    back = _pass(anatomy, "out")
    if first is None or second is None or back is None:
        return None
    cleared = [f"{name}.{anatomy.grad} = 0.0" for name in ("a", "b")]
    right = trace(parse("a = 2; b = a*a; b * b")).gradients["a"]
    assertion = f"assert {_expected('a', anatomy.grad, right)}"
    return "; ".join([*first[0], back, *cleared, second[0][-1], back, assertion])


def _twice(anatomy: Anatomy, graph: Graph) -> str | None:
    """A second loss over the same inputs, made and walked after a first."""
    built = _statements(anatomy, graph)
    right = trace(graph)
    if built is None or not all(isfinite(x) for x in right.gradients.values()):
        return None
    statements, inputs, out = built
    again = [s for s in statements if s.partition(" = ")[0] not in inputs]
    back = _pass(anatomy, out)
    if back is None or not again:
        return None
    cleared = [f"{name}.{anatomy.grad} = 0.0" for name in inputs]
    expected = [_expected(name, anatomy.grad, right.gradients[name]) for name in inputs]
    return "; ".join([*statements, back, *cleared, *again, back, f"assert {' and '.join(expected)}"])
