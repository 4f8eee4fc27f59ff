"""The ledger of each input: its gradient as a sum over paths, each path a product of locals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..graph import Graph
from ..messages import say
from ..numerals import show
from ..paths import Path, Paths
from .explanation import Explanation, demo
from .page import Page, columns
from .wording import name, product

NAME = "ledger"
HOPS = 8  # nodes of a path that are written out


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    graph = explanation.trace.graph
    lines: list[str] = []
    for i in graph.inputs:
        if i not in explanation.paths:
            lines.append(f"  {name(graph, i)}: 0, {say('ledger.unused')}")
            continue
        found = explanation.paths[i]
        total = page.ink("grad", show(found.total))
        lines.append(f"  {name(graph, i)}: {total} = {terms(graph, found)}")
        rows = columns(
            [show(path.amount), f"= {product(_factors(explanation, path))}", _route(graph, path)]
            for path in found.listed
        )
        lines.extend(f"      {a} {page.ink('local', b)}   {page.ink('faint', c)}" for a, b, c in rows)
    yield from page.clip(lines)


def terms(graph: Graph, found: Paths) -> str:
    """10 via f - 6 via ab, and what the paths that are not listed add up to."""
    labels = _labels(graph, found)
    text = ""
    for path, label in zip(found.listed, labels, strict=True):
        way = say("ledger.via", node=label) if label else say("ledger.itself")
        text += f"{_signed(path.amount, not text)} {way}"
    more = found.count - len(found.listed)
    if more:
        text += _signed(found.rest, not text) + " " + say("ledger.rest", count=f"{more:,}")
    return text


def _signed(x: float, first: bool) -> str:
    text = show(x)
    if first:
        return text
    return f" - {text[1:]}" if text.startswith("-") else f" + {text}"


def _labels(graph: Graph, found: Paths) -> list[str]:
    """What tells the paths apart: the first node, as many more as it takes, and then the slot."""
    labels = [""] * len(found.listed)
    hops = 1
    unclear = list(range(len(labels)))
    while unclear:
        for p in unclear:
            labels[p] = " > ".join(name(graph, i) for i in found.listed[p].nodes[1 : 1 + hops])
        counts = Counter(labels)
        clear_now = hops >= HOPS or all(hops >= len(found.listed[p].nodes) for p in unclear)
        unclear = [p for p in unclear if counts[labels[p]] > 1]
        if clear_now:
            for p in unclear:
                labels[p] += f" [{found.listed[p].slots[0] + 1}]"
            break
        hops += 1
    return labels


def _factors(explanation: Explanation, path: Path) -> list[float]:
    seed = explanation.trace.grads[explanation.trace.graph.output]
    return [*path.locals, *([] if seed == 1.0 or path.skipped else [seed])]


def _route(graph: Graph, path: Path) -> str:
    shown = [name(graph, i) for i in path.nodes]
    hidden = len(shown) + path.skipped - (HOPS - 1)
    if hidden > 1:
        shown = [*shown[: HOPS - 2], f"... ({hidden:,})", shown[-1]]
    return " > ".join(shown)


if __name__ == "__main__":
    demo(NAME)
