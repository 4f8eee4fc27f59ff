"""Expression nodes, one class per operation.  Node knows how to run backwards, the
subclasses only know their value and their local derivatives."""

import math


class Arithmetic:
    """Mixin with the operators, so that Node itself stays short."""

    def __add__(self, other):
        return AddNode(self, to_node(other))

    def __radd__(self, other):
        return AddNode(to_node(other), self)

    def __sub__(self, other):
        return SubNode(self, to_node(other))

    def __rsub__(self, other):
        return SubNode(to_node(other), self)

    def __mul__(self, other):
        return MulNode(self, to_node(other))

    def __rmul__(self, other):
        return MulNode(to_node(other), self)

    def __truediv__(self, other):
        return DivNode(self, to_node(other))

    def __rtruediv__(self, other):
        return DivNode(to_node(other), self)

    def __pow__(self, exponent):
        return PowNode(self, exponent)

    def __neg__(self):
        return NegNode(self)

    def exp(self):
        return ExpNode(self)

    def log(self):
        return LogNode(self)

    def tanh(self):
        return TanhNode(self)

    def relu(self):
        return ReluNode(self)


class Node(Arithmetic):
    def __init__(self, *operands):
        self.operands = operands
        self.grad = 0.0
        self.value = self._value(*[n.value for n in operands])

    def _value(self, *xs):
        raise NotImplementedError

    def _local(self):
        """One derivative per operand."""
        raise NotImplementedError

    def ordered(self):
        result, mark = [], set()

        def dfs(node):
            if node not in mark:
                mark.add(node)
                for child in node.operands:
                    dfs(child)
                result.append(node)

        dfs(self)
        return result[::-1]

    def backward(self):
        nodes = self.ordered()
        for node in nodes:
            if node.operands:
                node.grad = 0.0
        self.grad = 1.0
        for node in nodes:
            if not node.operands:
                continue
            for child, d in zip(node.operands, node._local()):
                child.grad += d * node.grad


class Leaf(Node):
    def __init__(self, value):
        self.operands = ()
        self.grad = 0.0
        self.value = value


class AddNode(Node):
    def _value(self, a, b): return a + b
    def _local(self): return 1, 1


class SubNode(Node):
    def _value(self, a, b): return a - b
    def _local(self): return 1, -1


class MulNode(Node):
    def _value(self, a, b): return a * b
    def _local(self): return self.operands[1].value, self.operands[0].value


class DivNode(Node):
    def _value(self, a, b): return a / b

    def _local(self):
        a, b = (n.value for n in self.operands)
        return 1 / b, -a / b ** 2


class PowNode(Node):
    def __init__(self, base, exponent):
        self.exponent = exponent
        super().__init__(base)

    def _value(self, a): return a ** self.exponent
    def _local(self): return (self.exponent * self.operands[0].value ** (self.exponent - 1),)


class NegNode(Node):
    def _value(self, a): return -a
    def _local(self): return (-1,)


class ExpNode(Node):
    def _value(self, a): return math.exp(a)
    def _local(self): return (self.value,)


class LogNode(Node):
    def _value(self, a): return math.log(a)
    def _local(self): return (1 / self.operands[0].value,)


class TanhNode(Node):
    def _value(self, a): return math.tanh(a)
    def _local(self): return (1 - self.value ** 2,)


class ReluNode(Node):
    def _value(self, a): return a if a > 0 else 0.0
    def _local(self): return (1.0 if self.value > 0 else 0.0,)


def to_node(x):
    return x if isinstance(x, Node) else Leaf(x)
