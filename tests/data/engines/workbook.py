# %% [markdown]
# # Exercise sheet 5: reverse mode with lambdas

# %%
from math import exp, log

# %% [markdown]
# Each node keeps a list of `(parent, function of upstream)`.

# %%
class Var:
    count = 0

    def __init__(self, value, parents=()):
        self.value = value
        self.parents = parents
        self.grad = None
        Var.count += 1

    def __repr__(self):
        return "Var(%s)" % self.value

# %%
def _var(x):
    return x if isinstance(x, Var) else Var(x)

def add(a, b):
    a, b = _var(a), _var(b)
    return Var(a.value + b.value, [(a, lambda up: up), (b, lambda up: up)])

def sub(a, b):
    a, b = _var(a), _var(b)
    return Var(a.value - b.value, [(a, lambda up: up), (b, lambda up: -up)])

def mul(a, b):
    a, b = _var(a), _var(b)
    return Var(a.value * b.value, [(a, lambda up: up * b.value), (b, lambda up: up * a.value)])

def div(a, b):
    a, b = _var(a), _var(b)
    q = a.value / b.value
    return Var(q, [(a, lambda up: up / b.value), (b, lambda up: -up * q / b.value)])

def power(a, n):
    return Var(a.value ** n, [(a, lambda up: up * n * a.value ** (n - 1))])

def var_exp(a):
    y = exp(a.value)
    return Var(y, [(a, lambda up: up * y)])

def var_log(a):
    return Var(log(a.value), [(a, lambda up: up / a.value)])

def sigmoid(a):
    s = 1 / (1 + exp(-a.value))
    return Var(s, [(a, lambda up: up * s * (1 - s))])

# %% [markdown]
# Now the operators go onto the class.

# %%
Var.__add__ = add
Var.__radd__ = lambda self, other: add(other, self)
Var.__sub__ = sub
Var.__rsub__ = lambda self, other: sub(other, self)
Var.__mul__ = mul
Var.__rmul__ = lambda self, other: mul(other, self)
Var.__truediv__ = div
Var.__rtruediv__ = lambda self, other: div(other, self)
Var.__pow__ = power
Var.__neg__ = lambda self: sub(0, self)
Var.exp = var_exp
Var.log = var_log
Var.sigmoid = sigmoid

# %%
def backward(out):
    order, seen = [], set()

    def visit(v):
        if id(v) in seen:
            return
        seen.add(id(v))
        for parent, _ in v.parents:
            visit(parent)
        order.append(v)

    visit(out)
    for v in order:
        v.grad = 0.0
    out.grad = 1.0
    for v in reversed(order):
        for parent, pull in v.parents:
            parent.grad += pull(v.grad)

# %%
x, y = Var(1.5), Var(0.5)
z = (x * y).sigmoid() + x / y
backward(z)
x.grad, y.grad

# %%
assert abs(x.grad - 2.1089) < 1e-3
