"""Two engines to measure against, written here in the style of two well-known small ones.

`LocalGrads` keeps facts: each node holds its children and one local gradient per child, in
`__slots__`, and one loop does the chaining (the style of microgpt).  `Closures` keeps code: each
node holds a function that updates its children (the style of micrograd).  Both sort by recursion
and build `-`, unary minus and `/` out of `+`, `*` and `**`, as their models do.

They say what the plain engine costs beyond the least that does the job.  They are not for use:
no edge conventions, no hooks, no checks, and a deep graph overflows the stack.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["Closures", "LocalGrads"]


class LocalGrads:
    """A number, the nodes it came from, and how fast it changes with each of them."""

    __slots__ = ("_children", "_local_grads", "data", "grad")

    def __init__(self, data: float, children: tuple = (), local_grads: tuple = ()) -> None:
        self.data = data
        self.grad = 0.0
        self._children = children
        self._local_grads = local_grads

    def __add__(self, other: Any) -> LocalGrads:
        other = other if isinstance(other, LocalGrads) else LocalGrads(other)
        return LocalGrads(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other: Any) -> LocalGrads:
        other = other if isinstance(other, LocalGrads) else LocalGrads(other)
        return LocalGrads(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, power: float) -> LocalGrads:
        return LocalGrads(self.data**power, (self,), (power * self.data ** (power - 1),))

    def exp(self) -> LocalGrads:
        result = math.exp(self.data)
        return LocalGrads(result, (self,), (result,))

    def log(self) -> LocalGrads:
        return LocalGrads(math.log(self.data), (self,), (1.0 / self.data,))

    def relu(self) -> LocalGrads:
        return LocalGrads(max(0.0, self.data), (self,), (1.0 if self.data > 0.0 else 0.0,))

    def __neg__(self) -> LocalGrads:
        return self * -1.0

    def __sub__(self, other: Any) -> LocalGrads:
        return self + (-other)

    def __truediv__(self, other: Any) -> LocalGrads:
        return self * other**-1.0

    def __radd__(self, other: float) -> LocalGrads:
        return self + other

    def __rmul__(self, other: float) -> LocalGrads:
        return self * other

    def __rsub__(self, other: float) -> LocalGrads:
        return other + (-self)

    def __rtruediv__(self, other: float) -> LocalGrads:
        return other * self**-1.0

    def backward(self) -> None:
        order: list[LocalGrads] = []
        seen: set[LocalGrads] = set()

        def visit(node: LocalGrads) -> None:
            if node not in seen:
                seen.add(node)
                for child in node._children:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            for child, local in zip(node._children, node._local_grads):  # noqa: B905 as in its model
                child.grad += local * node.grad


class Closures:
    """A number, the set of nodes it came from, and a function that sends its gradient to them."""

    def __init__(self, data: float, children: Iterable[Closures] = (), op: str = "") -> None:
        self.data = data
        self.grad = 0.0
        self._prev = set(children)
        self._op = op
        self._backward: Callable[[], None] = lambda: None

    def __add__(self, other: Any) -> Closures:
        other = other if isinstance(other, Closures) else Closures(other)
        result = Closures(self.data + other.data, (self, other), "+")

        def send() -> None:
            self.grad += result.grad
            other.grad += result.grad

        result._backward = send
        return result

    def __mul__(self, other: Any) -> Closures:
        other = other if isinstance(other, Closures) else Closures(other)
        result = Closures(self.data * other.data, (self, other), "*")

        def send() -> None:
            self.grad += other.data * result.grad
            other.grad += self.data * result.grad

        result._backward = send
        return result

    def __pow__(self, power: float) -> Closures:
        result = Closures(self.data**power, (self,), f"**{power}")

        def send() -> None:
            self.grad += power * self.data ** (power - 1) * result.grad

        result._backward = send
        return result

    def exp(self) -> Closures:
        result = Closures(math.exp(self.data), (self,), "exp")

        def send() -> None:
            self.grad += result.data * result.grad

        result._backward = send
        return result

    def log(self) -> Closures:
        result = Closures(math.log(self.data), (self,), "log")

        def send() -> None:
            self.grad += result.grad / self.data

        result._backward = send
        return result

    def relu(self) -> Closures:
        result = Closures(max(0.0, self.data), (self,), "relu")

        def send() -> None:
            self.grad += (self.data > 0.0) * result.grad

        result._backward = send
        return result

    def __neg__(self) -> Closures:
        return self * -1.0

    def __sub__(self, other: Any) -> Closures:
        return self + (-other)

    def __truediv__(self, other: Any) -> Closures:
        return self * other**-1.0

    def __radd__(self, other: float) -> Closures:
        return self + other

    def __rmul__(self, other: float) -> Closures:
        return self * other

    def __rsub__(self, other: float) -> Closures:
        return other + (-self)

    def __rtruediv__(self, other: float) -> Closures:
        return other * self**-1.0

    def backward(self) -> None:
        order: list[Closures] = []
        seen: set[Closures] = set()

        def visit(node: Closures) -> None:
            if node not in seen:
                seen.add(node)
                for child in node._prev:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()
