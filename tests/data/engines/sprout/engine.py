"""The node and the backward pass.  What the operators do is in ops.py."""

from . import ops


def no_nan(x):
    if x != x:
        raise ValueError("nan in the graph")
    return x


class Param:
    """A number with a history."""

    def __init__(self, data, args=(), rule=None):
        self.data = no_nan(data)
        self.grad = 0.0
        self.args = args
        self.rule = rule

    def backward(self):
        done = set()
        order = []

        def visit(p):
            if id(p) in done:
                return
            done.add(id(p))
            for arg in p.args:
                visit(arg)
            order.append(p)

        visit(self)
        self.grad = 1.0
        while order:
            p = order.pop()
            if p.rule is None:
                continue
            for arg, local in zip(p.args, p.rule(p, *p.args)):
                arg.grad += local * p.grad

    def __add__(self, other):
        return ops.add(self, other)

    def __radd__(self, other):
        return ops.add(other, self)

    def __sub__(self, other):
        return ops.sub(self, other)

    def __rsub__(self, other):
        return ops.sub(other, self)

    def __mul__(self, other):
        return ops.mul(self, other)

    def __rmul__(self, other):
        return ops.mul(other, self)

    def __truediv__(self, other):
        return ops.div(self, other)

    def __rtruediv__(self, other):
        return ops.div(other, self)

    def __pow__(self, other):
        return ops.power(self, other)

    def __rpow__(self, other):
        return ops.power(other, self)

    def __neg__(self):
        return ops.neg(self)

    def __repr__(self):
        return f"Param({self.data!r})"
