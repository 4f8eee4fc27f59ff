# One module-level tape of closures, replayed backwards.
#
#   reset()                 # now and then, or the tape gets long
#   x = Var(1.5)
#   y = square(x) + sigmoid(x)
#   backprop(y)
#   x.adj

import math

TAPE = []


def reset():
    TAPE.clear()


class Var:
    def __init__(self, v):
        self.v = float(v)
        self.adj = 0.0

    def __add__(self, o): return plus(self, o)
    def __radd__(self, o): return plus(o, self)
    def __sub__(self, o): return minus(self, o)
    def __rsub__(self, o): return minus(o, self)
    def __mul__(self, o): return times(self, o)
    def __rmul__(self, o): return times(o, self)
    def __truediv__(self, o): return over(self, o)
    def __rtruediv__(self, o): return over(o, self)
    def __neg__(self): return minus(0.0, self)


def const(x):
    return x if isinstance(x, Var) else Var(x)


def plus(a, b):
    a, b = const(a), const(b)
    z = Var(a.v + b.v)

    def pull():
        a.adj += z.adj
        b.adj += z.adj

    TAPE.append((z, pull))
    return z


def minus(a, b):
    a, b = const(a), const(b)
    z = Var(a.v - b.v)

    def pull():
        a.adj += z.adj
        b.adj -= z.adj

    TAPE.append((z, pull))
    return z


def times(a, b):
    a, b = const(a), const(b)
    z = Var(a.v * b.v)

    def pull():
        a.adj += b.v * z.adj
        b.adj += a.v * z.adj

    TAPE.append((z, pull))
    return z


def over(a, b):
    a, b = const(a), const(b)
    z = Var(a.v / b.v)

    def pull():
        a.adj += z.adj / b.v
        b.adj -= z.adj * a.v / (b.v * b.v)

    TAPE.append((z, pull))
    return z


def square(a):
    z = Var(a.v * a.v)

    def pull():
        a.adj += 2 * a.v * z.adj

    TAPE.append((z, pull))
    return z


def exp(a):
    z = Var(math.exp(a.v))

    def pull():
        a.adj += z.v * z.adj

    TAPE.append((z, pull))
    return z


def sigmoid(a):
    z = Var(1.0 / (1.0 + math.exp(-a.v)))

    def pull():
        a.adj += z.v * (1.0 - z.v) * z.adj

    TAPE.append((z, pull))
    return z


def backprop(z):
    for node, _ in TAPE:
        node.adj = 0.0
    z.adj = 1.0
    for _, pull in reversed(TAPE):
        pull()
