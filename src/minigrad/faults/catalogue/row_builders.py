"""Builders of rows about one op: the pass in which its formula is another, and the same in the specimen.

A row gives a formula twice, as numbers that never raise and as the text that stands in the specimen;
a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from ...graph import CONSTANT, INPUT, Graph
from ...graph.trace import Pieces, Walk
from ...ops import OPS
from ...values import ieee
from ..fault import ALONE, Change, Fault, ops_of

__all__ = ["Formula", "evaluated", "forward_change", "having", "local_change", "rule", "with_rule"]

Formula = Callable[..., Sequence[float | None]]  # (y, *xs) -> one local derivative per slot


def having(op: str) -> Callable[[Graph], Iterable[str]]:
    """One variant on graphs in which a gradient passes through this op, none on others."""
    return lambda graph: ALONE if op in ops_of(graph) else ()


def with_rule(pieces: Pieces, op: str, formula: Formula) -> Pieces:
    """The pass in which one op has this rule."""

    def wrong(walk: Walk, node: int) -> Sequence[float | None]:
        if walk.graph.nodes[node].op != op:
            return pieces.rule(walk, node)
        return formula(walk.values[node], *[walk.values[arg] for arg in walk.graph.nodes[node].args])

    return pieces._replace(rule=wrong)


def evaluated(
    graph: Graph,
    inputs: Mapping[str, float],
    formulas: Mapping[str, Callable[..., float]],
    store: Callable[[float], float] = float,
) -> list[float]:
    """Every node's value where some ops have other formulas; `store` is what becomes of a leaf's number."""
    values: list[float] = []
    for i, node in enumerate(graph.nodes):
        if node.op in (INPUT, CONSTANT):
            values.append(store(inputs.get(graph.names[i], node.data)))  # type: ignore[arg-type]
        elif node.op in OPS:
            formula = formulas.get(node.op) or partial(OPS[node.op].forward, ieee)
            values.append(formula(*[values[arg] for arg in node.args]))
        else:
            values.append(float(node.data or 0.0))
    return values


# ---- the same in the specimen ---------------------------------------------------------------------


@cache
def _specimen() -> str:
    return Path(__file__).parent.with_name("specimen.py").read_text(encoding="utf-8")


def _line_change(pattern: str, text: str) -> Change:
    found = re.search(pattern, _specimen(), re.MULTILINE)
    if found is None:
        raise RuntimeError(f"the specimen has no line like {pattern!r}")
    return f"{found[0]}\n", f"{found[1]}{text},\n"


def local_change(op: str, text: str) -> Change:
    """The line of an op among the local rules of the specimen, with this in place of its formula."""
    return _line_change(rf'^(    "{op}": lambda y, [^:]*: ).*,$', text)


def forward_change(op: str, text: str) -> Change:
    """The line of an op among the forward formulas of the specimen, with this in place of its formula."""
    return _line_change(rf'^(    "{op}": lambda (?!y, )[^:]*: ).*,$', text)


# ---- a row ----------------------------------------------------------------------------------------


def rule(
    slug: str,
    op: str,
    smallest: str,
    formula: Formula,
    text: str,
    name: tuple[str, str],
    story: tuple[str, str],
    case: str = "",
    seen: int | None = None,
    family: str = "rule",
) -> Fault:
    """One op has a wrong local rule: `formula` in the pass, `text` in the specimen."""
    if seen is None:
        seen = 13 if op in ("exp", "pow", "log", "relu", "div") else 0  # as they were counted, together
    return Fault(
        slug,
        family,
        name,
        story,
        lambda pieces, _what: with_rule(pieces, op, formula),
        smallest,
        (local_change(op, text),),
        case=case,
        seen=seen,
        variants=having(op),
    )
