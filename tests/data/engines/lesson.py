# %% [markdown]
# # Backprop from zero
# Notes for the study group, week 3. First a class that can only add and multiply,
# then the real one.

# %%
# !pip install matplotlib graphviz

# %%
import math
import random
# %matplotlib inline

# %%
import matplotlib.pyplot as plt

xs = [x / 10 for x in range(-50, 50)]
plt.plot(xs, [math.tanh(x) for x in xs])
plt.title("tanh");

# %% [markdown]
# ## First attempt

# %%
class Value:
    """only a box for now"""

    def __init__(self, data):
        self.data = data

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        return Value(self.data + other.data)

    def __mul__(self, other):
        return Value(self.data * other.data)

Value(2.0) * Value(-3.0) + Value(10.0)

# %% [markdown]
# It computes, but it knows nothing about where its numbers came from.
# ## With gradients

# %%
class Value:
    def __init__(self, data, children=(), op=""):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.op = op
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")
        def _backward():
            self.grad += 1.0 * out.grad
            other.grad += 1.0 * out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __sub__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data - other.data, (self, other), "-")
        def _backward():
            self.grad += out.grad
            other.grad -= out.grad
        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return Value(other) - self

    def __pow__(self, n):
        out = Value(self.data ** n, (self,), "pow")
        def _backward():
            self.grad += n * self.data ** (n - 1) * out.grad
        out._backward = _backward
        return out

    def __truediv__(self, other):
        return self * (other ** -1 if isinstance(other, Value) else 1 / other)

    def __rtruediv__(self, other):
        return other * self ** -1

    def exp(self):
        out = Value(math.exp(self.data), (self,), "exp")
        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")
        def _backward():
            self.grad += (1 - out.data ** 2) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v.children:
                    build(child)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

# %%
a = Value(2.0)
b = Value(-3.0)
e = a * b
e.backward()
print(a, b)

# %% [markdown]
# ## A neuron, trained

# %%
random.seed(1)
w = [Value(random.uniform(-1, 1)) for _ in range(3)]
data = [([2.0, 3.0], 1.0), ([0.5, -1.0], -1.0)]
losses = []
for step in range(200):
    loss = Value(0.0)
    for x, target in data:
        out = (w[0] * x[0] + w[1] * x[1] + w[2]).tanh()
        loss = loss + (out - target) ** 2
    for p in w:
        p.grad = 0.0
    loss.backward()
    for p in w:
        p.data -= 0.1 * p.grad
    losses.append(loss.data)
print(losses[-1])

# %%
plt.plot(losses);
