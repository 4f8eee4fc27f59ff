"""Copies and pickles of Values, however deep the graph: no step here recurses.

Several Values in one pickle or one deepcopy keep what they share: a leaf that two
losses have in common is still one leaf afterwards.  For pickle that takes a `Pack`,
a flat list of nodes that the pickler meets once and remembers.

A copy keeps its place in the order of creation, so a pass over it runs in the same order
as over the original, and to the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from operator import getitem
from threading import local
from typing import Any, TypeAlias, cast
from weakref import ref

from ..scalar import Value, _new
from ..text.translation import say

__all__ = ["deep", "reduce", "shallow"]

Facts: TypeAlias = tuple[int, float, float, bool, tuple[float | None, ...], str, str]

EARLIER = 1 << 40  # what is read back is older than every node that this process makes


def _facts(node: Value) -> Facts:
    """All that a copy keeps, but for children and attributes.  Hooks stay behind, as in PyTorch."""
    return (
        node._index, node.data, node.grad, node.requires_grad, node._local_grads, node._op, node.label,
    )  # fmt: skip


def _blank(cls: type[Value], facts: Facts, children: tuple[Value, ...]) -> Value:
    """A node with the given facts."""
    node = _new(cls)
    node._extra = None
    node._children = children
    node._index, node._data, node.grad, node.requires_grad, node._local_grads, node._op, label = facts
    if label:
        node.label = label
    return node


def _attributes(node: Value) -> dict[str, object]:
    """What a subclass has added, in slots or not."""
    if type(node) is Value:
        return {}
    added, slots = cast("tuple[dict[str, object] | None, dict[str, object]]", object.__getstate__(node))
    return {**(added or {}), **{name: x for name, x in slots.items() if name not in Value.__slots__}}


def _add_attributes(node: Value, attributes: Mapping[str, object]) -> None:
    for name, attribute in attributes.items():
        object.__setattr__(node, name, attribute)


def _below(root: Value, known: Callable[[Value], object]) -> list[Value]:
    """The nodes below a root that are not known yet, oldest first, the root last; constants too."""
    found, seen = [root], {root}
    for node in found:  # grows while it is walked
        for child in node._children:
            if child not in seen and not known(child):
                seen.add(child)
                found.append(child)
    found.sort(key=lambda node: node._index)
    return found


def _refuse_rules(nodes: list[Value]) -> None:
    for node in nodes:
        if node._extra is not None and node._extra.rule is not None:
            raise TypeError(say("copy.rule", name=node.label or repr(node)))


def shallow(node: Value) -> Value:
    """A second node with the same children."""
    _refuse_rules([node])
    copy = _blank(type(node), _facts(node), node._children)
    _add_attributes(copy, _attributes(node))
    return copy


def deep(root: Value, memo: dict[int, Any]) -> Value:
    nodes = _below(root, lambda node: id(node) in memo)
    _refuse_rules(nodes)
    for node in nodes:
        children = tuple(memo[id(child)] for child in node._children)
        memo[id(node)] = _blank(type(node), _facts(node), children)
    memo.setdefault(id(memo), []).extend(nodes)  # deepcopy's way to keep the ids alive
    for node in nodes:
        if attributes := _attributes(node):
            _add_attributes(memo[id(node)], deepcopy(attributes, memo))
    copy: Value = memo[id(root)]
    return copy


# ---- pickle -----------------------------------------------------------------------------------


class _CopyPlaces(local):
    """Where the nodes of living packs are.  One per thread, since each thread has its own picklers."""

    def __init__(self) -> None:
        self.of: dict[int, tuple[ref[Pack], int]] = {}


_places = _CopyPlaces()


class Pack:
    """Some nodes, oldest first, whose children are in this pack or `elsewhere`, in earlier ones.

    A pack lives as long as a pickler remembers it; while it lives, its nodes are pickled
    as places in it.  It holds the nodes only: their facts are read when it is written.
    """

    __slots__ = ("__weakref__", "elsewhere", "nodes", "places")

    def __init__(self, nodes: list[Value], elsewhere: dict[Value, tuple[Pack, int]]) -> None:
        self.nodes, self.elsewhere, self.places = nodes, elsewhere, _places.of
        me = ref(self)
        self.places.update((id(node), (me, i)) for i, node in enumerate(nodes))

    def __del__(self) -> None:
        for node in self.nodes:
            self.places.pop(id(node), None)

    def __reduce__(self) -> tuple[object, ...]:
        place = {node: i for i, node in enumerate(self.nodes)}
        place |= {node: -1 - i for i, node in enumerate(self.elsewhere)}
        rows = [(*_facts(node), tuple([place[child] for child in node._children])) for node in self.nodes]
        classes = list(dict.fromkeys(type(node) for node in self.nodes))
        kinds = [classes.index(type(node)) for node in self.nodes] if len(classes) > 1 else []
        content = (classes, kinds, rows, list(self.elsewhere.values()))
        attributes = {i: added for i, node in enumerate(self.nodes) if (added := _attributes(node))}
        if not attributes:
            return _unpack, content
        # Attributes come last, because they may hold nodes of this very pack.
        return _unpack, content, attributes, None, None, _unpack_attributes


def _place(node: Value) -> tuple[Pack, int] | None:
    found = _places.of.get(id(node))
    pack = found and found[0]()
    return (pack, found[1]) if found and pack else None


def reduce(node: Value) -> tuple[object, tuple[Pack, int]]:
    place = _place(node)
    if place is None:
        elsewhere: dict[Value, tuple[Pack, int]] = {}

        def known(child: Value) -> bool:
            there = _place(child)
            if there is not None:
                elsewhere[child] = there
            return there is not None

        nodes = _below(node, known)
        _refuse_rules(nodes)
        place = Pack(nodes, elsewhere), len(nodes) - 1
    return getitem, place


def _unpack(
    classes: list[type[Value]],
    kinds: list[int],
    rows: list[tuple[Any, ...]],  # the facts of each node, and the places of its children
    elsewhere: list[tuple[list[Value], int]],
) -> list[Value]:
    """A pack read back: the list of its nodes."""
    nodes: list[Value] = []
    for i, (index, *facts, spots) in enumerate(rows):
        children = tuple([nodes[s] if s >= 0 else getitem(*elsewhere[-1 - s]) for s in spots])
        nodes.append(_blank(classes[kinds[i] if kinds else 0], (index - EARLIER, *facts), children))
    return nodes


def _unpack_attributes(nodes: list[Value], attributes: Mapping[int, Mapping[str, object]]) -> None:
    for i, added in attributes.items():
        _add_attributes(nodes[i], added)
