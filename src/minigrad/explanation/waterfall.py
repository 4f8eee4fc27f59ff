"""The waterfall: each forward step and beside it its mirror image, the backward step; down, and up again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from ..graph import INPUT, Graph
from ..graph.trace import Flow
from ..graph.wording import name, product, recipe
from ..text.numerals import show
from ..text.page import Page
from ..text.translation import say
from .explanation import Explanation, demo

NAME = "waterfall"
GAP = 4  # columns between the two sides
TOTALS = 6  # of a running total

Cell = tuple[str, str]  # a text and the kind of its ink


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    rows = list(_rows(explanation))
    forward, backward = say("waterfall.forward"), say("waterfall.backward")
    left = max(len(text) for cells in ([(forward, "")], *(side for side, _ in rows)) for text, _ in cells)
    right = max(len(text) for cells in ([(backward, "")], *(side for _, side in rows)) for text, _ in cells)
    if left + GAP + right + 2 <= page.width:
        yield page.ink("faint", f"  {forward.ljust(left + GAP)}{backward}")
        yield from page.clip(list(_beside(rows, left + GAP, page)))
        return
    yield from page.wrap(forward, kind="faint")
    yield from page.clip(
        [line for side, _ in rows for cell in side for line in page.wrap(cell[0], kind=cell[1])]
    )
    turned = [cell for _, side in reversed(rows) for cell in side]
    if turned:
        yield from page.wrap(say("waterfall.turned"), kind="faint")
        yield from page.clip([line for text, kind in turned for line in page.wrap(text, kind=kind)])


def _beside(rows: list[tuple[list[Cell], list[Cell]]], wide: int, page: Page) -> Iterator[str]:
    for left, right in rows:
        for (text, kind), (mirrored, its_kind) in zip_longest(left, right, fillvalue=("", "data")):
            line = page.ink(kind, text.ljust(wide)) + page.ink(its_kind, mirrored)
            yield f"  {line}".rstrip()


def _rows(explanation: Explanation) -> Iterator[tuple[list[Cell], list[Cell]]]:
    """The two sides of each row: the inputs one by one, then every op."""
    trace, graph = explanation.trace, explanation.trace.graph
    arriving: dict[int, list[Flow]] = {}
    leaving: dict[int, list[Flow]] = {}
    for event in trace.events:
        if isinstance(event, Flow):
            arriving.setdefault(event.target, []).append(event)
            leaving.setdefault(event.source, []).append(event)
    for i, node in enumerate(graph.nodes):
        value = show(trace.values[i])
        label = name(graph, i)
        head = (
            [(f"{label}: {_total(trace.grads[i], arriving.get(i, []))}", "grad")] if graph.active[i] else []
        )
        if node.args:
            how = [(_contribution(graph, flow), "local") for flow in leaving.get(i, ())]
            yield [(f"{label} = {recipe(graph, i)} = {value}", "data")], [*head, *how]
        elif node.op == INPUT or node.label or i == graph.output:
            yield [(f"{label} = {value}", "data")], head


def _contribution(graph: Graph, flow: Flow) -> str:
    return f"  -> {name(graph, flow.target)}: {product((flow.local, flow.upstream))} = {show(flow.amount)}"


def _total(grad: float, flows: list[Flow]) -> str:
    """0 -> 10 -> 4 where several contributions meet, else the gradient."""
    if len(flows) < 2:
        return show(grad)
    totals = [flows[0].before, *(flow.after for flow in flows)]
    shown = [show(total) for total in totals]
    if len(shown) > TOTALS:
        shown = [*shown[: TOTALS - 2], "...", shown[-1]]
    return " -> ".join(shown)


if __name__ == "__main__":
    demo(NAME)
