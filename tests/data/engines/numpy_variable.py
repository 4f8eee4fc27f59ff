"""Variables around numpy 0-d arrays; the first step towards arrays of any shape."""

import numpy as np


class Variable:
    __array_priority__ = 1000  # so that np.float64 * Variable comes to us

    def __init__(self, data, creator=None):
        self.data = np.asarray(data, dtype=np.float64)
        self.grad = None
        self.creator = creator or []

    def _from(self, data, *creator):
        return Variable(data, list(creator))

    def __add__(self, other):
        other = as_variable(other)
        return self._from(
            self.data + other.data,
            (self, lambda g: g * np.ones_like(self.data)),
            (other, lambda g: g * np.ones_like(other.data)),
        )

    def __sub__(self, other):
        other = as_variable(other)
        return self._from(self.data - other.data, (self, lambda g: g * 1.0), (other, lambda g: -g))

    def __mul__(self, other):
        other = as_variable(other)
        return self._from(
            self.data * other.data,
            (self, lambda g: g * other.data),
            (other, lambda g: g * self.data),
        )

    def __truediv__(self, other):
        other = as_variable(other)
        return self._from(
            self.data / other.data,
            (self, lambda g: g / other.data),
            (other, lambda g: -g * self.data / np.square(other.data)),
        )

    def __pow__(self, n):
        return self._from(self.data**n, (self, lambda g: g * n * self.data ** (n - 1)))

    def __neg__(self):
        return self._from(-self.data, (self, lambda g: -g))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return as_variable(other) - self

    def __rtruediv__(self, other):
        return as_variable(other) / self

    def exp(self):
        y = np.exp(self.data)
        return self._from(y, (self, lambda g: g * y))

    def log(self):
        return self._from(np.log(self.data), (self, lambda g: g / self.data))

    def sqrt(self):
        y = np.sqrt(self.data)
        return self._from(y, (self, lambda g: g / (2 * y)))

    def tanh(self):
        y = np.tanh(self.data)
        return self._from(y, (self, lambda g: g * (1 - y**2)))

    def relu(self):
        mask = self.data > 0
        return self._from(self.data * mask, (self, lambda g: g * mask))

    def backward(self):
        self.grad = np.ones_like(self.data)
        for node in self._graph():
            for parent, pull in node.creator:
                share = np.asarray(pull(node.grad))
                if parent.grad is None:
                    parent.grad = share
                else:
                    parent.grad += share

    def cleargrad(self):
        self.grad = None

    def _graph(self):
        """Consumers before producers."""
        order, seen = [], set()

        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for parent, _ in node.creator:
                    visit(parent)
                order.insert(0, node)

        visit(self)
        return order

    def __repr__(self):
        return f"variable({self.data})"


def as_variable(x):
    return x if isinstance(x, Variable) else Variable(x)
