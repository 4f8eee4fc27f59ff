"""The forward pass: each node, how it is made, and the same with numbers in place of names."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph.wording import name, recipe, substituted
from ..text.numerals import show
from ..text.page import Page, columns
from .explanation import Explanation, demo

NAME = "forward"


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    trace, graph = explanation.trace, explanation.trace.graph
    rows = []
    for i, node in enumerate(graph.nodes):
        value = show(trace.values[i])
        if node.args:
            rows.append([name(graph, i), f"= {recipe(graph, i)}", f"= {substituted(trace, i)}", f"= {value}"])
        elif node.op == "input" or node.label or i == graph.output:
            rows.append([name(graph, i), f"= {value}", "", ""])
    lines = []
    for label, how, numbers, value in columns(rows):
        lines.append(f"  {label} {how} {page.ink('data', numbers)} {page.ink('data', value)}".rstrip())
    yield from page.clip(lines)


if __name__ == "__main__":
    demo(NAME)
