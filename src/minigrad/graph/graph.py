"""Graph: an immutable snapshot of the expression below one output.

Everything that explains, checks, breaks or compiles works on a Graph, never on live
Values.  Node i has an op, the indices of its arguments (all smaller than i), a label,
and for a leaf its number.  A node is *active* when a gradient can reach it: it is
below the output and an input is below it.

    graph = Graph.of(L)
    graph.evaluate(ieee, {"a": 2.5})        # any number system, any inputs
    next(graph.orders())                    # the valid backward orders, one by one
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast, overload

from ..ops import OPS, SYMBOLS
from ..scalar import Value
from ..text.excerpts import describe, listed
from ..text.numerals import json_number
from ..text.translation import say
from ..values import ieee
from ..values.custom_rules import learn_local_gradients

if TYPE_CHECKING:
    from ..text.files import JSON
    from ..values.number_systems import N, NumberSystem

__all__ = ["CONSTANT", "CUSTOM", "INPUT", "Graph", "Node"]

T = TypeVar("T")
INPUT, CONSTANT, CUSTOM = "input", "constant", "custom"
SCHEMA = "minigrad.graph/1"


class Node(NamedTuple):
    op: str  # a name of the op table, or INPUT, CONSTANT, CUSTOM
    args: tuple[int, ...] = ()
    label: str = ""
    data: float | None = None  # of a leaf; of a CUSTOM node, what its maker computed
    locals: tuple[float, ...] = ()  # of a CUSTOM node, what its maker said


class Graph:
    """Nodes in creation order, and which of them is the output."""

    def __init__(self, nodes: Sequence[Node], output: int = -1) -> None:
        self.nodes = tuple(nodes)
        if not -len(self.nodes) <= output < len(self.nodes):
            raise ValueError(say("graph.output", output=output, count=len(self.nodes)))
        self.output = output % len(self.nodes)
        for i, node in enumerate(self.nodes):
            if not all(0 <= arg < i for arg in node.args):
                raise ValueError(say("graph.argument", index=i, args=node.args))

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return repr(self.to_json()) == repr(other.to_json())  # texts: NaN equals NaN, 0.0 is not -0.0

    def __hash__(self) -> int:
        return hash((len(self.nodes), self.output))

    def __repr__(self) -> str:
        name = self.names[self.output]
        shown = name if name.isprintable() else repr(name)
        return f"<Graph of {shown}: {len(self.nodes)} nodes, {len(self.inputs)} inputs>"

    # ---- snapshot -----------------------------------------------------------------------

    @classmethod
    def of(cls, output: Value) -> Graph:
        """The graph below a Value, as it was when it was computed."""
        if not isinstance(output, Value):
            raise TypeError(say("graph.type", given=describe(output)))
        found, seen = [output], {output}
        for value in found:  # grows while it is walked
            for child in _children(value):
                if child not in seen:
                    seen.add(child)
                    found.append(child)
        found.sort(key=lambda value: value._index)
        place = {value: i for i, value in enumerate(found)}
        graph = cls([_snapshot(value, place) for value in found])  # the output is the newest of them
        graph._refuse_stale(found)
        return graph

    def _refuse_stale(self, values: Sequence[Value]) -> None:
        """Raise if some .data was changed after the graph was built: it would explain another one."""
        again = self.evaluate()
        for i, value in enumerate(values):
            if again[i] != value.data and not (again[i] != again[i] and value.data != value.data):
                raise ValueError(say("graph.stale", name=self.names[i], now=value.data, again=again[i]))

    # ---- names --------------------------------------------------------------------------

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A distinct name for each node: its label, or x1, k1, v1 ... for what has none."""
        taken = {node.label for node in self.nodes if node.label}
        used: set[str] = set()
        counters = {letter: count(1) for letter in "xkv"}
        repeats: dict[str, Iterator[int]] = {}  # one counter per label, so that many alike take linear time
        names = []
        for i, node in enumerate(self.nodes):
            if node.label:
                name = node.label
                if name in used:
                    name = _fresh(name + "_", repeats.setdefault(name, count(2)), taken)
            elif i == self.output and node.args:
                name = "out" if "out" not in taken else _fresh("out_", count(2), taken)
            else:
                letter = {INPUT: "x", CONSTANT: "k"}.get(node.op, "v")
                name = _fresh(letter, counters[letter], taken)
            used.add(name)
            taken.add(name)
            names.append(name)
        return tuple(names)

    @cached_property
    def inputs(self) -> tuple[int, ...]:
        """The leaves that a gradient is wanted for."""
        return tuple(i for i, node in enumerate(self.nodes) if node.op == INPUT)

    def index(self, name: str) -> int:
        try:
            return self._places[name]
        except KeyError:
            raise KeyError(say("graph.node", name=name, known=listed(self.names))) from None

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def at(self, inputs: Mapping[str, float]) -> Graph:
        """The same graph with other numbers in its inputs."""
        given = self._given(inputs)
        custom = next((i for i, node in enumerate(self.nodes) if node.op == CUSTOM), None)
        if given and custom is not None:
            raise ValueError(say("graph.custom_op", name=self.names[custom]))
        nodes = [node._replace(data=given[i]) if i in given else node for i, node in enumerate(self.nodes)]
        return Graph(nodes, self.output) if given else self

    # ---- evaluation ---------------------------------------------------------------------

    @overload
    def evaluate(
        self, m: Mapping[str, float] = ..., inputs: Mapping[str, float] | None = None
    ) -> list[float]: ...

    @overload
    def evaluate(self, m: NumberSystem[N], inputs: Mapping[str, N] | None = None) -> list[N]: ...

    def evaluate(self, m: object = ieee, inputs: Mapping[str, object] | None = None) -> Sequence[object]:
        """Every node's value in the number system `m`; inputs not named keep their own number.

        `graph.evaluate({"a": 2.5})` is in floats.
        """
        if isinstance(m, Mapping):
            inputs, m = m, ieee
        system = cast("NumberSystem[float]", m)
        given = self._given(inputs or {})
        values: list[object] = []
        for i, (forward, args, data) in enumerate(self._program):
            if forward is not None:
                values.append(forward(m, *[values[arg] for arg in args]))
            elif i in given:
                values.append(given[i])
            elif given and args:
                raise ValueError(say("graph.custom_op", name=self.names[i]))
            else:
                values.append(system.number(cast(float, data)))
        return values

    @cached_property
    def own_values(self) -> tuple[float, ...]:
        """Every node's value at the inputs' own numbers."""
        return tuple(self.evaluate())

    @cached_property
    def _program(self) -> list[tuple[Callable[..., object] | None, tuple[int, ...], float | None]]:
        """Each node's forward formula, None for a leaf or a CUSTOM node, so that it is looked up once."""
        return [(OPS[op].forward if op in OPS else None, args, data) for op, args, _, data, _ in self.nodes]

    def _given(self, inputs: Mapping[str, T]) -> dict[int, T]:
        places = {self.names[i]: i for i in self.inputs}
        for name in inputs:
            if name not in places:
                raise KeyError(say("graph.input", name=name, known=", ".join(places)))
        return {places[name]: number for name, number in inputs.items()}

    @overload
    def locals(self, i: int, values: Sequence[float]) -> tuple[float | None, ...]: ...

    @overload
    def locals(self, i: int, values: Sequence[N], m: NumberSystem[N]) -> tuple[N | float | None, ...]: ...

    def locals(self, i: int, values: Sequence[object], m: object = ieee) -> tuple[object, ...]:
        """The local derivative of node i in each slot; None where it sends no message."""
        node = self.nodes[i]
        if node.op == CUSTOM:
            return node.locals
        if node.op not in OPS:
            return ()
        return OPS[node.op].partials(m, values[i], *[values[arg] for arg in node.args])

    # ---- orders -------------------------------------------------------------------------

    @cached_property
    def active(self) -> tuple[bool, ...]:
        """For each node: can a gradient of the output reach it, and does it want one?"""
        wants: list[bool] = []
        for node in self.nodes:
            wants.append(node.op == INPUT or any(wants[arg] for arg in node.args))
        below = {self.output}
        for i in reversed(range(len(self.nodes))):
            if i in below:
                below.update(self.nodes[i].args)
        return tuple(wanted and i in below for i, wanted in enumerate(wants))

    @cached_property
    def consumers(self) -> tuple[tuple[int, ...], ...]:
        """For each node, the nodes that it is an argument of, oldest first."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for i, node in enumerate(self.nodes):
            for arg in dict.fromkeys(node.args):
                found[arg].append(i)
        return tuple(map(tuple, found))

    @cached_property
    def selective(self) -> bool:
        """Is there an op some of whose slots may send no message?"""
        return any(node.op in OPS and OPS[node.op].selective for node in self.nodes)

    def live(self, rows: Mapping[int, Sequence[object]]) -> tuple[bool, ...]:
        """The active nodes that a message can reach, given each one's local derivatives by slot.

        None in a row is no message: a branch not taken, and what is only below it, is not live.
        """
        live = [False] * len(self.nodes)
        live[self.output] = self.active[self.output]
        for i in range(self.output, -1, -1):
            if live[i]:
                for arg, local in zip(self.nodes[i].args, rows[i], strict=True):
                    live[arg] = live[arg] or (local is not None and self.active[arg])
        return tuple(live)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The backward order that `Value.backward` walks: active nodes, newest first."""
        return tuple(i for i in range(len(self.nodes) - 1, -1, -1) if self.active[i])

    def orders(self) -> Iterator[tuple[int, ...]]:
        """All valid backward orders of the op nodes, beginning with the one that backward walks.

        A node's turn comes when all its consumers have had theirs.  Leaves have no rule to
        apply, so they are left out.  There can be very many: take as many as you need.
        """
        steps = [i for i in self.order if self.nodes[i].args]
        active_args = {
            i: [a for a in self.nodes[i].args if self.nodes[a].args and self.active[a]] for i in steps
        }
        waiting = dict.fromkeys(steps, 0)
        for args in active_args.values():
            for arg in args:
                waiting[arg] += 1
        ready = [i for i in steps if waiting[i] == 0]  # kept sorted
        order: list[int] = []
        bound: float = inf  # at this depth, only nodes older than this are still to be tried
        while True:
            if len(order) == len(steps):
                yield tuple(order)
            spot = bisect_left(ready, bound) - 1
            if spot >= 0:
                node = ready.pop(spot)
                order.append(node)
                for arg in active_args[node]:
                    waiting[arg] -= 1
                    if waiting[arg] == 0:
                        insort(ready, arg)
                bound = inf
            elif order:  # take the last step back
                node = order.pop()
                for arg in active_args[node]:
                    if waiting[arg] == 0:
                        del ready[bisect_left(ready, arg)]
                    waiting[arg] += 1
                insort(ready, node)
                bound = node
            else:
                return

    def refuse_invalid(self, order: Sequence[int]) -> None:
        """Raise, with the reason, unless `order` visits every active op node after its consumers."""
        if why := self._why_invalid(order):
            raise ValueError(say("graph.order", why=why))

    def _why_invalid(self, order: Sequence[int]) -> str:
        if unknown := [node for node in order if node not in range(len(self.nodes))]:
            return say("graph.node", name=unknown[0], known=f"0 ... {len(self.nodes) - 1}")
        spot = {node: position for position, node in enumerate(order)}
        if len(spot) < len(order):
            twice = next(node for node in order if order.count(node) > 1)
            return say("graph.order.twice", name=self.names[twice])
        for i in self.order:
            if self.nodes[i].args and i not in spot:
                return say("graph.order.missing", name=self.names[i])
            for arg in self.nodes[i].args:
                if arg in spot and spot[arg] < spot[i]:
                    return say("graph.order.early", name=self.names[arg], consumer=self.names[i])
        return ""

    # ---- JSON ---------------------------------------------------------------------------

    def to_json(self) -> dict[str, JSON]:
        """Plain data for json.dumps; numbers that JSON lacks are "inf", "-inf" and "nan"."""
        return {
            "schema": SCHEMA,
            "output": self.names[self.output],
            "nodes": [self._node_json(i) for i in range(len(self.nodes))],
        }

    def _node_json(self, i: int) -> dict[str, JSON]:
        """One row of `nodes` in `to_json`."""
        node = self.nodes[i]
        row: dict[str, JSON] = {"name": self.names[i], "op": node.op}
        row["args"] = [self.names[arg] for arg in node.args]
        row["label"] = node.label
        if node.data is not None:
            row["data"] = json_number(node.data)
        if node.op == CUSTOM:
            row["locals"] = [json_number(local) for local in node.locals]
        return row

    @classmethod
    def from_json(cls, document: object) -> Graph:
        """The graph that `to_json` wrote; ValueError for anything that it would not write."""
        from .json_reader import graph_from_json

        return graph_from_json(document)


def _fresh(stem: str, numbers: Iterator[int], taken: set[str]) -> str:
    return next(name for n in numbers if (name := f"{stem}{n}") not in taken)


def _children(value: Value) -> tuple[Value, ...]:
    """What a node was made from; a node that was declared a constant later is a leaf now."""
    return value._children if value.requires_grad else ()


def _snapshot(value: Value, place: Mapping[Value, int]) -> Node:
    args = tuple(place[child] for child in _children(value))
    if not args:
        kind = INPUT if value.requires_grad else CONSTANT
        return Node(kind, (), value.label, float(value.data))
    if value._extra is not None and value._extra.rule is not None:
        return Node(CUSTOM, args, value.label, float(value.data), learn_local_gradients(value))
    if value._op in SYMBOLS:
        return Node(SYMBOLS[value._op].name, args, value.label)
    return Node(CUSTOM, args, value.label, float(value.data), tuple(x or 0.0 for x in value._local_grads))
