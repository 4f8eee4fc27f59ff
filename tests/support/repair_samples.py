"""Engines whose sources are read, repaired and broken in the tests of the doctor's anatomy and repairs."""

from __future__ import annotations

import math
import signal
import types

from minigrad.doctor.patches.anatomy import anatomy
from source_trees import DATA

__all__ = ["ENGINES", "NAMES", "SMALL", "alike", "body_of", "line_of", "numbers", "source_of"]

ENGINES = DATA / "engines"
NAMES = {  # file: class, data, grad, entry
    "closures": ("Value", "data", "grad", "backward"),
    "stored_locals": ("Node", "data", "grad", "backward"),
    "counter": ("Num", "value", "gradient", "backprop"),
    "valor": ("Valor", "dato", "gradiente", "retropropagar"),
    "free_functions": ("Node", "value", "grad", ""),
    "global_tape": ("Var", "v", "adj", ""),
    "gradients_dict": ("Var", "value", "grad", ""),
    "inherited": ("Node", "value", "grad", ""),
    "methods": ("Scalar", "val", "derivative", ""),
    "numpy_variable": ("Variable", "data", "grad", ""),
    "operators": ("Tensor", "data", "grad", ""),
    "scalar": ("Scalar", "data", "grad", ""),
    "tape": ("Var", "value", "grad", ""),
    "workbook": ("Var", "value", "grad", ""),
    "seeded": ("Value", "data", "grad", ""),
}

SMALL = """import math


class Value:
    def __init__(self, data, children=(), op=""):
        self.data = data
        self.grad = 0.0
        self._prev = set(children)
        self._op = op
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data**other.data, (self, other), "**")

        def _backward():
            self.grad += other.data * self.data ** (other.data - 1) * out.grad
            other.grad += (out.data * math.log(self.data) if self.data > 0 else math.nan) * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __truediv__(self, other):
        return self * other**-1

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return other + (-self)

    def __rtruediv__(self, other):
        return other * self**-1

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(max(0.0, self.data), (self,), "relu")

        def _backward():
            self.grad += (self.data > 0) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()
"""


def source_of(name: str) -> str:
    return (ENGINES / f"{name}.py").read_text(encoding="utf-8")


def body_of(name: str, source: str | None = None):
    class_name, data, grad, _ = NAMES[name]
    return anatomy(source_of(name) if source is None else source, class_name, data, grad)


def line_of(source: str, passage: str) -> int:
    assert source.count(passage) == 1, passage
    return source[: source.index(passage)].count("\n") + 1


# ---- what an engine gives on a few graphs ---------------------------------------------------------

PROBES = (
    "a + a", "a * a", "a*b + a", "a - b", "a / b", "a**2 + a", "a**2.5", "-a + a", "2 - a", "2 / a", "a - a",
    "u(a + a)", "m(a * b)", "s(a * b)", "(a*b).exp() * c + a", "(a*b).tanh() * c + a", "(a*b).relu() * c + a",
    "(a*b).sigmoid() * c", "(a*b).log() * c + a", "((a*b)**2) * c", "(2 - a*b) * c", "(2 / (a*b)) * c",
    "((a*b) / (c*a)) * b", "((a*b) - (c*a)) * b", "a + a.exp()", "a + a.tanh()", "a + a.relu()", "a**b + b",
    "(a * 300).tanh()", "(a * 5).exp()", "a.relu() * -1", "(a * 700).sigmoid()", "two(a, b)",
    "(a * 0).relu() + a",
)  # fmt: skip
POINTS = ((1.7, 0.6, 2.3), (2.5, -1.2, 0.8), (-0.7, 1.3, 2.0), (2.0, 2.0, 2.0))


class OutOfTimeError(Exception):
    pass


def _late(_number, _frame):
    raise OutOfTimeError


def numbers(source: str, class_name: str, data: str, grad: str, entry: str) -> list[object]:
    """What an engine gives on the probes; the name of an error where it raises one."""
    module = types.ModuleType("engine")
    found: list[object] = []
    before = signal.signal(signal.SIGALRM, _late)
    signal.setitimer(signal.ITIMER_REAL, 3.0)
    try:
        exec(compile(source, "engine", "exec"), module.__dict__)
        make = module.__dict__[class_name]
        tools = {"u": lambda x: x + x, "m": lambda x: x * -x, "s": lambda x: (x + 1) * (x * x)}
        for point in POINTS:
            for probe in PROBES:
                a, b, c = (make(x) for x in point)
                given = {
                    "a": a,
                    "b": b,
                    "c": c,
                    "two": lambda x, y, make=make: _second(x, y, grad, entry),
                    **tools,
                }
                try:
                    out = eval(probe, given)
                    getattr(out, entry)()
                    found.append([float(getattr(out, data)), *[float(getattr(x, grad)) for x in (a, b, c)]])
                except OutOfTimeError:
                    raise
                except Exception as error:
                    found.append(type(error).__name__)
    except OutOfTimeError:
        return ["too long"]
    except Exception as error:
        return [repr(error)]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    return found


def _second(a, b, grad, entry):
    """A second loss that shares a node with a first, whose gradients have been cleared."""
    shared = a * b
    first, second = shared + a, shared * shared
    getattr(first, entry)()
    for node in (a, b, shared, first):
        setattr(node, grad, 0.0)
    return second


def alike(found: list[object], right: list[object]) -> bool:
    if len(found) != len(right):
        return False
    for one, other in zip(found, right, strict=True):
        if isinstance(one, list) and isinstance(other, list):
            if not all(x == y or math.isclose(x, y, rel_tol=1e-6, abs_tol=1e-9) or (x != x and y != y)
                       for x, y in zip(one, other, strict=True)):  # fmt: skip
                return False
        elif one != other:
            return False
    return True
