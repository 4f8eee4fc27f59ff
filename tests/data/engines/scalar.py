"""A scalar that behaves like a 0-dim torch tensor: requires_grad, grad None until backward."""

import math


class Scalar:
    def __init__(self, data, requires_grad=False):
        self.data = float(data)
        self.requires_grad = requires_grad
        self.grad = None
        self._ctx = []          # (parent, function from upstream grad to its share)

    @staticmethod
    def _ensure(x):
        return x if isinstance(x, Scalar) else Scalar(x)

    @classmethod
    def _make(cls, data, *edges):
        out = cls(data, requires_grad=any(p.requires_grad for p, _ in edges))
        if out.requires_grad:
            out._ctx = [(p, f) for p, f in edges if p.requires_grad]
        return out

    def __add__(self, other):
        other = self._ensure(other)
        return self._make(self.data + other.data, (self, lambda g: g), (other, lambda g: g))

    __radd__ = __add__

    def __mul__(self, other):
        other = self._ensure(other)
        a, b = self.data, other.data
        return self._make(a * b, (self, lambda g: g * b), (other, lambda g: g * a))

    __rmul__ = __mul__

    def __sub__(self, other):
        other = self._ensure(other)
        return self._make(self.data - other.data, (self, lambda g: g), (other, lambda g: -g))

    def __rsub__(self, other):
        return self._ensure(other).__sub__(self)

    def __truediv__(self, other):
        other = self._ensure(other)
        a, b = self.data, other.data
        return self._make(a / b, (self, lambda g: g / b), (other, lambda g: -g * a / (b * b)))

    def __rtruediv__(self, other):
        return self._ensure(other).__truediv__(self)

    def __neg__(self):
        return self._make(-self.data, (self, lambda g: -g))

    def __pow__(self, p):
        if isinstance(p, Scalar):
            raise TypeError("Scalar ** Scalar is not supported")
        x = self.data
        return self._make(x ** p, (self, lambda g: g * p * x ** (p - 1)))

    def exp(self):
        y = math.exp(self.data)
        return self._make(y, (self, lambda g: g * y))

    def log(self):
        x = self.data
        return self._make(math.log(x), (self, lambda g: g / x))

    def sigmoid(self):
        x = self.data
        y = 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
        return self._make(y, (self, lambda g: g * y * (1 - y)))

    def tanh(self):
        y = math.tanh(self.data)
        return self._make(y, (self, lambda g: g * (1 - y * y)))

    def relu(self):
        x = self.data
        return self._make(x if x > 0 else 0.0, (self, lambda g: g if x > 0 else 0.0))

    def zero_grad(self):
        self.grad = None

    def _topo(self):
        # iterative, so a loss summed over 10k samples does not hit the recursion limit
        order, state, stack = [], {}, [self]
        while stack:
            node = stack[-1]
            if state.get(node) is None:
                state[node] = 'open'
                stack.extend(p for p, _ in node._ctx if p not in state)
            else:
                stack.pop()
                if state[node] == 'open':
                    state[node] = 'done'
                    order.append(node)
        return order

    def backward(self, gradient=1.0):
        if not self.requires_grad:
            raise RuntimeError("does not require grad")
        grads = {self: gradient}
        for node in reversed(self._topo()):
            g = grads.pop(node)
            node.grad = g if node.grad is None else node.grad + g
            for parent, share in node._ctx:
                grads[parent] = grads.get(parent, 0.0) + share(g)
