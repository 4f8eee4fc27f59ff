"""River of a model: data flows down from module to module, and the ribbons are the gradient that flows up.

A box is a stretch of the pass that ran in one module; of a large model, modules are taken together until
the boxes fit on a page. A ribbon is as wide as the norm of what went from one to the other, on a scale of
powers of ten; its colour is its health, and what is not healthy is also dashed or hatched, and named in its
box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot, isfinite, log10

from ..drawing.layout import Box, Wire, layout
from ..drawing.ribbons import SLACK, outline, way
from ..drawing.svg import Drawing, element, text, width_of
from ..text.numerals import show
from ..text.translation import say
from .tensor_trace import GradientSize, TensorTrace, TraceNode

__all__ = ["ModuleRun", "draw", "module_runs", "worst_health"]

MOST = 24  # boxes of a river
WIDEST, NARROWEST, DECADE = 26.0, 1.5, 5.0  # of a ribbon; and how much of it is a factor of ten
PADDING, LINE, MARGIN = 14.0, 20.0, 18.0
HEALTHS = ("broken", "zero", "sparse", "right")  # the worst first


@dataclass(slots=True, eq=False)
class ModuleRun:
    """A stretch of the pass in one module."""

    index: int
    module: str
    depth: int  # how many parts of the names of modules tell its neighbours apart
    nodes: list[TraceNode] = field(default_factory=list)
    parameters: list[TraceNode] = field(default_factory=list)
    sends: dict[int, float] = field(default_factory=dict)  # the norm of what went to another stretch
    sizes: list[GradientSize] = field(default_factory=list)  # of what was sent within it and out of it

    @property
    def health(self) -> str:
        return worst_health(self.sizes)

    @property
    def name(self) -> str:
        return self.module or say("xray.outside")


def worst_health(sizes: Sequence[GradientSize]) -> str:
    """Broken where anything is; zero where everything is."""
    if any(not size.finite for size in sizes):
        return "broken"
    if sizes and all(not size.norm for size in sizes):
        return "zero"
    return "sparse" if sizes and all(size.health in ("sparse", "zero") for size in sizes) else "right"


def module_runs(trace: TensorTrace, within: ModuleRun | None = None, most: int = MOST) -> list[ModuleRun]:
    """The stretches of a pass, or of one of its stretches, from the loss on.

    Modules are taken together where there are too many.
    """
    nodes = (
        [node for node in trace.nodes if not hasattr(node.node, "variable")]
        if within is None
        else within.nodes
    )
    deepest = max((node.module.count(".") + 1 for node in nodes if node.module), default=0)
    least = 0 if within is None else within.depth + 1
    runs: list[ModuleRun] = []
    for depth in range(deepest, least - 1, -1):
        runs = _runs(trace, nodes, depth)
        if len(runs) <= most:
            break
    return runs


def _runs(trace: TensorTrace, nodes: Sequence[TraceNode], depth: int) -> list[ModuleRun]:
    """Stretches of neighbours in the order of the pass: what lies between them can make no circle."""
    runs: list[ModuleRun] = []
    of_node: dict[int, int] = {}
    for node in nodes:
        module = ".".join(node.module.split(".")[:depth]) if node.module else ""
        if not runs or runs[-1].module != module:
            runs.append(ModuleRun(len(runs), module, depth))
        runs[-1].nodes.append(node)
        of_node[node.index] = runs[-1].index
    for run in runs:
        for node in run.nodes:
            for part in node.sent:
                target = of_node.get(part.target)
                if part.size is None:
                    continue
                run.sizes.append(part.size)
                leaf = trace.nodes[part.target]
                if leaf.parameter and leaf not in run.parameters:
                    run.parameters.append(leaf)
                if target is not None and target != run.index:
                    run.sends[target] = hypot(run.sends.get(target, 0.0), part.size.norm)
    return runs


def draw(trace: TensorTrace, runs: Sequence[ModuleRun], link: str = "run-") -> Drawing:
    """The river; each box leads to the element `link` and its number."""
    order = list(reversed(runs))  # the layout runs down, as data does
    place = {run.index: at for at, run in enumerate(order)}
    flows = [
        (place[target], place[run.index], norm, run) for run in runs for target, norm in run.sends.items()
    ]
    finite = [norm for *_, norm, _ in flows if isfinite(norm) and norm]
    top = max(finite, default=1.0)
    labels = [_lines(run) for run in order]
    boxes = [
        Box(max(width_of(words) for words, _ in lines) + 2 * PADDING, LINE * len(lines) + 14 + 2 * SLACK)
        for lines in labels
    ]
    wires = [Wire(tail, head, None, _width(norm, top)) for tail, head, norm, _ in flows]
    placed = layout(boxes, wires, "down")
    parts = []
    for (_, _, norm, run), route in zip(flows, placed.routes, strict=True):
        kind = "right" if isfinite(norm) and norm else "zero" if not norm else "broken"
        kind = "sparse" if kind == "right" and run.health == "sparse" else kind
        title = element("title", f"{show(norm, 4)}")
        parts.append(
            element("path", title, class_=f"ribbon flow {kind}", d=outline(way(route), _width(norm, top)))
        )
    for run, lines, box, (x, y) in zip(order, labels, boxes, placed.boxes, strict=True):
        high = box.height - 2 * SLACK
        inside = [
            element("rect", class_=f"box {run.health}", x=x - box.width / 2, y=y - high / 2,
                    width=box.width, height=high, rx=8)
        ]  # fmt: skip
        inside += [
            text(words, x, y - high / 2 + 21 + at * LINE, kind) for at, (words, kind) in enumerate(lines)
        ]
        parts.append(element("a", *inside, href=f"#{link}{run.index}"))
    body = element("g", *parts, transform=f"translate({MARGIN} {MARGIN})")
    width, height = placed.width + 2 * MARGIN, placed.height + 2 * MARGIN
    return Drawing(width, height, say("xray.page.river"), say("xray.page.river.words"), body)


def _lines(run: ModuleRun) -> list[tuple[str, str]]:
    arrived = hypot(*(node.norm for node in run.nodes[:1]))
    lines = [(run.name, "name"), (f"grad {show(arrived, 4)}", "grad")]
    own = [node.arrived[0] for node in run.parameters if node.arrived and node.arrived[0] is not None]
    if own:
        norm = show(hypot(*(size.norm for size in own)), 4)
        lines.append(
            (
                say(
                    f"xray.page.{'one_parameter' if len(own) == 1 else 'parameters'}",
                    count=len(own),
                    norm=norm,
                ),
                "local",
            )
        )
    if run.health != "right":
        lines.append((say(f"xray.health.{run.health}"), "wrong" if run.health == "broken" else "note"))
    return lines


def _width(norm: float, top: float) -> float:
    """A ribbon's width: a factor of ten is `DECADE`, and the largest is `WIDEST`."""
    if not isfinite(norm):
        return WIDEST
    if not norm:
        return NARROWEST
    return max(NARROWEST, WIDEST + DECADE * log10(norm / top))
