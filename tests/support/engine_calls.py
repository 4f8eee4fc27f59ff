"""Random calls of an engine with operands of every kind, right and wrong, drawn from a number each."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from numbers import Real
from typing import Any

import numpy as np

from engine_pair import Engine
from minigrad.ops import OPS

__all__ = ["METHODS", "Call", "Pool"]

# ---- operands -------------------------------------------------------------------------------------


class HostileError(Exception):
    """What hostile objects raise."""


def raises(*_: object, **__: object) -> Any:
    raise HostileError("no")


def kind(name: str, *bases: type, **methods: Any) -> type:
    return type(name, bases or (object,), methods)


class Number(Real):
    """A real number with a __float__ that may be anything; what else Real asks for raises."""

    def __init__(self, convert: Callable[[], float]) -> None:
        self.convert = convert

    def __float__(self):
        return self.convert()

    def __repr__(self):
        return "Number()"

    __hash__ = object.__hash__


for _name in Real.__abstractmethods__ - {"__float__", "__hash__"}:
    setattr(Number, _name, raises)
Number.__abstractmethods__ = frozenset()


def overflows() -> float:
    raise OverflowError("as large as that")


FOREIGN: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "text": lambda: "text",
    "numeral": lambda: "2.5",
    "empty text": lambda: "",
    "long text": lambda: "text " * 50,
    "bytes": lambda: b"2",
    "complex": lambda: 1j,
    "list": lambda: [1.0, 2],
    "empty list": list,
    "tuple": lambda: (1.0,),
    "empty tuple": lambda: (),
    "dict": lambda: {1.0: 2},
    "set": lambda: {1.0},
    "range": lambda: range(3),
    "generator": lambda: (x for x in (1.0, 2.0)),
    "iterator that raises": lambda: iter(raises, 1),
    "Fraction": lambda: Fraction(1, 3),
    "huge Fraction": lambda: Fraction(10**400, 3),
    "Decimal": lambda: Decimal("1.5"),
    "signalling Decimal": lambda: Decimal("sNaN"),
    "float64": lambda: np.float64(0.1),
    "float64 nan": lambda: np.float64(nan),
    "float32": lambda: np.float32(0.1),
    "float16": lambda: np.float16(0.1),
    "int64": lambda: np.int64(-3),
    "uint8": lambda: np.uint8(200),
    "numpy bool": lambda: np.bool_(True),
    "complex128": lambda: np.complex128(1j),
    "array": lambda: np.array([1.0, 2.0]),
    "array of ints": lambda: np.array([[1, 2], [3, 4]]),
    "array of no dimension": lambda: np.array(3.0),
    "empty array": lambda: np.array([]),
    "array of objects": lambda: np.array([1.0, None, "text"], dtype=object),
    "True": lambda: True,
    "False": lambda: False,
    "zero": lambda: 0,
    "two": lambda: 2,
    "minus one": lambda: -1,
    "2**53": lambda: 2**53,
    "2**63": lambda: 2**63,
    "-2**64 - 1": lambda: -(2**64) - 1,
    "1e308 as int": lambda: 10**308,
    "10**400": lambda: 10**400,
    "-10**400": lambda: -(10**400),
    "10**5000": lambda: 10**5000,
    "nan": lambda: nan,
    "inf": lambda: inf,
    "-inf": lambda: -inf,
    "-0.0": lambda: -0.0,
    "subnormal": lambda: 5e-324,
    "1.5": lambda: 1.5,
    "1e300": lambda: 1e300,
    "float of a subclass": lambda: kind("MyFloat", float, __repr__=lambda self: "MyFloat()")(0.1),
    "float that adds itself": lambda: kind("Adds", float, __radd__=lambda a, b: "radd", __add__=raises)(1.0),
    "float that will not": lambda: kind("Refuses", float, __float__=raises, __radd__=raises)(1.0),
    "int of a subclass": lambda: kind("MyInt", int)(3),
    "int that will not": lambda: kind("RefusesInt", int, __float__=raises, __index__=raises)(3),
    "str of a subclass": lambda: kind("MyStr", str)("+"),
    "list of a subclass": lambda: kind("MyList", list)([1.0]),
    "Real": lambda: Number(lambda: 0.25),
    "Real nan": lambda: Number(lambda: nan),
    "Real that raises": lambda: Number(raises),
    "Real that overflows": lambda: Number(overflows),
    "Real of a text": lambda: Number(lambda: "text"),
    "has a float": lambda: kind("Float", __float__=lambda self: 2.0)(),
    "has a float that raises": lambda: kind("BadFloat", __float__=raises)(),
    "has an index": lambda: kind("Index", __index__=lambda self: 1)(),
    "has an index that raises": lambda: kind("BadIndex", __index__=raises)(),
    "adds itself": lambda: kind("Radd", __radd__=lambda a, b: "radd", __rpow__=lambda a, b: "rpow")(),
    "adds itself and raises": lambda: kind("BadRadd", __radd__=raises, __rmul__=raises, __rsub__=raises)(),
    "compares and raises": lambda: kind("BadEq", __eq__=raises, __lt__=raises, __gt__=raises)(),
    "equal to all": lambda: kind("Equal", __eq__=lambda a, b: True, __hash__=lambda a: 1)(),
    "neither true nor false": lambda: kind("BadBool", __bool__=raises, __len__=raises)(),
    "not to be shown": lambda: kind("BadRepr", __repr__=raises, __str__=raises)(),
    "not to be called": lambda: kind("BadCall", __call__=raises)(),
    "iterates and raises": lambda: kind("BadIter", __iter__=raises)(),
    "all attributes": lambda: kind("Any", __getattr__=lambda self, name: raises)(),
    "function": lambda: lambda *_: None,
    "function that raises": lambda: raises,
    "function of a number": lambda: lambda grad: grad * 2.0,
    "function of a text": lambda: lambda grad: "text",
    "type": lambda: int,
    "Ellipsis": lambda: Ellipsis,
    "NotImplemented": lambda: NotImplemented,
    "slice": lambda: slice(1),
}  # fmt: skip
NAMES = list(FOREIGN)


class Pool:
    """The Values of one engine.  Both engines have as many, at the same places."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine = engine
        draw = random.Random(seed)
        value = engine.Value
        self.values = [value(draw.choice((draw.uniform(-3, 3), 0.0, nan, inf, -2.0))) for _ in range(4)]
        self.values += [value(1.5, label="a"), value(-0.5, requires_grad=False)]
        self.values += [
            engine.classes[name](draw.uniform(-2, 2)) for name in ("Free", "Slotted", "Loud", "Right")
        ]
        self.values += [self.values[0] * 2.0, self.values[1] / self.values[2]]
        self.handles: list[Any] = []


Spec = tuple[str, Any]  # how an operand is found: ("value", place), ("foreign", name), ("list", specs)


def resolve(spec: Spec, pool: Pool) -> Any:
    word, what = spec
    if word == "value":
        return pool.values[what]
    if word == "foreign":
        return FOREIGN[what]()
    if word == "class":
        return pool.engine.Value
    made = [resolve(one, pool) for one in what]
    return made if word == "list" else tuple(made) if word == "tuple" else iter(made)


def spell(spec: Spec, pool: Pool) -> str:
    word, what = spec
    if word == "value":
        node = pool.values[what]
        text = f"{type(node).__name__}({node.data!r}, grad={node.grad!r}, requires_grad={node.requires_grad}"
        return f"{text}, op={node._op!r})"
    if word == "foreign":
        return f"<{what}>"
    return word if word == "class" else f"{word} of [{', '.join(spell(one, pool) for one in what)}]"


# ---- calls ----------------------------------------------------------------------------------------

BINARY = {
    name: getattr(operator, name)
    for name in (
        "add", "sub", "mul", "truediv", "pow", "floordiv", "mod", "matmul", "and_", "or_", "xor", "lshift",
        "rshift", "lt", "le", "gt", "ge", "eq", "ne", "iadd", "isub", "imul", "itruediv", "ipow",
    )
} | {"divmod": divmod}  # fmt: skip
UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg, "pos": operator.pos, "abs": abs, "float": float, "int": int, "bool": bool,
    "str": str, "repr": repr, "round": round, "complex": complex, "len": len, "iter": iter,
    "floor": math.floor, "sqrt": math.sqrt, "index": operator.index, "invert": operator.invert,
    "copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "sum": lambda x: sum([x, x, 1]),
    "asarray": lambda x: np.asarray(x), "vars": lambda x: sorted(vars(x)), "prev": lambda x: list(x._prev),
}  # fmt: skip
METHODS = [name for name in OPS if OPS[name].arity[1] <= 3]
DUNDERS = (
    "__add__", "__sub__", "__mul__", "__truediv__", "__pow__", "__radd__", "__rsub__", "__rmul__",
    "__rtruediv__", "__rpow__", "__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__",
)  # fmt: skip
ATTRIBUTES = [
    "data",
    "grad",
    "requires_grad",
    "label",
    "_backward",
    "_op",
    "nothing",
    "_prev",
    "exp",
    "_local_grads",
]
LISTS = ["sum", "mean", "prod", "max", "min", "logsumexp", "softmax"]


class Call:
    """One call: drawn once, made on either engine."""

    def __init__(self, draw: random.Random, size: int) -> None:
        self.draw, self.size = draw, size
        self.operands: list[Spec] = []
        self.text, self.action = draw.choices(KINDS, WEIGHTS)[0](self)

    def make(self, pool: Pool) -> Any:
        return self.action(pool, *[resolve(spec, pool) for spec in self.operands])

    def spelled(self, pool: Pool) -> str:
        return f"{self.text}({', '.join(spell(spec, pool) for spec in self.operands)})"

    # ---- drawing

    def value(self) -> Spec:
        return ("value", int(self.draw.random() * self.size))

    def foreign(self) -> Spec:
        return ("foreign", self.draw.choice(NAMES))

    def any(self) -> Spec:
        chance = self.draw.random()
        return self.value() if chance < 0.4 else self.foreign() if chance < 0.99 else ("class", None)

    def many(self) -> Spec:
        chance = self.draw.random()
        if chance < 0.15:
            return self.any()
        count = 70 if chance > 0.98 else int(self.draw.random() * 5)
        pick = self.value if chance < 0.5 else self.any
        return (self.draw.choice(("list", "list", "tuple", "iterator")), [pick() for _ in range(count)])

    def shuffled(self, *operands: Spec) -> None:
        self.operands = list(operands)
        self.draw.shuffle(self.operands)


Drawn = tuple[str, Callable[..., Any]]


def binary(call: Call) -> Drawn:
    name = call.draw.choice(list(BINARY))
    call.shuffled(call.value(), call.any())
    return name, lambda pool, x, y: BINARY[name](x, y)


def unary(call: Call) -> Drawn:
    name = call.draw.choice(list(UNARY))
    call.operands = [call.value()]
    return name, lambda pool, x: UNARY[name](x)


def ternary(call: Call) -> Drawn:
    call.shuffled(call.value(), call.any(), call.any())
    return "pow", lambda pool, *xs: pow(*xs)


def formatted(call: Call) -> Drawn:
    spec = call.draw.choice(("", ".3f", "e", "d", "x", ">20", "nonsense"))
    call.operands = [call.value()]
    return f"format {spec!r} ", lambda pool, x: format(x, spec)


def method(call: Call) -> Drawn:
    name = call.draw.choice(METHODS)
    named = call.draw.random() < 0.02
    call.operands = [call.value(), *[call.any() for _ in range(int(call.draw.random() * 4))]]
    if named:
        return f".{name} by name ", lambda pool, x, *xs: getattr(x, name)(*xs, seed=1.0)
    return f".{name}", lambda pool, x, *xs: getattr(x, name)(*xs)


def dunder(call: Call) -> Drawn:
    name = call.draw.choice(DUNDERS)
    call.operands = [call.value(), call.any()]
    return f".{name}", lambda pool, x, y: getattr(x, name)(y)


def function(call: Call) -> Drawn:
    name = call.draw.choice(METHODS)
    call.operands = [call.any() for _ in range(int(call.draw.random() * 5))]
    return f"F.{name}", lambda pool, *xs: getattr(pool.engine.F, name)(*xs)


def reduction(call: Call) -> Drawn:
    name = call.draw.choice(LISTS)
    call.operands = [
        call.many() for _ in range(1 if call.draw.random() < 0.95 else int(call.draw.random() * 3))
    ]
    return f"F.{name}", lambda pool, *xs: getattr(pool.engine.F, name)(*xs)


def dot(call: Call) -> Drawn:
    call.operands = [call.many(), call.many()]
    return "F.dot", lambda pool, *xs: pool.engine.F.dot(*xs)


def cross_entropy(call: Call) -> Drawn:
    call.operands = [call.many(), call.any()]
    return "F.cross_entropy", lambda pool, *xs: pool.engine.F.cross_entropy(*xs)


def construct(call: Call) -> Drawn:
    chance = call.draw.random()
    call.operands = [call.any()]
    if chance < 0.4:
        return "Value", lambda pool, x: pool.engine.Value(x)
    if chance < 0.5:
        call.operands.append(call.any())
        word = call.draw.choice(("label", "requires_grad", "_op", "nonsense"))
        return f"Value {word}=", lambda pool, x, y: pool.engine.Value(x, **{word: y})
    if chance < 0.6:
        call.operands += [call.any() for _ in range(int(call.draw.random() * 5))]
        return "Value", lambda pool, *xs: pool.engine.Value(*xs)
    call.operands += [call.many(), call.many() if chance < 0.9 else call.foreign()]
    return "Value", lambda pool, *xs: pool.engine.Value(*xs)


def read(call: Call) -> Drawn:
    name = call.draw.choice([name for name in ATTRIBUTES if name != "_backward"])
    call.operands = [call.value()]
    if name == "exp":
        return f".{name} is callable", lambda pool, x: callable(x.exp)
    return f".{name}", lambda pool, x: getattr(x, name)


def write(call: Call) -> Drawn:
    name = call.draw.choice(
        ("data", "grad", "label", "data", "grad", "requires_grad", "nothing", "_prev", "item")
    )
    call.operands = [call.value(), call.any()]
    if name == "requires_grad":
        call.operands[1] = ("foreign", call.draw.choice(("True", "False")))
    return f".{name} = ", lambda pool, x, y: setattr(x, name, y)


def hook(call: Call) -> Drawn:
    call.operands = [call.value(), call.any()]

    def register(pool: Pool, x: Any, y: Any) -> None:
        pool.handles.append(x.register_hook(y))

    return ".register_hook", register


def unhook(call: Call) -> Drawn:
    place = call.draw.random()

    def remove(pool: Pool) -> None:
        if pool.handles:
            pool.handles.pop(int(place * len(pool.handles))).remove()

    return "handle.remove", remove


def rule(call: Call) -> Drawn:
    call.operands = [call.value(), call.foreign()]
    return "._backward = ", lambda pool, x, y: setattr(x, "_backward", y)


def plain_rule(call: Call) -> Drawn:
    call.operands = [call.value()]
    return "._backward = None", lambda pool, x: setattr(x, "_backward", None)


def walk(call: Call) -> Drawn:
    chance = call.draw.random()
    call.operands = [call.value()]
    if chance < 0.3:
        return ".backward", lambda pool, x: x.backward()
    if chance < 0.5:
        call.operands.append(call.any())
        return ".backward", lambda pool, x, y: x.backward(y)
    if chance < 0.55:
        call.operands.append(call.any())
        return ".backward seed=", lambda pool, x, y: x.backward(seed=y)
    if chance < 0.6:
        return ".zero_grad", lambda pool, x: x.zero_grad()
    if chance < 0.65:
        return "._propagate", lambda pool, x: x._propagate()
    if chance < 0.7:
        return "._backward", lambda pool, x: x._backward()
    call.operands = [call.many()] if chance < 0.8 else [call.many(), call.many()]
    return "backward", lambda pool, *xs: pool.engine.backward(*xs)


def other(call: Call) -> Drawn:
    name = call.draw.choice(("item", "detach", "zero_grad", "__copy__", "reach", "grad"))
    call.operands = [call.value()]
    if name == "reach":
        return "reach", lambda pool, x: [len(part) for part in pool.engine.reach([x])]
    if name == "grad":
        call.operands.append(call.many())
        return "grad", lambda pool, x, y: pool.engine.grad(x, y)
    return f".{name}", lambda pool, x: getattr(x, name)()


TABLE: dict[Callable[[Call], Drawn], float] = {
    binary: 30, unary: 6, ternary: 2, formatted: 1, method: 12, dunder: 5, function: 12, reduction: 8, dot: 3,
    cross_entropy: 2, construct: 8, read: 3, write: 5, hook: 1.5, unhook: 1, rule: 0.4, plain_rule: 0.4,
    walk: 7, other: 3,
}  # fmt: skip
KINDS, WEIGHTS = list(TABLE), list(TABLE.values())
