"""The question before the run: computed from the graph, about the thing that the fault tampers with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..graph import Graph
from ..graph.trace import Flow, Trace
from ..graph.wording import name, names, recipe
from ..text.excerpts import listed
from ..text.numerals import counted, show
from ..text.translation import say
from .break_lab import Lab
from .contribution_text import owed_terms

__all__ = ["question"]

MOST = 4  # nodes that are named


def question(lab: Lab) -> Iterator[str]:
    """Facts to look at, one per line, and then what to ask oneself."""
    asked = _QUESTIONS.get(lab.fault.family, _about_an_op)
    yield from asked(lab)


def _about_the_sum(lab: Lab) -> Iterator[str]:
    owed = owed_terms(lab.right)
    shared = [i for i in (*lab.graph.inputs, *lab.graph.order) if len(owed.get(i, ())) > 1]
    shared = list(dict.fromkeys(shared))
    if not shared:
        yield say("lab.ask.sum.none")
        return
    for i in shared[:MOST]:
        yield say("lab.ask.owed", name=name(lab.graph, i), terms=_listed(lab.graph, owed[i]))
    yield from _more(len(shared))
    yield say("lab.ask.sum")


def _listed(graph: Graph, flows: list[Flow]) -> str:
    terms = [f"{show(flow.amount)} {say('ledger.via', node=name(graph, flow.source))}" for flow in flows]
    if len(terms) > MOST:
        terms = [*terms[:MOST], f"... ({counted(len(flows))})"]
    return ", ".join(terms)


def _more(count: int) -> Iterator[str]:
    if count > MOST:
        yield say("lab.ask.more", count=counted(count - MOST))


def _about_the_order(lab: Lab) -> Iterator[str]:
    graph = lab.graph
    waiting = {
        i: sorted(consumer for consumer in graph.consumers[i] if graph.active[consumer])
        for i in graph.order
        if graph.nodes[i].args
    }
    uses = Counter(arg for i, node in enumerate(graph.nodes) if graph.active[i] for arg in node.args)
    shared = [i for i in waiting if uses[i] > 1]
    if not shared:
        yield say("lab.ask.order.none")
        return
    for i in shared[:MOST]:
        where = names(graph, waiting[i], MOST)
        yield say("lab.ask.used", name=name(graph, i), count=counted(uses[i]), where=where)
    yield from _more(len(shared))
    yield say("lab.ask.order")


def _about_the_seed(lab: Lab) -> Iterator[str]:
    yield say("lab.ask.seed", output=name(lab.graph, lab.graph.output), names=_inputs(lab.graph))


def _inputs(graph: Graph) -> str:
    return names(graph, graph.inputs, MOST)


def _about_the_upstream(lab: Lab) -> Iterator[str]:
    graph, grads = lab.graph, lab.right.grads
    ops = [i for i in graph.order if graph.nodes[i].args]
    others = [i for i in ops if grads[i] != 1.0]
    if not others:
        yield say("lab.ask.upstream.none")
        return
    found = listed([f"{name(graph, i)}: {show(grads[i])}" for i in others[: MOST + 1]], MOST)
    yield say("lab.ask.upstream", count=counted(len(others)), all=counted(len(ops)), grads=found)


def _about_data_and_grad(lab: Lab) -> Iterator[str]:
    i = lab.graph.output
    data, grad = show(lab.right.values[i]), show(lab.right.grads[i])
    yield say("lab.ask.data", output=name(lab.graph, i), data=data, grad=grad)


def _about_the_slots(lab: Lab) -> Iterator[str]:
    graph = lab.graph
    ops = [i for i in graph.order if len(graph.nodes[i].args) > 1]
    for i in ops:
        args = [arg for arg in graph.nodes[i].args if graph.active[arg]]
        twice = next((arg for arg in args if args.count(arg) > 1), None)
        if twice is not None:
            made = f"{name(graph, i)} = {recipe(graph, i)}"
            yield say("lab.ask.repeated", made=made, name=name(graph, twice), count=args.count(twice))
            return
    yield from _sends(lab.right, ops[0])
    yield say("lab.ask.slots")


def _sends(right: Trace, i: int) -> Iterator[str]:
    graph = right.graph
    flows = [event for event in right.events if isinstance(event, Flow) and event.source == i]
    parts = [say("lab.ask.factor", name=name(graph, flow.target), local=show(flow.local)) for flow in flows]
    if parts:
        made = f"{name(graph, i)} = {recipe(graph, i)}"
        key = "lab.ask.locals" if len(parts) > 1 else "lab.ask.locals.one"
        yield say(key, made=made, parts=", ".join(parts[:MOST]))


def _about_the_record(lab: Lab) -> Iterator[str]:
    graph = lab.graph
    ops = sum(1 for i in graph.order if graph.nodes[i].args)
    key = "lab.ask.record" if ops > 1 else "lab.ask.record.one"
    yield say(key, count=counted(ops), output=name(graph, graph.output), names=_inputs(graph))


def _about_time(lab: Lab) -> Iterator[str]:
    yield say("lab.ask.state", names=_inputs(lab.graph))


def _about_an_op(lab: Lab) -> Iterator[str]:
    """The op at which the passes part, without saying how."""
    graph = lab.graph
    first = next((entry for entry in lab.log if entry.kind), None)
    i = graph.output if first is None else first.source if first.source >= 0 else first.node
    if not graph.nodes[i].args:
        i = graph.output
    if lab.fault.family in ("forward", "numeric", "reflected"):
        made = f"{name(graph, i)} = {recipe(graph, i)}"
        yield say("lab.ask.forward", made=made, value=show(lab.right.values[i]))
        return
    yield from _sends(lab.right, i)
    yield say("lab.ask.rule", op=graph.nodes[i].op)


_QUESTIONS = {
    "sum": _about_the_sum,
    "order": _about_the_order,
    "seed": _about_the_seed,
    "upstream": _about_the_upstream,
    "data-or-grad": _about_data_and_grad,
    "slots": _about_the_slots,
    "record": _about_the_record,
    "state": _about_time,
}
