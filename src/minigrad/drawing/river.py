"""The river: data flows down, and beside it gradients flow up; a ribbon is as wide as its number is large.

Widths are proportional, so they add up: where a node is used more than once, the contributions run into it
side by side, negative ones striped, and the bar above them is what is left of their sum.  What is zero is
still there, as a hairline.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from ..graph import CONSTANT, INPUT
from ..graph.trace import Trace
from ..graph.wording import name
from ..text.numerals import show
from ..text.translation import say
from .box_titles import lines_of, stand_in, title_of
from .diagram import describe_drawing
from .layout import Box, Placement, Wire, layout
from .ribbons import SLACK, outline, stripes, way
from .scene import Scene, SceneItem, scene
from .styled_lines import Line, TextPiece, line, size_of
from .svg import Drawing, element, said, short, width_of
from .timeline import step_times
from .wire_routes import BESIDE

__all__ = ["draw"]

WIDEST, STACK, HAIR = 22.0, 110.0, 1.0  # a ribbon, all that meet in a node, and what is next to nothing
LANE, APART = 9.0, 3.0  # room for a ribbon and its arrowhead, and between the two of a slot
PADDING, LINE, MARGIN, CORNER, JOINT = 14.0, 20.0, 16.0, 12.0, 44.0
STRIPED = 4.0  # a narrower one that is negative has a broken outline
LABELLED = 60  # slots that carry their numbers; a river with more shows them in the player


@dataclass(frozen=True, slots=True)
class _Stream:
    """What flows between two items: data down and, if there is one, a contribution up."""

    tail: int
    head: int
    data: float
    amount: float | None = None
    local: float | None = None
    slot: tuple[int, int] | None = None  # None where a group is one of the ends


@dataclass(frozen=True, slots=True)
class _RiverScale:
    """How wide a number is: proportional to its size, never less than a hair nor more than the widest."""

    data: float
    grad: float

    def of(self, number: float, unit: float) -> float:
        if number != number:
            return HAIR
        return min(max(abs(number) * unit, HAIR), WIDEST) if isfinite(number) else WIDEST

    def bar(self, grad: float) -> float:
        """The width of a whole gradient, which may be more than one ribbon brings."""
        return min(max(abs(grad) * self.grad, HAIR), STACK) if isfinite(grad) else self.of(grad, self.grad)

    def down(self, stream: _Stream) -> float:
        return self.of(stream.data, self.data)

    def up(self, stream: _Stream) -> float:
        return 0.0 if stream.amount is None else self.of(stream.amount, self.grad)

    def room(self, stream: _Stream) -> float:
        """The width of both ribbons side by side."""
        down = max(self.down(stream), LANE)
        return down if stream.amount is None else down + APART + max(self.up(stream), LANE)

    def offsets(self, stream: _Stream) -> tuple[float, float]:
        """The middles of the two ribbons, from the middle of both."""
        room = self.room(stream)
        down, up = max(self.down(stream), LANE), max(self.up(stream), LANE)
        return (down - room) / 2, (room - up) / 2


def draw(trace: Trace, group: str = "") -> Drawing:
    """The river of a trace, or of one of its groups."""
    return _River(trace, scene(trace.graph, group)).drawing()


class _River:
    def __init__(self, trace: Trace, seen: Scene) -> None:
        self.trace, self.graph, self.seen, self.when = trace, trace.graph, seen, step_times(trace)
        self.streams = list(self._streams())
        self.leaving: list[list[int]] = [[] for _ in seen.items]
        self.entering: list[list[int]] = [[] for _ in seen.items]
        for at, stream in enumerate(self.streams):
            self.leaving[stream.tail].append(at)
            self.entering[stream.head].append(at)
        self.scale = self._scale()
        self.labelled = sum(stream.slot is not None for stream in self.streams) <= LABELLED
        self.boxes = [Box(*self._size(at)) for at in range(len(seen.items))]
        self.wires = [self._wire(stream) for stream in self.streams]
        roomy = [Box(box.width, box.height + 2 * SLACK) for box in self.boxes]
        self.placed: Placement = layout(roomy, self.wires, "down")
        self.joints = dict(self._joints())

    # ---- what flows -------------------------------------------------------------------------

    def _streams(self) -> Iterator[_Stream]:
        values, nodes = self.trace.values, self.graph.nodes
        for link in self.seen.links:
            ends = self.seen.items[link.tail], self.seen.items[link.head]
            flows = {slot: self.when.sent[slot][1] for slot in link.slots if slot in self.when.sent}
            if any(item.node is None or item.outside for item in ends):
                data = _largest(values[nodes[source].args[slot]] for source, slot in link.slots)
                amount = _largest(flow.amount for flow in flows.values()) if flows else None
                yield _Stream(link.tail, link.head, data, amount)
                continue
            for source, slot in link.slots:
                flow = flows.get((source, slot))
                yield _Stream(
                    link.tail,
                    link.head,
                    values[nodes[source].args[slot]],
                    flow.amount if flow else None,
                    flow.local if flow else None,
                    (source, slot),
                )

    def _scale(self) -> _RiverScale:
        """Units such that no ribbon, and no stack of those that meet in a node, is wider than it may be."""
        data = max((abs(s.data) for s in self.streams if isfinite(s.data)), default=0.0)
        sizes = [abs(s.amount) if s.amount is not None and isfinite(s.amount) else 0.0 for s in self.streams]
        one, units = max(sizes, default=0.0), [1.0]
        if one:
            together = max(sum(sizes[at] / one for at in leaving) for leaving in self.leaving)
            units = [WIDEST, STACK / together]
        return _RiverScale(_unit(WIDEST, data), _unit(min(units), one))

    def _joins(self, at: int) -> bool:
        """Do contributions meet in this item, each in a ribbon of its own?"""
        streams = [self.streams[k] for k in self.leaving[at]]
        arriving = [s for s in streams if s.amount is not None]
        return len(arriving) > 1 and all(s.slot is not None for s in streams)

    # ---- sizes ------------------------------------------------------------------------------

    def _lines(self, item: SceneItem) -> list[Line]:
        """The lines in the box of a node."""
        i = item.node
        assert i is not None
        node, trace = self.graph.nodes[i], self.trace
        lines = [line(title_of(self.graph, i), kind="name")]
        if node.op != CONSTANT or node.label:
            lines.append(line("data ", TextPiece(show(trace.values[i]), number="data"), kind="data"))
        if node.op != CONSTANT:
            lines.append(line("grad ", TextPiece(show(trace.grads[i]), number="grad"), kind="grad"))
        return lines

    def _size(self, at: int) -> tuple[float, float]:
        item = self.seen.items[at]
        if item.node is None or item.outside:
            pairs = lines_of(self.graph, item)
            wide, count = max(width_of(words) for pair in pairs for words in pair), len(pairs)
        else:
            lines = self._lines(item)
            wide, count = max(each.width for each in lines), len(lines)
        sides = [self._packed(side) + 2 * CORNER for side in (self.leaving[at], self.entering[at])]
        height = count * LINE + 14 + (JOINT if self._joins(at) else 0.0)
        return round(max(wide + 2 * PADDING, self._stack(at) + 2 * CORNER, *sides), 1), height

    def _packed(self, streams: Sequence[int]) -> float:
        """The width of streams side by side at a box."""
        return sum(self.scale.room(self.streams[at]) for at in streams) + BESIDE * max(0, len(streams) - 1)

    def _stack(self, at: int) -> float:
        return sum(self.scale.up(self.streams[k]) for k in self.leaving[at])

    def _wire(self, stream: _Stream) -> Wire:
        room = round(self.scale.room(stream), 1)
        if not self.labelled or stream.slot is None or stream.amount is None:
            return Wire(stream.tail, stream.head, None, room)
        side = max(width_of(words, size_of("small")) for words in _numbers(stream)) + 6
        return Wire(stream.tail, stream.head, (room + 2 * side, 16 + 2 * SLACK), room)

    # ---- the picture ------------------------------------------------------------------------

    def drawing(self) -> Drawing:
        parts = [self._box(at) for at in range(len(self.seen.items))]
        parts += [self._edge(at) for at in range(len(self.streams))]
        legend, wide, deep = self._legend()
        width = max(self.placed.width, wide) + 2 * MARGIN
        left = (width - self.placed.width) / 2
        y = self.placed.height + MARGIN + 4
        body = [
            element("g", "\n".join(["", *parts, ""]), transform=f"translate({short(left)} {short(MARGIN)})"),
            element("g", *legend, transform=f"translate({short((width - wide) / 2)} {short(y)})"),
        ]
        title = say("river.title", output=name(self.graph, self.graph.output))
        return Drawing(
            round(width, 1), round(y + deep + 10, 1), title, describe_drawing(self.trace), "\n".join(body)
        )

    def _edges_of(self, at: int) -> tuple[float, float]:
        """The upper and the lower edge of a box."""
        y, height = self.placed.boxes[at][1], self.boxes[at].height
        return y - height / 2, y + height / 2

    def _edge(self, at: int) -> str:
        stream, scale = self.streams[at], self.scale
        points = way(self.placed.routes[at])
        down, up = scale.offsets(stream)
        (start, top), (end, bottom) = points[0], points[-1]
        parts = [
            element("path", class_="ribbon data", d=outline(points, scale.down(stream), down)),
            _head("data", end + down, bottom, -1),
        ]
        if stream.amount is not None:
            wide, joined = scale.up(stream), self.joints.get(at)
            striped = stream.amount < 0 and wide >= STRIPED
            kind = "ribbon grad negative" if stream.amount < 0 and not striped else "ribbon grad"
            parts.append(element("path", class_=kind, d=outline(points, wide, up, joined)))
            if striped:
                parts.append(element("path", class_="hatch", d=stripes(points, wide, up, joined)))
            parts.append(_head("grad", start + up, top, 1))
        spot = self.placed.labels[at]
        if spot is not None:
            half = scale.room(stream) / 2 + 5
            local, amount = _numbers(stream)
            factor_ = line("* ", TextPiece(local[2:], number="local"), kind="local")
            parts.append(factor_.draw(spot[0] - half, spot[1] + 4.5, "end"))
            shown = line(TextPiece(amount, number="amount"), kind="small grad")
            parts.append(shown.draw(spot[0] + half, spot[1] + 4.5))
        if stream.slot is None:
            return element("g", *parts, class_="edge bundle")
        source, slot = stream.slot
        target = self.graph.nodes[source].args[slot]
        return element("g", *parts, class_="edge", data_edge=f"{source}.{slot}", data_target=target)

    def _joints(self) -> Iterator[tuple[int, tuple[float, float]]]:
        """Inside the boxes where contributions arrive, the place where each lies beside the others."""
        for tail, leaving in enumerate(self.leaving):
            if not self._joins(tail):
                continue
            x, y = self.placed.boxes[tail][0] - self._stack(tail) / 2, self._edges_of(tail)[1] - JOINT + 14
            for k in sorted(leaving, key=lambda k: self.placed.routes[k][0][0]):
                wide = self.scale.up(self.streams[k])
                yield k, (x + wide / 2, y)
                x += wide

    def _box(self, at: int) -> str:
        item, box, (x, _) = self.seen.items[at], self.boxes[at], self.placed.boxes[at]
        top, bottom = self._edges_of(at)
        corner = {"x": x - box.width / 2, "y": top, "width": box.width, "height": box.height}
        if item.node is None or item.outside:
            return stand_in(self.graph, item, corner, x, top + 21)
        i = item.node
        kinds = {INPUT: "box leaf", CONSTANT: "box constant"}
        kind = kinds.get(self.graph.nodes[i].op, "box") + (" shared" if self._joins(at) else "")
        parts = [element("rect", class_=kind, rx=8, **corner)]
        parts += [each.draw(x, top + 21 + k * LINE, "middle") for k, each in enumerate(self._lines(item))]
        if self._joins(at):
            wide = self.scale.bar(self.trace.grads[i])
            bar = {"x": x - wide / 2, "y": bottom - JOINT + 4, "width": wide, "height": 7.0}
            parts.append(element("rect", class_="bar grad", data_step=self.when.known(i), **bar))
        return element("g", *parts, class_="node", data_node=i)

    def _legend(self) -> tuple[list[str], float, float]:
        """What a width means, with the number of the widest ribbon of each kind."""
        rows: list[tuple[str, dict[str, str], str]] = []
        if self.streams:
            data = _largest(stream.data for stream in self.streams)
            rows.append(("river.legend.data", {"widest": show(data)}, "data"))
        amounts = [stream.amount for stream in self.streams if stream.amount is not None]
        if amounts:
            rows.append(("river.legend.grad", {"widest": show(_largest(amounts))}, "grad"))
        rows.append(("river.legend.width", {}, ""))
        if any(stream.slot is None for stream in self.streams):
            rows.append(("river.legend.groups", {}, ""))
        parts, wide = [], 0.0
        for at, (key, fields, kind) in enumerate(rows):
            y = at * LINE
            if kind:
                parts.append(
                    element("rect", class_=f"ribbon {kind}", x=0.0, y=y - 5, width=14.0, height=14.0)
                )
                parts.append(
                    _head(kind, 7.0, y + 7 if kind == "data" else y - 3, -1 if kind == "data" else 1)
                )
            parts.append(said(key, 24, y + 6, "note", fields, anchor="start"))
            wide = max(wide, 24 + width_of(say(key, **fields), size_of("note")))
        return parts, wide, (len(rows) - 1) * LINE + 12


def _numbers(stream: _Stream) -> tuple[str, str]:
    """What stands beside a stream: the local derivative on one side, the contribution on the other."""
    assert stream.local is not None
    assert stream.amount is not None
    return f"* {show(stream.local)}", show(stream.amount)


def _largest(numbers: Iterable[float]) -> float:
    """The largest by size; a number that is none counts for nothing."""
    return max(numbers, key=lambda x: abs(x) if x == x else -1.0)


def _unit(wide: float, largest: float) -> float:
    """So wide is the largest number; nothing is wide if all are zero."""
    return min(wide / largest, 1e300) if largest else 0.0


def _head(kind: str, x: float, tip: float, sign: int) -> str:
    """The head of an arrow; down for data, up for a gradient."""
    foot = short(tip + sign * 8)
    shape = f"M{short(x - 4)} {foot}L{short(x)} {short(tip)}L{short(x + 4)} {foot}Z"
    return element("path", class_=f"arrow {kind}", d=shape)


if __name__ == "__main__":
    from .demo import demo

    demo(draw)
