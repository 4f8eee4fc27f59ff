"""The witness of central differences: nudge an input, run forward again, see what happens.

It uses the forward formulas and no derivative.  Each input has its own finding where that is
affordable; on a large graph all inputs are nudged at once along one fixed direction, which
takes the same few forward passes however many inputs there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from random import Random

from .. import ieee
from ..differences import EPSILON, Slope, slope
from ..graph import CUSTOM
from ..ops import OPS
from ..trace import Trace
from .case import AFFORDABLE, Case
from .testimony import AGREES, CANNOT, DISAGREES, UNRELIABLE, Estimate, Finding, Statement, Testimony

__all__ = ["FAR", "central_differences", "witness"]

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
    reach = [abs(grad * value) for grad, value in zip(trace.grads, values, strict=True)]
    noise = EPSILON * sum(filter(isfinite, reach)) / abs(seed)  # of each node, as far as it reaches
    gradients = {name: trace.grads[graph.index(name)] / seed for name in at}
    if 26 * len(graph) * len(at) <= affordable:
        slopes = {name: slope(_along(output, name), x, noise) for name, x in at.items()}
        findings = [_finding(name, gradients[name], slopes[name], conventional, x) for name, x in at.items()]
    else:
        random = Random(1)
        direction = {name: random.choice((-1.0, 1.0)) * random.uniform(0.5, 1.0) for name in at}

        def along(t: float) -> float:
            return output({name: x + t * direction[name] for name, x in at.items()})

        terms = [gradients[name] * direction[name] for name in at]
        total = ieee.fsum(*terms)
        findings = [_finding("", total, slope(along, 0.0, noise), conventional)]
    return Testimony(NAME, tuple(findings))


# ---- in court -----------------------------------------------------------------------------------


def witness(case: Case) -> Statement:
    """What differences say: of the graph, or of the user's own function where there is one."""
    graph, record = case.graph, case.pass_
    if case.custom is not None and case.function is None:
        return Statement(KEY, status=CANNOT, why="custom", about=case.custom)
    reach = [abs(grad * value) for grad, value in zip(record.grads, record.values, strict=True)]
    noise = EPSILON * sum(filter(isfinite, reach)) / abs(case.seed)

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

        def along(t: float) -> float:
            return output({name: case.at[name] + t * way for name, way in case.direction.items()})

        slopes[""] = _estimate(slope(along, 0.0, noise))
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
