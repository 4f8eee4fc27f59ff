"""A small engine without a bug, for the part about tests in docs/en/doctor.md."""

import math


class Value:
    def __init__(self, data, children=(), local_grads=()):
        self.data = data
        self.grad = 0.0
        self._children = children
        self._local_grads = local_grads

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __sub__(self, other):
        return Value(self.data - other.data, (self, other), (1.0, -1.0))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __truediv__(self, other):
        value = self.data / other.data
        return Value(value, (self, other), (1 / other.data, -value / other.data))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), (1 - t**2,))

    def backward(self):
        order, visited = [], set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node._children:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            for child, local in zip(node._children, node._local_grads, strict=True):
                child.grad += local * node.grad
