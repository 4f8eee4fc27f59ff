"""Graph of a learner's own engine: data and grad read from their objects, drawn as every other graph."""

from __future__ import annotations

import math
from dataclasses import replace

from ...doctor.sandbox.process import PROCESSES
from ...doctor.sandbox.runner import Runner
from ...drawing import Drawing, draw
from ...errors import MinigradError
from ...graph import CUSTOM, INPUT, Graph, Node
from ...graph.trace import Flow, Trace, trace
from ...text.translation import say
from .check import error_of, run_probes
from .learner_file import LearnerFile, UnreadableFileError
from .probes import StepProbe
from .textbook_parts import STEPS

__all__ = ["LearnerGraphError", "draw_graph"]

NAMES = ("a", "b", "c")
_OPS = {"+": "add", "*": "mul", "-": "sub", "/": "div", "exp": "exp", "tanh": "tanh", "relu": "relu"}
_MADE = "a, b, c = Value(2.0), Value(-3.0), Value(10.0)\nout = a * b + c\n"
_DIAMOND = "a, b, c = Value(2.0), Value(-3.0), Value(10.0)\nout = (a * b + c) * a\n"
PASSES = {
    "rules": _MADE, "by-hand": _MADE.replace("out = a * b + c", "out = by_hand(a, b, c)[1]"),
    "paths": _MADE + "along_paths(out)",
}  # fmt: skip


class LearnerGraphError(MinigradError, ValueError):
    """There is no graph to draw; the message says why."""


def draw_graph(source: str, *, runner: Runner = PROCESSES) -> Drawing:
    """The graph of a small expression as the learner's objects have it, after their own pass."""
    file = LearnerFile(source)
    try:
        reached = file.step
    except UnreadableFileError as error:
        raise LearnerGraphError(say("track.finding.unreadable", error=str(error))) from None
    while reached and (not file.has(reached) or file.hole(reached)):
        at = STEPS.index(reached)
        reached = STEPS[at - 1] if at else ""
    if reached in ("", "number"):
        raise LearnerGraphError(say("track.picture.none"))
    probe = StepProbe(
        reached, "picture", PASSES.get(reached, _DIAMOND + "out.backward()"), "nodes_below(out)"
    )
    probe = replace(probe, step="picture")
    outcomes, trouble = run_probes(source, (probe,), runner)
    outcome = outcomes.get(probe.id, {})
    rows = outcome.get("numbers")
    if trouble is not None or not isinstance(rows, list):
        found = trouble or error_of(outcome)
        words = found.error or say(f"track.finding.{found.kind}")
        raise LearnerGraphError(say("track.picture.failed", error=words))
    try:
        return draw("graph", _trace_of(rows))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise LearnerGraphError(say("track.picture.failed", error=str(error))) from None


def _trace_of(rows: list[object]) -> Trace:
    """A trace with the structure, the data and the gradients of the learner's nodes.

    A local derivative is what an edge of the right graph has; what flows along an edge is that times the
    gradient that their node holds.
    """
    nodes, data, grads = [], [], []
    names = iter(NAMES)
    for row in rows:
        if not isinstance(row, dict):
            raise ValueError("row")
        args = tuple(int(child) for child in row["children"])
        op = _OPS.get(str(row["op"]), CUSTOM)
        number = float(row["data"])
        if not math.isfinite(number):
            raise ValueError(str(number))
        data.append(number)
        grads.append(float(row["grad"]))
        if not args:
            nodes.append(Node(INPUT, (), next(names, ""), number))
        elif op == CUSTOM or (op != CUSTOM and len(args) > 2):
            nodes.append(Node(CUSTOM, args, "", number, (0.0,) * len(args)))
        else:
            nodes.append(Node(op, args, "out" if row is rows[-1] else ""))
    graph = Graph(nodes)
    right = trace(graph)
    events = tuple(
        replace(event, upstream=grads[event.source], amount=event.local * grads[event.source])
        if isinstance(event, Flow)
        else replace(event, grad=grads[event.node])
        for event in right.events
    )
    return replace(right, values=tuple(data), grads=tuple(grads), events=events)
