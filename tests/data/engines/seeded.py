"""
My take on a neural net from scratch. Usage:

    loss = ...
    loss.grad = 1.0      # <- you have to seed the output yourself!
    loss.backward()

Run this file to see it learn xor-ish data.
"""
import random
import math


class Value:
    def __init__(self, data, prev=()):
        self.data = data
        self.grad = 0.0
        self.prev = prev
        self.back = None

    def __add__(self, other):
        if not isinstance(other, Value): other = Value(other)
        out = Value(self.data + other.data, (self, other))
        def back():
            self.grad += out.grad
            other.grad += out.grad
        out.back = back
        return out

    def __sub__(self, other):
        if not isinstance(other, Value): other = Value(other)
        out = Value(self.data - other.data, (self, other))
        def back():
            self.grad += out.grad
            other.grad += -out.grad
        out.back = back
        return out

    def __mul__(self, other):
        if not isinstance(other, Value): other = Value(other)
        out = Value(self.data * other.data, (self, other))
        def back():
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data
        out.back = back
        return out

    def __radd__(self, other): return self + other
    def __rmul__(self, other): return self * other
    def __rsub__(self, other): return Value(other) - self
    def __neg__(self): return Value(0.0) - self

    def sigmoid(self):
        s = 1 / (1 + math.exp(-self.data))
        out = Value(s, (self,))
        def back():
            self.grad += out.grad * s * (1 - s)
        out.back = back
        return out

    def tanh(self):
        th = math.tanh(self.data)
        out = Value(th, (self,))
        def back():
            self.grad += out.grad * (1 - th * th)
        out.back = back
        return out

    def square(self):
        out = Value(self.data * self.data, (self,))
        def back():
            self.grad += out.grad * 2 * self.data
        out.back = back
        return out

    def backward(self):
        # the caller sets self.grad before
        todo = []
        marked = set()
        def mark(v):
            if v in marked: return
            marked.add(v)
            for p in v.prev: mark(p)
            todo.append(v)
        mark(self)
        for v in todo[::-1]:
            if v.back: v.back()


random.seed(7)
w1, w2, b = Value(random.random()), Value(random.random()), Value(0.0)
points = [(0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (0.0, 0.0, 0.0)]

print("training...")
for epoch in range(30):
    loss = Value(0.0)
    for x1, x2, y in points:
        loss = loss + ((w1 * x1 + w2 * x2 + b).sigmoid() - y).square()
    for p in (w1, w2, b): p.grad = 0.0
    loss.grad = 1.0
    loss.backward()
    for p in (w1, w2, b): p.data -= 0.5 * p.grad
    if epoch % 10 == 0: print(epoch, loss.data)


if __name__ == "__main__":
    demo = (w1 * 2 + b).tanh()
    demo.grad = 1.0
    demo.backward()
    print("dw1 =", w1.grad)
