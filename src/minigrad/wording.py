"""Nodes, numbers and products as a person writes them; every view speaks through these."""

from __future__ import annotations

from collections.abc import Sequence
from re import sub

from .graph import CONSTANT, Graph
from .language import write
from .messages import pick
from .numerals import counted, show
from .ops import OPS
from .page import printable
from .trace import Trace

__all__ = ["factor", "name", "names", "product", "recipe", "rule_of", "statement", "substituted"]

MOST = 6  # arguments that are written out of a long list


def name(graph: Graph, i: int) -> str:
    """A node's name; a constant without a label is its number."""
    node = graph.nodes[i]
    if node.op == CONSTANT and not node.label and node.data is not None:
        return show(node.data)
    return printable(graph.names[i])


def names(graph: Graph, indices: Sequence[int]) -> str:
    return ", ".join(name(graph, i) for i in indices)


def statement(graph: Graph, inputs: bool = True) -> str:
    """A graph in the language on one line, its inputs in front; 2.0 is written 2."""
    lines = write(graph).split("\n")
    return sub(r"(?<=\d)\.0\b", "", "; ".join(lines if inputs else lines[len(graph.inputs) :]))


def factor(x: float) -> str:
    """A number inside a sum or product: negative ones in parentheses."""
    text = show(x)
    return f"({text})" if text.startswith("-") else text


def product(factors: Sequence[float]) -> str:
    """-2 * 1, 3 * 1 * (-2); long ones are cut."""
    texts = [show(factors[0]), *(factor(x) for x in factors[1:])] if factors else ["1"]
    if len(texts) > MOST + 2:
        texts = [*texts[:MOST], "...", texts[-1]]
    return " * ".join(texts)


def _written(graph: Graph, i: int, arguments: Sequence[str]) -> str:
    node = graph.nodes[i]
    shown = list(arguments)
    if len(shown) > MOST:
        shown = [*shown[: MOST - 1], f"... ({counted(len(arguments))})"]
    if node.op not in OPS:
        return f"{node.op}({', '.join(shown)})"
    return OPS[node.op].write(*shown)


def recipe(graph: Graph, i: int) -> str:
    """How a node is made: e * f."""
    return _written(graph, i, [name(graph, arg) for arg in graph.nodes[i].args])


def rule_of(graph: Graph, i: int) -> str:
    """A node's local rule in words, about its own arguments; only what concerns active ones."""
    node = graph.nodes[i]
    parts = pick(OPS[node.op].rule).split(" | ")  # one part per slot, where the rule has parts
    if len(parts) > 1:
        parts = [part for part, arg in zip(parts, node.args, strict=True) if graph.active[arg]]
    arguments = zip("abc", (name(graph, arg) for arg in node.args), strict=False)
    return "; ".join(parts).format(**dict(arguments))


def substituted(trace: Trace, i: int) -> str:
    """The same with numbers: 10 * (-2)."""
    graph, values = trace.graph, trace.values
    inside_call = graph.nodes[i].op not in OPS or not OPS[graph.nodes[i].op].text
    write = show if inside_call else factor
    texts = [write(values[arg]) for arg in graph.nodes[i].args]
    if not inside_call and len(texts) > 1:
        texts[0] = show(values[graph.nodes[i].args[0]]) if graph.nodes[i].op != "pow" else texts[0]
    return _written(graph, i, texts)
