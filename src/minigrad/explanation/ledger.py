"""The ledger of each input: its gradient as a sum over paths, each path a product of locals."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph.wording import factors, name, product, route, slots, terms
from ..text.numerals import show
from ..text.page import Page, columns
from ..text.translation import say
from .explanation import Explanation, demo

NAME = "ledger"


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    graph = explanation.trace.graph
    lines: list[str] = []
    for i in graph.inputs:
        if i not in explanation.paths:
            lines.append(f"  {name(graph, i)}: 0, {say('ledger.unused')}")
            continue
        found = explanation.paths[i]
        if not found.count:
            lines.append(f"  {name(graph, i)}: 0, {say('ledger.unreached')}")
            continue
        sign = "=" if found.adds_up else "!="  # in a pass that was broken on purpose
        headline = f"{name(graph, i)}: {show(found.total)} {sign} {terms(graph, found)}"
        lines.extend(page.wrap(headline, kind="grad"))
        rows = columns(
            [
                show(path.amount),
                f"= {product(factors(explanation.trace, path))}",
                f"{route(graph, path)}  {slots(graph, path, found)}".rstrip(),
            ]
            for path in found.listed
        )
        lines.extend(f"      {a} {page.ink('local', b)}   {page.ink('faint', c)}" for a, b, c in rows)
    yield from page.clip(lines)


if __name__ == "__main__":
    demo(NAME)
