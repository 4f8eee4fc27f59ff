"""The backward order: newest first, how many other valid orders there are, and its reverse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..graph.wording import names
from ..text.numerals import counted
from ..text.page import Page
from ..text.translation import say
from .explanation import Explanation, demo

NAME = "order"
COUNTED = 1000  # valid orders are counted up to here


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    graph = explanation.trace.graph
    order = explanation.trace.order
    if not order:
        return
    yield from page.wrap(names(graph, order, None if page.rows is None else 4 * page.rows))
    reached = set(order)
    unreached = [i for i in graph.order if i not in reached]
    if unreached:
        yield from page.wrap(say("order.unreached", names=names(graph, unreached[:20])), kind="faint")
        return
    count = sum(1 for _ in islice(graph.orders(), COUNTED + 1))
    key = "order.only" if count == 1 else "order.one_of" if count <= COUNTED else "order.many"
    ops = [[i for i in walked if graph.nodes[i].args] for walked in (order, graph.order)]
    if ops[0] != ops[1]:
        key = "order.asked" if count <= COUNTED else "order.asked.many"
    yield from page.wrap(say(key, count=counted(min(count, COUNTED))), kind="faint")
    reverse = names(graph, order[::-1], None if page.rows is None else 4 * page.rows)
    yield from page.wrap(say("order.reverse", names=reverse))


if __name__ == "__main__":
    demo(NAME)
