"""Pull-style gradients: nothing is written into the nodes, `gradients(out)` gives a dict.

    x = Var(3.0); y = Var(4.0)
    z = x * y + sin(x)
    grads = gradients(z)
    print(grads[x], grads[y])

Inspired by Sidsel's blog post; nodes hash by identity so they can be keys.
"""
import math
from collections import defaultdict


class Var:
    def __init__(self, value, local_gradients=()):
        self.value = value
        self.local_gradients = local_gradients

    def __add__(self, other):
        return add(self, other)

    def __radd__(self, other):
        return add(other, self)

    def __mul__(self, other):
        return mul(self, other)

    def __rmul__(self, other):
        return mul(other, self)

    def __sub__(self, other):
        return add(self, neg(other))

    def __rsub__(self, other):
        return add(other, neg(self))

    def __truediv__(self, other):
        return mul(self, inv(other))

    def __rtruediv__(self, other):
        return mul(other, inv(self))

    def __neg__(self):
        return neg(self)


def var(x):
    return x if isinstance(x, Var) else Var(x)


def add(a, b):
    a, b = var(a), var(b)
    return Var(a.value + b.value, ((a, 1), (b, 1)))


def mul(a, b):
    a, b = var(a), var(b)
    return Var(a.value * b.value, ((a, b.value), (b, a.value)))


def neg(a):
    a = var(a)
    return Var(-1 * a.value, ((a, -1),))


def inv(a):
    a = var(a)
    return Var(1.0 / a.value, ((a, -1 / a.value ** 2),))


def sin(a):
    return Var(math.sin(a.value), ((a, math.cos(a.value)),))


def cos(a):
    return Var(math.cos(a.value), ((a, -math.sin(a.value)),))


def exp(a):
    value = math.exp(a.value)
    return Var(value, ((a, value),))


def log(a):
    return Var(math.log(a.value), ((a, 1. / a.value),))


def _sorted(out):
    order, seen = [], set()
    stack = [(out, False)]
    while stack:
        node, finished = stack.pop()
        if finished:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child, _ in node.local_gradients)
    return order


def gradients(out):
    """Derivatives of `out` by every node it depends on."""
    grads = defaultdict(float)
    grads[out] = 1.0
    for node in reversed(_sorted(out)):
        for child, local in node.local_gradients:
            grads[child] += grads[node] * local
    return grads
