"""A Wengert list.

>>> tape = Tape()
>>> x, y = tape.var(2.0), tape.var(5.0)
>>> z = x * y + x.sin()
>>> tape.backward(z)
>>> x.grad, y.grad

Everything is appended to the tape in the order it is computed, so walking the
tape from the end to the start is a valid order. No sorting, no recursion.
"""

import math


class Entry:
    """One line of the list: where the result lives and what it depends on."""

    def __init__(self, index, deps, weights):
        self.index = index
        self.deps = deps        # indices of the operands
        self.weights = weights  # partial derivatives, same order


class Tape:
    def __init__(self):
        self.entries = []
        self.vars = []

    def var(self, value):
        return self.record(value, (), ())

    def record(self, value, deps, weights):
        v = Var(self, len(self.vars), value)
        self.vars.append(v)
        self.entries.append(Entry(v.index, deps, weights))
        return v

    def backward(self, out):
        adjoint = [0.0] * len(self.vars)
        adjoint[out.index] = 1.0
        for entry in reversed(self.entries[: out.index + 1]):
            bar = adjoint[entry.index]
            for dep, weight in zip(entry.deps, entry.weights):
                adjoint[dep] += weight * bar
        for v, g in zip(self.vars, adjoint):
            v.grad = g


class Var:
    def __init__(self, tape, index, value):
        self.tape = tape
        self.index = index
        self.value = value
        self.grad = 0.0

    def _other(self, x):
        return x if isinstance(x, Var) else self.tape.var(x)

    def _unary(self, value, weight):
        return self.tape.record(value, (self.index,), (weight,))

    def _binary(self, other, value, w1, w2):
        return self.tape.record(value, (self.index, other.index), (w1, w2))

    def __add__(self, other):
        other = self._other(other)
        return self._binary(other, self.value + other.value, 1.0, 1.0)

    def __sub__(self, other):
        other = self._other(other)
        return self._binary(other, self.value - other.value, 1.0, -1.0)

    def __mul__(self, other):
        other = self._other(other)
        return self._binary(other, self.value * other.value, other.value, self.value)

    def __truediv__(self, other):
        other = self._other(other)
        q = self.value / other.value
        return self._binary(other, q, 1.0 / other.value, -q / other.value)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return self._other(other) - self

    def __rtruediv__(self, other):
        return self._other(other) / self

    def __neg__(self):
        return self._unary(-self.value, -1.0)

    def __pow__(self, n):
        return self._unary(self.value ** n, n * self.value ** (n - 1))

    def sin(self):
        return self._unary(math.sin(self.value), math.cos(self.value))

    def cos(self):
        return self._unary(math.cos(self.value), -math.sin(self.value))

    def exp(self):
        y = math.exp(self.value)
        return self._unary(y, y)

    def log(self):
        return self._unary(math.log(self.value), 1.0 / self.value)
