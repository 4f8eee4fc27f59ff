"""The computation graph as a TikZ picture: the same places as in the SVG, letters and numbers set by TeX."""

from __future__ import annotations

from collections.abc import Iterator
from re import findall

from ..drawing.layout import Box, Wire, curve, layout
from ..drawing.scene import SceneItem, scene
from ..drawing.svg import width_of
from ..graph import CONSTANT, INPUT
from ..graph.notation import latex
from ..graph.trace import Flow, Trace
from ..graph.wording import factor, name
from ..text.numerals import show
from ..text.translation import pick

__all__ = ["STYLES", "picture"]

UNIT = 0.7  # of a drawing, in TeX's points
WIDEST, TALLEST = 465.0, 640.0  # points of a page; a larger picture is made smaller
LARGEST = 12_000.0  # points that TeX can count with
LABELLED = 60  # edges that carry their numbers
PADDING, LINE = 14.0, 20.0

# fmt: off
STYLES = r"""\tikzset{
  box/.style={draw=black!45, fill=black!3, rounded corners=3pt, inner sep=2pt, align=center, font=\small},
  leaf/.style={draw=data}, constant/.style={draw=black!20}, group/.style={dashed},
  shared/.style={draw=grad, line width=1.2pt},
  wire/.style={draw=black!45, -stealth}, joining/.style={draw=grad, line width=0.9pt},
  pill/.style={draw=black!20, fill=white, rounded corners=5pt, inner sep=2pt, font=\scriptsize},
}"""
# fmt: on


def picture(trace: Trace) -> str:
    """A tikzpicture that fits a page; "" where TeX cannot count that far."""
    graph, seen = trace.graph, scene(trace.graph)
    flows = {(event.source, event.slot): event for event in trace.events if isinstance(event, Flow)}
    uses: dict[int, int] = {}
    for sent in flows.values():
        uses[sent.target] = uses.get(sent.target, 0) + 1
    few = sum(len(link.slots) for link in seen.links) <= LABELLED
    slots = []  # one wire for each slot between two nodes, one for all of a link where a group is an end
    for link in seen.links:
        single = seen.items[link.tail].node is not None and seen.items[link.head].node is not None
        slots += [(link, slot) for slot in (link.slots if single else [None])]
    labels = [_label(flows[slot]) if few and slot in flows else "" for _, slot in slots]
    wires = [
        Wire(link.tail, link.head, (0.8 * width_of(plain) + 12.0, 24.0) if plain else None)
        for (link, _), plain in zip(slots, labels, strict=True)
    ]
    boxes = [Box(*_size(trace, item)) for item in seen.items]
    placed = layout(boxes, wires)
    if UNIT * max(placed.width, placed.height) > LARGEST:
        return ""
    lines = []
    for (_, slot), route, spot in zip(slots, placed.routes, placed.labels, strict=True):
        flow = flows.get(slot) if slot else None
        joining = ", joining" if flow is not None and uses[flow.target] > 1 else ""
        lines.append(rf"\draw[wire{joining}] {_path(curve(route))};")
        if flow is not None and spot is not None:
            lines.append(rf"\node[pill] at {_point(*spot)} {{{_contribution(flow)}}};")
    for item, box, spot in zip(seen.items, boxes, placed.boxes, strict=True):
        kind = "box"
        if item.node is None:
            kind += ", group"
        else:
            kind += {INPUT: ", leaf", CONSTANT: ", constant"}.get(graph.nodes[item.node].op, "")
            kind += ", shared" if uses.get(item.node, 0) > 1 else ""
        size = f"minimum width={UNIT * box.width:.1f}pt, minimum height={UNIT * box.height:.1f}pt"
        lines.append(rf"\node[{kind}, {size}] at {_point(*spot)} {{{_words(trace, item)}}};")
    body = "\n".join(lines)
    drawn = f"\\begin{{tikzpicture}}\n{body}\n\\end{{tikzpicture}}"
    fitting = min(WIDEST / (UNIT * placed.width), TALLEST / (UNIT * placed.height), 1.0)
    return f"\\scalebox{{{fitting:.3f}}}{{%\n{drawn}}}" if fitting < 1.0 else drawn


def _label(flow: Flow) -> str:
    """As long as the contribution will be, for the layout."""
    return f"{show(flow.local)} * {factor(flow.upstream)} = {show(flow.amount)}"


def _contribution(flow: Flow) -> str:
    upstream = latex.number(show(flow.upstream), "grad")
    if show(flow.upstream).startswith("-"):
        upstream = latex.fenced("(", upstream, ")")
    product = latex.row(latex.number(show(flow.local), "local"), latex.sign("·"), upstream)
    return rf"\({product} = {latex.number(show(flow.amount), 'grad')}\)"


def _rows(trace: Trace, item: SceneItem) -> list[tuple[str, str]]:
    """What stands in a box: the same in plain words, for its size, and in TeX."""
    if item.node is None:
        return [(words, latex.words_of(words)) for words in pick(item.title).split("|")]
    i, graph = item.node, trace.graph
    label, data, grad = name(graph, i), show(trace.values[i]), show(trace.grads[i])
    node = graph.nodes[i]
    constant = node.op == CONSTANT
    title = rf"\({latex.number(label, '') if constant and not node.label else latex.name(label)}\)"
    rows = [(label, title)]
    if not constant or node.label:
        rows.append((f"data {data}", rf"\textcolor{{data}}{{data \({latex.number(data, '')}\)}}"))
    if not constant:
        rows.append((f"grad {grad}", rf"\textcolor{{grad}}{{grad \({latex.number(grad, '')}\)}}"))
    return rows


def _size(trace: Trace, item: SceneItem) -> tuple[float, float]:
    rows = _rows(trace, item)
    return max(width_of(words) for words, _ in rows) + 2 * PADDING, LINE * len(rows) + 12


def _words(trace: Trace, item: SceneItem) -> str:
    return r" \\ ".join(words for _, words in _rows(trace, item))


def _point(x: float, y: float) -> str:
    return f"({UNIT * x:.1f}pt,{-UNIT * y:.1f}pt)"


def _path(d: str) -> str:
    """An SVG path of moves, lines and curves, as TikZ writes them."""
    return "".join(_segment(command, numbers) for command, numbers in findall("([MLC])([^MLC]+)", d))


def _segment(command: str, numbers: str) -> str:
    points = list(_points(numbers))
    if command == "M":
        return points[0]
    if command == "L":
        return f" -- {points[0]}"
    return f" .. controls {points[0]} and {points[1]} .. {points[2]}"


def _points(numbers: str) -> Iterator[str]:
    xs = [float(x) for x in numbers.split()]
    for x, y in zip(xs[::2], xs[1::2], strict=True):
        yield _point(x, y)
