"""Random graphs over the op table, the same ones for the same number.

    graph = random_graph(17)                     # over all ops
    graph = random_graph(17, EXACT)              # over the ops of arithmetic
    y, leaves = as_values(graph)                 # the same graph as Values
    y, leaves = as_tensors(graph)                # and as PyTorch scalars

A graph has 3 to 6 inputs and 5 to 25 op nodes, in one of several shapes: a chain, diamonds,
a wide fan-out of one node, or a mixture; with reuse of inner nodes, one node in two slots,
and constants on either side.  Everything that was computed reaches the output.

Every node is inside its op's domain, 1e-6 or more away from a kink, and small in value and
in slope, so that a disagreement of gradients is a mistake and not a matter of conditioning.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from minigrad import Graph, Value
from minigrad import functions as F  # noqa: N812 as users write it
from minigrad.graph import CONSTANT, INPUT, Node
from minigrad.ops import MANY, OPS
from minigrad.values import ieee
from operators import OPERATORS

if TYPE_CHECKING:
    import torch

__all__ = ["EXACT", "as_tensors", "as_values", "random_graph", "random_seed"]

EXACT = ("add", "sub", "mul", "div", "neg", "relu", "abs", "maximum", "minimum")

AWAY = 1e-6  # from a kink
LARGEST_VALUE, LARGEST_SLOPE = 300.0, 100.0
LARGEST_GRADIENT = 300.0  # summed over paths without regard to sign
LARGEST_DOUBT = 5e3  # in units of 1e-16: how much the roundings below a node can move a gradient


# ---- where an op is smooth ------------------------------------------------------------------


def _apart(*xs: float) -> bool:
    """No two of these numbers are nearly equal."""
    ordered = sorted(xs)
    return all(high - low > AWAY for low, high in zip(ordered, ordered[1:]))  # noqa: RUF007, B905 pairs


def _power(x: float, p: float) -> bool:
    return x > 0.05 or (abs(x) > 0.05 and p == int(p) and abs(p) <= 4.0)


def _extreme(*xs: float) -> bool:
    return len(set(xs)) == len(xs) and _apart(*xs)


SMOOTH: dict[str, Callable[..., bool]] = {
    "div": lambda x, y: abs(y) > 0.05,
    "pow": _power,
    "abs": lambda x: abs(x) > AWAY,
    "sign": lambda x: abs(x) > AWAY,
    "reciprocal": lambda x: abs(x) > 0.05,
    "log": lambda x: x > 0.05,
    "log2": lambda x: x > 0.05,
    "log10": lambda x: x > 0.05,
    "log1p": lambda x: x > -0.95,
    "sqrt": lambda x: x > 0.01,
    "cbrt": lambda x: abs(x) > 0.01,
    "arcsin": lambda x: abs(x) < 0.99,
    "arccos": lambda x: abs(x) < 0.99,
    "arccosh": lambda x: x > 1.01,
    "arctanh": lambda x: abs(x) < 0.99,
    "arctan2": lambda y, x: abs(y) > 0.05 or x > 0.05,
    "hypot": lambda x, y: abs(x) + abs(y) > 0.05,
    "relu": lambda x: abs(x) > AWAY,
    "leaky_relu": lambda x, slope: abs(x) > AWAY,
    "elu": lambda x, scale: abs(x) > AWAY,
    "maximum": _apart,
    "minimum": _apart,
    "clamp": lambda x, low, high: low < high and _apart(x, low, high),
    "where": lambda c, x, y: c == 0.0 or abs(c) > AWAY,
    "greater": _apart,
    "greater_equal": _apart,
    "less": _apart,
    "less_equal": _apart,
    "max": _apart,
    "min": _apart,
}


# ---- making one -----------------------------------------------------------------------------


def random_seed(number: int) -> float:
    """The seed of the backward pass of graph `number`: never 1, which would hide a lost factor."""
    return random.Random(f"seed {number}").choice((-1.0, 1.0)) * random.Random(number).uniform(1.1, 3.0)


def random_graph(number: int, ops: Sequence[str] = tuple(OPS)) -> Graph:
    """Graph `number` over these ops."""
    draw = random.Random(f"graph {number} over {len(ops)} ops")
    while True:
        graph = _Maker(draw, tuple(ops)).graph()
        if graph is not None:
            return graph


class _Maker:
    def __init__(self, draw: random.Random, ops: tuple[str, ...]) -> None:
        self.draw, self.ops = draw, ops
        self.nodes: list[Node] = []
        self.values: list[float] = []
        self.locals: list[tuple[float | None, ...]] = []
        self.unused: list[int] = []  # op nodes that nothing consumes yet
        self.active: list[int] = []  # nodes with an input below them
        self.shape = draw.choice(("chain", "diamonds", "fan", "mixture", "mixture"))

    def graph(self) -> Graph | None:
        for _ in range(self.draw.randint(3, 6)):
            self.active.append(self._leaf(INPUT, self.draw.choice((-1.0, 1.0)) * self.draw.uniform(0.1, 2.5)))
        wanted, tries = self.draw.randint(5, 22), 0
        while len(self.unused) < 1 or self._op_count() < wanted:
            self._try_op(self.draw.choice(self.ops))
            tries += 1
            if tries > 400:
                return None
        if not self._join() or not 5 <= self._op_count() <= 25:
            return None
        graph = Graph(self.nodes)
        return graph if graph.active[graph.output] and self._well_conditioned(graph) else None

    def _op_count(self) -> int:
        return sum(bool(node.args) for node in self.nodes)

    def _leaf(self, kind: str, data: float) -> int:
        self.nodes.append(Node(kind, (), "", data))
        self.values.append(data)
        self.locals.append(())
        return len(self.nodes) - 1

    def _try_op(self, op: str) -> bool:
        least, most = OPS[op].arity
        least += len(OPS[op].defaults)  # a graph holds every argument
        count = self.draw.randint(least, min(most, max(least, 4)))
        count += op == "dot" and count % 2
        picked = [self._pick(slot) for slot in range(count)]
        if count > 1 and self.draw.random() < 0.15:
            picked[-1] = picked[0]  # one node in two slots
        if op == "where" and self.draw.random() < 0.5:
            picked[0] = (0.0,)
        if not any(isinstance(node, int) for node in picked):
            picked[self.draw.randrange(count)] = self.draw.choice(self.active)
        xs = [self.values[node] if isinstance(node, int) else node[0] for node in picked]
        if not self._good(op, xs):
            return False
        args = tuple(node if isinstance(node, int) else self._leaf(CONSTANT, node[0]) for node in picked)
        self._add(op, args)
        return True

    def _pick(self, slot: int) -> int | tuple[float]:
        """A node, or a number for a new constant."""
        chance = self.draw.random()
        if chance < 0.15:
            return (self.draw.choice((-2.0, -1.0, 0.5, 2.0, 3.0, self.draw.uniform(-3.0, 3.0))),)
        if self.shape == "chain" and slot == 0:
            return self.unused[-1] if self.unused else self.draw.choice(self.active)
        if self.shape == "diamonds":
            return self.draw.choice(self.active[-2:] if chance < 0.8 else self.active)
        if self.shape == "fan" and chance < 0.55:
            return self.active[min(len(self.active) - 1, 7)]  # one inner node that many use
        return self.draw.choice(self.active)

    def _good(self, op: str, xs: Sequence[float]) -> bool:
        if op in SMOOTH and not SMOOTH[op](*xs):
            return False
        value = OPS[op].forward(ieee, *xs)
        if not isfinite(value) or abs(value) > LARGEST_VALUE:
            return False
        slopes = OPS[op].partials(ieee, value, *xs)
        return all(s is None or abs(s) <= LARGEST_SLOPE for s in slopes) or (op == "pow" and xs[0] < 0.0)

    def _add(self, op: str, args: tuple[int, ...]) -> None:
        xs = [self.values[arg] for arg in args]
        self.nodes.append(Node(op, args))
        self.values.append(OPS[op].forward(ieee, *xs))
        self.locals.append(OPS[op].partials(ieee, self.values[-1], *xs))
        self.unused = [node for node in self.unused if node not in args] + [len(self.nodes) - 1]
        self.active.append(len(self.nodes) - 1)

    def _join(self) -> bool:
        """Bring what nothing has consumed together in one output."""
        while len(self.unused) > 1:
            if "sum" in self.ops and self.draw.random() < 0.5:
                self._add("sum", tuple(self.unused))
                continue
            ways = [op for op in ("add", "sub", "mul") if op in self.ops]
            pair = (self.unused[0], self.unused[-1])
            self._add(self.draw.choice(ways), pair)
            if abs(self.values[-1]) > LARGEST_VALUE:
                return False
        return True

    def _well_conditioned(self, graph: Graph) -> bool:
        """No gradient is steep, and none hangs on the last bits of a value below it."""
        above = [0.0] * len(graph)  # how the output moves with a node, over all paths
        above[graph.output] = 1.0
        for i in graph.order:
            for arg, local in zip(graph.nodes[i].args, self.locals[i], strict=True):
                if local is not None and graph.active[arg]:
                    above[arg] += abs(local) * above[i]
        below = [1.0] * len(graph)  # how a node moves with the inputs
        rounding = [0.0] * len(graph)  # how far it may be off
        for i, node in enumerate(graph.nodes):
            if not node.args or not graph.active[i]:
                continue
            slopes = [abs(s) if s is not None else 0.0 for s in self.locals[i]]
            slopes = [s if graph.active[arg] else 0.0 for s, arg in zip(slopes, node.args, strict=True)]
            below[i] = sum(s * below[arg] for s, arg in zip(slopes, node.args, strict=True))
            rounding[i] = sum(s * rounding[arg] for s, arg in zip(slopes, node.args, strict=True))
            rounding[i] += abs(self.values[i])
            if any(above[i] * rounding[arg] * below[arg] > LARGEST_DOUBT for arg in node.args):
                return False
        return all(slope <= LARGEST_GRADIENT for slope in above)


# ---- the same graph elsewhere ---------------------------------------------------------------

_WRITTEN = {**OPERATORS, "abs": abs}


def as_values(graph: Graph) -> tuple[Value, list[Value]]:
    """The output and the inputs; constants are plain numbers, as a person would write them."""
    made: list[Any] = []
    leaves = []
    for node in graph.nodes:
        args = [made[arg] for arg in node.args]
        if node.op == INPUT:
            leaves.append(Value(node.data))
            made.append(leaves[-1])
        elif node.op == CONSTANT:
            made.append(node.data)
        elif node.op in _WRITTEN:
            made.append(_WRITTEN[node.op](*args))
        elif node.op == "dot":
            made.append(F.dot(args[: len(args) // 2], args[len(args) // 2 :]))
        elif OPS[node.op].arity[1] == MANY:
            made.append(getattr(F, node.op)(args))
        else:
            made.append(getattr(F, node.op)(*args))
    return made[graph.output], leaves


def as_tensors(graph: Graph) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """The output and the inputs, for graphs over EXACT."""
    import torch  # the rest is for an interpreter without it too

    functions = {**_WRITTEN, "relu": torch.relu, "maximum": torch.maximum, "minimum": torch.minimum}
    made: list[torch.Tensor] = []
    for node in graph.nodes:
        if node.args:
            made.append(functions[node.op](*[made[arg] for arg in node.args]))
        else:
            made.append(torch.tensor(node.data, dtype=torch.float64, requires_grad=node.op == INPUT))
    return made[graph.output], [made[i] for i in graph.inputs]
