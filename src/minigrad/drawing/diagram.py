"""The computation graph: data and grad in each node, local derivative and contribution on each edge.

Data flows right and gradients flow left.  A node that is used more than once, the foot of a diamond, has a
heavy border, the edges that meet in it are heavy too, and it shows the sum of what arrives: 10 - 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ..graph import CONSTANT, INPUT
from ..graph.trace import Flow, Trace
from ..graph.wording import factor, name
from ..text.numerals import counted, show
from ..text.translation import say
from .box_titles import LINE, lines_of, stand_in, title_of
from .layout import Box, Placement, Wire, curve, layout
from .scene import Scene, SceneItem, scene
from .svg import Drawing, element, esc, number, said, text, width_of
from .trace_cache import remember_last

__all__ = ["describe_drawing", "draw"]

PADDING, MARGIN = 14.0, 16.0
SMALL = 12.5  # letters on an edge, and of a sum
LONGEST_SUM = 26  # characters of a sum in a box
ONE_LINE = 18  # characters on an edge
LABELLED = 80  # edges that carry their numbers; a drawing with more shows them in the player


class _Facts:
    """What the drawing needs to know of a trace, looked up once."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.graph = trace, trace.graph
        self.flows: dict[tuple[int, int], Flow] = {}
        self.arriving: dict[int, list[Flow]] = {}
        for event in trace.events:
            if isinstance(event, Flow):
                self.flows[event.source, event.slot] = event
                self.arriving.setdefault(event.target, []).append(event)

    def shared(self, i: int) -> bool:
        return len(self.arriving.get(i, ())) > 1


_facts = remember_last(_Facts)


def draw(trace: Trace, group: str = "") -> Drawing:
    """The graph of a trace, or the inside of one of its groups."""
    facts, seen = _facts(trace), scene(trace.graph, group)
    few = sum(len(link.slots) for link in seen.links) <= LABELLED
    wires = list(_wires(facts, seen, few))
    boxes = [Box(*_size(facts, item)) for item in seen.items]
    placed = layout(boxes, [wire for wire, _ in wires], "right")
    body = [_edge(facts, placed, at, slot) for at, (_, slot) in enumerate(wires)]
    body += [_box(facts, item, boxes[at], *placed.boxes[at]) for at, item in enumerate(seen.items)]
    grouped = any(item.group for item in seen.items)
    legend = "diagram.legend.groups" if grouped or not few else "diagram.legend"
    width = max(placed.width, width_of(say(legend), 13)) + 2 * MARGIN
    left = (width - placed.width) / 2
    inside = element("g", "\n", *(f"{part}\n" for part in body), transform=f"translate({left:g} {MARGIN:g})")
    height = placed.height + 2 * MARGIN + 22
    output = name(trace.graph, trace.graph.output)
    return Drawing(
        round(width, 1),
        round(height, 1),
        say("diagram.title", output=output),
        describe_drawing(trace),
        inside + "\n" + said(legend, width / 2, height - 12),
    )


def describe_drawing(trace: Trace, most: int = 12) -> str:
    """A drawing's numbers in one sentence, for who cannot see it."""
    graph = trace.graph
    about = {"output": name(graph, graph.output), "value": show(trace.values[graph.output])}
    if not graph.inputs:
        return say("diagram.words.none", **about)
    listed = ", ".join(f"{name(graph, i)} = {show(trace.grads[i])}" for i in graph.inputs[:most])
    if len(graph.inputs) > most:
        listed = say("diagram.words.more", listed=listed, count=counted(len(graph.inputs) - most))
    return say("diagram.words", gradients=listed, **about)


# ---- nodes --------------------------------------------------------------------------------------


def _sum(facts: _Facts, i: int) -> str:
    """10 - 6, what meets in a node; with ≠ in front where a broken pass made something else of it.

    Of a long sum, its beginning.
    """
    amounts, grad = [flow.amount for flow in facts.arriving[i]], facts.trace.grads[i]
    other = abs(sum(amounts) - grad) > 1e-9 * max(map(abs, amounts))  # never so where NaN is
    return ("≠ " if other else "") + _terms(facts, i)


def _terms(facts: _Facts, i: int) -> str:
    text = ""
    for flow in facts.arriving[i]:
        shown = show(flow.amount)
        if text:
            shown = f" - {shown[1:]}" if shown.startswith("-") else f" + {shown}"
            if len(text + shown) > LONGEST_SUM:
                return f"{text} + …"
        text += shown
    return text


def _rows(facts: _Facts, i: int) -> list[tuple[str, str, str]]:
    """The lines below a node's title: what it is, the word in front, the number."""
    node, trace = facts.graph.nodes[i], facts.trace
    if node.op == CONSTANT:
        return [("data", "data", show(trace.values[i]))] if node.label else []
    rows = [("data", "data", show(trace.values[i])), ("grad", "grad", show(trace.grads[i]))]
    return [*rows, ("sum", "", _sum(facts, i))] if facts.shared(i) else rows


def _size(facts: _Facts, item: SceneItem) -> tuple[float, float]:
    if item.node is None or item.outside:
        lines = lines_of(facts.graph, item)
        return max(width_of(words) for pair in lines for words in pair) + 2 * PADDING, len(lines) * LINE + 16
    rows = _rows(facts, item.node)
    widths = [width_of(title_of(facts.graph, item.node))]
    widths += [width_of(n, SMALL) if what == "sum" else width_of(f"{word} {n}") for what, word, n in rows]
    return max(widths) + 2 * PADDING, (1 + len(rows)) * LINE + 14


def _box(facts: _Facts, item: SceneItem, box: Box, x: float, y: float) -> str:
    corner = {"x": x - box.width / 2, "y": y - box.height / 2, "width": box.width, "height": box.height}
    top = y - box.height / 2 + 21
    if item.node is None or item.outside:
        return stand_in(facts.graph, item, corner, x, top)
    i, graph = item.node, facts.graph
    kinds = {INPUT: "box leaf", CONSTANT: "box constant"}
    kind = kinds.get(graph.nodes[i].op, "box") + (" shared" if facts.shared(i) else "")
    parts = [element("rect", class_=kind, rx=8, **corner), text(title_of(graph, i), x, top, "name")]
    for at, (what, word, shown) in enumerate(_rows(facts, i), 1):
        write = partial(element, "text", x=x, y=top + at * LINE, text_anchor="middle")
        if what == "sum":
            parts.append(write(esc(shown), class_="small grad", data_sum=i))
        else:
            parts.append(write(f"{word} {number(what, shown)}", class_=what))
    return element("g", *parts, class_="node", data_node=i)


# ---- edges --------------------------------------------------------------------------------------


def _wires(facts: _Facts, seen: Scene, few: bool) -> Iterator[tuple[Wire, tuple[int, int] | None]]:
    """What the layout has to draw: one wire per slot between nodes, one per link where a group is an end."""
    for link in seen.links:
        ends = seen.items[link.tail], seen.items[link.head]
        if any(item.node is None or item.outside for item in ends):
            yield Wire(link.tail, link.head, None), None
            continue
        for slot in link.slots:
            flow = facts.flows.get(slot)
            size = _label_size(_label(flow)) if flow and few else None
            yield Wire(link.tail, link.head, size), slot


def _label(flow: Flow) -> list[tuple[str, str]]:
    """3 * (-2) = -6 in one line, or in two where it would be wide: the texts, with and without markup."""
    local, upstream, amount = show(flow.local), factor(flow.upstream), show(flow.amount)
    product = f"{number('local', local)} * {number('upstream', upstream)}"
    result = f"= {element('tspan', esc(amount), class_='grad', data_number='amount')}"
    plain = f"{local} * {upstream}", f"= {amount}"
    if len(" ".join(plain)) <= ONE_LINE:
        return [(" ".join(plain), f"{product} {result}")]
    return [(plain[0], product), (plain[1], result)]


def _label_size(lines: Sequence[tuple[str, str]]) -> tuple[float, float]:
    return max(width_of(plain, SMALL) for plain, _ in lines) + 16, 6.0 + 16 * len(lines)


def _edge(facts: _Facts, placed: Placement, at: int, slot: tuple[int, int] | None) -> str:
    route = placed.routes[at]
    x, y = route[-1]
    parts = [
        element("path", class_="wire", d=curve(route)),
        element(
            "path", class_="wire head", d=f"M{x - 7:.1f} {y - 4:.1f}L{x:.1f} {y:.1f}L{x - 7:.1f} {y + 4:.1f}"
        ),
    ]
    if slot is None:
        return element("g", *parts, class_="edge bundle")
    flow, spot = facts.flows.get(slot), placed.labels[at]
    target = facts.graph.nodes[slot[0]].args[slot[1]]
    if flow is not None and spot is not None:
        lines = _label(flow)
        width, height = _label_size(lines)
        corner = {"x": spot[0] - width / 2, "y": spot[1] - height / 2, "width": width, "height": height}
        parts.append(element("rect", class_="pill", rx=11, **corner))
        top = spot[1] - height / 2 + 15.5
        parts += [
            element("text", markup, class_="local", x=spot[0], y=top + 16 * at, text_anchor="middle")
            for at, (_, markup) in enumerate(lines)
        ]
    kind = "edge shared" if flow is not None and facts.shared(target) else "edge"
    return element("g", *parts, class_=kind, data_edge=f"{slot[0]}.{slot[1]}", data_target=target)
