"""The picture of docs/en/compile.md: the nodes of examples/layer.py, and the instructions that they become.

A column is a level, a disc a node, a box a group of nodes of one level and one shape: one instruction.  Wires
that pass a column have a place in it, as boxes have.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import minigrad
from minigrad.compiler.passes.groups import NodeGroup, groups_of
from minigrad.compiler.pipeline import plan_of
from minigrad.compiler.scalars import CHAIN, Scalars, arguments_of
from minigrad.drawing.svg import Drawing, element, text
from minigrad.text.translation import pick

__all__ = ["drawing"]

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

RADIUS, STEP, THIN, COLUMN, PAD, LABEL, BETWEEN = 8.0, 24.0, 9.0, 92.0, 10.0, 20.0, 12.0
SWEEPS = 12
ARGUMENTS = ("weights", 6), ("inputs", 3), ("wanted", 2)

TITLE = (
    "The nodes of a layer and its gradient, in groups",
    "Los nodos de una capa y su gradiente, por grupos",
)
WORDS = (
    "Eleven inputs on the left and {nodes} nodes in columns; each of the {groups} boxes around nodes of one "
    "column and one shape is an instruction. Nodes of the gradient are on the right.",
    "Once entradas a la izquierda y {nodes} nodos en columnas; cada una de las {groups} cajas en torno a "
    "nodos de una columna y una forma es una instrucción. Los nodos del gradiente están a la derecha.",
)


@dataclass
class Item:
    """Nodes of one column: a box around them, or the wires that pass it on their way."""

    nodes: list[int]
    label: str = ""  # none for wires
    kind: str = ""  # data, or grad
    places: dict[int, float] = field(default_factory=dict)  # of each node, its height in this column

    @property
    def height(self) -> float:
        return STEP * len(self.nodes) + PAD + LABEL if self.label else THIN * len(self.nodes)

    def put(self, top: float) -> None:
        step, start = (STEP, top + PAD / 2) if self.label else (THIN, top)
        self.places = {node: start + step * (row + 0.5) for row, node in enumerate(self.nodes)}


def _program() -> tuple[Scalars, int]:
    """The layer with its gradient, as `layout` takes it; and its output."""
    from layer import SMALL, loss

    found: dict[str, Any] = {}
    traced = minigrad.compile(loss).scalars(*SMALL)
    plan_of(traced, gradients=range(6), watch=found.__setitem__)
    return found["dead"], found["dead"].outputs[0]


def _label(group: NodeGroup) -> str:
    if not group.op.startswith(CHAIN):
        return group.op
    kinds = [kind for kind, _ in arguments_of(group.op)]
    words = "dot" if "*" in kinds else "sum"
    return "mul" if kinds == ["*"] else f"{words} {len(kinds)}"


def _columns(program: Scalars, output: int) -> list[list[Item]]:
    """The boxes, and the wires that pass between them."""
    groups, _ = groups_of(program)
    columns: list[list[Item]] = [[] for _ in range(1 + max(group.level for group in groups))]
    first = 0
    for name, count in ARGUMENTS:
        columns[0].append(Item(program.inputs[first : first + count], name, "data"))
        first += count
    for group in groups:
        kind = "data" if group.nodes[0] <= output else "grad"
        columns[group.level].append(Item(group.nodes, _label(group), kind))
    column_of = {node: at for at, items in enumerate(columns) for item in items for node in item.nodes}
    last = dict(column_of)  # the column in which a node is needed last
    for node, args in enumerate(program.args):
        for arg in args:
            if arg in last:
                last[arg] = max(last[arg], column_of[node])
    boxes = [(at, item) for at, items in enumerate(columns) for item in items]
    for start, item in boxes:
        for at in range(start + 1, max(last[node] for node in item.nodes)):
            columns[at].append(Item([node for node in item.nodes if last[node] > at]))
    return columns


def _stack(columns: list[list[Item]]) -> float:
    """Give each item its place, from top to bottom, in the middle of the picture; how high that is."""
    heights = [sum(item.height + BETWEEN for item in items) - BETWEEN for items in columns]
    for items, height in zip(columns, heights, strict=True):
        top = PAD + (max(heights) - height) / 2
        for item in items:
            item.put(top)
            top += item.height + BETWEEN
    return max(heights) + 2 * PAD


def _neighbours(program: Scalars, columns: list[list[Item]], at: int, aside: int) -> Any:
    """How high what an item is tied to stands, on average, in the column beside it."""
    beside = {node: y for item in columns[at + aside] for node, y in item.places.items()}

    def mean(item: Item) -> float:
        ties: list[int] = []
        for node in item.nodes:
            ties += [node] if node in beside else []  # its own wire
            if aside < 0 and item.label:
                ties += [arg for arg in program.args[node] if arg in beside]
            elif aside > 0:
                ties += [other for other in beside if node in program.args[other]]
        heights = [beside[tie] for tie in ties]
        return sum(heights) / len(heights) if heights else sum(item.places.values()) / len(item.places)

    return mean


def drawing() -> Drawing:
    program, output = _program()
    columns = _columns(program, output)
    height = _stack(columns)
    for sweep in range(SWEEPS):
        forward = range(1, len(columns))
        for at in forward if sweep % 2 == 0 else reversed(range(len(columns) - 1)):
            columns[at].sort(key=_neighbours(program, columns, at, -1 if sweep % 2 == 0 else 1))
            _stack(columns)
    boxes, discs, names = [], [], []
    for at, items in enumerate(columns):
        x = _x(at)
        for item in filter(lambda item: item.label, items):
            top = item.places[item.nodes[0]] - STEP / 2 - PAD / 2
            inner = item.height - LABEL
            boxes.append(element("rect", class_="box", x=x - 17, y=top, width=34.0, height=inner, rx=9.0))
            names.append(text(item.label, x, top + inner + 15, "small"))
            for y in item.places.values():
                discs.append(element("circle", class_=f"ribbon {item.kind}", cx=x, cy=y, r=RADIUS))
    every = [item for items in columns for item in items if item.label]
    counts = {"nodes": sum(len(item.nodes) for item in every[3:]), "groups": len(every) - len(ARGUMENTS)}
    body = "\n".join([*boxes, *_wires(program, columns), *discs, *names])
    return Drawing(COLUMN * len(columns) + PAD, height, pick(TITLE), pick(WORDS).format(**counts), body)


def _x(column: int) -> float:
    return PAD / 2 + COLUMN * (column + 0.5)


def _wires(program: Scalars, columns: list[list[Item]]) -> list[str]:
    """From each column to the next: into discs, and along wires that go on."""
    found = []
    for at in range(1, len(columns)):
        before = {node: (y, bool(item.label)) for item in columns[at - 1] for node, y in item.places.items()}
        for item in columns[at]:
            for node, y in item.places.items():
                for arg in dict.fromkeys(program.args[node]) if item.label else [node]:
                    if arg in before:
                        y0, disc = before[arg]
                        x0, x1 = _x(at - 1) + RADIUS * disc, _x(at) - RADIUS * bool(item.label)
                        if not item.label:
                            found.append(element("path", class_="axis", d=f"M{x1:.1f} {y:.1f}h18"))
                        found.append(_wire(x0 + (0 if disc else 18), y0, x1, y))
    return found


def _wire(x0: float, y0: float, x1: float, y1: float) -> str:
    middle = (x0 + x1) / 2
    curve = f"M{x0:.1f} {y0:.1f}C{middle:.1f} {y0:.1f} {middle:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"
    return element("path", class_="axis", d=curve)
