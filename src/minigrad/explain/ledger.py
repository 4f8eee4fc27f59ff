"""The ledger of each input: its gradient as a sum over paths, each path a product of locals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .. import ieee
from ..graph import Graph
from ..messages import say
from ..numerals import counted, show
from ..page import Page, columns
from ..paths import Path, Paths
from ..wording import name, product
from .explanation import Explanation, demo

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
        if not found.count:
            lines.append(f"  {name(graph, i)}: 0, {say('ledger.unreached')}")
            continue
        sign = "=" if _adds_up(found) else "!="  # in a pass that was broken on purpose
        headline = f"{name(graph, i)}: {show(found.total)} {sign} {terms(graph, found)}"
        lines.extend(page.wrap(headline, kind="grad"))
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
        text += (
            _signed(found.rest, not text)
            + " "
            + say("ledger.rest" if more > 1 else "ledger.rest.one", count=counted(more))
        )
    return text


def _adds_up(found: Paths) -> bool:
    """Is the gradient the sum of its paths, up to the roundings of a pass?"""
    total = ieee.fsum(found.rest, *(path.amount for path in found.listed))
    size = max([abs(found.total), *(abs(path.amount) for path in found.listed)])
    return not abs(found.total - total) > 1e-9 * size


def _signed(x: float, first: bool) -> str:
    text = show(x)
    if first:
        return text
    return f" - {text[1:]}" if text.startswith("-") else f" + {text}"


def _labels(graph: Graph, found: Paths) -> list[str]:
    """What tells the paths apart: the first node, more of them where it takes more, and the slot."""
    routes = Counter(path.nodes for path in found.listed)
    short = dict.fromkeys(routes, "")
    unclear, hops = list(routes), 0
    while unclear and hops < HOPS:
        hops += 1
        for route in unclear:
            short[route] = " > ".join(name(graph, i) for i in route[1 : 1 + hops])
        counts = Counter(short.values())
        unclear = [route for route in unclear if counts[short[route]] > 1]
    return [f"{short[path.nodes]} {_slots(path, found)}".strip() for path in found.listed]


def _slots(path: Path, found: Paths) -> str:
    """The argument places in which a path differs from others along the same nodes: a*a has two."""
    others = [other.slots for other in found.listed if other.nodes == path.nodes]
    differing = [str(places[0] + 1) for places in zip(path.slots, *others, strict=True) if len({*places}) > 1]
    return say("ledger.slot", slot=".".join(differing)) if differing else ""


def _factors(explanation: Explanation, path: Path) -> list[float]:
    seed = explanation.trace.grads[explanation.trace.graph.output]
    return [*path.locals, *([] if seed == 1.0 or path.skipped else [seed])]


def _route(graph: Graph, path: Path) -> str:
    shown = [name(graph, i) for i in path.nodes]
    hidden = len(shown) + path.skipped - (HOPS - 1)
    if hidden > 1:
        shown = [*shown[: HOPS - 2], f"... ({counted(hidden)})", shown[-1]]
    return " > ".join(shown)


if __name__ == "__main__":
    demo(NAME)
