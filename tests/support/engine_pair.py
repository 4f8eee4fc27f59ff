"""Both engines in one process, the same random program on each, and what is compared between them.

    NATIVE, PLAIN                        # each an Engine: Value, F, backward, no_grad, ...
    Program(PLAIN, 17).run()             # what random program 17 does there: events, and facts of nodes
    difference(mine, theirs)             # where two such records part, in words; None where they agree

The package is loaded a second time under another name, with MINIGRAD_PURE turned round.  Semantics are
those of scalar.py exactly; of a NaN, sign and payload are free.
"""

from __future__ import annotations

import copy
import os
import pickle
import random
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from math import inf, nan
from operator import add, mul, sub, truediv
from pathlib import Path
from threading import local
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import minigrad
from minigrad.ops import MANY, OPS

__all__ = ["ENGINES", "NATIVE", "PLAIN", "Engine", "Program", "bits", "difference", "facts", "outcome"]

ROOMS = ("scalar", "functions", "functional", "values.no_grad", "values.copies")
PURE = os.environ.get("MINIGRAD_PURE", "0") not in ("", "0")


class Engine(NamedTuple):
    name: str
    package: ModuleType
    Value: Any
    F: Any
    backward: Callable[..., None]
    no_grad: Any
    reach: Callable[..., Any]
    grad: Callable[..., Any]
    classes: dict[str, Any]  # subclasses of Value, by name


@contextmanager
def environment(pure: bool) -> Iterator[None]:
    before = os.environ.pop("MINIGRAD_PURE", None)
    if pure:
        os.environ["MINIGRAD_PURE"] = "1"
    try:
        yield
    finally:
        os.environ.pop("MINIGRAD_PURE", None)
        if before is not None:
            os.environ["MINIGRAD_PURE"] = before


def second_copy(name: str, pure: bool) -> ModuleType:
    """The package again, as a package of that name, with the engine that is asked for."""
    folder = Path(minigrad.__file__).parent
    spec = spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    assert spec is not None
    assert spec.loader is not None
    package = module_from_spec(spec)
    with environment(pure):
        sys.modules[name] = package
        spec.loader.exec_module(package)
        for room in ROOMS:
            import_module(f"{name}.{room}")
    return package


def engine_of(package: ModuleType) -> Engine:
    rooms = SimpleNamespace(**{room: import_module(f"{package.__name__}.{room}") for room in ROOMS})
    scalar = rooms.scalar
    name = package.ENGINE
    classes = subclasses(scalar.Value, f"{name}_classes")
    globals()[f"{name}_classes"] = SimpleNamespace(**classes)  # where pickle looks for them
    return Engine(
        name, package, scalar.Value, rooms.functions, scalar.backward, package.no_grad, scalar.reach,
        rooms.functional.grad, classes,
    )  # fmt: skip


# ---- subclasses, of either engine's Value ---------------------------------------------------------

_here = local()


def heard() -> list[str]:
    """What operators of class Loud have said in this thread."""
    return _here.__dict__.setdefault("heard", [])


def subclasses(base: Any, namespace: str) -> dict[str, Any]:
    class Free(base):
        """No slots: an instance has a dict."""

    class Slotted(base):
        __slots__ = ("note",)

    class Bare(base):
        __slots__ = ()

    class Loud(base):
        """Operators of its own, which say that they were asked."""

        __slots__ = ()

        def __add__(self, other):
            heard().append("add")
            return super().__add__(other)

        def __radd__(self, other):
            heard().append("radd")
            return super().__radd__(other)

        def __mul__(self, other):
            heard().append("mul")
            return super().__mul__(other)

        def __rpow__(self, other):
            heard().append("rpow")
            return super().__rpow__(other)

        def __neg__(self):
            heard().append("neg")
            return super().__neg__()

        def exp(self):
            heard().append("exp")
            return super().exp()

    class Left(base):
        """Overrides one side only."""

        def __sub__(self, other):
            return super().__sub__(other) * 1.0

        def __truediv__(self, other):
            return super().__truediv__(other)

    class Right(base):
        def __rsub__(self, other):
            return super().__rsub__(other)

        def __rmul__(self, other):
            return -(-self * other)

    class Made(base):
        """An __init__ of its own, which other nodes of its class are not made by."""

        def __init__(self, data):
            super().__init__(data, label="made")
            self.twice = self + self

    class Refusing(base):
        """Adds and multiplies with its own kind only, and leaves the rest to the other operand."""

        def __add__(self, other):
            return super().__add__(other) if isinstance(other, Refusing) else NotImplemented

        def __rmul__(self, other):
            return NotImplemented

        def __pow__(self, other, modulus=None):
            return NotImplemented

    class Counting(base):
        """Has a word in the pass."""

        def _propagate(self):
            heard().append(bits(self.grad))
            super()._propagate()

    class Clipped(base):
        """Has a gradient of its own."""

        @property
        def grad(self):
            return self.__dict__.get("clipped", 0.0)

        @grad.setter
        def grad(self, grad):
            self.__dict__["clipped"] = max(-1.0, min(1.0, grad)) if isinstance(grad, float) else grad

    kinds = (Free, Slotted, Bare, Loud, Left, Right, Made, Refusing, Counting, Clipped)
    found = {c.__name__: c for c in kinds}
    for name, cls in found.items():
        cls.__module__, cls.__qualname__ = __name__, f"{namespace}.{name}"
    return found


MINE = engine_of(minigrad)
OTHER = engine_of(second_copy("native_minigrad" if PURE else "plain_minigrad", pure=not PURE))
NATIVE, PLAIN = (OTHER, MINE) if PURE else (MINE, OTHER)
ENGINES = (NATIVE, PLAIN)
assert (NATIVE.name, PLAIN.name) == ("native", "plain"), (NATIVE.name, PLAIN.name)
assert NATIVE.Value is not PLAIN.Value


# ---- what is compared -----------------------------------------------------------------------------


def bits(x: Any) -> Any:
    """A number to the last bit, as a text that two numbers share only if all bits and the type are equal."""
    if type(x) is float:
        return x.hex()
    if type(x).__name__ == "inverse":
        return f"inverse of {x.divisor.hex()}"
    if isinstance(x, float):
        return f"{type(x).__name__} {float.hex(x)}"
    return f"{type(x).__name__} {x!r}"


FIELDS = ("class", "data", "grad", "requires_grad", "op", "label", "locals", "children", "age", "rule")


def facts(nodes: Iterable[Any]) -> list[tuple[Any, ...]]:
    """All there is to know about some nodes and everything below them, in the order of discovery."""
    found = list({id(node): node for node in nodes}.values())
    place = {id(node): i for i, node in enumerate(found)}
    children = []
    for node in found:  # grows while it is walked
        spots = []
        for child in node._children:
            spot = place.setdefault(id(child), len(place))
            if spot == len(found):
                found.append(child)
            spots.append(spot)
        children.append(tuple(spots))
    age = {index: i for i, index in enumerate(sorted({node._index for node in found}))}
    return [
        (
            type(node).__name__,
            node.data.hex(),
            bits(node.grad),
            node.requires_grad,
            node._op,
            node.label,
            tuple(map(bits, node._local_grads)),
            spots,
            age[node._index],
            node._extra is not None and node._extra.rule is not None,
        )
        for node, spots in zip(found, children, strict=True)
    ]


class Record(NamedTuple):
    events: list[Any]  # what happened, in order
    nodes: list[tuple[Any, ...]]  # facts


def difference(mine: Record, theirs: Record) -> str | None:
    """The first place where two records part."""
    for i, (one, other) in enumerate(zip(mine.events, theirs.events, strict=False)):
        if one != other:
            return f"event {i}: {one!r} against {other!r}"
    if len(mine.events) != len(theirs.events):
        return f"{len(mine.events)} events against {len(theirs.events)}"
    for i, (one, other) in enumerate(zip(mine.nodes, theirs.nodes, strict=False)):
        if one != other:
            unlike = [
                f"{f} {a!r} against {b!r}" for f, a, b in zip(FIELDS, one, other, strict=True) if a != b
            ]
            return f"node {i} ({one[4] or 'leaf'}): {'; '.join(unlike)}"
    if len(mine.nodes) != len(theirs.nodes):
        return f"{len(mine.nodes)} nodes against {len(theirs.nodes)}"
    return None


def outcome(action: Callable[[], Any]) -> tuple[Any, str | None]:
    """What an action gave, or None and what it raised, in words."""
    try:
        return action(), None
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


# ---- random programs ------------------------------------------------------------------------------

AWKWARD = (
    0.0, -0.0, 1.0, -1.0, nan, inf, -inf, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-310, -3e-309,
    1.7976931348623157e308, -1.7976931348623157e308, 1e154, -1e155, 1e-160, 1e300, 0.1, 0.5, 2.0, -2.0,
    3.0, 1.0 + 2**-52, 1.0 - 2**-53, 709.78, -745.2, 710.0, 40.5, -40.5, 800.1, 1e16, 2.0**53,
)  # fmt: skip
AS_NUMBERS = (
    0, 1, -1, 2, 3, 7, 2**53, 2**53 - 1, 2**53 + 1, -(2**60) - 1, 10**30, True, False, Fraction(1, 3),
    Fraction(-7, 2), np.float64(0.3), np.float64(nan), np.float32(0.1), np.int64(5), np.float64(-0.0),
)  # fmt: skip
OPERATORS = (add, sub, mul, truediv, pow)
UNARY = tuple(name for name, op in OPS.items() if op.arity[1] == 1)
BINARY = tuple(name for name, op in OPS.items() if op.arity[1] == 2)
TERNARY = tuple(name for name, op in OPS.items() if op.arity[1] == 3)
LISTS = tuple(name for name, op in OPS.items() if op.arity[1] == MANY and name != "dot")


class StoppedError(Exception):
    """What a hook raises."""


class Program:
    """A random sequence of steps over a growing pool of Values; the same one for the same number.

    No choice depends on a number that was computed, so both engines are asked the same things.
    """

    def __init__(self, engine: Engine, number: int | str) -> None:
        self.engine, self.number = engine, number
        self.draw = random.Random(f"program {number}")
        self.chance = self.draw.random
        self.pool: list[Any] = []
        self.events: list[Any] = []
        self.handles: list[Any] = []
        self.depth = 0  # of passes that hooks have started
        self.awkward = self.chance() < 0.4
        self.special = self.chance() < 0.5  # hooks, rules, copies, ... and not only ops and passes
        self.classes = list(engine.classes.values()) if self.chance() < 0.25 else []

    def run(self) -> Record:
        heard().clear()
        for _ in range(self.below(4) + 1):
            self.step(self.leaf)
        steps, weights = (ALL_STEPS, ALL_WEIGHTS) if self.special else (USUAL_STEPS, USUAL_WEIGHTS)
        for name in self.draw.choices(steps, cum_weights=weights, k=self.below(28) + 4):
            self.step(getattr(self, name))
        for _ in range(self.below(3) + 1):
            self.step(self.whole_pass)
        if self.classes:
            self.events.append(tuple(heard()))
        return Record(self.events, facts(self.pool))

    def step(self, action: Callable[[], Any]) -> None:
        """One step: a node that it gives joins the pool, an error is an event."""
        made, error = outcome(action)
        if error is not None:
            self.events.append(error)
        elif made is not None:
            self.pool.append(made)

    # ---- drawing

    def below(self, n: int) -> int:
        return int(self.chance() * n)

    def one(self, things: Sequence[Any]) -> Any:
        return things[int(self.chance() * len(things))]

    def number_(self) -> float:
        if self.awkward:
            if self.chance() < 0.7:
                return AWKWARD[int(self.chance() * len(AWKWARD))]
            if self.chance() < 0.3:
                return struct.unpack("<d", self.draw.randbytes(8))[0]
        return self.chance() * 6.0 - 3.0

    def node(self) -> Any:
        """Most often a young one, so that graphs grow deep as well as wide."""
        pool = self.pool
        return pool[-1 - int(self.chance() ** 2 * len(pool))]

    def operand(self) -> Any:
        chance = self.chance()
        if chance < 0.75:
            return self.node()
        return self.number_() if chance < 0.92 else self.one(AS_NUMBERS)

    # ---- ops

    def leaf(self) -> Any:
        value = self.engine.Value
        if self.classes and self.chance() < 0.5:
            return self.one(self.classes)(self.number_())
        chance = self.chance()
        if chance < 0.7:
            return value(self.number_())
        if chance < 0.8:
            return value(self.number_(), requires_grad=False)
        if chance < 0.9:
            return value(self.number_(), label=f"v{len(self.pool)}")
        return value(self.one(AS_NUMBERS))

    def operator(self) -> Any:
        operation = self.one(OPERATORS)
        x, y = self.node(), self.operand()
        return operation(x, y) if self.chance() < 0.7 else operation(y, x)

    def sign(self) -> Any:
        x, chance = self.node(), self.chance()
        return -x if chance < 0.6 else abs(x) if chance < 0.9 else +x

    def unary(self) -> Any:
        name, x = self.one(UNARY), self.node()
        return getattr(x, name)() if self.chance() < 0.7 else getattr(self.engine.F, name)(self.operand())

    def binary(self) -> Any:
        name, x, y = self.one(BINARY), self.node(), self.operand()
        if self.chance() < 0.5:
            if OPS[name].defaults and self.chance() < 0.5:
                return getattr(x, name)()
            return getattr(x, name)(y)
        return getattr(self.engine.F, name)(*((x, y) if self.chance() < 0.5 else (y, x)))

    def ternary(self) -> Any:
        name, x, y, z = self.one(TERNARY), self.operand(), self.operand(), self.node()
        if name == "where":
            condition = self.one((x, x, 0, 0.0, 1, True, nan))
            return self.engine.F.where(condition, y, z) if self.chance() < 0.8 else z.where(condition, y)
        return z.clamp(x, y) if self.chance() < 0.5 else self.engine.F.clamp(z, x, y)

    def many(self) -> Any:
        count = self.below(100) + 1 if self.chance() < 0.1 else self.below(6) + 1
        xs = [self.operand() for _ in range(count)]
        chance = self.chance()
        if chance < 0.2:
            return self.engine.F.dot(xs, [self.operand() for _ in xs])
        if chance < 0.25:
            return self.engine.F.softmax(xs)[self.below(count)]
        if chance < 0.3:
            return self.engine.F.cross_entropy(xs, self.below(count))
        function = getattr(self.engine.F, self.one(LISTS))
        return function(xs if chance < 0.7 else tuple(xs) if chance < 0.9 else iter(xs))

    def constants_only(self) -> Any:
        name = self.one(UNARY)
        return getattr(self.engine.F, name)(self.one(AS_NUMBERS) if self.chance() < 0.5 else self.number_())

    def without_recording(self) -> Any:
        with self.engine.no_grad():
            made = self.operator()
            if self.chance() < 0.3:
                self.pool.append(self.leaf())
            return self.unary() if self.chance() < 0.5 else made

    def compare(self) -> None:
        x, y = self.node(), self.operand()
        self.events.append((bool(x < y), bool(x <= y), bool(y > x), bool(x >= y), x == y, x != y))

    # ---- passes

    def seed(self) -> Any:
        chance = self.chance()
        return 1.0 if chance < 0.3 else self.number_() if chance < 0.8 else self.one(AS_NUMBERS)

    def one_pass(self) -> None:
        root = self.node()
        try:
            root.backward() if self.chance() < 0.3 else root.backward(self.seed())
        finally:
            self.look()

    def look(self) -> None:
        """What all have in hand after a pass, inner nodes too."""
        self.events.append([bits(node.grad) for node in self.pool])

    def whole_pass(self) -> None:
        count = 1 if self.chance() < 0.6 else self.below(5) + 1 if self.chance() < 0.9 else self.below(30) + 1
        roots = [self.node() for _ in range(count)]
        chance = self.chance()
        try:
            if chance < 0.3:
                self.engine.backward(roots)
            elif chance < 0.4:
                self.engine.backward(roots[0])
            else:
                seeds = [self.seed() for _ in roots]
                self.engine.backward(tuple(roots) if chance < 0.7 else roots, seeds)
        finally:
            self.look()

    def by_hand(self) -> None:
        """The pass as a person walks it, from right to left."""
        root = self.node()
        senders, leaves = self.engine.reach([root])
        for node in (*senders, *leaves):
            node.grad = 0.0
        root.grad = self.number_()
        for node in senders:
            node._backward() if self.chance() < 0.5 else node._propagate()
        self.look()

    def reach(self) -> None:
        roots = [self.node() for _ in range(self.below(3) + 1)]
        place = {id(node): i for i, node in enumerate(self.pool)}
        self.events.append(
            [[place.get(id(n), n.data.hex()) for n in part] for part in self.engine.reach(roots)]
        )

    def zero_grad(self) -> None:
        self.node().zero_grad()

    # ---- what is unusual

    def write(self) -> None:
        x, chance = self.node(), self.chance()
        if chance < 0.35:
            x.data = self.number_()
        elif chance < 0.6:
            x.grad = self.number_()
        elif chance < 0.7:
            x.grad = self.one((None, 0, 3, True, np.float64(0.5), Fraction(1, 2)))
        elif chance < 0.9:
            x.requires_grad = self.chance() < 0.5
        else:
            x.label = self.one(("w", "", "a long label " * 5))

    def detach(self) -> Any:
        return self.node().detach()

    def hook(self) -> None:
        x, chance, factor = self.node(), self.chance(), self.number_()
        name = f"hook {len(self.handles)}"
        inner = self.node()

        def hook(grad):
            self.events.append((name, bits(grad), bits(x.grad)))
            if chance < 0.4:
                return None
            if chance < 0.7:
                return factor * grad
            if chance < 0.8:
                return np.float64(factor)
            if chance < 0.85:
                raise StoppedError(name)
            if chance < 0.9:
                return self.one(("no number", inner, [grad]))
            if chance < 0.95:
                self.handles[0].remove()
                return None
            return self.pass_inside(inner)

        self.handles.append(x.register_hook(hook))

    def pass_inside(self, root: Any) -> None:
        """A pass that a hook starts; it may come to the same hook, but not for ever."""
        if self.depth < 3:
            self.depth += 1
            try:
                root.backward(0.5)
            finally:
                self.depth -= 1

    def remove_hook(self) -> None:
        if self.handles:
            self.one(self.handles).remove()

    def with_locals(self) -> Any:
        children = [self.node() for _ in range(self.below(4))]
        slopes = [self.number_() if self.chance() < 0.9 else self.one(AS_NUMBERS) for _ in children]
        return self.engine.Value(self.number_(), children, slopes)

    def with_rule(self) -> Any:
        """As in micrograd: a closure, which refers to its own node."""
        a, b = self.node(), self.node()
        op = self.one(("custom", "custom", "*", "where", ""))
        out = self.engine.Value(a.data * b.data, (a, b), op)
        if self.chance() < 0.9:

            def rule():
                a.grad += b.data * out.grad
                b.grad += a.data * out.grad

            out._backward = rule
        return out

    def rule_on_an_op(self) -> None:
        x = self.node()
        x._backward = lambda: self.events.append(("rule", bits(x.grad)))

    def copied(self) -> Any:
        x, chance = self.node(), self.chance()
        if chance < 0.4:
            return copy.copy(x)
        if chance < 0.6:
            return copy.deepcopy(x)
        if chance < 0.8:
            return pickle.loads(pickle.dumps(x))
        both = (
            copy.deepcopy((x, self.node())) if chance < 0.9 else pickle.loads(pickle.dumps((x, self.node())))
        )
        self.pool.append(both[0])
        return both[1]

    def again(self) -> None:
        """Values that can be differentiated again."""
        y, xs = self.node(), [self.node(), self.node()]
        if len(self.pool) > 12:  # small ones only: these graphs grow fast
            self.events.append([bits(slope) for slope in self.engine.grad(y, xs)])
        else:
            self.pool.extend(self.engine.grad(y, xs, create_graph=True))

    def begun_again(self) -> Any:
        """Whatever it was, its __init__ makes a leaf of it, younger than all there is."""
        x = self.leaf() + self.node()
        x.label, x.grad = "before", self.number_()
        x.__init__(self.number_(), (), "", self.one(("", "again")))
        return x

    def gap(self) -> None:
        if self.chance() < 0.02:  # the next nodes are far from all there are
            created = sys.modules[f"{self.engine.package.__name__}.scalar"]._created
            for _ in range(70_000):
                created()

    def show(self) -> None:
        x = self.node()
        self.events.append((repr(x), f"{x:.3g}", str(x), x.item().hex(), len(x._prev)))


USUAL = {
    "leaf": 4, "operator": 30, "sign": 4, "unary": 16, "binary": 9, "ternary": 7, "many": 7,
    "constants_only": 2, "without_recording": 2, "one_pass": 2, "zero_grad": 0.6, "compare": 1, "reach": 1,
}  # fmt: skip
UNUSUAL = {
    "write": 8, "detach": 2, "hook": 4, "remove_hook": 2, "with_locals": 4, "with_rule": 2,
    "rule_on_an_op": 0.4, "copied": 5, "again": 1, "begun_again": 0.5, "gap": 1, "show": 1.5, "by_hand": 1,
    "whole_pass": 2,
}  # fmt: skip


def _cumulative(table: dict[str, float]) -> tuple[list[str], list[float]]:
    total, ends = 0.0, []
    for weight in table.values():
        total += weight
        ends.append(total)
    return list(table), ends


USUAL_STEPS, USUAL_WEIGHTS = _cumulative(USUAL)
ALL_STEPS, ALL_WEIGHTS = _cumulative(USUAL | UNUSUAL)
