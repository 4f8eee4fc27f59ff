"""A scalar engine as many people write it: the specimen that the break lab operates on.

It is right.  A fault's `change` replaces passages of this very text; the lab shows that as a diff, and
the tests run what comes out and compare its numbers with those of the fault's pass.  The engine that
minigrad itself runs is `scalar.py`.
"""
# mypy: ignore-errors

import math


class Value:
    def __init__(self, data, operands=(), op="", label=""):
        self.data = data
        self.grad = 0.0
        self.operands = operands
        self.children = operands  # those that a gradient is sent to
        self.op = op
        self.label = label
        self.closure = lambda: None

    def __add__(self, other):
        return apply("add", self, other)

    def __sub__(self, other):
        return apply("sub", self, other)

    def __mul__(self, other):
        return apply("mul", self, other)

    def __truediv__(self, other):
        return apply("div", self, other)

    def __pow__(self, other):
        return apply("pow", self, other)

    def __neg__(self):
        return apply("neg", self)

    def __radd__(self, other):
        return apply("add", other, self)

    def __rsub__(self, other):
        return apply("sub", other, self)

    def __rmul__(self, other):
        return apply("mul", other, self)

    def __rtruediv__(self, other):
        return apply("div", other, self)

    def __rpow__(self, other):
        return apply("pow", other, self)


def apply(op, *given):
    """A new node: its data, what it was made from, and what it does in the backward pass."""
    operands = tuple(x if isinstance(x, Value) else Value(x) for x in given)
    out = Value(FORWARD[op](*[x.data for x in operands]), operands, op)
    out.closure = lambda: send(out)
    return out


def exp(a):
    """e to the power a; inf where it is too large for a float, as in C and NumPy."""
    return math.exp(a) if a < 709.7 else math.inf


def sigmoid(a):
    return 1 / (1 + exp(-a))


def log_sum_exp(xs):
    top = max(xs)
    return top + math.log(sum(exp(x - top) for x in xs))


def halves(xs):
    return xs[: len(xs) // 2], xs[len(xs) // 2 :]


FORWARD = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "neg": lambda a: -a,
    "abs": lambda a: abs(a),
    "square": lambda a: a * a,
    "reciprocal": lambda a: 1 / a,
    "exp": lambda a: exp(a),
    "exp2": lambda a: 2**a,
    "expm1": lambda a: math.expm1(a),
    "log": lambda a: math.log(a),
    "log2": lambda a: math.log2(a),
    "log10": lambda a: math.log10(a),
    "log1p": lambda a: math.log1p(a),
    "sqrt": lambda a: math.sqrt(a),
    "sin": lambda a: math.sin(a),
    "cos": lambda a: math.cos(a),
    "tan": lambda a: math.tan(a),
    "arcsin": lambda a: math.asin(a),
    "arccos": lambda a: math.acos(a),
    "arctan": lambda a: math.atan(a),
    "sinh": lambda a: math.sinh(a),
    "cosh": lambda a: math.cosh(a),
    "tanh": lambda a: math.tanh(a),
    "sigmoid": lambda a: sigmoid(a),
    "softplus": lambda a: math.log1p(exp(-abs(a))) + max(a, 0),
    "silu": lambda a: a * sigmoid(a),
    "relu": lambda a: a if a > 0 else 0.0,
    "leaky_relu": lambda a, slope: a if a > 0 else slope * a,
    "maximum": lambda a, b: max(a, b),
    "minimum": lambda a, b: min(a, b),
    "clamp": lambda a, low, high: min(max(a, low), high),
    "sum": lambda *xs: sum(xs),
    "mean": lambda *xs: sum(xs) / len(xs),
    "prod": lambda *xs: math.prod(xs),
    "dot": lambda *xs: sum(x * w for x, w in zip(*halves(xs), strict=True)),
    "logsumexp": lambda *xs: log_sum_exp(xs),
    "max": lambda *xs: max(xs),
    "min": lambda *xs: min(xs),
}

LOCALS = {  # the local derivative by each operand; y is the output
    "add": lambda y, a, b: (1, 1),
    "sub": lambda y, a, b: (1, -1),
    "mul": lambda y, a, b: (b, a),
    "div": lambda y, a, b: (1 / b, -a / b**2),
    "pow": lambda y, a, b: (b * a ** (b - 1), y * math.log(a) if a > 0 else math.nan),
    "neg": lambda y, a: (-1,),
    "abs": lambda y, a: ((a > 0) - (a < 0),),
    "square": lambda y, a: (2 * a,),
    "reciprocal": lambda y, a: (-1 / a**2,),
    "exp": lambda y, a: (y,),
    "exp2": lambda y, a: (y * math.log(2),),
    "expm1": lambda y, a: (exp(a),),
    "log": lambda y, a: (1 / a,),
    "log2": lambda y, a: (1 / (a * math.log(2)),),
    "log10": lambda y, a: (1 / (a * math.log(10)),),
    "log1p": lambda y, a: (1 / (1 + a),),
    "sqrt": lambda y, a: (1 / (2 * y),),
    "sin": lambda y, a: (math.cos(a),),
    "cos": lambda y, a: (-math.sin(a),),
    "tan": lambda y, a: (1 + y**2,),
    "arcsin": lambda y, a: (1 / math.sqrt(1 - a**2),),
    "arccos": lambda y, a: (-1 / math.sqrt(1 - a**2),),
    "arctan": lambda y, a: (1 / (1 + a**2),),
    "sinh": lambda y, a: (math.cosh(a),),
    "cosh": lambda y, a: (math.sinh(a),),
    "tanh": lambda y, a: (1 - y**2,),
    "sigmoid": lambda y, a: (y * (1 - y),),
    "softplus": lambda y, a: (sigmoid(a),),
    "silu": lambda y, a: (sigmoid(a) + y * (1 - sigmoid(a)),),
    "relu": lambda y, a: (1 if a > 0 else 0,),
    "leaky_relu": lambda y, a, slope: (1, 0) if a > 0 else (slope, a),
    "maximum": lambda y, a, b: (1, 0) if a > b else (0, 1) if a < b else (0.5, 0.5),
    "minimum": lambda y, a, b: (1, 0) if a < b else (0, 1) if a > b else (0.5, 0.5),
    "clamp": lambda y, a, low, high: (low <= a <= high, a < low, a > high),
    "sum": lambda y, *xs: [1 for x in xs],
    "mean": lambda y, *xs: [1 / len(xs) for x in xs],
    "prod": lambda y, *xs: [math.prod(xs[:i] + xs[i + 1 :]) for i in range(len(xs))],
    "dot": lambda y, *xs: halves(xs)[1] + halves(xs)[0],
    "logsumexp": lambda y, *xs: [exp(x - y) for x in xs],
    "max": lambda y, *xs: [(x == y) / xs.count(y) for x in xs],
    "min": lambda y, *xs: [(x == y) / xs.count(y) for x in xs],
}


def locals_of(node):
    return LOCALS[node.op](node.data, *[x.data for x in node.operands])


def send(node):
    """Each child gets its contribution: local derivative times upstream gradient."""
    local, upstream = locals_of(node), node.grad
    for slot, child in enumerate(node.children):
        amount = local[slot] * upstream
        child.grad += amount


def order_of(root):
    """Every node once, each after all of its children."""
    order, visited = [], set()

    def visit(node):
        if node not in visited:
            visited.add(node)
            for child in node.children:
                visit(child)
            order.append(node)

    visit(root)
    return order


def backward(root):
    order = order_of(root)
    for node in order:
        if node.children:
            node.grad = 0.0
    root.grad = 1.0
    for node in reversed(order):
        node.closure()


def train(build, leaves):
    """Two steps, as a training loop takes them, without the update: the gradients of the second."""
    for _ in range(2):
        for leaf in leaves:
            leaf.grad = 0.0
        loss = build()
        backward(loss)
