"""Scalar reverse mode where every node remembers its slopes.

An operation computes its value *and* d(out)/d(operand) right away, so backward() needs no per-op code:
one loop multiplies and adds.  Enough for the MLP in train.py.
"""

from __future__ import annotations

import math
from typing import Union

Number = Union[int, float]  # noqa: UP007


class Node:
    __slots__ = ("data", "grad", "kids", "slopes")

    def __init__(self, data: Number, kids: tuple = (), slopes: tuple = ()):
        self.data = data
        self.grad = 0
        self.kids = kids
        self.slopes = slopes

    # every operator below is one line: value, operands, slopes

    def __add__(self, other):
        other = lift(other)
        return Node(self.data + other.data, (self, other), (1.0, 1.0))

    def __sub__(self, other):
        other = lift(other)
        return Node(self.data - other.data, (self, other), (1.0, -1.0))

    def __mul__(self, other):
        other = lift(other)
        return Node(self.data * other.data, (self, other), (other.data, self.data))

    def __truediv__(self, other):
        other = lift(other)
        return Node(
            self.data / other.data, (self, other), (1 / other.data, -self.data / other.data**2)
        )

    def __pow__(self, other):
        if isinstance(other, Node):
            y = self.data**other.data
            slope_base = other.data * self.data ** (other.data - 1)
            slope_exponent = y * math.log(self.data) if self.data > 0 else 0.0
            return Node(y, (self, other), (slope_base, slope_exponent))
        return Node(self.data**other, (self,), (other * self.data ** (other - 1),))

    def __neg__(self):
        return Node(-self.data, (self,), (-1.0,))

    def __radd__(self, other):
        return lift(other) + self

    def __rsub__(self, other):
        return lift(other) - self

    def __rmul__(self, other):
        return lift(other) * self

    def __rtruediv__(self, other):
        return lift(other) / self

    def __rpow__(self, other):
        return lift(other) ** self

    def exp(self):
        e = math.exp(self.data)
        return Node(e, (self,), (e,))

    def log(self):
        return Node(math.log(self.data), (self,), (1 / self.data,))

    def sqrt(self):
        r = math.sqrt(self.data)
        return Node(r, (self,), (0.5 / r,))

    def tanh(self):
        t = math.tanh(self.data)
        return Node(t, (self,), (1 - t * t,))

    def sigmoid(self):
        s = 1 / (1 + math.exp(-self.data))
        return Node(s, (self,), (s * (1 - s),))

    def relu(self):
        return Node(max(0.0, self.data), (self,), (float(self.data > 0),))

    def backward(self):
        topo, visited = [], set()

        def build(n):
            if n in visited:
                return
            visited.add(n)
            for kid in n.kids:
                build(kid)
            topo.append(n)

        build(self)
        self.grad = 1
        for n in reversed(topo):
            for kid, slope in zip(n.kids, n.slopes):
                kid.grad += slope * n.grad

    def __repr__(self):
        return f"Node(data={self.data}, grad={self.grad})"


def lift(x: Node | Number) -> Node:
    return x if isinstance(x, Node) else Node(x)
