"""The witness of central differences: nudge an input, run forward again, see what happens.

It uses the forward formulas and no derivative.  Each input has its own finding where that is
affordable; on a large graph all inputs are nudged at once along one fixed direction, which
takes the same few forward passes however many inputs there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isfinite

from ...graph import CUSTOM, Graph
from ...graph.trace import Trace
from ...ops import OPS
from ...values import ieee
from ...values.differences import EPSILON, Slope, slope
from ..case import AFFORDABLE, Case, through
from ..testimony import AGREES, CANNOT, DISAGREES, UNRELIABLE, Estimate, Finding, Statement, Testimony

__all__ = ["FAR", "central_differences", "with_one_step", "witness"]

NAME, KEY = "central differences", "central"
FAR = 1e7  # steps around an input beyond this are longer than many a wave: sin(1e22) looks flat


def central_differences(trace: Trace, affordable: int = AFFORDABLE) -> Testimony:
    """What differences say about the gradients of `trace`."""
    graph, values = trace.graph, trace.values
    at = {graph.names[i]: values[i] for i in graph.inputs if graph.active[i]}
    seed = trace.grads[graph.output]
    if not at or seed == 0.0 or any(node.op == CUSTOM for node in graph.nodes):
        return Testimony(NAME, ())

    def output(inputs: Mapping[str, float]) -> float:
        number: float = graph.evaluate(inputs={**at, **inputs})[graph.output]
        return number

    conventional = any(
        graph.active[i] and node.op in OPS and OPS[node.op].kink(*[values[arg] for arg in node.args])
        for i, node in enumerate(graph.nodes)
    )
    noise = _noise(trace, seed)
    gradients = {name: trace.grads[graph.index(name)] / seed for name in at}
    if 26 * len(graph) * len(at) <= affordable:
        slopes = {name: slope(_along(output, name), x, noise) for name, x in at.items()}
        findings = [_finding(name, gradients[name], slopes[name], conventional, x) for name, x in at.items()]
    else:
        direction = through(at)
        total = ieee.fsum(*(gradients[name] * way for name, way in direction.items()))
        findings = [_finding("", total, slope(_through(output, at, direction), 0.0, noise), conventional)]
    return Testimony(NAME, tuple(findings))


def with_one_step(graph: Graph, step: float) -> Iterator[tuple[str, float, float, float]]:
    """Each input with the outputs above and below it and their quotient, for one step that is given."""
    for i in graph.inputs:
        about, x = graph.names[i], graph.nodes[i].data or 0.0
        high, low = (graph.evaluate(inputs={about: x + way})[graph.output] for way in (step, -step))
        yield about, high, low, ieee.div(high - low, 2.0 * step)


# ---- in court -----------------------------------------------------------------------------------


def witness(case: Case) -> Statement:
    """What differences say: of the graph, or of the user's own function where there is one."""
    graph, record = case.graph, case.pass_
    if case.custom is not None and case.function is None:
        return Statement(KEY, status=CANNOT, why="custom", about=case.custom)
    noise = _noise(record, case.seed)

    def output(moved: Mapping[str, float]) -> float:
        at = {**case.at, **moved}
        if case.function is not None:
            return case.function(list(at.values()))
        number: float = graph.evaluate(inputs=at)[graph.output]
        return number

    slopes = {}
    if case.affordable(26):
        for name in case.names:
            slopes[name] = _estimate(slope(_along(output, name), case.at[name], noise))
    else:
        slopes[""] = _estimate(slope(_through(output, case.at, case.direction), 0.0, noise))
    return Statement(KEY, _plain_value(case), slopes)


def _plain_value(case: Case) -> Estimate | None:
    """What the user's own function gives for plain floats, if it takes them: no Value has a part in that."""
    if case.plainly is None or case.function is None:
        return None
    at = list(case.at.values())
    try:
        return Estimate(case.plainly(at))
    except Exception:  # it was written for Values: x.exp() of a float
        return Estimate(case.function(at))


def _estimate(numeric: Slope) -> Estimate:
    why = ""
    if not isfinite(numeric.left):
        why = "range"
    elif numeric.kink:
        return Estimate(numeric.value, numeric.error, "kink", (numeric.left, numeric.right))
    elif numeric.rough:
        why = "rough"
    elif not numeric.sharp:
        why = "rounding"
    return Estimate(numeric.value, numeric.error, why)


def _noise(trace: Trace, seed: float) -> float:
    """What roundings may do to the output: those of each node, as far as it reaches."""
    reach = [abs(grad * value) for grad, value in zip(trace.grads, trace.values, strict=True)]
    return EPSILON * sum(filter(isfinite, reach)) / abs(seed)


def _through(
    output: Callable[[Mapping[str, float]], float], at: Mapping[str, float], direction: Mapping[str, float]
) -> Callable[[float], float]:
    return lambda t: output({name: at[name] + t * way for name, way in direction.items()})


def _along(output: Callable[[Mapping[str, float]], float], name: str) -> Callable[[float], float]:
    return lambda x: output({name: x})


def _finding(name: str, gradient: float, numeric: Slope, conventional: bool, x: float = 0.0) -> Finding:
    """`conventional`: some op stands at a point where its slope is a convention."""
    status, why, sides = UNRELIABLE, "", None
    if not isfinite(gradient) or not isfinite(numeric.left):
        why = "range"
    elif numeric.kink and conventional:  # whatever the gradient is, it is a convention
        why, sides = "kink", (numeric.left, numeric.right)
    elif numeric.kink or numeric.rough:
        why = "rough"
    elif not numeric.sharp:
        why = "rounding"
    else:
        status = AGREES if numeric.agrees(gradient) else DISAGREES
        if status == DISAGREES and conventional:
            status, why = UNRELIABLE, "kink"
        elif status == DISAGREES and abs(x) > FAR:
            status, why = UNRELIABLE, "rough"
    return Finding(name, gradient, numeric.value, numeric.error, status, why, sides)
