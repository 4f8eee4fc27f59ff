"""The engine of the track, whole and right: every step's skeleton and solution is a part of this text.

Comments that begin with `# >` are read by `steps.py` and stand in nothing that a learner sees:

    # > rules           what follows, up to the next such line, belongs to the step of this name
    # > hole, # > end   between them is what the learner writes
    ...  # > constants  this line is there from that step on

Up to the step `diamond`, rules write with = where it says += here.
"""

# mypy: ignore-errors
# ruff: noqa: B905, E402
# > number
import math


class Value:
    def __init__(self, data, children=(), op=""):
        # > hole
        self.data = data
        self.grad = 0.0
        self.children = children
        self.op = op
        self._backward = lambda: None
        # > end

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    # > rules
    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)  # > constants
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        # > hole
        other = other if isinstance(other, Value) else Value(other)  # > constants
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out
        # > end

    # > order
    def backward(self):
        # > hole
        order, visited = [], set()

        def visit(node):
            if node not in visited:
                visited.add(node)
                for child in node.children:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()
        # > end

    # > diamond
    def __sub__(self, other):
        # > hole
        other = other if isinstance(other, Value) else Value(other)  # > constants
        out = Value(self.data - other.data, (self, other), "-")

        def _backward():
            self.grad += out.grad
            other.grad += -out.grad

        out._backward = _backward
        return out
        # > end

    # > constants
    def __radd__(self, other):
        return self + other

    def __neg__(self):
        return self * -1

    # > hole
    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return Value(other) - self

    # > end
    # > curves
    def __rtruediv__(self, other):
        return Value(other) / self

    # > hole
    def __truediv__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data / other.data, (self, other), "/")

        def _backward():
            self.grad += 1 / other.data * out.grad
            other.grad += -self.data / other.data**2 * out.grad

        out._backward = _backward
        return out

    def __pow__(self, n):
        out = Value(self.data**n, (self,), f"**{n}")

        def _backward():
            self.grad += n * self.data ** (n - 1) * out.grad

        out._backward = _backward
        return out

    def exp(self):
        e = math.exp(self.data)
        out = Value(e, (self,), "exp")

        def _backward():
            self.grad += e * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        def _backward():
            self.grad += (1 - t**2) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,), "relu")

        def _backward():
            self.grad += (out.data > 0) * out.grad

        out._backward = _backward
        return out

    # > end
    # > again
    def zero_grad(self):
        # > hole
        seen = set()

        def clear(node):
            if node not in seen:
                seen.add(node)
                node.grad = 0.0
                for child in node.children:
                    clear(child)

        clear(self)
        # > end


# > by-hand
def by_hand(a, b, c):
    product = a * b
    total = product + c
    total.grad = 1.0
    # > hole
    total._backward()
    product._backward()
    # > end
    return product, total


# > paths
def along_paths(out):
    # > hole
    def send(node):
        node._backward()
        for child in node.children:
            send(child)

    out.grad = 1.0
    send(out)
    # > end


# > neuron
import random


class Neuron:
    def __init__(self, inputs):
        self.weights = [Value(random.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Value(0.0)

    def __call__(self, xs):
        # > hole
        total = self.bias
        for weight, x in zip(self.weights, xs):
            total = total + weight * x
        return total.tanh()
        # > end

    def parameters(self):
        return [*self.weights, self.bias]


class MLP:
    def __init__(self, inputs, *layers):
        sizes = [inputs, *layers]
        self.layers = [[Neuron(before) for _ in range(size)] for before, size in zip(sizes, layers)]

    def __call__(self, xs):
        for layer in self.layers:
            xs = [neuron(xs) for neuron in layer]
        return xs[0]

    def parameters(self):
        return [p for layer in self.layers for neuron in layer for p in neuron.parameters()]


def moons(count):
    points = []
    for i in range(count):
        angle = math.pi * random.random()
        if i % 2:
            points.append(((math.cos(angle), math.sin(angle)), 1))
        else:
            points.append(((1 - math.cos(angle), 0.5 - math.sin(angle)), -1))
    return points


def train(model, points, steps=40, rate=0.5):
    for step in range(steps):
        loss = Value(0.0)
        for xs, side in points:
            loss = loss + (model(xs) - side) ** 2 / len(points)
        loss.zero_grad()
        loss.backward()
        for p in model.parameters():
            p.data -= rate * p.grad
        if step % 10 == 0:
            print(step, loss.data)
    return loss.data


# > proof
def slope(f, numbers, which, distance=1e-5):
    # > hole
    def at(shift):
        values = [Value(x + shift if i == which else x) for i, x in enumerate(numbers)]
        return f(*values).data

    return (at(distance) - at(-distance)) / (2 * distance)
    # > end


def is_right(f, numbers):
    values = [Value(x) for x in numbers]
    f(*values).backward()
    return all(abs(v.grad - slope(f, numbers, i)) < 1e-4 for i, v in enumerate(values))
