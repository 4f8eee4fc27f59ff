"""Titles of the boxes in the graph and in the river, and boxes that stand for many nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps

from ..graph import Graph
from ..graph.wording import name, recipe
from ..text.translation import pick
from .scene import SceneItem
from .styled_lines import clip_to_columns
from .svg import element, text

__all__ = ["LINE", "lines_of", "stand_in", "title_of"]

LINE = 20.0  # from one line of a box to the next
WIDEST = 34  # columns of a node's title


def title_of(graph: Graph, i: int) -> str:
    """A node's name, and how it is made."""
    label = name(graph, i)
    return clip_to_columns(f"{label} = {recipe(graph, i)}" if graph.nodes[i].args else label, WIDEST)


def lines_of(graph: Graph, item: SceneItem) -> list[tuple[str, str]]:
    """The lines of a stand-in, each in English and Spanish."""
    if item.node is not None:
        label = clip_to_columns(name(graph, item.node), WIDEST)
        return [(label, label)]
    english, spanish = (title.split("|") for title in item.title)
    return list(zip(english, spanish, strict=True))


def stand_in(graph: Graph, item: SceneItem, corner: Mapping[str, float], x: float, top: float) -> str:
    """A group, or what is outside the one that is open."""
    texts = [
        text(pick(pair), x, top + at * LINE, "note counter" if at else "name", data_words=dumps(pair))
        for at, pair in enumerate(lines_of(graph, item))
    ]
    return element(
        "g",
        element("rect", class_="box", rx=8, **corner),
        *texts,
        class_="node outside" if item.outside else "node group",
        data_node=item.node,
        data_group=item.group or None,
        data_members=_ranges(item.members) if item.node is None else None,
    )


def _ranges(members: Sequence[int]) -> str:
    """1-4,7: the members of a group in few characters."""
    runs: list[list[int]] = []
    for i in members:
        if runs and runs[-1][1] == i - 1:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
