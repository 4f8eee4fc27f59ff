"""Local derivatives as they stand on paper: the column `paper` of the op table, about a node's own arguments.

    local_symbol(graph, i, slot)     # "b", "1 / (2 * L)", "cos(x)"

The same text, parsed once, is a small graph: the court computes with it and a formula is written from it.
"""

from __future__ import annotations

from functools import cache

from ...language import parse
from ...ops import MANY, OPS
from .. import CUSTOM, Graph
from ..wording import name

__all__ = ["OTHERS", "known", "local_symbol", "on_paper", "parsed", "partial"]

OTHERS = "{others}"  # of a product: all factors but one; it has no fixed number of letters
_LETTERS = {letter: letter for letter in ("a", "b", "c", "y", "x", "partner", "n", "pi")}
_FACTORS = 6  # of a product that are written


def known(graph: Graph, i: int) -> bool:
    """Whether there is a formula for the local derivatives of a node: not for one that was made by hand."""
    return graph.nodes[i].op in OPS


def on_paper(op: str, slot: int) -> tuple[str, tuple[str, ...]]:
    """The text for a slot with letters in place of arguments, and the letters in it."""
    row = OPS[op]
    text = row.paper[slot] if row.arity[1] != MANY else row.paper[0]
    if text == OTHERS:
        return text, ()
    return text.format(**_LETTERS), tuple(letter for letter in _LETTERS if "{" + letter + "}" in text)


@cache
def parsed(text: str, letters: tuple[str, ...]) -> Graph:
    """What `on_paper` gave, as a graph whose inputs are the letters."""
    return parse(text, dict.fromkeys(letters, 1.0))


def local_symbol(graph: Graph, i: int, slot: int) -> str:
    """The local derivative of node i in a slot, in symbols."""
    node = graph.nodes[i]
    if node.op == CUSTOM:
        return partial(graph, i, node.args[slot])
    op = OPS[node.op]
    fields = {"y": name(graph, i), "pi": "pi"}
    if op.arity[1] != MANY:
        fields |= zip("abc", (_atom(name(graph, arg)) for arg in node.args), strict=False)
        return op.paper[slot].format(**fields)
    count = len(node.args)  # may be thousands, and each is asked for: no more are named than are written
    near = [k for k in range(min(count, _FACTORS)) if k != slot]
    others = [_atom(name(graph, node.args[k])) for k in near]
    if count > _FACTORS:
        others[4:] = ["..."]
    fields |= {
        "x": _atom(name(graph, node.args[slot])),
        "partner": _atom(name(graph, node.args[(slot + count // 2) % count])),
        "n": str(count),
        "others": " * ".join(others) or "1",
    }
    return op.paper[0].format(**fields)


def partial(graph: Graph, i: int, j: int) -> str:
    """One step of a path; the d of the whole, dL/da, adds up all of them."""
    return f"∂{name(graph, i)}/∂{name(graph, j)}"


def _atom(text: str) -> str:
    """-3 as (-3): what stands inside a formula must not fall apart there."""
    return f"({text})" if text.startswith("-") else text
