# autodiff with plain functions. No operator overloading on purpose:
# students should SEE the graph they build.
#
#   a, b = leaf(2), leaf(3)
#   out = add(mul(a, b), tanh(a))
#   backward(out)
#   print(a.grad)

import math
from dataclasses import dataclass, field


@dataclass(eq=False)
class Node:
    value: float
    op: str = "leaf"
    args: tuple = ()
    grad: float = field(default=0.0, repr=False)


def leaf(x):
    return Node(float(x))


def as_node(x):
    return x if isinstance(x, Node) else leaf(x)


def add(a, b):
    a, b = as_node(a), as_node(b)
    return Node(a.value + b.value, "add", (a, b))


def sub(a, b):
    a, b = as_node(a), as_node(b)
    return Node(a.value - b.value, "sub", (a, b))


def mul(a, b):
    a, b = as_node(a), as_node(b)
    return Node(a.value * b.value, "mul", (a, b))


def div(a, b):
    a, b = as_node(a), as_node(b)
    return Node(a.value / b.value, "div", (a, b))


def power(a, b):
    a, b = as_node(a), as_node(b)
    return Node(a.value ** b.value, "power", (a, b))


def neg(a):
    return Node(-a.value, "neg", (a,))


def exp(a):
    return Node(math.exp(a.value), "exp", (a,))


def log(a):
    return Node(math.log(a.value), "log", (a,))


def sqrt(a):
    return Node(math.sqrt(a.value), "sqrt", (a,))


def tanh(a):
    return Node(math.tanh(a.value), "tanh", (a,))


def sigmoid(a):
    return Node(1 / (1 + math.exp(-a.value)), "sigmoid", (a,))


def relu(a):
    return Node(a.value if a.value > 0 else 0.0, "relu", (a,))


def push(node):
    """Hand node.grad on to the arguments."""
    op, g, y = node.op, node.grad, node.value
    if op == "add":
        a, b = node.args
        a.grad += g
        b.grad += g
    elif op == "sub":
        a, b = node.args
        a.grad += g
        b.grad -= g
    elif op == "mul":
        a, b = node.args
        a.grad += g * b.value
        b.grad += g * a.value
    elif op == "div":
        a, b = node.args
        a.grad += g / b.value
        b.grad += -g * a.value / b.value ** 2
    elif op == "power":
        a, b = node.args
        a.grad += g * b.value * a.value ** (b.value - 1)
        if a.value > 0:
            b.grad += g * y * math.log(a.value)
    elif op == "neg":
        node.args[0].grad += -g
    elif op == "exp":
        node.args[0].grad += g * y
    elif op == "log":
        node.args[0].grad += g / node.args[0].value
    elif op == "sqrt":
        node.args[0].grad += g / (2 * y)
    elif op == "tanh":
        node.args[0].grad += g * (1 - y * y)
    elif op == "sigmoid":
        node.args[0].grad += g * y * (1 - y)
    elif op == "relu":
        if node.args[0].value > 0:
            node.args[0].grad += g


def topological(root):
    done, out = set(), []

    def visit(n):
        if id(n) in done:
            return
        done.add(id(n))
        for arg in n.args:
            visit(arg)
        out.append(n)

    visit(root)
    return out


def backward(root):
    root.grad = 1.0
    for node in reversed(topological(root)):
        push(node)
