"""
pebble.py - the smallest autodiff I could write on a train ride.

    x = Value(3.0)
    y = (x * x + 1).tanh()
    y.backward()
    x.grad
"""
import math


class Value:
    def __init__(self, data, _parents=(), _op='', name=None):
        self.data = data
        self.grad = 0.0
        self._parents = set(_parents)
        self._op = _op
        self.name = name
        self._backward = lambda: None

    def __repr__(self):
        return f"Value({self.data:.4f}, grad={self.grad:.4f})"

    # --- arithmetic ---------------------------------------------------

    def __add__(self, other):
        other = wrap(other)
        out = Value(self.data + other.data, (self, other), '+')

        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = wrap(other)
        out = Value(self.data * other.data, (self, other), '*')

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __pow__(self, k):
        assert isinstance(k, (int, float)), "only numbers as exponents"
        out = Value(self.data ** k, (self,), f'**{k}')

        def _backward():
            self.grad += k * self.data ** (k - 1) * out.grad
        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-wrap(other))

    def __truediv__(self, other):
        return self * wrap(other) ** -1

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return wrap(other) - self

    def __rtruediv__(self, other):
        return wrap(other) / self

    # --- nonlinearities -----------------------------------------------

    def relu(self):
        out = Value(self.data if self.data > 0 else 0.0, (self,), 'relu')

        def _backward():
            if out.data > 0:
                self.grad += out.grad
        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), 'tanh')

        def _backward():
            self.grad += (1 - t ** 2) * out.grad
        out._backward = _backward
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), 'exp')

        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out

    # --- the interesting part -----------------------------------------

    def backward(self):
        order = []
        seen = set()

        def walk(v):
            if v not in seen:
                seen.add(v)
                for p in v._parents:
                    walk(p)
                order.append(v)

        walk(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()


def wrap(x):
    return x if isinstance(x, Value) else Value(x)


if __name__ == '__main__':
    a, b = Value(2.0, name='a'), Value(-3.0, name='b')
    c = (a * b + 10).relu()
    c.backward()
    print(a, b, c)
