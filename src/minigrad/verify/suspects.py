"""The search for the op behind a wrong gradient: the one whose rule or value is wrong, node by node.

Every local derivative that a pass used is compared with differences of the op's definition.  If all
of them are right and the gradients are not, the pass combined them wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, nan

from ..graph import CUSTOM, INPUT, Graph, Node
from ..graph.trace import Flow
from ..ops import OPS
from .case import Case, case_of
from .definitions import CannotError, define
from .testimony import Estimate
from .witnesses import ask

__all__ = ["SuspectOp", "wrong_rule", "wrong_value"]

MOST = 3_000  # local derivatives that are looked at
CLOSE = 1e-11  # more than the roundings inside any one op


@dataclass(frozen=True, slots=True)
class SuspectOp:
    node: int
    op: str
    slot: int  # -1 for the value
    got: float
    right: float


def _used(case: Case) -> Iterator[tuple[int, int, float]]:
    """The local derivatives of the pass on trial: node, slot, number."""
    if case.walked is not None:
        for event in case.walked.events:
            if isinstance(event, Flow):
                yield event.source, event.slot, float(event.local)
        return
    for i in case.graph.order:
        if case.graph.nodes[i].args:
            for slot, local in enumerate(case.graph.locals(i, case.values)):
                if local is not None:
                    yield i, slot, float(local)


def wrong_rule(case: Case) -> SuspectOp | None:
    """The op whose local derivative is furthest off, if one is."""
    values = case.values if case.walked is None else case.walked.values
    known: dict[tuple[str, tuple[float, ...]], list[tuple[float, float]]] = {}
    worst: tuple[float, SuspectOp] | None = None
    for count, (i, slot, got) in enumerate(_used(case)):
        node = case.graph.nodes[i]
        xs = tuple(values[arg] for arg in node.args)
        if count > MOST or node.op not in OPS or not all(map(isfinite, xs)) or OPS[node.op].kink(*xs):
            continue
        if (node.op, xs) not in known:
            known[node.op, xs] = _slopes(node.op, xs)
        right, tolerance = known[node.op, xs][slot]
        off = abs(got - right)
        if off > tolerance or (got != got and right == right):
            gap = off / max(abs(right), abs(got)) if isfinite(got) else 1.0
            if worst is None or gap > worst[0]:
                worst = gap, SuspectOp(i, node.op, slot, got, right)
    if worst is not None:
        return worst[1]
    custom = [i for i in case.graph.order if case.graph.nodes[i].op == CUSTOM]
    return SuspectOp(custom[0], CUSTOM, 0, nan, nan) if custom else None


def _slopes(op: str, xs: Sequence[float]) -> list[tuple[float, float]]:
    """The local derivatives of one op at a point, each with a tolerance; NaN where nobody knows."""
    leaves = [Node(INPUT, (), f"x{i}", x) for i, x in enumerate(xs)]
    case = case_of(Graph([*leaves, Node(op, tuple(range(len(xs))))]))
    statements = [ask(key, case) for key in ("mpmath", "complex", "central")]
    found = []
    for name in case.names:
        said = [s.slopes[name] for s in statements if name in s.slopes and not s.slopes[name].why]
        best = said[0] if said else Estimate(nan)
        size = abs(best.number)
        loose = max(4.0 * best.error, 1e-7 * size) if best.error else CLOSE * size + 1e-300
        found.append((best.number, loose))
    return found


def wrong_value(case: Case) -> SuspectOp | None:
    """The first op whose value is not what its definition gives for its own arguments."""
    try:
        from .witnesses.high_precision import nearest, numbers

        n = numbers()
    except ImportError:
        return None
    values = case.values if case.walked is None else case.walked.values
    for i, node in enumerate(case.graph.nodes):
        xs = [values[arg] for arg in node.args]
        if node.op not in OPS or not all(map(isfinite, (*xs, values[i]))):
            continue
        with n.mp.workprec(400):
            try:
                right = define(n, node.op, *map(n.number, xs))
            except CannotError:
                continue
        if right is not None and abs(nearest(right) - values[i]) > CLOSE * max(abs(nearest(right)), 1e-300):
            return SuspectOp(i, node.op, -1, values[i], nearest(right))
    return None
