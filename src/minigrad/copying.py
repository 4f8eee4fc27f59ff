"""Copying and pickling Values, however deep the graph: no step here recurses.

Several Values in one pickle or one deepcopy keep what they share: a leaf that two
losses have in common is still one leaf afterwards.  For pickle that takes a `Pack`,
a flat list of nodes that the pickler meets once and remembers.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import getitem
from typing import Any
from weakref import ref

from .scalar import Value, _created, _extra_of, _new

__all__ = ["deep", "reduce", "shallow"]


def _blank(cls: type[Value], source: Sequence[Any], children: tuple[Value, ...]) -> Value:
    """A node with the given facts, as the newest node."""
    node = _new(cls)
    node.data, node.grad, node.requires_grad, node._local_grads, node._op, label, state = source
    node._children = children
    node._index = _created()
    node._extra = None
    if label:
        node.label = label
    if state:
        node.__dict__.update(state)
    return node


def _facts(node: Value) -> tuple[Any, ...]:
    """All that a copy keeps, but for the children.  Hooks stay behind, as in PyTorch."""
    return (
        node.data, node.grad, node.requires_grad, node._local_grads, node._op, node.label,
        getattr(node, "__dict__", None),
    )  # fmt: skip


def _below(root: Value, known: Any) -> list[Value]:
    """The nodes below a root that are not known yet, oldest first; constants too."""
    found, seen = [root], {root}
    for node in found:  # grows while it is walked
        for child in node._children:
            if child not in seen and not known(child):
                seen.add(child)
                found.append(child)
    found.sort(key=lambda node: node._index)
    return found


def _refuse_rules(nodes: list[Value]) -> None:
    from .messages import say

    for node in nodes:
        if node._extra is not None and node._extra.rule is not None:
            raise TypeError(say("copy.rule", name=node.label or repr(node)))


def shallow(node: Value) -> Value:
    """A second node with the same children."""
    copy = _blank(type(node), _facts(node), node._children)
    if node._extra is not None and node._extra.rule is not None:
        _extra_of(copy).rule = node._extra.rule
    return copy


def deep(root: Value, memo: dict[int, Any]) -> Value:
    nodes = _below(root, lambda node: id(node) in memo)
    _refuse_rules(nodes)
    for node in nodes:
        children = tuple(memo[id(child)] for child in node._children)
        memo[id(node)] = _blank(type(node), _facts(node), children)
    memo.setdefault(id(memo), []).extend(nodes)  # deepcopy's way to keep the ids alive
    copy: Value = memo[id(root)]
    return copy


# ---- pickle -----------------------------------------------------------------------------------


class Pack:
    """Some nodes, oldest first, whose children are in this pack or in earlier ones.

    A pack lives as long as a pickler remembers it; while it lives, its nodes are pickled
    as places in it.  It holds the nodes only: their facts are read when it is written.
    """

    __slots__ = ("__weakref__", "nodes")

    def __init__(self, nodes: list[Value]) -> None:
        self.nodes = nodes
        me = ref(self)
        _places.update((id(node), (me, i)) for i, node in enumerate(nodes))

    def __del__(self) -> None:
        for node in self.nodes:
            _places.pop(id(node), None)

    def __reduce__(self) -> tuple[Any, ...]:
        place = {node: i for i, node in enumerate(self.nodes)}
        others: dict[Value, int] = {}  # children that other packs hold
        rows = []
        for node in self.nodes:
            spots = tuple(
                place[child] if child in place else -1 - others.setdefault(child, len(others))
                for child in node._children
            )
            rows.append((*_facts(node), spots))
        classes = list(dict.fromkeys(type(node) for node in self.nodes))
        kinds = [classes.index(type(node)) for node in self.nodes] if len(classes) > 1 else []
        return _unpack, (classes, kinds, rows, [_place(node) for node in others])


_places: dict[int, tuple[ref[Pack], int]] = {}  # where the nodes of living packs are


def _place(node: Value) -> tuple[Pack, int] | None:
    found = _places.get(id(node))
    pack = found and found[0]()
    return (pack, found[1]) if found and pack else None


def reduce(node: Value) -> tuple[Any, ...]:
    place = _place(node)
    if place is None:
        nodes = _below(node, lambda child: id(child) in _places)
        _refuse_rules(nodes)
        place = Pack(nodes), nodes.index(node)
    return getitem, place


def _unpack(
    classes: list[type[Value]],
    kinds: list[int],
    rows: list[tuple[Any, ...]],
    elsewhere: list[tuple[list[Value], int]],
) -> list[Value]:
    """A pack read back: the list of its nodes."""
    nodes: list[Value] = []
    for i, (*facts, spots) in enumerate(rows):
        children = tuple([nodes[s] if s >= 0 else getitem(*elsewhere[-1 - s]) for s in spots])
        nodes.append(_blank(classes[kinds[i] if kinds else 0], facts, children))
    return nodes
