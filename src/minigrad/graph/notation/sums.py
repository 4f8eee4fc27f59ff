"""Formulas of a traced pass: the statement of a node, and its gradient as a sum with numbers.

    dL/da = ∂f/∂a · dL/df + ∂ab/∂a · dL/dab
          = 1 · dL/df + b · dL/dab
          = 1 · 10 + 3 · (-2)
          = 10 - 6 = 4

The terms are the contributions that the pass recorded, in their order.  Of a pass that was broken on
purpose, the places where one side is not what the other says have ≠ in place of =.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from ...language.vocabulary import SUM
from ...values import ieee
from .. import Graph
from ..trace import Flow, Seed, Trace
from ..wording import name
from . import plain
from .formula import (
    ELLIPSIS,
    FORMS,
    MOST,
    FormulaPiece,
    FormulaWriter,
    expression,
    number,
    operand,
    reference,
    spelled,
)
from .paper import OTHERS, known, on_paper, parsed

__all__ = ["gradient_sum", "local", "local_factor", "program", "statement", "substituted"]

STATEMENTS = 60  # of a program that are written


def _whole(build: Callable[[FormulaWriter], str], w: FormulaWriter) -> str:
    return w.formula(build(w), build(plain))


# ---- how nodes are made -------------------------------------------------------------------------


def statement(graph: Graph, i: int, w: FormulaWriter) -> str:
    """e = ab + c: a node from its arguments; a leaf is its number."""
    return _whole(lambda each: _statement(graph, i, each, None), w)


def _statement(graph: Graph, i: int, w: FormulaWriter, inlined: Sequence[bool] | None) -> str:
    made = expression(graph, i, w, inlined)
    return w.row(w.name(name(graph, i)), w.sign("="), operand(w, made, SUM, first=True))


def substituted(trace: Trace, i: int, w: FormulaWriter) -> str:
    """10 · (-2): the same op on numbers, in place of the names of its arguments."""

    def written(each: FormulaWriter) -> str:
        made = spelled(
            trace.graph, i, each, lambda j: None if j == i else number(each, trace.values[j], "data")
        )
        return operand(each, made, SUM, first=True)

    return _whole(written, w)


def program(graph: Graph, w: FormulaWriter) -> list[str]:
    """The graph as one would write it down: nodes without a name stand inside the ones that use them."""
    uses = [0] * len(graph)
    for node in graph.nodes:
        for arg in node.args:
            uses[arg] += 1
    inlined = [
        bool(node.args) and not node.label and uses[i] == 1 and i != graph.output
        for i, node in enumerate(graph.nodes)
    ]
    shown = [i for i, node in enumerate(graph.nodes) if (node.args or node.label) and not inlined[i]]
    if len(shown) > STATEMENTS:
        shown = [*shown[: STATEMENTS // 2], -1, *shown[-(STATEMENTS // 2) :]]
    return [
        w.formula(w.sign(ELLIPSIS), "...")
        if i < 0
        else _whole(lambda each, i=i: _statement(graph, i, each, inlined), w)  # type: ignore[misc]
        for i in shown
    ]


def local(graph: Graph, i: int, slot: int, w: FormulaWriter) -> FormulaPiece:
    """The local derivative of node i in a slot: in symbols where the table has them, else as ∂i/∂argument."""
    node = graph.nodes[i]
    if not known(graph, i):
        return _derivative("∂", graph, i, node.args[slot], w)
    args = [reference(graph, arg, w) for arg in node.args[:3]]
    text, letters = on_paper(node.op, slot)
    if text == OTHERS:
        others = [arg for place, arg in enumerate(node.args) if place != slot]
        factors = [reference(graph, arg, w) for arg in others[: MOST - 1]]
        factors += [FormulaPiece(w.sign(ELLIPSIS))] if len(others) >= MOST else []
        return FORMS["prod"](w, factors, len(factors)) if factors else number(w, 1.0)
    stands = {
        **dict(zip("abc", args, strict=False)),
        "y": reference(graph, i, w),
        "x": reference(graph, node.args[slot], w),
        "partner": reference(graph, node.args[(slot + len(node.args) // 2) % len(node.args)], w),
        "n": number(w, float(len(node.args))),
        "pi": FormulaPiece(w.name("π")),
    }
    formula = parsed(text, letters)
    return spelled(formula, formula.output, w, lambda j: _letter(formula, j, stands, w))


def local_factor(graph: Graph, i: int, slot: int, w: FormulaWriter) -> str:
    """The same as a factor: in parentheses where it would fall apart there."""
    return operand(w, local(graph, i, slot, w), first=True)


def _letter(formula: Graph, j: int, stands: dict[str, FormulaPiece], w: FormulaWriter) -> FormulaPiece | None:
    if formula.nodes[j].args:
        return None
    return stands.get(formula.nodes[j].label) or reference(formula, j, w)


def _derivative(d: str, graph: Graph, i: int, j: int, w: FormulaWriter) -> FormulaPiece:
    """dL/da of the whole; ∂f/∂a of one step."""
    return FormulaPiece(w.derivative(d, w.name(name(graph, i)), w.name(name(graph, j))))


# ---- the sum ------------------------------------------------------------------------------------


def gradient_sum(trace: Trace, i: int, w: FormulaWriter) -> str:
    """The gradient of a node: the chain rule, its symbols, its numbers, and what they add up to."""
    return _whole(lambda each: _gradient_sum(trace, i, each), w)


def _gradient_sum(trace: Trace, i: int, w: FormulaWriter) -> str:
    graph = trace.graph
    left = _derivative("d", graph, graph.output, i, w).markup
    total = operand(w, number(w, trace.grads[i], "grad"), SUM, first=True)
    seeds = [event.grad for event in trace.events if isinstance(event, Seed) and event.node == i]
    flows = [event for event in trace.events if isinstance(event, Flow) and event.target == i]
    if not flows:
        return w.lines(left, [(w.sign("="), total)])
    shown = flows[: MOST - 1] if len(flows) > MOST else flows
    first = [number(w, seed, "grad") for seed in seeds]  # where a pass comes back to its output
    cut = [FormulaPiece(w.sign(ELLIPSIS))] * (len(shown) < len(flows))
    chains, symbols, numbers = [], [], []
    for flow in shown:
        upstream = _derivative("d", graph, graph.output, flow.source, w)
        chains.append(_product(w, upstream, _derivative("∂", graph, flow.source, i, w)))
        symbols.append(_product(w, upstream, local(graph, flow.source, flow.slot, w)))
        numbers.append(_product(w, number(w, flow.upstream, "grad"), number(w, flow.local, "local")))
    multiplied = all(_same(flow.local * flow.upstream, flow.amount) for flow in flows)
    amounts = [*seeds, *(flow.amount for flow in shown)]
    size = max([abs(x) for x in (*seeds, *(flow.amount for flow in flows)) if x == x], default=0.0)
    added = _same(ieee.fsum(*seeds, *(flow.amount for flow in flows)), trace.grads[i], size)
    plus = FORMS["sum"]
    rows = [("=", plus(w, [*first, *chains, *cut], 0).markup)]
    if symbols != chains:
        rows.append(("=", plus(w, [*first, *symbols, *cut], 0).markup))
    rows.append(("=", plus(w, [*first, *numbers, *cut], 0).markup))
    if len(amounts) > 1 or not multiplied or not added:
        rows.append(("=" if multiplied else "≠", _added(w, amounts, cut)))
    relation, last = rows[-1]
    rows[-1] = (relation, w.row(last, w.sign("=" if added else "≠"), total))
    return w.lines(left, [(w.sign(relation), right) for relation, right in rows])


def _product(w: FormulaWriter, upstream: FormulaPiece, local: FormulaPiece) -> FormulaPiece:
    return FORMS["mul"](w, (local, upstream), 2)


def _added(w: FormulaWriter, amounts: Sequence[float], cut: Sequence[FormulaPiece]) -> str:
    """10 - 6: a negative amount is taken away."""
    parts = [number(w, amounts[0], "grad").markup]
    for amount in amounts[1:]:
        piece = number(w, amount, "grad")
        size = number(w, -amount, "grad") if piece.minus else piece
        parts += [w.sign("-" if piece.minus else "+"), size.markup]
    for piece in cut:
        parts += [w.sign("+"), piece.markup]
    return w.row(*parts)


def _same(x: float, y: float, size: float = 0.0) -> bool:
    """Equal up to the roundings of a pass, in which numbers of that size were added up."""
    return x == y or (x != x and y != y) or abs(x - y) <= 1e-9 * max(abs(x), abs(y), size) < inf
