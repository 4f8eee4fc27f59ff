"""The smallest graph that tells faults apart, with the numbers that each would give there.

Small graphs are tried in order of their size: those that the faults' own rows name, those of all other
rows, and then expressions put together from the ops at hand: shared operands and shared nodes,
constants on both sides, late and early consumers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ..graph import Graph
from ..graph.trace import RIGHT
from ..graph.wording import statement
from ..language import parse
from ..ops import OPS
from ..text.numerals import json_number
from .catalogue import FAULTS
from .fault import Suspect
from .order_outcomes import outcomes

__all__ = ["Distinction", "distinguish", "gives"]

LARGEST = 6  # nodes
TRIES = 600  # graphs
INPUTS = {"a": 2.0, "b": 3.0, "c": 5.0}

# {p} and {q} are ops of two arguments, {u} is one of one
SHAPES = (
    "{u}(a)",
    "{p}(a, b)",
    "{p}(a, a)",
    "{p}(2, a)",
    "{p}(a, 2)",
    "{u}({u}(a))",
    "{p}({u}(a), a)",
    "{p}(a, {u}(a))",
    "{p}({q}(a, b), a)",
    "{p}(a, {q}(a, b))",
    "{p}({q}(a, b), c)",
    "{p}({q}(a, a), a)",
    "{u}({p}(a, b))",
    "{p}({u}(a), b)",
    "{p}({q}(a, 2), a)",
    "{p}({q}(2, a), a)",
    "v = {p}(a, b); {q}(v, v)",
    "v = {p}(a, a); {q}(v, v)",
    "v = {u}(a); {p}(v, v)",
    "v = {p}(a, b); {q}(v, {u}(v))",
    "v = {p}(a, b); {q}({u}(v), v)",
    "v = {p}(a, a); {q}({u}(v), v)",
    "{p}({q}(a, b), {q}(a, b))",
    "{p}({q}(a, b), {p}(a, b))",
    "{p}({q}(a, a), {u}(a))",
    "{p}({u}(a), {q}(a, a))",
    "{q}({q}(a, a), {q}(a, a))",
    "v = {p}(a, b); w = {q}(v, a); {p}(w, v)",
    "v = {p}(a, a); w = {q}(v, v); {p}(w, w)",
)
USUAL_PAIRS, USUAL_ALONE = ("add", "mul", "sub"), ("neg",)


@dataclass(frozen=True)
class Distinction:
    """A graph on which suspects give different numbers, and the numbers."""

    graph: Graph
    expected: dict[str, float]
    numbers: tuple[tuple[Suspect, tuple[dict[str, float], ...]], ...]  # over orders, so perhaps several
    groups: int  # how many of the suspects it tells apart

    @property
    def expression(self) -> str:
        """The graph in the language, without its inputs."""
        return statement(self.graph, inputs=False)

    @property
    def inputs(self) -> dict[str, float]:
        return {self.graph.names[i]: self.graph.nodes[i].data or 0.0 for i in self.graph.inputs}

    def to_json(self) -> dict[str, object]:
        return {
            "expression": self.expression,
            "inputs": _numbers(self.inputs),
            "nodes": len(self.graph),
            "expected": _numbers(self.expected),
            "faults": [
                {
                    "fault": suspect.fault.slug,
                    "variant": suspect.what(self.graph) if suspect.portable else "",
                    "passes": suspect.fault.passes,
                    "gradients": [_numbers(found) for found in results],
                }
                for suspect, results in self.numbers
            ],
        }


def _numbers(gradients: dict[str, float]) -> dict[str, float | str]:
    return {name: json_number(x) for name, x in gradients.items()}


def gives(suspect: Suspect, graph: Graph) -> list[tuple[float, ...]]:
    """The gradients of the inputs that a suspect can give on a graph, over all valid orders.

    A variant that means nothing here, such as another graph's edge, stands for any variant.
    """
    return _broken(suspect, graph) or [right(graph)]


def _broken(suspect: Suspect, graph: Graph) -> list[tuple[float, ...]]:
    """The same, and nothing where the fault finds nothing to break."""
    variants = list(suspect.fault.variants(graph))
    if suspect.portable:
        known = suspect.variant in variants or suspect.fault.fit is not None  # made to measure: in no list
        variants = [suspect.variant] if known else []
    found: dict[tuple[float, ...], None] = {}
    for variant in variants:
        pieces = suspect.fault.swap(RIGHT, variant)
        for outcome in outcomes(graph, pieces, suspect.fault.ordered, states=400).found:
            found[tuple(outcome.grads[i] for i in graph.inputs)] = None
    return list(found)


def right(graph: Graph) -> tuple[float, ...]:
    outcome = outcomes(graph, RIGHT, False).found[0]
    return tuple(outcome.grads[i] for i in graph.inputs)


def distinguish(
    suspects: Sequence[Suspect], largest: int = LARGEST, tries: int = TRIES
) -> Distinction | None:
    """The smallest graph that tells as many of the suspects apart as any that was tried."""
    best: tuple[tuple[int, int], Graph, list[list[tuple[float, ...]]]] | None = None
    for graph in candidates(suspects, largest, tries):
        if best is not None and best[0][0] == len(suspects) and len(graph) > len(best[1]):
            break  # all are told apart, and what comes now is larger
        due = right(graph)
        sets = [_broken(suspect, graph) or [due] for suspect in suspects]
        groups = _groups(sets)
        if groups < 2 or (best is not None and groups < best[0][1]):  # it cannot be better
            continue
        score = groups, _groups([*sets, [due]])  # better still if each differs from a right pass
        if best is None or score > best[0]:
            best = score, graph, sets
    if best is None:
        return None
    (groups, _), graph, sets = best
    names = [graph.names[i] for i in graph.inputs]

    def named(grads: tuple[float, ...]) -> dict[str, float]:
        return dict(zip(names, grads, strict=True))

    numbers = [(suspect, tuple(map(named, found))) for suspect, found in zip(suspects, sets, strict=True)]
    return Distinction(graph, named(right(graph)), tuple(numbers), groups)


def _groups(sets: Sequence[Iterable[tuple[float, ...]]]) -> int:
    """Into how many groups the sets fall, where two that share a result are of one group."""
    groups: list[set[tuple[str, ...]]] = []
    for found in sets:
        keys = {tuple(map(_rounded, grads)) for grads in found}
        touching = [group for group in groups if group & keys]
        groups = [group for group in groups if not group & keys]
        groups.append(keys.union(*touching))
    return len(groups)


def _rounded(x: float) -> str:
    """A number as somebody would compare it: to six digits, and without the sign of a zero."""
    return f"{x + 0.0:.5e}"


# ---- the graphs that are tried ------------------------------------------------------------------


def candidates(suspects: Sequence[Suspect], largest: int, tries: int) -> Iterator[Graph]:
    """Graphs of at most so many nodes: the faults' own, smallest first; then all others, likewise."""
    own = dict.fromkeys(suspect.fault.smallest for suspect in suspects)
    ops = [node.op for text in own for node in _parsed(text).nodes if node.op in OPS]
    pairs = [op for op in dict.fromkeys(ops) if _of_two(op)]
    alone = [op for op in dict.fromkeys(ops) if OPS[op].arity == (1, 1)]
    of_variants = [str(suspect.variant) for suspect in suspects if suspect.variant in OPS]
    pairs += [op for op in of_variants if _of_two(op)]
    alone += [op for op in of_variants if OPS[op].arity == (1, 1)]
    made = list(own)
    made += [fault.smallest for fault in FAULTS.values()]
    made += _expressions(
        tuple(dict.fromkeys((*pairs, *USUAL_PAIRS))), tuple(dict.fromkeys((*alone, *USUAL_ALONE)))
    )
    graphs = map(_parsed, dict.fromkeys(made[: 4 * tries]))
    small = [graph for graph in graphs if len(graph) <= largest]
    yield from sorted(small, key=len)[:tries]


@cache
def _expressions(pairs: tuple[str, ...], alone: tuple[str, ...]) -> list[str]:
    texts = []
    for shape in SHAPES:
        for p in pairs if "{p}" in shape else ("",):
            for q in pairs if "{q}" in shape else ("",):
                for u in alone if "{u}" in shape else ("",):
                    body = shape.format(p=p, q=q, u=u)
                    texts.append(_needed(body) + body)
    return texts


def _needed(body: str) -> str:
    """The inputs that an expression uses, as statements."""
    used = [name for name in INPUTS if f"({name}," in body or f", {name})" in body or f"({name})" in body]
    return "".join(f"{name} = {INPUTS[name]:g}; " for name in used)


def _of_two(op: str) -> bool:
    return OPS[op].takes(2) and not OPS[op].defaults


_parsed = cache(parse)
