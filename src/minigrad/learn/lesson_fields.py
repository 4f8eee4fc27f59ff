"""Fields of a lesson, one row per word: {{grad a}} is written, and 4 is read.

A field is a function of the context and of the words after its own.  Each is computed when it is shown; a
lesson holds no number of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from re import compile as pattern
from re import findall

from ..faults.break_lab import fault_called, most_telling
from ..faults.catalogue import FAULTS
from ..faults.lab_report_text import ENGINES
from ..graph.paths import Path
from ..graph.trace import Trace, trace
from ..graph.wording import factors, names, product, recipe, route, substituted, terms
from ..language import parse
from ..ops import OPS
from ..text.numerals import counted, show
from ..text.translation import say
from ..values.differences import slope
from .lesson import SLUGS
from .lesson_context import LessonContext, StagedGraph

__all__ = ["FIELD", "FIELDS", "fill"]

FIELD = pattern(r"\{\{([^{}]*)\}\}")
MOST = 100_000  # orders that are counted one by one


@dataclass(frozen=True, slots=True)
class Field:
    value: Callable[..., str]
    least: int  # words that it takes
    most: int


def fill(text: str, context: LessonContext) -> str:
    """A text with its fields computed; ValueError for a field that is not known or cannot be."""
    filled = FIELD.sub(lambda found: _value(found[1].strip(), context), text)
    if "{{" in filled or "}}" in filled:
        raise ValueError(say("course.field.open", given=text[:60]))
    return filled


def _value(given: str, context: LessonContext) -> str:
    word, _, rest = given.partition(" ")
    row = FIELDS.get(word)
    if row is None:
        raise ValueError(say("course.field.unknown", given=given, known=", ".join(FIELDS)))
    words = [rest.strip()] if row.least == row.most == 1 and word in _WHOLE else rest.split()
    if not row.least <= len(words) <= row.most or "" in words:
        raise ValueError(say("course.field.words", given=given))
    try:
        return row.value(context, *words)
    except (ValueError, IndexError, KeyError, TypeError, NameError, AttributeError) as error:
        what = error.args[0] if error.args else type(error).__name__
        raise ValueError(say("course.field.cannot", given=given, why=what)) from None


# ---- nodes --------------------------------------------------------------------------------------


def _data(context: LessonContext, node: str) -> str:
    stage = context.stage
    return show(stage.trace.values[stage.node(node)])


def _grad(context: LessonContext, node: str) -> str:
    stage = context.stage
    return show(stage.trace.grads[stage.node(node)])


def _slot(stage: StagedGraph, source: str, operand: str) -> tuple[int, int]:
    """A node and the slot in which it has an operand; `b#2` is the second slot that has b."""
    name, _, which = operand.partition("#")
    i, target = stage.node(source), stage.node(name)
    slots = [slot for slot, arg in enumerate(stage.graph.nodes[i].args) if arg == target]
    if not slots:
        raise ValueError(say("course.field.operand", node=source, operand=name))
    return i, slots[int(which or 1) - 1]


def _local(context: LessonContext, source: str, operand: str) -> str:
    stage = context.stage
    i, slot = _slot(stage, source, operand)
    local = stage.graph.locals(i, stage.trace.values)[slot]
    return show(0.0 if local is None else local)


def _flow(context: LessonContext, source: str, operand: str) -> str:
    stage = context.stage
    i, slot = _slot(stage, source, operand)
    flows = stage.flows(stage.graph.nodes[i].args[slot])
    return show(next(flow.amount for flow in flows if (flow.source, flow.slot) == (i, slot)))


def _running(context: LessonContext, node: str, count: str) -> str:
    stage = context.stage
    totals = [0.0, *(flow.after for flow in stage.flows(stage.node(node)))]
    return show(totals[_place(count, len(totals), 0)])


def _recipe(context: LessonContext, node: str) -> str:
    return recipe(context.stage.graph, context.stage.node(node))


def _worked(context: LessonContext, node: str) -> str:
    return substituted(context.stage.trace, context.stage.node(node))


def _place(count: str, known: int, first: int = 1) -> int:
    if not count.isdecimal() or not first <= int(count) < known + first:
        raise ValueError(say("course.field.place", given=count, first=first, last=known - 1 + first))
    return int(count) - first


# ---- paths --------------------------------------------------------------------------------------


def _path_of(stage: StagedGraph, node: str, count: str) -> Path:
    listed = stage.paths[stage.node(node)].listed
    return listed[_place(count, len(listed))]


def _sum(context: LessonContext, node: str) -> str:
    listed = context.stage.paths[context.stage.node(node)].listed
    text = show(listed[0].amount)
    for path in listed[1:]:
        shown = show(path.amount)
        text += f" - {shown[1:]}" if shown.startswith("-") else f" + {shown}"
    return text


def _terms(context: LessonContext, node: str) -> str:
    return terms(context.stage.graph, context.stage.paths[context.stage.node(node)])


def _paths(context: LessonContext, node: str) -> str:
    return counted(context.stage.paths[context.stage.node(node)].count)


def _path(context: LessonContext, node: str, count: str) -> str:
    return route(context.stage.graph, _path_of(context.stage, node, count))


def _product(context: LessonContext, node: str, count: str) -> str:
    return product(factors(context.stage.trace, _path_of(context.stage, node, count)))


def _amount(context: LessonContext, node: str, count: str) -> str:
    return show(_path_of(context.stage, node, count).amount)


# ---- the pass -----------------------------------------------------------------------------------


def _order(context: LessonContext) -> str:
    graph = context.stage.graph
    return names(graph, [i for i in context.stage.trace.order if graph.nodes[i].args])


def _orders(context: LessonContext) -> str:
    return counted(sum(1 for _ in islice(context.stage.graph.orders(), MOST)))


def _nodes(context: LessonContext) -> str:
    return counted(len(context.stage.graph))


def _broken(context: LessonContext, fault: str, node: str, *order: str) -> str:
    stage = context.stage
    return show(broken_pass(stage, fault, order).grads[stage.node(node)])


def broken_pass(stage: StagedGraph, fault: str, order: Sequence[str] = ()) -> Trace:
    """The pass that a fault makes of the one on stage; `order` is nothing, or `in` and the nodes."""
    suspect = most_telling(fault_called(fault), stage.graph, stage.trace)
    if not order:
        return trace(stage.graph, pieces=suspect.pieces())
    if order[0] != "in" or len(order) != 2:
        raise ValueError(say("course.field.order"))
    places = [stage.node(name) for name in order[1].split(",")]
    stage.graph.refuse_invalid(places)
    return trace(stage.graph, pieces=suspect.pieces(), order=places)


def _at(context: LessonContext, *words: str) -> str:
    *given, node = words
    inputs = {name: float(number) for name, _, number in (word.partition("=") for word in given)}
    values = context.stage.graph.evaluate(inputs)
    return show(values[context.stage.node(node)], 10)


def _central(context: LessonContext, node: str) -> str:
    stage, graph = context.stage, context.stage.graph
    here = stage.trace.values[stage.node(node)]
    return show(slope(lambda x: graph.evaluate({node: x})[graph.output], here).value)


def _calc(context: LessonContext, expression: str) -> str:
    known: dict[str, float] = {}
    if context.staged is not None:
        known = dict(zip(context.stage.graph.names, context.stage.trace.values, strict=True))
    used = {name: known[name] for name in findall(r"[A-Za-z_]\w*", expression) if name in known}
    graph = parse(expression, used)
    return show(graph.evaluate()[graph.output], 10)


def _python(context: LessonContext, expression: str) -> str:
    value = eval(expression, context.names)
    value = getattr(value, "data", value)
    return value if isinstance(value, str) else counted(value) if isinstance(value, int) else show(value)


# ---- the project --------------------------------------------------------------------------------

_COUNTS = {"faults": len(FAULTS), "ops": len(OPS), "units": len(SLUGS), "engines": ENGINES}


def _count(context: LessonContext, what: str) -> str:
    return counted(_COUNTS[what])


def _gpt(context: LessonContext, what: str) -> str:
    return counted(_small_gpt()[what])


@cache
def _small_gpt() -> dict[str, int]:
    """The model of `minigrad train names`, and the graph of the loss of its first name."""
    from ..graph import Graph
    from ..training import defaults, task_of

    task = task_of(defaults("names"))
    graph = Graph.of(task.loss([0]))
    return {"nodes": len(graph), "parameters": len(task.model.parameters())}


# fmt: off
FIELDS = {
    "data":    Field(_data, 1, 1),      # {{data ab}}         6
    "grad":    Field(_grad, 1, 1),      # {{grad a}}          4
    "local":   Field(_local, 2, 2),     # {{local ab a}}      3: what ab's rule says about its operand a
    "flow":    Field(_flow, 2, 2),      # {{flow ab a}}       -6: what ab sends to a
    "running": Field(_running, 2, 2),   # {{running a 1}}     10: a's total after its first message
    "sum":     Field(_sum, 1, 1),       # {{sum a}}           10 - 6
    "terms":   Field(_terms, 1, 1),     # {{terms a}}         10 via f - 6 via ab
    "paths":   Field(_paths, 1, 1),     # {{paths a}}         2
    "path":    Field(_path, 2, 2),      # {{path a 1}}        a > f > L
    "product": Field(_product, 2, 2),   # {{product a 1}}     1 * 10
    "amount":  Field(_amount, 2, 2),    # {{amount a 1}}      10
    "order":   Field(_order, 0, 0),     # {{order}}           L, f, e, ab
    "orders":  Field(_orders, 0, 0),    # {{orders}}          3
    "nodes":   Field(_nodes, 0, 0),     # {{nodes}}           7
    "recipe":  Field(_recipe, 1, 1),    # {{recipe ab}}       a * b
    "worked":  Field(_worked, 1, 1),    # {{worked ab}}       2 * 3
    "broken":  Field(_broken, 2, 4),    # {{broken overwrite a in L,f,e,ab}}   -6
    "at":      Field(_at, 2, 8),        # {{at a=2.001 L}}    -19.995997
    "central": Field(_central, 1, 1),   # {{central a}}       4
    "calc":    Field(_calc, 1, 1),      # {{calc ab + c}}     10
    "python":  Field(_python, 1, 1),    # {{python losses[0]}}  of the unit's own code
    "count":   Field(_count, 1, 1),     # {{count faults}}
    "gpt":     Field(_gpt, 1, 1),       # {{gpt parameters}}
}
# fmt: on
_WHOLE = {"calc", "python"}  # whose words are one expression
