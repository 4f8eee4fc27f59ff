"""Random programs of scalars for tests of the compiler, the same ones for the same number; and their oracle.

    program, point = random_program(17)          # vectors made by loops, as people write them: wild numbers
    program, point = smooth_program(17)          # a graph of generator.py: tame numbers, all ops
    value, grads = eagerly(program, point)       # what Values say: the engine, one node at a time

A wild program is made of steps on whole vectors (a layer of dot products, an op on every element, a choice,
a reduction, a look-up), as loops over scalars would record them, so that there is something to find for
a compiler; then of picks across them, so that not all of it is regular.  Its inputs are any numbers: zeros of
both signs, kinks, infinities, NaN.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf, nan
from typing import Any

from minigrad import Value, take
from minigrad import functions as F  # noqa: N812 as users write it
from minigrad.compiler.scalars import CONSTANT, INPUT, Guard, Scalars
from minigrad.graph import Graph
from minigrad.ops import MANY, OPS
from operators import OPERATORS
from random_graphs import random_graph

__all__ = [
    "as_python", "bits", "eagerly", "indices_of", "of_graph", "points_of", "random_program", "smooth_program",
]  # fmt: skip

WILD = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, inf, -inf, nan, 1e300, -1e-300, 5e-324, 710.0, -745.0, 40.0, 3.0)


def bits(x: float) -> str:
    """A number to the last bit; one NaN is as good as another."""
    return "nan" if x != x else float(x).hex()


# ---- the oracle -----------------------------------------------------------------------------------


def eagerly(program: Scalars, point: Sequence[float]) -> tuple[list[float], list[float]]:
    """The outputs, and the gradient of the first of them, by the engine."""
    indices = indices_of(program)
    leaves = [int(x) if j in indices else Value(x) for j, x in enumerate(point)]
    made = as_python(program, leaves)
    if made[0].requires_grad:
        made[0].backward()
    return [value.data for value in made], [0.0 if isinstance(leaf, int) else leaf.grad for leaf in leaves]


def as_python(program: Scalars, inputs: Sequence[Any]) -> list[Value]:
    """The outputs, as a person's code computes them from Values, and from an int for an index."""
    leaves = dict(zip(program.inputs, inputs, strict=True))
    made: list[Any] = []
    for node, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        xs = [made[arg] for arg in args]
        if op == INPUT:
            made.append(leaves[node])
        elif op == CONSTANT:
            made.append(Value(program.data[node], requires_grad=False))
        elif op == "stop":
            made.append(xs[0].detach())
        elif op == "take":
            made.append(take(xs[1:], xs[0]))
        else:
            made.append(_applied(op, xs))
    return [made[node] for node in program.outputs]


def _applied(op: str, xs: list[Value]) -> Value:
    if op in OPERATORS:
        return OPERATORS[op](*xs)
    if op == "dot":
        return F.dot(xs[: len(xs) // 2], xs[len(xs) // 2 :])
    return getattr(F, op)(xs) if OPS[op].arity[1] == MANY else getattr(F, op)(*xs)


# ---- tame ones --------------------------------------------------------------------------------------


def of_graph(graph: Graph) -> tuple[Scalars, list[float]]:
    """A graph as scalars, and the numbers in its inputs."""
    program, point = Scalars(), []
    for i, node in enumerate(graph.nodes):
        program.add(node.op, *node.args)
        if node.op == INPUT:
            program.inputs.append(i)
            point.append(node.data)
        elif node.op == CONSTANT:
            program.data[i] = node.data
    program.outputs.append(graph.output)
    return program, point


def smooth_program(number: int) -> tuple[Scalars, list[float]]:
    return of_graph(random_graph(number))


# ---- wild ones --------------------------------------------------------------------------------------

UNARY = [op.name for op in OPS.values() if op.arity == (1, 1)]
BINARY = [op.name for op in OPS.values() if op.arity == (2, 2)]
TERNARY = [op.name for op in OPS.values() if op.arity[1] == 3]
WITH_DEFAULT = [op.name for op in OPS.values() if op.defaults]
REDUCTIONS = [op.name for op in OPS.values() if op.arity[1] == MANY]


def random_program(number: int) -> tuple[Scalars, list[float]]:
    draw = random.Random(f"program {number}")
    return _Maker(draw).made()


def points_of(number: int, program: Scalars, point: Sequence[float], count: int) -> list[list[float]]:
    """More points: the same program at other numbers, many of them special, and at other indices."""
    draw, indices = random.Random(f"points {number}"), indices_of(program)
    found = [list(point)]
    for _ in range(count - 1):
        special = draw.random()
        found.append(
            [
                float(draw.randrange(indices[j])) if j in indices else _number(draw, special)
                for j in range(len(point))
            ]
        )
    return found


def indices_of(program: Scalars) -> dict[int, int]:
    """The inputs that say which row to take, and so are integers; of each, from how many rows."""
    rows: dict[int, int] = {}
    for op, args in zip(program.ops, program.args, strict=True):
        if op == "take":
            rows[args[0]] = min(len(args) - 1, rows.get(args[0], len(args)))
    return {j: rows[node] for j, node in enumerate(program.inputs) if node in rows}


def _number(draw: random.Random, special: float) -> float:
    if draw.random() < special:
        return draw.choice(WILD)
    return draw.choice((draw.uniform(-3.0, 3.0), draw.gauss(0.0, 1.0), float(draw.randint(-2, 2))))


class _Maker:
    def __init__(self, draw: random.Random) -> None:
        self.draw, self.program = draw, Scalars()
        self.point: list[float] = []
        self.vectors: list[list[int]] = []
        self.special = draw.choice((0.0, 0.0, 0.1, 0.5))

    def made(self) -> tuple[Scalars, list[float]]:
        draw, width = self.draw, self.draw.choice((1, 2, 3, 4, 5, 8))
        for _ in range(draw.randint(1, 3)):
            self.vectors.append([self._input() for _ in range(width)])
        steps = (self._layer, self._layer_for_many, self._elements, self._pairs, self._choice,
                 self._reduction, self._picks, self._running_sum, self._look_up, self._table,
                 self._stopped)  # fmt: skip
        for _ in range(draw.randint(1, 6)):
            self.vectors.append(draw.choice(steps)(draw.choice(self.vectors)))
        if draw.random() < 0.5:  # everything that was made reaches the output
            ends = [vector[-1] for vector in self.vectors]
        else:
            ends = [node for vector in self.vectors[-2:] for node in vector]
        output = ends[0]
        for node in ends[1:]:
            output = self.program.add(draw.choice(("add", "add", "sub", "mul")), output, node)
        if not self.program.args[output]:
            output = self.program.add("neg", output)
        self.program.outputs.append(output)
        if draw.random() < 0.2:
            self.program.outputs += draw.choice(self.vectors)
        if draw.random() < 0.2:
            node = self.program.add("less", draw.choice(self.vectors[-1]), draw.choice(self.vectors[0]))
            self.program.guards.append(Guard(node, 1.0))
        return self.program, self.point

    def _input(self, x: float | None = None) -> int:
        node = self.program.add(INPUT)
        self.program.inputs.append(node)
        self.point.append(_number(self.draw, self.special) if x is None else x)
        return node

    def _constant(self) -> int:
        return self.program.constant(self.draw.choice((0.0, 1.0, -1.0, 2.0, 3.0, 0.5, -0.0, 0.1)))

    def _any(self) -> int:
        """A node from anywhere, or a constant."""
        if self.draw.random() < 0.2:
            return self._constant()
        return self.draw.choice(self.draw.choice(self.vectors))

    def _layer(self, xs: list[int]) -> list[int]:
        """sum(w * x for ...) for several rows of w: new inputs, or numbers that there are already."""
        add, draw = self.program.add, self.draw
        begun, swapped = draw.random() < 0.7, draw.random() < 0.3
        bias = draw.random() < 0.4
        made = []
        for _ in range(draw.randint(1, 4)):
            row = [self._input() if draw.random() < 0.8 else self._any() for _ in xs]
            total = self.program.constant(0.0) if begun else -1
            for w, x in zip(row, xs, strict=True):
                term = add("mul", x, w) if swapped else add("mul", w, x)
                total = term if total < 0 else add("add", total, term)
            made.append(add("add", total, self._input()) if bias else total)
        return made

    def _layer_for_many(self, xs: list[int]) -> list[int]:
        """One matrix of weights times several vectors, as for points, or for the letters of a text."""
        add, draw = self.program.add, self.draw
        many = [vector for vector in self.vectors if len(vector) == len(xs)][-3:]
        rows = [[self._input() for _ in xs] for _ in range(draw.randint(1, 4))]
        made = []
        for vector in many:
            for row in rows:
                total = self.program.constant(0.0)
                for w, x in zip(row, vector, strict=True):
                    total = add("add", total, add("mul", w, x))
                made.append(total)
        function = draw.choice(UNARY)
        return [add(function, node) for node in made] if draw.random() < 0.5 else made

    def _elements(self, xs: list[int]) -> list[int]:
        op = self.draw.choice(UNARY)
        return [self.program.add(op, x) for x in xs]

    def _pairs(self, xs: list[int]) -> list[int]:
        """One op on every element and a partner: of another vector, one for all, the element itself."""
        op, draw = self.draw.choice(["add", "sub", "mul", "div", "pow", *BINARY, *WITH_DEFAULT]), self.draw
        way, other, one = draw.random(), draw.choice(self.vectors), self._any()
        partners = [other[i % len(other)] if way < 0.5 else one if way < 0.8 else x for i, x in enumerate(xs)]
        pairs = zip(partners, xs, strict=True) if draw.random() < 0.5 else zip(xs, partners, strict=True)
        return [self.program.add(op, a, b) for a, b in pairs]

    def _choice(self, xs: list[int]) -> list[int]:
        """where(x > y, f(x), z), whose branches may be infinite or NaN where not taken; or a clamp."""
        add, draw = self.program.add, self.draw
        if draw.random() < 0.2:
            return [add("clamp", x, self._any(), self._any()) for x in xs]
        compare = draw.choice(("greater", "greater_equal", "less", "less_equal"))
        function, other = draw.choice(("log", "sqrt", "reciprocal", "exp", "square")), self._any()
        made = []
        for x in xs:
            condition = add(compare, x, other) if draw.random() < 0.8 else self._any()
            inside = add(function, x)
            inside = add(draw.choice(UNARY), inside) if draw.random() < 0.5 else inside
            branches = (inside, self._any()) if draw.random() < 0.7 else (self._any(), inside)
            made.append(add("where", condition, *branches))
        return made

    def _reduction(self, xs: list[int]) -> list[int]:
        op, draw = self.draw.choice(REDUCTIONS), self.draw
        several = []
        for _ in range(draw.choice((1, 1, 2, 3))):
            row = [x if draw.random() < 0.8 else self._any() for x in xs]
            if draw.random() < 0.2:
                row.append(row[0])  # one node in two slots
            row = [*row, *(self._any() for _ in row)] if op == "dot" else row
            several.append(self.program.add(op, *row))
        return several

    def _picks(self, xs: list[int]) -> list[int]:
        """Nodes from all over, in no order."""
        return [self.program.add(self.draw.choice(("add", "mul", "sub")), self._any(), x) for x in xs]

    def _running_sum(self, xs: list[int]) -> list[int]:
        """A deep spine of sums, differences and negatives, some of whose inner nodes are used again."""
        total, made = xs[0], []
        for x in xs * self.draw.choice((1, 1, 4)):
            x = self.program.add("neg", x) if self.draw.random() < 0.2 else x
            x = self.program.add("mul", x, self._any()) if self.draw.random() < 0.3 else x
            pair = (x, total) if self.draw.random() < 0.2 else (total, x)
            total = self.program.add(self.draw.choice(("add", "add", "sub")), *pair)
            if self.draw.random() < 0.1:
                made.append(total)
        return [*made, total]

    def _look_up(self, xs: list[int]) -> list[int]:
        """Rows that an index chooses from."""
        which = self._input(float(self.draw.randrange(len(xs))))
        rows = [[x, *(self._any() for _ in range(2))] for x in xs]
        return [self.program.add("take", which, *column) for column in zip(*rows, strict=True)]

    def _table(self, xs: list[int]) -> list[int]:
        """A table of numbers of its own, looked up several times, as for the letters of a text."""
        add, draw = self.program.add, self.draw
        table = [[self._input() for _ in range(draw.choice((1, 2, 3)))]]
        table += [[self._input() for _ in table[0]] for _ in range(draw.randint(1, 4))]
        made = []
        for _ in range(draw.choice((1, 2, 3, 5))):
            which = self._input(float(draw.randrange(len(table))))
            taken = [add("take", which, *column) for column in zip(*table, strict=True)]
            made += [add("mul", node, xs[place % len(xs)]) for place, node in enumerate(taken)]
        return made

    def _stopped(self, xs: list[int]) -> list[int]:
        """x minus the largest, through which no gradient flows."""
        top = self.program.add("max", *xs)
        still = self.program.add("stop", top)
        return [self.program.add("sub", x, still) for x in xs]
